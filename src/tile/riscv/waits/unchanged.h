/* SPDX-License-Identifier: Apache-2.0 */
/* Re-testing the inputs of parked harts. */
#ifndef TILE_RISCV_WAITS_UNCHANGED_H
#define TILE_RISCV_WAITS_UNCHANGED_H

#include <stdbool.h>

struct tf_hart;
struct tf_tile;

/* Are all inputs and the code of a parked hart's period unchanged? Reads of registers change some state of the tile;
   nothing else changes. */
bool tf_park_unchanged(struct tf_tile *tile, const struct tf_hart *hart);

#endif
