/* SPDX-License-Identifier: Apache-2.0 */
/* The state hash: every module feeds its simulated state, in a fixed order, as bytes of a little-endian host. */
#ifndef TILE_HASH_H
#define TILE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/zeroed.h"

struct tf_hash {
    void *state; /* an XXH3_state_t. Half of the sources include this file, and xxhash.h takes long to compile. */
    struct tf_looked looked; /* memory whose untouched pages are not read: each would cost a fault of the host */
};

/* The memory to read for `data`: zeros where tf_looked_begin() found untouched pages, else `data`. */
const void *tf_hash_view(const struct tf_hash *hash, const void *data, size_t bytes);

/* Add bytes to the hash. */
void tf_hash_bytes(struct tf_hash *hash, const void *data, size_t bytes);

static inline void tf_hash_u32(struct tf_hash *hash, uint32_t value)
{
    tf_hash_bytes(hash, &value, sizeof value);
}

static inline void tf_hash_u64(struct tf_hash *hash, uint64_t value)
{
    tf_hash_bytes(hash, &value, sizeof value);
}

/* Add memory to the hash, without pages of zeros. Touches no page of the host: most of the memory may be untouched. */
void tf_hash_memory(struct tf_hash *hash, const uint8_t *data, uint64_t bytes);

/* The same, if the caller has looked: touched has an entry for each page of TF_ZEROED_PAGE_BYTES (host/zeroed.h). */
void tf_hash_pages(struct tf_hash *hash, const uint8_t *data, uint64_t bytes, const bool *touched);

#endif
