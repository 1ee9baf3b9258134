/* SPDX-License-Identifier: Apache-2.0 */
/* What runs of both modes share. Calling thread only, unless a function says otherwise. */
#ifndef FARM_RUN_H
#define FARM_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm/tilefarm.h"

/* Check a configuration: TF_OK, or TF_EINVAL and a message. Any thread. */
int tf_config_check(const struct tf_config *config, struct tf_message *message);

/* Bring every tile up to the chip's time. */
void tf_catch_up_all(struct tf_chip *chip);

/* Let at least this number of cycles pass, on a chip without an active site. */
void tf_pass_time(struct tf_chip *chip, uint64_t cycles);

/* The slice before which a run must end. cycles: length of the run; 0: no limit. Returns UINT64_MAX for no limit. */
uint64_t tf_limit_slice(const struct tf_chip *chip, uint64_t cycles);

/* Is on_progress to be called now? True at most once in TF_PROGRESS_S. */
bool tf_progress_due(struct tf_chip *chip);

/* Does the word that the run waits for have its value? Any worker. */
bool tf_has_value(struct tf_chip *chip, const struct tf_run_options *options);

#endif
