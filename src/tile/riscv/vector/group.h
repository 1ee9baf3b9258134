/* SPDX-License-Identifier: Apache-2.0 */
/* Register groups and operands of a vector instruction. The functions about groups return false after a fault. */
#ifndef TILE_RISCV_VECTOR_GROUP_H
#define TILE_RISCV_VECTOR_GROUP_H

#include "tile/riscv/vector/vec.h"

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
