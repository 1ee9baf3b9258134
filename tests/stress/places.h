/* SPDX-License-Identifier: Apache-2.0 */
/* Where tiles are, on a chip of the family that a test runs for. */
#ifndef STRESS_PLACES_H
#define STRESS_PLACES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tilefarm/tilefarm_chip.h"

static const struct tf_arch *family; /* NULL: Blackhole */

/* The first argument of a test's program, if there is one, names the family. */
static inline void choose_family(int count, char **argument)
{
    family = count > 1 ? tf_arch_find(argument[1]) : NULL;
    assert_true(count < 2 || family != NULL);
    if (family == tf_arch_find(NULL))
        family = NULL;
}

static inline struct tf_coord at(unsigned tile)
{
    struct tf_coord coord;
    assert_int_equal(tf_tile_coord(family, tile, &coord), TF_OK);
    return coord;
}

/* As NIU registers have it. */
static inline uint32_t xy(unsigned tile)
{
    return at(tile).x | (uint32_t)at(tile).y << 6;
}

#endif
