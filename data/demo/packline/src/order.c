/* SPDX-License-Identifier: Apache-2.0 */
#include "packline.h"

#include <string.h>

/* Least significant byte first; four stable passes leave the result in place. */
void pl_order_stamps(uint32_t *stamps, uint32_t *spare, size_t n)
{
    uint32_t *src = stamps, *dst = spare;

    for (int shift = 0; shift < 32; shift += 8) {
        size_t count[257] = {0};
        for (size_t i = 0; i < n; i++)
            count[((src[i] >> shift) & 0xff) + 1]++;
        for (int d = 0; d < 256; d++)
            count[d + 1] += count[d];
        for (size_t i = 0; i < n; i++)
            dst[count[(src[i] >> shift) & 0xff]++] = src[i];
        uint32_t *t = src;
        src = dst;
        dst = t;
    }
}

/* Shell sort with Knuth's 1, 4, 13, 40, ... gaps. */
void pl_order_sizes(long *sizes, size_t n)
{
    size_t gap = 1;
    while (gap < n / 3)
        gap = 3 * gap + 1;
    while (gap >= 1) {
        for (size_t i = gap; i < n; i++) {
            long v = sizes[i];
            size_t j = i;
            while (j >= gap && sizes[j - gap] > v) {
                sizes[j] = sizes[j - gap];
                j -= gap;
            }
            sizes[j] = v;
        }
        gap /= 3;
    }
}

static void push_down(int *w, size_t root, size_t n)
{
    int v = w[root];
    size_t child;
    while ((child = 2 * root + 1) < n) {
        if (child + 1 < n && w[child] < w[child + 1])
            child++;
        if (v >= w[child])
            break;
        w[root] = w[child];
        root = child;
    }
    w[root] = v;
}

void pl_order_weights(int *w, size_t n)
{
    for (size_t i = n / 2; i-- > 0;)
        push_down(w, i, n);
    for (size_t last = n; last-- > 1;) {
        int top = w[0];
        w[0] = w[last];
        w[last] = top;
        push_down(w, 0, last);
    }
}

void pl_order_names(const char **names, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const char *key = names[i];
        size_t j = i;
        while (j > 0 && strcmp(names[j - 1], key) > 0) {
            names[j] = names[j - 1];
            j--;
        }
        names[j] = key;
    }
}
