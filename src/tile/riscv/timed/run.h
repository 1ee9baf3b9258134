/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of timing mode for cores that nobody observes. */
#ifndef TILE_RISCV_TIMED_RUN_H
#define TILE_RISCV_TIMED_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/observe.h"
#include "tile/timing.h"
#include "tile/state.h"

/* May the core of a tile in timing mode run in this loop? Else tf_observed_run() is needed. The list usually has the
   observer that marks the tile, alone. Inline for row `mixed`, timed. */
static inline bool tf_timed_runs(const struct tf_tile *tile, const struct tf_hart *hart)
{
    const struct tf_observer *observer = tile->observer;
    const bool alone = observer != NULL && observer->next == NULL && observer->cores == 0;
    return (alone || !tf_observes(tile, hart)) && tf_path_of(tile->timing) == NULL && TF_HOOK(tile->explore) == NULL &&
           TF_HOOK(tile->check) == NULL && TF_HOOK(tile->counter) == NULL && !hart->watched && !hart->searches &&
           !hart->overtaken;
}

/* Addresses of the handlers of this loop, by enum tf_handler (code/page.h). Those of fused pairs are NULL. */
const void *const *tf_timed_handlers(void);

/* tf_interp() in timing mode: with the effects, and the times, of tf_observed_run(). Returns false if the core cannot
   fetch its next instruction: tf_interp_unobserved() records that fault. */
bool tf_timed_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

#endif
