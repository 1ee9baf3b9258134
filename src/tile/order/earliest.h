/* SPDX-License-Identifier: Apache-2.0 */
/* The core that comes first in the order of a tile. Inline for rows `thcon` and `timing-mixed`. */
#ifndef TILE_ORDER_EARLIEST_H
#define TILE_ORDER_EARLIEST_H

#include "host/extremes.h"
#include "tile/order/order.h"

/* The earliest active core that has cycles left, or NULL. tile->slice.horizon becomes the horizon of that core (row
   `thcon`). Stopped cores are not asked (row `reader-writer`). */
static inline __attribute__((always_inline)) struct tf_hart *tf_order_earliest(struct tf_tile *tile, uint64_t deadline)
{
    struct tf_hart *first = NULL;
    uint64_t cycle = deadline, horizon = tile->limit;
    for (unsigned cores = tile->moving; cores != 0; cores &= cores - 1) {
        struct tf_hart *hart = &tile->hart[__builtin_ctz(cores)];
        if (!tf_order_is_active(hart))
            continue;
        if (hart->cycle < cycle) {
            if (first != NULL && cycle < horizon)
                horizon = cycle;
            first = hart;
            cycle = hart->cycle;
        } else if (hart->cycle + (first != NULL) < horizon) {
            horizon = hart->cycle + (first != NULL);
        }
    }
    tile->slice.horizon = horizon;
    return first;
}

/* The first cycle in which a core must wait for another one, as order.c finds it. 0: it is not that simple. In a tile
   whose cores do not doze. Row `timing-mixed` pays for it. */
static inline uint64_t tf_order_horizon(const struct tf_tile *tile, unsigned core)
{
    uint64_t horizon = tile->limit;
    for (unsigned others = tile->moving & ~(1u << core); others != 0; others &= others - 1) {
        const unsigned other = (unsigned)__builtin_ctz(others);
        const struct tf_hart *hart = &tile->hart[other];
        if (tf_order_is_active(hart))
            horizon = tf_min(hart->cycle + (other > core), horizon);
        else if (hart->state == TF_CORE_PARKED && other > core)
            return 0; /* it may wake */
    }
    return horizon;
}

#endif
