/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a run that both modes share. Calling thread only, unless a function says otherwise. */
#ifndef FARM_RUN_RUN_H
#define FARM_RUN_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm/tilefarm_chip.h"

struct tf_chip;
struct tf_fabric;
struct tf_forks;
struct tf_host_statistics;

/* Check the options of a run: TF_OK, TF_EINVAL, TF_ENODEV. */
int tf_run_check(struct tf_forks *forks, struct tf_fabric *fabric, const struct tf_run_options *options);

/* Before the first epoch of a run. Returns false if the host has no memory for a fork's copy. */
bool tf_run_begin(struct tf_chip *chip);

/* Run epochs before a tick, until something ends the run. Deterministic mode. */
enum tf_end tf_run_epochs(struct tf_chip *chip, const struct tf_run_options *options, uint64_t limit);

/* After the last epoch of deterministic mode: capture the long writes that are left, because the host may read their
   counters. */
void tf_run_settle(struct tf_chip *chip);

/* The run has ended. Returns false if the host has no memory for a fork's copy. */
bool tf_run_end(struct tf_chip *chip, const struct tf_run_options *options, enum tf_end why);

#endif
