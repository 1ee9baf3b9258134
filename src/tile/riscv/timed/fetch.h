/* SPDX-License-Identifier: Apache-2.0 */
/* Timing of a core's frontend: the instruction cache, and the prediction of branches. Only for timed.c. */
#ifndef TILE_RISCV_TIMED_FETCH_H
#define TILE_RISCV_TIMED_FETCH_H

#include "tile/riscv/isa/decoded.h"
#include "tile/timing.h"
#include "tile/state.h"
#include "tile/times.h"

struct tf_hart;

/* A core's instruction cache. */
struct tf_timed_cache {
    uint32_t sets; /* the first place of a line's set in cached[] is its address / (bytes in a place) & this mask */
};

static inline struct tf_timed_cache tf_timed_cache(const uint16_t *value, unsigned core)
{
    static const uint8_t row[] = {
        [TF_CORE_B] = TF_TIME_RV_CACHE_B,   [TF_CORE_NC] = TF_TIME_RV_CACHE_NC, [TF_CORE_T0] = TF_TIME_RV_CACHE_T0,
        [TF_CORE_T1] = TF_TIME_RV_CACHE_T1, [TF_CORE_T2] = TF_TIME_RV_CACHE_T2,
    };
    const uint32_t places = value[row[core]] / TF_TIMED_LINE; /* a power of two: times.c */
    return (struct tf_timed_cache){places - TF_TIMED_WAYS};
}

/* The places of the line that has a pc. */
static inline uint32_t *tf_timed_set(struct tf_core_timing *timing, const struct tf_timed_cache *cache, uint32_t pc)
{
    return &timing->cached[pc / (TF_TIMED_LINE / TF_TIMED_WAYS) & cache->sets];
}

/* A line by number, and 1 more. */
static inline uint32_t tf_timed_line(uint32_t pc)
{
    return pc / TF_TIMED_LINE + 1;
}

/* The core comes to a line, which has its pc, from another one. Is it the last used one of its set? */
static inline bool tf_timed_enters(struct tf_core_timing *timing, const struct tf_timed_cache *cache, uint32_t pc,
                                   uint64_t cycle)
{
    const uint32_t line = tf_timed_line(pc);
    if (*tf_timed_set(timing, cache, pc) != line)
        return false;
    timing->line = line;
    timing->entered = cycle;
    return true;
}

/* The core comes to the line that has its pc. Is it the present one, or the last used one of its set? */
static inline bool tf_timed_fetches(struct tf_core_timing *timing, const struct tf_timed_cache *cache, uint32_t pc,
                                    uint64_t cycle)
{
    return tf_timed_line(pc) == timing->line || tf_timed_enters(timing, cache, pc, cycle);
}

/*
 * If it is neither, the core may wait. Returns its cycle. The prefetcher asks for the next line when the core comes to
 * a line (InstructionCache.md). So consecutive lines that the cache lacks arrive at the rate of L1, and a jump to such
 * a line waits for a whole read.
 */
uint64_t tf_timed_fetch_late(const struct tf_tile *tile, struct tf_core_timing *timing,
                             const struct tf_timed_cache *cache, uint32_t pc, uint64_t cycle);

/* Let the core wait for the line that has its pc, which may be outside L1. */
static inline uint64_t tf_timed_fetch(const struct tf_tile *tile, struct tf_core_timing *timing,
                                      const struct tf_timed_cache *cache, uint32_t pc, uint64_t cycle)
{
    const bool fetches = pc < tile->arch->l1_bytes ? tf_timed_fetches(timing, cache, pc, cycle)
                                                   : tf_timed_line(pc) == timing->line;
    return fetches ? cycle : tf_timed_fetch_late(tile, timing, cache, pc, cycle);
}

/* Will a branch or jump that is about to execute jump? */
bool tf_timed_jumps(const struct tf_hart *hart, const struct tf_rv_insn *insn);

#endif
