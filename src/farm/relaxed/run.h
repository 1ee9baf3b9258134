/* SPDX-License-Identifier: Apache-2.0 */
/* A run in relaxed mode. */
#ifndef FARM_RELAXED_RUN_H
#define FARM_RELAXED_RUN_H

#include "farm/chip/chip.h"

/* Run a chip in relaxed mode until something ends the run. Calling thread only. */
enum tf_end tf_run_relaxed(struct tf_chip *chip, const struct tf_run_options *options);

/* The same for all chips of `relaxed`, whose first part is filled in. Each chip has a worker for each of the team. */
enum tf_end tf_run_relaxed_all(struct tf_relaxed *relaxed);

#endif
