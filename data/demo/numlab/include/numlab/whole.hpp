// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace numlab {

std::vector<int> primes_below(int limit);
std::uint64_t common_measure(std::uint64_t a, std::uint64_t b);
bool looks_prime(std::uint64_t n);

/// A fraction in lowest terms.
class Ratio {
public:
    Ratio(std::int64_t num, std::int64_t den);
    std::int64_t num() const { return num_; }
    std::int64_t den() const { return den_; }
    Ratio operator+(const Ratio& o) const;
    Ratio operator*(const Ratio& o) const;

private:
    std::int64_t num_;
    std::int64_t den_;
};

}  // namespace numlab
