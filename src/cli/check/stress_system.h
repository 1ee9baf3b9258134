/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm stress --system`: rounds of contention across the links of a system in relaxed mode
   (cli/systems/contend.c). */
#ifndef CLI_CHECK_STRESS_SYSTEM_H
#define CLI_CHECK_STRESS_SYSTEM_H

#include "cli/check/stress.h"
#include "tilefarm/tilefarm_system_run.h"

struct tf_stress_system {
    struct tf_system *system;
    uint32_t seed;
    uint64_t rounds, messages, requests; /* that were fine */
};

/* Create the system. threads: not 0. Returns false after filling failure->text: there is nothing to close. */
bool tf_stress_system_open(struct tf_stress_system *stress, const struct tf_cluster *cluster, unsigned threads,
                           uint32_t seed, struct tf_stress_failure *failure);
void tf_stress_system_close(struct tf_stress_system *stress);

/* Run a round, and judge it. Returns false after filling failure. */
bool tf_stress_system_round(struct tf_stress_system *stress, bool *interrupted, struct tf_stress_failure *failure);

#endif
