/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/epoch/time.h"

#include "farm/epoch/epoch.h"

/* The first tick that ends at or past a cycle. */
static uint64_t tick_at(const struct tf_schedule *schedule, uint64_t cycle)
{
    uint64_t tick = cycle / schedule->tick_cycles;
    tick -= tick > 0;
    while (tf_tick_end(schedule, tick) < cycle)
        tick++;
    return tick;
}

uint64_t tf_tick_from(const struct tf_schedule *schedule, uint64_t cycle)
{
    return cycle == 0 ? 0 : tick_at(schedule, cycle) + 1;
}

uint64_t tf_limit_tick(const struct tf_schedule *schedule, uint64_t cycle, uint64_t cycles)
{
    if (cycles == 0 || cycles > UINT64_MAX / 2 - cycle) /* 0 means no limit; a larger sum would overflow */
        return UINT64_MAX;
    return tick_at(schedule, cycle + cycles) + 1;
}

void tf_pass_time(struct tf_epochs *epochs, struct tf_schedule *schedule, uint64_t cycles)
{
    uint64_t tick = tf_limit_tick(schedule, epochs->cycles, cycles);
    if (tf_sites_none(&epochs->active) && tick != UINT64_MAX)
        tf_epochs_pass(epochs, schedule, tick);
}
