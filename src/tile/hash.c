/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/hash.h"

#include <stdbool.h>
#include <string.h>

#include "host/zeroed.h"

#define PAGE_BYTES TF_ZEROED_PAGE_BYTES
#define PAGES TF_ZEROED_LOOK_PAGES
#define ASKED_BYTES (256u * 1024u)

typedef uint64_t block __attribute__((vector_size(16), aligned(1)));

/*
 * Hidden from ThreadSanitizer, whose shadow of the chip's memory would be most of the cost of a short run. Races with a
 * worker still show: registers and pages that are not zero are hashed elsewhere.
 */
__attribute__((no_sanitize("thread"))) static bool is_zero(const uint8_t *data, uint64_t bytes)
{
    block many = {0};
    uint64_t any, at = 0;
    for (; at + sizeof many <= bytes; at += sizeof many)
        many |= *(const block *)(const void *)(data + at);
    any = many[0] | many[1];
    for (; at < bytes; at++)
        any |= data[at];
    return any == 0;
}

/* Query the host only for large memory in whole pages: the L1 of a tile, not its Dst. */
static void look(const uint8_t *data, uint64_t bytes, bool *touched)
{
    if (bytes >= ASKED_BYTES && ((uintptr_t)data | bytes) % PAGE_BYTES == 0)
        tf_zeroed_look(data, bytes / PAGE_BYTES, touched);
    else
        memset(touched, true, PAGES);
}

static void hash_pages(struct tf_hash *hash, const uint8_t *data, uint64_t at, uint64_t end, const bool *touched)
{
    for (; at < end; at += PAGE_BYTES) {
        uint64_t length = end - at < PAGE_BYTES ? end - at : PAGE_BYTES;
        if (!*touched++ || is_zero(data + at, length))
            continue;
        tf_hash_u64(hash, at);
        tf_hash_bytes(hash, data + at, length);
    }
}

void tf_hash_memory(struct tf_hash *hash, const uint8_t *data, uint64_t bytes)
{
    for (uint64_t at = 0; at < bytes; at += PAGES * PAGE_BYTES) {
        uint64_t end = bytes - at < PAGES * PAGE_BYTES ? bytes : at + PAGES * PAGE_BYTES;
        bool touched[PAGES];
        look(data + at, end - at, touched);
        hash_pages(hash, data, at, end, touched);
    }
}
