/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/timed/timed.h"

#include <stdlib.h>
#include <string.h>

#include "host/extremes.h"
#include "host/saved.h"
#include "tile/times.h"
#include "tile/hash.h"
#include "tile/riscv/code/page.h"
#include "tile/riscv/hart/pure.h"
#include "tile/riscv/timed/fetch.h"
#include "tile/riscv/timed/model.h"
#include "tile/riscv/timed/trail.h"
#include "tile/riscv/timed/wait.h"
#include "tile/state.h"
#include "tilefarm_address.h"

bool tf_timed_create(struct tf_tile *tile, bool coarse)
{
    struct tf_timed_tile *whole = calloc(1, sizeof *whole);
    tile->timing = whole != NULL ? &whole->timing : NULL;
    if (whole != NULL)
        whole->coarse = coarse;
    return whole != NULL;
}

void tf_timed_destroy(struct tf_tile *tile)
{
    if (tile->timing != NULL) {
        tf_path_destroy(tf_path_of(tile->timing));
        free(tf_timed_whole(tile->timing)->private);
    }
    free(tile->timing);
    tile->timing = NULL;
}

static enum tf_time time_of_load(const struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_timing *timing,
                                 uint32_t address)
{
    if (address < tile->arch->l1_bytes)
        return tf_timed_in_l0(tile, hart, timing, address) ? TF_TIME_RV_LOAD_L0 : TF_TIME_RV_LOAD_L1;
    return tf_timed_of_window(tf_map_find(tile->arch->map, address));
}

void tf_timed_look(struct tf_tile *tile, const struct tf_hart *hart)
{
    tile->timing->core[hart->core].look = (uint32_t)(hart->cycle - tile->timing->core[hart->core].anchor);
}

void tf_timed_probe(struct tf_tile *tile, struct tf_hart *hart)
{
    struct tf_core_timing *timing = &tile->timing->core[hart->core];
    if (hart->state == TF_CORE_PARKED) {
        timing->round = (uint32_t)tf_min(tf_max(hart->cycle - timing->anchor, hart->park.period), UINT32_MAX);
        memset(hart->park.memo_at, 0, sizeof hart->park.memo_at); /* remembered rounds would take no time */
    } else if (hart->park.anchored && hart->park.period == 0) {
        timing->anchor = hart->cycle;
        timing->look = 0;
    }
}

/* Skip rounds of a parked core. */
static void skip(const struct tf_tile *tile, struct tf_hart *hart, uint64_t rounds)
{
    hart->park.held = true;
    hart->cycle += rounds * tile->timing->core[hart->core].round;
    hart->instret += rounds * hart->park.period;
}

void tf_timed_rest(const struct tf_tile *tile, struct tf_hart *hart, uint64_t cycle)
{
    skip(tile, hart, hart->cycle >= cycle ? 0 : (cycle - hart->cycle) / tile->timing->core[hart->core].round);
}

void tf_timed_see(const struct tf_tile *tile, struct tf_hart *hart, uint64_t cycle)
{
    tf_timed_rest(tile, hart, cycle);
    skip(tile, hart, hart->cycle + tile->timing->core[hart->core].look < cycle);
}

enum tf_spent tf_timed_waits_for(const struct tf_tile *tile, const struct tf_hart *hart)
{
    if (hart->state == TF_CORE_BLOCKED)
        return tf_timed_wait_at(tile, hart->wait_address);
    for (unsigned i = 0; i < hart->park.inputs; i++)
        if (hart->park.input[i].size != 0 && hart->park.input[i].address - TF_LOCAL_BASE >= hart->local_bytes)
            return tf_timed_wait_at(tile, hart->park.input[i].address);
    return TF_SPENT_OTHER;
}

