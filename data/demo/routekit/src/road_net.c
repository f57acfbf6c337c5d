/* SPDX-License-Identifier: Apache-2.0 */
#include "road_net.h"

#include <stdlib.h>

int road_net_init(struct road_net *net, int towns)
{
    net->towns = towns;
    net->nroads = 0;
    net->room = 16;
    net->first = malloc(sizeof *net->first * (size_t)towns);
    net->roads = malloc(sizeof *net->roads * net->room);
    if (!net->first || !net->roads) {
        road_net_free(net);
        return -1;
    }
    for (int t = 0; t < towns; t++)
        net->first[t] = RK_NONE;
    return 0;
}

void road_net_free(struct road_net *net)
{
    free(net->first);
    free(net->roads);
    net->first = NULL;
    net->roads = NULL;
    net->nroads = net->room = 0;
}

int road_net_add(struct road_net *net, int from, int to, int cost)
{
    if (from < 0 || from >= net->towns || to < 0 || to >= net->towns)
        return -1;
    if (net->nroads == net->room) {
        size_t room = net->room * 2;
        struct road *bigger = realloc(net->roads, room * sizeof *bigger);
        if (!bigger)
            return -1;
        net->roads = bigger;
        net->room = room;
    }
    struct road *r = &net->roads[net->nroads];
    r->from = from;
    r->to = to;
    r->cost = cost;
    r->next = net->first[from];
    net->first[from] = (int)net->nroads++;
    return 0;
}

int road_net_add_both(struct road_net *net, int a, int b, int cost)
{
    if (road_net_add(net, a, b, cost) != 0)
        return -1;
    return road_net_add(net, b, a, cost);
}

size_t road_net_degree(const struct road_net *net, int town)
{
    size_t n = 0;
    RK_EACH_ROAD(net, town, it)
        n++;
    return n;
}
