// SPDX-License-Identifier: Apache-2.0
#include "ledger/json_writer.hpp"

namespace ledger {

void JsonWriter::comma() {
    if (after_key_) {
        after_key_ = false;
        return;
    }
    if (!first_.back()) {
        out_ << ',';
    }
    first_.back() = false;
}

void JsonWriter::quoted(const std::string& s) {
    static const char hex[] = "0123456789abcdef";
    out_ << '"';
    for (unsigned char c : s) {
        switch (c) {
        case '"':
        case '\\':
            out_ << '\\' << c;
            break;
        case '\n':
            out_ << "\\n";
            break;
        default:
            if (c < 0x20) {
                out_ << "\\u00" << hex[c >> 4] << hex[c & 15];
            } else {
                out_ << c;
            }
        }
    }
    out_ << '"';
}

JsonWriter& JsonWriter::open_object() {
    comma();
    out_ << '{';
    first_.push_back(true);
    return *this;
}

JsonWriter& JsonWriter::close_object() {
    out_ << '}';
    first_.pop_back();
    return *this;
}

JsonWriter& JsonWriter::open_array() {
    comma();
    out_ << '[';
    first_.push_back(true);
    return *this;
}

JsonWriter& JsonWriter::close_array() {
    out_ << ']';
    first_.pop_back();
    return *this;
}

JsonWriter& JsonWriter::key(const std::string& k) {
    comma();
    quoted(k);
    out_ << ':';
    after_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::value(const std::string& v) {
    comma();
    quoted(v);
    return *this;
}

JsonWriter& JsonWriter::value(long v) {
    comma();
    out_ << v;
    return *this;
}

}  // namespace ledger
