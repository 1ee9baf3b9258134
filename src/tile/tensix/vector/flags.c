/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/tensix/vector/flags.h"

#include <string.h>

#define UNUSED_REGISTERS (void)vd, (void)vb, (void)vc

const uint32_t tf_swap_vd_gets_min[16] = {
    0, 0xFFFFFFFF, 0x0000FFFF, 0x00FF00FF, 0xFF0000FF, 0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000,
};

/* The top of a flag stack, lane by lane. Lanes with an empty stack have 0 in both masks. */
struct top {
    uint32_t flags, use;
    uint32_t present; /* lanes whose stack is not empty */
};

#define ALL_DEPTHS 0x0101010101010101ull

static uint64_t depths_of(const struct tf_lane_flags *lane)
{
    uint64_t depths;
    memcpy(&depths, lane->depth, sizeof depths);
    return depths;
}

/* Do the stacks of all columns have the same depth? Software can make them differ. */
static bool is_even(const struct tf_lane_flags *lane)
{
    return depths_of(lane) == lane->depth[0] * ALL_DEPTHS;
}

static struct top top_of(const struct tf_lane_flags *lane)
{
    if (is_even(lane)) {
        unsigned depth = lane->depth[0];
        if (depth == 0)
            return (struct top){0, 0, 0};
        return (struct top){lane->stack_flags[depth - 1], lane->stack_use[depth - 1], TF_ALL_LANES};
    }
    struct top top = {0, 0, 0};
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++) {
        uint32_t lanes = TF_COLUMN_LANES << column;
        unsigned depth = lane->depth[column];
        if (depth == 0)
            continue;
        top.flags |= lane->stack_flags[depth - 1] & lanes;
        top.use |= lane->stack_use[depth - 1] & lanes;
        top.present |= lanes;
    }
    return top;
}

static void merge(uint32_t *value, uint32_t with, uint32_t lanes)
{
    *value = (*value & ~lanes) | (with & lanes);
}

/* Replace the tops of the stacks of `lanes`. No stack is empty. */
static void set_top(struct tf_lane_flags *lane, uint32_t lanes, uint32_t flags, uint32_t use)
{
    if (is_even(lane)) {
        merge(&lane->stack_flags[lane->depth[0] - 1], flags, lanes);
        merge(&lane->stack_use[lane->depth[0] - 1], use, lanes);
        return;
    }
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++) {
        uint32_t part = lanes & TF_COLUMN_LANES << column;
        if (part == 0)
            continue;
        merge(&lane->stack_flags[lane->depth[column] - 1], flags, part);
        merge(&lane->stack_use[lane->depth[column] - 1], use, part);
    }
}

/* Only whole columns act, since they alone have LaneConfig and LoadMacroConfig. */
static void deepen(struct tf_vector *vector, int by)
{
    if (vector->acting == TF_ALL_LANES && is_even(&vector->lane)) {
        uint64_t depths = (uint64_t)(vector->lane.depth[0] + by) * ALL_DEPTHS;
        memcpy(vector->lane.depth, &depths, sizeof depths);
        return;
    }
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++)
        if (vector->acting >> column & 1)
            vector->lane.depth[column] = (uint8_t)(vector->lane.depth[column] + by);
}

/* BooleanOp of SFPPUSHC.md, Mod1 1..12. */
static uint32_t boolean(unsigned mod1, uint32_t a, uint32_t b)
{
    switch (mod1) {
    case 1: return b;
    case 2: return ~b;
    case 3: return a & b;
    case 4: return a | b;
    case 5: return a & ~b;
    case 6: return a | ~b;
    case 7: return ~a & b;
    case 8: return ~a | b;
    case 9: return ~a & ~b;
    case 10: return ~a | ~b;
    case 11: return a ^ b;
    default: return ~(a ^ b);
    }
}

void tf_kernel_SFPENCC(struct tf_vector *vector, uint32_t word, unsigned vd, unsigned vb, unsigned vc)
{
    UNUSED_REGISTERS;
    struct tf_lane_flags *lane = &vector->lane;
    uint32_t immediate = word >> 12;
    if (word & 2)
        merge(&lane->use, immediate & 1 ? TF_ALL_LANES : 0, vector->acting);
    else if (word & 1)
        lane->use ^= vector->acting;
    merge(&lane->flags, !(word & 8) || (immediate & 2) ? TF_ALL_LANES : 0, vector->acting);
}

void tf_kernel_SFPPUSHC(struct tf_vector *vector, uint32_t word, unsigned vd, unsigned vb, unsigned vc)
{
    UNUSED_REGISTERS;
    struct tf_lane_flags *lane = &vector->lane;
    unsigned mod1 = word & 15;
    if (mod1 == 0) {
        deepen(vector, 1);
        set_top(lane, vector->acting, lane->flags, lane->use);
        return;
    }
    struct top top = top_of(lane);
    if (mod1 == 13)
        lane->flags ^= vector->acting;
    if (mod1 >= 14)
        set_top(lane, vector->acting, mod1 == 14 ? TF_ALL_LANES : 0, TF_ALL_LANES);
    else
        set_top(lane, vector->acting, mod1 == 13 ? lane->flags : boolean(mod1, top.flags, lane->flags), lane->use);
}

