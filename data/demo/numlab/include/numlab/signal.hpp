// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <vector>

namespace numlab {

using Wave = std::vector<std::complex<double>>;

void to_spectrum(Wave& a, bool back = false);
std::vector<double> blend(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace numlab
