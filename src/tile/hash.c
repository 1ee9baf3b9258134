/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/hash.h"

#include <stdbool.h>

#define PAGE_BYTES 4096u

typedef uint64_t block __attribute__((vector_size(16), aligned(1)));

/*
 * Hidden from ThreadSanitizer: the megabytes of a chip's memory would each get a shadow of several, and be most of what
 * a short run costs. A worker still at work is found by what else is hashed: pages that are not zero, registers.
 */
__attribute__((no_sanitize("thread"))) static bool is_zero(const uint8_t *data, uint64_t bytes)
{
    block many = { 0 };
    uint64_t any, at = 0;
    for (; at + sizeof many <= bytes; at += sizeof many)
        many |= *(const block *)(const void *)(data + at);
    any = many[0] | many[1];
    for (; at < bytes; at++)
        any |= data[at];
    return any == 0;
}

void tf_hash_memory(struct tf_hash *hash, const uint8_t *data, uint64_t bytes)
{
    for (uint64_t at = 0; at < bytes; at += PAGE_BYTES) {
        uint64_t length = bytes - at < PAGE_BYTES ? bytes - at : PAGE_BYTES;
        if (is_zero(data + at, length))
            continue;
        tf_hash_u64(hash, at);
        tf_hash_bytes(hash, data + at, length);
    }
}
