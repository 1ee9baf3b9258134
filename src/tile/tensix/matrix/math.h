/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of the matrix unit that compute. */
#ifndef TILE_TENSIX_MATRIX_MATH_H
#define TILE_TENSIX_MATRIX_MATH_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/*
 * Passes the instruction at the gate, which nothing holds, and the MVMULs after it, before cycle `limit`;
 * tf_batch_pass() has the conditions. Returns false, with nothing done, in three cases. The instruction at the gate is
 * no such MVMUL; it may fault; or the last instruction of the unit had another configuration. No observer may need each
 * instruction. Rows `mvmul-*` and `matmul-*` pay for it.
 */
bool tf_fpu_run(struct tf_tile *tile, unsigned thread, uint64_t limit);

#endif
