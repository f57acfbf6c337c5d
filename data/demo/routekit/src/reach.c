/* SPDX-License-Identifier: Apache-2.0 */
#include "road_net.h"
#include "task_heap.h"

#include <stdlib.h>

/*
 * Travel times from the depot to every town. All costs must be >= 0; returns
 * -1 on a negative road or when memory runs out.
 */
int plan_from_depot(const struct road_net *net, int depot, int *dist, int *via)
{
    struct task_heap todo;
    struct task now;
    char *done = calloc((size_t)net->towns, 1);
    int rc = -1;

    if (!done)
        return -1;
    if (task_heap_init(&todo, (size_t)net->towns) != 0) {
        free(done);
        return -1;
    }
    for (int t = 0; t < net->towns; t++) {
        dist[t] = RK_FAR;
        via[t] = RK_NONE;
    }
    dist[depot] = 0;
    if (task_heap_add(&todo, 0, depot) != 0)
        goto out;

    while (task_heap_take(&todo, &now) == 0) {
        int u = now.town;
        if (done[u])
            continue;
        done[u] = 1;
        RK_EACH_ROAD(net, u, it) {
            const struct road *r = &net->roads[it];
            if (r->cost < 0)
                goto out;
            if (dist[u] + r->cost < dist[r->to]) {
                dist[r->to] = dist[u] + r->cost;
                via[r->to] = u;
                if (task_heap_add(&todo, dist[r->to], r->to) != 0)
                    goto out;
            }
        }
    }
    rc = 0;
out:
    task_heap_free(&todo);
    free(done);
    return rc;
}
