/* SPDX-License-Identifier: Apache-2.0 */
/* Executing instructions for observers (observe.h). Only for the files of tile/riscv. */
#ifndef TILE_RISCV_INTERP_OBSERVED_H
#define TILE_RISCV_INTERP_OBSERVED_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/riscv/interp/interp.h"
#include "tile/riscv/interp/timed.h"
#include "tile/observe.h"
#include "tile/state.h"

struct tf_rv_insn;

/* Report an instruction to the observers of a core: before it executes, and after it has retired. *observed describes
   it. Returns false if an observer has changed pc, and the caller must not execute the instruction. */
bool tf_observe_before(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn,
                       struct tf_observed *observed);
void tf_observe_after(struct tf_tile *tile, struct tf_hart *hart, const struct tf_observed *observed);

/*
 * Run a core one instruction at a time: for its observers, and while instructions overtake a load. If hart->watched is
 * set, the chip's debug interface (mmio/core_debug.c) checks each instruction after it retires. A watched core stops at
 * the limit, or when the debug interface ends the watch; other cores stop where tf_interp() does.
 */
void tf_observed_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

/*
 * Execute a running hart until the first control transfer that retires at or past cycle `limit`, or until the hart
 * blocks, stops or pauses. Observers see each instruction. limit must not exceed hart->cycle + TF_INTERP_CYCLES_MAX.
 * Faults are recorded in the tile. looked: has the tile observers?
 */
static inline __attribute__((always_inline)) void tf_interp(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit,
                                                            const bool with_observers)
{
    if (!with_observers)
        tf_interp_uncounted(tile, hart, limit);
    else if (tile->timing != NULL && tf_timed_runs(tile, hart, tf_timed_unobserved(tile))) {
        if (!tf_timed_run(tile, hart, limit))
            tf_interp_unobserved(tile, hart, hart->cycle + 1); /* it records the fault */
    } else if (tile->timing != NULL || tf_observes(tile, hart))
        tf_observed_run(tile, hart, limit);
    else
        tf_interp_unobserved(tile, hart, limit);
}

#endif
