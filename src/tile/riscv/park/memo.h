/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of ended probes (struct tf_memo). Only for probe.c and memo.c. */
#ifndef TILE_RISCV_PARK_MEMO_H
#define TILE_RISCV_PARK_MEMO_H

#include "tile/riscv/park/input.h"

/* A probe has parked the hart: remember its period, if it is short and simple enough. */
void tf_memo_keep_round(struct tf_park *park);

/*
 * A probe that began after a control transfer has ended at an effect. pc[0..count-1] and insn[] are its instructions,
 * whose code has not changed since. If the effect was that of a store, remember the way to it.
 */
void tf_memo_keep_store(struct tf_tile *tile, struct tf_hart *hart, const uint32_t *pc, const struct tf_rv_insn *insn,
                        unsigned count);

/*
 * Where a probe begins: if a remembered way to a store begins at pc, and the store is certain to retire and to have an
 * effect again, execute the way up to the store: there the probe would have failed. False: nothing has changed. Bench
 * rows `ring` and `cb` pay for it (5 % and 11 % of their instructions).
 */
bool tf_memo_stores(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* Bits of the x registers that instructions read before they write them; *written: those that they write. All of them
   for an instruction that is not analysed. */
uint32_t tf_memo_live(const struct tf_rv_insn *insn, unsigned count, uint32_t *written);

#endif
