/* SPDX-License-Identifier: Apache-2.0 */
/* Memory instructions of the scalar unit: L1, registers of the tile, atomics (TensixCoprocessor/ScalarUnit.md). */
#ifndef TILE_TENSIX_SCALAR_THMEM_H
#define TILE_TENSIX_SCALAR_THMEM_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

void tf_exec_LOADIND(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_STOREIND(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_LOADREG(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_STOREREG(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_REG2FLOP(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_ATINCGET(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_ATINCGETPTR(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_ATCAS(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_ATSWAP(struct tf_tile *tile, unsigned thread, uint32_t word);

/*
 * Would the instruction not finish now: ATCAS whose comparison fails, ATINCGETPTR on a full or empty FIFO, STOREIND to
 * a bank of SrcA or SrcB that the matrix unit has? Where others act on L1 at any moment the answer may be out of date
 * when the instruction executes: it then sets thcon.unfinished and is to be tried again. While it waits it occupies the
 * scalar unit: no thread's scalar instruction passes. No side effects.
 */
bool tf_thmem_waits(const struct tf_tile *tile, unsigned thread, uint32_t word);

/* What tf_thmem_waits() waits for, for people; as snprintf. */
int tf_thmem_describe_wait(const struct tf_tile *tile, unsigned thread, uint32_t word, char *text, unsigned bytes);

#endif
