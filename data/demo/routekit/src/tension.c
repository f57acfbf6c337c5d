/* SPDX-License-Identifier: Apache-2.0 */
#include "road_net.h"

static int relax(const struct road *r, int *pot, int *via)
{
    if (pot[r->from] >= RK_FAR)
        return 0;
    if (pot[r->to] > pot[r->from] + r->cost) {
        pot[r->to] = pot[r->from] + r->cost;
        via[r->to] = r->from;
        return 1;
    }
    return 0;
}

static void reset(const struct road_net *net, int origin, int *pot, int *via)
{
    for (int t = 0; t < net->towns; t++) {
        pot[t] = RK_FAR;
        via[t] = RK_NONE;
    }
    pot[origin] = 0;
}

/* Potentials with rebates (negative costs) allowed. 0 = some loop pays money. */
int settle_potentials(const struct road_net *net, int origin, int *pot, int *via)
{
    reset(net, origin, pot, via);
    for (int pass = 1; pass < net->towns; pass++) {
        int changed = 0;
        for (size_t i = 0; i < net->nroads; i++)
            changed |= relax(&net->roads[i], pot, via);
        if (!changed)
            break;
    }
    for (size_t i = 0; i < net->nroads; i++) {
        const struct road *r = &net->roads[i];
        if (pot[r->from] < RK_FAR && pot[r->to] > pot[r->from] + r->cost)
            return 0;
    }
    return 1;
}
