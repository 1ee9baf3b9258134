/* SPDX-License-Identifier: Apache-2.0 */
/* Delta debugging (Zeller and Hildebrandt, 2002) over the decisions of a run, and then over their values. */
#ifndef CLI_EXPLORE_SHRINK_H
#define CLI_EXPLORE_SHRINK_H

#include <stddef.h>

struct tf_decision;
struct tf_hunt;
struct tf_shrink_ways;

/* Shrink the decisions of a failing run to few that still make it fail, and their values. *decision is changed. *runs
   gets the number of trials. Returns -1, or an exit code after an error line. */
int tf_hunt_shrink(const struct tf_hunt *hunt, struct tf_decision **decision, size_t *decisions, unsigned *runs,
                   const struct tf_shrink_ways *ways);

#endif
