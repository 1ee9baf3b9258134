/* SPDX-License-Identifier: Apache-2.0 */
/* Timing of a core's frontend: the instruction cache, and the prediction of branches. Only for timed.c. */
#ifndef TILE_RISCV_TIMED_FETCH_H
#define TILE_RISCV_TIMED_FETCH_H

#include "tile/riscv/isa/decoded.h"
#include "tile/riscv/timed/state.h"
#include "tile/state.h"
#include "tile/times.h"

struct tf_hart;

static inline unsigned tf_timed_line_log2(const uint16_t *value)
{
    return (unsigned)__builtin_ctz(value[TF_TIME_RV_FETCH_LINE]);
}

/*
 * The core comes to a line, by its number and 1 more, and waits for it. Returns its cycle. The prefetcher asks for the
 * next line when the core comes to a line (InstructionCache.md). So consecutive lines that the cache lacks arrive at
 * the rate of L1, and a jump to such a line waits for a whole read.
 */
uint64_t tf_timed_fetch_line(const struct tf_tile *tile, unsigned core, struct tf_core_timing *timing, uint32_t line,
                             uint64_t cycle);

/* Let the core wait for the line that has its pc. */
static inline uint64_t tf_timed_fetch(const struct tf_tile *tile, unsigned core, struct tf_core_timing *timing,
                                      uint32_t pc, uint64_t cycle)
{
    const uint32_t line = (pc >> tf_timed_line_log2(tile->arch->times->value)) + 1;
    return line == timing->line ? cycle : tf_timed_fetch_line(tile, core, timing, line, cycle);
}

/* Will a branch or jump that is about to execute jump? */
bool tf_timed_jumps(const struct tf_hart *hart, const struct tf_rv_insn *insn);

#endif
