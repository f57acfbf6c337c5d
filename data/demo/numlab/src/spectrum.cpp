// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <stdexcept>

#include "numlab/signal.hpp"

namespace numlab {

namespace {

const double kPi = std::acos(-1.0);

void shuffle_bits(Wave& a) {
    const std::size_t n = a.size();
    for (std::size_t i = 1, j = 0; i < n; ++i) {
        std::size_t bit = n >> 1;
        for (; j & bit; bit >>= 1) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) {
            std::swap(a[i], a[j]);
        }
    }
}

}  // namespace

void to_spectrum(Wave& a, bool back) {
    const std::size_t n = a.size();
    if (n == 0 || (n & (n - 1)) != 0) {
        throw std::invalid_argument("length must be a power of two");
    }
    shuffle_bits(a);
    for (std::size_t len = 2; len <= n; len <<= 1) {
        const double angle = (back ? -2.0 : 2.0) * kPi / static_cast<double>(len);
        const std::complex<double> turn(std::cos(angle), std::sin(angle));
        for (std::size_t i = 0; i < n; i += len) {
            std::complex<double> w(1.0);
            for (std::size_t k = 0; k < len / 2; ++k) {
                const auto u = a[i + k];
                const auto t = w * a[i + k + len / 2];
                a[i + k] = u + t;
                a[i + k + len / 2] = u - t;
                w *= turn;
            }
        }
    }
    if (back) {
        for (auto& v : a) {
            v /= static_cast<double>(n);
        }
    }
}

/// Product of two polynomials given by their coefficients.
std::vector<double> blend(const std::vector<double>& x, const std::vector<double>& y) {
    if (x.empty() || y.empty()) {
        return {};
    }
    std::size_t n = 1;
    while (n < x.size() + y.size()) {
        n <<= 1;
    }
    Wave fx(x.begin(), x.end()), fy(y.begin(), y.end());
    fx.resize(n);
    fy.resize(n);
    to_spectrum(fx);
    to_spectrum(fy);
    for (std::size_t i = 0; i < n; ++i) {
        fx[i] *= fy[i];
    }
    to_spectrum(fx, true);
    std::vector<double> out(x.size() + y.size() - 1);
    for (std::size_t i = 0; i < out.size(); ++i) {
        out[i] = fx[i].real();
    }
    return out;
}

}  // namespace numlab
