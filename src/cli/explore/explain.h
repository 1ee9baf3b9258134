/* SPDX-License-Identifier: Apache-2.0 */
/* Why a run fails: find it, print it. */
#ifndef CLI_EXPLORE_EXPLAIN_H
#define CLI_EXPLORE_EXPLAIN_H

#include <jansson.h>

#include "cli/explore/explanation.h"
#include "cli/explore/hunt.h"

/*
 * A tf_trial_look of the failing run: copy its races. Races that involve a decision come first.
 * decision: with pc, cycle and address, as tf_chip_decisions() gave them.
 */
void tf_explain_races(struct tf_explanation *explanation, const struct tf_subject *subject,
                      const struct tf_decision *decision, size_t decisions);

/* Run both orders, for the rest. Returns -1, or an exit code after an error line. */
int tf_explain_runs(struct tf_explanation *explanation, const struct tf_hunt *hunt, const struct tf_decision *decision,
                    size_t decisions);

/* Returns the text of a decision, with its chip and the coordinates of its tile, to be freed. NULL: no memory. */
char *tf_explain_decision(const struct tf_subject *subject, const struct tf_decision *decision);

void tf_explain_print(const struct tf_explanation *explanation, FILE *out);
void tf_explain_json(const struct tf_explanation *explanation, json_t *object);

#endif
