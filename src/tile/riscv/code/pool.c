/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/code/pool.h"

#include "host/zeroed.h"
#include "tile/riscv/code/page.h"

/* A huge page. Without them only what is used of it takes memory. */
#define CHUNK_BYTES (2u << 20)

struct chunk {
    struct chunk *next;
};

void tf_code_pool_begin(struct tf_code_pool *pool)
{
    pthread_mutex_init(&pool->lock, NULL);
}

static bool add_chunk(struct tf_code_pool *pool)
{
    struct chunk *chunk = pool->sparse ? tf_zeroed_take(CHUNK_BYTES) : tf_zeroed_take_dense(CHUNK_BYTES, 0);
    if (chunk == NULL)
        return false;
    chunk->next = pool->chunk;
    pool->chunk = chunk;
    const uintptr_t begin = (uintptr_t)(chunk + 1), end = (uintptr_t)chunk + CHUNK_BYTES;
    pool->at = (uint8_t *)chunk + (((begin + TF_PAGE_ALIGN - 1) & -(uintptr_t)TF_PAGE_ALIGN) - (uintptr_t)chunk);
    pool->end = (uint8_t *)chunk + ((end & -(uintptr_t)TF_PAGE_ALIGN) - (uintptr_t)chunk);
    return true;
}

static void *take(struct tf_code_pool *pool)
{
    void *block = pool->spare;
    if (block != NULL) {
        pool->spare = *(void **)block;
        return block;
    }
    if (pool->at == pool->end && !add_chunk(pool))
        return NULL;
    block = pool->at;
    pool->at += TF_PAGE_ALIGN;
    return block;
}

void *tf_code_pool_take(struct tf_code_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    void *block = take(pool);
    pthread_mutex_unlock(&pool->lock);
    return block;
}

void tf_code_pool_give(struct tf_code_pool *pool, void *block)
{
    pthread_mutex_lock(&pool->lock);
    *(void **)block = pool->spare;
    pool->spare = block;
    pthread_mutex_unlock(&pool->lock);
}

void tf_code_pool_end(struct tf_code_pool *pool)
{
    while (pool->chunk != NULL) {
        struct chunk *next = pool->chunk->next;
        (pool->sparse ? tf_zeroed_give : tf_zeroed_give_dense)(pool->chunk, CHUNK_BYTES);
        pool->chunk = next;
    }
    pthread_mutex_destroy(&pool->lock);
}
