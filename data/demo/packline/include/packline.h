/* SPDX-License-Identifier: Apache-2.0 */
#ifndef PACKLINE_H
#define PACKLINE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define PL_MAGIC 0x4b4e4c50u /* "PLNK" */
#define PL_MIN(a, b) ((a) < (b) ? (a) : (b))

struct pl_header {
    uint32_t magic;
    uint16_t version;
    uint16_t flags;
    uint32_t length;
    uint32_t seal;
};

/* seal.c */
uint32_t pl_seal(const void *data, size_t n, uint32_t start);

/* header.c */
void pl_header_put(const struct pl_header *h, uint8_t out[16]);
int pl_header_get(struct pl_header *h, const uint8_t in[16]);

/* codebook.c */
struct pl_code {
    uint32_t bits;
    uint8_t width;
};
int pl_codebook(const uint32_t freq[256], struct pl_code out[256]);

/* window.c */
struct pl_copy {
    size_t back;
    size_t len;
};
struct pl_copy pl_look_back(const uint8_t *buf, size_t pos, size_t end);

/* order.c */
void pl_order_stamps(uint32_t *stamps, uint32_t *spare, size_t n);
void pl_order_sizes(long *sizes, size_t n);
void pl_order_weights(int *w, size_t n);
void pl_order_names(const char **names, size_t n);

/* keys.c */
uint64_t pl_power(uint64_t base, uint64_t e, uint64_t m);
int64_t pl_bezout(int64_t a, int64_t b, int64_t *x, int64_t *y);
int pl_solve_congruence(int64_t a, int64_t b, int64_t n, int64_t *out, int room);

/* ring.c */
struct pl_ring {
    uint8_t *data;
    size_t size;
    size_t head;
    size_t tail;
};
int pl_ring_init(struct pl_ring *r, size_t size);
void pl_ring_free(struct pl_ring *r);
size_t pl_ring_write(struct pl_ring *r, const uint8_t *src, size_t n);
size_t pl_ring_read(struct pl_ring *r, uint8_t *dst, size_t n);
size_t pl_ring_used(const struct pl_ring *r);

/* bitio.c */
struct pl_bits {
    FILE *out;
    uint32_t acc;
    int have;
};
int pl_bits_put(struct pl_bits *b, uint32_t bits, int width);
int pl_bits_flush(struct pl_bits *b);

/* textdump.c */
void pl_hexdump(FILE *out, const uint8_t *p, size_t n);
const char *pl_human_size(uint64_t n, char *buf, size_t room);

/* archive.c */
int pl_write_archive(const char *src, const char *dst);

#endif