/* What the core has waited for, which now comes to an instruction: its access was blocked, or the core has polled. */
static enum tf_spent waits_for(const struct tf_tile *tile, const struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    const enum tf_exec_kind kind = tf_exec_kind[insn->id];
    if (kind == TF_EXEC_STORE || kind == TF_EXEC_LOAD) {
        const uint32_t address = hart->x[insn->rs1] + (uint32_t)insn->imm;
        if (address - TF_LOCAL_BASE >= hart->local_bytes)
            return tf_timed_wait_at(tile, address);
    }
    return tf_timed_waits_for(tile, hart);
}

void tf_timed_issue(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, struct tf_timed *timed)
{
    struct tf_core_timing *timing = &tile->timing->core[hart->core];
    const uint16_t *value = tile->arch->times->value;
    const enum tf_exec_kind kind = tf_exec_kind[insn->id];
    struct tf_path *path = tf_path_of(tile->timing);
    *timed = (struct tf_timed){.pc = hart->pc};
    if (path != NULL)
        tf_trail_comes(tile, hart, path, insn, waits_for(tile, hart, insn));
    if (hart->cycle > timing->counted) { /* it was parked, blocked or stopped; its first start ends no wait */
        if (timing->spent[TF_TIME_RV_ISSUE] != 0)
            timing->waited[waits_for(tile, hart, insn)] += hart->cycle - timing->counted;
        timing->counted = hart->cycle;
    }
    const struct tf_timed_form *form = &tf_timed_form[insn->id];
    const struct tf_timed_cache cache = tf_timed_cache(value, hart->core);
    hart->cycle = tf_timed_fetch(tile, timing, &cache, hart->pc, hart->cycle);
    hart->cycle = tf_timed_await(timing, hart->cycle, tf_timed_register(form->rs1, insn->rs1),
                                 tf_timed_register(form->rs2, insn->rs2), tf_timed_register(form->rs3, insn->rs3));
    if (kind == TF_EXEC_LOAD || kind == TF_EXEC_STORE || kind == TF_EXEC_AMO)
        timed->address = hart->x[insn->rs1] + (kind == TF_EXEC_AMO ? 0 : (uint32_t)insn->imm);
    if ((kind == TF_EXEC_LOAD && tf_map_find(tile->arch->map, timed->address) != TF_AT_OWN_LOCAL) ||
        kind == TF_EXEC_AMO)
        tf_timed_wait(timing, &hart->cycle, *tf_timed_load_place(timing), TF_TIME_RV_LOADS);
    if (kind == TF_EXEC_STORE && timed->address < tile->arch->l1_bytes &&
        !tf_timed_joins(value, timing, timed->address))
        tf_timed_wait(timing, &hart->cycle, timing->store[timing->next_store], TF_TIME_RV_STORE_L1);
    if (tf_timed_divides(insn->id))
        timed->divides = (uint16_t)tf_timed_division(value, insn->id, hart->x[insn->rs1], hart->x[insn->rs2]);
    if ((tf_rv_info(insn->id)->flags & (TF_RV_F_BRANCH | TF_RV_F_JUMP)) != 0)
        timed->jumps = tf_timed_jumps(hart, insn);
    timing->counted = hart->cycle;
    if (path != NULL)
        tf_trail_pass(path, timing, hart->core, timed->pc);
}

static void loaded(const struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_timing *timing,
                   const struct tf_rv_insn *insn, uint64_t issued, uint32_t address)
{
    const bool atomic = tf_exec_kind[insn->id] == TF_EXEC_AMO;
    const enum tf_time time = atomic ? TF_TIME_RV_LOAD_ATOMIC : time_of_load(tile, hart, timing, address);
    tf_timed_loaded(tile->arch->times->value, timing, tf_timed_written(&tf_timed_form[insn->id], insn), issued, time);
}

