/* SPDX-License-Identifier: Apache-2.0 */
/* The units of a coprocessor, for what they were busy in timing mode. */
#ifndef LOOK_UNITS_H
#define LOOK_UNITS_H

#include "tilefarm/tilefarm_times.h"

#define TF_UNIT_TIMES 7u

/* The name of a unit in reports: "matrix". unit: below TF_UNIT_TIMES. */
const char *tf_unit_time_name(unsigned unit);

/* The cycles of each unit. */
void tf_unit_times(const struct tf_tile_times *times, uint64_t unit[TF_UNIT_TIMES]);

/* What the cycles of a core were for, by enum tf_spent, as reports say it: "issued", "loads of L1". */
const char *tf_spent_text(unsigned spent);

#endif
