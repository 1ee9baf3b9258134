/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs side by side, up to the first words of L1 in which they differ. */
#ifndef CLI_EXPLORE_DIFFER_H
#define CLI_EXPLORE_DIFFER_H

#include <stdint.h>

#include "cli/explore/explanation.h"
#include "cli/explore/hunt.h"

struct tf_explore;

/* Find the first difference of L1, and those at the end. from: the runs are equal up to this cycle. */
int tf_explain_differences(struct tf_explanation *explanation, const struct tf_hunt *hunt,
                           const struct tf_explore *explore, uint64_t from);

#endif
