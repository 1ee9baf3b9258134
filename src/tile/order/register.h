/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses of a load or store at an aligned address outside L1 and local RAM, at hart->pc and hart->cycle. Inline for
 * the interpreter: rows `cb` and `atomic-inc-spread` pay.
 */
#ifndef TILE_ORDER_REGISTER_H
#define TILE_ORDER_REGISTER_H

#include "tile/mmio/map/map.h"
#include "tile/order/order.h"
#include "tile/riscv/hart/step.h"
#include "tile/tensix/isa/isa.h"

/* An access is not done: it blocks, and the hart waits; or the hart has faulted or must stop. Returns TF_STEP_STOP. */
enum tf_step tf_register_not_accessed(struct tf_tile *tile, struct tf_hart *hart, enum tf_access access,
                                      uint32_t address, bool store);

/* tf_register_store() to a register that no NIU has. */
enum tf_step tf_register_store_any(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size,
                                   uint32_t value);

/* How an access has ended. The access may have reset the hart that made it. */
static inline enum tf_step tf_register_accessed(struct tf_tile *tile, struct tf_hart *hart, enum tf_access access,
                                                uint32_t address, bool store)
{
    if (__builtin_expect(access != TF_ACCESS_OK, 0))
        return tf_register_not_accessed(tile, hart, access, address, store);
    return hart->state != TF_CORE_RESET ? TF_STEP_NEXT : TF_STEP_STOP;
}

/* A claim of a store. RESOURCEDECL applies to later pushes, which Auto TTSync may count from an earlier cycle on. */
static inline enum tf_access tf_register_claim_store(struct tf_tile *tile, struct tf_hart *hart,
                                                     enum tf_window_id window, uint32_t address, uint32_t value)
{
    if (window == TF_AT_PUSH0 && value >> 24 == TF_OP_RESOURCEDECL &&
        tf_order_claim_coprocessor(tile, hart) != TF_ACCESS_OK)
        return TF_ACCESS_YIELD;
    return tf_order_claim(tile, hart, window, address, true);
}

static inline enum tf_step tf_register_load(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, unsigned size,
                                            uint32_t *value, bool *pure)
{
    enum tf_window_id window = tf_map_find(tile->arch->map, address);
    if (tf_order_claim(tile, hart, window, address, false) != TF_ACCESS_OK)
        return TF_STEP_STOP;
    tile->cycle = hart->cycle;
    enum tf_access access = size == 4 ? tf_mmio_load_word_at(tile, hart->core, window, address, value, pure)
                                      : tf_mmio_load_at(tile, hart->core, window, address, size, value, pure);
    return tf_register_accessed(tile, hart, access, address, false);
}

/* `value` has no bits beyond `size` bytes. */
static inline enum tf_step tf_register_store(struct tf_tile *tile, struct tf_hart *hart, uint32_t address,
                                             unsigned size, uint32_t value)
{
    if (__builtin_expect(tf_fast_reaches(address) && size == 4 && tile->port.store != NULL, 1)) {
        tile->cycle = hart->cycle;
        enum tf_access access = tf_port_store(&tile->port, address, value, hart->core, hart->pc);
        return tf_register_accessed(tile, hart, access, address, true);
    }
    return tf_register_store_any(tile, hart, address, size, value);
}

#endif
