/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles of the cores of DRAM nodes (docs/dram-cores.md). Few programs use such a core, so its tile is made when the
 * host or a core first uses a register that needs it. It belongs to the site of its DRAM channel.
 */
#ifndef FARM_CHIP_DRAM_TILES_H
#define FARM_CHIP_DRAM_TILES_H

struct tf_fabric;
struct tf_node;

/* Make the tile of a DRAM node's core: tf_core_maker, with a chip as `user`. By the worker of the node's site. */
const char *tf_dram_tile_make(void *chip, struct tf_node *node);

/* Destroy the tiles of all cores of DRAM nodes, before their L1. */
void tf_dram_tiles_destroy(struct tf_fabric *fabric);

#endif
