/* SPDX-License-Identifier: Apache-2.0 */
#include "packline.h"

#define REACH 4096
#define LONGEST 18
#define SHORTEST 3

/* Longest earlier copy of the bytes at `pos`; len 0 when none is worth it. */
struct pl_copy pl_look_back(const uint8_t *buf, size_t pos, size_t end)
{
    struct pl_copy best = {0, 0};
    size_t limit = PL_MIN((size_t)LONGEST, end - pos);
    size_t start = pos > REACH ? pos - REACH : 0;

    for (size_t cand = start; cand < pos; cand++) {
        size_t len = 0;
        while (len < limit && buf[cand + len] == buf[pos + len])
            len++;
        if (len > best.len) {
            best.len = len;
            best.back = pos - cand;
            if (len == limit)
                break;
        }
    }
    if (best.len < SHORTEST)
        best.len = 0;
    return best;
}
