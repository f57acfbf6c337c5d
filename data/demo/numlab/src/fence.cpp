// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "numlab/points.hpp"

namespace numlab {

/// The smallest fence around all points, counter-clockwise.
std::vector<Point> fence(std::vector<Point> pts) {
    if (pts.size() < 3) {
        return pts;
    }
    auto low = std::min_element(pts.begin(), pts.end(), [](const Point& a, const Point& b) {
        return a.y < b.y || (a.y == b.y && a.x < b.x);
    });
    std::swap(pts.front(), *low);
    const Point origin = pts.front();
    std::sort(pts.begin() + 1, pts.end(), [&](const Point& a, const Point& b) {
        const double t = turn(origin, a, b);
        return t != 0 ? t > 0 : gap2(origin, a) < gap2(origin, b);
    });
    std::vector<Point> stack;
    for (const Point& p : pts) {
        while (stack.size() >= 2 && turn(stack[stack.size() - 2], stack.back(), p) <= 0) {
            stack.pop_back();
        }
        stack.push_back(p);
    }
    return stack;
}

}  // namespace numlab
