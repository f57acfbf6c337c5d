/* SPDX-License-Identifier: Apache-2.0 */
#include "support.h"

#include <stdio.h>

/* Rows are "from,to,cost" or "from,to,cost,oneway". */
int rk_load_csv(struct road_net *net, const char *path, int towns)
{
    char line[256], flag[16];
    int from, to, cost, fields, bad = 0;
    FILE *in = fopen(path, "r");

    if (!in) {
        rk_log(RK_ERROR, "cannot open %s", path);
        return -1;
    }
    if (road_net_init(net, towns) != 0) {
        fclose(in);
        return -1;
    }
    while (fgets(line, sizeof line, in)) {
        fields = sscanf(line, "%d,%d,%d,%15s", &from, &to, &cost, flag);
        switch (fields) {
        case 4:
            bad += road_net_add(net, from, to, cost) != 0;
            break;
        case 3:
            bad += road_net_add_both(net, from, to, cost) != 0;
            break;
        case 2: /* cost is missing */
        case 1:
            bad++;
            /* fall through */
        default:
            rk_log(RK_DEBUG, "skipped: %s", line);
            break;
        }
    }
    fclose(in);
    return bad;
}
