/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One instruction at a time. The interpreter comes here for whatever is not worth a handler of its own, and for loads
 * and stores outside L1 and local RAM; the probes of park.c come here for everything.
 */
#ifndef TILE_RISCV_EXEC_H
#define TILE_RISCV_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"
#include "tile/address.h"
#include "tile/riscv/decode.h"

struct tf_tile;
struct tf_hart;

/* What to do with an instruction, by its id. */
enum tf_exec_kind {
    TF_EXEC_SYSTEM,   /* ecall, ebreak, mret, and what cannot be executed */
    TF_EXEC_PURE,     /* tf_exec_pure() */
    TF_EXEC_LOAD,
    TF_EXEC_STORE,
    TF_EXEC_AMO,
    TF_EXEC_CSR,
    TF_EXEC_PUSH,
};

extern const uint8_t tf_exec_kind[TF_RV_COUNT];

/* How an instruction ended. */
enum tf_step {
    TF_STEP_NEXT,     /* retired; the caller moves pc to the next instruction */
    TF_STEP_TRANSFER, /* retired, a control transfer: pc is where it goes on, taken or not */
    TF_STEP_STOP,     /* not retired: blocked, faulted, or reset by its own effect; see hart->state */
};

/*
 * Execute insn at hart->pc, hart->cycle. Moves pc for control transfers only; never cycle and instret. The hart may
 * have left TF_CORE_RUNNING although the instruction retired (a debug pause).
 */
enum tf_step tf_exec(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn);

/* The same for TF_EXEC_PURE: computation, fences and control transfers, which touch x, f, fcsr and pc alone. */
enum tf_step tf_exec_pure(struct tf_hart *hart, const struct tf_rv_insn *insn);

/* Bytes that a load, store or AMO accesses: the width in funct3. */
static inline unsigned tf_exec_size(const struct tf_rv_insn *insn)
{
    return 1u << (insn->word >> 12 & 3);
}

/* Read what the load insn reads, zero-extended; *pure as tf_mmio_load(). Blocks and faults the hart. */
enum tf_access tf_exec_load(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t address,
                            uint32_t *value, bool *pure);

/* Give a load's value to its register. */
void tf_exec_loaded(struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t value);

/* True when the address is in L1, or in the hart's local RAM: *data is where. No alignment is asked for. */
bool tf_exec_memory(struct tf_tile *tile, const struct tf_hart *hart, uint32_t address, unsigned size, uint8_t **data);

#endif
