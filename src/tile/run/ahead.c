/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/run/ahead.h"

#include <stdlib.h>

#include "host/extremes.h"
#include "tile/map.h"
#include "tile/order/order.h"
#include "tile/riscv/park/skip.h"
#include "tile/riscv/timed/private.h"
#include "tile/riscv/interp/timed.h"
#include "tile/riscv/timed/timed.h"
#include "tile/riscv/waits/unchanged.h"
#include "tile/run/slice.h"
#include "tile/state.h"
#include "tile/tensix/asleep.h"
#include "tilefarm_address.h"

/* The most slices in order after a private one that was undone. */
#define PATIENCE_MOST 255u

/* A tile runs ahead for at most 1 << REACH_MOST ticks. More gain little, and cost more where a packet comes. */
#define REACH_MOST 6u

/* The tick up to which the tile is tried to run: at least tick_end. No core may come to a probe. */
static uint64_t goal(const struct tf_tile *tile, const struct tf_timed_tile *whole, const struct tf_schedule *schedule,
                     uint64_t tick_end)
{
    const uint64_t tick = tf_min(tile->slice.tick + (UINT64_C(1) << whole->reach), whole->last);
    if (tick <= tick_end)
        return tick_end;
    uint64_t probe_at = UINT64_MAX;
    for (unsigned cores = tile->moving & ~whole->private->parked; cores != 0; cores &= cores - 1) {
        const struct tf_hart *hart = &tile->hart[__builtin_ctz(cores)];
        probe_at = tf_min(probe_at, tf_max(hart->park.probe_at, hart->cycle));
    }
    return tf_max(tf_min(tick, tf_tick_by(schedule, probe_at)), tick_end);
}

/* Does an input of a parked core lie in memory of another core? Registers do not change while no core touches any, and
   the coprocessor sleeps. */
static bool is_of_other(const struct tf_tile *tile, const struct tf_hart *hart, const struct tf_input *input)
{
    if (input->size == 0 || input->address < tile->arch->l1_bytes || input->address - TF_LOCAL_BASE < hart->local_bytes)
        return false;
    const enum tf_window_id window = tf_map_find(tile->arch->map, input->address);
    return window >= TF_AT_LOCAL_B && window <= TF_AT_LOCAL_T2;
}

/* Does a poller stay parked while no other core stores what it polls? */
static bool stays_parked(struct tf_tile *tile, const struct tf_hart *hart, struct tf_timed_span *polls)
{
    const struct tf_park *park = &hart->park;
    if (park->beats || (tile->interruptible >> hart->core & 1) != 0 || park->generation != tile->code_generation ||
        !tf_park_unchanged(tile, hart))
        return false;
    *polls = TF_TIMED_NOWHERE;
    for (unsigned i = 0; i < park->inputs; i++) {
        if (is_of_other(tile, hart, &park->input[i]))
            return false;
        if (park->input[i].size != 0 && park->input[i].address < tile->arch->l1_bytes)
            tf_timed_widen(polls, park->input[i].address);
    }
    return true;
}

/* Find the cores that stay parked. Returns false if one does not. */
static bool find_parked(struct tf_tile *tile, struct tf_timed_private *private)
{
    tf_timed_private_none(private);
    for (unsigned cores = tile->pollers ? tile->moving : 0; cores != 0; cores &= cores - 1) {
        const struct tf_hart *hart = &tile->hart[__builtin_ctz(cores)];
        struct tf_timed_span polls;
        if (!tf_order_is_poller(hart))
            continue;
        if (!stays_parked(tile, hart, &polls))
            return false;
        tf_timed_private_add(private, hart->core, &polls);
    }
    return true;
}

static void keep_time(const struct tf_tile *tile, struct tf_timed_private *private)
{
    struct tf_timed_before *before = &private->before;
    before->slice = tile->slice;
    before->asleep_until = tile->asleep_until;
    before->limit = tile->limit;
    before->computes = tile->computes;
    before->turn = tile->turn;
    before->held = 0;
    for (unsigned cores = private->parked; cores != 0; cores &= cores - 1) {
        const struct tf_hart *hart = &tile->hart[__builtin_ctz(cores)];
        before->cycle[hart->core] = hart->cycle;
        before->instret[hart->core] = hart->instret;
        before->held |= (unsigned)hart->park.held << hart->core;
    }
}

/* Run up to a tick in a private slice. */
static bool run_to(struct tf_tile *tile, struct tf_timed_private *private, const struct tf_schedule *schedule,
                   uint64_t tick)
{
    const uint64_t deadline = tf_tick_end(schedule, tick - 1);
    keep_time(tile, private);
    if (!tf_timed_slice(tile, deadline, private))
        return false;
    for (unsigned cores = private->parked; cores != 0; cores &= cores - 1) {
        struct tf_hart *hart = &tile->hart[__builtin_ctz(cores)];
        if (hart->cycle < deadline)
            tf_timed_rest(tile, hart, deadline);
    }
    tile->slice.begin = tf_tick_begin(schedule, tick - 1);
    tile->slice.deadline = deadline;
    tile->slice.tick = tick;
    tile->turn = TF_TILE_CORES;
    tf_tensix_sleeps(tile, deadline);
    return true;
}

/* Does the tile try a private slice? After one that was undone, some are not tried. */
static bool tries(const struct tf_tile *tile, struct tf_timed_tile *whole)
{
    if (whole->coarse || !tf_tensix_asleep(tile) || !tf_timed_unobserved(tile))
        return false;
    if (whole->rests != 0) {
        whole->rests--;
        return false;
    }
    if (whole->private == NULL)
        whole->private = malloc(sizeof *whole->private);
    return whole->private != NULL;
}

bool tf_ahead_run(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick_end)
{
    struct tf_timed_tile *whole = tf_timed_whole(tile->timing);
    if (!tries(tile, whole) || !find_parked(tile, whole->private))
        return false;
    const uint64_t tick = goal(tile, whole, schedule, tick_end);
    if (tick > tick_end && run_to(tile, whole->private, schedule, tick)) {
        whole->ahead = tick;
        whole->reach = (uint8_t)tf_min(whole->reach + 1u, REACH_MOST);
        whole->patience = 0;
        return true;
    }
    if (run_to(tile, whole->private, schedule, tick_end)) {
        whole->reach = tick > tick_end ? 0 : (uint8_t)tf_max(whole->reach, 1);
        whole->patience = 0;
        return true;
    }
    if (whole->private->failed) {
        whole->patience = (uint8_t)tf_min(whole->patience * 2u + 1u, PATIENCE_MOST);
        whole->rests = whole->patience;
        whole->reach = 0;
    }
    return false;
}

void tf_ahead_undo(struct tf_tile *tile)
{
    struct tf_timed_tile *whole = tf_timed_whole(tile->timing);
    const struct tf_timed_before *before = &whole->private->before;
    tf_timed_private_undo(tile, whole->private);
    for (unsigned cores = whole->private->parked; cores != 0; cores &= cores - 1) {
        struct tf_hart *hart = &tile->hart[__builtin_ctz(cores)];
        hart->cycle = before->cycle[hart->core];
        hart->instret = before->instret[hart->core];
        hart->park.held = (before->held >> hart->core & 1) != 0;
    }
    tile->slice = before->slice;
    tile->asleep_until = before->asleep_until;
    tile->limit = before->limit;
    tile->computes = before->computes;
    tile->turn = before->turn;
    whole->ahead = whole->last = 0;
    whole->reach = (uint8_t)(whole->reach - tf_min(whole->reach, 2));
}
