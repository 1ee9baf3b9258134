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

/* A fault that names the instruction. Returns TF_STEP_STOP. */
enum tf_step tf_vec_refuse(struct tf_vec *vec, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A group of elements of `bits` bits begins at `reg`. Is its length one of 1/8 to 8 registers, and reg a multiple of
   it? */
bool tf_vec_group(struct tf_vec *vec, unsigned reg, unsigned bits);
/* May the group vd of `d_bits` wide elements overlap the group `reg` that is read? d_bits 1: vd is a mask. */
bool tf_vec_overlap(struct tf_vec *vec, unsigned d_bits, unsigned reg, unsigned bits);
/* No overlap at all. */
bool tf_vec_disjoint(struct tf_vec *vec, unsigned d_bits, unsigned reg, unsigned bits);
/* A masked instruction must not write v0, unless as a mask. */
bool tf_vec_spares_mask(struct tf_vec *vec);

/* The operand that is no vector: of x or f, or the immediate; sign-extended. */
int64_t tf_vec_scalar(const struct tf_vec *vec);

/* The vector registers, to be written. */
uint8_t *tf_vec_file(struct tf_vec *vec);

#endif
