/* SPDX-License-Identifier: Apache-2.0 */
/* The list of families, the check of a table, and queries. */
#include "tile/arch.h"

#include <string.h>

#include "tile/niu_words.h"
#include "tilefarm/tilefarm_chip.h"

#define ADDRESS(name, title) &tf_arch_##name,
static const struct tf_arch *const families[] = {TF_FAMILIES(ADDRESS, ADDRESS)};
#undef ADDRESS

const struct tf_arch *tf_arch_find(const char *name)
{
    if (name == NULL)
        return families[0];
    for (unsigned i = 0; i < sizeof families / sizeof families[0]; i++)
        if (strcmp(families[i]->name, name) == 0)
            return families[i];
    return NULL;
}

const struct tf_arch *tf_arch_or_default(const struct tf_arch *arch)
{
    return arch != NULL ? arch : families[0];
}

void tf_arch_shape(const struct tf_arch *arch, struct tf_shape *shape)
{
    arch = tf_arch_or_default(arch);
    *shape = (struct tf_shape){
        .name = arch->name,
        .title = arch->title,
        .grid_x = arch->grid_x,
        .grid_y = arch->grid_y,
        .tensix_tiles = arch->tile[TF_TILE_TENSIX].tiles,
        .eth_tiles = arch->tile[TF_TILE_ETH].tiles,
        .clock_mhz = arch->clock_mhz,
        .cores = arch->tile[TF_TILE_TENSIX].cores,
        .l1_bytes = arch->tile[TF_TILE_TENSIX].l1_bytes,
        .dram_channels = arch->dram.channels,
        .dram_channel_bytes = arch->dram.channel_bytes,
    };
}

enum tf_node_kind tf_node_kind(const struct tf_arch *arch, struct tf_coord coord)
{
    arch = tf_arch_or_default(arch);
    if (coord.x >= arch->grid_x || coord.y >= arch->grid_y)
        return TF_NODE_EMPTY;
    return (enum tf_node_kind)arch->place[tf_node_number(arch, coord)].kind;
}

int tf_port_coord(const struct tf_arch *arch, unsigned port, struct tf_coord *coord)
{
    arch = tf_arch_or_default(arch);
    if (coord == NULL || arch->tile[TF_TILE_ETH].tiles == 0)
        return TF_ENODEV;
    for (unsigned index = 0; index <= UINT8_MAX; index++)
        for (unsigned i = 0; i < tf_arch_nodes(arch); i++)
            if (arch->place[i].kind == TF_NODE_ETH && arch->place[i].index == index && port-- == 0) {
                *coord = (struct tf_coord){.x = (uint8_t)(i % arch->grid_x), .y = (uint8_t)(i / arch->grid_x)};
                return TF_OK;
            }
    return TF_ENODEV;
}

unsigned tf_arch_port(const struct tf_arch *arch, struct tf_coord node)
{
    const unsigned index = arch->place[tf_node_number(arch, node)].index;
    unsigned port = 0;
    for (unsigned i = 0; i < tf_arch_nodes(arch); i++)
        port += arch->place[i].kind == TF_NODE_ETH && arch->place[i].index < index;
    return port;
}

int tf_tile_coord(const struct tf_arch *arch, unsigned tile, struct tf_coord *coord)
{
    arch = tf_arch_or_default(arch);
    if (coord == NULL)
        return TF_ENODEV;
    for (unsigned i = tile; i < tf_arch_nodes(arch); i++) /* a tile's number is at most its node's */
        if (arch->place[i].kind == TF_NODE_TENSIX && arch->place[i].index == tile) {
            *coord = (struct tf_coord){.x = (uint8_t)(i % arch->grid_x), .y = (uint8_t)(i / arch->grid_x)};
            return TF_OK;
        }
    return TF_ENODEV;
}

int tf_tile_index(const struct tf_arch *arch, struct tf_coord coord)
{
    arch = tf_arch_or_default(arch);
    if (tf_node_kind(arch, coord) != TF_NODE_TENSIX)
        return TF_ENODEV;
    return arch->place[tf_node_number(arch, coord)].index;
}

static const char *const tensix_core_name[TF_TILE_CORES] = TF_TENSIX_CORE_NAMES;

const char *tf_tensix_core_name(unsigned core)
{
    return core < TF_TILE_CORES ? tensix_core_name[core] : "-";
}

const char *tf_core_name(const struct tf_arch *arch, enum tf_node_kind kind, unsigned core)
{
    arch = tf_arch_or_default(arch);
    for (unsigned i = 0; i < TF_TILE_KINDS; i++)
        if (arch->tile[i].tiles != 0 && arch->tile[i].node == kind && core < arch->tile[i].cores)
            return arch->tile[i].core_name[core];
    if (kind == TF_NODE_DRAM && arch->dram.core != NULL && core < arch->dram.core->cores)
        return arch->dram.core->core_name[core];
    return "-";
}

unsigned tf_arch_extensions(const struct tf_arch *arch)
{
    unsigned extensions = 0;
    for (unsigned kind = 0; kind < TF_TILE_KINDS; kind++)
        for (unsigned core = 0; core < arch->tile[kind].cores; core++)
            extensions |= arch->tile[kind].extensions[core];
    return extensions;
}

