/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of MVMULs. Configuration, banks and Dst are looked up once, since only counters change within a batch. */
#ifndef TILE_TENSIX_MATRIX_RUN_H
#define TILE_TENSIX_MATRIX_RUN_H

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
