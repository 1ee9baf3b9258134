/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of a system in relaxed mode: no windows, and links that hand over at once (farm/relaxed). */
#ifndef SYSTEM_RELAXED_H
#define SYSTEM_RELAXED_H

#include "farm/chip/figures.h"
#include "farm/chip/rules.h"
#include "farm/relaxed/state.h"
#include "tilefarm/tilefarm_cluster.h"
#include "tilefarm/tilefarm_system_run.h"

/* What a system in relaxed mode has beside others. */
struct tf_system_relaxed {
    struct tf_relaxed run;
    struct tf_callbacks call;
    struct tf_host_statistics host;
    struct tf_chip *chip[TF_CLUSTER_CHIPS_MAX];
    struct tf_relaxed_port port[]; /* as system->lane: that which sends on a lane */
};

/* Prepare a system whose chips, lanes and crew have been made. TF_OK, TF_ENOMEM. */
int tf_system_relaxed_create(struct tf_system *system);
void tf_system_relaxed_destroy(struct tf_system *system);

/* The number of workers that a crew in relaxed mode has at most: one for each Tensix tile. */
unsigned tf_system_relaxed_workers(const struct tf_cluster *cluster);

/* tf_system_run() in relaxed mode, with checked options. TF_OK, TF_ENOMEM. */
int tf_system_run_relaxed(struct tf_system *system, const struct tf_system_run_options *options, enum tf_end *end);

#endif
