/* SPDX-License-Identifier: Apache-2.0 */
/* One line of assembly per word, spelt as GNU objdump -M no-aliases does, with a space after the mnemonic. */
#include "tile/riscv/isa/disasm.h"

#include <stdbool.h>
#include <stdio.h>

#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/riscv/isa/vdisasm.h"
#include "tile/tensix/isa/disasm.h"

const char *const tf_rv_x_names[32] = {
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
    "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

const char *const tf_rv_f_names[32] = {
    "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
    "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11",
};

/* objdump omits the dynamic mode. */
static const char *const roundings[8] = {",rne", ",rtz", ",rdn", ",rup", ",rmm", ",unknown", ",unknown", ""};

/* Fence sets, by bits i, o, r, w from the top. */
static const char *const fence_sets[16] = {
    "unknown", "w", "r", "rw", "o", "ow", "or", "orw", "i", "iw", "ir", "irw", "io", "iow", "ior", "iorw",
};

struct operands {
    const char *mnemonic;
    const char *xd, *x1, *x2, *fd, *f1, *f2, *f3;
    const char *suffix; /* rounding mode, or nothing */
};

/* fcvt.s.h is exact. Its mode is 0, and is not printed. */
static const char *rounding(const struct tf_rv_insn *insn, const struct tf_rv_info *info)
{
    unsigned mode = insn->word >> 12 & 7;
    if (!(info->flags & TF_RV_F_ROUND) || (insn->id == TF_RV_FCVT_S_H && mode == 0)) {
        return "";
    }
    return roundings[mode];
}

/* Words that have their own names in the standard. */
static int print_named(const struct tf_rv_insn *insn, const struct operands *o, char *text, unsigned bytes)
{
    if (insn->id == TF_RV_GREVI && (insn->imm == 24 || insn->imm == 7)) {
        return snprintf(text, bytes, "%s %s,%s", insn->imm == 24 ? "rev8" : "brev8", o->xd, o->x1);
    }
    if (insn->id == TF_RV_PACK && insn->rs2 == 0) {
        return snprintf(text, bytes, "zext.h %s,%s", o->xd, o->x1);
    }
    return -1;
}

static int print_system(const struct tf_rv_insn *insn, unsigned format, const struct operands *o, char *text,
                        unsigned bytes)
{
    if (format == TF_RV_FMT_FENCE) {
        if (insn->word == 0x8330000f) {
            return snprintf(text, bytes, "fence.tso");
        }
        return snprintf(text, bytes, "%s %s,%s", o->mnemonic, fence_sets[insn->imm >> 4 & 15],
                        fence_sets[insn->imm & 15]);
    }
    char number[8];
    const char *csr = tf_csr_name((unsigned)insn->imm);
    if (!csr) {
        snprintf(number, sizeof number, "0x%x", (unsigned)insn->imm & 0xfff);
        csr = number;
    }
    if (format == TF_RV_FMT_CSRI) {
        return snprintf(text, bytes, "%s %s,%s,%u", o->mnemonic, o->xd, csr, insn->rs1);
    }
    return snprintf(text, bytes, "%s %s,%s,%s", o->mnemonic, o->xd, csr, o->x1);
}

static int print_float(unsigned format, const struct operands *o, char *text, unsigned bytes)
{
    switch (format) {
    case TF_RV_FMT_R4:
        return snprintf(text, bytes, "%s %s,%s,%s,%s%s", o->mnemonic, o->fd, o->f1, o->f2, o->f3, o->suffix);
    case TF_RV_FMT_FR: return snprintf(text, bytes, "%s %s,%s,%s%s", o->mnemonic, o->fd, o->f1, o->f2, o->suffix);
    case TF_RV_FMT_FFF: return snprintf(text, bytes, "%s %s,%s%s", o->mnemonic, o->fd, o->f1, o->suffix);
    case TF_RV_FMT_FCMP: return snprintf(text, bytes, "%s %s,%s,%s", o->mnemonic, o->xd, o->f1, o->f2);
    case TF_RV_FMT_FXF: return snprintf(text, bytes, "%s %s,%s%s", o->mnemonic, o->xd, o->f1, o->suffix);
    default: return snprintf(text, bytes, "%s %s,%s%s", o->mnemonic, o->fd, o->x1, o->suffix);
    }
}

static int print_integer(const struct tf_rv_insn *insn, unsigned format, uint64_t target, const struct operands *o,
                         char *text, unsigned bytes)
{
    static const char *const order[4] = {"", ".rl", ".aq", ".aqrl"};
    const char *name = o->mnemonic;
    int imm = insn->imm;
    unsigned long long to = target;
    switch (format) {
    case TF_RV_FMT_NONE: return snprintf(text, bytes, "%s", name);
    case TF_RV_FMT_R: return snprintf(text, bytes, "%s %s,%s,%s", name, o->xd, o->x1, o->x2);
    case TF_RV_FMT_R1: return snprintf(text, bytes, "%s %s,%s", name, o->xd, o->x1);
    case TF_RV_FMT_I: return snprintf(text, bytes, "%s %s,%s,%d", name, o->xd, o->x1, imm);
    case TF_RV_FMT_SHIFT: return snprintf(text, bytes, "%s %s,%s,0x%x", name, o->xd, o->x1, (unsigned)imm);
    case TF_RV_FMT_LOAD:
    case TF_RV_FMT_JALR: return snprintf(text, bytes, "%s %s,%d(%s)", name, o->xd, imm, o->x1);
    case TF_RV_FMT_STORE: return snprintf(text, bytes, "%s %s,%d(%s)", name, o->x2, imm, o->x1);
    case TF_RV_FMT_FLOAD: return snprintf(text, bytes, "%s %s,%d(%s)", name, o->fd, imm, o->x1);
    case TF_RV_FMT_FSTORE: return snprintf(text, bytes, "%s %s,%d(%s)", name, o->f2, imm, o->x1);
    case TF_RV_FMT_AMO:
        return snprintf(text, bytes, "%s%s %s,%s,(%s)", name, order[insn->word >> 25 & 3], o->xd, o->x2, o->x1);
    case TF_RV_FMT_LR: return snprintf(text, bytes, "%s%s %s,(%s)", name, order[insn->word >> 25 & 3], o->xd, o->x1);
    case TF_RV_FMT_BRANCH: return snprintf(text, bytes, "%s %s,%s,0x%llx", name, o->x1, o->x2, to);
    case TF_RV_FMT_U: return snprintf(text, bytes, "%s %s,0x%x", name, o->xd, (uint32_t)imm >> 12);
    case TF_RV_FMT_J: return snprintf(text, bytes, "%s %s,0x%llx", name, o->xd, to);
    default: return snprintf(text, bytes, "%s 0x%x", name, insn->word);
    }
}

/* target: of a jump or branch. */
static int print_insn(const struct tf_rv_insn *insn, const struct tf_rv_info *info, uint64_t target, bool named,
                      char *text, unsigned bytes)
{
    struct operands o = {
        .mnemonic = info->mnemonic,
        .xd = tf_rv_x_names[insn->rd],
        .x1 = tf_rv_x_names[insn->rs1],
        .x2 = tf_rv_x_names[insn->rs2],
        .fd = tf_rv_f_names[insn->rd],
        .f1 = tf_rv_f_names[insn->rs1],
        .f2 = tf_rv_f_names[insn->rs2],
        .f3 = tf_rv_f_names[insn->rs3],
        .suffix = rounding(insn, info),
    };
    int length = named ? print_named(insn, &o, text, bytes) : -1;
    if (length >= 0)
        return length;
    switch (info->format) {
    case TF_RV_FMT_FENCE:
    case TF_RV_FMT_CSR:
    case TF_RV_FMT_CSRI: return print_system(insn, info->format, &o, text, bytes);
    case TF_RV_FMT_R4:
    case TF_RV_FMT_FR:
    case TF_RV_FMT_FFF:
    case TF_RV_FMT_FCMP:
    case TF_RV_FMT_FXF:
    case TF_RV_FMT_FFX: return print_float(info->format, &o, text, bytes);
    default: return print_integer(insn, info->format, target, &o, text, bytes);
    }
}

int tf_riscv_disassemble(uint32_t word, uint32_t pc, char *text, unsigned bytes)
{
    struct tf_rv_insn insn;
    tf_rv_decode(word, &insn);
    if (insn.id == TF_RV_TTINSN) {
        return tf_tensix_disassemble((uint32_t)insn.imm, text, bytes);
    }
    return tf_riscv_disassemble_as(word, NULL, pc, false, text, bytes);
}

int tf_riscv_disassemble_as(uint32_t word, const struct tf_rv_info *info, uint64_t pc, bool wide, char *text,
                            unsigned bytes)
{
    struct tf_rv_insn insn;
    tf_rv_decode(word, &insn);
    if (info == NULL && insn.id == TF_RV_VECTOR)
        return tf_v_disassemble((unsigned)insn.imm, word, text, bytes);
    if (info == NULL)
        info = tf_rv_info(insn.id);
    else if (info->format == TF_RV_FMT_SHIFT)
        insn.imm = (int32_t)(word >> 20 & 63);
    else
        insn.imm = tf_rv_immediate(word, info->format);
    uint64_t target = pc + (uint64_t)(int64_t)insn.imm;
    return print_insn(&insn, info, wide ? target : (uint32_t)target, !wide, text, bytes);
}
