/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar instructions that touch nothing but their thread's GPRs (TensixCoprocessor/ADDDMAREG.md and its like). */
#ifndef TILE_TENSIX_ALU_H
#define TILE_TENSIX_ALU_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/isa.h"

/* Where the six that combine two values have them, alike. */
#define TF_ALU_SAME(op)                                                                    \
    _Static_assert((int)TF_FIELD_##op##_op_a_reg_index == (0 | 6 << 8) &&                  \
                       (int)TF_FIELD_##op##_op_b_reg_index == (6 | 6 << 8) &&              \
                       (int)TF_FIELD_##op##_result_reg_index == (12 | 6 << 8) &&           \
                       (int)TF_FIELD_##op##_op_b_is_const == (23 | 1 << 8),                \
                   #op ": operands as ADDDMAREG")
TF_ALU_SAME(ADDDMAREG);
TF_ALU_SAME(SUBDMAREG);
TF_ALU_SAME(MULDMAREG);
TF_ALU_SAME(BITWOPDMAREG);
TF_ALU_SAME(SHIFTDMAREG);
TF_ALU_SAME(CMPDMAREG);
#undef TF_ALU_SAME

/* False, with nothing done: it is none of them, or one that faults. */
static inline __attribute__((always_inline)) bool tf_thcon_alu(uint32_t *gpr, uint32_t word)
{
    uint32_t *result = &gpr[TF_FIELD(word, ADDDMAREG, result_reg_index)];
    uint32_t left = gpr[TF_FIELD(word, ADDDMAREG, op_a_reg_index)];
    uint32_t right = TF_FIELD(word, ADDDMAREG, op_b_reg_index);
    if (!TF_FIELD(word, ADDDMAREG, op_b_is_const))
        right = gpr[right];
    if ((word & tf_tensix_ops[word >> 24].reserved) != 0)
        return false;
    switch (word >> 24) {
    case TF_OP_NOP:
    case TF_OP_DMANOP:
        return true;
    case TF_OP_ADDDMAREG:
        *result = left + right;
        return true;
    case TF_OP_SUBDMAREG:
        *result = left - right;
        return true;
    case TF_OP_MULDMAREG:
        *result = (left & 0xFFFF) * (right & 0xFFFF);
        return true;
    case TF_OP_BITWOPDMAREG:
        switch (TF_FIELD(word, BITWOPDMAREG, op_sel)) {
        case 0: *result = left & right; return true;
        case 1: *result = left | right; return true;
        case 2: *result = left ^ right; return true;
        default: return false;
        }
    case TF_OP_SHIFTDMAREG:
        switch (TF_FIELD(word, SHIFTDMAREG, op_sel)) {
        case 0: *result = left << (right & 31); return true;
        case 1: *result = left >> (right & 31); return true;
        default: return false;
        }
    case TF_OP_CMPDMAREG:
        switch (TF_FIELD(word, CMPDMAREG, op_sel)) {
        case 0: *result = left > right; return true;
        case 1: *result = left < right; return true;
        case 2: *result = left == right; return true;
        default: return false;
        }
    case TF_OP_SETDMAREG: {
        if (TF_FIELD(word, SETDMAREG, set_signals_mode))
            return false;
        uint32_t half = TF_FIELD(word, SETDMAREG, reg_index_16b), shift = (half & 1) * 16;
        uint32_t *whole = &gpr[half >> 1];
        *whole = (*whole & ~(0xFFFFu << shift)) | (word >> 8 & 0xFFFF) << shift;
        return true;
    }
    default:
        return false;
    }
}

#endif
