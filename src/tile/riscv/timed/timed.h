/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timing of a core: when it issues each instruction, by the durations of its family (tile/times.h).
 *
 * hart->cycle is the cycle in which the next instruction enters the first stage of the pipeline (EX1; the Integer Unit
 * on Wormhole). tf_timed_issue() moves it there: the line of code is in the cache, operands are known, the unit that
 * takes the instruction has room. After the instruction has retired, tf_timed_retired() notes when its result is known,
 * and moves hart->cycle on by as many cycles as the stage stays occupied. A parked core is not timed: its polls take
 * one cycle for an instruction.
 *
 * Thread: the one that runs the tile. Only for the files of tile/riscv, and for who reports what cores wait for.
 */
#ifndef TILE_RISCV_TIMED_TIMED_H
#define TILE_RISCV_TIMED_TIMED_H

#include <stdbool.h>

#include "tile/riscv/isa/decoded.h"
#include "tile/timing.h"

struct tf_tile;
struct tf_hart;
struct tf_saved;
struct tf_hash;

/* Create the timing of a tile's cores. Returns false if the host has no memory. */
bool tf_timed_create(struct tf_tile *tile, bool coarse);
void tf_timed_destroy(struct tf_tile *tile);

/* Let time pass until the core can issue the instruction at its pc. A second call for the instruction, after it had to
   stop, changes nothing but what the core had to wait for since. */
void tf_timed_issue(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, struct tf_timed *timed);

/* The instruction has retired, and hart->cycle is the cycle after it issued. */
void tf_timed_retired(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn,
                      const struct tf_timed *timed);

/* A probe for parking: the core is between two instructions, where a period may begin, or where it has just parked; it
   is about to read its first input. */
void tf_timed_probe(struct tf_tile *tile, struct tf_hart *hart);
void tf_timed_look(struct tf_tile *tile, const struct tf_hart *hart);

/* Move a parked core to the last start of its period at or before `cycle`; to its first start whose poll comes in that
   cycle or later. */
void tf_timed_rest(const struct tf_tile *tile, struct tf_hart *hart, uint64_t cycle);
void tf_timed_see(const struct tf_tile *tile, struct tf_hart *hart, uint64_t cycle);

/* What a parked or blocked core waits for. */
enum tf_spent tf_timed_waits_for(const struct tf_tile *tile, const struct tf_hart *hart);

/* The saved state (host/saved.h), and its part of the state hash. */
void tf_timed_state(struct tf_saved *saved, struct tf_tile *tile);
void tf_timed_hash(const struct tf_tile *tile, struct tf_hash *hash);

#endif
