/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Executing one instruction. The interpreter calls this for instructions without a handler of their own, and for loads
 * and stores outside L1 and local RAM. Probes (park/probe.c) and watched harts call it for every instruction.
 */
#ifndef TILE_RISCV_EXEC_EXEC_H
#define TILE_RISCV_EXEC_EXEC_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"
#include "tile/riscv/hart/pure.h"
#include "tilefarm_address.h"
#include "tile/riscv/isa/decoded.h"
#include "tile/riscv/hart/step.h"

struct tf_tile;
struct tf_hart;

/*
 * Execute insn at hart->pc, hart->cycle. Moves pc for control transfers only; never cycle and instret. The hart may
 * have left TF_CORE_RUNNING although the instruction retired (a debug pause).
 */
enum tf_step tf_exec(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn);

/*
 * The push of a .ttinsn, after tf_order_claim() of it. It is "exactly identical" to a store of the word to
 * INSTRN_BUF_BASE (PushTensixInstruction.md).
 */
enum tf_step tf_exec_push_claimed(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn);

/* The CSR instruction insn. *value: that of the CSR before. */
enum tf_step tf_exec_csr(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t *value);

/* Perform the access of the load insn at an address: *value is zero-extended, and no register is written. *pure: as for
   tf_mmio_load(). May block or stop the hart, or run the coprocessor. */
enum tf_step tf_exec_load(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn, uint32_t address,
                          uint32_t *value, bool *pure);

#endif
