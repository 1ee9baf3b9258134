/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/mmio/map/map.h"
#include "tile/order/register.h"

#include "host/assert.h"
#include "tile/state.h"
#include "tile/riscv/code/code.h"

enum tf_step tf_register_not_accessed(struct tf_tile *tile, struct tf_hart *hart, enum tf_access access,
                                      uint32_t address, bool store)
{
    if (access == TF_ACCESS_BLOCK) {
        hart->state = TF_CORE_BLOCKED;
        hart->wait_address = address;
        hart->wait_store = store;
        hart->wait_tried = false;
        TF_ASSERT(tf_mmio_would_block(tile, hart->core, address, store));
    }
    return TF_STEP_STOP;
}

/* Is a store right behind L1, where silicon takes it for nothing? */
static bool is_lost(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size)
{
    if (!tile->mode.as_silicon || address - tile->arch->l1_bytes >= tile->arch->l1_lost)
        return false;
    tile->cycle = hart->cycle;
    tf_tile_hazard(tile, hart->core, TF_FAULT_UNDEFINED, tf_code_word(tile, hart->pc), address,
                   "store of %u bytes behind L1", size);
    return true;
}

enum tf_step tf_register_store_any(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size,
                                   uint32_t value)
{
    if (is_lost(tile, hart, address, size))
        return TF_STEP_NEXT;
    enum tf_window_id window = tf_map_find(tile->arch->map, address);
    if (tf_register_claim_store(tile, hart, window, address, value) != TF_ACCESS_OK)
        return TF_STEP_STOP;
    tile->cycle = hart->cycle;
    enum tf_access access = tf_mmio_store_at(tile, hart->core, window, address, size, value);
    return tf_register_accessed(tile, hart, access, address, true);
}
