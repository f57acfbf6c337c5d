// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ledger {

struct Entry {
    long day = 0;
    std::string account;
    long cents = 0;
};

/// Index of the first entry on or after a day; entries are sorted by day.
std::size_t first_on(const std::vector<Entry>& entries, long day);

/// Two sorted books become one sorted book.
std::vector<Entry> combine(const std::vector<Entry>& a, const std::vector<Entry>& b);
std::vector<Entry> in_day_order(std::vector<Entry> book);

/// Keeps a short list tidy while entries trickle in.
void tidy(std::vector<Entry>& recent);

}  // namespace ledger
