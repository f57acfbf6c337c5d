/* SPDX-License-Identifier: Apache-2.0 */
#include "packline.h"

#include <stdlib.h>

int pl_ring_init(struct pl_ring *r, size_t size)
{
    r->data = malloc(size + 1);
    r->size = size + 1;
    r->head = r->tail = 0;
    return r->data ? 0 : -1;
}

void pl_ring_free(struct pl_ring *r)
{
    free(r->data);
    r->data = NULL;
}

size_t pl_ring_used(const struct pl_ring *r)
{
    return (r->tail + r->size - r->head) % r->size;
}

size_t pl_ring_write(struct pl_ring *r, const uint8_t *src, size_t n)
{
    size_t done = 0;
    while (done < n && (r->tail + 1) % r->size != r->head) {
        r->data[r->tail] = src[done++];
        r->tail = (r->tail + 1) % r->size;
    }
    return done;
}

size_t pl_ring_read(struct pl_ring *r, uint8_t *dst, size_t n)
{
    size_t done = 0;
    while (done < n && r->head != r->tail) {
        dst[done++] = r->data[r->head];
        r->head = (r->head + 1) % r->size;
    }
    return done;
}
