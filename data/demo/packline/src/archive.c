/* SPDX-License-Identifier: Apache-2.0 */
#include "packline.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static long file_size(FILE *f)
{
    long n;
    if (fseek(f, 0, SEEK_END) != 0)
        return -1;
    n = ftell(f);
    rewind(f);
    return n;
}

int pl_write_archive(const char *src, const char *dst)
{
    FILE *in = NULL, *out = NULL;
    uint8_t *body = NULL, head[16];
    struct pl_header h = {PL_MAGIC, 1, 0, 0, 0};
    uint32_t freq[256] = {0};
    struct pl_code book[256];
    struct pl_bits bits = {0};
    long n;
    int rc = -1;

    in = fopen(src, "rb");
    if (!in)
        goto fail;
    n = file_size(in);
    if (n < 0)
        goto fail;
    body = malloc((size_t)n + 1);
    if (!body || fread(body, 1, (size_t)n, in) != (size_t)n)
        goto fail;
    out = fopen(dst, "wb");
    if (!out)
        goto fail;

    for (long i = 0; i < n; i++)
        freq[body[i]]++;
    pl_codebook(freq, book);
    h.length = (uint32_t)n;
    h.seal = pl_seal(body, (size_t)n, 0);
    pl_header_put(&h, head);
    if (fwrite(head, 1, sizeof head, out) != sizeof head)
        goto fail;
    bits.out = out;
    for (long i = 0; i < n; i++)
        if (pl_bits_put(&bits, book[body[i]].bits, book[body[i]].width) != 0)
            goto fail;
    rc = pl_bits_flush(&bits);
    goto done;

fail:
    fprintf(stderr, "packline: %s: %s\n", src, strerror(errno));
done:
    if (out && fclose(out) != 0)
        rc = -1;
    if (in)
        fclose(in);
    free(body);
    return rc;
}
