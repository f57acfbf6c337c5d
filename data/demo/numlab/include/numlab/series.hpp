// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace numlab {

/// Samples with summary statistics.
class Series {
public:
    void add(double v) { values_.push_back(v); }
    std::size_t size() const { return values_.size(); }

    double mean() const {
        double s = 0;
        for (double v : values_) {
            s += v;
        }
        return values_.empty() ? 0 : s / static_cast<double>(values_.size());
    }

    double spread() const {
        const double m = mean();
        double s = 0;
        for (double v : values_) {
            s += (v - m) * (v - m);
        }
        return values_.size() < 2 ? 0 : std::sqrt(s / static_cast<double>(values_.size() - 1));
    }

    std::vector<double> smoothed(std::size_t width) const {
        std::vector<double> out;
        double sum = 0;
        for (std::size_t i = 0; i < values_.size(); ++i) {
            sum += values_[i];
            if (i >= width) {
                sum -= values_[i - width];
            }
            out.push_back(sum / static_cast<double>(std::min(i + 1, width)));
        }
        return out;
    }

private:
    std::vector<double> values_;
};

/// Quicksort on any random-access range, [lo, hi).
template <typename T, typename Less>
std::size_t split_range(std::vector<T>& a, std::size_t lo, std::size_t hi, Less less) {
    const T mark = a[hi - 1];
    std::size_t edge = lo;
    for (std::size_t j = lo; j + 1 < hi; ++j) {
        if (!less(mark, a[j])) {
            std::swap(a[edge++], a[j]);
        }
    }
    std::swap(a[edge], a[hi - 1]);
    return edge;
}

template <typename T, typename Less>
void arrange(std::vector<T>& a, std::size_t lo, std::size_t hi, Less less) {
    if (lo + 1 >= hi) {
        return;
    }
    const std::size_t mid = split_range(a, lo, hi, less);
    arrange(a, lo, mid, less);
    arrange(a, mid + 1, hi, less);
}

}  // namespace numlab
