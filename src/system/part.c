/* SPDX-License-Identifier: Apache-2.0 */
#include "system/part.h"

#include "farm/run/part.h"
#include "host/assert.h"
#include "host/extremes.h"
#include "tile/eth/link.h"
#include "tile/eth/connect.h"

uint64_t tf_system_part_next(const struct tf_system_part *part)
{
    return tf_part_active(part->chip) ? tf_part_tick(part->chip) : part->due;
}

bool tf_system_part_stopped(const struct tf_system_part *part)
{
    return part->end != TF_END_QUIET && part->end != TF_END_CYCLES;
}

uint64_t tf_system_part_goes_on(const struct tf_system_part *part)
{
    return part->elsewhere || tf_system_part_stopped(part) ? UINT64_MAX : tf_system_part_next(part);
}

/* The tick at which an Ethernet tile acts by itself. UINT64_MAX: at none. */
static uint64_t act_due(const struct tf_system_part *part, unsigned port)
{
    const uint64_t due = tf_eth_due(part->in[port]->receiver);
    return due != UINT64_MAX ? tf_part_tick_from(part->chip, due) : UINT64_MAX;
}

void tf_system_part_look(struct tf_system_part *part)
{
    part->due = UINT64_MAX;
    part->changed = false;
    for (unsigned port = 0; port < TF_PORTS_MAX; port++)
        if (part->in[port] != NULL)
            part->due = tf_min(part->due, tf_min(tf_lane_due(part->in[port], part->chip), act_due(part, port)));
    TF_ASSERT(part->due >= tf_part_tick(part->chip));
}

/* Let happen at the Ethernet tiles what is due: by tick, then by port. Packets come in the order in which they were
   sent, and before what the tile does by itself. */
static void receive(struct tf_system_part *part)
{
    while (part->due <= tf_part_tick(part->chip)) {
        for (unsigned port = 0; port < TF_PORTS_MAX; port++) {
            while (part->in[port] != NULL && tf_lane_due(part->in[port], part->chip) <= part->due)
                tf_lane_arrive(part->in[port], part->chip);
            if (part->in[port] != NULL && act_due(part, port) <= part->due)
                tf_part_act(part->chip, part->in[port]->receiver);
        }
        tf_system_part_look(part);
    }
}

void tf_system_part_run(struct tf_system_part *part, uint64_t tick, uint64_t hold)
{
    tf_part_hold(part->chip, hold);
    for (;;) {
        receive(part);
        if (tf_part_tick(part->chip) >= tick)
            return;
        if (tf_part_active(part->chip)) {
            part->end = tf_part_run(part->chip, part->options, tf_min(tick, part->due));
            if (part->end != TF_END_CYCLES && part->end != TF_END_QUIET)
                return;
        } else if (part->due < tick) {
            tf_part_pass(part->chip, part->due);
        } else {
            return;
        }
    }
}

void tf_system_part_gather(struct tf_system_part *part, unsigned chip, const struct tf_lane_listener *listener)
{
    for (unsigned port = 0; port < TF_PORTS_MAX; port++) {
        struct tf_lane *lane = part[chip].out[port];
        if (lane == NULL || lane->crosses || !tf_lane_has_sent(lane))
            continue;
        tf_lane_gather(lane, listener);
        part[lane->to.chip].changed = true;
    }
}
