/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a whole chip, and chips that take that of another. */
#ifndef FARM_SAVED_STATE_H
#define FARM_SAVED_STATE_H

struct tf_arch;
struct tf_chip;
struct tf_config;
struct tf_saved;

/* Write or read the state of a chip (host/saved.h). The chip is in deterministic mode and between runs. A chip that
   reads must be new. */
void tf_chip_state(struct tf_saved *saved, struct tf_chip *chip);

/* The part of that state that belongs to no site, with the requests in flight; the rest is that of each site. */
void tf_chip_own_state(struct tf_saved *saved, struct tf_chip *chip);

/* Make a new chip with the configuration and the table of another one. It has one worker and no callbacks. *twin shares
   this table, and must be destroyed before the other chip. Returns TF_OK or TF_ENOMEM. */
int tf_chip_twin(const struct tf_config *config, const struct tf_arch *arch, struct tf_chip **twin);

/* Swap the states of a chip and its twin. After that the twin can only be destroyed. */
void tf_chip_replace(struct tf_chip *chip, struct tf_chip *twin);

#endif
