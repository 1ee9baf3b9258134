/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding of vector instructions: sub-units, registers, formats. The rows are in sfpu.def. */
#ifndef TILE_TENSIX_ISA_SFPU_H
#define TILE_TENSIX_ISA_SFPU_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/isa/isa.h"

#define TF_LREGS 17u     /* 0..7 general, 8..10 and 15 constants, 11..14 set by SFPCONFIG, 16 of SFPLOADMACRO alone */
#define TF_LREG_INDEX 7u /* selects a register lane by lane, where an instruction asks for that */
#define TF_LREG_ZERO 9u
#define TF_LREG_ONE 10u
#define TF_LREG_MACRO 16u
#define TF_LREGS_WRITABLE (0xFFu | 1u << TF_LREG_MACRO) /* by instructions that compute, as bits */

#define TF_SFPU_OPCODES 0x30u /* from SFPLOAD on: room for 0x70 to 0x9F */

/* The kernels of the vector unit: one for each row with SFPU(). */
enum tf_sfpu_kernel_index {
#define SFPU(name, unit, registers, reads, may_read, may_write, traits) TF_KERNEL_##name,
#define MOVE(name, unit, registers, reads, may_read, may_write, traits)
#include "tile/tensix/isa/sfpu.def"
#undef SFPU
    TF_SFPU_KERNEL_COUNT
};

/* Sub-units (VectorUnit.md); the first four in the order of LoadMacroConfig.Sequence. */
enum tf_sub_unit { TF_SUB_SIMPLE, TF_SUB_MAD, TF_SUB_ROUND, TF_SUB_STORE, TF_SUB_LOAD };

enum tf_sfpu_registers { TF_REGISTERS_C, TF_REGISTERS_BC, TF_REGISTERS_B_IF, TF_REGISTERS_D, TF_REGISTERS_HIGH };

enum tf_sfpu_trait {
    TF_SFPU_REFUSABLE = 1 << 0, /* tf_sfpu_objection() may refuse it, even if no lane has ENABLE_DEST_INDEX */
    TF_SFPU_INDEXED = 1 << 1,   /* while ENABLE_DEST_INDEX is set, it may write LReg[4] to LReg[7] */
};

/* A row of sfpu.def. */
struct tf_sfpu_op {
    uint8_t unit;      /* enum tf_sub_unit */
    uint8_t registers; /* enum tf_sfpu_registers */
    uint8_t kernel;    /* TF_SFPU_KERNEL_COUNT: none */
    uint8_t traits;    /* enum tf_sfpu_trait */
};

/* By opcode minus that of SFPLOAD. */
extern const struct tf_sfpu_op tf_sfpu_ops[TF_SFPU_OPCODES];

static inline const struct tf_sfpu_op *tf_sfpu_op(uint32_t word)
{
    return &tf_sfpu_ops[(word >> 24) - TF_OP_SFPLOAD];
}

static inline unsigned tf_sfpu_vd(enum tf_sfpu_registers registers, uint32_t word)
{
    return registers == TF_REGISTERS_HIGH ? word >> 20 & 15 : word >> 4 & 15;
}

static inline unsigned tf_sfpu_vb(enum tf_sfpu_registers registers, uint32_t word)
{
    return registers == TF_REGISTERS_BC || (registers == TF_REGISTERS_B_IF && (word & 1)) ? word >> 12 & 15
                                                                                          : word >> 4 & 15;
}

static inline unsigned tf_sfpu_vc(enum tf_sfpu_registers registers, uint32_t word)
{
    return registers == TF_REGISTERS_D ? word >> 4 & 15 : word >> 8 & 15;
}

/* VD of an SFPLOADMACRO: 0 to 7. */
static inline unsigned tf_sfpu_macro_vd(uint32_t word)
{
    return (word >> 20 & 3) | (word & 1) << 2;
}

/* An instruction with such a VD is stored as a template of SFPLOADMACRO, in lanes where that is not disabled. */
#define TF_SFPU_BACKDOOR 12u

static inline bool tf_sfpu_is_backdoor(uint32_t word, unsigned vd)
{
    return vd >= TF_SFPU_BACKDOOR && word >> 24 != TF_OP_SFPCONFIG && word >> 24 != TF_OP_SFPLOADMACRO;
}

/* Masks of LRegs. */
struct tf_sfpu_uses {
    uint32_t reads;     /* their values decide the results of all lanes */
    uint32_t may_read;  /* others: data select them, or the instruction moves or keeps them */
    uint32_t may_write; /* in some lane */
};

/* The LRegs that an instruction uses, with registers that SFPLOADMACRO may have put in the place of the word's. */
struct tf_sfpu_uses tf_sfpu_uses(uint32_t word, unsigned vd, unsigned vb, unsigned vc);

/* The LRegs that an instruction of a thread uses. */
static inline struct tf_sfpu_uses tf_sfpu_own_uses(uint32_t word)
{
    const enum tf_sfpu_registers in = (enum tf_sfpu_registers)tf_sfpu_op(word)->registers;
    return tf_sfpu_uses(word, tf_sfpu_vd(in, word), tf_sfpu_vb(in, word), tf_sfpu_vc(in, word));
}

/* Do the results of an instruction take two cycles (VectorUnit.md, latency)? */
static inline bool tf_sfpu_takes_two_cycles(uint32_t word)
{
    const unsigned mod1 = word & 15;
    return tf_sfpu_op(word)->unit == TF_SUB_MAD || (word >> 24 == TF_OP_SFPSHFT2 && mod1 >= 2 && mod1 <= 4);
}

/* Does LReg[7] select the register to write, lane by lane? */
bool tf_sfpu_is_indirect(uint32_t word, unsigned vd);

/* MOD0_FMT_ of SFPLOAD.md and SFPSTORE.md. */
/* clang-format off */
enum tf_sfpu_mod0 {
    TF_FMT_SRCB, TF_FMT_FP16, TF_FMT_BF16, TF_FMT_FP32, TF_FMT_INT32, TF_FMT_INT8, TF_FMT_UINT16, TF_FMT_HI16,
    TF_FMT_INT16, TF_FMT_LO16, TF_FMT_INT32_ALL, TF_FMT_ZERO, TF_FMT_INT32_SM, TF_FMT_INT8_COMP, TF_FMT_LO16_ONLY,
    TF_FMT_HI16_ONLY,
};
/* clang-format on */

#endif
