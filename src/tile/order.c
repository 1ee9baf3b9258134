/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/order.h"

#include "tile/riscv/hart.h"
#include "tile/tensix/tensix.h"
#include "tile/tile.h"

/* Windows (BlackholeA0/TensixTile/BabyRISCV/README.md, "Memory map"). */
enum {
    LAST_MEMORY_WINDOW = 0xFFB0, /* registers begin behind it */
    DEBUG_WINDOW = 0xFFB1,       /* with TDMA-RISC, PIC and others: its registers see and change everything */
    NIU_WINDOWS = 0xFFB2,        /* and 0xFFB3 */
    FIRST_STREAM_WINDOW = 0xFFB4,
    LAST_STREAM_WINDOW = 0xFFB7,
    PUSH_WINDOWS = 0xFFE4,       /* to 0xFFE6: T0, T1, T2 */
    PCBUF_WINDOWS = 0xFFE8,      /* with semaphores and Manual TTSync */
    LAST_PCBUF_WINDOW = 0xFFEA,
    MAILBOX_WINDOW = 0xFFEC,
};

/* May the core make accesses by itself before the deadline? A parked one is woken first. */
static bool is_active(const struct tf_hart *hart)
{
    return hart->state == TF_CORE_RUNNING || hart->state == TF_CORE_BLOCKED;
}

static bool is_poller(const struct tf_hart *hart)
{
    return hart->state == TF_CORE_PARKED && !hart->park.plain;
}

/* Is no other core behind this one? */
static bool is_earliest(const struct tf_tile *tile, unsigned core, uint64_t cycle)
{
    for (unsigned other = 0; other < tile->arch->cores; other++) {
        const struct tf_hart *hart = &tile->hart[other];
        if (hart->cycle < cycle + (other < core) && other != core && is_active(hart))
            return false;
    }
    return true;
}

static bool is_register(uint32_t address)
{
    uint32_t window = address >> 16;
    return window > LAST_MEMORY_WINDOW && (window & ~1u) != NIU_WINDOWS;
}

/* Registers that change together: one stream's, or those of a window. */
static uint32_t group_of(uint32_t address)
{
    uint32_t window = address >> 16;
    if (window >= FIRST_STREAM_WINDOW && window <= LAST_STREAM_WINDOW)
        return address >> 12;
    return window > PCBUF_WINDOWS && window <= LAST_PCBUF_WINDOW ? PCBUF_WINDOWS : window;
}

/* May an access to the address change a register? */
static bool may_change(uint32_t address, bool store)
{
    uint32_t group = group_of(address);
    return store || group == PCBUF_WINDOWS || group == MAILBOX_WINDOW || group == DEBUG_WINDOW;
}

/* Does the parked core poll what may change when a register at the address changes? */
static bool polls(const struct tf_hart *hart, uint32_t address)
{
    uint32_t group = group_of(address);
    if (group == DEBUG_WINDOW)
        return true;
    for (unsigned i = 0; i < hart->park.watches; i++) {
        const struct tf_watch *input = &hart->park.watch[i];
        uint32_t polled = group_of(input->address);
        if (input->at == NULL && (input->size == 0 || polled == group || polled == DEBUG_WINDOW))
            return true;
    }
    return false;
}

/* Which of a parked core's inputs the coprocessor may change. */
enum reach {
    BY_NONE,
    BY_STORES, /* by stores to registers alone: streams */
    BY_ALL,
};

static enum reach reach_of(const struct tf_hart *hart)
{
    enum reach reach = BY_NONE;
    for (unsigned i = 0; i < hart->park.watches; i++) {
        const struct tf_watch *input = &hart->park.watch[i];
        uint32_t window = input->address >> 16;
        if (input->at != NULL || window == MAILBOX_WINDOW)
            continue;
        if (input->size == 0 || window < FIRST_STREAM_WINDOW || window > LAST_STREAM_WINDOW)
            return BY_ALL;
        reach = BY_STORES;
    }
    return reach;
}

/* Parked cores that poll what an access is about to change, in cycle `cycle`, poll up to there first. Are there any? */
static bool wake_pollers(struct tf_tile *tile, unsigned core, uint64_t cycle, uint32_t address)
{
    bool behind = false;
    for (unsigned other = 0; other < tile->arch->cores; other++) {
        struct tf_hart *hart = &tile->hart[other];
        if (other == core || !is_poller(hart) || !polls(hart, address))
            continue;
        tf_hart_wake_poller(tile, hart, cycle);
        behind |= hart->cycle < cycle + (other < core);
    }
    return behind;
}

/*
 * The coprocessor is about to act. Parked cores that poll what it may change, as far as `reach` says, execute their
 * polls for the rest of the slice. Are there any?
 */
static bool wake_for_coprocessor(struct tf_tile *tile, enum reach reach)
{
    bool any = false;
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        struct tf_hart *hart = &tile->hart[core];
        if (!is_poller(hart) || reach_of(hart) < reach)
            continue;
        tf_hart_wake_poller(tile, hart, tf_tensix_clock(tile));
        tf_hart_delay_probe(hart, tile->deadline);
        any = true;
    }
    return any;
}

