/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cores that wait for a time: loops that load the wall clock and compare. Firmware of three T cores does so at each
 * boot, and each load stops a core until the others have reached its cycle. Row `recorded-calls` pays for it.
 */
#ifndef TILE_RUN_CLOCK_LOOP_H
#define TILE_RUN_CLOCK_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/state.h"

/* tf_clock_loop() for a core that has stopped before a load of the clock. */
bool tf_clock_loop_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/*
 * The core is the earliest of its tile, and stopped before an access. If it loads the wall clock, run it to its next
 * load of the clock that must wait for other cores, or to the end of its turn, as tf_hart_go_on() does. False:
 * tf_hart_go_on() must run it; until now the core has only loaded the clock and compared.
 */
static inline bool tf_clock_loop(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    return (tile->clock_loops >> hart->core & 1) != 0 && tf_clock_loop_run(tile, hart, deadline);
}

#endif
