/* SPDX-License-Identifier: Apache-2.0 */
/* Which vectors of the host a coprocessor computes with: one choice for all of its units. Results are the same. */
#ifndef TILE_TENSIX_VECTORS_H
#define TILE_TENSIX_VECTORS_H

#include <stdbool.h>

#include "tilefarm/tilefarm.h"

struct tf_tile;

/* Has this host what the choice asks for, and the build the code? Always true of TF_VECTORS_BEST and _PORTABLE. */
bool tf_vectors_exist(enum tf_vectors vectors);

/* From now on all units of the tile's coprocessor use them. False: this host has none, and nothing is changed. */
bool tf_vectors_choose(struct tf_tile *tile, enum tf_vectors vectors);

/* "auto", "portable", "avx2" or "avx512". False: none of them. */
bool tf_vectors_parse(const char *text, enum tf_vectors *vectors);
const char *tf_vectors_name(enum tf_vectors vectors);

#endif
