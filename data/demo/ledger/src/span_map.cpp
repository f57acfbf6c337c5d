// SPDX-License-Identifier: Apache-2.0
#include "ledger/span_map.hpp"

#include <algorithm>

namespace ledger {

SpanMap::SpanMap() : nil_(new Node), root_(nil_) {
    nil_->red = false;
    nil_->left = nil_->right = nil_->up = nil_;
}

SpanMap::~SpanMap() {
    drop(root_);
    delete nil_;
}

void SpanMap::drop(Node* x) {
    if (x == nil_) {
        return;
    }
    drop(x->left);
    drop(x->right);
    delete x;
}

void SpanMap::swing_left(Node* x) {
    Node* y = x->right;
    x->right = y->left;
    if (y->left != nil_) {
        y->left->up = x;
    }
    y->up = x->up;
    if (x->up == nil_) {
        root_ = y;
    } else if (x == x->up->left) {
        x->up->left = y;
    } else {
        x->up->right = y;
    }
    y->left = x;
    x->up = y;
}

void SpanMap::swing_right(Node* y) {
    Node* x = y->left;
    y->left = x->right;
    if (x->right != nil_) {
        x->right->up = y;
    }
    x->up = y->up;
    if (y->up == nil_) {
        root_ = x;
    } else if (y == y->up->left) {
        y->up->left = x;
    } else {
        y->up->right = x;
    }
    x->right = y;
    y->up = x;
}

long& SpanMap::at(const std::string& key) {
    Node* parent = nil_;
    Node* x = root_;
    while (x != nil_) {
        parent = x;
        if (key == x->key) {
            return x->value;
        }
        x = key < x->key ? x->left : x->right;
    }
    Node* z = new Node;
    z->key = key;
    z->left = z->right = nil_;
    z->up = parent;
    if (parent == nil_) {
        root_ = z;
    } else if (key < parent->key) {
        parent->left = z;
    } else {
        parent->right = z;
    }
    ++size_;
    repair(z);
    return z->value;
}

void SpanMap::repair(Node* z) {
    while (z->up->red) {
        Node* grand = z->up->up;
        if (z->up == grand->left) {
            Node* uncle = grand->right;
            if (uncle->red) {
                z->up->red = false;
                uncle->red = false;
                grand->red = true;
                z = grand;
                continue;
            }
            if (z == z->up->right) {
                z = z->up;
                swing_left(z);
            }
            z->up->red = false;
            grand->red = true;
            swing_right(grand);
        } else {
            Node* uncle = grand->left;
            if (uncle->red) {
                z->up->red = false;
                uncle->red = false;
                grand->red = true;
                z = grand;
                continue;
            }
            if (z == z->up->left) {
                z = z->up;
                swing_right(z);
            }
            z->up->red = false;
            grand->red = true;
            swing_left(grand);
        }
    }
    root_->red = false;
}

const long* SpanMap::find(const std::string& key) const {
    const Node* x = root_;
    while (x != nil_ && x->key != key) {
        x = key < x->key ? x->left : x->right;
    }
    return x == nil_ ? nullptr : &x->value;
}

void SpanMap::each(const std::function<void(const std::string&, long)>& f) const {
    walk(root_, f);
}

void SpanMap::walk(const Node* x, const std::function<void(const std::string&, long)>& f) const {
    if (x != nil_) {
        walk(x->left, f);
        f(x->key, x->value);
        walk(x->right, f);
    }
}

int SpanMap::depth() const {
    return depth_of(root_);
}

int SpanMap::depth_of(const Node* x) const {
    return x == nil_ ? 0 : 1 + std::max(depth_of(x->left), depth_of(x->right));
}

bool SpanMap::sound() const {
    return !root_->red && black_height(root_) >= 0;
}

int SpanMap::black_height(const Node* x) const {
    if (x == nil_) {
        return 1;
    }
    if (x->red && (x->left->red || x->right->red)) {
        return -1;
    }
    const int l = black_height(x->left);
    const int r = black_height(x->right);
    return l < 0 || l != r ? -1 : l + (x->red ? 0 : 1);
}

}  // namespace ledger
