/* SPDX-License-Identifier: Apache-2.0 */
/* Running the cores of a tile in their order (order.h). */
#ifndef TILE_RUN_ORDER_RUN_H
#define TILE_RUN_ORDER_RUN_H

#include <stdint.h>

struct tf_tile;

/* Run the cores that stopped before `deadline` because of the order, earliest first, until none is left. */
void tf_order_run(struct tf_tile *tile, uint64_t deadline);

/* tf_order_run() in timing mode. */
void tf_order_run_timed(struct tf_tile *tile, uint64_t deadline);

#endif
