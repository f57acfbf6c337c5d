/* SPDX-License-Identifier: Apache-2.0 */
#include "task_heap.h"

#include <stdlib.h>

#define SWAP_TASKS(a, b)          \
    do {                          \
        struct task tmp_ = (a);   \
        (a) = (b);                \
        (b) = tmp_;               \
    } while (0)

int task_heap_init(struct task_heap *h, size_t room)
{
    h->used = 0;
    h->room = room ? room : 8;
    h->slot = malloc(h->room * sizeof *h->slot);
    return h->slot ? 0 : -1;
}

void task_heap_free(struct task_heap *h)
{
    free(h->slot);
    h->slot = NULL;
    h->used = 0;
}

/* Append at the end, then let the newcomer climb while it beats its parent. */
int task_heap_add(struct task_heap *h, int key, int town)
{
    if (h->used == h->room) {
        struct task *bigger = realloc(h->slot, 2 * h->room * sizeof *bigger);
        if (!bigger)
            return -1;
        h->slot = bigger;
        h->room *= 2;
    }
    size_t i = h->used++;
    h->slot[i].key = key;
    h->slot[i].town = town;
    while (i > 0) {
        size_t up = (i - 1) / 2;
        if (h->slot[up].key <= h->slot[i].key)
            break;
        SWAP_TASKS(h->slot[up], h->slot[i]);
        i = up;
    }
    return 0;
}

static void settle(struct task_heap *h, size_t i)
{
    for (;;) {
        size_t left = 2 * i + 1;
        size_t right = left + 1;
        size_t best = i;
        if (left < h->used && h->slot[left].key < h->slot[best].key)
            best = left;
        if (right < h->used && h->slot[right].key < h->slot[best].key)
            best = right;
        if (best == i)
            return;
        SWAP_TASKS(h->slot[i], h->slot[best]);
        i = best;
    }
}

int task_heap_take(struct task_heap *h, struct task *out)
{
    if (h->used == 0)
        return -1;
    *out = h->slot[0];
    h->slot[0] = h->slot[--h->used];
    settle(h, 0);
    return 0;
}
