// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace numlab {

/// A dense, row-major table of numbers.
template <typename T>
class Grid {
public:
    Grid() = default;
    Grid(std::size_t rows, std::size_t cols, T fill = T{})
        : rows_(rows), cols_(cols), cells_(rows * cols, fill) {}

    std::size_t rows() const { return rows_; }
    std::size_t cols() const { return cols_; }

    T& operator()(std::size_t r, std::size_t c) { return cells_[r * cols_ + c]; }
    const T& operator()(std::size_t r, std::size_t c) const { return cells_[r * cols_ + c]; }

    static Grid identity(std::size_t n) {
        Grid g(n, n);
        for (std::size_t i = 0; i < n; ++i) {
            g(i, i) = T{1};
        }
        return g;
    }

    Grid transposed() const {
        Grid out(cols_, rows_);
        for (std::size_t r = 0; r < rows_; ++r) {
            for (std::size_t c = 0; c < cols_; ++c) {
                out(c, r) = (*this)(r, c);
            }
        }
        return out;
    }

    Grid operator*(const Grid& rhs) const {
        if (cols_ != rhs.rows_) {
            throw std::invalid_argument("incompatible dimensions");
        }
        Grid out(rows_, rhs.cols_);
        for (std::size_t i = 0; i < rows_; ++i) {
            for (std::size_t j = 0; j < rhs.cols_; ++j) {
                T sum{};
                for (std::size_t k = 0; k < cols_; ++k) {
                    sum += (*this)(i, k) * rhs(k, j);
                }
                out(i, j) = sum;
            }
        }
        return out;
    }

    void swap_rows(std::size_t a, std::size_t b) {
        for (std::size_t c = 0; c < cols_; ++c) {
            std::swap((*this)(a, c), (*this)(b, c));
        }
    }

private:
    std::size_t rows_ = 0;
    std::size_t cols_ = 0;
    std::vector<T> cells_;
};

using Matrix = Grid<double>;

}  // namespace numlab
