/* SPDX-License-Identifier: Apache-2.0 */
/* The report of an exploration, for people and as JSON. */
#ifndef CLI_EXPLORE_REPORT_H
#define CLI_EXPLORE_REPORT_H

#include <jansson.h>
#include <stdbool.h>

#include "cli/explore/exploration.h"

/* By enum tf_exploration_step. */
extern const char *const tf_exploration_steps[];

/* Is there a run to shrink and explain: the usual order, a schedule of the corpus, a seed? */
bool tf_exploration_has_failing(const struct tf_exploration *exploration);

/* Does any run fail? With --all schedules of the corpus may fail, and seeds follow. */
bool tf_exploration_failed(const struct tf_exploration *exploration);

/* Does the report go to standard output? */
bool tf_exploration_prints(const struct tf_exploration *exploration);

/* Print the outcomes; the decisions that are left, and their file; what is not printed yet. */
void tf_exploration_report_seeds(const struct tf_exploration *exploration);
void tf_exploration_report_decisions(const struct tf_exploration *exploration);
void tf_exploration_report(const struct tf_exploration *exploration);

/* Returns all of it, or NULL without memory. */
json_t *tf_exploration_json(const struct tf_exploration *exploration);

#endif
