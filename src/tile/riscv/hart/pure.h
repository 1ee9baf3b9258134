/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions that access nothing but the registers of their core. */
#ifndef TILE_RISCV_HART_PURE_H
#define TILE_RISCV_HART_PURE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/riscv/isa/decoded.h"
#include "tile/riscv/hart/step.h"

struct tf_hart;

/* Kinds of execution; tf_exec_kind[] has the kind of each id. */
enum tf_exec_kind {
    TF_EXEC_SYSTEM, /* ecall, ebreak, mret, and words that fault */
    TF_EXEC_PURE,   /* tf_exec_pure() */
    TF_EXEC_LOAD,
    TF_EXEC_STORE,
    TF_EXEC_AMO,
    TF_EXEC_CSR,
    TF_EXEC_PUSH,
    TF_EXEC_VECTOR, /* parking treats every vector instruction as an effect */
};

extern const uint8_t tf_exec_kind[]; /* by enum tf_rv_id */

/* tf_exec() for TF_EXEC_PURE: computation, fences and control transfers. They access only x, f, fcsr and pc. */
enum tf_step tf_exec_pure(struct tf_hart *hart, const struct tf_rv_insn *insn);

/* Bytes that a load, store or AMO accesses: the width in funct3. */
static inline unsigned tf_exec_size(const struct tf_rv_insn *insn)
{
    return 1u << (insn->word >> 12 & 3);
}

/* Does a load or store, which is none of vectors, access f instead of x? Its opcode is LOAD-FP or STORE-FP. */
static inline bool tf_exec_is_float(const struct tf_rv_insn *insn)
{
    return (insn->word & 4) != 0;
}

/* Write the value that tf_exec_load() has read to the register of the load. */
void tf_exec_loaded(struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t value);

#endif
