/* SPDX-License-Identifier: Apache-2.0 */
/* Which loads of registers have an effect. This one answer serves claims, memos and parked cores. */
#ifndef TILE_MMIO_MAP_ACTS_H
#define TILE_MMIO_MAP_ACTS_H

#include "tile/mmio/map/map.h"
#include "tile/state.h"

/* May a load from this window act now? Most windows have no such register (row `cb`). */
static inline bool tf_mmio_window_acts(const struct tf_tile *tile, enum tf_window_id window)
{
    const uint32_t may_act = 1u << TF_AT_NIU0 | 1u << TF_AT_NIU1 | 1u << TF_AT_DEBUG | 1u << TF_AT_PIC |
                             1u << TF_AT_POLLED_PIC | 1u << TF_AT_MAILBOX | 1u << TF_AT_PCBUF0;
    return window == TF_AT_OVERLAY ? tile->mmio.blobs_done != 0 : may_act >> window & 1;
}

/*
 * Would a load by `from` change a register in cycle tile->cycle: pop, clear or latch a value? A load that would have to
 * wait first changes nothing yet. No side effects.
 */
static inline bool tf_mmio_load_acts(const struct tf_tile *tile, unsigned from, enum tf_window_id window,
                                     uint32_t address)
{
    return tf_mmio_window_acts(tile, window) && tf_mmio_load_acts_on(tile, from, window, address);
}

#endif
