/* SPDX-License-Identifier: Apache-2.0 */
#include "strbuf.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void strbuf_init(struct strbuf *sb)
{
    sb->text = NULL;
    sb->len = sb->room = 0;
}

void strbuf_free(struct strbuf *sb)
{
    free(sb->text);
    strbuf_init(sb);
}

int strbuf_reserve(struct strbuf *sb, size_t extra)
{
    size_t need = sb->len + extra + 1;
    size_t room = sb->room ? sb->room : 32;
    char *bigger;

    if (need <= sb->room)
        return 0;
    while (room < need)
        room *= 2;
    bigger = realloc(sb->text, room);
    if (!bigger)
        return -1;
    sb->text = bigger;
    sb->room = room;
    return 0;
}

int strbuf_add(struct strbuf *sb, const char *s)
{
    size_t n = strlen(s);
    if (strbuf_reserve(sb, n) != 0)
        return -1;
    memcpy(sb->text + sb->len, s, n + 1);
    sb->len += n;
    return 0;
}

int strbuf_addf(struct strbuf *sb, const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (n < 0 || strbuf_reserve(sb, (size_t)n) != 0)
        return -1;
    va_start(ap, fmt);
    vsnprintf(sb->text + sb->len, (size_t)n + 1, fmt, ap);
    va_end(ap);
    sb->len += (size_t)n;
    return n;
}

void strbuf_rtrim(struct strbuf *sb)
{
    while (sb->len > 0 && isspace((unsigned char)sb->text[sb->len - 1]))
        sb->text[--sb->len] = '\0';
}