/* A push into a FIFO that is open is ordered by its arrival alone: nothing but the core itself can close the FIFO. */
static bool is_free_push(const struct tf_tile *tile, const struct tf_hart *hart, uint32_t address)
{
    unsigned thread = (address >> 16) - PUSH_WINDOWS;
    if (thread >= 3 || hart->core == TF_CORE_NC || tile->tensix == NULL)
        return false;
    bool from_b = hart->core == TF_CORE_B;
    return tf_tensix_push_free(tile, from_b ? thread : (unsigned)(hart->core - TF_CORE_T0), from_b);
}

/* Let the coprocessor do all cycles before `cycle`. False: cores that were parked must poll first. */
static bool bring_coprocessor(struct tf_tile *tile, uint64_t cycle)
{
    bool pollers = false, reached = false;
    if (tile->tensix == NULL || tf_tensix_clock(tile) >= cycle)
        return true;
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        pollers |= is_poller(&tile->hart[core]);
        reached |= is_poller(&tile->hart[core]) && reach_of(&tile->hart[core]) == BY_ALL;
    }
    if (reached && !tf_tensix_waiting(tile) && wake_for_coprocessor(tile, BY_ALL))
        return false;
    return tf_tensix_run_to(tile, cycle, pollers) || !wake_for_coprocessor(tile, BY_STORES);
}

static enum tf_access early(struct tf_hart *hart)
{
    hart->early = true;
    return TF_ACCESS_EARLY;
}

enum tf_access tf_order_claim_coprocessor(struct tf_tile *tile, struct tf_hart *hart)
{
    if (!is_earliest(tile, hart->core, hart->cycle) || !bring_coprocessor(tile, hart->cycle))
        return early(hart);
    return TF_ACCESS_OK;
}

enum tf_access tf_order_claim(struct tf_tile *tile, struct tf_hart *hart, uint32_t address, bool store)
{
    if (!is_register(address) || (store && is_free_push(tile, hart, address)))
        return TF_ACCESS_OK;
    if (!is_earliest(tile, hart->core, hart->cycle) || !bring_coprocessor(tile, hart->cycle) ||
        (may_change(address, store) && wake_pollers(tile, hart->core, hart->cycle, address)))
        return early(hart);
    return TF_ACCESS_OK;
}

/* The earliest active core that has cycles left, or NULL. */
static struct tf_hart *earliest(struct tf_tile *tile, uint64_t deadline)
{
    struct tf_hart *first = NULL;
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        struct tf_hart *hart = &tile->hart[core];
        if (hart->cycle < deadline && is_active(hart) && (first == NULL || hart->cycle < first->cycle))
            first = hart;
    }
    return first;
}

/* Can nothing but another core end the wait of a blocked core? */
static bool awaits_core(const struct tf_hart *hart)
{
    uint32_t window = hart->wait_address >> 16;
    return window == MAILBOX_WINDOW || (window == PCBUF_WINDOWS && hart->core != TF_CORE_B &&
                                        (hart->wait_address & 0xFFFF) < 4);
}

/* The first cycle in which anything may happen that a blocked core waits for; the coprocessor is at its cycle. */
static uint64_t next_action(struct tf_tile *tile, const struct tf_hart *hart)
{
    bool coprocessor_acts = tile->tensix != NULL && !tf_tensix_waiting(tile);
    if (coprocessor_acts && !awaits_core(hart))
        return hart->cycle;
    uint64_t next = UINT64_MAX;
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        const struct tf_hart *other = &tile->hart[core];
        bool acts = coprocessor_acts ? is_active(other) : other->state == TF_CORE_RUNNING;
        if (other != hart && acts && other->cycle < next)
            next = other->cycle;
    }
    return next;
}

/* A blocked core tries its access. */
static void run_blocked(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    if (!bring_coprocessor(tile, hart->cycle))
        return;
    if (tf_hart_unblock(tile, hart)) {
        tf_hart_turn(tile, hart, deadline);
        return;
    }
    uint64_t next = next_action(tile, hart);
    if (next > deadline)
        next = deadline;
    hart->cycle = tf_order_retry(next > hart->cycle ? next : hart->cycle + 1);
}

/* Let parked cores poll up to the deadline: what they poll does not change before. */
static void rest_pollers(struct tf_tile *tile, uint64_t deadline)
{
    for (unsigned core = 0; core < tile->arch->cores; core++) {
        struct tf_hart *hart = &tile->hart[core];
        if (is_poller(hart) && hart->cycle < deadline)
            tf_hart_rest(tile, hart, deadline);
    }
}

void tf_order_run(struct tf_tile *tile, uint64_t deadline)
{
    for (;;) {
        struct tf_hart *hart = earliest(tile, deadline);
        if (hart == NULL && bring_coprocessor(tile, deadline))
            break;
        if (hart == NULL)
            continue;
        if (hart->state == TF_CORE_RUNNING)
            tf_hart_turn(tile, hart, deadline);
        else
            run_blocked(tile, hart, deadline);
    }
    rest_pollers(tile, deadline);
}
