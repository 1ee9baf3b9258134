/* SPDX-License-Identifier: Apache-2.0 */
/* The toy family for device programs: Blackhole's registers, and its own tiles at (0,1) and (2,1). */
#ifndef TESTS_FAMILY_DEVICE_H
#define TESTS_FAMILY_DEVICE_H

#include_next "tilefarm_family.h"

#undef TF_K_FAMILY
#undef TF_K_TILES
#undef TF_K_ROW
#undef TF_K_ROWS
#undef TF_K_X
#undef TF_K_Y
#undef TF_K_TILE_AT
#define TF_K_FAMILY "toy"
#define TF_K_TILES 2u
#define TF_K_ROW 2u
#define TF_K_ROWS 1u
#define TF_K_X(tile) (2 * (tile))
#define TF_K_Y(tile) 1u
#define TF_K_TILE_AT(x, y) (((y)-1) * TF_K_ROW + (x) / 2)

#endif
