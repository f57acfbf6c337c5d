// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace numlab {

struct Point {
    double x = 0;
    double y = 0;
};

inline double gap2(const Point& a, const Point& b) {
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/// > 0 when o -> a -> b turns left.
inline double turn(const Point& o, const Point& a, const Point& b) {
    return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

std::vector<Point> fence(std::vector<Point> pts);
std::vector<int> settle_regions(const std::vector<Point>& pts, std::vector<Point>& centres,
                                int max_rounds);

}  // namespace numlab
