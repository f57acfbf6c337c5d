/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ROUTEKIT_TASK_HEAP_H
#define ROUTEKIT_TASK_HEAP_H

#include <stddef.h>

struct task {
    int key;
    int town;
};

struct task_heap {
    struct task *slot;
    size_t used;
    size_t room;
};

int task_heap_init(struct task_heap *h, size_t room);
void task_heap_free(struct task_heap *h);
int task_heap_add(struct task_heap *h, int key, int town);
int task_heap_take(struct task_heap *h, struct task *out);
static inline int task_heap_empty(const struct task_heap *h) { return h->used == 0; }

#endif
