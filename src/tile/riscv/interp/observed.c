/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/explore/cores/loads.h"
#include "tile/mmio/core_debug.h"
#include "tile/riscv/hart/observed.h"
#include "tile/riscv/interp/observed.h"

#include "tile/riscv/code/insn.h"
#include "tile/riscv/hart/retired.h"
#include "tile/riscv/interp/count.h"
#include "tile/riscv/exec/exec.h"
#include "tile/riscv/timed/timed.h"
#include "tile/riscv/vector/vexec.h"

/* The access of an instruction that is about to execute. */
static struct tf_retired reach_of(struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    enum tf_exec_kind kind = tf_exec_kind[insn->id];
    struct tf_retired reach = {
        .pc = hart->pc,
        .loads = kind == TF_EXEC_LOAD || kind == TF_EXEC_AMO,
        .stores = kind == TF_EXEC_STORE || kind == TF_EXEC_AMO,
    };
    if (reach.loads || reach.stores) {
        reach.address = hart->x[insn->rs1] + (kind == TF_EXEC_AMO ? 0 : (uint32_t)insn->imm);
        reach.bytes = tf_exec_size(insn);
    }
    if (kind == TF_EXEC_VECTOR && hart->v != NULL)
        tf_v_reach(hart, insn, &reach);
    return reach;
}

bool tf_observe_before(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn,
                       struct tf_observed *observed)
{
    *observed = (struct tf_observed){.insn = *insn, .cycle = hart->cycle, .reach = reach_of(hart, insn)};
    for (struct tf_observer *at = tile->observer; at != NULL; at = at->next)
        if (at->before != NULL && (at->cores >> hart->core & 1) != 0)
            at->before(at, tile, hart, observed);
    return hart->pc == observed->reach.pc;
}

void tf_observe_after(struct tf_tile *tile, struct tf_hart *hart, const struct tf_observed *observed)
{
    for (struct tf_observer *at = tile->observer; at != NULL; at = at->next)
        if (at->after != NULL && (at->cores >> hart->core & 1) != 0)
            at->after(at, tile, hart, observed);
}

void tf_observed_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit)
{
    const bool is_timed = tile->timing != NULL;
    const bool watched = hart->watched, searches = hart->searches, overtaken = hart->overtaken;
    const bool seen = watched || tf_observes(tile, hart);
    struct tf_code_page *page = NULL;
    uint32_t generation = tile->code_generation;
    while (hart->state == TF_CORE_RUNNING && hart->watched == watched && hart->searches == searches &&
           hart->overtaken == overtaken && !(watched && hart->cycle >= limit)) {
        if (tile->code_generation != generation)
            page = NULL; /* it may be released */
        generation = tile->code_generation;
        const struct tf_rv_insn *found = tf_code_fetches(tile, hart, hart->pc) ? tf_code_insn(tile, hart->pc, &page)
                                                                               : NULL;
        if (found == NULL) {
            /* A debugger may stop the core here and move it: functions that it calls return to the stack. */
            const struct tf_rv_insn none = {.word = 0};
            struct tf_observed observed;
            if (seen && !tf_observe_before(tile, hart, &none, &observed))
                continue;
            tf_interp_unobserved(tile, hart, hart->cycle + 1); /* this records the fault */
            return;
        }
        struct tf_rv_insn insn = *found; /* its page may be released */
        if (overtaken && !tf_explored_overtakes(tile, hart, &insn))
            return;
        const uint32_t pc = hart->pc;
        struct tf_observed observed;
        struct tf_timed timed;
        if (is_timed)
            tf_timed_issue(tile, hart, &insn, &timed);
        if (seen && !tf_observe_before(tile, hart, &insn, &observed))
            continue;
        enum tf_step how = tf_exec(tile, hart, &insn);
        if (how == TF_STEP_STOP)
            return;
        if (how == TF_STEP_NEXT)
            hart->pc += 4;
        tf_hart_retired(tile, hart, 1);
        if (is_timed)
            tf_timed_retired(tile, hart, &insn, &timed);
        if (seen)
            tf_observe_after(tile, hart, &observed);
        tf_count_insn(tile, hart, &insn, pc);
        if (watched)
            tf_core_debug_retired(tile, hart->core, &observed.reach);
        else if (how == TF_STEP_TRANSFER && hart->cycle >= limit)
            return;
    }
}
