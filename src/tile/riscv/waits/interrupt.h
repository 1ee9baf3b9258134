/* SPDX-License-Identifier: Apache-2.0 */
/* What may let a hart go on that waits: an interrupt, or the access that blocked. */
#ifndef TILE_RISCV_WAITS_INTERRUPT_H
#define TILE_RISCV_WAITS_INTERRUPT_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/mmio/map/map.h"
#include "tile/mmio/pic.h"
#include "tile/riscv/hart/csr.h"
#include "tile/state.h"

/* May an interrupt be pending for the hart? This quick test is seldom true: row `atomics` pays for it (6 %). */
static inline bool tf_hart_interruptible(const struct tf_tile *tile, const struct tf_hart *hart)
{
    return (tile->interruptible >> hart->core & 1) != 0 && tf_csr_interrupts_enabled(&hart->csr);
}

/* Its number, and its handler's address in *handler_pc; -1: none is pending. */
static inline int tf_hart_pending_interrupt(struct tf_tile *tile, const struct tf_hart *hart, uint32_t *handler_pc)
{
    if (!tf_hart_interruptible(tile, hart))
        return -1;
    tile->cycle = hart->cycle;
    return tf_mmio_interrupt(tile, hart->core, handler_pc);
}

/* Would a blocked core's access block again? Such a core is not tried, because a try would count as a failed probe. */
static inline bool tf_hart_would_block(struct tf_tile *tile, const struct tf_hart *hart)
{
    tile->cycle = hart->cycle;
    return tf_mmio_would_block(tile, hart->core, hart->wait_address, hart->wait_store);
}

#endif
