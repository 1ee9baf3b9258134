/* SPDX-License-Identifier: Apache-2.0 */
/* Atomics of the units of coprocessors, in `stress`. */
#ifndef CLI_CHECK_STRESS_UNITS_H
#define CLI_CHECK_STRESS_UNITS_H

#include <stdbool.h>

struct tf_stress_chip;
struct tf_stress_failure;

/* Read the cores' counts, which continue the counts of earlier rounds. TF_OK, or an error of the library. */
int tf_stress_units_read(struct tf_stress_chip *stress);

/* Do the streams, the semaphores and the guarded words have the values that the cores have counted? Returns false after
   filling failure. */
bool tf_stress_units_check(struct tf_stress_chip *stress, struct tf_stress_failure *failure);

#endif
