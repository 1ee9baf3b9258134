/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/watched.h"

#include "tile/riscv/exec.h"
#include "tile/riscv/interp.h"
#include "tile/riscv/page.h"
#include "tile/riscv/vector/v.h"
#include "tile/tile.h"

/* The instruction at pc. NULL: it cannot be fetched. */
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

/* The memory access of an instruction that is about to execute. */
static struct tf_retired about_to_do(struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    enum tf_exec_kind kind = tf_exec_kind[insn->id];
    struct tf_retired retired = {
        .pc = hart->pc,
        .loads = kind == TF_EXEC_LOAD || kind == TF_EXEC_AMO,
        .stores = kind == TF_EXEC_STORE || kind == TF_EXEC_AMO,
    };
    if (retired.loads || retired.stores) {
        retired.address = hart->x[insn->rs1] + (kind == TF_EXEC_AMO ? 0 : (uint32_t)insn->imm);
        retired.bytes = tf_exec_size(insn);
    }
    if (kind == TF_EXEC_VECTOR && hart->v != NULL)
        tf_v_reach(hart, insn, &retired);
    return retired;
}

void tf_watched_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    while (hart->watched && hart->state == TF_CORE_RUNNING && hart->cycle < deadline) {
        const struct tf_rv_insn *found = insn_at(tile, hart->pc);
        if (found == NULL) {
            tf_interp(tile, hart, hart->cycle + 1); /* records the fault */
            continue;
        }
        struct tf_rv_insn insn = *found; /* its page may be released */
        struct tf_retired retired = about_to_do(hart, &insn);
        enum tf_step how = tf_exec(tile, hart, &insn);
        if (how == TF_STEP_STOP)
            return;
        if (how == TF_STEP_NEXT)
            hart->pc += 4;
        hart->cycle++;
        hart->instret++;
        tile->executed++;
        tf_gdb_retired(tile, hart->core, &retired);
    }
}
