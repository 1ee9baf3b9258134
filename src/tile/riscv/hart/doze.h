/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Harts that doze: they wait for words of memory, and their time passes later. A hart that dozes has time up to its
 * wait, or to a later turn. Its registers and its wait are those of that time. As long as no word changes, its turns
 * and the visits of its tile do nothing. Its time passes in three cases:
 *
 * - A word has changed. Then its turn first lets time pass up to the start of the slice.
 * - Another hart or unit of the tile may act on it, or see it: tf_hart_rouse().
 * - Something from outside does: tf_tile_catch_up().
 *
 * It does not matter in how many steps time passes: tf_park_advance().
 */
#ifndef TILE_RISCV_HART_DOZE_H
#define TILE_RISCV_HART_DOZE_H

#include "tile/riscv/hart/look.h"
#include "tile/riscv/hart/wake.h"

/* May harts of the tile doze? */
static inline bool tf_tile_may_doze(const struct tf_tile *tile)
{
    return tile->mode.parking && !tile->mode.shared && TF_HOOK(tile->observer) == NULL;
}

/* tf_park_look() for a hart that may doze. TF_PARK_SAME: its turn would do nothing. Rows `barrier-700` and `ping-pong`
   pay for it. */
static inline enum tf_park_look tf_hart_look_dozing(const struct tf_tile *tile, const struct tf_hart *hart)
{
    if (hart->state != TF_CORE_PARKED || hart->park.beats || tile->interruptible != 0)
        return TF_PARK_UNKNOWN;
    return tf_park_look(tile, hart);
}

/* Let time pass for a hart that may doze, up to `cycle`. */
static inline void tf_hart_rouse_at(struct tf_hart *hart, uint64_t cycle)
{
    if (hart->state == TF_CORE_PARKED && hart->park.words_only)
        tf_park_advance(hart, cycle);
}

/* tf_hart_rouse_at(), as far as the hart's turns have come. */
static inline void tf_hart_rouse(const struct tf_tile *tile, struct tf_hart *hart)
{
    tf_hart_rouse_at(hart, hart->core < tile->turn ? tile->slice.deadline : tile->slice.begin);
}

#endif
