/* SPDX-License-Identifier: Apache-2.0 */
#include "packline.h"

static void put_le(uint8_t *p, uint32_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

static uint32_t get_le(const uint8_t *p, int bytes)
{
    uint32_t v = 0;
    for (int i = bytes - 1; i >= 0; i--)
        v = v << 8 | p[i];
    return v;
}

void pl_header_put(const struct pl_header *h, uint8_t out[16])
{
    put_le(out, h->magic, 4);
    put_le(out + 4, h->version, 2);
    put_le(out + 6, h->flags, 2);
    put_le(out + 8, h->length, 4);
    put_le(out + 12, h->seal, 4);
}

int pl_header_get(struct pl_header *h, const uint8_t in[16])
{
    h->magic = get_le(in, 4);
    h->version = (uint16_t)get_le(in + 4, 2);
    h->flags = (uint16_t)get_le(in + 6, 2);
    h->length = get_le(in + 8, 4);
    h->seal = get_le(in + 12, 4);
    return h->magic == PL_MAGIC ? 0 : -1;
}
