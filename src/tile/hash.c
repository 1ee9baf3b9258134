/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/hash.h"

#include <stdlib.h>

#include "host/extremes.h"
#include "host/zeroed.h"

#define PAGE_BYTES TF_ZEROED_PAGE_BYTES
#define PAGES TF_ZEROED_LOOK_PAGES

void tf_hash_look(struct tf_hash *hash, const uint8_t *memory, uint64_t bytes)
{
    const uint64_t before = (uintptr_t)memory % PAGE_BYTES; /* memory of malloc(), under AddressSanitizer */
    memory -= before;
    bytes += before;
    uint64_t pages = (bytes + PAGE_BYTES - 1) / PAGE_BYTES;
    hash->opened = tf_pagemap_open();
    hash->pagemap = &hash->opened;
    hash->touched = malloc(pages * sizeof *hash->touched);
    if (hash->touched == NULL) /* then all memory is read */
        return;
    for (uint64_t page = 0; page < pages; page += PAGES)
        tf_zeroed_look(hash->pagemap, memory + page * PAGE_BYTES, tf_min(pages - page, PAGES), hash->touched + page);
    hash->examined = memory;
    hash->examined_bytes = bytes;
}

void tf_hash_end_look(struct tf_hash *hash)
{
    free(hash->touched);
    hash->touched = NULL;
    hash->examined = NULL;
    hash->examined_bytes = 0;
    if (hash->pagemap != NULL)
        tf_pagemap_close(hash->pagemap);
    hash->pagemap = NULL;
}

const void *tf_hash_view(const struct tf_hash *hash, const void *data, size_t bytes)
{
    static const uint8_t zeros[4 * PAGE_BYTES];
    uint64_t at = (uint64_t)((uintptr_t)data - (uintptr_t)hash->examined);
    if (at >= hash->examined_bytes || bytes == 0 || bytes > sizeof zeros || bytes > hash->examined_bytes - at)
        return data;
    for (uint64_t page = at / PAGE_BYTES; page <= (at + bytes - 1) / PAGE_BYTES; page++)
        if (hash->touched[page])
            return data;
    return zeros;
}

static void hash_from(struct tf_hash *hash, const uint8_t *data, uint64_t at, uint64_t end, const bool *touched)
{
    for (; at < end; at += PAGE_BYTES) {
        uint64_t length = tf_min(end - at, PAGE_BYTES);
        if (!*touched++ || tf_zeroed_is(data + at, length))
            continue;
        tf_hash_u64(hash, at);
        tf_hash_bytes(hash, data + at, length);
    }
}

void tf_hash_pages(struct tf_hash *hash, const uint8_t *data, uint64_t bytes, const bool *touched)
{
    hash_from(hash, data, 0, bytes, touched);
}

void tf_hash_memory(struct tf_hash *hash, const uint8_t *data, uint64_t bytes)
{
    for (uint64_t at = 0; at < bytes; at += PAGES * PAGE_BYTES) {
        uint64_t end = bytes - at < PAGES * PAGE_BYTES ? bytes : at + PAGES * PAGE_BYTES;
        bool touched[PAGES];
        tf_zeroed_ask(hash->pagemap, data + at, end - at, touched);
        hash_from(hash, data, at, end, touched);
    }
}
