/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a tile. Cores and coprocessor act in the order of their cycles; within a cycle B, NC, T0, T1, T2 and
 * then the coprocessor. A core runs ahead of the others until it touches a register that they can see or change. There
 * it stops at its own cycle until all others have reached that cycle. The coprocessor then runs all its threads up to
 * it. So no outcome depends on where slices end.
 *
 * Ordered by cycle only with tf_config.ordered_memory: L1 (plain loads and stores, AMOs), local RAM and NIU registers.
 * Without it a core sees there all that the cores before it in that list have done in the slice. Instruction fetch is
 * never ordered.
 */
#ifndef TILE_ORDER_ORDER_H
#define TILE_ORDER_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"
#include "tile/map.h"
#include "tile/mmio/map/acts.h"
#include "tile/mmio/map/map.h"
#include "tile/riscv/hart/retry.h"
#include "tile/tensix/asleep.h"
#include "tile/state.h"

/* Is a window ordered by cycle? NIUs are not. */
static inline bool tf_order_includes(enum tf_window_id window)
{
    return window > TF_AT_OWN_LOCAL && window != TF_AT_NIU0 && window != TF_AT_NIU1;
}

/*
 * Registers that change together form a group: a window, or the page of one stream. Streams with phases gather from
 * each other, and share registers: all their pages are one group. TF_ORDER_EVERYTHING: the register shows or changes
 * state of other groups.
 */
#define TF_ORDER_EVERYTHING ((unsigned)TF_WINDOWS)

_Static_assert(TF_STREAM_BASE / TF_STREAM_BYTES > TF_WINDOWS, "pages of streams are no windows");

static inline unsigned tf_order_group(const struct tf_tile *tile, enum tf_window_id window, uint32_t address)
{
    switch (window) {
    case TF_AT_OVERLAY: return (tile->arch->stream_phases ? TF_STREAM_BASE : address) / TF_STREAM_BYTES;
    case TF_AT_PCBUF1:
    case TF_AT_PCBUF2: return TF_AT_PCBUF0; /* with semaphores and Manual TTSync */
    case TF_AT_MOP:
    case TF_AT_DST:
    case TF_AT_GPRS:
    case TF_AT_PUSH0:
    case TF_AT_PUSH1:
    case TF_AT_PUSH2:
    case TF_AT_PCBUF0:
    case TF_AT_MAILBOX:
    case TF_AT_CONFIG: return window;
    default: return TF_ORDER_EVERYTHING;
    }
}

/*
 * Must an access first wake pollers, or recall blocked cores? Cores that poll what a load does not change do not wake
 * each other. Two of them park, and a deadlock is seen. The answer for a load holds once all before it has happened.
 */
static inline bool tf_order_may_wake(struct tf_tile *tile, const struct tf_hart *hart, enum tf_window_id window,
                                     uint32_t address, bool store)
{
    if (store)
        return tile->pollers || tf_order_group(tile, window, address) == TF_ORDER_EVERYTHING;
    if (!tile->pollers || !tf_mmio_window_acts(tile, window))
        return false;
    tile->cycle = hart->cycle;
    return tf_mmio_load_acts_on(tile, hart->core, window, address);
}

/* tf_order_claim() for the case that other cores may come first, or may poll the register. */
enum tf_access tf_order_claim_register(struct tf_tile *tile, struct tf_hart *hart, enum tf_window_id window,
                                       uint32_t address, bool store);

/*
 * A core is about to access a register in `window`, in cycle hart->cycle. OK: it is the earliest of the tile, and the
 * coprocessor has done all cycles before; or the window is not ordered. YIELD: other cores come first; the core must
 * stop before this access, and hart->yielded becomes true. Inline for rows `atomic-inc-spread`, `cb` and
 * `reader-writer`.
 */
static inline enum tf_access tf_order_claim(struct tf_tile *tile, struct tf_hart *hart, enum tf_window_id window,
                                            uint32_t address, bool store)
{
    bool uncontended = hart->cycle < tile->slice.horizon && tf_tensix_asleep(tile) &&
                       !tf_order_may_wake(tile, hart, window, address, store);
    return uncontended ? TF_ACCESS_OK : tf_order_claim_register(tile, hart, window, address, store);
}

/* tf_order_claim() for a T core's push into its closed FIFO. Row `thcon` pays for it. */
enum tf_access tf_order_claim_push(struct tf_tile *tile, struct tf_hart *hart);

/* Suppose that the core only loads registers that loads do not change, and that no other core or unit acts. Do its
   claims then succeed in each cycle up to `cycle`? */
bool tf_order_is_free(struct tf_tile *tile, const struct tf_hart *hart, uint64_t cycle);

/* The bytes of an access: first to last address. */
struct tf_span {
    uint32_t first, last;
};

/* tf_order_claim_memory() with ordered memory. */
enum tf_access tf_order_claim_span(struct tf_tile *tile, struct tf_hart *hart, struct tf_span span, bool store);

/*
 * tf_order_claim() for an access to L1, local RAM or a NIU. Addresses of other registers are claimed by their window.
 * Without ordered memory the answer is OK.
 */
static inline enum tf_access tf_order_claim_memory(struct tf_tile *tile, struct tf_hart *hart, struct tf_span span,
                                                   bool store)
{
    return tile->ordered ? tf_order_claim_span(tile, hart, span, store) : TF_ACCESS_OK;
}

/* tf_order_claim() for an access at any address that only the coprocessor can affect. */
enum tf_access tf_order_claim_coprocessor(struct tf_tile *tile, struct tf_hart *hart);

/* Run a coprocessor that has work up to `cycle`. Returns false if parked cores have woken and must poll first. */
bool tf_order_run_coprocessor(struct tf_tile *tile, uint64_t cycle);

/* tf_order_run_coprocessor() for a tile with a coprocessor that has work. */
static inline bool tf_order_bring_coprocessor(struct tf_tile *tile, uint64_t cycle)
{
    return tf_tensix_asleep(tile) || tf_order_run_coprocessor(tile, cycle);
}

/* May the core access registers by itself before the deadline? A parked core must wake first. */
static inline bool tf_order_is_active(const struct tf_hart *hart)
{
    return hart->state == TF_CORE_RUNNING || hart->state == TF_CORE_BLOCKED;
}

/* tile->pollers is false only if no core is a poller. Then no code searches for pollers (rows `thcon` and `vector`). */
static inline bool tf_order_is_poller(const struct tf_hart *hart)
{
    return hart->state == TF_CORE_PARKED && !hart->park.words_only;
}

#endif
