/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/observe.h"

#include "tile/riscv/exec.h"
#include "tile/riscv/interp.h"
#include "tile/riscv/page.h"
#include "tile/tile.h"

bool tf_observes(const struct tf_tile *tile, const struct tf_hart *hart)
{
    for (const struct tf_observer *at = tile->observer; at != NULL; at = at->next)
        if ((at->cores >> hart->core & 1) != 0)
            return true;
    return false;
}

bool tf_observe_before(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn,
                       struct tf_observed *observed)
{
    enum tf_exec_kind kind = tf_exec_kind[insn->id];
    *observed = (struct tf_observed){
        .insn = *insn,
        .pc = hart->pc,
        .cycle = hart->cycle,
        .loads = kind == TF_EXEC_LOAD || kind == TF_EXEC_AMO,
        .stores = kind == TF_EXEC_STORE || kind == TF_EXEC_AMO,
    };
    if (observed->loads || observed->stores) {
        observed->address = hart->x[insn->rs1] + (kind == TF_EXEC_AMO ? 0 : (uint32_t)insn->imm);
        observed->bytes = tf_exec_size(insn);
    }
    for (struct tf_observer *at = tile->observer; at != NULL; at = at->next)
        if (at->before != NULL && (at->cores >> hart->core & 1) != 0)
            at->before(at, tile, hart, observed);
    return hart->pc == observed->pc;
}

void tf_observe_after(struct tf_tile *tile, struct tf_hart *hart, const struct tf_observed *observed)
{
    for (struct tf_observer *at = tile->observer; at != NULL; at = at->next)
        if (at->after != NULL && (at->cores >> hart->core & 1) != 0)
            at->after(at, tile, hart, observed);
}

void tf_observe_written(struct tf_tile *tile, uint32_t address, uint32_t bytes)
{
    for (struct tf_observer *at = tile->observer; at != NULL; at = at->next)
        if (at->wrote != NULL)
            at->wrote(at, tile, address, bytes);
}

/* The instruction at pc. NULL: there is none to be had. */
static const struct tf_rv_insn *insn_at(struct tf_tile *tile, uint32_t pc)
{
    struct tf_code_page *page = pc % 4 == 0 && pc < tile->arch->l1_bytes ? tf_code_page_make(tile, pc) : NULL;
    unsigned index = pc / 4 % TF_CODE_WORDS;
    if (page == NULL)
        return NULL;
    if (page->op[index].stale)
        tf_code_refresh(tile, page, index);
    return &page->insn[index];
}

void tf_observed_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit)
{
    while (hart->state == TF_CORE_RUNNING) {
        const struct tf_rv_insn *found = insn_at(tile, hart->pc);
        if (found == NULL) {
            tf_interp_unobserved(tile, hart, hart->cycle + 1); /* says what is wrong there */
            return;
        }
        struct tf_rv_insn insn = *found; /* its page may go */
        struct tf_observed observed;
        if (!tf_observe_before(tile, hart, &insn, &observed))
            continue;
        enum tf_step how = tf_exec(tile, hart, &insn);
        if (how == TF_STEP_STOP)
            return;
        if (how == TF_STEP_NEXT)
            hart->pc += 4;
        hart->cycle++;
        hart->instret++;
        tile->executed++;
        tf_observe_after(tile, hart, &observed);
        if (how == TF_STEP_TRANSFER && hart->cycle >= limit)
            return;
    }
}
