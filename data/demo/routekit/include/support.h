/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ROUTEKIT_SUPPORT_H
#define ROUTEKIT_SUPPORT_H

#include "road_net.h"

enum rk_level { RK_DEBUG, RK_INFO, RK_WARN, RK_ERROR };

void rk_log_level(enum rk_level level);
void rk_log(enum rk_level level, const char *fmt, ...);

struct rk_config {
    char map_file[256];
    int depot;
    int verbose;
    double speed;
};

void rk_config_defaults(struct rk_config *cfg);
int rk_config_load(struct rk_config *cfg, const char *path);
int rk_load_csv(struct road_net *net, const char *path, int towns);

#endif
