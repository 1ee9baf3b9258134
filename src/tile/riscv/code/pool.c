/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/code/pool.h"

#include <stdint.h>
#include <stdlib.h>

#include "host/zeroed.h"
#include "tile/riscv/code/page.h"

/* The first chunk comes from malloc(), which has it ready for the next chip: a chip with one small program needs no
   more (row `small-runs`). The others are huge pages; without these, only what is used of them takes memory. */
#define FIRST_BYTES (8 * TF_PAGE_ALIGN)
#define CHUNK_BYTES (2u << 20)

struct tf_code_chunk {
    struct tf_code_chunk *next; /* NULL: this is the first one */
    char *memory, *block;       /* block: the first aligned one */
    uint32_t count;             /* of blocks */
    uint32_t taken;             /* of them, and vain tries to take one; host atomics */
};

static struct tf_code_chunk *make(const struct tf_code_pool *pool, struct tf_code_chunk *next)
{
    struct tf_code_chunk *chunk = calloc(1, sizeof *chunk);
    if (chunk == NULL)
        return NULL;
    const size_t bytes = next == NULL ? FIRST_BYTES : CHUNK_BYTES;
    chunk->next = next;
    chunk->memory = next == NULL   ? aligned_alloc(TF_PAGE_ALIGN, bytes)
                    : pool->sparse ? tf_zeroed_take(bytes)
                                   : tf_zeroed_take_dense(bytes, 0);
    if (chunk->memory == NULL) {
        free(chunk);
        return NULL;
    }
    const size_t before = -(uintptr_t)chunk->memory & (TF_PAGE_ALIGN - 1);
    chunk->block = chunk->memory + before;
    chunk->count = (uint32_t)((bytes - before) / TF_PAGE_ALIGN);
    return chunk;
}

static void destroy(const struct tf_code_pool *pool, struct tf_code_chunk *chunk)
{
    if (chunk->next == NULL)
        free(chunk->memory);
    else
        (pool->sparse ? tf_zeroed_give : tf_zeroed_give_dense)(chunk->memory, CHUNK_BYTES);
    free(chunk);
}

/* A block of a chunk; NULL if it has no more. */
static void *take_from(struct tf_code_chunk *chunk)
{
    const uint32_t number = __atomic_fetch_add(&chunk->taken, 1, __ATOMIC_RELAXED);
    return number < chunk->count ? chunk->block + (size_t)number * TF_PAGE_ALIGN : NULL;
}

void *tf_code_pool_take(struct tf_code_pool *pool)
{
    struct tf_code_chunk *chunk = __atomic_load_n(&pool->chunk, __ATOMIC_ACQUIRE);
    for (;;) {
        void *block = chunk != NULL ? take_from(chunk) : NULL;
        if (block != NULL)
            return block;
        struct tf_code_chunk *made = make(pool, chunk);
        if (made == NULL)
            return NULL;
        if (__atomic_compare_exchange_n(&pool->chunk, &chunk, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            chunk = made;
        else
            destroy(pool, made); /* another worker was first: `chunk` is now its chunk */
    }
}

void tf_code_pool_end(struct tf_code_pool *pool)
{
    while (pool->chunk != NULL) {
        struct tf_code_chunk *next = pool->chunk->next;
        destroy(pool, pool->chunk);
        pool->chunk = next;
    }
}
