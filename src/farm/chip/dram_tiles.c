/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles of the cores of DRAM nodes (docs/dram-cores.md). Few programs use such a core, so its tile is made when the
 * host or a core first uses a register that needs it. It belongs to the site of its DRAM channel.
 */
#include "farm/chip/chip.h"
#include "farm/chip/dram_tiles.h"
#include "farm/chip/tiles.h"
#include "host/zeroed.h"
#include "noc/fabric.h"
#include "tile/mmio/dram.h"
#include "tilefarm/tilefarm_config.h"

static size_t struct_bytes(void)
{
    return (sizeof(struct tf_tile) + TF_ZEROED_PAGE_BYTES - 1) / TF_ZEROED_PAGE_BYTES * TF_ZEROED_PAGE_BYTES;
}

static size_t bytes_of(const struct tf_tile_arch *arch)
{
    return struct_bytes() + tf_tile_memory_bytes(arch);
}

/* The core has been in reset up to now. */
static void pass_time(struct tf_tile *tile, const struct tf_chip *chip)
{
    tile->slice.tick = chip->epochs.tick;
    tile->slice.begin = tile->slice.deadline = tf_tick_begin(&chip->schedule, chip->epochs.tick);
    tile->hart[0].cycle = tile->slice.deadline;
    tile->cycle = chip->epochs.cycles;
}

/* The number of a DRAM node's tile: after all others, in the order of nodes. */
static uint16_t index_of(const struct tf_arch *arch, const struct tf_node *node)
{
    unsigned index = tf_arch_tiles(arch);
    for (unsigned i = 0; i < node->number; i++)
        index += arch->place[i].kind == TF_NODE_DRAM;
    return (uint16_t)index;
}

const char *tf_dram_tile_make(void *user, struct tf_node *node)
{
    struct tf_chip *chip = user;
    const struct tf_tile_arch *arch = chip->arch->dram.core;
    const struct tf_config *config = &chip->config;
    if (config->mode == TF_MODE_RELAXED || config->timing || config->explore != NULL || config->check)
        return "a DRAM tile's core runs in the usual order only: not in relaxed or timing mode, not with other orders "
               "or the check for races";
    uint8_t *l1 = tf_dram_core_take_l1(node);
    struct tf_tile *tile = l1 != NULL ? tf_zeroed_take(bytes_of(arch)) : NULL;
    if (tile == NULL)
        return "the host has no memory for a DRAM tile's core";
    const struct tf_tile_memory memory = tf_tile_memory_in(arch, (uint8_t *)tile + struct_bytes());
    if (!tf_tile_init(tile, arch, node->coord, index_of(chip->arch, node), l1, memory, chip->tiles.code, config)) {
        tf_zeroed_give(tile, bytes_of(arch));
        return "the host has no memory for a DRAM tile's core";
    }
    tile->mmio.dram = tf_dram_core_takes_tile(node);
    pass_time(tile, chip);
    tf_fabric_add_core(chip->fabric, node, tile);
    return NULL;
}

void tf_dram_tiles_destroy(struct tf_fabric *fabric)
{
    for (unsigned i = 0; i < fabric->nodes; i++) {
        struct tf_tile *tile = tf_dram_tile(&fabric->node[i]);
        if (tile == NULL)
            continue;
        const size_t bytes = bytes_of(tile->arch);
        tf_tile_fini(tile);
        tf_zeroed_give(tile, bytes);
        fabric->node[i].tile = NULL;
    }
}
