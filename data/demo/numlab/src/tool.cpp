// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>

#include "numlab/print.hpp"
#include "numlab/solve.hpp"

namespace {

numlab::Matrix read_matrix(std::istream& in) {
    std::vector<std::vector<double>> rows;
    std::string line;
    while (std::getline(in, line)) {
        std::istringstream cells(line);
        std::vector<double> row;
        for (double v; cells >> v;) {
            row.push_back(v);
        }
        if (row.empty()) {
            continue;
        }
        if (!rows.empty() && rows.front().size() != row.size()) {
            throw std::runtime_error("ragged rows");
        }
        rows.push_back(row);
    }
    numlab::Matrix m(rows.size(), rows.empty() ? 0 : rows.front().size());
    for (std::size_t r = 0; r < m.rows(); ++r) {
        for (std::size_t c = 0; c < m.cols(); ++c) {
            m(r, c) = rows[r][c];
        }
    }
    return m;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::cerr << "usage: numlab FILE [plain|csv|latex]\n";
        return 2;
    }
    try {
        std::ifstream in(argv[1]);
        if (!in) {
            throw std::runtime_error(std::string("cannot open ") + argv[1]);
        }
        const auto m = read_matrix(in);
        numlab::print(std::cout, m, numlab::style_named(argc > 2 ? argv[2] : "plain"));
        std::cout << "det " << numlab::Factors(m).determinant() << "\n";
    } catch (const std::exception& e) {
        std::cerr << "numlab: " << e.what() << "\n";
        return 1;
    }
    return 0;
}
