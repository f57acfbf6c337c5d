// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

namespace ledger {

/// Ordered map from account names to balances, always balanced.
class SpanMap {
public:
    SpanMap();
    ~SpanMap();
    SpanMap(const SpanMap&) = delete;
    SpanMap& operator=(const SpanMap&) = delete;

    long& at(const std::string& key);
    const long* find(const std::string& key) const;
    void each(const std::function<void(const std::string&, long)>& f) const;
    int size() const { return size_; }
    int depth() const;
    bool sound() const;

private:
    struct Node {
        std::string key;
        long value = 0;
        bool red = true;
        Node* left = nullptr;
        Node* right = nullptr;
        Node* up = nullptr;
    };

    void swing_left(Node* x);
    void swing_right(Node* y);
    void repair(Node* z);
    void drop(Node* x);
    void walk(const Node* x, const std::function<void(const std::string&, long)>& f) const;
    int depth_of(const Node* x) const;
    int black_height(const Node* x) const;

    Node* nil_;
    Node* root_;
    int size_ = 0;
};

}  // namespace ledger
