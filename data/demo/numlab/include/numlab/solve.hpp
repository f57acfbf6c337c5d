// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "numlab/grid.hpp"

namespace numlab {

using Vector = std::vector<double>;

class Factors {
public:
    explicit Factors(Matrix a);
    Vector solve(const Vector& b) const;
    double determinant() const;

private:
    void factorize();

    Matrix lu_;
    std::vector<std::size_t> order_;
    int sign_ = 1;
};

Vector eliminate(Matrix a, Vector b);

}  // namespace numlab
