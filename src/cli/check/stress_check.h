/* SPDX-License-Identifier: Apache-2.0 */
/* The checks of a history of atomics. */
#ifndef CLI_CHECK_STRESS_CHECK_H
#define CLI_CHECK_STRESS_CHECK_H

#include <stdbool.h>
#include <stdio.h>

struct tf_stress_chip;
struct tf_stress_failure;
struct tf_stress_tally;

/* Judge the last round: what cores saw, then each line's history. Returns false after filling failure. */
bool tf_stress_check(struct tf_stress_chip *stress, struct tf_stress_tally *tally, struct tf_stress_failure *failure);

/* Tell a failure: the sentence, and the short history. */
void tf_stress_explain(FILE *out, const struct tf_stress_chip *stress, const struct tf_stress_failure *failure);

#endif
