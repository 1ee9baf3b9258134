/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kinds of scalar instructions that touch only their thread's GPRs (TensixCoprocessor/ADDDMAREG.md and its like).
 * They pass in batches (scalar/gpr_only.h). scalar/alu.h executes them.
 */
#ifndef TILE_TENSIX_ISA_SCALAR_KIND_H
#define TILE_TENSIX_ISA_SCALAR_KIND_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/isa/isa.h"

/* Instructions that combine two values: X(kind, result). Each has two kinds: the right operand is a GPR or a number.
   The kinds of an opcode follow each other in the order of op_sel (TF_THCON_PAIR_OPS). */
#define TF_THCON_PAIRS(X)                      \
    X(ADD, left + right)                       \
    X(SUB, left - right)                       \
    X(MUL, (left & 0xFFFF) * (right & 0xFFFF)) \
    X(AND, left &right)                        \
    X(OR, left | right)                        \
    X(XOR, left ^ right)                       \
    X(SHIFT_LEFT, left << (right & 31))        \
    X(SHIFT_RIGHT, left >> (right & 31))       \
    X(ABOVE, left > right)                     \
    X(BELOW, left < right)                     \
    X(EQUAL, left == right)

enum tf_thcon_kind {
    TF_THCON_NOTHING,
    TF_THCON_SET_LOW,
    TF_THCON_SET_HIGH,
#define X(kind, result) TF_THCON_##kind, TF_THCON_##kind##_NUMBER,
    TF_THCON_PAIRS(X)
#undef X
        TF_THCON_KINDS, /* their number; for an instruction that faults, or that touches more than its thread's GPRs */
};

/* Their opcodes: X(op, first kind, number of kinds that op_sel selects). All have their operands in the same fields. */
#define TF_THCON_PAIR_OPS(X)      \
    X(ADDDMAREG, ADD, 1)          \
    X(SUBDMAREG, SUB, 1)          \
    X(MULDMAREG, MUL, 1)          \
    X(BITWOPDMAREG, AND, 3)       \
    X(SHIFTDMAREG, SHIFT_LEFT, 2) \
    X(CMPDMAREG, ABOVE, 3)

#define X(op, first, count)                                                      \
    _Static_assert((int)TF_FIELD_##op##_op_a_reg_index == (0 | 6 << 8) &&        \
                       (int)TF_FIELD_##op##_op_b_reg_index == (6 | 6 << 8) &&    \
                       (int)TF_FIELD_##op##_result_reg_index == (12 | 6 << 8) && \
                       (int)TF_FIELD_##op##_op_b_is_const == (23 | 1 << 8),      \
                   #op ": operands as ADDDMAREG");
TF_THCON_PAIR_OPS(X)
#undef X

/* The kinds of an opcode: the first one, the number of kinds for op_sel, and the bit that selects GPR or number. */
struct tf_thcon_form {
    uint32_t forbidden; /* other bits, besides the reserved ones, that make it another instruction */
    uint8_t first, choices, bit;
};

/* By opcode: the list of instructions that touch nothing but their thread's GPRs. Others have no choices. */
extern const struct tf_thcon_form tf_thcon_forms[256];

static inline enum tf_thcon_kind tf_thcon_kind_of(uint32_t word)
{
    const struct tf_thcon_form *form = &tf_thcon_forms[word >> 24];
    uint32_t choice = form->choices > 1 ? TF_FIELD(word, BITWOPDMAREG, op_sel) : 0;
    if ((word & (tf_tensix_ops[word >> 24].reserved | form->forbidden)) != 0 || choice >= form->choices)
        return TF_THCON_KINDS;
    return (enum tf_thcon_kind)(form->first + 2 * choice + (word >> form->bit & 1));
}

#endif
