/* SPDX-License-Identifier: Apache-2.0 */
/* Where tiles are. */
#ifndef STRESS_PLACES_H
#define STRESS_PLACES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tilefarm/tilefarm.h"

static inline struct tf_coord at(unsigned tile)
{
    struct tf_coord coord;
    assert_int_equal(tf_tile_coord(NULL, tile, &coord), TF_OK);
    return coord;
}

/* As NIU registers have it. */
static inline uint32_t xy(unsigned tile)
{
    return at(tile).x | (uint32_t)at(tile).y << 6;
}

#endif
