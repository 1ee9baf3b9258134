/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/order/order.h"

#include "host/extremes.h"
#include "tile/mmio/map/acts.h"
#include "tile/mmio/clock_words.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/hart/doze.h"
#include "tile/riscv/hart/retry.h"
#include "tile/riscv/waits/waits.h"
#include "tile/timing.h"
#include "tile/tensix/issue/run.h"
#include "tile/tensix/whole/tensix.h"
#include "tilefarm_address.h"

/* The first cycle in which the core must wait for another one. No other core dozes after this call: the core may stop
   it, or read its registers. */
static uint64_t horizon_of(struct tf_tile *tile, unsigned core)
{
    const bool may_doze = tf_tile_may_doze(tile);
    uint64_t horizon = tile->limit;
    for (unsigned others = tile->moving & ~(1u << core); others != 0; others &= others - 1) {
        unsigned other = (unsigned)__builtin_ctz(others);
        struct tf_hart *hart = &tile->hart[other];
        if (may_doze)
            tf_hart_rouse(tile, hart);
        bool sleeps = other > core && hart->state == TF_CORE_PARKED;
        if (!tf_order_is_active(hart) && !(sleeps && tf_hart_will_wake(tile, hart)))
            continue;
        uint64_t end = hart->cycle + (other > core);
        horizon = tf_min(end, horizon);
    }
    return horizon;
}

/*
 * Do all other cores come later than this one? The field tile->slice.horizon keeps the answer until a core starts,
 * wakes or may try again earlier (rows `cb` and `thcon`). If others stop in the meantime, the horizon is too early, and
 * the core stops once without need.
 */
static bool is_earliest(struct tf_tile *tile, unsigned core, uint64_t cycle)
{
    if (tile->slice.horizon == 0)
        tile->slice.horizon = horizon_of(tile, core);
    return cycle < tile->slice.horizon;
}

static unsigned group_of(const struct tf_tile *tile, uint32_t address)
{
    return tf_order_group(tile, tf_map_find(tile->arch->map, address), address);
}

/* May an input of a parked core change when a register of the group changes? */
static bool polls(const struct tf_tile *tile, const struct tf_hart *hart, unsigned group)
{
    if (group == TF_ORDER_EVERYTHING)
        return true;
    for (unsigned i = 0; i < hart->park.inputs; i++) {
        const struct tf_input *input = &hart->park.input[i];
        unsigned polled = input->size == 0 ? TF_ORDER_EVERYTHING : group_of(tile, input->address);
        if (input->at == NULL && (polled == group || polled == TF_ORDER_EVERYTHING))
            return true;
    }
    return false;
}

/* May an input of a parked core change when another core stores to `span`? */
static bool polls_span(const struct tf_tile *tile, const struct tf_hart *hart, struct tf_span span, unsigned core)
{
    const struct tf_map *map = tile->arch->map;
    const bool l1 = span.first < tile->arch->l1_bytes;
    const enum tf_window_id stored = l1 ? TF_AT_NOTHING : tf_map_find(map, span.first);
    for (unsigned i = 0; i < hart->park.inputs; i++) {
        const struct tf_input *input = &hart->park.input[i];
        if (input->size == 0)
            continue;
        enum tf_window_id polled = tf_map_find(map, input->address);
        if (l1 ? input->address <= span.last && span.first < input->address + input->size
               : polled == stored || (stored == TF_AT_OWN_LOCAL && polled == TF_AT_LOCAL_B + core))
            return true;
    }
    return false;
}

/* The inputs of a parked core that the coprocessor may change. */
enum reach {
    BY_NONE,
    BY_STORES, /* streams change only by stores to registers */
    BY_ALL,
};

static enum reach reach_of(const struct tf_tile *tile, const struct tf_hart *hart)
{
    enum reach reach = BY_NONE;
    for (unsigned i = 0; i < hart->park.inputs; i++) {
        const struct tf_input *input = &hart->park.input[i];
        unsigned group = input->size == 0 ? TF_ORDER_EVERYTHING : group_of(tile, input->address);
        if (tile->ordered && input->at != NULL && group != TF_AT_OWN_LOCAL)
            return BY_ALL; /* the input is in L1, or in a NIU */
        if (input->at != NULL || group == TF_AT_MAILBOX)
            continue;
        if (group <= TF_ORDER_EVERYTHING)
            return BY_ALL;
        reach = BY_STORES;
    }
    return reach;
}

/* An access in `cycle` is about to change a group. Parked cores that poll it first execute their polls up to `cycle`.
   Returns true if there are any. */
