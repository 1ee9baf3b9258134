/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/exec/register.h"

#include "host/assert.h"
#include "tile/mmio/parts.h"

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

enum tf_step tf_register_store_any(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size,
                                   uint32_t value)
{
    enum tf_window_id window = tf_map_find(tile->arch->map, address);
    if (tf_register_claim_store(tile, hart, window, address, value) != TF_ACCESS_OK)
        return TF_STEP_STOP;
    tile->cycle = hart->cycle;
    enum tf_access access = tf_mmio_store_at(tile, hart->core, window, address, size, value);
    return tf_register_accessed(tile, hart, access, address, true);
}
