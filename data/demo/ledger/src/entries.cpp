// SPDX-License-Identifier: Apache-2.0
#include "ledger/entries.hpp"

namespace ledger {

std::size_t first_on(const std::vector<Entry>& entries, long day) {
    std::size_t lo = 0;
    std::size_t hi = entries.size();
    while (lo < hi) {
        const std::size_t mid = lo + (hi - lo) / 2;
        if (entries[mid].day < day) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

std::vector<Entry> combine(const std::vector<Entry>& a, const std::vector<Entry>& b) {
    std::vector<Entry> out;
    out.reserve(a.size() + b.size());
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < a.size() && j < b.size()) {
        if (b[j].day < a[i].day) {
            out.push_back(b[j++]);
        } else {
            out.push_back(a[i++]);
        }
    }
    while (i < a.size()) {
        out.push_back(a[i++]);
    }
    while (j < b.size()) {
        out.push_back(b[j++]);
    }
    return out;
}

std::vector<Entry> in_day_order(std::vector<Entry> book) {
    if (book.size() <= 1) {
        return book;
    }
    const auto half = book.begin() + static_cast<long>(book.size() / 2);
    return combine(in_day_order(std::vector<Entry>(book.begin(), half)),
                   in_day_order(std::vector<Entry>(half, book.end())));
}

void tidy(std::vector<Entry>& recent) {
    for (std::size_t j = 1; j < recent.size(); ++j) {
        Entry key = recent[j];
        std::size_t i = j;
        while (i > 0 && recent[i - 1].day > key.day) {
            recent[i] = recent[i - 1];
            --i;
        }
        recent[i] = key;
    }
}

}  // namespace ledger
