/* SPDX-License-Identifier: Apache-2.0 */
/* What ends a run in relaxed mode, tested by its workers. */
#include "farm/relaxed/end.h"

#include "farm/epoch/time.h"
#include "farm/relaxed/wake.h"
#include "farm/epoch/due.h"
#include "host/extremes.h"

/* The latest slice of all tiles, and the sum of their instructions, after their last visits. */
static uint64_t visited(const struct tf_relaxed *relaxed, uint64_t *instructions)
{
    uint64_t slice = 0;
    *instructions = 0;
    for (unsigned chip = 0; chip < relaxed->chips; chip++) {
        struct tf_site *site = relaxed->chip[chip]->site;
        for (unsigned i = 0; i < relaxed->chip[chip]->fabric->nodes; i++) {
            uint64_t at = atomic_load_explicit(&site[i].relaxed.visited_slice, memory_order_relaxed);
            slice = tf_max(at, slice);
            *instructions += atomic_load_explicit(&site[i].relaxed.visited_instructions, memory_order_relaxed);
        }
    }
    return slice;
}

void tf_relaxed_check_end(struct tf_relaxed *relaxed, unsigned number)
{
    bool reports = tf_relaxed_reports(relaxed, number);
    if (reports && tf_progress_due(relaxed->call, relaxed->host)) {
        uint64_t instructions, slice = visited(relaxed, &instructions);
        relaxed->call->on_progress(relaxed->call->user, tf_tick_begin(&relaxed->chip[0]->schedule, slice),
                                   instructions);
    }
    if (tf_has_value(relaxed->chip[relaxed->until_chip]->fabric, relaxed->options))
        tf_relaxed_end(relaxed, TF_END_VALUE);
    else if (atomic_load_explicit(relaxed->stop, memory_order_relaxed) &&
             atomic_exchange_explicit(relaxed->stop, false, memory_order_relaxed))
        tf_relaxed_end(relaxed, TF_END_STOPPED);
    else if (reports && tf_is_late(relaxed->options, relaxed->host))
        tf_relaxed_end(relaxed, TF_END_TIME);
}
