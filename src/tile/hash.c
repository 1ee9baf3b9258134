/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/hash.h"

#include <xxhash.h>

#include "host/extremes.h"
#include "host/sanitizer.h"
#include "host/zeroed.h"
#include "host/zeros.h"

#define PAGE_BYTES TF_ZEROED_PAGE_BYTES
#define PAGES TF_ZEROED_LOOK_PAGES

const void *tf_hash_view(const struct tf_hash *hash, const void *data, size_t bytes)
{
    static const uint8_t zeros[4 * PAGE_BYTES];
    return bytes <= sizeof zeros && tf_looked_zero(&hash->looked, data, bytes) ? zeros : data;
}

void tf_hash_bytes(struct tf_hash *hash, const void *data, size_t bytes)
{
    const void *view = tf_hash_view(hash, data, bytes);
    if (bytes == 0)
        return;
    tf_sanitizer_address(view, bytes);
    tf_sanitizer_race(view);
    XXH3_64bits_update(hash->state, view, bytes);
}

static void hash_from(struct tf_hash *hash, const uint8_t *data, uint64_t at, uint64_t end, const bool *touched)
{
    for (; at < end; at += PAGE_BYTES) {
        uint64_t length = tf_min(end - at, PAGE_BYTES);
        if (!*touched++ || tf_zeros(data + at, length))
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
        tf_zeroed_ask(&hash->looked, data + at, end - at, touched);
        hash_from(hash, data, at, end, touched);
    }
}
