/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a chip's decoded pages, in huge pages where the host has them. Firmware that stores beside its code needs a
 * page for each tile, and each page of malloc() takes four page faults (row `recorded-calls`). Memory is only added;
 * tiles keep what they give back. Lock-free, for any worker.
 */
#ifndef TILE_RISCV_CODE_POOL_H
#define TILE_RISCV_CODE_POOL_H

#include <stdbool.h>

struct tf_code_chunk;

/* All zero: empty. */
struct tf_code_pool {
    bool sparse;                 /* not in huge pages. Set it before the first block is taken */
    struct tf_code_chunk *chunk; /* the newest one; host atomics */
};

/* A block of TF_PAGE_ALIGN, aligned to that. NULL: the host has no memory. */
void *tf_code_pool_take(struct tf_code_pool *pool);

/* Free all blocks. No worker uses them any more. */
void tf_code_pool_end(struct tf_code_pool *pool);

#endif
