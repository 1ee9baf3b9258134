/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory of the host in which a unit keeps what it made of its last operands. Each worker has one, and lends it to the
 * tile that it runs. One for each tile would not fit the host's cache (rows `matmul-*`). It is not part of the state,
 * and results do not depend on it.
 */
#ifndef MATRIX_SCRATCH_H
#define MATRIX_SCRATCH_H

#include <string.h>

#include "tile/state.h"
#include "tile/tensix/matrix/pieces.h"

struct tf_scratch {
    const struct tf_tile *borrower; /* the tile that used it last; NULL: none */
    struct tf_fpu_memory fpu;
};

/* Returns NULL if the host has no memory, which only costs time. */
struct tf_scratch *tf_scratch_create(void);
void tf_scratch_destroy(struct tf_scratch *scratch);

/* Lend the memory to a tile. The thread that runs the tile does so, and takes the memory back before another thread may
   run the tile. scratch: NULL if there is none. */
static inline void tf_scratch_lend(struct tf_scratch *scratch, struct tf_tile *tile)
{
    tile->scratch = scratch;
}

/* The matrix unit's part of what the tile has borrowed, without operands of another tile. NULL: nothing is lent. */
static inline struct tf_fpu_memory *tf_scratch_fpu(const struct tf_tile *tile)
{
    struct tf_scratch *scratch = tile->scratch;
    if (scratch == NULL)
        return NULL;
    if (scratch->borrower != tile) {
        scratch->borrower = tile;
        memset(&scratch->fpu.key, 0, sizeof scratch->fpu.key);
    }
    return &scratch->fpu;
}

/* The last borrower ends, so another tile may get its place in memory. */
static inline void tf_scratch_forget(struct tf_scratch *scratch)
{
    if (scratch != NULL)
        scratch->borrower = NULL;
}

static inline void tf_scratch_reclaim(struct tf_tile *tile)
{
    tile->scratch = NULL;
}

#endif
