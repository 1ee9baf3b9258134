/* SPDX-License-Identifier: Apache-2.0 */
/* Code of a core that gives commands to NIU 0. Register x5 has the NIU's base; x6 is overwritten. */
#ifndef TESTS_TIMING_NIU_CODE_H
#define TESTS_TIMING_NIU_CODE_H

#include "one_chip.h"
#include "stress/rv_emit.h"
#include "tile/niu_words.h"
#include "tilefarm_address.h"

enum { NIU = 5, A = 6 };

/* Coordinates of a tile, as registers of the NIU take them. */
static inline uint32_t xy_of(unsigned tile)
{
    struct tf_coord at;
    assert_int_equal(tf_tile_coord(NULL, tile, &at), TF_OK);
    return at.x | (uint32_t)at.y << 6;
}

static inline void store(struct code *code, unsigned word, uint32_t value)
{
    li(code, A, value);
    put(code, rv_s(SW, A, NIU, 4 * word));
}

/* Increment the word at `address` of a tile. The answer goes to `landing` of the own one. */
static inline void put_increment(struct code *code, unsigned from, uint32_t landing, unsigned to, uint32_t address)
{
    store(code, TF_NIU_TARG_LO, address);
    store(code, TF_NIU_TARG_HI, xy_of(to));
    store(code, TF_NIU_RET_LO, landing);
    store(code, TF_NIU_RET_HI, xy_of(from));
    store(code, TF_NIU_CTRL, 1u | 1u << 4);
    store(code, TF_NIU_AT_LEN_BE, 0x107C);
    store(code, TF_NIU_AT_DATA, 1);
    store(code, TF_NIU_CMD_CTRL, 1);
}

#endif
