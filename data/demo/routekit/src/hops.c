/* SPDX-License-Identifier: Apache-2.0 */
#include "road_net.h"

#include <stdlib.h>

/* Breadth-first search: how many roads away is every town from `start`? */
int count_hops(const struct road_net *net, int start, int *hops)
{
    int *queue = malloc(sizeof *queue * (size_t)net->towns);
    int head = 0, tail = 0;

    if (!queue)
        return -1;
    for (int t = 0; t < net->towns; t++)
        hops[t] = RK_NONE;
    hops[start] = 0;
    queue[tail++] = start;
    while (head < tail) {
        int u = queue[head++];
        RK_EACH_ROAD(net, u, it) {
            int v = net->roads[it].to;
            if (hops[v] == RK_NONE) {
                hops[v] = hops[u] + 1;
                queue[tail++] = v;
            }
        }
    }
    free(queue);
    return tail;
}
