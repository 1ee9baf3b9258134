/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of vector instructions. run.c collects them, and execute.h executes them. */
#ifndef TILE_TENSIX_VECTOR_BATCH_H
#define TILE_TENSIX_VECTOR_BATCH_H

#include <stddef.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"

/* Values that are constant during a batch. */
struct tf_sfpu_batch {
    struct tf_tile *tile;
    unsigned thread;
    struct tf_vector *vector;
    struct tf_rwc *rwc;
    /* For SFPLOAD and SFPSTORE, set at the first of them: */
    struct tf_dst *dst;
    struct tf_dst_map map;
    const uint16_t *modifiers; /* ThreadConfig */
    unsigned offset;           /* of rows, without the counter; Sp moves in mode INT32_ALL alone */
    unsigned as_srcb;          /* MOD0_FMT_SRCB resolved; TF_FMT_SRCB: not yet */
};

/* Instructions and their kinds (enum tf_kind). Strides are in bytes: FIFOs and buffers differ in layout. */
struct tf_sfpu_words {
    const uint32_t *word;
    const uint8_t *kind;
    size_t word_step, kind_step;
    uint32_t count;
};

#endif
