/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What happens here is what the interpreter would do, without its start for each load. A load of the clock depends on
 * its cycle alone, and a core that is the earliest may execute it. Between loads only x registers change. Where another
 * instruction comes, or a probe is due, the core goes back to its last load.
 */
#include "tile/run/clock_loop.h"

#include <string.h>

#include "host/extremes.h"
#include "tile/mmio/clock.h"
#include "tile/mmio/clock_words.h"
#include "tile/riscv/code/insn.h"
#include "tile/riscv/code/page.h"
#include "tile/riscv/hart/pure.h"
#include "tile/riscv/hart/retired.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/park/input.h"
#include "tile/tensix/asleep.h"
#include "tilefarm_address.h"

#define LOOP_MOST 32u /* instructions between two loads of the clock */

/* A core before a load of the clock. */
struct before_load {
    uint32_t x[TF_OP_SINK];
    uint32_t pc;
    uint64_t cycle;
};

static void keep(struct before_load *load, const struct tf_hart *hart, uint64_t cycle)
{
    memcpy(load->x, hart->x, sizeof load->x);
    load->pc = hart->pc;
    load->cycle = cycle;
}

/* Is the core as tf_hart_go_on() would run it without probes, interrupts and observers, and without other units? */
static bool is_plain(const struct tf_tile *tile, const struct tf_hart *hart)
{
    return TF_HOOK(tile->observer) == NULL && !tile->pollers && tf_tensix_asleep(tile) && !hart->watched &&
           !hart->searches && !hart->park.probing && hart->cycle < hart->park.probe_at &&
           (tile->interruptible >> hart->core & 1) == 0;
}

/* Do the core's loads from the words of the clock reach it? */
static bool reaches_clock(const struct tf_tile *tile, const struct tf_hart *hart)
{
    const struct tf_tile_arch *arch = tile->arch;
    return arch->eth == NULL && (arch->debug_bytes == 0 || arch->debug_bytes > TF_DEBUG_CLOCK_H) &&
           (arch->map->window[TF_AT_DEBUG].reached_by >> hart->core & 1) != 0;
}

static bool loads_clock(const struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    return insn->id == TF_RV_LW && tf_clock_is_at(hart->x[insn->rs1] + (uint32_t)insn->imm);
}

static bool computes(const struct tf_rv_insn *insn)
{
    return tf_exec_kind[insn->id] == TF_EXEC_PURE && !tf_park_floats(insn) && insn->id != TF_RV_FENCE;
}

/* The clock as a load in a cycle reads it. */
static uint32_t load_clock(struct tf_tile *tile, const struct tf_hart *hart, const struct tf_rv_insn *insn,
                           uint64_t cycle)
{
    tile->cycle = cycle;
    return tf_clock_load(tile, (hart->x[insn->rs1] + (uint32_t)insn->imm) - TF_DEBUG_BASE);
}

/* Run to the next load that must wait, or to the end of the turn. False: another instruction comes. *cycle: the core's
   own. *load: where the core stood before its last load; its cycle is UINT64_MAX if there was none. */
static bool run(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline, uint64_t *cycle,
                struct before_load *load)
{
    const uint64_t limit = tf_min(deadline, hart->park.probe_at), horizon = tile->slice.horizon;
    struct tf_code_page *page = NULL;
    unsigned left = 0;
    load->cycle = UINT64_MAX;
    for (;; (*cycle)++, left--) {
        const struct tf_rv_insn *insn = tf_code_fetches(tile, hart, hart->pc) ? tf_code_insn(tile, hart->pc, &page)
                                                                              : NULL;
        if (insn == NULL)
            return false;
        if (loads_clock(hart, insn)) {
            hart->yielded = *cycle >= horizon;
            if (hart->yielded)
                return true;
            if (*cycle < limit) {
                keep(load, hart, *cycle);
                left = LOOP_MOST;
            }
            hart->x[insn->rd == 0 ? TF_OP_SINK : insn->rd] = load_clock(tile, hart, insn, *cycle);
            hart->pc += 4;
        } else if (left == 0 || !computes(insn)) {
            return false;
        } else if (tf_exec_pure(hart, insn) == TF_STEP_NEXT) {
            hart->pc += 4;
        } else if (*cycle + 1 >= limit) {
            (*cycle)++;
            return limit == deadline; /* else a probe begins */
        }
    }
}

bool tf_clock_loop_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    struct before_load load;
    uint64_t cycle = hart->cycle;
    if (!is_plain(tile, hart) || !reaches_clock(tile, hart))
        return false;
    const bool done = run(tile, hart, deadline, &cycle, &load);
    if (!done) {
        tile->clock_loops &= (uint8_t) ~(1u << hart->core);
        if (load.cycle == UINT64_MAX) /* nothing has been executed */
            return false;
        memcpy(hart->x, load.x, sizeof load.x);
        hart->pc = load.pc;
        cycle = load.cycle;
    }
    tf_hart_retired(tile, hart, (int)(cycle - hart->cycle));
    return done;
}
