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
    return tf_timed_line_log2(tile->arch->times->value);
}

/* Bytes of a core's instruction cache. */
static unsigned cache_of(const struct tf_tile *tile, unsigned core)
{
    static const uint8_t row[] = {
        [TF_CORE_B] = TF_TIME_RV_CACHE_B,   [TF_CORE_NC] = TF_TIME_RV_CACHE_NC, [TF_CORE_T0] = TF_TIME_RV_CACHE_T0,
        [TF_CORE_T1] = TF_TIME_RV_CACHE_T1, [TF_CORE_T2] = TF_TIME_RV_CACHE_T2,
    };
    return duration(tile, (enum tf_time)row[core]);
}

/* Is a line in the cache? Afterwards it is, as the last used one of its set. */
static bool takes_line(const struct tf_tile *tile, unsigned core, struct tf_core_timing *timing, uint32_t line)
{
    const unsigned ways = duration(tile, TF_TIME_RV_CACHE_WAYS);
    const unsigned lines = cache_of(tile, core) >> line_log2(tile); /* powers of two: times.c */
    uint32_t *set = &timing->cached[(line - 1) * ways & (lines - 1)];
    unsigned way = 0;
    while (way < ways - 1 && set[way] != line)
        way++;
    const bool hit = set[way] == line;
    for (; way != 0; way--)
        set[way] = set[way - 1];
    set[0] = line;
    return hit;
}

uint64_t tf_timed_fetch_line(const struct tf_tile *tile, unsigned core, struct tf_core_timing *timing, uint32_t line,
                             uint64_t cycle)
{
    const bool follows = line == timing->line + 1;
    timing->line = line;
    if ((line - 1) << line_log2(tile) < tile->arch->l1_bytes && !takes_line(tile, core, timing, line)) {
        const uint64_t period = duration(tile, TF_TIME_RV_FETCH_PERIOD);
        const uint64_t asked = follows ? timing->entered : cycle;
        const uint64_t takes = follows ? period : tf_max(period, duration(tile, TF_TIME_RV_FETCH_MISS) * TF_CENTS);
        timing->fetched = tf_max(timing->fetched, asked * TF_CENTS) + takes;
        tf_timed_wait(timing, &cycle, timing->fetched / TF_CENTS,
                      follows ? TF_TIME_RV_FETCH_PERIOD : TF_TIME_RV_FETCH_MISS);
    }
    timing->entered = cycle;
    return cycle;
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