void tf_kernel_SFPPOPC(struct tf_vector *vector, uint32_t word, unsigned vd, unsigned vb, unsigned vc)
{
    UNUSED_REGISTERS;
    struct tf_lane_flags *lane = &vector->lane;
    unsigned mod1 = word & 15;
    struct top top = top_of(lane);
    if (mod1 == 0) {
        deepen(vector, -1);
        merge(&lane->use, top.use, vector->acting);
        merge(&lane->flags, top.flags, vector->acting);
    } else if (mod1 <= 12) {
        merge(&lane->use, top.use, vector->acting);
        merge(&lane->flags, boolean(mod1, lane->flags, top.flags), vector->acting);
    } else if (mod1 == 13) {
        lane->flags ^= vector->acting;
    } else {
        lane->use |= vector->acting;
        merge(&lane->flags, mod1 == 14 ? TF_ALL_LANES : 0, vector->acting);
    }
}

/* WormholeB0 SFPPOPC.md, "hardware bug": if the stack is full, every form but a pop without changes also puts the top
   at the bottom. */
void tf_kernel_SFPPOPC_wormhole(struct tf_vector *vector, uint32_t word, unsigned vd, unsigned vb, unsigned vc)
{
    struct tf_lane_flags *lane = &vector->lane;
    for (unsigned column = 0; column < TF_LANE_COLUMNS && (word & 15) != 0; column++) {
        uint32_t lanes = vector->acting & TF_COLUMN_LANES << column;
        if (lane->depth[column] != TF_FLAG_STACK)
            continue;
        merge(&lane->stack_flags[0], lane->stack_flags[TF_FLAG_STACK - 1], lanes);
        merge(&lane->stack_use[0], lane->stack_use[TF_FLAG_STACK - 1], lanes);
    }
    tf_kernel_SFPPOPC(vector, word, vd, vb, vc);
}

void tf_kernel_SFPCOMPC(struct tf_vector *vector, uint32_t word, unsigned vd, unsigned vb, unsigned vc)
{
    (void)word;
    UNUSED_REGISTERS;
    struct tf_lane_flags *lane = &vector->lane;
    struct top top = top_of(lane);
    uint32_t use = (top.use | ~top.present) & lane->use;
    merge(&lane->flags, use & (top.flags | ~top.present) & ~lane->flags, vector->acting);
}

void tf_flags_mutate_top(struct tf_vector *vector, uint32_t condition, bool with_or)
{
    struct tf_lane_flags *lane = &vector->lane;
    struct top top = top_of(lane);
    uint32_t lanes = top.present & vector->acting;
    if (lanes != 0)
        set_top(lane, lanes, with_or ? top.flags | condition : top.flags & condition, top.use);
}

static bool any_depth(const struct tf_vector *vector, unsigned depth)
{
    if (is_even(&vector->lane))
        return vector->lane.depth[0] == depth && vector->acting != 0;
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++)
        if ((vector->acting >> column & 1) != 0 && vector->lane.depth[column] == depth)
            return true;
    return false;
}

bool tf_flags_any_full(const struct tf_vector *vector)
{
    return any_depth(vector, TF_FLAG_STACK);
}

bool tf_flags_any_empty(const struct tf_vector *vector)
{
    return any_depth(vector, 0);
}

void tf_kernel_SFPNOP(struct tf_vector *vector, uint32_t word, unsigned vd, unsigned vb, unsigned vc)
{
    (void)vector, (void)word;
    UNUSED_REGISTERS;
}

/* Columns whose first row is enabled by lane flags. ROW_MASK has no effect (SFPCONFIG.md). */
static uint32_t configured_columns(const struct tf_vector *vector)
{
    return tf_lanes_flagged(vector) & 0xFF;
}

static uint32_t combine(unsigned mod1, uint32_t old, uint32_t value)
{
    switch (mod1 & 6) {
    case 2: return old | value;
    case 4: return old & value;
    case 6: return old ^ value;
    default: return value;
    }
}

/* LReg[11] to LReg[14] after reset, and after SFPCONFIG without a value from LReg[0]. */
static const uint32_t constants[] = {
    0xBF800000, /* -1 */
    0x37800000, /* 1 / 65536 */
    0xBF2CC4C7, /* -0.67487759 */
    0xBEB08FF9, /* -0.34484843 */
};

