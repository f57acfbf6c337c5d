// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>
#include <utility>

#include "numlab/solve.hpp"

namespace numlab {

Factors::Factors(Matrix a) : lu_(std::move(a)), order_(lu_.rows()) {
    if (lu_.rows() != lu_.cols()) {
        throw std::invalid_argument("square matrix needed");
    }
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    factorize();
}

void Factors::factorize() {
    const std::size_t n = lu_.rows();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t i = k + 1; i < n; ++i) {
            if (std::fabs(lu_(i, k)) > std::fabs(lu_(best, k))) {
                best = i;
            }
        }
        if (lu_(best, k) == 0.0) {
            throw std::domain_error("singular matrix");
        }
        if (best != k) {
            lu_.swap_rows(best, k);
            std::swap(order_[best], order_[k]);
            sign_ = -sign_;
        }
        for (std::size_t i = k + 1; i < n; ++i) {
            lu_(i, k) /= lu_(k, k);
            for (std::size_t j = k + 1; j < n; ++j) {
                lu_(i, j) -= lu_(i, k) * lu_(k, j);
            }
        }
    }
}

Vector Factors::solve(const Vector& b) const {
    const std::size_t n = lu_.rows();
    Vector x(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = b[order_[i]];
        for (std::size_t j = 0; j < i; ++j) {
            x[i] -= lu_(i, j) * x[j];
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t j = i + 1; j < n; ++j) {
            x[i] -= lu_(i, j) * x[j];
        }
        x[i] /= lu_(i, i);
    }
    return x;
}

double Factors::determinant() const {
    double d = sign_;
    for (std::size_t i = 0; i < lu_.rows(); ++i) {
        d *= lu_(i, i);
    }
    return d;
}

}  // namespace numlab
