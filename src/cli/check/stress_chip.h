/* SPDX-License-Identifier: Apache-2.0 */
/* A run of `stress` on a chip. */
#ifndef CLI_CHECK_STRESS_CHIP_H
#define CLI_CHECK_STRESS_CHIP_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm/tilefarm_base.h"

struct tf_arch;
struct tf_atomic_event;
struct tf_chip;
struct tf_stress_chip;
struct tf_stress_failure;
struct tf_stress_place;
struct tf_stress_wish;

bool tf_stress_open(struct tf_stress_chip *stress, const struct tf_stress_wish *wish,
                    struct tf_stress_failure *failure);
void tf_stress_close(struct tf_stress_chip *stress);

/* A round: history, log and office_word are filled; *interrupted when it was stopped. Returns false after filling
   failure. */
bool tf_stress_round(struct tf_stress_chip *stress, bool *interrupted, struct tf_stress_failure *failure);

/* Returns true if a family has an operation of that name in a profile; of "all": when it has any. */
bool tf_stress_has_op(const struct tf_arch *arch, enum tf_atomics profile, const char *op);

/* Create a chip for a wish. on_atomic may be NULL. TF_OK, or an error of the library. */
int tf_stress_create(const struct tf_stress_wish *wish,
                     void (*on_atomic)(void *user, const struct tf_atomic_event *event), void *user,
                     struct tf_chip **chip, struct tf_message *message);

/* Where requests find a node. TF_OK, or an error of the library. */
int tf_stress_place(const struct tf_arch *arch, struct tf_chip *chip, struct tf_coord node,
                    struct tf_stress_place *place);

/* Load a program of the family into a core, and start it. program: its name without the family. Returns false after
   filling failure. */
bool tf_stress_start(const struct tf_arch *arch, struct tf_chip *chip, unsigned tile, unsigned core,
                     const char *program, struct tf_stress_failure *failure);

/* Run until all is quiet; *interrupted when it was stopped. Returns false after filling failure, for a fault or an
   error. */
bool tf_stress_run(const struct tf_arch *arch, struct tf_chip *chip, bool *interrupted,
                   struct tf_stress_failure *failure);

/* Append the wait of a core, or of its thread, to the sentence of a failure. Returns the address that the core polls,
   or 0 if it polls none. */
uint32_t tf_stress_tell_wait(struct tf_chip *chip, unsigned tile, unsigned core, struct tf_stress_failure *failure);

#endif