static void configure(struct tf_vector *vector, unsigned column, unsigned vd, unsigned mod1, uint32_t immediate)
{
    bool is_value = mod1 & 1;
    uint32_t value = is_value ? immediate : vector->lreg[0][column];
    struct tf_macro_config *macro = &vector->macro[column];
    uint32_t *config = &vector->lane_config[column];
    switch (vd) {
    case 0:
    case 1:
    case 2:
    case 3: macro->template[vd] = vector->lreg[0][column]; break;
    case 4:
    case 5:
    case 6:
    case 7: macro->sequence[vd - 4] = value; break;
    case 8: macro->misc = combine(mod1, macro->misc, value) & 0xFFF; break;
    case 11:
    case 12:
    case 13:
    case 14:
        for (unsigned lane = column; lane < TF_LANES; lane += TF_LANE_COLUMNS)
            vector->lreg[vd][lane] = is_value ? constants[vd - 11] : vector->lreg[0][column];
        break;
    case 15:
        value = combine(mod1, *config, value);
        *config = (is_value ? value | (*config & ~0xFFFFu) : value) & TF_LANE_CONFIG_BITS;
        break;
    default: break;
    }
}

static void compare_macros(struct tf_vector *vector)
{
    vector->macros_differ = false;
    for (unsigned column = 1; column < TF_LANE_COLUMNS; column++)
        vector->macros_differ |= memcmp(&vector->macro[column], &vector->macro[0], sizeof vector->macro[0]) != 0;
}

static uint32_t lanes_with(const struct tf_vector *vector, uint32_t bit)
{
    uint32_t columns = 0;
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++)
        columns |= (uint32_t)((vector->lane_config[column] & bit) != 0) << column;
    return tf_column_lanes(columns);
}

/* Make vector->mask from vector->lane_config. */
static void spread_config(struct tf_vector *vector)
{
    vector->mask = (struct tf_lane_masks){
        .fp16_infinity = lanes_with(vector, TF_LANE_ENABLE_FP16A_INF),
        .no_backdoor = lanes_with(vector, TF_LANE_DISABLE_BACKDOOR_LOAD),
        .dest_index = lanes_with(vector, TF_LANE_ENABLE_DEST_INDEX),
        .capture_index = lanes_with(vector, TF_LANE_CAPTURE_DEFAULT_DEST_INDEX),
        .no_store = lanes_with(vector, TF_LANE_BLOCK_DEST_WR_FROM_SFPU),
        .no_load = lanes_with(vector, TF_LANE_BLOCK_SFPU_RD_FROM_DEST),
        .load_odd = lanes_with(vector, TF_LANE_DEST_RD_COL_EXCHANGE),
        .store_odd = lanes_with(vector, TF_LANE_DEST_WR_COL_EXCHANGE),
        .exchange = lanes_with(vector, TF_LANE_EXCHANGE_SRCB_SRCC),
    };
    for (unsigned row = 0; row < 4; row++)
        vector->mask.rows |= ~lanes_with(vector, (uint32_t)TF_LANE_ROW_MASK << row) & 0xFFu << row * 8;
}

void tf_kernel_SFPCONFIG(struct tf_vector *vector, uint32_t word, unsigned vd, unsigned vb, unsigned vc)
{
    (void)vb, (void)vc;
    uint32_t immediate = word >> 8 & 0xFFFF;
    uint32_t columns = configured_columns(vector);
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++) {
        if ((columns >> column & 1) == 0 || ((word & 8) && (immediate >> column * 2 & 1) == 0))
            continue;
        configure(vector, column, vd, word & 7, immediate);
    }
    if (vd == 15)
        spread_config(vector);
    if (vd <= 8)
        compare_macros(vector);
}

/* The page does not mention lane flags here. This rule is that of SFPCONFIG. */
void tf_sfpu_backdoor(struct tf_vector *vector, unsigned index, uint32_t word)
{
    uint32_t columns = configured_columns(vector) & ~vector->mask.no_backdoor;
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++)
        if (columns >> column & 1)
            vector->macro[column].template[index] = word;
    compare_macros(vector);
}

/* LReg.md; SoftReset.md, "Vector Unit (SFPU) soft reset". */
void tf_vector_reset(struct tf_vector *vector)
{
    memset(vector->lreg, 0, sizeof vector->lreg);
    memset(vector->prng, 0, sizeof vector->prng);
    memset(&vector->lane, 0, sizeof vector->lane);
    memset(vector->lane_config, 0, sizeof vector->lane_config);
    memset(vector->macro, 0, sizeof vector->macro);
    memset(vector->rotated, 0, sizeof vector->rotated);
    vector->macros_differ = false;
    vector->acting = TF_ALL_LANES;
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        vector->lreg[8][lane] = 0x3F56594B; /* 0.8373 */
        vector->lreg[10][lane] = 0x3F800000;
        for (unsigned i = 0; i < 4; i++)
            vector->lreg[11 + i][lane] = constants[i];
        vector->lreg[15][lane] = lane * 2;
    }
    spread_config(vector);
}
