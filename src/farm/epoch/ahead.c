/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/epoch/ahead.h"

#include "farm/chip/chip.h"
#include "farm/chip/found.h"
#include "farm/transit/arrive.h"
#include "farm/transit/depart.h"
#include "farm/transit/transit.h"
#include "host/extremes.h"
#include "noc/niu.h"
#include "noc/requests/visit.h"
#include "tile/run/tile.h"

void tf_ahead_begin(struct tf_chip *chip, const struct tf_run_options *options, uint64_t limit)
{
    const bool seen = options->until || chip->call.on_epoch != NULL || chip->first != 0;
    const uint64_t pause = options->pause_cycle != 0 ? tf_tick_by(&chip->schedule, options->pause_cycle) : limit;
    if (chip->transit != NULL)
        chip->transit->ahead_end = seen ? 0 : tf_min(limit, pause);
}

uint64_t tf_ahead_most(const struct tf_chip *chip, unsigned node)
{
    const uint64_t last = chip->transit->ahead_end;
    if (last <= chip->epochs.run_end || chip->fabric->node[node].kind != TF_NODE_TENSIX ||
        tf_node_pending(&chip->fabric->node[node]))
        return 0;
    const uint64_t arrives = tf_transit_arrives(chip->transit, node);
    return arrives == UINT64_MAX ? last : tf_min(last, tf_tick_by(&chip->schedule, arrives));
}

/* Let a tile that has run ahead be where the chip is. */
static void bring_back(const struct tf_chip *chip, struct tf_tile *tile)
{
    if (tf_ahead_of(tile->timing) <= chip->epochs.tick) {
        tf_ahead_reached(tile->timing);
        return;
    }
    tf_ahead_undo(tile);
    if (tile->slice.tick < chip->epochs.tick)
        tf_tile_run(tile, &chip->schedule, chip->epochs.tick);
}

bool tf_ahead_passes(struct tf_worker *worker, unsigned node)
{
    const struct tf_chip *chip = worker->chip;
    struct tf_tile *tile = chip->fabric->node[node].tile;
    const uint64_t ahead = tf_ahead_of(tile->timing), run_end = chip->epochs.run_end;
    const struct tf_flight *flight = chip->transit->arriving[node];
    if (flight != NULL && flight->due < tf_tick_end_next(&chip->schedule, run_end - 1)) {
        bring_back(chip, tile);
        return false;
    }
    if (ahead < run_end) {
        tf_ahead_reached(tile->timing);
        return false;
    }
    worker->found.what |= TF_FOUND_RUNNING;
    worker->found.tick_max = tf_max(worker->found.tick_max, run_end);
    worker->found.ahead = tf_min(worker->found.ahead, ahead);
    tf_sites_add(&worker->found.busy, node);
    return true;
}

void tf_ahead_settle(struct tf_chip *chip)
{
    for (unsigned i = 0; chip->transit != NULL && i < chip->tiles.tensix; i++)
        if (tf_ahead_of(chip->tiles.tile[i].timing) != 0)
            bring_back(chip, &chip->tiles.tile[i]);
}

void tf_ahead_follow(struct tf_chip *chip, const struct tf_found *found, uint64_t tick_limit)
{
    struct tf_epochs *epochs = &chip->epochs;
    if (found->what & (TF_FOUND_FAULTED | TF_FOUND_SAID)) {
        tf_ahead_settle(chip);
        return;
    }
    if (found->ahead == UINT64_MAX || !tf_sites_none(&found->sent_to) || !tf_sites_none(&found->landing) ||
        chip->transit->waits != 0 || !tf_sites_none(&chip->transit->expecting))
        return;
    while (epochs->tick < tick_limit) {
        const uint64_t left = tick_limit - epochs->tick;
        const uint64_t end = epochs->tick + tf_min(epochs->ticks + tf_transit_unites(chip->transit), left);
        if (end > found->ahead)
            return;
        tf_epochs_pass(epochs, &chip->schedule, end);
        epochs->number++;
    }
}
