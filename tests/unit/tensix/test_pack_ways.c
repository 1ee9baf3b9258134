/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All paths through the packer, with random ReLU, edge masks, exponent thresholds and sums in L1. In each set of
 * kernels, rows give what their data give one by one.
 */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/pack/format.h"
#include "tile/tensix/pack/plan.h"
#include "tile/tensix/pack/state.h"
#include "tile/tensix/pack/stream.h"
#include "unit/tensix/pack.h"
#include "unit/tensix/pack_choose.h"

enum { LAST = 1, PACRS = 4 };

#define OUT_BYTES 0x800u

static void fill_dst(struct bare *bare)
{
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    assert_non_null(dst);
    unsigned kind = bare_random() % 3, center = bare_random() % 256, spread = 1 + bare_random() % 40;
    for (unsigned i = 0; i < 32 * 16; i++) {
        uint32_t random = bare_random();
        uint16_t value = (uint16_t)random;
        if (kind != 0) /* exponents are low bits, of a high half too */
            value = (uint16_t)((value & 0xFF00) | ((center + (random >> 16 & 0xFF) % spread) & 0xFF));
        if (kind == 2 && random >> 29 == 0)
            value = (uint16_t)(random >> 28 & 1 ? value | 0x7FFF : value & 0x8000);
        dst->bits[i / 16][i % 16] = value;
    }
    tf_dst_undefine(dst, bare_random() % 32);
    tf_dst_define(dst, bare_random() % 32);
}

static struct tf_pack_modes modes_of(uint32_t way)
{
    return (struct tf_pack_modes){
        .intermediate = way & 15,
        .late_from = way >> 4 & 15,
        .late_to = way >> 8 & 15,
        .wide = way >> 12 & 1,
        .raw = way >> 13 & 1,
        .is_unsigned = way >> 14 & 1,
        .round_10b = way >> 15 & 1,
        .exponent_4b = way >> 16 & 1,
    };
}

static void configure(struct bare *bare, const struct tf_pack_modes *modes)
{
    set_formats(bare, modes->wide, modes->late_from, modes->late_to);
    SET(bare, ALU_FORMAT_SPEC_REG2_Dstacc, modes->intermediate);
    SET(bare, PCK_DEST_RD_CTRL_Read_int8, modes->raw);
    SET(bare, PCK_DEST_RD_CTRL_Read_unsigned, modes->is_unsigned);
    SET(bare, PCK_DEST_RD_CTRL_Round_10b_mant, modes->round_10b);
    SET(bare, THCON_SEC0_REG1_Pac_LF8_4b_exp, modes->exponent_4b);
    SET(bare, THCON_SEC0_REG1_Exp_section_size, 3);
    SET(bare, STACC_RELU_ApplyRelu, modes->relu);
    SET(bare, STACC_RELU_ReluThreshold, modes->relu_threshold);
    SET(bare, INT_DESCALE_Enable, modes->descale_shift != 0);
    SET(bare, INT_DESCALE_VALUES_SEC0_Value, modes->descale_shift);
    SET(bare, THCON_SEC0_REG1_Exp_threshold_en, modes->exponent_threshold_on);
    SET(bare, THCON_SEC0_REG1_Exp_threshold, modes->exponent_threshold);
    bare->tile.tensix->config->thread[0][37] = 4; /* YsrcIncr */
}

struct edges {
    uint32_t mapping, mask[4], mode;
};

static void set_edges(struct bare *bare, const struct edges *edges)
{
    SET(bare, PCK_EDGE_MODE_mode, edges->mode);
    *word_of(bare, TF_CFG_TILE_ROW_SET_MAPPING_0_row_set_mapping_0) = edges->mapping;
    SET(bare, PCK_EDGE_OFFSET_SEC0_mask, edges->mask[0]);
    SET(bare, PCK_EDGE_OFFSET_SEC1_mask, edges->mask[1]);
    SET(bare, PCK_EDGE_OFFSET_SEC2_mask, edges->mask[2]);
    SET(bare, PCK_EDGE_OFFSET_SEC3_mask, edges->mask[3]);
}

