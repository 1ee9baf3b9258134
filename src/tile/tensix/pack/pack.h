/* SPDX-License-Identifier: Apache-2.0 */
/* The packer as other rooms see it. */
#ifndef TILE_TENSIX_PACK_PACK_H
#define TILE_TENSIX_PACK_PACK_H

#include <stdbool.h>

#include "tile/hash.h"

struct tf_pack;

/* The packer enters reset: rows and lines in flight are discarded (SoftReset.md). */
void tf_pack_reset(struct tf_pack *pack);

/* of_four: it is one of four. */
void tf_pack_hash(const struct tf_pack *pack, bool of_four, struct tf_hash *hash);

#endif