static const char *why_bad_tile(const struct tf_arch *arch, unsigned kind)
{
    const struct tf_tile_arch *tile = &arch->tile[kind];
    unsigned nodes = 0;
    if (tile->tiles == 0)
        return NULL;
    if (tile->kind != kind || tile->node != (kind == TF_TILE_TENSIX ? TF_NODE_TENSIX : TF_NODE_ETH))
        return "a kind of tile is at the index of another kind";
    if (tile->cores == 0 || tile->cores > TF_TILE_CORES)
        return "a tile has no core, or too many";
    if (tile->coprocessor && tile->cores != TF_TILE_CORES)
        return "a tile with a coprocessor lacks cores that push to it";
    if (tile->map == NULL)
        return "a tile has no map of its registers";
    if (tile->l1_bytes == 0 || tile->l1_bytes % 1024 != 0 || tile->iram_bytes % 1024 != 0 ||
        tf_code_bytes(tile) > TF_L1_BYTES_MAX)
        return "the size of L1 is not a multiple of 1 KiB, or is too large";
    if (kind == TF_TILE_ETH && tile->eth == NULL)
        return "an Ethernet tile has no table of its devices";
    if (tile->units.packers > 4 || (tile->units.packers != 0 && tile->config == NULL))
        return "there are more packers than four, or there is no table of their configuration";
    for (unsigned core = 0; core < tile->cores; core++)
        if (tile->local_bytes[core] == 0 || (tile->local_bytes[core] & (tile->local_bytes[core] - 1)) != 0)
            return "the size of a core's RAM is not a power of two";
    for (unsigned core = 0; core < tile->cores; core++)
        if (kind == TF_TILE_TENSIX &&
            (tile->core_name[core] == NULL || strcmp(tile->core_name[core], tensix_core_name[core]) != 0))
            return "a core of a Tensix tile has another name than that of enum tf_core";
    for (unsigned i = 0; i < tf_arch_nodes(arch); i++)
        nodes += arch->place[i].kind == tile->node;
    return nodes == tile->tiles ? NULL : "the grid and the table differ in the number of tiles of a kind";
}

/* Instructions of TF_EXT_BY_CORE depend on the core that executes them; no others do. */
static const char *why_bad_extensions(const struct tf_arch *arch)
{
    unsigned all = tf_arch_extensions(arch) & ~(unsigned)TF_EXT_BY_CORE;
    for (unsigned kind = 0; kind < TF_TILE_KINDS; kind++)
        for (unsigned core = 0; core < arch->tile[kind].cores; core++)
            if ((arch->tile[kind].extensions[core] & ~(unsigned)TF_EXT_BY_CORE) != all)
                return "cores differ in extensions other than vectors and interrupts";
    return NULL;
}

static const char *why_bad_place(const struct tf_arch *arch, unsigned *tile, const struct tf_place *place)
{
    if (place->kind >= TF_NODE_KINDS)
        return "a node has no kind";
    if (place->kind == TF_NODE_DRAM && place->index >= arch->dram.channels)
        return "a DRAM node is a port of a missing channel";
    if (place->kind == TF_NODE_TENSIX && place->index != (*tile)++)
        return "the Tensix tiles are not numbered in rows";
    return NULL;
}

static const char *why_bad_noc(const struct tf_arch *arch)
{
    const struct tf_noc_arch *noc = &arch->noc;
    const struct tf_coords_arch *coords = &arch->coords;
    if (noc->flit_log2 < 4 || noc->flit_log2 > TF_FLIT_LOG2_MAX)
        return "a flit has fewer than 16 bytes, or more than 64";
    if (noc->packet_bytes == 0 || noc->packet_bytes > TF_PACKET_BYTES_MAX)
        return "a packet is empty or too long";
    if ((noc->mask_bytes != 32 && noc->mask_bytes != 64) || noc->dram_align == 0 ||
        (noc->dram_align & (noc->dram_align - 1)) != 0)
        return "requests do not support the byte mask or the alignment of DRAM";
    if (coords->entry_bits == 0 || coords->entries_in_word == 0 || coords->entry_bits * coords->entries_in_word > 32 ||
        coords->entries_in_word * 6 < TF_TRANSLATE_ENTRIES)
        return "the entries of a translation table do not fit their words";
    for (unsigned i = 0; i < TF_NIU_ALIKE && arch->niu != NULL; i++)
        if (arch->niu->word[i] != i && arch->niu->word[i] != TF_NIU_NO_WORD)
            return "addresses or the length of a request lie elsewhere";
    if (noc->atomics != 0xFFFF && noc->no_such_atomic == NULL)
        return "the text of the fault for a missing atomic is absent";
    return NULL;
}

const char *tf_arch_why_bad(const struct tf_arch *arch)
{
    const char *why = NULL;
    unsigned tile = 0;
    if (arch->grid_x == 0 || arch->grid_x > TF_GRID_X_MAX || arch->grid_y == 0 || arch->grid_y > TF_GRID_Y_MAX)
        return "the grid is empty or too large";
    if (arch->tile[TF_TILE_TENSIX].tiles > TF_TENSIX_TILES_MAX)
        return "too many Tensix tiles";
    if (arch->dram.channel_bytes % TF_DRAM_BLOCK_BYTES != 0)
        return "the size of a DRAM channel is not a multiple of 2 MiB";
    why = why_bad_noc(arch);
    for (unsigned kind = 0; kind < TF_TILE_KINDS && why == NULL; kind++)
        why = why_bad_tile(arch, kind);
    if (why == NULL)
        why = why_bad_extensions(arch);
    for (unsigned i = 0; i < tf_arch_nodes(arch) && why == NULL; i++)
        why = why_bad_place(arch, &tile, &arch->place[i]);
    return why;
}
