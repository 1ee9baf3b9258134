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

/* Is the line that has a pc in the cache? Afterwards it is, as the last used one of its set. */
static bool takes_line(struct tf_core_timing *timing, const struct tf_timed_cache *cache, uint32_t pc)
{
    uint32_t *set = tf_timed_set(timing, cache, pc);
    const uint32_t line = tf_timed_line(pc);
    unsigned way = 0;
    while (way < TF_TIMED_WAYS - 1 && set[way] != line)
        way++;
    const bool hit = set[way] == line;
    for (; way != 0; way--)
        set[way] = set[way - 1];
    set[0] = line;
    return hit;
}

uint64_t tf_timed_fetch_late(const struct tf_tile *tile, struct tf_core_timing *timing,
                             const struct tf_timed_cache *cache, uint32_t pc, uint64_t cycle)
{
    const uint32_t line = tf_timed_line(pc);
    const bool follows = line == timing->line + 1;
    timing->line = line;
    if (pc < tile->arch->l1_bytes && !takes_line(timing, cache, pc)) {
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
