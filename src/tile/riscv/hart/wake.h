/* SPDX-License-Identifier: Apache-2.0 */
/* Time of a skipped hart, and its wake. Only for the files of tile/riscv. */
#ifndef TILE_RISCV_HART_WAKE_H
#define TILE_RISCV_HART_WAKE_H

#include <stdint.h>

#include "tile/riscv/hart/state.h"
#include "tilefarm/tilefarm_chip.h"

struct tf_tile;

/* Cycles from a hart's start, or from its wake, to its next probe. Few, since a hart that has waited soon waits
   again. */
#define TF_PARK_INTERVAL_MIN 16u

/* Replay one instruction of the period. Loads and CSRs give the values of the inputs; stores change nothing. */
void tf_park_replay_step(const struct tf_tile *tile, struct tf_hart *hart, unsigned index);

/* Bring pc and the registers of a skipped hart from the start of its period to its position. `tile` may be NULL. */
void tf_park_replay(const struct tf_tile *tile, struct tf_hart *hart);

/* The cycle of the first control transfer of a repeated period at or past the deadline; *position: where it leads. */
uint64_t tf_park_advanced(const struct tf_park *park, uint64_t cycle, uint64_t deadline, uint16_t *position);

/* Move a skipped hart to the first control transfer of its period at or past `deadline`. Handles any period. */
void tf_park_advance_through(struct tf_hart *hart, uint64_t deadline);

/* The number of whole periods since a hart with a beat parked. */
static inline uint64_t tf_park_rounds(const struct tf_hart *hart)
{
    const struct tf_park *park = &hart->park;
    return (hart->cycle - park->position - park->notes->beat.since) / park->period;
}

/* Set the counters of a hart with a beat, which has its registers of round 0, to their values at the start of a
   round. */
void tf_park_count_to(struct tf_hart *hart, uint64_t round);

/* Bring the registers of a skipped hart with a beat to the start of its present round. `tile` may be NULL. */
void tf_park_restore_beat(const struct tf_tile *tile, struct tf_hart *hart);

/* End a probe in progress, and start the interval between probes anew. */
static inline void tf_park_reset(struct tf_hart *hart)
{
    struct tf_park *park = &hart->park;
    park->probing = false;
    park->held = false;
    park->beats = false;
    park->interval = TF_PARK_INTERVAL_MIN;
    park->probe_at = hart->cycle + TF_PARK_INTERVAL_MIN;
}

/* Let a parked hart run from its position. `tile`, which spares decoding, may be NULL. */
static inline void tf_park_wake(const struct tf_tile *tile, struct tf_hart *hart)
{
    if (__builtin_expect(hart->park.held && hart->park.beats, 0))
        tf_park_restore_beat(tile, hart);
    if (hart->park.held && hart->park.position != 0 && !tf_park_tests_word(&hart->park))
        tf_park_replay(tile, hart);
    hart->state = TF_CORE_RUNNING;
    tf_park_reset(hart);
}

/* The cycles of whole periods, at least `cycles`, which is not 0. Most waiting loops have two or four instructions, and
   need no division. */
static inline uint64_t tf_park_whole(uint32_t period, uint32_t cycles)
{
    if ((period & (period - 1)) == 0)
        return ((cycles - 1) | (period - 1)) + UINT64_C(1);
    return ((cycles - 1) / period + UINT64_C(1)) * period;
}

/* tf_park_advance_through(), without a loop where the period has one control transfer. Rows `barrier-700` and
   `atomic-inc-contended` pay. */
static inline __attribute__((always_inline)) void tf_park_advance(struct tf_hart *hart, uint64_t deadline)
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
    /* The transfer ends the period, so the hart is at its start again. */
    uint64_t passed = tf_park_whole(park->period, (uint32_t)left);
    hart->cycle += passed;
    hart->instret += passed;
}

/* The last start of a parked hart's period at or before `cycle`; its present cycle, if that is later. */
static inline uint64_t tf_park_last_start(const struct tf_hart *hart, uint64_t cycle)
{
    const struct tf_park *park = &hart->park;
    return hart->cycle >= cycle ? hart->cycle : hart->cycle + (cycle - hart->cycle) / park->period * park->period;
}

/*
 * Move a skipped hart that polls registers to the last start of its period at or before `cycle`. In that cycle others
 * may change a register.
 */
static inline void tf_park_advance_before(struct tf_hart *hart, uint64_t cycle)
{
    uint64_t start = tf_park_last_start(hart, cycle);
    hart->park.held = true;
    hart->instret += start - hart->cycle;
    hart->cycle = start;
}

#endif