static bool wake_pollers(struct tf_tile *tile, unsigned core, uint64_t cycle, unsigned group)
{
    bool behind = false;
    for (unsigned other = 0; other < tile->arch->cores; other++) {
        struct tf_hart *hart = &tile->hart[other];
        if (other == core || !tf_order_is_poller(hart) || !polls(tile, hart, group))
            continue;
        tf_hart_wake_poller(tile, hart, cycle);
        behind |= hart->cycle < cycle + (other < core);
    }
    return behind;
}

/*
 * The coprocessor is about to act. Parked cores whose inputs it may change (`reach`) execute their polls for the rest
 * of the slice. Returns true if there are any.
 */
static bool wake_for_coprocessor(struct tf_tile *tile, enum reach reach)
{
    bool any = false;
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        struct tf_hart *hart = &tile->hart[core];
        if (!tf_order_is_poller(hart) || reach_of(tile, hart) < reach)
            continue;
        tf_hart_wake_poller(tile, hart, tf_tensix_clock(tile));
        tf_hart_delay_probe(hart, tile->slice.deadline);
        any = true;
    }
    return any;
}

/*
 * A T core's push into an open FIFO is ordered by its arrival alone: only the core itself can close the FIFO. B's
 * pushes need more order, because the thread's own core sees them in Manual TTSync.
 */
static bool is_free_push(const struct tf_tile *tile, const struct tf_hart *hart, enum tf_window_id window)
{
    return window == TF_AT_PUSH0 && hart->core >= TF_CORE_T0 && tile->tensix != NULL &&
           tf_tensix_push_free(tile, hart->core - TF_CORE_T0);
}

/* A register of the debug interface changes in cycle `cycle`, and may end any wait: all blocked cores try again soon
   after it. A core that ran ahead and blocked in a later cycle tries again in that one. `core` changes it;
   TF_TILE_CORES stands for the coprocessor. Returns true if a core tries earlier now. */
static bool recall_blocked(struct tf_tile *tile, unsigned core, uint64_t cycle)
{
    bool any = false;
    for (unsigned other = 0; other < tile->arch->cores; other++) {
        struct tf_hart *hart = &tile->hart[other];
        uint64_t soonest = cycle + (other < core);
        if (hart->state != TF_CORE_BLOCKED || !hart->wait_tried || hart->cycle <= soonest)
            continue;
        uint64_t retry = tf_order_retry(hart->cycle, soonest);
        any |= retry < hart->cycle;
        hart->cycle = retry;
    }
    tile->slice.horizon = 0;
    return any;
}

/* Does a blocked core try again so late that a store of the coprocessor may end its wait earlier? */
static bool any_awaits_late(const struct tf_tile *tile)
{
    const uint64_t clock = tf_tensix_clock(tile);
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        const struct tf_hart *hart = &tile->hart[core];
        if (hart->state == TF_CORE_BLOCKED && hart->wait_tried && hart->cycle > clock + TF_ORDER_RETRY_CYCLES)
            return true;
    }
    return false;
}

/* Run the coprocessor. It halts before a store that may end the wait of a core whose next try is much later. */
static bool run_for_blocked(struct tf_tile *tile, uint64_t cycle)
{
    if (!any_awaits_late(tile) || tf_tensix_run_to(tile, cycle, true))
        return tf_tensix_run_to(tile, cycle, false);
    return !recall_blocked(tile, TF_TILE_CORES, tf_tensix_halted_at(tile)) && tf_tensix_run_to(tile, cycle, false);
}

bool tf_order_run_coprocessor(struct tf_tile *tile, uint64_t cycle)
{
    enum reach reach = BY_NONE; /* the furthest of all pollers */
    if (!tile->pollers)
        return run_for_blocked(tile, cycle);
    if (tf_tensix_clock(tile) >= cycle || tf_tensix_rest(tile, cycle)) /* pollers of registers: rows `matmul-*` */
        return true;
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        const struct tf_hart *hart = &tile->hart[core];
        enum reach own = tf_order_is_poller(hart) ? reach_of(tile, hart) : BY_NONE;
        reach = own > reach ? own : reach;
    }
    if (reach == BY_ALL && !tf_tensix_waiting(tile) && wake_for_coprocessor(tile, BY_ALL))
        return false;
    if (reach == BY_NONE)
        return run_for_blocked(tile, cycle);
    if (tf_tensix_run_to(tile, cycle, true))
        return true;
    bool woken = wake_for_coprocessor(tile, BY_STORES);
    return !recall_blocked(tile, TF_TILE_CORES, tf_tensix_halted_at(tile)) && !woken;
}

