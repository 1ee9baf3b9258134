/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of a chip's decoded pages, in blocks of TF_PAGE_ALIGN that lie in huge pages where the host has them. Firmware
 * that stores beside its code needs a page for each tile: from malloc() these took half of the page faults of a host
 * program's short run (row `recorded-calls`). Thread: any worker.
 */
#ifndef TILE_RISCV_CODE_POOL_H
#define TILE_RISCV_CODE_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct tf_code_pool {
    pthread_mutex_t lock;
    bool sparse;         /* not in huge pages: processes that fork would copy them whole */
    void *spare;         /* a list of free blocks; each begins with the next one */
    uint8_t *at, *end;   /* the rest of the newest chunk */
    struct chunk *chunk; /* the newest one */
};

/* From zeroed memory. */
void tf_code_pool_begin(struct tf_code_pool *pool);

/* A block of TF_PAGE_ALIGN, aligned to that. Its contents are undefined. NULL: the host has no memory. */
void *tf_code_pool_take(struct tf_code_pool *pool);
void tf_code_pool_give(struct tf_code_pool *pool, void *block);

/* Free all memory, with all blocks. */
void tf_code_pool_end(struct tf_code_pool *pool);

#endif
