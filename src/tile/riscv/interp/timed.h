/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of timing mode for cores that nobody observes. */
#ifndef TILE_RISCV_INTERP_TIMED_H
#define TILE_RISCV_INTERP_TIMED_H

#include <stdbool.h>
#include <stdint.h>

#include "host/extremes.h"
#include "tile/observe.h"
#include "tile/timing.h"
#include "tile/state.h"

/* Does nobody look at any core of a tile in timing mode? The list of observers has the one that marks the tile. */
static inline bool tf_timed_unobserved(const struct tf_tile *tile)
{
    const struct tf_observer *observer = tile->observer;
    return observer != NULL && observer->next == NULL && observer->cores == 0 && tf_path_of(tile->timing) == NULL &&
           TF_HOOK(tile->explore) == NULL && TF_HOOK(tile->check) == NULL && TF_HOOK(tile->counter) == NULL;
}

/* May the core of a tile in timing mode run in this loop? Else tf_observed_run() is needed. unobserved: as
   tf_timed_unobserved() says. Inline for row `timing-mixed`. */
static inline bool tf_timed_runs(const struct tf_tile *tile, const struct tf_hart *hart, bool unobserved)
{
    const bool seen = !unobserved &&
                      (tf_observes(tile, hart) || tf_path_of(tile->timing) != NULL || TF_HOOK(tile->explore) != NULL ||
                       TF_HOOK(tile->check) != NULL || TF_HOOK(tile->counter) != NULL);
    return !seen && !hart->watched && !hart->searches && !hart->overtaken;
}

/* Addresses of the handlers of this loop, by enum tf_handler (code/page.h). Those of fused pairs are NULL. */
const void *const *tf_timed_handlers(void);

/* Can the core have its turn, up to the deadline, in this loop, from the next instruction on? If not, tf_hart_turn() is
   needed. */
static inline bool tf_timed_goes_on(const struct tf_tile *tile, const struct tf_hart *hart, uint64_t deadline,
                                    bool unobserved)
{
    return hart->state == TF_CORE_RUNNING && hart->cycle < tf_min(deadline, hart->park.probe_at) &&
           !hart->park.probing && (tile->interruptible >> hart->core & 1) == 0 &&
           hart->cycle <= tile->timing->core[hart->core].counted && tf_timed_runs(tile, hart, unobserved);
}

struct tf_timed_private;

/* Turns of several cores. */
struct tf_timed_turns {
    uint64_t deadline;
    bool unobserved; /* tf_timed_unobserved() */
    bool in_order;   /* the core that comes first follows, of all cores of the tile. Else the next one by number does,
                      and after the last one turns are in order. */
    bool yielded;    /* a core has had its turn by number, and has cycles left before the deadline */
    bool faulted;    /* tf_timed_run() would have returned false for the last core */
    struct tf_timed_private *private; /* NULL: the slice is not (private.h) */
};

/* Execute all turns of a slice, as those in order do, if no core needs another one (private.h). The tile's coprocessor
   is asleep, and nobody observes it. private: for notes; it has the cores that stay parked, to which nothing happens.
   Returns false if it has done nothing. */
bool tf_timed_slice(struct tf_tile *tile, uint64_t deadline, struct tf_timed_private *private);

/* Execute the turn of a core that goes on, and then those of others that do, without a return between. Returns the last
   one. Its turn may have ended, or it needs something else before the deadline. */
struct tf_hart *tf_timed_turns(struct tf_tile *tile, struct tf_hart *hart, struct tf_timed_turns *turns);

/* tf_interp() in timing mode: with the effects, and the times, of tf_observed_run(). Returns false if the core cannot
   fetch its next instruction: tf_interp_unobserved() records that fault. */
bool tf_timed_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

#endif
