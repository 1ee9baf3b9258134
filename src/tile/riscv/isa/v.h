/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vector extension of T2: 32 registers of 16 bytes, elements of 8, 16 and 32 bits. Sources:
 * BlackholeA0/TensixTile/BabyRISCV/InstructionSet.md and CSRs.md, and the RISC-V "V" extension 1.0 where those are
 * silent. The pages give these deviations. vstart is always 0. Execution is undisturbed for any vta and vma. vtype has
 * no vill, so an unsupported vtype is a fault here. There is no division, square root or reciprocal. Floating point
 * rounds to nearest even, and flushes denormals in arithmetic. Reserved encodings are faults.
 */
#ifndef TILE_RISCV_ISA_V_H
#define TILE_RISCV_ISA_V_H

#include <stdbool.h>
#include <stdint.h>

#define TF_V_REGISTERS 32u
#define TF_V_BYTES 16u /* of a register: VLENB */
#define TF_V_FILE_BYTES (TF_V_REGISTERS * TF_V_BYTES)

enum tf_v_id {
#define V(id, mnemonic, forms, funct6, select, shape, sews, flags) TF_V_##id,
#define VM(id, mnemonic, kind, mop, lumop, shape) TF_V_##id,
#include "tile/riscv/isa/v.def"
#undef V
#undef VM
    TF_V_COUNT,
};

#define TF_V_FIRST_MEMORY ((unsigned)TF_V_VLE)

/* How an instruction goes over its elements. d, a and b are vd, vs2 and the other operand. */
enum tf_v_shape {
    TF_V_SINGLE,       /* d = f(a, b, d), all of SEW */
    TF_V_WIDEN,        /* d of 2 SEW */
    TF_V_WIDE,         /* d and a of 2 SEW */
    TF_V_NARROW,       /* a of 2 SEW */
    TF_V_COMPARE,      /* d is a mask */
    TF_V_CARRY,        /* d = f(a, b, bit of v0), all elements */
    TF_V_CARRY_OUT,    /* d is a mask; the carry is 0 without v0 */
    TF_V_MOVE,         /* d = b */
    TF_V_UNARY,        /* d = f(a) */
    TF_V_UNARY_WIDEN,  /* d of 2 SEW */
    TF_V_UNARY_NARROW, /* a of 2 SEW */
    TF_V_EXTEND_2,     /* a of SEW / 2 */
    TF_V_EXTEND_4,
    TF_V_EXTEND_8,
    TF_V_MASK,        /* of masks: d = f(a, b) */
    TF_V_REDUCE,      /* d[0] = f(a[i], ... b[0]) */
    TF_V_REDUCE_WIDE, /* d and b of 2 SEW */
    TF_V_OTHER,       /* a function in vother.c */
    TF_V_CONFIG,
    TF_V_UNIT, /* memory, from here on */
    TF_V_WHOLE,
    TF_V_BITS,
    TF_V_FIRST_FAULT,
    TF_V_STRIDED,
    TF_V_INDEXED,
};

/* funct3 of OP-V. */
enum tf_v_form { TF_V_IVV, TF_V_FVV, TF_V_MVV, TF_V_IVI, TF_V_IVX, TF_V_FVF, TF_V_MVX, TF_V_CFG };

enum tf_v_flag {
    TF_V_UIMM = 1 << 0,      /* the immediate is unsigned */
    TF_V_WITH_MASK = 1 << 1, /* vm must be 0 */
    TF_V_NO_MASK = 1 << 2,   /* vm must be 1 */
    TF_V_SELECT2 = 1 << 3,   /* the selecting field is vs2 */
    TF_V_SWAPPED = 1 << 4,   /* assembly names vs1 before vs2 */
    TF_V_TO_X = 1 << 5,      /* vd is an x register */
    TF_V_TO_F = 1 << 6,      /* vd is an f register */
    TF_V_IS_STORE = 1 << 7,
};

/* Element widths in bits, as bits. */
#define TF_V_SEW_NONE 0x80u /* T2 lacks the instruction */
#define TF_V_ANY 0xFFu

struct tf_v_info {
    const char *mnemonic;
    uint8_t forms;  /* 1 << enum tf_v_form */
    uint8_t funct6; /* memory: mop */
    uint8_t select; /* TF_V_ANY: none */
    uint8_t shape;  /* enum tf_v_shape */
    uint8_t sews;   /* 8, 16, 32, or TF_V_SEW_NONE */
    uint8_t flags;  /* enum tf_v_flag */
};

#endif
