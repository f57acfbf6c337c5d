/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ROUTEKIT_ROAD_NET_H
#define ROUTEKIT_ROAD_NET_H

#include <stddef.h>

#define RK_FAR (1 << 29)
#define RK_NONE (-1)

/* One directed road. Roads of a town are chained through `next`. */
struct road {
    int from;
    int to;
    int cost;
    int next;
};

struct road_net {
    int towns;
    int *first;
    struct road *roads;
    size_t nroads;
    size_t room;
};

int road_net_init(struct road_net *net, int towns);
void road_net_free(struct road_net *net);
int road_net_add(struct road_net *net, int from, int to, int cost);
int road_net_add_both(struct road_net *net, int a, int b, int cost);
size_t road_net_degree(const struct road_net *net, int town);

#define RK_EACH_ROAD(net, town, it)                                         \
    for (int it = (net)->first[town]; it != RK_NONE; it = (net)->roads[it].next)

/* reach.c, tension.c, hops.c */
int plan_from_depot(const struct road_net *net, int depot, int *dist, int *via);
int settle_potentials(const struct road_net *net, int origin, int *pot, int *via);
int count_hops(const struct road_net *net, int start, int *hops);

/* closure.c */
void close_distances(int n, int *table, int *via);
int write_leg(int n, const int *via, int from, int to, char *out, size_t room);

/* wiring.c */
long cheapest_wiring(const struct road_net *net, size_t *picked, size_t *npicked);

#endif
