/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory instructions of the scalar unit: L1, registers of the tile, atomics (TensixCoprocessor/ScalarUnit.md). Three
 * of them may stall. ATCAS stalls while its comparison fails, ATINCGETPTR on a full or empty FIFO. STOREIND stalls
 * while the matrix unit owns its bank of SrcA or SrcB. While they stall, they occupy the scalar unit: no thread's
 * scalar instruction passes. In relaxed mode other workers may change L1 after the gate's test. The instruction then
 * fails, sets thcon.unfinished, and is tried again.
 */
#ifndef TILE_TENSIX_SCALAR_THMEM_H
#define TILE_TENSIX_SCALAR_THMEM_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/scalar_request.h"

struct tf_tile;

/* A request acts on memory, and gives the thread's GPRs the result. */
void tf_scalar_finish(struct tf_tile *tile, const struct tf_scalar_request *request);

/* Describes the wait of a stalled instruction as text. Returns the length, as snprintf() does. */
int tf_thmem_describe_wait(const struct tf_tile *tile, unsigned thread, uint32_t word, char *text, unsigned bytes);

#endif
