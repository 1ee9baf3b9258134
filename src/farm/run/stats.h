/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of tiles that the public headers do not number. */
#ifndef FARM_RUN_STATS_H
#define FARM_RUN_STATS_H

#include "farm/chip/chip.h"

/* The share of a tile in the statistics. tile: below chip->tiles.count; Ethernet tiles follow the Tensix tiles. */
void tf_any_tile_stats(struct tf_chip *chip, unsigned tile, struct tf_tile_stats *stats);

#endif
