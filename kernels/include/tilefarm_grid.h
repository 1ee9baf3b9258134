/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workloads for a chip with fused-off nodes. The host writes the list of tiles and DRAM channels beside the parameters.
 * Programs for the whole chip have the constants of tilefarm_family.h instead.
 */
#ifndef TILEFARM_GRID_H
#define TILEFARM_GRID_H

#include "tilefarm_layout.h"

#define TF_GRID ((const struct tf_k_grid *)TF_K_GRID)

#undef TF_K_TILES
#undef TF_K_ROW
#undef TF_K_ROWS
#undef TF_K_X
#undef TF_K_Y
#undef TF_K_TILE_AT
#undef TF_K_DRAM_CHANNELS
#define TF_K_TILES TF_GRID->tiles
#define TF_K_ROW TF_GRID->row
#define TF_K_ROWS TF_GRID->rows
#define TF_K_X(tile) ((uint32_t)TF_GRID->x[(tile) % TF_K_ROW])
#define TF_K_Y(tile) ((uint32_t)TF_GRID->y[(tile) / TF_K_ROW])
#define TF_K_DRAM_CHANNELS TF_GRID->channels

/* This tile's node has a name as other nodes have: its raw coordinates may be the name of another node. */
#define TF_K_ME TF_GRID->me
#define TF_K_MY_XY (TF_K_X(TF_K_ME) | TF_K_Y(TF_K_ME) << 6)

#endif
