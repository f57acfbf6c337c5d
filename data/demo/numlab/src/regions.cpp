// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "numlab/points.hpp"

namespace numlab {

namespace {

int nearest(const Point& p, const std::vector<Point>& centres) {
    int best = -1;
    double least = std::numeric_limits<double>::max();
    for (std::size_t c = 0; c < centres.size(); ++c) {
        const double d = gap2(p, centres[c]);
        if (d < least) {
            least = d;
            best = static_cast<int>(c);
        }
    }
    return best;
}

void recentre(const std::vector<Point>& pts, const std::vector<int>& home,
              std::vector<Point>& centres) {
    std::vector<Point> sum(centres.size());
    std::vector<int> count(centres.size(), 0);
    for (std::size_t i = 0; i < pts.size(); ++i) {
        sum[home[i]].x += pts[i].x;
        sum[home[i]].y += pts[i].y;
        ++count[home[i]];
    }
    for (std::size_t c = 0; c < centres.size(); ++c) {
        if (count[c] > 0) {
            centres[c] = {sum[c].x / count[c], sum[c].y / count[c]};
        }
    }
}

}  // namespace

std::vector<int> settle_regions(const std::vector<Point>& pts, std::vector<Point>& centres,
                                int max_rounds) {
    std::vector<int> home(pts.size(), -1);
    for (int round = 0; round < max_rounds; ++round) {
        bool moved = false;
        for (std::size_t i = 0; i < pts.size(); ++i) {
            const int c = nearest(pts[i], centres);
            if (c != home[i]) {
                home[i] = c;
                moved = true;
            }
        }
        if (!moved) {
            break;
        }
        recentre(pts, home, centres);
    }
    return home;
}

}  // namespace numlab
