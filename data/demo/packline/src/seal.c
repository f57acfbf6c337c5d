/* SPDX-License-Identifier: Apache-2.0 */
#include "packline.h"

static uint32_t steps[256];
static int ready;

static void fill_steps(void)
{
    for (uint32_t n = 0; n < 256; n++) {
        uint32_t c = n;
        for (int bit = 0; bit < 8; bit++) {
            if (c & 1)
                c = 0xedb88320u ^ (c >> 1);
            else
                c >>= 1;
        }
        steps[n] = c;
    }
    ready = 1;
}

/* Running checksum of a block; pass 0 first, then the previous result. */
uint32_t pl_seal(const void *data, size_t n, uint32_t start)
{
    const uint8_t *p = data;
    uint32_t c = ~start;

    if (!ready)
        fill_steps();
    while (n--)
        c = steps[(c ^ *p++) & 0xff] ^ (c >> 8);
    return ~c;
}
