/* SPDX-License-Identifier: Apache-2.0 */
#include "road_net.h"

#include <stdio.h>
#include <string.h>

#define AT(m, i, j) ((m)[(size_t)(i) * (size_t)n + (size_t)(j)])

/* `table` holds direct costs on entry and best costs on return. */
void close_distances(int n, int *table, int *via)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            AT(via, i, j) = (i == j || AT(table, i, j) >= RK_FAR) ? RK_NONE : i;

    for (int k = 0; k < n; k++) {
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                int detour = AT(table, i, k) + AT(table, k, j);
                if (detour < AT(table, i, j)) {
                    AT(table, i, j) = detour;
                    AT(via, i, j) = AT(via, k, j);
                }
            }
        }
    }
}

/* Append "a > b > c" for the best route. Returns -1 when there is none. */
int write_leg(int n, const int *via, int from, int to, char *out, size_t room)
{
    size_t used;

    if (from == to) {
        snprintf(out, room, "%d", from);
        return 0;
    }
    if (AT(via, from, to) == RK_NONE) {
        snprintf(out, room, "no way from %d to %d", from, to);
        return -1;
    }
    if (write_leg(n, via, from, AT(via, from, to), out, room) != 0)
        return -1;
    used = strlen(out);
    snprintf(out + used, room - used, " > %d", to);
    return 0;
}
