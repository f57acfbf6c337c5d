/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *strip(char *s)
{
    char *end;
    while (isspace((unsigned char)*s))
        s++;
    end = s + strlen(s);
    while (end > s && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return s;
}

void rk_config_defaults(struct rk_config *cfg)
{
    memset(cfg, 0, sizeof *cfg);
    cfg->speed = 50.0;
}

static int apply(struct rk_config *cfg, const char *key, const char *value)
{
    if (strcmp(key, "map") == 0) {
        snprintf(cfg->map_file, sizeof cfg->map_file, "%s", value);
    } else if (strcmp(key, "depot") == 0) {
        cfg->depot = atoi(value);
    } else if (strcmp(key, "speed") == 0) {
        cfg->speed = strtod(value, NULL);
    } else if (strcmp(key, "verbose") == 0) {
        cfg->verbose = strcmp(value, "yes") == 0 || strcmp(value, "1") == 0;
    } else {
        return -1;
    }
    return 0;
}

int rk_config_load(struct rk_config *cfg, const char *path)
{
    char line[512];
    int lineno = 0, rc = -1;
    FILE *in = fopen(path, "r");

    if (!in)
        return -1;
    while (fgets(line, sizeof line, in)) {
        char *eq, *key = strip(line);
        lineno++;
        if (*key == '\0' || *key == '#')
            continue;
        eq = strchr(key, '=');
        if (!eq) {
            rk_log(RK_ERROR, "%s:%d: expected key = value", path, lineno);
            goto out;
        }
        *eq = '\0';
        if (apply(cfg, strip(key), strip(eq + 1)) != 0)
            rk_log(RK_WARN, "%s:%d: unknown key", path, lineno);
    }
    rc = 0;
out:
    fclose(in);
    return rc;
}
