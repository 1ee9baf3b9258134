/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tiles of the cores of DRAM nodes (docs/dram-cores.md). Few programs use such a core, so its tile is made when the
 * host or a core first uses a register that needs it. It belongs to the site of its DRAM channel.
 */
#include "farm/chip/chip.h"
#include "farm/chip/dram_tiles.h"
#include "farm/chip/tiles.h"
#include "host/zeroed.h"
#include "noc/nodes/dram_core.h"
#include "noc/whole/fabric.h"
#include "tile/mmio/dram.h"
#include "tile/riscv/exec/hosted.h"

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

/* The number of DRAM nodes before a node. */
static unsigned dram_nodes(const struct tf_arch *arch, unsigned node)
{
    unsigned count = 0;
    for (unsigned i = 0; i < node; i++)
        count += arch->place[i].kind == TF_NODE_DRAM;
    return count;
}

unsigned tf_chip_tiles(const struct tf_chip *chip)
{
    const struct tf_arch *arch = chip->arch;
    return chip->tiles.count + (arch->dram.core != NULL ? dram_nodes(arch, tf_arch_nodes(arch)) : 0);
}

struct tf_node *tf_chip_tile_node(const struct tf_chip *chip, unsigned number)
{
    if (number < chip->tiles.count)
        return &chip->fabric->node[tf_node_number(chip->arch, chip->tiles.tile[number].coord)];
    unsigned left = number - chip->tiles.count, node = 0;
    while (chip->arch->place[node].kind != TF_NODE_DRAM || left-- != 0)
        node++;
    return &chip->fabric->node[node];
}

struct tf_tile *tf_chip_tile(const struct tf_chip *chip, unsigned number)
{
    if (number < chip->tiles.count)
        return &chip->tiles.tile[number];
    return number < tf_chip_tiles(chip) ? tf_dram_tile(tf_chip_tile_node(chip, number)) : NULL;
}

const struct tf_tile_arch *tf_chip_tile_arch(const struct tf_chip *chip, unsigned number)
{
    if (number < chip->tiles.count)
        return chip->tiles.tile[number].arch;
    return number < tf_chip_tiles(chip) ? chip->arch->dram.core : NULL;
}

const char *tf_dram_tile_refused(const struct tf_rules *rules)
{
    return rules->mode == TF_MODE_RELAXED || rules->timing || rules->explores || rules->check
               ? "a DRAM tile's core runs in the usual order only: not in relaxed or timing mode, not with other "
                 "orders or the check for races"
               : NULL;
}

const char *tf_dram_tile_make(void *user, struct tf_node *node)
{
    struct tf_chip *chip = user;
    const struct tf_tile_arch *arch = chip->arch->dram.core;
    const char *refused = tf_dram_tile_refused(&chip->rules);
    if (refused != NULL)
        return refused;
    uint8_t *l1 = tf_dram_core_take_l1(node);
    struct tf_tile *tile = l1 != NULL ? tf_zeroed_take(bytes_of(arch)) : NULL;
    if (tile == NULL)
        return "the host has no memory for a DRAM tile's core";
    const struct tf_tile_memory memory = tf_tile_memory_in(arch, (uint8_t *)tile + struct_bytes());
    const uint16_t index = (uint16_t)(chip->tiles.count + dram_nodes(chip->arch, node->number));
    if (!tf_tile_init(tile, arch, node->coord, index, l1, memory, chip->tiles.code, &chip->tiles.rules)) {
        tf_zeroed_give(tile, bytes_of(arch));
        return "the host has no memory for a DRAM tile's core";
    }
    tile->mmio.dram = tf_dram_core_takes_tile(node);
    if (chip->observers.said != NULL)
        tile->said = &chip->observers.said[index];
    pass_time(tile, chip);
    tf_fabric_add_core(chip->fabric, node, tile);
    return NULL;
}

static const char *make_watched(void *user, struct tf_node *node)
{
    const struct tf_dram_watch *watch = user;
    const char *why = watch->inner->make(watch->inner->user, node);
    if (why == NULL)
        watch->made(watch->user, node->tile);
    return why;
}

void tf_dram_watch_begin(struct tf_chip *chip, struct tf_dram_watch *watch)
{
    watch->inner = chip->fabric->cores;
    watch->maker = (struct tf_core_maker){.make = make_watched, .user = watch};
    chip->fabric->cores = &watch->maker;
    for (unsigned number = chip->tiles.count; number < tf_chip_tiles(chip); number++)
        if (tf_chip_tile(chip, number) != NULL)
            watch->made(watch->user, tf_chip_tile(chip, number));
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
