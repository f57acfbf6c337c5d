/* SPDX-License-Identifier: Apache-2.0 */
#include "groups.h"
#include "road_net.h"

#include <stdlib.h>

struct offer {
    int cost;
    size_t road;
};

static int by_cost(const void *pa, const void *pb)
{
    const struct offer *a = pa, *b = pb;
    return (a->cost > b->cost) - (a->cost < b->cost);
}

/*
 * Connect all towns while paying as little as possible. The indices of the
 * chosen roads are written to `picked`. Returns the total price or -1.
 */
long cheapest_wiring(const struct road_net *net, size_t *picked, size_t *npicked)
{
    struct groups g = {0};
    struct offer *offers = NULL;
    long total = -1;

    *npicked = 0;
    if (groups_init(&g, net->towns) != 0)
        goto out;
    offers = malloc(sizeof *offers * (net->nroads + 1));
    if (!offers)
        goto out;

    for (size_t r = 0; r < net->nroads; r++) {
        offers[r].cost = net->roads[r].cost;
        offers[r].road = r;
    }
    qsort(offers, net->nroads, sizeof *offers, by_cost);

    total = 0;
    for (size_t i = 0; i < net->nroads; i++) {
        const struct road *r = &net->roads[offers[i].road];
        if (groups_boss(&g, r->from) != groups_boss(&g, r->to)) {
            picked[(*npicked)++] = offers[i].road;
            total += r->cost;
            groups_join(&g, r->from, r->to);
        }
    }

out:
    free(offers);
    groups_free(&g);
    return total;
}
