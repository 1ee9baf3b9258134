/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cores of a tile that have their turns by turns in the loop of timing mode (timed.c). A core that stops before an
 * access keeps its place in a lane, and goes on there: row `timing-mixed` changes from core to core after six
 * instructions. Only for timed.c.
 */
#ifndef TILE_RISCV_INTERP_TIMED_LANE_H
#define TILE_RISCV_INTERP_TIMED_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/extremes.h"
#include "tile/order/order.h"
#include "tile/riscv/code/page.h"
#include "tile/riscv/timed/fetch.h"
#include "tile/state.h"
#include "tile/timing.h"

/* Of an open lane the hart has the cycle; the rest of the core's progress is here. */
struct tf_timed_lane {
    struct tf_core_timing *timing;
    struct tf_timed_cache cache; /* of instructions */
    /* Of a core that stopped: as in run_on(). */
    uint32_t shift;
    const struct tf_op *op;
    uint64_t idle;
};

#define TF_TIMED_QUEUE 8u /* a power of two */

_Static_assert(TF_TILE_CORES <= TF_TIMED_QUEUE, "the queue has room for all, and a core has three bits");

struct tf_timed_lanes {
    unsigned open; /* as bits */
    bool queued;   /* the queue has all cores that may have their turns, but the present one */
    unsigned first, end;
    uint64_t queue[TF_TIMED_QUEUE]; /* cycle << 3 | core; a ring, the earliest first */
    struct tf_timed_lane lane[TF_TILE_CORES];
};

/* The pc of an operation. shift: the difference between it and a quarter of the operation's address, in a page. */
static inline uint32_t tf_timed_pc(const struct tf_op *op, uint32_t shift)
{
    return (uint32_t)((uintptr_t)op / 4) + shift;
}

/* Write to a core what its lane has. idle: the cycle less the instructions since the lane was opened. */
static inline void tf_timed_close(struct tf_timed_lanes *lanes, struct tf_tile *tile, struct tf_hart *hart, uint32_t pc,
                                  uint64_t idle)
{
    struct tf_core_timing *timing = lanes->lane[hart->core].timing;
    const uint64_t retired = hart->cycle - idle;
    hart->pc = pc;
    hart->instret += retired;
    tile->figures.executed += retired;
    timing->spent[TF_TIME_RV_ISSUE] += retired;
    timing->counted = hart->cycle;
    lanes->open &= ~(1u << hart->core);
}

/* Close all lanes, whose cores have stopped. Others may look at the cores now, and start or stop them. */
static inline void tf_timed_close_all(struct tf_timed_lanes *lanes, struct tf_tile *tile)
{
    while (lanes->open != 0) {
        const unsigned core = (unsigned)__builtin_ctz(lanes->open);
        const struct tf_timed_lane *lane = &lanes->lane[core];
        tf_timed_close(lanes, tile, &tile->hart[core], tf_timed_pc(lane->op, lane->shift), lane->idle);
    }
    lanes->queued = false;
}

static inline uint64_t tf_timed_key(const struct tf_hart *hart)
{
    return hart->cycle << 3 | hart->core;
}

static inline uint64_t *tf_timed_queued(struct tf_timed_lanes *lanes, unsigned i)
{
    return &lanes->queue[i % TF_TIMED_QUEUE];
}

/* A core that may have a turn comes into the queue. Most have just had one, and are the last. */
static inline void tf_timed_queue(struct tf_timed_lanes *lanes, uint64_t key)
{
    unsigned i = lanes->end++;
    for (; i != lanes->first && *tf_timed_queued(lanes, i - 1) > key; i--)
        *tf_timed_queued(lanes, i) = *tf_timed_queued(lanes, i - 1);
    *tf_timed_queued(lanes, i) = key;
}

/* Make the queue of all cores that have cycles left, as tf_order_earliest() sees them, but one. */
static inline void tf_timed_queue_all(struct tf_timed_lanes *lanes, const struct tf_tile *tile, uint64_t deadline,
                                      unsigned but)
{
    lanes->first = lanes->end = 0;
    for (unsigned cores = tile->moving & ~(1u << but); cores != 0; cores &= cores - 1) {
        const struct tf_hart *hart = &tile->hart[__builtin_ctz(cores)];
        if (tf_order_is_active(hart) && hart->cycle < deadline)
            tf_timed_queue(lanes, tf_timed_key(hart));
    }
    lanes->queued = true;
}

/* The horizon of a core that comes before all in the queue (order/order.c). */
static inline uint64_t tf_timed_horizon(struct tf_timed_lanes *lanes, const struct tf_tile *tile, unsigned core)
{
    if (lanes->first == lanes->end)
        return tile->limit;
    const uint64_t next = *tf_timed_queued(lanes, lanes->first);
    return tf_min(tile->limit, (next >> 3) + ((next & 7) > core));
}

#endif
