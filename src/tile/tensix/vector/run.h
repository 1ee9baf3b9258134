/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of instructions that touch nothing but the vector unit and Dst. */
#ifndef TILE_TENSIX_VECTOR_RUN_H
#define TILE_TENSIX_VECTOR_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/*
 * Passes the instruction at the gate and those after it that the vector unit executes in batches, before cycle `limit`;
 * tf_batch_pass() has the conditions. Returns false, with nothing done, if the instruction at the gate is of another
 * kind. No observer may need each instruction.
 */
bool tf_sfpu_run(struct tf_tile *tile, unsigned thread, uint64_t limit);

#endif