static void computed(const struct tf_tile *tile, struct tf_hart *hart, struct tf_core_timing *timing,
                     const struct tf_rv_insn *insn, const struct tf_timed *timed)
{
    const uint16_t *value = tile->arch->times->value;
    const uint16_t flags = tf_rv_info(insn->id)->flags;
    const uint64_t issued = hart->cycle - 1;
    const unsigned r = tf_timed_written(&tf_timed_form[insn->id], insn);
    if (tf_timed_multiplies(insn->id)) {
        tf_timed_known_after(value, timing, r, issued, TF_TIME_RV_MULTIPLY_LATENCY);
        tf_timed_occupy(timing, &hart->cycle, value[TF_TIME_RV_MULTIPLY], TF_TIME_RV_MULTIPLY);
    } else if (timed->divides != 0) {
        timing->ready[r] = 0;
        tf_timed_occupy(timing, &hart->cycle, timed->divides, TF_TIME_RV_DIVIDE_STEP);
    } else if ((flags & TF_RV_F_FP) != 0) {
        tf_timed_known_after(value, timing, r, issued, TF_TIME_RV_FLOAT_LATENCY);
    } else {
        timing->ready[r] = 0;
    }
    if ((flags & (TF_RV_F_BRANCH | TF_RV_F_JUMP)) != 0)
        tf_timed_jumped(value, timing, &hart->cycle, timed->pc, timed->jumps, hart->pc);
    if ((flags & TF_RV_F_FENCE) != 0)
        memset(timing->l0, 0, sizeof timing->l0);
}

void tf_timed_retired(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn,
                      const struct tf_timed *timed)
{
    struct tf_core_timing *timing = &tile->timing->core[hart->core];
    const uint16_t *value = tile->arch->times->value;
    const uint64_t issued = hart->cycle - 1;
    struct tf_path *path = tf_path_of(tile->timing);
    if (path != NULL)
        tf_trail_executed(tile, hart, path, insn, timed);
    timing->spent[TF_TIME_RV_ISSUE]++;
    switch ((enum tf_exec_kind)tf_exec_kind[insn->id]) {
    case TF_EXEC_PURE: computed(tile, hart, timing, insn, timed); break;
    case TF_EXEC_LOAD:
    case TF_EXEC_AMO: loaded(tile, hart, timing, insn, issued, timed->address); break;
    case TF_EXEC_STORE:
        if (timed->address < tile->arch->l1_bytes)
            tf_timed_stored(value, timing, issued, timed->address, tf_timed_joins(value, timing, timed->address));
        else
            timing->store_at = 0;
        break;
    case TF_EXEC_CSR:
        timing->ready[tf_timed_written(&tf_timed_form[insn->id], insn)] = 0;
        tf_timed_occupy(timing, &hart->cycle, value[TF_TIME_RV_CSR], TF_TIME_RV_CSR);
        break;
    case TF_EXEC_VECTOR: /* scalar registers that it writes are few: all wait */
        for (unsigned r = 1; r < 32; r++)
            if ((tf_rv_x_written(insn) >> r & 1) != 0 && timing->ready[r] < issued + 3)
                tf_timed_known_after(value, timing, r, issued, TF_TIME_RV_VECTOR_LATENCY);
        break;
    default: break;
    }
    timing->counted = hart->cycle;
    if (path != NULL)
        tf_trail_pass(path, timing, hart->core, timed->pc);
}

/* The file may be damaged. */
static bool fits(const struct tf_core_timing *timing, const struct tf_hart *hart)
{
    bool fits = timing->next_store < TF_TIMED_STORES && (hart->state != TF_CORE_PARKED || timing->round != 0);
    for (unsigned r = 0; r < sizeof timing->because; r++)
        fits = fits && timing->because[r] < TF_TIMES;
    return fits;
}

void tf_timed_state(struct tf_saved *saved, struct tf_tile *tile)
{
    if (tile->timing == NULL)
        return;
    TF_SAVED_MEMORY(saved, *tile->timing);
    for (unsigned core = 0; core < tile->arch->cores; core++)
        tf_saved_demand(saved, fits(&tile->timing->core[core], &tile->hart[core]),
                        "it is damaged: the timing of a core is invalid");
}

void tf_timed_hash(const struct tf_tile *tile, struct tf_hash *hash)
{
    if (tile->timing != NULL)
        tf_hash_bytes(hash, tile->timing, sizeof *tile->timing);
}
