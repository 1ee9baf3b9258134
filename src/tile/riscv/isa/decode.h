/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction words of the baby RISC-V cores, decoded by the list in rv.def. All functions are pure. ids.h has the
   numbers of single instructions. */
#ifndef TILE_RISCV_ISA_DECODE_H
#define TILE_RISCV_ISA_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/arch.h"
#include "tile/riscv/isa/decoded.h"

/*
 * The operands of an instruction: x registers, f registers (a letter F in the name), and the meaning of tf_rv_insn.imm.
 */
enum tf_rv_format {
    TF_RV_FMT_NONE,   /* no operands */
    TF_RV_FMT_R,      /* rd, rs1, rs2 */
    TF_RV_FMT_R1,     /* rd, rs1 */
    TF_RV_FMT_I,      /* rd, rs1, imm */
    TF_RV_FMT_SHIFT,  /* rd, rs1, imm 0..31 */
    TF_RV_FMT_LOAD,   /* rd, imm(rs1) */
    TF_RV_FMT_STORE,  /* rs2, imm(rs1) */
    TF_RV_FMT_FLOAD,  /* f rd, imm(rs1) */
    TF_RV_FMT_FSTORE, /* f rs2, imm(rs1) */
    TF_RV_FMT_AMO,    /* rd, rs2, (rs1) */
    TF_RV_FMT_BRANCH, /* rs1, rs2, pc + imm */
    TF_RV_FMT_U,      /* rd, imm with low 12 bits zero */
    TF_RV_FMT_J,      /* rd, pc + imm */
    TF_RV_FMT_JALR,   /* rd, imm(rs1) */
    TF_RV_FMT_CSR,    /* rd, CSR number in imm, rs1 */
    TF_RV_FMT_CSRI,   /* rd, CSR number in imm, the 5-bit operand itself in rs1 */
    TF_RV_FMT_FENCE,  /* bits 31:20 in imm */
    TF_RV_FMT_R4,     /* f rd, f rs1, f rs2, f rs3 */
    TF_RV_FMT_FR,     /* f rd, f rs1, f rs2 */
    TF_RV_FMT_FFF,    /* f rd, f rs1 */
    TF_RV_FMT_FCMP,   /* rd, f rs1, f rs2 */
    TF_RV_FMT_FXF,    /* rd, f rs1 */
    TF_RV_FMT_FFX,    /* f rd, rs1 */
    TF_RV_FMT_LR,     /* rd, (rs1): of other.def only */
    TF_RV_FMT_WORD,   /* .ttinsn, vector, illegal: not in rv.def */
};

enum tf_rv_flag {
    TF_RV_F_PURE = 1 << 0,   /* reads registers and pc, writes rd (and fflags) and nothing else; cannot fault */
    TF_RV_F_BRANCH = 1 << 1, /* conditional branch */
    TF_RV_F_JUMP = 1 << 2,   /* unconditional control transfer */
    TF_RV_F_LOAD = 1 << 3,
    TF_RV_F_STORE = 1 << 4,
    TF_RV_F_AMO = 1 << 5,
    TF_RV_F_FENCE = 1 << 6,
    TF_RV_F_CSR = 1 << 7,
    TF_RV_F_FP = 1 << 8,
    TF_RV_F_ROUND = 1 << 9, /* has rounding mode bits; hardware ignores them */
    TF_RV_F_SYSTEM = 1 << 10,
};

struct tf_rv_info {
    const char *mnemonic;
    uint32_t mask, match;
    uint8_t format;     /* enum tf_rv_format */
    uint16_t flags;     /* enum tf_rv_flag */
    uint16_t extension; /* enum tf_rv_extension */
};

/*
 * Decode one word for a core with `extensions` (enum tf_rv_extension, as bits). An instruction of an extension that is
 * absent is TF_RV_ILLEGAL. Several cores run code that is decoded once, so mret and V are checked when they are
 * executed.
 */
void tf_rv_decode_as(uint32_t word, unsigned extensions, struct tf_rv_insn *out);

/* Decode one word for a core with every extension. */
static inline void tf_rv_decode(uint32_t word, struct tf_rv_insn *out)
{
    tf_rv_decode_as(word, TF_EXT_ALL, out);
}

/* The immediate of a word that has a format. */
int32_t tf_rv_immediate(uint32_t word, unsigned format);

/* ABI names of the x and f registers. */
extern const char *const tf_rv_x_names[32], *const tf_rv_f_names[32];

/* Never NULL; that of TF_RV_ILLEGAL when id is out of range. */
const struct tf_rv_info *tf_rv_info(unsigned id);

/* Is it an instruction of rv.def? Others are .ttinsn, those of V, and what is illegal. */
bool tf_rv_is_listed(const struct tf_rv_insn *insn);

/* The number of values of enum tf_rv_id. */
unsigned tf_rv_ids(void);

/* Name of a CSR (csr.def), or NULL. */
const char *tf_csr_name(unsigned address);

/* The x registers that an instruction reads, or writes, as bits; never x0. All of them for TF_RV_FMT_WORD. */
uint32_t tf_rv_x_read(const struct tf_rv_insn *insn);
uint32_t tf_rv_x_written(const struct tf_rv_insn *insn);

/* The register that an instruction writes: 1 to 31 are x, 32 to 63 f; 0: none, or TF_RV_FMT_WORD. */
uint8_t tf_rv_destination(const struct tf_rv_insn *insn);

#endif
