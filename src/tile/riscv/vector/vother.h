/* SPDX-License-Identifier: Apache-2.0 */
/* Vector instructions of shape OTHER, which move elements between places. */
#ifndef TILE_RISCV_VECTOR_VOTHER_H
#define TILE_RISCV_VECTOR_VOTHER_H

#include "tile/riscv/vector/vec.h"

enum tf_step tf_vec_other(struct tf_vec *vec);

#endif
