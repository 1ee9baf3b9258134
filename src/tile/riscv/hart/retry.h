/* SPDX-License-Identifier: Apache-2.0 */
/* The retry grid of a blocked core. */
#ifndef TILE_RISCV_HART_RETRY_H
#define TILE_RISCV_HART_RETRY_H

#include <stdint.h>

/*
 * A blocked core retries its access at intervals of so many cycles from the first try on. These cycles are its retry
 * grid. A core that blocks while another core awaits the coprocessor takes the grid of that core. So the coprocessor
 * runs at least that many cycles in one turn (bench rows `thcon`, `matmul-*`), and consumes no more than an open FIFO
 * holds. No grid depends on when the chip or a slice began.
 */
#define TF_ORDER_RETRY_CYCLES 32u

/* The first cycle at or after `cycle` in which a core retries, if it also retries in cycle `grid`. */
static inline uint64_t tf_order_retry(uint64_t grid, uint64_t cycle)
{
    return cycle + (grid - cycle) % TF_ORDER_RETRY_CYCLES;
}

#endif
