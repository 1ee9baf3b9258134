/* SPDX-License-Identifier: Apache-2.0 */
/* Timing of a core's frontend: the instruction cache, and the prediction of branches. Only for timed.c. */
#ifndef TILE_RISCV_TIMED_FETCH_H
#define TILE_RISCV_TIMED_FETCH_H

#include "tile/riscv/isa/decoded.h"
#include "tile/riscv/timed/state.h"

struct tf_tile;
struct tf_hart;

/* Let the core wait for the line that has its pc. */
void tf_timed_fetch(const struct tf_tile *tile, struct tf_hart *hart, struct tf_core_timing *timing);

/* Will a branch or jump that is about to execute jump? */
bool tf_timed_jumps(const struct tf_hart *hart, const struct tf_rv_insn *insn);

/* Was the branch or jump predicted, which has just executed? The prediction of its next execution follows. */
bool tf_timed_predicted(const struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_timing *timing,
                        const struct tf_timed *timed);

#endif
