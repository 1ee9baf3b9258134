/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/interp/count.h"

#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/state.h"

void tf_counter_attach(struct tf_tile *tile, struct tf_counter *counter)
{
    /* Two instances of the interpreter do not count. Under these, cores execute one instruction at a time. */
    const bool of_no_core = tf_code_explored(&tile->code) || tf_code_ordered(&tile->code);
    counter->observer = (struct tf_observer){.next = tile->observer, .cores = of_no_core ? UINT32_MAX : 0};
    tile->observer = &counter->observer;
    tile->counter = counter;
}

struct tf_counter *tf_counter_of(const struct tf_tile *tile, unsigned core)
{
    return TF_HOOK(tile->counter) != NULL && (tile->counter->cores >> core & 1) != 0 ? tile->counter : NULL;
}

static enum tf_stretch_end end_of(const struct tf_rv_insn *insn, uint32_t pc, uint32_t next)
{
    if (insn->id == TF_RV_JAL || insn->id == TF_RV_JALR)
        return tf_stretch_end_of_jump(insn->rd, insn->id == TF_RV_JALR ? insn->rs1 : 0);
    if (insn->id == TF_RV_MRET)
        return TF_STRETCH_RETURNS;
    return next == pc + 4 ? TF_STRETCH_PAUSES : TF_STRETCH_JUMPS;
}

void tf_count_insn(const struct tf_tile *tile, const struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t pc)
{
    struct tf_counter *counter = tf_counter_of(tile, hart->core);
    if (counter != NULL)
        counter->ran(counter, hart->core, pc, pc + 4, TF_STRETCH_NEXT(hart->pc) | end_of(insn, pc, hart->pc),
                     hart->cycle);
}

void tf_count_stop(struct tf_tile *tile, const struct tf_hart *hart)
{
    struct tf_counter *counter = tf_counter_of(tile, hart->core);
    if (counter != NULL && hart->state != TF_CORE_RUNNING)
        counter->stopped(counter, tile, hart);
}
