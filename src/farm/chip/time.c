/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/chip/time.h"

#include "farm/order/epoch.h"

/* The first slice that ends at or past a cycle. */
static uint64_t slice_at(const struct tf_schedule *schedule, uint64_t cycle)
{
    uint64_t slice = cycle / schedule->slice_cycles;
    slice -= slice > 0;
    while (tf_slice_end(schedule, slice) < cycle)
        slice++;
    return slice;
}

uint64_t tf_limit_slice(const struct tf_schedule *schedule, uint64_t cycle, uint64_t cycles)
{
    if (cycles == 0 || cycles > UINT64_MAX / 2 - cycle) /* 0 means no limit; a larger sum would overflow */
        return UINT64_MAX;
    return slice_at(schedule, cycle + cycles) + 1;
}

void tf_pass_time(struct tf_epochs *epochs, struct tf_schedule *schedule, uint64_t cycles)
{
    uint64_t slice = tf_limit_slice(schedule, epochs->cycles, cycles);
    if (tf_sites_none(&epochs->active) && slice != UINT64_MAX)
        tf_epochs_pass(epochs, schedule, slice);
}
