/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles of the cores of DRAM nodes (docs/dram-cores.md). Few programs use such a core, so its tile is made when the
 * host or a core first uses a register that needs it. It belongs to the site of its DRAM channel.
 */
#ifndef FARM_CHIP_DRAM_TILES_H
#define FARM_CHIP_DRAM_TILES_H

#include <stdbool.h>

#include "noc/nodes/dram_core.h"

struct tf_chip;
struct tf_rules;
struct tf_fabric;
struct tf_node;
struct tf_tile;
struct tf_tile_arch;

/* Make the tile of a DRAM node's core: tf_core_maker, with a chip as `user`. By the worker of the node's site. */
const char *tf_dram_tile_make(void *chip, struct tf_node *node);

/* Returns NULL, or a sentence: chips with this configuration have no such cores. */
const char *tf_dram_tile_refused(const struct tf_rules *rules);

/*
 * Numbers of all tiles with cores, tf_tile.index: Tensix tiles, Ethernet tiles, then those of DRAM nodes in the order
 * of nodes. A DRAM node has its number before its tile is made.
 */
unsigned tf_chip_tiles(const struct tf_chip *chip);

/* The tile of a number. NULL: there is none, or nobody has used the DRAM node's core yet. */
struct tf_tile *tf_chip_tile(const struct tf_chip *chip, unsigned number);

/* What the tile of a number is, also before it is made. NULL: there is no such number. */
const struct tf_tile_arch *tf_chip_tile_arch(const struct tf_chip *chip, unsigned number);

/* The node of the tile of a number, which exists. */
struct tf_node *tf_chip_tile_node(const struct tf_chip *chip, unsigned number);

/* Somebody who wants to know the tiles of DRAM nodes. */
struct tf_dram_watch {
    struct tf_core_maker maker;
    const struct tf_core_maker *inner;
    void (*made)(void *user, struct tf_tile *tile); /* by the worker of the node's site */
    void *user;
};

/* Call watch->made for each tile of a DRAM node that the chip has, and then for each that is made. The watch must live
   as long as the chip runs. Between runs. */
void tf_dram_watch_begin(struct tf_chip *chip, struct tf_dram_watch *watch);

/* Destroy the tiles of all cores of DRAM nodes, before their L1. */
void tf_dram_tiles_destroy(struct tf_fabric *fabric);

#endif
