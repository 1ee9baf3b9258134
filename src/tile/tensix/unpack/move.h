/* SPDX-License-Identifier: Apache-2.0 */
/* Moves the data of an UNPACR from L1 to SrcA, SrcB or Dst. */
#ifndef TILE_TENSIX_UNPACK_MOVE_H
#define TILE_TENSIX_UNPACK_MOVE_H

#include <stdbool.h>

#include "tile/tensix/unpack_job.h"

struct tf_tile;

/* Moves the data. Returns false after recording a fault. */
bool tf_unpack_move(struct tf_tile *tile, struct tf_unpack_job *job);

#endif
