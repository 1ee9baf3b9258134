/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of Dst that an SFPLOAD or SFPSTORE accesses: shared by vector.c and run.c. */
#ifndef TILE_TENSIX_VECTOR_ROWS_H
#define TILE_TENSIX_VECTOR_ROWS_H

#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/vector/place.h"
#include "tile/tensix/vector/set.h"

enum {
    TF_SFPU_WIDE_LOADS = 1 << TF_FMT_FP32 | 1 << TF_FMT_INT32 | 1 << TF_FMT_INT32_ALL | 1 << TF_FMT_INT32_SM,
    TF_SFPU_WIDE_STORES = TF_SFPU_WIDE_LOADS | 1 << TF_FMT_HI16 | 1 << TF_FMT_LO16,
};

/* Physical row of the first of four. */
static inline unsigned tf_sfpu_find_rows(struct tf_dst *dst, struct tf_dst_map map, struct tf_sfpu_place place,
                                         uint32_t wide_formats, struct tf_dst_rows *rows)
{
    bool wide = wide_formats >> place.mod0 & 1;
    rows->row = place.address & ~3u;
    unsigned physical = tf_dst_row(map, rows->row, wide);
    rows->high = dst->bits[physical];
    rows->low = dst->bits[wide ? physical + TF_DST_LOW_ROWS : physical];
    if (place.address & 2)
        rows->odd_lanes = TF_ALL_LANES;
    return physical;
}

/* `enabled`: tf_lanes_enabled() */
static inline uint32_t tf_sfpu_moved_lanes(const struct tf_vector *vector, unsigned mod0, uint32_t enabled,
                                           uint32_t blocked)
{
    return (mod0 == TF_FMT_INT32_ALL ? vector->acting : enabled) & ~blocked;
}

/* Finds the rows of a load. Returns the mask of marked rows: if not 0, call tf_sfpu_load_undefined(). */
static inline unsigned tf_sfpu_rows_to_load(struct tf_dst *dst, struct tf_dst_map map, const struct tf_vector *vector,
                                            struct tf_sfpu_place place, uint32_t enabled, struct tf_dst_rows *rows)
{
    rows->lanes = tf_sfpu_moved_lanes(vector, place.mod0, enabled, vector->mask.no_load);
    rows->odd_lanes = vector->mask.load_odd;
    unsigned physical = tf_sfpu_find_rows(dst, map, place, TF_SFPU_WIDE_LOADS, rows);
    return dst->undefined[physical / 64] >> physical % 64 & 15;
}

/* The rows of a store, and the physical row of the first. */
static inline unsigned tf_sfpu_rows_to_store(struct tf_dst *dst, struct tf_dst_map map, const struct tf_vector *vector,
                                             struct tf_sfpu_place place, uint32_t enabled, struct tf_dst_rows *rows)
{
    rows->lanes = tf_sfpu_moved_lanes(vector, place.mod0, enabled, vector->mask.no_store);
    rows->odd_lanes = vector->mask.store_odd;
    return tf_sfpu_find_rows(dst, map, place, TF_SFPU_WIDE_STORES, rows);
}

/* Clears the marks of the rows that a store wrote. */
static inline void tf_sfpu_define_rows(struct tf_dst *dst, unsigned physical, uint32_t lanes)
{
    uint64_t *undefined = &dst->undefined[physical / 64];
    if (*undefined == 0)
        return;
    for (unsigned row = 0; row < 4; row++)
        if ((lanes >> row * TF_LANE_COLUMNS & 0xFF) != 0)
            *undefined &= ~(1ull << (physical % 64 + row));
}

#endif
