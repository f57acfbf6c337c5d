// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <optional>
#include <string>

namespace ledger {

/// "1,234.50" -> 123450; nothing when the text is not an amount.
std::optional<long> parse_cents(const std::string& text) {
    long cents = 0;
    int decimals = -1;
    bool minus = false;
    bool digits = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (i == 0 && (c == '-' || c == '+')) {
            minus = c == '-';
        } else if (std::isdigit(static_cast<unsigned char>(c)) && decimals < 2) {
            cents = cents * 10 + (c - '0');
            digits = true;
            if (decimals >= 0) {
                ++decimals;
            }
        } else if (c == '.' && decimals < 0) {
            decimals = 0;
        } else if (c != ',' || decimals >= 0) {
            return std::nullopt;
        }
    }
    if (!digits) {
        return std::nullopt;
    }
    for (int d = decimals < 0 ? 0 : decimals; d < 2; ++d) {
        cents *= 10;
    }
    return minus ? -cents : cents;
}

std::string format_cents(long cents) {
    const bool minus = cents < 0;
    std::string units = std::to_string((minus ? -cents : cents) / 100);
    for (int at = static_cast<int>(units.size()) - 3; at > 0; at -= 3) {
        units.insert(static_cast<std::size_t>(at), ",");
    }
    const long rest = (minus ? -cents : cents) % 100;
    return (minus ? "-" : "") + units + (rest < 10 ? ".0" : ".") + std::to_string(rest);
}

}  // namespace ledger
