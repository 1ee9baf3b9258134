/* SPDX-License-Identifier: Apache-2.0 */
/* Before anything acts on a site from outside. Inline, since each phase begins its visits with it: row
   `atomic1-inc-spread`. */
#ifndef FARM_REACH_H
#define FARM_REACH_H

#include "farm/chip/chip.h"
#include "farm/order/long.h"

/* Does a node's tile lack nothing but the clock? If only its L1 and the counters of its NIUs are touched, time need not
   have passed for a tile that dozes. */
static inline bool tf_node_is_current(const struct tf_chip *chip, const struct tf_node *node,
                                      const struct tf_site *site, bool l1_only)
{
    if (node->tile == NULL || site->uncaptured != NULL)
        return false;
    const bool ran = node->tile->slice.tick >= chip->epochs.tick, dozes = tf_tile_dozes(node->tile);
    return l1_only ? ran || dozes : ran && !dozes;
}

/* Bring a node's tile up to the chip's time. current: tf_node_is_current(). By the worker that visits its site. */
static inline __attribute__((always_inline)) void tf_bring_node(const struct tf_chip *chip, struct tf_node *node,
                                                                struct tf_site *site, const bool current)
{
    struct tf_tile *tile = node->tile;
    if (!current && tile == NULL)
        return;
    if (!current && (tile->slice.tick < chip->epochs.tick || tf_tile_dozes(tile)))
        tf_tile_catch_up(tile, &chip->schedule, chip->epochs.tick);
    tile->cycle = chip->epochs.cycles;
    if (!current && __builtin_expect(site->uncaptured != NULL, 0))
        tf_capture_long_writes(site, node);
}

static inline void tf_bring_node_up_to_date(const struct tf_chip *chip, struct tf_node *node, struct tf_site *site)
{
    tf_bring_node(chip, node, site, false);
}

/* Bring the tiles of a DRAM channel's other ports up to the chip's time. */
static inline void tf_bring_ports(struct tf_chip *chip, unsigned site)
{
    for (unsigned i = site + 1; i < chip->fabric->nodes; i++)
        if (tf_site_of(chip->fabric, i) == site)
            tf_bring_node_up_to_date(chip, &chip->fabric->node[i], &chip->site[i]);
}

/* The nodes of a site, by its number: a tf_visit. */
static inline void tf_bring_up_to_date(struct tf_worker *worker, unsigned site)
{
    struct tf_node *node = &worker->chip->fabric->node[site];
    tf_bring_node_up_to_date(worker->chip, node, &worker->chip->site[site]);
    if (__builtin_expect(node->ports_run, 0))
        tf_bring_ports(worker->chip, site);
}

#endif
