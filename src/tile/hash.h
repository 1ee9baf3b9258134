/* SPDX-License-Identifier: Apache-2.0 */
/* The state hash: every module feeds its simulated state, in a fixed order, as bytes of a little-endian host. */
#ifndef TILE_HASH_H
#define TILE_HASH_H

#include <stdint.h>
#include <xxhash.h>

struct tf_hash {
    XXH3_state_t *state;
};

static inline void tf_hash_bytes(struct tf_hash *hash, const void *data, size_t bytes)
{
    XXH3_64bits_update(hash->state, data, bytes);
}

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

#endif
