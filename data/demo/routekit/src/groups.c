/* SPDX-License-Identifier: Apache-2.0 */
#include "groups.h"

#include <stdlib.h>

int groups_init(struct groups *g, int n)
{
    g->n = n;
    g->boss = malloc(sizeof(int) * (size_t)n);
    g->height = calloc((size_t)n, sizeof(int));
    if (!g->boss || !g->height) {
        groups_free(g);
        return -1;
    }
    for (int i = 0; i < n; i++)
        g->boss[i] = i;
    return 0;
}

void groups_free(struct groups *g)
{
    free(g->boss);
    free(g->height);
    g->boss = g->height = NULL;
}

int groups_boss(struct groups *g, int x)
{
    int top = x;
    while (g->boss[top] != top)
        top = g->boss[top];
    while (g->boss[x] != top) {
        int up = g->boss[x];
        g->boss[x] = top;
        x = up;
    }
    return top;
}

/* Returns 1 when two different groups became one, 0 when they already were. */
int groups_join(struct groups *g, int a, int b)
{
    int ra = groups_boss(g, a);
    int rb = groups_boss(g, b);
    if (ra == rb)
        return 0;
    if (g->height[ra] > g->height[rb]) {
        g->boss[rb] = ra;
    } else {
        g->boss[ra] = rb;
        if (g->height[ra] == g->height[rb])
            g->height[rb]++;
    }
    return 1;
}
