/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of ended probes (struct tf_memo), as later probes use it. Only for the files of this folder; a test asks
   tf_memo_stores() and tf_memo_leads() as a probe does. */
#ifndef TILE_RISCV_PARK_MEMO_H
#define TILE_RISCV_PARK_MEMO_H

#include "tile/riscv/park/input.h"

struct tf_hart;
struct tf_tile;

/* At least the cycles that a probe needs to find a loop of TF_MEMO_STEPS. */
#define TF_MEMO_ROUND_CYCLES 128u

/* Find the remembered round that begins at pc. Returns TF_MEMO_ROUNDS if there is none. */
static inline unsigned tf_memo_round(const struct tf_park *park, uint32_t pc)
{
#pragma GCC unroll 4
    for (unsigned i = 0; i < TF_MEMO_ROUNDS; i++)
        if (park->memo_at[i] == (pc | TF_MEMO_USED))
            return i;
    return TF_MEMO_ROUNDS;
}

/* The place of the memo for the way from pc to a store or to a round. Each kind of way has one place. */
static inline unsigned tf_memo_way_place(uint32_t pc, bool to_round)
{
    return TF_MEMO_ROUNDS + (pc / 4 + (to_round ? TF_MEMO_WAYS / 2 : 0)) % TF_MEMO_WAYS;
}

/*
 * Where a probe begins: does a remembered way to a store begin at pc, and is the store certain to retire with an
 * effect? Then execute the way up to the store, where the probe would fail. False: nothing has changed. Bench rows
 * `ring` and `cb` pay for it (5 % and 11 % of their instructions).
 */
bool tf_memo_stores(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/*
 * Where a probe begins: if a remembered way to a round begins at pc, execute it. Then park the hart if tf_memo_waits()
 * would park it in that round. False: nothing has changed. Bench row `ping-pong` pays for it (an eighth of its
 * instructions).
 */
bool tf_memo_leads(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/*
 * After a control transfer: if a remembered round begins at pc, execute it, and park the hart if the next round would
 * equal it. Only where a probe would find this period before the deadline. False: nothing has changed. Harts park by
 * this with parking off, too. Bench row `barrier-700` pays for it.
 */
bool tf_memo_waits(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

#endif
