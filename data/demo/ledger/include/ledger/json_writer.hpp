// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace ledger {

class JsonWriter {
public:
    explicit JsonWriter(std::ostream& out) : out_(out) {}

    JsonWriter& open_object();
    JsonWriter& close_object();
    JsonWriter& open_array();
    JsonWriter& close_array();
    JsonWriter& key(const std::string& k);
    JsonWriter& value(const std::string& v);
    JsonWriter& value(long v);

private:
    void comma();
    void quoted(const std::string& s);

    std::ostream& out_;
    std::vector<bool> first_{true};
    bool after_key_ = false;
};

}  // namespace ledger
