/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/timed/fetch.h"

#include <string.h>

#include "host/extremes.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/times.h"
#include "tile/riscv/isa/alu.h"
#include "tile/state.h"

static inline unsigned duration(const struct tf_tile *tile, enum tf_time time)
{
    return tile->arch->times->value[time];
}

static inline unsigned line_log2(const struct tf_tile *tile)
{
    return (unsigned)__builtin_ctz(duration(tile, TF_TIME_RV_FETCH_LINE));
}

/* Bytes of a core's instruction cache. */
static unsigned cache_of(const struct tf_tile *tile, const struct tf_hart *hart)
{
    static const uint8_t row[] = {
        [TF_CORE_B] = TF_TIME_RV_CACHE_B,   [TF_CORE_NC] = TF_TIME_RV_CACHE_NC, [TF_CORE_T0] = TF_TIME_RV_CACHE_T0,
        [TF_CORE_T1] = TF_TIME_RV_CACHE_T1, [TF_CORE_T2] = TF_TIME_RV_CACHE_T2,
    };
    return duration(tile, (enum tf_time)row[hart->core]);
}

/* Is a line in the cache? Afterwards it is, as the last used one of its set. */
static bool takes_line(const struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_timing *timing,
                       uint32_t line)
{
    const unsigned ways = duration(tile, TF_TIME_RV_CACHE_WAYS);
    const unsigned lines = cache_of(tile, hart) >> line_log2(tile); /* powers of two: times.c */
    uint32_t *set = &timing->cached[(line - 1) * ways & (lines - 1)];
    unsigned way = 0;
    while (way < ways - 1 && set[way] != line)
        way++;
    const bool hit = set[way] == line;
    memmove(set + 1, set, way * sizeof *set);
    set[0] = line;
    return hit;
}

/*
 * The prefetcher asks for the next line when the core comes to a line (InstructionCache.md). So consecutive lines that
 * the cache lacks arrive at the rate of L1, and a jump to such a line waits for a whole read.
 */
void tf_timed_fetch(const struct tf_tile *tile, struct tf_hart *hart, struct tf_core_timing *timing)
{
    const uint32_t line = (hart->pc >> line_log2(tile)) + 1;
    if (line == timing->line)
        return;
    const bool follows = line == timing->line + 1;
    timing->line = line;
    if (hart->pc < tile->arch->l1_bytes && !takes_line(tile, hart, timing, line)) {
        const uint64_t period = duration(tile, TF_TIME_RV_FETCH_PERIOD);
        const uint64_t asked = follows ? timing->entered : hart->cycle;
        const uint64_t takes = follows ? period : tf_max(period, duration(tile, TF_TIME_RV_FETCH_MISS) * TF_CENTS);
        timing->fetched = tf_max(timing->fetched, asked * TF_CENTS) + takes;
        tf_timed_wait(timing, &hart->cycle, timing->fetched / TF_CENTS,
                      follows ? TF_TIME_RV_FETCH_PERIOD : TF_TIME_RV_FETCH_MISS);
    }
    timing->entered = hart->cycle;
}

bool tf_timed_jumps(const struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    const uint32_t a = hart->x[insn->rs1], b = hart->x[insn->rs2];
    switch (insn->id) {
#define X(id, condition) \
    case TF_RV_##id: return condition;
        TF_BRANCHES(X)
#undef X
    default: return true;
    }
}

bool tf_timed_predicted(const struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_timing *timing,
                        const struct tf_timed *timed)
{
    const unsigned place = timed->pc / 4 & (duration(tile, TF_TIME_RV_PREDICTED) - 1); /* a power of two */
    const bool known = (timing->place[place] & ~1u) == timed->pc;
    const bool predicted = known && (timing->place[place] & 1) != 0;
    const bool right = predicted == timed->jumps && (!predicted || timing->target[place] == hart->pc);
    timing->place[place] = timed->pc | timed->jumps;
    timing->target[place] = hart->pc;
    return right;
}
