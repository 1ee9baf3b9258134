/* SPDX-License-Identifier: Apache-2.0 */
/* The packer as other rooms see it. */
#ifndef TILE_TENSIX_PACK_PACK_H
#define TILE_TENSIX_PACK_PACK_H

#include <stdbool.h>

#include "host/vectors.h"
#include "tile/hash.h"

struct tf_pack_kernels;
struct tf_tile;
struct tf_pack;

/* The packer enters reset: rows and lines in flight are discarded (SoftReset.md). */
void tf_pack_reset(struct tf_pack *pack);

/* of_four: it is one of four. */
void tf_pack_hash(const struct tf_pack *pack, bool of_four, struct tf_hash *hash);

/* The kernels of a vector level. Returns NULL if the host lacks the level. */
const struct tf_pack_kernels *tf_pack_kernels(enum tf_vectors level);

/* From now on the tile's packer uses the kernels of the level. Returns false if the host lacks the level. */
bool tf_pack_choose(struct tf_tile *tile, enum tf_vectors level);

#endif
