/* SPDX-License-Identifier: Apache-2.0 */
/* Timing of a core's frontend: the instruction cache, and the prediction of branches. Only for timed.c. */
#ifndef TILE_RISCV_TIMED_FETCH_H
#define TILE_RISCV_TIMED_FETCH_H

#include "tile/riscv/isa/decoded.h"
#include "tile/timing.h"
#include "tile/state.h"
#include "tile/times.h"

struct tf_hart;

/* A core's instruction cache, by the durations of its family: powers of two (times.c). */
struct tf_timed_cache {
    unsigned line_log2; /* bytes of a line */
    uint32_t ways;      /* places of a line in its set */
    uint32_t last;      /* place in cached[] */
};

static inline struct tf_timed_cache tf_timed_cache(const uint16_t *value, unsigned core)
{
    static const uint8_t row[] = {
        [TF_CORE_B] = TF_TIME_RV_CACHE_B,   [TF_CORE_NC] = TF_TIME_RV_CACHE_NC, [TF_CORE_T0] = TF_TIME_RV_CACHE_T0,
        [TF_CORE_T1] = TF_TIME_RV_CACHE_T1, [TF_CORE_T2] = TF_TIME_RV_CACHE_T2,
    };
    const unsigned line_log2 = (unsigned)__builtin_ctz(value[TF_TIME_RV_FETCH_LINE]);
    return (struct tf_timed_cache){line_log2, value[TF_TIME_RV_CACHE_WAYS], (value[row[core]] >> line_log2) - 1u};
}

/* The places of a line, by its number and 1 more. */
static inline uint32_t *tf_timed_set(struct tf_core_timing *timing, const struct tf_timed_cache *cache, uint32_t line)
{
    return &timing->cached[(line - 1) * cache->ways & cache->last];
}

/*
 * The core comes to a line, by its number and 1 more, and waits for it. Returns its cycle. The prefetcher asks for the
 * next line when the core comes to a line (InstructionCache.md). So consecutive lines that the cache lacks arrive at
 * the rate of L1, and a jump to such a line waits for a whole read.
 */
uint64_t tf_timed_fetch_line(const struct tf_tile *tile, struct tf_core_timing *timing,
                             const struct tf_timed_cache *cache, uint32_t line, uint64_t cycle);

/* Let the core wait for the line that has its pc. */
static inline uint64_t tf_timed_fetch(const struct tf_tile *tile, struct tf_core_timing *timing,
                                      const struct tf_timed_cache *cache, uint32_t pc, uint64_t cycle)
{
    const uint32_t line = (pc >> cache->line_log2) + 1;
    if (line == timing->line)
        return cycle;
    if (*tf_timed_set(timing, cache, line) != line || pc >= tile->arch->l1_bytes)
        return tf_timed_fetch_line(tile, timing, cache, line, cycle);
    timing->line = line;
    timing->entered = cycle;
    return cycle;
}

/* Will a branch or jump that is about to execute jump? */
bool tf_timed_jumps(const struct tf_hart *hart, const struct tf_rv_insn *insn);

#endif
