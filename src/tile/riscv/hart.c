/* SPDX-License-Identifier: Apache-2.0 */
#include "host/extremes.h"
#include "tile/mmio/pic.h"
#include "tile/riscv/control/control.h"
#include "tile/riscv/hart.h"

#include <string.h>

#include "tile/riscv/hart/beat.h"
#include "tile/riscv/hart/block_end.h"
#include "tile/riscv/hart/csr.h"
#include "tile/riscv/waits/interrupt.h"
#include "tile/riscv/hart/retry.h"
#include "tile/riscv/hart/settle.h"
#include "tile/riscv/interp/count.h"
#include "tile/riscv/park/probe.h"
#include "tile/riscv/park/skip.h"
#include "tile/riscv/waits/unchanged.h"
#include "tile/riscv/isa/v.h"
#include "tile/riscv/interp/observed.h"
#include "tile/riscv/interp/timed.h"
#include "tile/riscv/timed/timed.h"
#include "tile/state.h"

void tf_hart_init(struct tf_hart *hart, unsigned core, uint8_t *local, uint32_t local_bytes,
                  struct tf_park_notes *notes)
{
    hart->park.notes = notes;
    hart->core = (uint8_t)core;
    hart->state = TF_CORE_RESET;
    hart->local = local;
    hart->local_zero = true;
    hart->local_bytes = local_bytes;
    tf_csr_reset(&hart->csr, 0, 0);
    tf_park_reset(hart);
}

/* Make the hart ready to run its turn. Returns false if it has nothing to run. */
static bool turn_begins(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    uint32_t handler_pc;
    int interrupt;
    switch (hart->state) {
    case TF_CORE_RUNNING:
    case TF_CORE_BLOCKED:
    case TF_CORE_PARKED:
        interrupt = tf_hart_pending_interrupt(tile, hart, &handler_pc);
        if (interrupt < 0 && hart->state == TF_CORE_PARKED && tf_park_turn(tile, hart, deadline))
            return false;
        if (interrupt < 0 && hart->state == TF_CORE_BLOCKED && tf_hart_would_block(tile, hart))
            return false;
        if (interrupt >= 0) {
            if (hart->state == TF_CORE_PARKED)
                tf_park_wake(tile, hart);
            tf_park_reset(hart);
            tf_csr_interrupt_enter(hart, handler_pc);
            tf_mmio_interrupt_taken(tile, hart->core, (unsigned)interrupt);
        }
        hart->state = TF_CORE_RUNNING;
        return true;
    default: return false;
    }
}

/* Is it time for a probe, or is one in progress? */
static inline bool is_probed(const struct tf_hart *hart)
{
    return hart->park.probing || hart->cycle >= hart->park.probe_at;
}

/* After a block: has the hart more to execute in this turn? */
static inline bool runs_on(const struct tf_hart *hart, uint64_t deadline)
{
    return hart->state == TF_CORE_RUNNING && !hart->yielded && hart->cycle < deadline;
}

/* Run a hart that has cycles left before the deadline. */
static inline __attribute__((always_inline)) void run_as(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline,
                                                         bool at_transfer, const bool with_observers)
{
    do {
        if (hart->watched || (with_observers && hart->overtaken)) {
            tf_observed_run(tile, hart, deadline);
            tf_park_reset(hart);
            continue;
        }
        if (is_probed(hart)) {
            if (tf_park_probe(tile, hart, at_transfer, deadline))
                continue;
            if (hart->state != TF_CORE_RUNNING)
                return;
        }
        const uint64_t limit = tf_hart_block_end(hart, deadline);
        const bool searches = hart->searches;
        if (searches)
            tf_observed_run(tile, hart, limit);
        else
            tf_interp(tile, hart, limit, with_observers);
        at_transfer = searches == hart->searches; /* where `searches` changes, a stretch ends without a transfer */
    } while (runs_on(hart, deadline));
}

static __attribute__((noinline)) void run_blocks(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline,
                                                 bool at_transfer)
{
    run_as(tile, hart, deadline, at_transfer, false);
}

/*
 * A core that wakes usually runs one block, and then waits in a remembered round. That path needs no loop. Row
 * `atomic1-inc-spread` pays for it.
 */
static inline __attribute__((always_inline)) void run(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    bool at_transfer = false;
    if (__builtin_expect(!hart->watched && !hart->searches && !is_probed(hart), 1)) {
        tf_interp(tile, hart, tf_hart_block_end(hart, deadline), false);
        if (!runs_on(hart, deadline))
            return;
        at_transfer = !hart->searches;
        if (at_transfer && !hart->watched && is_probed(hart) && tf_memo_waits(tile, hart, deadline))
            return;
    }
    run_blocks(tile, hart, deadline, at_transfer);
}

