// SPDX-License-Identifier: Apache-2.0
#include "numlab/print.hpp"

#include <iomanip>
#include <map>

namespace numlab {

Style style_named(const std::string& name) {
    static const std::map<std::string, Style> known = {
        {"plain", Style::plain}, {"csv", Style::csv}, {"latex", Style::latex}};
    const auto it = known.find(name);
    if (it == known.end()) {
        throw std::invalid_argument("unknown style: " + name);
    }
    return it->second;
}

void print(std::ostream& out, const Matrix& m, Style style, int digits) {
    const char* between = "  ";
    const char* after = "\n";
    switch (style) {
    case Style::csv:
        between = ",";
        break;
    case Style::latex:
        between = " & ";
        after = " \\\\\n";
        break;
    case Style::plain:
        break;
    }
    out << std::setprecision(digits);
    for (std::size_t r = 0; r < m.rows(); ++r) {
        for (std::size_t c = 0; c < m.cols(); ++c) {
            if (c > 0) {
                out << between;
            }
            if (style == Style::plain) {
                out << std::setw(digits + 6);
            }
            out << m(r, c);
        }
        out << after;
    }
}

}  // namespace numlab
