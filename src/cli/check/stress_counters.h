/* SPDX-License-Identifier: Apache-2.0 */
/* The counts of NIUs that the logs of the cores imply for a round. Source: BlackholeA0/NoC/Counters.md. */
#ifndef CLI_CHECK_STRESS_COUNTERS_H
#define CLI_CHECK_STRESS_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm/tilefarm_base.h"

struct tf_stress_chip;
struct tf_stress_failure;

/* Read the present counters of the NIUs. TF_OK, or an error of the library. */
int tf_stress_count_begin(struct tf_stress_chip *stress);

/* Did each counter of each NIU move in the last round as the cores' logs require? Returns false after filling
   failure. */
bool tf_stress_count_check(struct tf_stress_chip *stress, struct tf_stress_failure *failure);

/* Is it a counter of a node's NIU that says that requests have no answer yet? */
bool tf_stress_lacks_answers(struct tf_stress_chip *stress, struct tf_coord node, uint32_t address);

#endif
