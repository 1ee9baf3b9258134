/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tiles of a chip, their memory, and their shared parts. L1 of each tile has a slot of 2 MiB, so that a huge page
 * fits. Functions run on the calling thread, while no worker runs.
 */
#ifndef FARM_TILES_H
#define FARM_TILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "noc/noc.h"
#include "tile/arch.h"
#include "tile/run/tile.h"

#define TF_SLOT_BYTES (2u << 20)

struct tf_code_cache;

struct tf_tiles {
    uint8_t *l1;          /* slots of TF_SLOT_BYTES, by tile */
    size_t l1_bytes;      /* of the mapping */
    struct tf_tile *tile; /* Tensix tiles, then Ethernet tiles; memory of all of them follows */
    size_t tile_bytes;    /* of both, and of what lies beside them */
    /* These three are set before tiles are made. */
    struct tf_tile_rules rules;
    enum tf_vectors vectors;
    bool sparse;     /* tiles are not in huge pages */
    uint8_t *beside; /* zeros for other parts of the chip, which creation writes; aligned to 64 */
    uint8_t *behind; /* likewise, of parts that it does not write */
    unsigned count;
    unsigned tensix; /* Tensix tiles */
    struct tf_code_cache *code;
    uint32_t entry[TF_TENSIX_TILES_MAX][TF_TILE_CORES]; /* where cores start that the host takes out of reset */
};

/* Of the tile that a DRAM node's core has had since it was first used, or NULL. */
static inline struct tf_tile *tf_dram_tile(const struct tf_node *node)
{
    return node->core != NULL ? node->tile : NULL;
}

/* Make the tiles of a chip, and so many bytes beside and behind them. Returns false if the host has no memory; the
   caller destroys the tiles that exist. */
bool tf_tiles_create(struct tf_tiles *tiles, const struct tf_arch *arch, size_t beside_bytes, size_t behind_bytes);
void tf_tiles_destroy(struct tf_tiles *tiles);

/* Ask the host for a huge page if a Tensix tile has touched three quarters of its L1. The matmul rows pay for this. */
void tf_tiles_promote(struct tf_tiles *tiles);

/* Bring every tile up to a slice. */
void tf_tiles_catch_up(struct tf_tiles *tiles, struct tf_fabric *fabric, const struct tf_schedule *schedule,
                       uint64_t slice);

#endif
