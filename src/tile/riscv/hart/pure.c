/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/hart/pure.h"

#include "tile/riscv/isa/alu.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/isa/flags.h"
#include "tile/riscv/fp/fp.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/hart/state.h"

#define KIND_BUT_SYSTEM(flags) ((flags)&LOAD ? TF_EXEC_LOAD : (flags)&STORE ? TF_EXEC_STORE : KIND_BUT_MEMORY(flags))
#define KIND_BUT_MEMORY(flags) ((flags)&AMO ? TF_EXEC_AMO : (flags)&CSR ? TF_EXEC_CSR : TF_EXEC_PURE)
#define KIND(flags) ((flags)&SYSTEM ? TF_EXEC_SYSTEM : KIND_BUT_SYSTEM(flags))

const uint8_t tf_exec_kind[TF_RV_COUNT] = {
#define RV(id, mnemonic, mask, match, format, extension, flags) [TF_RV_##id] = KIND(flags),
#include "tile/riscv/isa/rv.def"
#undef RV
    [TF_RV_TTINSN] = TF_EXEC_PUSH,
    [TF_RV_VECTOR] = TF_EXEC_VECTOR,
    [TF_RV_ILLEGAL] = TF_EXEC_SYSTEM,
};

void tf_exec_loaded(struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t value)
{
    if (tf_exec_is_float(insn))
        hart->f[insn->rd] = insn->id == TF_RV_FLH ? tf_fp_box(value) : value;
    else if (insn->rd == 0)
        return;
    else if (insn->id == TF_RV_LB)
        hart->x[insn->rd] = (uint32_t)(int8_t)value;
    else if (insn->id == TF_RV_LH)
        hart->x[insn->rd] = (uint32_t)(int16_t)value;
    else
        hart->x[insn->rd] = value;
}

static void exec_fp(struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    unsigned format = tf_rv_info(insn->id)->format;
    uint32_t a = format == TF_RV_FMT_FFX ? hart->x[insn->rs1] : hart->f[insn->rs1];
    uint32_t flags = 0;
    uint32_t result = tf_fp_execute(insn->id, a, hart->f[insn->rs2], hart->f[insn->rs3],
                                    tf_fp_half_of_cfg0(hart->csr.word[TF_CSR_CFG0]), &flags);
    tf_csr_raise_fflags(&hart->csr, flags);
    if (format != TF_RV_FMT_FXF && format != TF_RV_FMT_FCMP)
        hart->f[insn->rd] = result;
    else if (insn->rd != 0)
        hart->x[insn->rd] = result;
}

static enum tf_step transfer(struct tf_hart *hart, unsigned link, uint32_t target)
{
    if (link != 0)
        hart->x[link] = hart->pc + 4;
    hart->pc = target;
    return TF_STEP_TRANSFER;
}

enum tf_step tf_exec_pure(struct tf_hart *hart, const struct tf_rv_insn *insn)
{
    uint32_t a = hart->x[insn->rs1];
    uint32_t b = hart->x[insn->rs2];
    uint32_t imm = (uint32_t)insn->imm;
    uint32_t result;
    switch (insn->id) {
#define X(id, expression) \
    case TF_RV_##id: result = expression; break;
        TF_ALU_BINARY(X)
        TF_ALU_UNARY(X)
#undef X
#define X(id, expression)    \
    case TF_RV_##id:         \
        b = imm;             \
        result = expression; \
        break;
        TF_ALU_IMMEDIATE(X)
#undef X
#define X(id, condition) \
    case TF_RV_##id: return transfer(hart, 0, condition ? hart->pc + imm : hart->pc + 4);
        TF_BRANCHES(X)
#undef X
    case TF_RV_LUI: result = imm; break;
    case TF_RV_AUIPC: result = hart->pc + imm; break;
    case TF_RV_JAL: return transfer(hart, insn->rd, hart->pc + imm);
    case TF_RV_JALR: return transfer(hart, insn->rd, (a + imm) & ~1u);
    case TF_RV_FENCE: return TF_STEP_NEXT;
    default: exec_fp(hart, insn); return TF_STEP_NEXT;
    }
    if (insn->rd != 0)
        hart->x[insn->rd] = result;
    return TF_STEP_NEXT;
}
