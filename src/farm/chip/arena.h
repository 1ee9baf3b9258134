/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for one epoch: taken front to back, and given back together. One thread at a time. */
#ifndef FARM_ARENA_H
#define FARM_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/assert.h"

struct tf_arena_chunk;

struct tf_arena {
    struct tf_arena_chunk *first, *last; /* last: the chunk in use; the chunks after it are spare */
    unsigned char *at, *end;
};

/* Enter a chunk with room for this number of bytes, aligned to a cache line. Returns false if the host has no
   memory. */
bool tf_arena_make_room(struct tf_arena *arena, size_t bytes);

/* tf_arena_take(), when the chunk in use is full. bytes: a multiple of 16. */
void *tf_arena_take_in_next_chunk(struct tf_arena *arena, size_t bytes);

/* Take memory, aligned to 16, not zeroed. Returns NULL if the host has no memory. */
static inline void *tf_arena_take(struct tf_arena *arena, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    TF_ASSERT(arena->at <= arena->end && (uintptr_t)arena->at % 16 == 0);
    if (bytes > (size_t)(arena->end - arena->at))
        return tf_arena_take_in_next_chunk(arena, bytes);
    void *memory = arena->at;
    arena->at += bytes;
    return memory;
}

/* Take memory, aligned to a cache line, without a call. Returns NULL if the chunk is full; call tf_arena_make_room()
   first. */
static inline void *tf_arena_take_line(struct tf_arena *arena, size_t bytes)
{
    uintptr_t at = ((uintptr_t)arena->at + 63) & ~(uintptr_t)63;
    size_t taken = (bytes + 15) & ~(size_t)15;
    if (at + taken > (uintptr_t)arena->end)
        return NULL;
    arena->at = (unsigned char *)(at + taken);
    TF_ASSERT(arena->at <= arena->end);
    return (unsigned char *)at;
}

/* Forget everything that was taken. Chunks are kept for the next epoch. */
void tf_arena_reset(struct tf_arena *arena);

/* Give the chunks back to the host. */
void tf_arena_free(struct tf_arena *arena);

#endif
