/* SPDX-License-Identifier: Apache-2.0 */
/* What a race checker is told of registers of the coprocessor. */
#ifndef TILE_TENSIX_DATA_TOLD_H
#define TILE_TENSIX_DATA_TOLD_H

#include "tile/check.h"
#include "tile/state.h"

/* Does a checker want to know of each instruction? */
static inline bool tf_told_all(const struct tf_tile *tile)
{
    return tile->check != NULL && tile->check->rows != NULL;
}

/* See tf_check.rows. */
static inline void tf_tell_rows(const struct tf_tile *tile, unsigned by, enum tf_check_file file, unsigned first,
                                unsigned count, bool write)
{
    if (__builtin_expect(tf_told_all(tile), 0))
        tile->check->rows(tile->check, by, file, first, count, write);
}

#endif
