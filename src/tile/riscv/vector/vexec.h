/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_RISCV_VECTOR_VEXEC_H
#define TILE_RISCV_VECTOR_VEXEC_H

#include "tile/mmio/mmio.h"
#include "tile/riscv/isa/decoded.h"
#include "tile/riscv/hart/step.h"
#include "tile/riscv/vector/vec.h"

struct tf_hart;
struct tf_tile;

/* Execute a vector instruction that tf_v_find() has found: insn->imm is its id. The hart has vector registers. */
enum tf_step tf_v_execute(struct tf_tile *tile, struct tf_hart *hart, const struct tf_rv_insn *insn);

/* The memory that the instruction is about to access, to *retired: all between its first byte and its last. Of other
   instructions nothing. */
void tf_v_reach(struct tf_hart *hart, const struct tf_rv_insn *insn, struct tf_retired *retired);

#endif
