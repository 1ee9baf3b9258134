/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/hash.h"

#include <string.h>

#define PAGE_BYTES 4096u

static int is_zero(const uint8_t *data, uint64_t bytes)
{
    return bytes == 0 || (data[0] == 0 && memcmp(data, data + 1, bytes - 1) == 0);
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
