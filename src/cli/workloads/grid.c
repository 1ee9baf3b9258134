/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/workloads/grid.h"

#include <stdio.h>

#include "tile/arch.h"
#include "tilefarm/tilefarm_chip.h"

static const char *const core_suffix[TF_K_CORES] = {"b", "nc", "t0", "t1", "t2"};

bool tf_grid_is_whole(const struct tf_arch *arch)
{
    const struct tf_arch *family = tf_arch_find(arch->name);
    return family == NULL || (family->tile[TF_TILE_TENSIX].tiles == arch->tile[TF_TILE_TENSIX].tiles &&
                              family->board.banks_off == arch->board.banks_off);
}

/* Find the first name of a raw column or row. */
static uint8_t name_of(const uint8_t table[TF_TRANSLATE_ENTRIES], unsigned raw)
{
    unsigned name = 0;
    while (name + 1 < TF_TRANSLATE_ENTRIES && table[name] != raw)
        name++;
    return (uint8_t)name;
}

void tf_grid_make(const struct tf_arch *arch, struct tf_k_grid *grid)
{
    struct tf_coord first = {0, 0}, coord = {0, 0};
    *grid = (struct tf_k_grid){0};
    if (tf_grid_is_whole(arch))
        return;
    tf_tile_coord(arch, 0, &first);
    for (unsigned tile = 0; tf_tile_coord(arch, tile, &coord) == TF_OK; tile++) {
        grid->tiles++;
        if (coord.y == first.y && grid->row < TF_K_LINES)
            grid->x[grid->row++] = name_of(arch->coords.x, coord.x);
        if (coord.x == first.x && grid->rows < TF_K_LINES)
            grid->y[grid->rows++] = name_of(arch->coords.y, coord.y);
    }
    grid->channels = tf_grid_channels(arch);
}

unsigned tf_grid_channels(const struct tf_arch *arch)
{
    return arch->dram.channels - (unsigned)__builtin_popcount(arch->board.banks_off);
}

/* Names of DRAM ports stand in two columns, with as many ports for each channel: name_banks() in
   tile/family/board.c. */
unsigned tf_grid_channel(const struct tf_arch *arch, unsigned index)
{
    const struct tf_coords_arch *coords = &arch->coords;
    if (arch->board.banks_off == 0)
        return index;
    unsigned half = arch->dram.channels / 2u, x = coords->name[TF_NODE_DRAM].x_first + index / half;
    unsigned y = coords->name[TF_NODE_DRAM].y_first, ports = (coords->name[TF_NODE_DRAM].y_last + 1u - y) / half;
    return arch->place[coords->y[y + index % half * ports] * arch->grid_x + coords->x[x]].index;
}

bool tf_grid_has_folder(const struct tf_arch *arch)
{
    return tf_arch_find(arch->name) != tf_arch_find(NULL);
}

void tf_grid_image(const struct tf_arch *arch, const char *program, unsigned core, char *name, size_t bytes)
{
    const bool in_folder = tf_grid_has_folder(arch);
    snprintf(name, bytes, "%s%s%s%s.%s", in_folder ? arch->name : "", in_folder ? "/" : "",
             tf_grid_is_whole(arch) ? "" : "boards/", program, core_suffix[core]);
}
