/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ROUTEKIT_GROUPS_H
#define ROUTEKIT_GROUPS_H

struct groups {
    int n;
    int *boss;
    int *height;
};

int groups_init(struct groups *g, int n);
void groups_free(struct groups *g);
int groups_boss(struct groups *g, int x);
int groups_join(struct groups *g, int a, int b);

#endif
