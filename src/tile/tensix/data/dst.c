/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/data/dst.h"

#include <string.h>

#include "host/saved.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/soft_reset.h"
#include "tile/tensix/state.h"

struct tf_dst *tf_dst_get(struct tf_tile *tile)
{
    if (tile->tensix->dst == NULL)
        tile->tensix->dst = tile->tensix->dst_memory;
    return tile->tensix->dst;
}

struct tf_dst_map tf_dst_map(const struct tf_tile *tile)
{
    const struct tf_backend_config *config = tile->tensix->config;
    return (struct tf_dst_map){
        .remap_addrs = TF_CFG(config, 0, DEST_ACCESS_CFG_remap_addrs),
        .swizzle_32b = TF_CFG(config, 0, DEST_ACCESS_CFG_swizzle_32b),
        .high_halves = tile->mmio.debug.word[TF_DST_DEBUG_FEATURE_DISABLE / 4] & TF_DST_DEBUG_HIGH_HALVES,
    };
}

void tf_dst_reset(struct tf_tile *tile, uint32_t entering)
{
    struct tf_dst *dst = tile->tensix->dst;
    if ((entering & TF_RESET_DST) != 0 && dst != NULL)
        memset(dst->undefined, 0, sizeof dst->undefined);
}

void tf_dst_state(struct tf_saved *saved, struct tf_tile *tile)
{
    bool used = tf_saved_count(saved, tile->tensix->dst != NULL, 1);
    struct tf_dst *dst = used ? tf_dst_get(tile) : NULL;
    if (used)
        tf_saved_memory(saved, dst, sizeof *dst);
}

void tf_dst_hash(const struct tf_tile *tile, struct tf_hash *hash)
{
    static const uint64_t none[TF_DST_ROWS / 64];
    const struct tf_dst *dst = tile->tensix->dst;
    if (dst != NULL)
        tf_hash_memory(hash, (const uint8_t *)dst->bits, sizeof dst->bits);
    tf_hash_bytes(hash, dst != NULL ? dst->undefined : none, sizeof none);
}
