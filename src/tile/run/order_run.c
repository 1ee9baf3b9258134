/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/hart/retry.h"
#include "tile/run/order_run.h"

#include "host/extremes.h"
#include "tile/order/earliest.h"
#include "tile/order/order.h"
#include "tile/riscv/hart.h"
#include "tile/run/clock_loop.h"
#include "tile/tensix/issue/run.h"
#include "tilefarm_address.h"

/* Can only another core end the wait of a blocked core? */
static bool awaits_core(const struct tf_tile *tile, const struct tf_hart *hart)
{
    enum tf_window_id window = tf_map_find(tile->arch->map, hart->wait_address);
    return window == TF_AT_MAILBOX ||
           (window == TF_AT_PCBUF0 && hart->core != TF_CORE_B && hart->wait_address < TF_DONE_CHECK);
}

/* The first cycle that may end the wait of a blocked core. The coprocessor has reached the core's cycle. */
static uint64_t next_action(struct tf_tile *tile, const struct tf_hart *hart)
{
    bool coprocessor_acts = tile->tensix != NULL && !tf_tensix_waiting(tile);
    if (coprocessor_acts && !awaits_core(tile, hart))
        return hart->cycle;
    uint64_t next = UINT64_MAX;
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        const struct tf_hart *other = &tile->hart[core];
        bool acts = coprocessor_acts ? tf_order_is_active(other) : other->state == TF_CORE_RUNNING;
        if (other != hart && acts)
            next = tf_min(next, other->cycle);
    }
    return next;
}

/*
 * The first cycle in which the expanders of a blocked core's own thread may permit its access. The core does not try
 * earlier, and the coprocessor runs up to that cycle in one turn (bench rows `mop` and `replay`).
 */
static uint64_t not_before(const struct tf_tile *tile, const struct tf_hart *hart)
{
    if (tile->tensix == NULL || hart->core < TF_CORE_T0)
        return 0;
    bool pushes = hart->wait_store && tf_map_find(tile->arch->map, hart->wait_address) == TF_AT_PUSH0;
    bool awaits_idle = !hart->wait_store && hart->wait_address == TF_DONE_CHECK;
    return pushes || awaits_idle ? tf_tensix_not_before(tile, hart->core - TF_CORE_T0, awaits_idle) : 0;
}

/* A cycle of the grid on which a blocked core tries again. */
static uint64_t grid_of(const struct tf_tile *tile, const struct tf_hart *hart)
{
    if (hart->wait_tried)
        return hart->cycle;
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        const struct tf_hart *other = &tile->hart[core];
        if (other->state == TF_CORE_BLOCKED && other->wait_tried && !awaits_core(tile, other))
            return other->cycle;
    }
    return hart->cycle;
}

/* Let a blocked core try its access. */
static void run_blocked(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    if (!tf_order_bring_coprocessor(tile, hart->cycle))
        return;
    if (tf_hart_unblock(tile, hart)) {
        tf_hart_go_on(tile, hart, deadline);
        return;
    }
    uint64_t grid = grid_of(tile, hart);
    hart->wait_tried = true;
    uint64_t next = next_action(tile, hart), least = not_before(tile, hart);
    next = tf_min(tf_max(next, least), deadline);
    next = tf_max(next, hart->cycle + 1);
    hart->cycle = tile->timing != NULL ? next : tf_order_retry(grid, next);
}

/* Let parked cores poll up to the deadline. Their registers do not change before it. */
static inline __attribute__((always_inline)) void rest_pollers(struct tf_tile *tile, uint64_t deadline)
{
    bool any = false;
    for (unsigned core = 0, cores = tile->pollers ? tile->arch->cores : 0; core < cores; core++) {
        struct tf_hart *hart = &tile->hart[core];
        if (tf_order_is_poller(hart) && hart->cycle < deadline)
            tf_hart_rest(tile, hart, deadline);
        any |= tf_order_is_poller(hart);
    }
    tile->pollers = any;
}

/* timed: a constant, whether the tile is in timing mode. */
static inline __attribute__((always_inline)) void run(struct tf_tile *tile, uint64_t deadline, const bool timed)
{
    for (;;) {
        struct tf_hart *hart = tf_order_earliest(tile, deadline);
        if (hart == NULL && tf_order_bring_coprocessor(tile, deadline))
            break;
        if (hart == NULL)
            continue;
        if (timed && hart->state == TF_CORE_RUNNING)
            tf_hart_go_on_timed(tile, hart, deadline);
        else if (hart->state != TF_CORE_RUNNING)
            run_blocked(tile, hart, deadline);
        else if (!tf_clock_loop(tile, hart, deadline))
            tf_hart_go_on(tile, hart, deadline);
    }
    rest_pollers(tile, deadline);
}

void tf_order_run(struct tf_tile *tile, uint64_t deadline)
{
    run(tile, deadline, false);
}

void tf_order_run_timed(struct tf_tile *tile, uint64_t deadline)
{
    run(tile, deadline, true);
}
