/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ROUTEKIT_STRBUF_H
#define ROUTEKIT_STRBUF_H

#include <stddef.h>

struct strbuf {
    char *text;
    size_t len;
    size_t room;
};

void strbuf_init(struct strbuf *sb);
void strbuf_free(struct strbuf *sb);
int strbuf_reserve(struct strbuf *sb, size_t extra);
int strbuf_add(struct strbuf *sb, const char *s);
int strbuf_addf(struct strbuf *sb, const char *fmt, ...);
void strbuf_rtrim(struct strbuf *sb);

#endif
