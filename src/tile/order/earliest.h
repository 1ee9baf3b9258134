/* SPDX-License-Identifier: Apache-2.0 */
/* The core that comes first in the order of a tile. Inline for rows `thcon` and `timing-mixed`. */
#ifndef TILE_ORDER_EARLIEST_H
#define TILE_ORDER_EARLIEST_H

#include "tile/order/order.h"

/* The earliest active core that has cycles left, or NULL. tile->slice.horizon becomes the horizon of that core (row
   `thcon`). Stopped cores are not asked (row `reader-writer`). */
static inline struct tf_hart *tf_order_earliest(struct tf_tile *tile, uint64_t deadline)
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

#endif
