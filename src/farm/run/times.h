/* SPDX-License-Identifier: Apache-2.0 */
/* What cycles were for, by rows of durations (tile/times.h). */
#ifndef FARM_RUN_TIMES_H
#define FARM_RUN_TIMES_H

#include "tilefarm/tilefarm_times.h"

/* What cycles of a core were for that a row explains. */
enum tf_spent tf_spent_of(unsigned row);

#endif
