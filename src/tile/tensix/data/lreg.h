/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of the vector unit: BlackholeA0 TensixCoprocessor/VectorUnit.md, LReg.md, SFPCONFIG.md. Booleans of 32 lanes
 * are masks with lane i in bit i; lane i is row i / 8, column i % 8 of the 4x8 grid. SFPCONFIG writes equal values to
 * all four rows, so they are kept by column.
 */
#ifndef TILE_TENSIX_DATA_LREG_H
#define TILE_TENSIX_DATA_LREG_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/data/prng.h"
#include "tile/tensix/isa/sfpu.h"

#define TF_LANES 32u
#define TF_LANE_COLUMNS 8u
#define TF_FLAG_STACK 8u

#define TF_ALL_LANES 0xFFFFFFFFu
#define TF_COLUMN_LANES 0x01010101u /* lanes of column 0 */

/* LaneConfig (SFPCONFIG.md). */
enum {
    TF_LANE_ENABLE_FP16A_INF = 1 << 0,
    TF_LANE_DISABLE_BACKDOOR_LOAD = 1 << 1,
    TF_LANE_ENABLE_DEST_INDEX = 1 << 2,
    TF_LANE_CAPTURE_DEFAULT_DEST_INDEX = 1 << 3,
    TF_LANE_BLOCK_DEST_WR_FROM_SFPU = 1 << 4,
    TF_LANE_BLOCK_SFPU_RD_FROM_DEST = 1 << 5,
    TF_LANE_DEST_RD_COL_EXCHANGE = 1 << 6,
    TF_LANE_DEST_WR_COL_EXCHANGE = 1 << 7,
    TF_LANE_EXCHANGE_SRCB_SRCC = 1 << 8,
    TF_LANE_BLOCK_DEST_MOV = 1 << 9, /* two bits */
    TF_LANE_ROW_MASK = 1 << 12,      /* four bits */
    TF_LANE_CONFIG_BITS = 0x3FFFF,
};

/* LaneConfig bit by bit: lanes in which it is set. Made from tf_vector.lane_config. */
struct tf_lane_masks {
    uint32_t fp16_infinity, no_backdoor, dest_index, capture_index, no_store, no_load, load_odd, store_odd, exchange;
    uint32_t rows; /* lanes that ROW_MASK leaves enabled */
};

/* LoadMacroConfig of a column. */
struct tf_macro_config {
    uint32_t template[4]; /* InstructionTemplate */
    uint32_t sequence[4];
    uint32_t misc; /* 12 bits */
};

/* LaneFlags, UseLaneFlagsForLaneEnable and FlagStack. Stacks of columns may differ in depth. */
struct tf_lane_flags {
    uint32_t flags, use;
    uint32_t stack_flags[TF_FLAG_STACK], stack_use[TF_FLAG_STACK];
    uint8_t depth[TF_LANE_COLUMNS];
};

struct tf_macro_schedule;
struct tf_sfpu_kernels;

struct tf_vector {
    _Alignas(64) uint32_t lreg[TF_LREGS][TF_LANES];
    uint32_t prng[TF_LANES];
    struct tf_lane_flags lane;
    struct tf_lane_masks mask;
    /* Lanes of the instruction in execution. All lanes, except for VD >= 12 and for instructions of SFPLOADMACRO. */
    uint32_t acting;
    uint32_t lane_config[TF_LANE_COLUMNS];
    struct tf_macro_config macro[TF_LANE_COLUMNS];
    bool macros_differ;                           /* columns whose sequences differ; made from macro */
    uint16_t stack_pointer[3];                    /* RWCs.Sp, 10 bits */
    uint32_t rotated[TF_LANES / TF_LANE_COLUMNS]; /* Wormhole: last lanes of the rows that SFPSHFT2 rotated last */
    const struct tf_sfpu_kernels *kernels;        /* kernels of the vector level; not part of the state */
    struct tf_macro_schedule *schedule;           /* instructions scheduled by SFPLOADMACRO; NULL until it is used */
    bool scheduled;                               /* schedule is not empty */
};

/* Lanes of the instruction that lane flags do not disable. */
static inline uint32_t tf_lanes_flagged(const struct tf_vector *vector)
{
    return (vector->lane.flags | ~vector->lane.use) & vector->acting;
}

/* LaneEnabled, of the lanes of the instruction. */
static inline uint32_t tf_lanes_enabled(const struct tf_vector *vector)
{
    return tf_lanes_flagged(vector) & vector->mask.rows;
}

/* The lanes of a mask of columns. */
static inline uint32_t tf_column_lanes(uint32_t columns)
{
    return columns * TF_COLUMN_LANES;
}

#endif
