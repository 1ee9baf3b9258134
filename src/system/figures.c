/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a system, for those above it and for its runs. */
#include "farm/chip/chip.h"
#include "host/extremes.h"
#include "system/state.h"
#include "tilefarm/tilefarm_system_run.h"

unsigned tf_system_workers(const struct tf_system *system)
{
    return system->crew.team.present;
}

uint64_t tf_system_cycles(const struct tf_system *system)
{
    uint64_t cycles = system->ranks != NULL ? system->news.cycles : 0;
    for (unsigned i = 0; i < system->cluster.chips; i++)
        cycles = tf_max(cycles, tf_chip_cycles(system->part[i].chip));
    return cycles;
}
