/* SPDX-License-Identifier: Apache-2.0 */
#include "packline.h"

#include <string.h>

struct twig {
    uint64_t weight;
    int zero;
    int one;
};

/* Index of the lightest live twig, removed from the list of live ones. */
static int pull_lightest(const struct twig *t, int *live, int *nlive)
{
    int best = 0;
    for (int i = 1; i < *nlive; i++)
        if (t[live[i]].weight < t[live[best]].weight)
            best = i;
    int found = live[best];
    live[best] = live[--*nlive];
    return found;
}

static void spell(const struct twig *t, int at, uint32_t bits, uint8_t width,
                  struct pl_code *out)
{
    if (t[at].zero < 0) {
        out[at].bits = bits;
        out[at].width = width ? width : 1;
        return;
    }
    spell(t, t[at].zero, bits << 1, width + 1, out);
    spell(t, t[at].one, bits << 1 | 1, width + 1, out);
}

/* Short codes for frequent bytes. Returns the number of distinct bytes. */
int pl_codebook(const uint32_t freq[256], struct pl_code out[256])
{
    struct twig t[512];
    int live[256], nlive = 0, next = 256, distinct;

    memset(out, 0, 256 * sizeof *out);
    for (int s = 0; s < 256; s++) {
        t[s].weight = freq[s];
        t[s].zero = t[s].one = -1;
        if (freq[s] > 0)
            live[nlive++] = s;
    }
    distinct = nlive;
    if (distinct == 0)
        return 0;
    while (nlive > 1) {
        int a = pull_lightest(t, live, &nlive);
        int b = pull_lightest(t, live, &nlive);
        t[next].zero = a;
        t[next].one = b;
        t[next].weight = t[a].weight + t[b].weight;
        live[nlive++] = next++;
    }
    spell(t, live[0], 0, 0, out);
    return distinct;
}
