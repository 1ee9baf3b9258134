/* SPDX-License-Identifier: Apache-2.0 */
/* A Blackhole whose columns of Tensix tiles are fused off but for the first one: such a chip is made fastest. */
#ifndef TESTS_ONE_COLUMN_H
#define TESTS_ONE_COLUMN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tilefarm/tilefarm_chip.h"

static inline void one_column(struct tf_board *board)
{
    static const struct tf_board_text text = {.columns = "2,3,4,5,6,7,10,11,12,13,14,15,16"};
    assert_int_equal(tf_board_parse(NULL, &text, board, NULL), TF_OK);
}

/* Where its tiles are. */
static inline struct tf_coord one_column_coord(unsigned tile)
{
    return (struct tf_coord){1, (uint8_t)(2 + tile)};
}

#endif
