/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar instructions that touch nothing but their thread's GPRs (TensixCoprocessor/ADDDMAREG.md and its like). */
#ifndef TILE_TENSIX_SCALAR_ALU_H
#define TILE_TENSIX_SCALAR_ALU_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/isa/isa.h"
#include "tile/tensix/isa/scalar_kind.h"

/* Executes an instruction. kind: below TF_THCON_KINDS. */
static inline __attribute__((always_inline)) void tf_thcon_do(uint32_t *gpr, uint32_t word, uint32_t kind)
{
    uint32_t left, right, *whole;
    switch (kind) {
    case TF_THCON_NOTHING: return;
    case TF_THCON_SET_LOW:
        whole = &gpr[TF_FIELD(word, SETDMAREG, reg_index_16b) >> 1];
        *whole = (*whole & 0xFFFF0000u) | (word >> 8 & 0xFFFF);
        return;
    case TF_THCON_SET_HIGH:
        whole = &gpr[TF_FIELD(word, SETDMAREG, reg_index_16b) >> 1];
        *whole = (*whole & 0xFFFF) | (word >> 8 & 0xFFFF) << 16;
        return;
#define X(kind, value)                                            \
    case TF_THCON_##kind:                                         \
        left = gpr[TF_FIELD(word, ADDDMAREG, op_a_reg_index)];    \
        right = gpr[TF_FIELD(word, ADDDMAREG, op_b_reg_index)];   \
        gpr[TF_FIELD(word, ADDDMAREG, result_reg_index)] = value; \
        return;                                                   \
    case TF_THCON_##kind##_NUMBER:                                \
        left = gpr[TF_FIELD(word, ADDDMAREG, op_a_reg_index)];    \
        right = TF_FIELD(word, ADDDMAREG, op_b_reg_index);        \
        gpr[TF_FIELD(word, ADDDMAREG, result_reg_index)] = value; \
        return;
        TF_THCON_PAIRS(X)
#undef X
    default: __builtin_unreachable();
    }
}

/* Decodes and executes. Returns false if it has no kind; nothing was done. */
static inline bool tf_thcon_alu(uint32_t *gpr, uint32_t word)
{
    enum tf_thcon_kind kind = tf_thcon_kind_of(word);
    if (kind == TF_THCON_KINDS)
        return false;
    tf_thcon_do(gpr, word, kind);
    return true;
}

#endif
