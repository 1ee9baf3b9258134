/* SPDX-License-Identifier: Apache-2.0 */
/* Stretches of vector instructions between what finds them, run.c, and what executes them, execute.h. */
#ifndef TILE_TENSIX_VECTOR_BATCH_H
#define TILE_TENSIX_VECTOR_BATCH_H

#include "tile/tensix/config/rwc.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"

/* What stays as it is in a stretch. */
struct tf_sfpu_stretch {
    struct tf_tile *tile;
    unsigned thread;
    struct tf_vector *vector;
    struct tf_rwc *rwc;
    /* Of SFPLOAD and SFPSTORE, as soon as there is one: */
    struct tf_dst *dst;
    struct tf_dst_map map;
    const uint16_t *modifiers; /* ThreadConfig */
    unsigned offset;           /* of rows, without the counter */
    unsigned stack_base;
    unsigned as_srcb;          /* MOD0_FMT_SRCB */
};

/* Instructions and their kinds (enum tf_thcon_kind), wherever they are: so many bytes from one to the next. */
struct tf_sfpu_row {
    const uint32_t *word;
    const uint8_t *kind;
    uint32_t word_step, kind_step;
    uint32_t count;
};

/* Find out about Dst. False: there is none yet. */
bool tf_sfpu_look_up(struct tf_sfpu_stretch *s);

#endif
