// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iostream>
#include <sstream>

#include "ledger/entries.hpp"
#include "ledger/json_writer.hpp"
#include "ledger/span_map.hpp"

namespace ledger {

std::vector<Entry> read_journal(std::istream& in, int& skipped) {
    std::vector<Entry> out;
    std::string line;
    skipped = 0;
    while (std::getline(in, line)) {
        if (line.empty() || line[0] == ';') {
            continue;
        }
        std::istringstream fields(line);
        Entry e;
        if (fields >> e.day >> e.account >> e.cents) {
            out.push_back(e);
        } else {
            ++skipped;
        }
    }
    return out;
}

void write_balances(std::ostream& out, const std::vector<Entry>& entries) {
    SpanMap totals;
    for (const Entry& e : entries) {
        totals.at(e.account) += e.cents;
    }
    JsonWriter json(out);
    json.open_object();
    totals.each([&](const std::string& name, long cents) { json.key(name).value(cents); });
    json.close_object();
    out << '\n';
}

}  // namespace ledger

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: ledger JOURNAL\n";
        return 2;
    }
    std::ifstream in(argv[1]);
    if (!in) {
        std::cerr << "ledger: cannot open " << argv[1] << "\n";
        return 1;
    }
    int skipped = 0;
    const auto entries = ledger::in_day_order(ledger::read_journal(in, skipped));
    ledger::write_balances(std::cout, entries);
    if (skipped > 0) {
        std::cerr << "ledger: " << skipped << " lines skipped\n";
    }
    return 0;
}
