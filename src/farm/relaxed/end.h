/* SPDX-License-Identifier: Apache-2.0 */
/* What ends a run, tested by its workers. */
#ifndef FARM_RELAXED_END_H
#define FARM_RELAXED_END_H

#include "farm/chip/chip.h"

/* Does this worker call on_progress, and look at the time? Only the calling thread does, even while it is idle. */
static inline bool tf_relaxed_reports(const struct tf_relaxed *relaxed, unsigned number)
{
    return number == 0 && relaxed->reports;
}

/* Between visits: report progress, and end the run if its options or tf_stop() ask for that. */
void tf_relaxed_check_end(struct tf_relaxed *relaxed, unsigned number);

#endif
