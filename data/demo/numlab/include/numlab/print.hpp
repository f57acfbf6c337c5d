// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>

#include "numlab/grid.hpp"

namespace numlab {

enum class Style { plain, csv, latex };

Style style_named(const std::string& name);
void print(std::ostream& out, const Matrix& m, Style style, int digits = 4);

}  // namespace numlab