static __attribute__((noinline)) void run_with_observers(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    run_as(tile, hart, deadline, false, true);
    tf_count_stop(tile, hart);
}

/* Must tf_order_run() run the hart, if it has cycles left? */
static bool is_ordered(const struct tf_hart *hart)
{
    return hart->yielded || hart->state == TF_CORE_BLOCKED ||
           (hart->state == TF_CORE_PARKED && !hart->park.words_only) || hart->state == TF_CORE_RUNNING;
}

/* Does the hart wait after its turn? If this returns false, tf_hart_waiting() decides. */
static inline bool waits(const struct tf_tile *tile, const struct tf_hart *hart)
{
    if (hart->state == TF_CORE_PARKED)
        return hart->park.words_only && !tf_hart_interruptible(tile, hart);
    return hart->state != TF_CORE_RUNNING && hart->state != TF_CORE_BLOCKED;
}

/* The end of a turn of a hart that ran. dozes: as in tf_hart_turn_dozing(). */
static inline __attribute__((always_inline)) unsigned acted(struct tf_tile *tile, struct tf_hart *hart,
                                                            uint64_t deadline, const bool dozes)
{
    if (hart->state == TF_CORE_PARKED && hart->park.words_only) {
        if (dozes && !hart->park.beats && !tf_hart_interruptible(tile, hart))
            return TF_TURN_ACTED | TF_TURN_WAITS | TF_TURN_DOZES;
        if (hart->cycle < deadline)
            tf_park_go_on(tile, hart, deadline);
        if (tile->mode.parking) /* it is still parked */
            return TF_TURN_ACTED | (tf_hart_interruptible(tile, hart) ? 0 : TF_TURN_WAITS);
    } else if (hart->cycle < deadline) {
        if (is_ordered(hart))
            return TF_TURN_ACTED | TF_TURN_YIELDED;
        hart->cycle = deadline;
    }
    return TF_TURN_ACTED | (waits(tile, hart) ? TF_TURN_WAITS : 0);
}

/* Execute a turn of a running hart. dozes: as in tf_hart_turn_dozing(). */
static inline __attribute__((always_inline)) unsigned act(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline,
                                                          const bool dozes)
{
    hart->yielded = false;
    if (__builtin_expect(TF_HOOK(tile->observer) != NULL, 0))
        run_with_observers(tile, hart, deadline);
    else
        run(tile, hart, deadline);
    return acted(tile, hart, deadline, dozes);
}

/* Execute a turn of a hart that does not run. */
static inline unsigned let_time_pass(const struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    if (tf_hart_is_stopped(hart) && hart->cycle < deadline)
        hart->cycle = deadline;
    /* In relaxed mode a parked hart that is executed may see an input change, and act on it. */
    unsigned acted = tile->mode.shared && !tile->mode.parking ? TF_TURN_ACTED : 0;
    return acted | (waits(tile, hart) ? TF_TURN_WAITS : 0);
}

static __attribute__((noinline)) unsigned take_turn(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    return turn_begins(tile, hart, deadline) ? act(tile, hart, deadline, false) : let_time_pass(tile, hart, deadline);
}

bool tf_hart_unblock(struct tf_tile *tile, struct tf_hart *hart)
{
    return turn_begins(tile, hart, hart->cycle);
}

void tf_hart_rest(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    turn_begins(tile, hart, deadline);
}

/*
 * Decide, at the start of a slice, whether a poller continues. It sees changes from outside the tile from the start of
 * the slice. Its earlier polls had the old values.
 */
static __attribute__((noinline)) unsigned poller_turn(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    uint32_t handler_pc;
    tile->cycle = hart->cycle;
    if (tf_hart_pending_interrupt(tile, hart, &handler_pc) < 0 && tf_park_unchanged(tile, hart))
        return TF_TURN_YIELDED;
    if (TF_HOOK(tile->timing) != NULL)
        tf_timed_see(tile, hart, tile->slice.begin);
    else
        tf_park_advance(hart, tile->slice.begin);
    tf_park_wake(tile, hart);
    return hart->cycle < deadline ? take_turn(tile, hart, deadline) : 0;
}

/* The turn of a hart that dozes, or is parked at the start of the slice, and sees a change. */
static inline __attribute__((always_inline)) unsigned wake(struct tf_tile *tile, struct tf_hart *hart,
                                                           uint64_t deadline, const bool dozes)
{
    if (dozes) {
        tf_park_advance(hart, tile->slice.begin);
        if (hart->cycle >= deadline)
            return 0;
    }
    tf_park_wake(tile, hart);
    return act(tile, hart, deadline, dozes);
}

