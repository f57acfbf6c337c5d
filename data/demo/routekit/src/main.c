/* SPDX-License-Identifier: Apache-2.0 */
#include "strbuf.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void usage(const char *prog)
{
    fprintf(stderr, "usage: %s [-c config] [-v] towns\n", prog);
}

static int report(const struct road_net *net, int depot)
{
    struct strbuf sb;
    int *dist = malloc(sizeof(int) * (size_t)net->towns);
    int *via = malloc(sizeof(int) * (size_t)net->towns);
    int rc = 1;

    strbuf_init(&sb);
    if (!dist || !via)
        goto out;
    if (plan_from_depot(net, depot, dist, via) != 0) {
        rk_log(RK_ERROR, "planning failed");
        goto out;
    }
    for (int t = 0; t < net->towns; t++) {
        if (dist[t] < RK_FAR)
            strbuf_addf(&sb, "%4d %8d\n", t, dist[t]);
        else
            strbuf_addf(&sb, "%4d        -\n", t);
    }
    fputs(sb.text ? sb.text : "", stdout);
    rc = 0;
out:
    strbuf_free(&sb);
    free(via);
    free(dist);
    return rc;
}

int main(int argc, char **argv)
{
    struct rk_config cfg;
    struct road_net net;
    int i, rc;

    rk_config_defaults(&cfg);
    for (i = 1; i < argc && argv[i][0] == '-'; i++) {
        if (strcmp(argv[i], "-v") == 0) {
            rk_log_level(RK_DEBUG);
        } else if (strcmp(argv[i], "-c") == 0 && i + 1 < argc) {
            if (rk_config_load(&cfg, argv[++i]) != 0)
                return 2;
        } else {
            usage(argv[0]);
            return 2;
        }
    }
    if (i >= argc) {
        usage(argv[0]);
        return 2;
    }
    if (rk_load_csv(&net, cfg.map_file, atoi(argv[i])) < 0)
        return 1;
    rc = report(&net, cfg.depot);
    road_net_free(&net);
    return rc;
}
