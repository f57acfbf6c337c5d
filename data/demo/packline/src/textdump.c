/* SPDX-License-Identifier: Apache-2.0 */
#include "packline.h"

#include <ctype.h>

void pl_hexdump(FILE *out, const uint8_t *p, size_t n)
{
    for (size_t row = 0; row < n; row += 16) {
        size_t cols = PL_MIN((size_t)16, n - row);
        fprintf(out, "%08zx ", row);
        for (size_t i = 0; i < 16; i++) {
            if (i < cols)
                fprintf(out, " %02x", p[row + i]);
            else
                fputs("   ", out);
        }
        fputs("  |", out);
        for (size_t i = 0; i < cols; i++)
            fputc(isprint(p[row + i]) ? p[row + i] : '.', out);
        fputs("|\n", out);
    }
}

const char *pl_human_size(uint64_t n, char *buf, size_t room)
{
    static const char units[] = "BKMGTP";
    double v = (double)n;
    int u = 0;
    while (v >= 1024.0 && units[u + 1] != '\0') {
        v /= 1024.0;
        u++;
    }
    snprintf(buf, room, u == 0 ? "%.0f%c" : "%.1f%c", v, units[u]);
    return buf;
}