static inline __attribute__((always_inline)) unsigned parked_turn(struct tf_tile *tile, struct tf_hart *hart,
                                                                  uint64_t deadline, const bool dozes)
{
    if (!hart->park.words_only)
        return poller_turn(tile, hart, deadline);
    const bool disturbed = !tile->mode.parking || tf_hart_interruptible(tile, hart);
    const enum tf_park_look look = disturbed ? TF_PARK_UNKNOWN : tf_park_look(tile, hart);
    switch (look) {
    case TF_PARK_SAME:
        if (dozes && !hart->park.beats)
            return TF_TURN_WAITS | TF_TURN_DOZES;
        tf_park_advance(hart, deadline);
        if (__builtin_expect(hart->park.beats, 0))
            tf_beat_show(tile, hart);
        return TF_TURN_WAITS;
    case TF_PARK_CHANGED: return wake(tile, hart, deadline, dozes);
    default:
        if (dozes)
            tf_park_advance(hart, tile->slice.begin);
        return hart->cycle < deadline ? take_turn(tile, hart, deadline) : 0;
    }
}

/* tf_hart_go_on(). tf_hart_turn() inlines it for row `barrier-700`. */
static inline __attribute__((always_inline)) unsigned go_on(struct tf_tile *tile, struct tf_hart *hart,
                                                            uint64_t deadline, const bool dozes)
{
    if (hart->cycle >= deadline)
        return dozes && hart->state == TF_CORE_PARKED && hart->park.words_only ? TF_TURN_DOZES : 0;
    switch (hart->state) {
    case TF_CORE_PARKED: return parked_turn(tile, hart, deadline, dozes);
    case TF_CORE_BLOCKED: return TF_TURN_YIELDED;
    case TF_CORE_RUNNING:
        return tf_hart_interruptible(tile, hart) ? take_turn(tile, hart, deadline) : act(tile, hart, deadline, dozes);
    default: return let_time_pass(tile, hart, deadline);
    }
}

unsigned tf_hart_turn(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    tile->slice.horizon = 0;
    return go_on(tile, hart, deadline, false);
}

unsigned tf_hart_turn_dozing(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    tile->slice.horizon = 0;
    return go_on(tile, hart, deadline, true);
}

unsigned tf_hart_turn_woken(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    tile->slice.horizon = 0;
    return wake(tile, hart, deadline, true);
}

unsigned tf_hart_go_on(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    return go_on(tile, hart, deadline, false);
}

/* Execute the turns of harts that go on in the loop of timing mode, and the rest of the last one. */
static unsigned take_timed(struct tf_tile *tile, struct tf_hart *hart, struct tf_timed_turns *turns, unsigned *last)
{
    hart->yielded = false;
    hart = tf_timed_turns(tile, hart, turns);
    if (turns->faulted)
        tf_interp_unobserved(tile, hart, hart->cycle + 1); /* it records the fault */
    if (runs_on(hart, turns->deadline))
        run_as(tile, hart, turns->deadline, !hart->searches, true);
    tf_count_stop(tile, hart);
    *last = hart->core;
    return acted(tile, hart, turns->deadline, false);
}

void tf_hart_go_on_timed(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    struct tf_timed_turns turns = {.deadline = deadline, .unobserved = tf_timed_unobserved(tile), .in_order = true};
    unsigned last;
    if (tf_timed_goes_on(tile, hart, deadline, turns.unobserved))
        take_timed(tile, hart, &turns, &last);
    else
        tf_hart_go_on(tile, hart, deadline);
}

unsigned tf_hart_turns_timed(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline, unsigned *last)
{
    struct tf_timed_turns turns = {.deadline = deadline, .unobserved = tf_timed_unobserved(tile)};
    *last = hart->core;
    if (!tf_timed_goes_on(tile, hart, deadline, turns.unobserved))
        return tf_hart_turn(tile, hart, deadline);
    tile->slice.horizon = 0;
    const unsigned turn = take_timed(tile, hart, &turns, last);
    if (turns.in_order)
        *last = TF_TILE_CORES - 1;
    return turn | (turns.yielded ? TF_TURN_YIELDED : 0);
}

static void catch_up_parked(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    if (!hart->park.words_only)
        tf_park_advance_before(hart, deadline);
    else
        tf_park_advance(hart, deadline);
    if (hart->park.beats)
        tf_beat_show(tile, hart);
}

void tf_hart_catch_up(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline)
{
    if (hart->state == TF_CORE_PARKED)
        catch_up_parked(tile, hart, deadline);
    else if (hart->state == TF_CORE_BLOCKED)
        hart->cycle = tf_order_retry(hart->cycle, hart->cycle > deadline ? hart->cycle : deadline);
    else if (tf_hart_is_stopped(hart) && hart->cycle < deadline)
        hart->cycle = deadline;
}
