/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of all tiles of a chip: Tensix tiles by their index, then Ethernet tiles in the order of their nodes. */
#ifndef TILE_NUMBERED_H
#define TILE_NUMBERED_H

#include <stdbool.h>

#include "tile/arch.h"
#include "tilefarm/tilefarm_chip.h"

/* The coordinates of a tile. Returns false if there is none of that number. */
bool tf_numbered_coord(const struct tf_arch *arch, unsigned number, struct tf_coord *coord);

/* The number of the tile at a node; -1: none. */
int tf_numbered_tile(const struct tf_arch *arch, struct tf_coord coord);

#endif
