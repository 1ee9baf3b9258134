/* SPDX-License-Identifier: Apache-2.0 */
/* A chip family as data: the grid, kinds of tiles, sizes. Blackhole is the one table there is. */
#ifndef TILE_ARCH_H
#define TILE_ARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm/tilefarm.h"

#define TF_GRID_X_MAX 17u
#define TF_GRID_Y_MAX 12u
#define TF_NODES_MAX (TF_GRID_X_MAX * TF_GRID_Y_MAX)

#define TF_ETH_TILES 14u
#define TF_TILES_MAX (TF_TENSIX_TILES + TF_ETH_TILES)

/* Kinds of tiles that have cores. The address map (mmio/map.c) and the reset registers (mmio/debug.c) go by them. */
enum tf_tile_kind { TF_TILE_TENSIX, TF_TILE_ETH, TF_TILE_KINDS };

/* Cores are numbered by enum tf_core; E0 and E1 of an Ethernet tile have the numbers of B and NC. */
struct tf_tile_arch {
    uint8_t kind;                         /* enum tf_tile_kind */
    uint8_t node;                         /* enum tf_node_kind */
    uint8_t tiles;                        /* of this kind in a chip */
    uint8_t cores;
    bool coprocessor;
    uint8_t streams;                      /* of the overlay */
    uint32_t l1_bytes;
    uint16_t local_bytes[TF_TILE_CORES];  /* core-local RAM */
    const char *core_name[TF_TILE_CORES];
};

struct tf_arch {
    const char *name;
    uint8_t grid_x, grid_y;               /* 17 x 12 */
    struct tf_tile_arch tile[TF_TILE_KINDS];
    uint8_t kind[TF_NODES_MAX];           /* enum tf_node_kind at y * grid_x + x, raw NOC 0 coordinates */
};

extern const struct tf_arch tf_arch_blackhole;

#endif
