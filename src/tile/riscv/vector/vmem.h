/* SPDX-License-Identifier: Apache-2.0 */
/* Vector instructions that load and store. */
#ifndef TILE_RISCV_VECTOR_VMEM_H
#define TILE_RISCV_VECTOR_VMEM_H

#include "tile/riscv/vector/vec.h"

enum tf_step tf_vec_memory(struct tf_vec *vec);

/* The memory that the instruction is about to access, from its first byte to its last. */
void tf_vec_reach(const struct tf_vec *vec, struct tf_retired *retired);

#endif
