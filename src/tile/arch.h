/* SPDX-License-Identifier: Apache-2.0 */
/* A chip family as data: the grid and the sizes. Blackhole is the one table there is. */
#ifndef TILE_ARCH_H
#define TILE_ARCH_H

#include <stdint.h>

#include "tilefarm/tilefarm.h"

#define TF_GRID_X_MAX 17u
#define TF_GRID_Y_MAX 12u
#define TF_NODES_MAX (TF_GRID_X_MAX * TF_GRID_Y_MAX)

struct tf_arch {
    const char *name;
    uint8_t grid_x, grid_y;               /* 17 x 12 */
    uint32_t l1_bytes;                    /* of a Tensix tile */
    uint32_t eth_l1_bytes;                /* of an Ethernet tile */
    uint16_t local_bytes[TF_TILE_CORES];  /* core-local RAM, by enum tf_core */
    uint8_t kind[TF_NODES_MAX];           /* enum tf_node_kind at y * grid_x + x, raw NOC 0 coordinates */
};

extern const struct tf_arch tf_arch_blackhole;

#endif