static enum tf_access yielded(struct tf_hart *hart)
{
    hart->yielded = true;
    return TF_ACCESS_YIELD;
}

static inline enum tf_access claim_coprocessor(struct tf_tile *tile, struct tf_hart *hart)
{
    if (!is_earliest(tile, hart->core, hart->cycle) || !tf_order_bring_coprocessor(tile, hart->cycle))
        return yielded(hart);
    return TF_ACCESS_OK;
}

enum tf_access tf_order_claim_coprocessor(struct tf_tile *tile, struct tf_hart *hart)
{
    return claim_coprocessor(tile, hart);
}

bool tf_order_is_free(struct tf_tile *tile, const struct tf_hart *hart, uint64_t cycle)
{
    return tf_tensix_asleep(tile) && is_earliest(tile, hart->core, cycle);
}

/* Claim an access to an ordered window. It is no push that arrival alone orders. */
static inline enum tf_access claim(struct tf_tile *tile, struct tf_hart *hart, enum tf_window_id window,
                                   uint32_t address, bool store)
{
    if (claim_coprocessor(tile, hart) != TF_ACCESS_OK)
        return TF_ACCESS_YIELD;
    if (!tf_order_may_wake(tile, hart, window, address, store))
        return TF_ACCESS_OK;
    unsigned group = tf_order_group(tile, window, address);
    if (tile->pollers && wake_pollers(tile, hart->core, hart->cycle, group))
        return yielded(hart);
    if (store && group == TF_ORDER_EVERYTHING)
        recall_blocked(tile, hart->core, hart->cycle);
    return TF_ACCESS_OK;
}

enum tf_access tf_order_claim_register(struct tf_tile *tile, struct tf_hart *hart, enum tf_window_id window,
                                       uint32_t address, bool store)
{
    if (!tf_order_includes(window) || (store && is_free_push(tile, hart, window)))
        return TF_ACCESS_OK;
    const enum tf_access access = claim(tile, hart, window, address, store);
    if (access != TF_ACCESS_OK && !store && tf_clock_is_at(address))
        tile->clock_loops |= (uint8_t)(1u << hart->core);
    return access;
}

/* As wake_pollers(), but for memory: an access in `cycle` is about to change it. */
static bool wake_watchers(struct tf_tile *tile, unsigned core, uint64_t cycle, struct tf_span span)
{
    bool behind = false;
    for (unsigned other = 0; other < tile->arch->cores; other++) {
        struct tf_hart *hart = &tile->hart[other];
        if (other == core || !tf_order_is_poller(hart) || !polls_span(tile, hart, span, core))
            continue;
        tf_hart_wake_poller(tile, hart, cycle);
        behind |= hart->cycle < cycle + (other < core);
    }
    return behind;
}

static bool is_niu(const struct tf_tile *tile, uint32_t address)
{
    const enum tf_window_id window = tf_map_find(tile->arch->map, address);
    return window == TF_AT_NIU0 || window == TF_AT_NIU1;
}

/* Is the address in L1, in the core's own RAM, or of a NIU? */
static bool is_memory(const struct tf_tile *tile, uint32_t address)
{
    return address < tile->arch->l1_bytes || tf_map_find(tile->arch->map, address) == TF_AT_OWN_LOCAL ||
           is_niu(tile, address);
}

/* May other cores poll what a load changes? */
static bool load_acts(const struct tf_tile *tile, const struct tf_hart *hart, uint32_t address)
{
    return address >= tile->arch->l1_bytes &&
           tf_mmio_load_acts(tile, hart->core, tf_map_find(tile->arch->map, address), address);
}

enum tf_access tf_order_claim_span(struct tf_tile *tile, struct tf_hart *hart, struct tf_span span, bool store)
{
    if (!is_memory(tile, span.first))
        return TF_ACCESS_OK;
    if (tf_timed_is_coarse(tile->timing) && !(store && tile->pollers) && !is_niu(tile, span.first))
        return hart->cycle < tile->limit ? TF_ACCESS_OK : yielded(hart);
    if (claim_coprocessor(tile, hart) != TF_ACCESS_OK)
        return TF_ACCESS_YIELD;
    if (tile->pollers && (store || load_acts(tile, hart, span.first)) &&
        wake_watchers(tile, hart->core, hart->cycle, span))
        return yielded(hart);
    return TF_ACCESS_OK;
}

enum tf_access tf_order_claim_push(struct tf_tile *tile, struct tf_hart *hart)
{
    return claim(tile, hart, TF_AT_PUSH0, TF_INSTRN_BUF_BASE, true);
}
