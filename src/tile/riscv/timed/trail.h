/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of a core (tile/path/path.h): what timed.c notes while it is recorded. */
#ifndef TILE_RISCV_TIMED_TRAIL_H
#define TILE_RISCV_TIMED_TRAIL_H

#include "tile/path/path.h"
#include "tile/riscv/isa/decoded.h"
#include "tile/timing.h"

struct tf_tile;
struct tf_hart;

/* The core comes to an instruction in hart->cycle, which is after the cycle that its timing has counted if it had to
   wait. waited: for what. */
void tf_trail_comes(struct tf_tile *tile, struct tf_hart *hart, struct tf_path *path, const struct tf_rv_insn *insn,
                    enum tf_spent waited);

/* Cycles have passed that are in timing->spent[]: because of the instruction at pc. */
void tf_trail_pass(struct tf_path *path, const struct tf_core_timing *timing, unsigned core, uint32_t pc);

/* It has executed, in the cycle to which its record goes: what it loaded may have ended a wait, and others may have
   waited for what it did. */
void tf_trail_executed(struct tf_tile *tile, struct tf_hart *hart, struct tf_path *path, const struct tf_rv_insn *insn,
                       const struct tf_timed *timed);

#endif
