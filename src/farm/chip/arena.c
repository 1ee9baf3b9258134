/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/chip/arena.h"

#include <stdlib.h>

#include "host/hostile.h"

#define CHUNK_BYTES TF_UNLESS_HOSTILE(256u * 1024u, 1024u)
#define LINE_BYTES 64u

struct tf_arena_chunk {
    struct tf_arena_chunk *next;
    size_t bytes; /* size of the data */
    _Alignas(LINE_BYTES) unsigned char data[];
};

/* Take memory from this chunk from now on. */
static void enter(struct tf_arena *arena, struct tf_arena_chunk *chunk)
{
    arena->last = chunk;
    arena->at = chunk->data;
    arena->end = chunk->data + chunk->bytes;
}

bool tf_arena_make_room(struct tf_arena *arena, size_t bytes)
{
    struct tf_arena_chunk *chunk = arena->last != NULL ? arena->last->next : arena->first;
    if (chunk == NULL || chunk->bytes < bytes) {
        size_t size = bytes > CHUNK_BYTES ? (bytes + LINE_BYTES - 1) & ~(size_t)(LINE_BYTES - 1) : CHUNK_BYTES;
        struct tf_arena_chunk *fresh = aligned_alloc(LINE_BYTES, sizeof *fresh + size);
        if (fresh == NULL)
            return false;
        fresh->bytes = size;
        fresh->next = chunk;
        if (arena->last != NULL)
            arena->last->next = fresh;
        else
            arena->first = fresh;
        chunk = fresh;
    }
    enter(arena, chunk);
    return true;
}

void *tf_arena_take_in_next_chunk(struct tf_arena *arena, size_t bytes)
{
    if (!tf_arena_make_room(arena, bytes))
        return NULL;
    void *memory = arena->at;
    arena->at += bytes;
    return memory;
}

void tf_arena_reset(struct tf_arena *arena)
{
    if (arena->first != NULL)
        enter(arena, arena->first);
}

void tf_arena_free(struct tf_arena *arena)
{
    for (struct tf_arena_chunk *chunk = arena->first; chunk != NULL;) {
        struct tf_arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    *arena = (struct tf_arena){0};
}
