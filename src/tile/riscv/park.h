/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting harts: see struct tf_park in hart.h. Only for the files of this folder. */
#ifndef TILE_RISCV_PARK_H
#define TILE_RISCV_PARK_H

#include <stdbool.h>
#include <stdint.h>

#include "host/hostile.h"
#include "tile/tile.h"

/* Cycles between probes at first: few, as who has waited is likely to wait again soon. */
#define TF_PARK_INTERVAL_MIN 16u

/*
 * After a control transfer, where a probe begins or goes on: is this a loop in which the hart has waited before, and
 * does it wait again? Then every further round is like this one, which has been executed, and the hart has parked.
 * Only where a probe would have come to the same before the deadline.
 */
bool tf_loop_recall(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* Note where a hart begins to wait, for who executes that. */
void tf_park_note_start(struct tf_hart *hart);

/* Skipped or executed: a probe may come to the same later, when others have seen that the hart does not wait yet. */
static inline bool tf_park_recall(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    if (TF_HOSTILE || !tf_loop_recall(tile, hart, deadline))
        return false;
    if (!tile->parking)
        tf_park_note_start(hart);
    return true;
}

/* tf_park_probe() where there is nothing to recall. */
bool tf_park_probe_on(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer, uint64_t deadline);

/* Start a probe, or go on with it until it ends, or a control transfer retires at or past the deadline. False: it
   failed in the middle of a block, or the hart does not run. Else the last instruction was a control transfer. Where
   it starts, at_transfer says the same of the hart's last instruction. */
static inline bool tf_park_probe(struct tf_tile *tile, struct tf_hart *hart, bool at_transfer, uint64_t deadline)
{
    return (at_transfer && tf_park_recall(tile, hart, deadline)) || tf_park_probe_on(tile, hart, at_transfer, deadline);
}

/* Nothing that a parked hart watches has changed. */
bool tf_park_unchanged(struct tf_tile *tile, const struct tf_hart *hart);

/* A turn of a parked hart. False: something has changed, and the hart runs again, where it was. */
bool tf_park_turn(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* The rest of a turn in which the hart has parked. */
void tf_park_go_on(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* Bring the registers of a parked hart to its position in the period. */
void tf_park_replay(struct tf_hart *hart);

/* Forget a probe in progress and how earlier ones ended: the hart starts something new. */
static inline void tf_park_reset(struct tf_hart *hart)
{
    struct tf_park *park = &hart->park;
    park->probing = false;
    park->held = false;
    park->interval = TF_PARK_INTERVAL_MIN;
    park->probe_at = hart->cycle + TF_PARK_INTERVAL_MIN;
}

/* The hart parks, at the start of its period. */
static inline void tf_park_begin(struct tf_hart *hart)
{
    hart->park.probing = false;
    hart->park.position = 0;
    hart->state = TF_CORE_PARKED;
}

/* Let a parked hart run, where it was. */
static inline void tf_park_wake(struct tf_hart *hart)
{
    if (hart->park.held && hart->park.position != 0)
        tf_park_replay(hart);
    hart->state = TF_CORE_RUNNING;
    tf_park_reset(hart);
}

/* The value of a watch that is a plain word. */
static inline uint32_t tf_watch_value(const struct tf_watch *watch)
{
    return __atomic_load_n(watch->at, __ATOMIC_RELAXED) >> watch->shift & watch->mask;
}

enum tf_park_look {
    TF_PARK_SAME,
    TF_PARK_CHANGED,
    TF_PARK_UNKNOWN,
};

/* The short way of tf_park_unchanged(), which knows better what is unknown here. */
static inline enum tf_park_look tf_park_look(const struct tf_tile *tile, const struct tf_hart *hart)
{
    const struct tf_park *park = &hart->park;
    if (!park->plain || park->generation != tile->code_generation)
        return TF_PARK_UNKNOWN;
    for (const struct tf_watch *watch = park->watch, *end = watch + park->watches; watch != end; watch++)
        if (tf_watch_value(watch) != watch->value)
            return TF_PARK_CHANGED;
    return TF_PARK_SAME;
}

void tf_park_advance_through(struct tf_hart *hart, uint64_t deadline);

/* Let a parked hart that is skipped repeat its period up to the first control transfer at or past the deadline. */
static inline void tf_park_advance(struct tf_hart *hart, uint64_t deadline)
{
    struct tf_park *park = &hart->park;
    uint64_t left = deadline - hart->cycle;
    park->held = true;
    if (hart->cycle >= deadline)
        return;
    if (park->transfers != 1 || left > UINT32_MAX) {
        tf_park_advance_through(hart, deadline);
        return;
    }
    /* Of one transfer, it is always at the period's start. */
    uint64_t passed = ((uint32_t)(left - 1) / park->period + UINT64_C(1)) * park->period;
    hart->cycle += passed;
    hart->instret += passed;
}

#endif
