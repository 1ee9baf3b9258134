/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executing one instruction. The interpreter calls this for instructions without a handler of their own, and for loads
 * and stores outside L1 and local RAM. Probes (park/probe.c) and watched harts call it for every instruction.
 */
#ifndef TILE_RISCV_EXEC_H
#define TILE_RISCV_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"
#include "tilefarm_address.h"
#include "tile/riscv/decode.h"
#include "tile/riscv/step.h"

struct tf_tile;
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

extern const uint8_t tf_exec_kind[TF_RV_COUNT];

/*
 * Execute insn at hart->pc, hart->cycle. Moves pc for control transfers only; never cycle and instret. The hart may
 * have left TF_CORE_RUNNING although the instruction retired (a debug pause).
 */
enum tf_step tf_exec(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn);

/* tf_exec() for TF_EXEC_PURE: computation, fences and control transfers. They access only x, f, fcsr and pc. */
enum tf_step tf_exec_pure(struct tf_hart *hart, const struct tf_rv_insn *insn);

/* Bytes that a load, store or AMO accesses: the width in funct3. */
static inline unsigned tf_exec_size(const struct tf_rv_insn *insn)
{
    return 1u << (insn->word >> 12 & 3);
}

/*
 * The push of a .ttinsn, after tf_order_claim() of it. It is "exactly identical" to a store of the word to
 * INSTRN_BUF_BASE (PushTensixInstruction.md).
 */
enum tf_step tf_exec_push_claimed(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn);

/* Perform the access of the load insn at an address: *value is zero-extended, and no register is written. *pure: as for
   tf_mmio_load(). May block or stop the hart, or run the coprocessor. */
enum tf_step tf_exec_load(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t address,
                          uint32_t *value, bool *pure);

/* Write the value that tf_exec_load() has read to the register of the load. */
void tf_exec_loaded(struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t value);

#endif
