// SPDX-License-Identifier: Apache-2.0
#include "numlab/whole.hpp"

#include <stdexcept>

namespace numlab {

/// Sieve of Eratosthenes.
std::vector<int> primes_below(int limit) {
    std::vector<int> primes;
    std::vector<bool> crossed(limit > 0 ? limit : 0, false);
    for (int p = 2; p < limit; ++p) {
        if (crossed[p]) {
            continue;
        }
        primes.push_back(p);
        for (std::int64_t m = static_cast<std::int64_t>(p) * p; m < limit; m += p) {
            crossed[m] = true;
        }
    }
    return primes;
}

std::uint64_t common_measure(std::uint64_t a, std::uint64_t b) {
    while (b != 0) {
        const std::uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/// Fermat test with a few fixed bases; n must fit in 32 bits.
bool looks_prime(std::uint64_t n) {
    if (n < 4) {
        return n >= 2;
    }
    for (std::uint64_t base : {2u, 3u, 5u, 7u}) {
        if (base % n == 0) {
            continue;
        }
        std::uint64_t acc = 1;
        for (int bit = 63; bit >= 0; --bit) {
            acc = acc * acc % n;
            if (((n - 1) >> bit) & 1) {
                acc = acc * base % n;
            }
        }
        if (acc != 1) {
            return false;
        }
    }
    return true;
}

Ratio::Ratio(std::int64_t num, std::int64_t den) : num_(num), den_(den) {
    if (den == 0) {
        throw std::invalid_argument("zero denominator");
    }
    if (den_ < 0) {
        num_ = -num_;
        den_ = -den_;
    }
    const auto g = common_measure(num_ < 0 ? -num_ : num_, den_);
    num_ /= static_cast<std::int64_t>(g);
    den_ /= static_cast<std::int64_t>(g);
}

Ratio Ratio::operator+(const Ratio& o) const {
    return Ratio(num_ * o.den_ + o.num_ * den_, den_ * o.den_);
}

Ratio Ratio::operator*(const Ratio& o) const {
    return Ratio(num_ * o.num_, den_ * o.den_);
}

}  // namespace numlab
