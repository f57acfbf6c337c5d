// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace ledger {

/// Bump allocator; everything is released at once.
class Arena {
public:
    explicit Arena(std::size_t block = 4096) : block_(block) {}

    template <typename T, typename... Args>
    T* make(Args&&... args) {
        void* p = take(sizeof(T), alignof(T));
        return new (p) T(std::forward<Args>(args)...);
    }

    std::size_t used() const { return used_; }

private:
    void* take(std::size_t bytes, std::size_t align) {
        std::size_t at = (at_ + align - 1) / align * align;
        if (blocks_.empty() || at + bytes > room_) {
            room_ = bytes > block_ ? bytes : block_;
            blocks_.push_back(std::make_unique<std::byte[]>(room_));
            at = 0;
        }
        at_ = at + bytes;
        used_ += bytes;
        return blocks_.back().get() + at;
    }

    std::size_t block_;
    std::size_t room_ = 0;
    std::size_t at_ = 0;
    std::size_t used_ = 0;
    std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

}  // namespace ledger
