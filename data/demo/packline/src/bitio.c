/* SPDX-License-Identifier: Apache-2.0 */
#include "packline.h"

int pl_bits_put(struct pl_bits *b, uint32_t bits, int width)
{
    while (width-- > 0) {
        b->acc = b->acc << 1 | ((bits >> width) & 1);
        if (++b->have == 8) {
            if (fputc((int)(b->acc & 0xff), b->out) == EOF)
                return -1;
            b->acc = 0;
            b->have = 0;
        }
    }
    return 0;
}

int pl_bits_flush(struct pl_bits *b)
{
    if (b->have == 0)
        return 0;
    return pl_bits_put(b, 0, 8 - b->have);
}
