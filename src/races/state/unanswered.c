/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A load of a register orders later accesses only when it is answered. It is answered before an instruction needs its
 * value, and before a fence, an atomic, or the end of seven other instructions. Until then accesses to L1 may come
 * first (MemoryOrdering.md, "Enforcing stronger ordering").
 */
#include "races/state/unanswered.h"
#include "races/state/insn.h"
#include "races/state/state.h"
#include "tile/explore/cores/explore.h"
#include "tile/riscv/isa/decode.h"

void loads_answered(struct race_core *of)
{
    tf_view_clear(&of->unanswered.view);
    of->unanswered.valid = false;
}

/* Does an instruction after a load, up to the one at pc, need the value? It may lie beyond a jump. */
static bool is_needed(const struct tf_tile *tile, const struct unanswered *unanswered, uint32_t pc)
{
    struct tf_rv_insn insn;
    if (pc <= unanswered->pc || pc - unanswered->pc > 4 * TF_OVERTAKE_MOST)
        return true;
    for (uint32_t at = unanswered->pc + 4; at <= pc; at += 4)
        if (!insn_at(tile, at, &insn) || !tf_rv_is_listed(&insn) || (tf_rv_x_read(&insn) >> unanswered->rd & 1) != 0)
            return true;
    return false;
}

const struct tf_view *known_before(struct site *site, unsigned core, uint32_t pc)
{
    struct race_core *of = &site->core[core];
    if (of->unanswered.valid && is_needed(site->tile, &of->unanswered, pc))
        loads_answered(of);
    return of->unanswered.valid ? &of->unanswered.view : &of->view;
}

bool needed_next(const struct site *site, unsigned core, uint32_t pc)
{
    struct unanswered load = {.pc = pc};
    struct tf_rv_insn insn;
    if (site->core[core].unanswered.valid) /* of an earlier load: known_at() decides */
        return false;
    if (!insn_at(site->tile, pc, &insn))
        return true;
    load.rd = insn.rd;
    return is_needed(site->tile, &load, pc + 4);
}

void loaded_register(struct site *site, unsigned core, uint32_t pc, struct tf_clock *before)
{
    struct race_core *of = &site->core[core];
    struct tf_rv_insn insn;
    if (of->view.clock == before || known_at(site, core, pc) != &of->view || !insn_at(site->tile, pc, &insn))
        tf_clock_drop(before); /* the core has learned nothing, or an earlier load is not answered either */
    else
        of->unanswered = (struct unanswered){.view = {before}, .pc = pc, .rd = insn.rd, .valid = true};
}
