/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static enum rk_level threshold = RK_INFO;

static const char *level_name(enum rk_level level)
{
    switch (level) {
    case RK_DEBUG:
        return "debug";
    case RK_INFO:
        return "info";
    case RK_WARN:
        return "warn";
    case RK_ERROR:
        return "error";
    }
    return "?";
}

void rk_log_level(enum rk_level level)
{
    threshold = level;
}

void rk_log(enum rk_level level, const char *fmt, ...)
{
    char stamp[32] = "";
    time_t now = time(NULL);
    struct tm *tm = localtime(&now);
    va_list ap;

    if (level < threshold)
        return;
    if (tm)
        strftime(stamp, sizeof stamp, "%H:%M:%S", tm);
    fprintf(stderr, "%s [%s] ", stamp, level_name(level));
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fputc('\n', stderr);
}
