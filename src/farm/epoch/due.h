/* SPDX-License-Identifier: Apache-2.0 */
/* What is due during a run, in both modes. Calling thread only, unless a function says otherwise. */
#ifndef FARM_EPOCH_DUE_H
#define FARM_EPOCH_DUE_H

#include <stdbool.h>

#include "tilefarm/tilefarm_chip.h"

struct tf_callbacks;
struct tf_fabric;
struct tf_host_statistics;

/* Is on_progress to be called now? Returns true at most once in TF_PROGRESS_S. */
bool tf_progress_due(const struct tf_callbacks *call, struct tf_host_statistics *host);

/* Is the limit of wall_s_max over? */
bool tf_is_late(const struct tf_run_options *options, const struct tf_host_statistics *host);

/* Does the word that the run waits for have its value? Any worker. */
bool tf_has_value(struct tf_fabric *fabric, const struct tf_run_options *options);

#endif
