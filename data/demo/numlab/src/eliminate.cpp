// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "numlab/solve.hpp"

namespace numlab {

/// Gaussian elimination with row exchanges; solves a x = b.
Vector eliminate(Matrix a, Vector b) {
    const std::size_t n = a.rows();
    for (std::size_t col = 0; col < n; ++col) {
        std::size_t best = col;
        for (std::size_t r = col + 1; r < n; ++r) {
            if (std::fabs(a(r, col)) > std::fabs(a(best, col))) {
                best = r;
            }
        }
        if (std::fabs(a(best, col)) < 1e-12) {
            throw std::domain_error("no unique solution");
        }
        a.swap_rows(col, best);
        std::swap(b[col], b[best]);
        for (std::size_t r = col + 1; r < n; ++r) {
            const double f = a(r, col) / a(col, col);
            for (std::size_t c = col; c < n; ++c) {
                a(r, c) -= f * a(col, c);
            }
            b[r] -= f * b[col];
        }
    }
    Vector x(n);
    for (std::size_t r = n; r-- > 0;) {
        double s = b[r];
        for (std::size_t c = r + 1; c < n; ++c) {
            s -= a(r, c) * x[c];
        }
        x[r] = s / a(r, r);
    }
    return x;
}

}  // namespace numlab