/* The old content of L1: bf16 that are all ordinary numbers, or any bits. */
static void fill_l1(uint16_t before[OUT_BYTES / 2])
{
    bool ordinary = bare_random() % 4 != 0;
    for (unsigned i = 0; i < OUT_BYTES / 2; i++) {
        before[i] = (uint16_t)bare_random();
        if (ordinary && (before[i] & 0x7F80) == 0x7F80)
            before[i] ^= 0x4000;
    }
}

/* before: the addend in L1, or NULL. */
static void compare_choices(struct bare *bare, uint32_t way, const struct tf_pack_modes *modes,
                            const struct edges *edges, const uint16_t *before)
{
    static uint8_t expected[OUT_BYTES];
    uint8_t exponents[TF_PACKERS] = {0};
    struct tf_packer *packer = bare->tile.tensix->packer;
    for (unsigned choice = PACK_BY_DATUM; choice < PACK_CHOICES; choice++) {
        if (!pack_choose(&bare->tile, choice))
            continue;
        configure(bare, modes);
        set_edges(bare, edges);
        SET(bare, THCON_SEC0_REG1_Pack_L1_Acc, before != NULL);
        if (before != NULL)
            memcpy(&bare->tile.l1[OUT], before, OUT_BYTES);
        for (unsigned i = 0; i < TF_PACKERS; i++)
            packer[i].max_exponent = 0;
        for (unsigned i = 0; i < PACRS; i++)
            pacr(bare, PACR(read_intf_sel, i == 1 ? 3 : 0) | (i == PACRS - 1 ? LAST : 0));
        for (unsigned i = 0; i < TF_PACKERS; i++) {
            exponents[i] = choice == PACK_BY_DATUM ? packer[i].max_exponent : exponents[i];
            assert_int_equal(packer[i].max_exponent, exponents[i]);
        }
        if (choice == PACK_BY_DATUM)
            memcpy(expected, &bare->tile.l1[OUT], sizeof expected);
        if (memcmp(expected, &bare->tile.l1[OUT], sizeof expected) != 0)
            fail_msg("way 0x%05x, relu %u, edges %u, sums %u: %s differs", way, modes->relu, edges->mask[0] != 0xFFFF,
                     before != NULL, bare->tile.tensix->pack->kernels->name);
    }
}

/* Out_data_format has a Pack_L1_Acc. */
static bool can_add(unsigned format)
{
    return format == TF_FORMAT_FP32 || format == TF_FORMAT_FP16 || format == TF_FORMAT_BF16 ||
           format == TF_FORMAT_INT32;
}

static void try_way(struct bare *bare, uint32_t way, struct tf_pack_modes modes)
{
    struct tf_pack_format format;
    modes.relu = bare_random() & 3;
    modes.relu_threshold = bare_random() & 0x7FFF;
    if (tf_pack_format(&modes, &format) != NULL)
        modes.relu &= 1;
    modes.descale_shift = modes.wide && bare_random() % 2 ? bare_random() & 31 : 0;
    modes.exponent_threshold_on = bare_random() % 4 == 0;
    modes.exponent_threshold = (uint8_t)bare_random();
    struct edges edges = {0, {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF}, 0};
    if (bare_random() % 2) {
        edges.mapping = bare_random();
        for (unsigned i = 0; i < 4; i++)
            edges.mask[i] = bare_random() & 0xFFFF;
        edges.mode = format.kind < TF_PACK_INT32 && bare_random() % 2;
    }
    uint16_t before[OUT_BYTES / 2];
    bool adds = can_add(modes.late_to) && bare_random() % 2;
    if (adds)
        fill_l1(before);
    compare_choices(bare, way, &modes, &edges, adds ? before : NULL);
}

static void test_all_ways(void **state)
{
    struct bare *bare = *state;
    unsigned ways = 0;
    bare_seed();
    for (uint32_t way = 0; way < 1u << 17; way++) {
        struct tf_pack_modes modes = modes_of(way);
        struct tf_pack_format format;
        if (tf_format_info[modes.late_to].bits == 0 || tf_pack_format(&modes, &format) != NULL)
            continue;
        if (ways++ % 8 == 0)
            fill_dst(bare);
        for (unsigned i = format.kind >= TF_PACK_INT32 ? 8 : 1; i > 0; i--)
            try_way(bare, way, modes);
    }
    assert_true(ways > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_ways, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
