/* SPDX-License-Identifier: Apache-2.0 */
/* The packer's stages, one by one: PACR.md of BlackholeA0, Packers/ of WormholeB0. */
#include <pthread.h>

#include "tile/tensix/frontend/dispatch.h"
#include "host/line.h"
#include "tile/accumulate.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/tdma.h"
#include "tile/tensix/pack/state.h"
#include "unit/tensix/pack.h"
#include "unit/tensix/reported.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

enum { LAST = 1, FLUSH = 2, ONE = 1 << 8, ZERO_WRITE = 1 << 12 };

static void number_rows(struct bare *bare)
{
    for (unsigned row = 0; row < 64; row++)
        for (unsigned column = 0; column < 16; column++)
            put_bf16(bare, row, column, (uint16_t)(0x4000 + row * 16 + column));
}

static void assert_rows(struct bare *bare, uint32_t address, const int *rows)
{
    for (unsigned i = 0; rows[i] >= 0; i++)
        for (unsigned column = 0; column < 16; column++)
            assert_int_equal(half_at(bare, address + (i * 16 + column) * 2), 0x4000 + rows[i] * 16 + column);
}

static void test_read_interfaces(void **state)
{
    struct bare *bare = *state;
    static const struct {
        unsigned y, mask;
        int rows[5];
    } cases[] = {
        {0, 0x0, {0, 1, 2, 3, -1}}, {4, 0xF, {4, 5, 6, 7, -1}}, {8, 0x7, {8, 9, 10, -1}}, {3, 0x1, {3, -1}},
        {2, 0x3, {2, 3, -1}},       {1, 0x5, {1, 3, -1}},       {4, 0xA, {5, 7, -1}},     {4, 0xC, {6, 7, -1}},
    };
    number_rows(bare);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_formats(bare, false, 5, 5);
        number_rows(bare);
        bare->tile.tensix->adcs->of[0][TF_ADC_PACKERS].channel[0].value[TF_ADC_Y] = cases[i].y;
        struct reported reported = reported_none(), expected = reported;
        bare->tile.check = &reported.check;
        pacr(bare, PACR(read_intf_sel, cases[i].mask) | LAST);
        bare->tile.check = NULL;
        assert_rows(bare, OUT, cases[i].rows);
        unsigned count = 0;
        for (; cases[i].rows[count] >= 0; count++)
            expected.row[TF_CHECK_DST][TF_CHECK_READS][cases[i].rows[count]] = true;
        assert_memory_equal(reported.row, expected.row, sizeof expected.row);
        assert_int_equal(bare->tile.l1[OUT + count * 32], 0xCC);
    }
    bare->tile.tensix->adcs->of[0][TF_ADC_PACKERS].channel[0].value[TF_ADC_Y] = 2;
    pacr_faults(bare, PACR(read_intf_sel, 7), TF_FAULT_UNDEFINED);
}

static void test_last_interfaces_of_a_plane(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    number_rows(bare);
    SET(bare, THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel, 1);
    SET(bare, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 6);
    bare->tile.tensix->config->thread[0][37] = 4; /* YsrcIncr */
    pacr(bare, 0);
    pacr(bare, LAST);
    static const int rows[] = {0, 1, 2, 3, 4, 5, -1};
    assert_rows(bare, OUT, rows);
    assert_int_equal(bare->tile.l1[OUT + 6 * 32], 0xCC);
}

static void test_strided(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    pacr_faults(bare, PACR(dst_access_mode, 1), TF_FAULT_UNPREDICTABLE);
    SET(bare, DEST_ACCESS_CFG_remap_addrs, 1);
    SET(bare, DEST_ACCESS_CFG_swizzle_32b, 1);
    number_rows(bare);
    bare->tile.tensix->adcs->of[0][TF_ADC_PACKERS].channel[0].value[TF_ADC_Y] = 7;
    pacr(bare, PACR(dst_access_mode, 1) | PACR(read_intf_sel, 3) | LAST);
    static const int rows[] = {7, 23, -1};
    assert_rows(bare, OUT, rows);
}

static void test_x_range(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    number_rows(bare);
    SET(bare, PCK0_ADDR_CTRL_XY_REG_0_Xstride, 2);
    x_range(bare, 3, 6);
    pacr(bare, PACR(read_intf_sel, 3) | LAST);
    static const unsigned expected[8] = {0x4003, 0x4004, 0x4005, 0x4006, 0x4013, 0x4014, 0x4015, 0x4016};
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(half_at(bare, OUT + i * 2), expected[i]);
    x_range(bare, 9, 18);
    pacr_faults(bare, LAST, TF_FAULT_UNDEFINED);
    x_range(bare, 9, 3);
    pacr_faults(bare, LAST, TF_FAULT_UNDEFINED);
}

/* Lines that are not full wait; Last and Flush pad them with zeros. */
static void test_whole_lines(void **state)
{
    struct bare *bare = *state;
    for (unsigned end = 0; end < 2; end++) {
        set_formats(bare, false, 5, 5);
        number_rows(bare);
        x_range(bare, 0, 4);
        uint64_t before = bare_hash(bare);
        pacr(bare, ONE);
        assert_int_equal(bare->tile.l1[OUT], 0xCC);
        assert_int_not_equal(bare_hash(bare), before);
        pacr(bare, ONE);
        assert_int_equal(half_at(bare, OUT), 0x4000);
        assert_int_equal(half_at(bare, OUT + 14), 0x4002);
        assert_int_equal(bare->tile.l1[OUT + 16], 0xCC);
        if (end == 0)
            pacr(bare, FLUSH);
        else
            pacr(bare, LAST | ONE);
        assert_int_equal(half_at(bare, OUT + 18), 0x4004);
        assert_int_equal(half_at(bare, OUT + 28), end == 0 ? 0 : 0x4004);
        assert_int_equal(half_at(bare, OUT + 30), 0); /* 15 data are 30 bytes */
        assert_int_equal(bare->tile.l1[OUT + 32], 0xCC);
        /* The next instruction computes its address anew. */
        SET(bare, THCON_SEC0_REG1_L1_Dest_addr, OUT_LINE + 8);
        pacr(bare, LAST | ONE);
        assert_int_equal(half_at(bare, OUT + 128), 0x4000);
    }
}

static void test_output_address(void **state)
{
    struct bare *bare = *state;
    struct tf_tensix *tensix = bare->tile.tensix;
    static const struct {
        uint32_t field, value, address;
    } cases[] = {
        {TF_CFG_THCON_SEC0_REG1_Sub_l1_tile_header_size, 0, OUT + 16},
        {TF_CFG_PCK0_ADDR_CTRL_XY_REG_1_Ystride, 32, OUT + 96},
        {TF_CFG_PCK0_ADDR_CTRL_ZW_REG_1_Zstride, 48, OUT + 96},
        {TF_CFG_PCK0_ADDR_CTRL_ZW_REG_1_Wstride, 16, OUT + 64},
        {TF_CFG_PCK0_ADDR_BASE_REG_1_Base, 0x50, OUT + 0x50},
        {TF_CFG_THCON_SEC0_REG1_Add_l1_dest_addr_offset, 1, OUT + 0x70},
        {TF_CFG_THCON_SEC0_REG1_L1_Dest_addr, 0x80000000u | (OUT_LINE + 2), OUT + 32},
        {TF_CFG_THCON_SEC0_REG9_Pack_0_2_fifo_size, 0x20, OUT - 0x400},
        {TF_CFG_THCON_SEC0_REG1_Exp_section_size, 4, OUT}, /* there is none */
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_formats(bare, false, 5, 5);
        number_rows(bare);
        struct tf_adc_channel *channel = &tensix->adcs->of[0][TF_ADC_PACKERS].channel[1];
        channel->value[TF_ADC_Y] = 3, channel->value[TF_ADC_Z] = 2, channel->value[TF_ADC_W] = 4;
        tensix->packer[0].l1_dest_offset = 7;
        set_field(bare, cases[i].field, cases[i].value);
        memset(&bare->tile.l1[cases[i].address], 0xCC, 32);
        pacr(bare, ONE | LAST);
        assert_int_equal(half_at(bare, cases[i].address), 0x4000);
        assert_int_equal(half_at(bare, cases[i].address + 30), 0x400F);
    }
    set_formats(bare, false, 5, 5);
    SET(bare, THCON_SEC0_REG9_Pack_0_2_limit_address, OUT_LINE / 2);
    SET(bare, THCON_SEC0_REG9_Pack_0_2_fifo_size, 0x20);
    pacr(bare, ONE | LAST);
    assert_int_equal(half_at(bare, OUT), 0x4000);
    SET(bare, THCON_SEC0_REG1_L1_Dest_addr, TF_L1_BYTES / 16 - 1);
    SET(bare, THCON_SEC0_REG9_Pack_0_2_fifo_size, 0);
    pacr_faults(bare, ONE | LAST, TF_FAULT_UNDEFINED);
}

/* A tile that gets shared exponents midway. Their section then begins where the configuration says. */
static void test_exponents_from_the_middle(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    number_rows(bare);
    pacr(bare, ONE);
    SET(bare, THCON_SEC0_REG1_Out_data_format, 6);
    SET(bare, THCON_SEC0_REG1_L1_Dest_addr, OUT_LINE + 8);
    pacr(bare, ONE | LAST);
    assert_int_equal(half_at(bare, OUT), 0x4000);
    assert_int_not_equal(bare->tile.l1[OUT + 32], 0xCC); /* data go on */
    assert_int_equal(bare->tile.l1[OUT + 128], 0x80);
}

static void test_counters(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    struct tf_adc_channel *channel = bare->tile.tensix->adcs->of[0][TF_ADC_PACKERS].channel;
    /* YsrcIncr 3, YdstIncr 5, ZsrcIncr, ZdstIncr; both CR; both Clear and ZsrcClear. */
    bare->tile.tensix->config->thread[0][37] = 3 | 5 << 6 | 1 << 12 | 1 << 14;
    bare->tile.tensix->config->thread[0][38] = 2 | 1 << 4 | 4 << 6 | 1 << 10;
    bare->tile.tensix->config->thread[0][39] = 1 << 5 | 1 << 11 | 1 << 13;
    pacr(bare, FLUSH);
    assert_int_equal(channel[0].value[TF_ADC_Y], 3);
    assert_int_equal(channel[1].value[TF_ADC_Y], 5);
    assert_int_equal(channel[0].value[TF_ADC_Z], 1);
    assert_int_equal(channel[1].value[TF_ADC_Z], 1);
    pacr(bare, FLUSH | PACR(addr_mode, 1));
    assert_int_equal(channel[0].value[TF_ADC_Y], 2);
    assert_int_equal(channel[1].value[TF_ADC_Y], 4);
    assert_int_equal(channel[1].cr[TF_ADC_Y], 4);
    pacr(bare, FLUSH | PACR(addr_mode, 2));
    assert_int_equal(channel[0].value[TF_ADC_Y] | channel[0].cr[TF_ADC_Y] | channel[1].value[TF_ADC_Y], 0);
    assert_int_equal(channel[0].value[TF_ADC_Z], 0);
    assert_int_equal(channel[1].value[TF_ADC_Z], 1);
    /* OvrdThreadId takes the instruction's context; 3 is 0. */
    pacr(bare, FLUSH | PACR(ovrd_thread_id, 1) | PACR(addr_cnt_context, 2));
    assert_int_equal(bare->tile.tensix->adcs->of[2][TF_ADC_PACKERS].channel[0].value[TF_ADC_Y], 3);
    pacr(bare, FLUSH | PACR(ovrd_thread_id, 1) | PACR(addr_cnt_context, 3));
    assert_int_equal(channel[0].value[TF_ADC_Y], 3);
}

static void test_edge_masks(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    number_rows(bare);
    SET(bare, PCK_EDGE_OFFSET_SEC0_mask, 0x00FF);
    SET(bare, PCK_EDGE_OFFSET_SEC2_mask, 0x0001);
    SET(bare, TILE_ROW_SET_MAPPING_1_row_set_mapping_0, 3);
    SET(bare, TILE_ROW_SET_MAPPING_1_row_set_mapping_1, 2);
    SET(bare, PCK_EDGE_TILE_ROW_SET_SELECT_select, 1);
    pacr(bare, PACR(read_intf_sel, 7) | LAST);
    static const unsigned kept[3] = {16, 1, 8};
    for (unsigned i = 0; i < 48; i++)
        assert_int_equal(half_at(bare, OUT + i * 2), i % 16 < kept[i / 16] ? 0x4000 + i : 0);
    SET(bare, PCK_EDGE_MODE_mode, 1);
    pacr(bare, PACR(read_intf_sel, 7) | LAST);
    assert_int_equal(half_at(bare, OUT + 17 * 2), 0xFF80);
    /* ReLU comes afterwards. */
    SET(bare, STACC_RELU_ApplyRelu, 1);
    pacr(bare, PACR(read_intf_sel, 7) | LAST);
    assert_int_equal(half_at(bare, OUT + 17 * 2), 0);
    /* Integers of 16 and 8 bits have no minus infinity; 32 bits may be a float. */
    static const unsigned integers[] = {TF_FORMAT_INT32, TF_FORMAT_INT16, TF_FORMAT_INT8};
    for (unsigned i = 0; i < sizeof integers / sizeof integers[0]; i++) {
        set_formats(bare, true, integers[i], integers[i]);
        SET(bare, PCK_EDGE_MODE_mode, 1);
        SET(bare, PCK_EDGE_OFFSET_SEC0_mask, 0x00FF);
        if (i == 0)
            pacr(bare, LAST | ONE);
        else
            pacr_faults(bare, LAST | ONE, TF_FAULT_UNPREDICTABLE);
    }
}

/* The position advances by interfaces, restarts where it equals the plane's size, and may step over that. */
static void test_tile_position(void **state)
{
    struct bare *bare = *state;
    const struct tf_pack *pack = bare->tile.tensix->pack;
    set_formats(bare, false, 5, 5);
    SET(bare, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 6);
    x_range(bare, 0, 7);
    pacr(bare, PACR(read_intf_sel, 3));
    assert_int_equal(pack->tile_y, 2);
    pacr(bare, 0);
    assert_int_equal(pack->tile_y, 0);
    assert_int_equal(pack->tile_z, 1);
    pacr(bare, 0);
    pacr(bare, 0);
    assert_int_equal(pack->tile_y, 8);
    SET(bare, PACK_COUNTERS_SEC0_pack_yz_transposed, 1);
    pacr(bare, 0);
    assert_int_equal(pack->tile_z, 5);
    pacr(bare, ONE);
    assert_int_equal(pack->tile_z, 0);
    assert_int_equal(pack->tile_y, 9);
    pacr(bare, ZERO_WRITE);
    assert_int_equal(pack->tile_y, 9);
    pacr(bare, LAST);
    assert_int_equal(pack->tile_y | pack->tile_z, 0);
}

static void test_face_sets(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    number_rows(bare);
    SET(bare, PCK_EDGE_TILE_FACE_SET_SELECT_enable, 1);
    SET(bare, PCK_EDGE_TILE_FACE_SET_SELECT_select, 2);
    SET(bare, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1);
    SET(bare, DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset, 4);
    SET(bare, TILE_FACE_SET_MAPPING_2_face_set_mapping_5, 3); /* of the second row's plane */
    SET(bare, TILE_ROW_SET_MAPPING_3_row_set_mapping_0, 1);
    SET(bare, PCK_EDGE_OFFSET_SEC1_mask, 0);
    pacr(bare, ONE);
    pacr(bare, ONE | LAST);
    assert_int_equal(half_at(bare, OUT + 30), 0x400F);
    assert_int_equal(half_at(bare, OUT + 32), 0);
}

enum { REDUCE_ROW, REDUCE_COLUMN, REDUCE_SCALAR };

/* Masks, row sets and face sets as tt-llk's _llk_pack_reduce_mask_config_() has them (word 36 and others). */
static void configure_reduce(struct bare *bare, unsigned dimension, bool is_max, unsigned face_rows, uint32_t face_sets)
{
    set_formats(bare, false, 5, 5);
    SET(bare, PCK_EDGE_OFFSET_SEC0_mask, 0);
    SET(bare, PCK_EDGE_OFFSET_SEC1_mask, dimension == REDUCE_COLUMN ? 0xFFFF : 1);
    *word_of(bare, TF_CFG_TILE_ROW_SET_MAPPING_1_row_set_mapping_0) = dimension == REDUCE_ROW ? 0x55555555 : 1;
    *word_of(bare, TF_CFG_TILE_FACE_SET_MAPPING_0_face_set_mapping_0) = face_sets;
    SET(bare, PCK_EDGE_TILE_FACE_SET_SELECT_enable, 1);
    SET(bare, PCK_EDGE_MODE_mode, is_max);
    SET(bare, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, face_rows);
    SET(bare, PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 16 * 16 * 2);
    uint16_t *modes = &bare->tile.tensix->config->thread[0][37];
    modes[0] = 4 | 4 << 6;
    modes[1] = 1 << 5 | 1 << 11 | 1 << 13;
    modes[2] = 1 << 5 | 4 << 6 | 1 << 12;
}

/* Pack a tile as tt-llk's packer does: four rows together, face by face. */
static void pack_tile(struct bare *bare, unsigned faces, unsigned face_rows)
{
    for (unsigned face = 0; face < faces; face++)
        for (unsigned row = 0; row < face_rows; row += 4) {
            bool face_ends = row + 4 == face_rows, ends = face_ends && face + 1 == faces;
            pacr(bare, PACR(read_intf_sel, 0xF) | PACR(addr_mode, ends ? 1 : face_ends ? 2 : 0) | (ends ? LAST : 0));
        }
}

/* Where tt-llk's ReduceGolden has a result: column 0 of a row of faces, row 0 of a column of faces, or datum 0. */
static bool holds_result(unsigned dimension, unsigned face_row, unsigned face_column, unsigned row, unsigned column)
{
    bool first_column = face_column == 0 && column == 0, first_row = face_row == 0 && row == 0;
    return dimension == REDUCE_ROW ? first_column : dimension == REDUCE_COLUMN ? first_row : first_column && first_row;
}

/* The results of a reduction stay. The rest of the tile becomes zero, or minus infinity for maxima. */
static void test_reduce_masks(void **state)
{
    static const struct {
        uint8_t rows, columns, face_rows; /* of faces; of each */
        uint32_t face_sets[3];
    } shapes[] = {
        {2, 2, 16, {0x11111111, 0x05050505, 0x01010101}}, {1, 1, 16, {0x55555555, 0x55555555, 0x55555555}},
        {1, 2, 16, {0x11111111, 0x55555555, 0x11111111}}, {2, 1, 16, {0x55555555, 0x11111111, 0x11111111}},
        {1, 2, 8, {0x11111111, 0x55555555, 0x11111111}},  {2, 2, 4, {0x11111111, 0x05050505, 0x01010101}},
    };
    struct bare *bare = *state;
    for (unsigned i = 0; i < 6 * sizeof shapes / sizeof shapes[0]; i++) {
        unsigned shape = i / 6, dimension = i % 3, faces = shapes[shape].rows * shapes[shape].columns;
        unsigned face_rows = shapes[shape].face_rows;
        bool is_max = i / 3 % 2;
        configure_reduce(bare, dimension, is_max, face_rows, shapes[shape].face_sets[dimension]);
        number_rows(bare);
        for (unsigned tile = 0; tile < 2; tile++) { /* the position restarts with each */
            pack_tile(bare, faces, face_rows);
            for (unsigned at = 0; at < faces * face_rows * 16; at++) {
                unsigned face = at / 16 / face_rows, row = at / 16 % face_rows, column = at % 16;
                bool kept = holds_result(dimension, face / shapes[shape].columns, face % shapes[shape].columns, row,
                                         column);
                uint32_t masked = is_max ? 0xFF80 : 0;
                assert_int_equal(half_at(bare, OUT + at * 2), kept ? 0x4000 + (face * 16 + row) * 16 + column : masked);
            }
        }
    }
}

static void test_relu(void **state)
{
    struct bare *bare = *state;
    static const uint16_t in[6] = {0xC000, 0x8000, 0x3F00, 0x3F80, 0x3F81, 0x7F00};
    static const uint16_t out[4][6] = {
        {0xC000, 0, 0x3F00, 0x3F80, 0x3F81, 0x7F00},
        {0, 0, 0x3F00, 0x3F80, 0x3F81, 0x7F00},
        {0, 0, 0, 0, 0x3F81, 0x7F00},
        {0, 0, 0x3F00, 0x3F80, 0x3F80, 0x3F80},
    };
    for (unsigned mode = 0; mode < 4; mode++) {
        set_formats(bare, false, 5, 5);
        for (unsigned i = 0; i < 6; i++)
            put_bf16(bare, 0, i, in[i]);
        SET(bare, STACC_RELU_ApplyRelu, mode);
        SET(bare, STACC_RELU_ReluThreshold, 0x3F80);
        pacr(bare, ONE | LAST);
        for (unsigned i = 0; i < 6; i++)
            assert_int_equal(half_at(bare, OUT + i * 2), out[mode][i]);
    }
    SET(bare, STACC_RELU_ReluThreshold, 0x8000);
    pacr_faults(bare, ONE | LAST, TF_FAULT_UNDEFINED);
    set_formats(bare, true, 8, 8);
    put32(bare, 0, 0, 0x80000005);
    put32(bare, 0, 1, 5);
    SET(bare, STACC_RELU_ApplyRelu, 1);
    pacr(bare, ONE | LAST);
    assert_int_equal(l1_word(bare, OUT), 0);
    assert_int_equal(l1_word(bare, OUT + 4), 5);
    SET(bare, STACC_RELU_ApplyRelu, 2);
    pacr_faults(bare, ONE | LAST, TF_FAULT_UNDEFINED);
}

static void test_histogram(void **state)
{
    struct bare *bare = *state;
    struct tf_packer *packer = bare->tile.tensix->packer;
    set_formats(bare, false, 1, 1);
    for (unsigned column = 0; column < 16; column++) {
        put_fp16(bare, 0, column, (uint16_t)((column < 3 ? 7 : 20) << 10));
        put_fp16(bare, 1, column, 30 << 10);
    }
    pacr(bare, PACR(read_intf_sel, 3) | LAST);
    assert_int_equal(packer[0].histogram[7], 0);
    assert_int_equal(packer[0].max_exponent, 20);
    assert_int_equal(packer[1].max_exponent, 30);
    bare->tile.tensix->config->thread[2][45] = 1; /* ENABLE_ACC_STATS of any thread */
    pacr(bare, PACR(read_intf_sel, 3) | LAST);
    assert_int_equal(packer[0].histogram[7], 3);
    assert_int_equal(packer[0].histogram[20], 13);
    assert_int_equal(packer[1].histogram[30], 16);
    for (unsigned i = 0; i < 20; i++)
        pacr(bare, PACR(read_intf_sel, 3) | LAST);
    assert_int_equal(packer[1].histogram[30], 255);
    pacr(bare, ZERO_WRITE | LAST);
    assert_int_equal(packer[0].histogram[0], 0);
    execute(bare, 0, W(CLREXPHIST));
    assert_int_equal(packer[0].histogram[7] | packer[0].max_exponent | packer[1].histogram[30], 0);
}

static void test_exponent_threshold(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    put_bf16(bare, 0, 0, 0x7000);
    put_bf16(bare, 0, 1, 0x3880);
    put_bf16(bare, 0, 2, 0x3870);
    SET(bare, THCON_SEC0_REG1_Exp_threshold_en, 1);
    SET(bare, THCON_SEC0_REG1_Exp_threshold, 113);
    pacr(bare, ONE | LAST);
    assert_int_equal(half_at(bare, OUT), 0x7000);
    assert_int_equal(half_at(bare, OUT + 2), 0x3880);
    assert_int_equal(half_at(bare, OUT + 4), 0);
}

static void test_downsampling(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    number_rows(bare);
    SET(bare, THCON_SEC0_REG1_Downsample_mask, 0x8421);
    pacr(bare, PACR(read_intf_sel, 3) | LAST);
    static const unsigned expected[8] = {0x4000, 0x4005, 0x400A, 0x400F, 0x4010, 0x4015, 0x401A, 0x401F};
    for (unsigned i = 0; i < 8; i++)
        assert_int_equal(half_at(bare, OUT + i * 2), expected[i]);
    assert_int_equal(bare->tile.l1[OUT + 16], 0xCC);
    /* The remaining data also get shared exponents: two rows have one. */
    set_formats(bare, false, 5, 6);
    SET(bare, THCON_SEC0_REG1_Downsample_mask, 0x00FF);
    SET(bare, THCON_SEC0_REG1_Exp_section_size, 1);
    put_bf16(bare, 0, 9, 0x7000);
    put_bf16(bare, 1, 3, 0x4480);
    pacr(bare, PACR(read_intf_sel, 3) | LAST);
    assert_int_equal(bare->tile.l1[OUT], 0x4480 >> 7);
    assert_int_equal(bare->tile.l1[OUT + 1], 0);
    assert_int_equal(bare->tile.l1[OUT + 16 + 11], 0x40);
}

static void test_zero_write(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    number_rows(bare);
    SET(bare, PCK_EDGE_OFFSET_SEC0_mask, 0);
    SET(bare, PCK_EDGE_MODE_mode, 1);
    pacr(bare, ZERO_WRITE | PACR(read_intf_sel, 3) | LAST);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(half_at(bare, OUT + i * 2), 0);
    assert_int_equal(bare->tile.l1[OUT + 64], 0xCC);
}

static void test_from_l1(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    SET(bare, THCON_SEC0_REG1_Source_interface_selection, 1);
    SET(bare, THCON_SEC0_REG1_L1_source_addr, 1); /* 256 KiB */
    SET(bare, PCK0_ADDR_BASE_REG_0_Base, 0x208);
    for (unsigned i = 0; i < 64; i++)
        bare->tile.l1[0x40200 + i] = (uint8_t)(i + 1);
    x_range(bare, 1, 24);
    pacr(bare, LAST);
    for (unsigned i = 0; i < 48; i++)
        assert_int_equal(bare->tile.l1[OUT + i], i + 3);
    SET(bare, THCON_SEC0_REG1_L1_source_addr, 7);
    pacr_faults(bare, LAST, TF_FAULT_UNDEFINED);
}

/* The packer may read whole rows from L1. Rows of Dst have the same numbers. */
static void test_rows_from_l1(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    number_rows(bare);
    SET(bare, THCON_SEC0_REG1_Source_interface_selection, 1);
    SET(bare, THCON_SEC0_REG1_L1_source_addr, 1); /* 256 KiB */
    for (unsigned i = 0; i < 32; i++)
        bare->tile.l1[0x40000 + i] = (uint8_t)(i + 101);
    x_range(bare, 0, 15);
    pacr(bare, LAST);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(bare->tile.l1[OUT + i], i + 101);
}

/* A datum of a shared exponent has sign and mantissa, and an exponent of zero. One of FP8 has all three. */
static void test_bytes_from_l1(void **state)
{
    struct bare *bare = *state;
    static const struct {
        unsigned from, to, shift;
        uint32_t low; /* bits of the byte that are shifted; the others go to the sign */
    } cases[] = {{6, 5, 0, 0x7F}, {2, 1, 3, 0x7F}, {10, 1, 8, 0xFF}};
    for (unsigned which = 0; which < sizeof cases / sizeof cases[0]; which++) {
        set_formats(bare, false, cases[which].from, cases[which].to);
        SET(bare, THCON_SEC0_REG1_Source_interface_selection, 1);
        SET(bare, THCON_SEC0_REG1_L1_source_addr, 1); /* 256 KiB */
        for (unsigned i = 0; i < 256; i++)
            bare->tile.l1[0x40000 + i] = (uint8_t)i;
        x_range(bare, 0, 255);
        pacr(bare, LAST);
        for (uint32_t i = 0; i < 256; i++)
            assert_int_equal(half_at(bare, OUT + 2 * i), (i & ~cases[which].low) << 8 | (i & cases[which].low)
                                                                                            << cases[which].shift);
    }
}

static void test_accumulation(void **state)
{
    struct bare *bare = *state;
    for (unsigned shared = 0; shared < 2; shared++) {
        bare->tile.mode.shared = shared;
        set_formats(bare, true, 0, 0);
        SET(bare, THCON_SEC0_REG1_Pack_L1_Acc, 1);
        put32(bare, 0, 0, 0x3F800000);
        put32(bare, 0, 15, 0x40000000);
        set_l1_word(bare, OUT, 0x40400000);
        set_l1_word(bare, OUT + 60, 0xC0000000);
        pacr(bare, ONE | LAST);
        assert_int_equal(l1_word(bare, OUT), 0x40800000);
        assert_int_equal(l1_word(bare, OUT + 60), 0);
        set_formats(bare, true, 8, 8);
        SET(bare, THCON_SEC0_REG1_Pack_L1_Acc, 1);
        put32(bare, 0, 0, 7);
        set_l1_word(bare, OUT, 0xFFFFFFFE);
        pacr(bare, ONE | LAST);
        assert_int_equal(l1_word(bare, OUT), 5);
    }
    bare->tile.mode.shared = false;
    set_formats(bare, false, 9, 9);
    SET(bare, THCON_SEC0_REG1_Pack_L1_Acc, 1);
    pacr_faults(bare, ONE | LAST, TF_FAULT_UNDEFINED);
}

#define ROUNDS 100000u

struct adder {
    uint8_t *line;
    uint32_t added;
    bool stop;
};

/* The effect of an ACC atomic of the NOC on a line (noc/atomic.c), many times. */
static void *add_from_elsewhere(void *argument)
{
    struct adder *adder = argument;
    static const uint32_t ones[4] = {1, 1, 1, 1};
    for (; !__atomic_load_n(&adder->stop, __ATOMIC_RELAXED); adder->added++) {
        struct tf_line old, new;
        tf_line_guess(adder->line, &old);
        do {
            new = old;
            tf_accumulate(TF_ACCUMULATE_U32, new.word, ones);
        } while (!tf_line_exchange(adder->line, &old, &new));
    }
    return NULL;
}

/* Relaxed mode: no sum of a packer and of another actor is lost. */
static void test_accumulation_is_atomic(void **state)
{
    struct bare *bare = *state;
    pthread_t other;
    bare->tile.mode.shared = true;
    set_formats(bare, true, 8, 8);
    SET(bare, THCON_SEC0_REG1_Pack_L1_Acc, 1);
    for (unsigned column = 0; column < 16; column++)
        put32(bare, 0, column, 1);
    memset(&bare->tile.l1[OUT], 0, 64);
    struct adder adder = {.line = &bare->tile.l1[OUT]};
    assert_int_equal(pthread_create(&other, NULL, add_from_elsewhere, &adder), 0);
    for (unsigned i = 0; i < ROUNDS; i++)
        tf_exec_PACR(&bare->tile, 0, W(PACR) | ONE | LAST);
    __atomic_store_n(&adder.stop, true, __ATOMIC_RELAXED);
    assert_int_equal(pthread_join(other, NULL), 0);
    for (unsigned i = 0; i < 16; i++)
        assert_int_equal(l1_word(bare, OUT + i * 4), ROUNDS + (i < 4 ? adder.added : 0));
    bare->tile.mode.shared = false;
}

static void test_sizes(void **state)
{
    struct bare *bare = *state;
    struct tf_packer *packer = &bare->tile.tensix->packer[0];
    set_formats(bare, false, 5, 6);
    SET(bare, THCON_SEC0_REG1_Exp_section_size, 1);
    pacr(bare, 0);
    pacr(bare, LAST);
    assert_int_equal(packer->last_tile_size, 9); /* 128 data and a line of exponents */
    assert_int_equal(packer->acc_tile_size[0], 9);
    SET(bare, THCON_SEC0_REG1_Add_tile_header_size, 1);
    pacr(bare, LAST);
    assert_int_equal(packer->last_tile_size, 5);
    assert_int_equal(packer->acc_tile_size[0], 15);
    bare->tile.tensix->adcs->of[1][TF_ADC_PACKERS] = bare->tile.tensix->adcs->of[0][TF_ADC_PACKERS];
    execute(bare, 1, W(PACR) | LAST);
    assert_int_equal(packer->last_thread, 1);
    assert_int_equal(packer->acc_tile_size[1], 6);
}

static void test_reset(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    x_range(bare, 0, 2);
    pacr(bare, ONE);
    bare->tile.mmio.debug.soft_reset = 1 << 2;
    tf_tensix_reset(&bare->tile);
    bare->tile.mmio.debug.soft_reset = 0;
    tf_tensix_reset(&bare->tile);
    pacr(bare, FLUSH);
    assert_int_equal(bare->tile.l1[OUT], 0xCC);
}

/* A reset of the unpackers leaves the packer's data. */
static void test_reset_of_others(void **state)
{
    struct bare *bare = *state;
    set_formats(bare, false, 5, 5);
    x_range(bare, 0, 2);
    pacr(bare, ONE);
    bare->tile.mmio.debug.soft_reset = 1 << 0;
    tf_tensix_reset(&bare->tile);
    bare->tile.mmio.debug.soft_reset = 0;
    tf_tensix_reset(&bare->tile);
    pacr(bare, FLUSH);
    assert_int_not_equal(bare->tile.l1[OUT], 0xCC);
}

static void test_setreg(void **state)
{
    struct bare *bare = *state;
    struct tf_tdma *tdma = bare->tile.tensix->tdma;
    set_formats(bare, false, 5, 5);
    number_rows(bare);
    x_range(bare, 0, 2);
    pacr(bare, ONE);
    tdma->set_reg_base[1] = 0x40028;
    tdma->set_reg_scaler[1] = 3;
    uint32_t word = W(PACR_SETREG) | 0x800F02 | 1 << 22 | 0x155 << 12 | 5 << 2;
    execute(bare, 0, word);
    assert_int_equal(bare->stored_address, STREAM_AT(5, TF_STREAM_RECEIVED));
    assert_int_equal(bare->stored_value, 0x155 + (0x155 * 3 << 12));
    assert_int_equal(half_at(bare, OUT + 4), 0x4002);
    assert_int_equal(half_at(bare, OUT + 6), 0);
    unsigned stores = bare->mmio_stores;
    for (unsigned i = 0; i < 2; i++) { /* to no place; beyond the last stream */
        tdma->set_reg_base[1] = i == 0 ? 0xC0000 : TF_STREAM_BASE + TF_STREAMS_BYTES - TF_REGISTERS_BASE - 0x5000;
        execute(bare, 0, word);
        assert_int_equal(bare->mmio_stores, stores);
    }
    tdma->set_reg_base[1] = 0;
    execute_fault(bare, 0, word & ~(0x3Fu << 2), TF_FAULT_UNDEFINED);
    execute_fault(bare, 0, word & ~2u, TF_FAULT_UNDEFINED);
}

/* A shared exponent belongs to 16 data. Eight of them wait for the others; data without it cannot come between. */
static void test_format_within_a_block(void **state)
{
    struct bare *bare = *state;
    for (unsigned flush = 0; flush < 2; flush++) {
        set_formats(bare, false, 5, 6);
        number_rows(bare);
        x_range(bare, 0, 7);
        pacr(bare, ONE);
        SET(bare, THCON_SEC0_REG1_Out_data_format, 5);
        pacr_faults(bare, ONE | (flush ? FLUSH : LAST), TF_FAULT_UNDEFINED);
        SET(bare, THCON_SEC0_REG1_Out_data_format, 6);
        pacr(bare, ONE | LAST);
    }
}

static void test_refused(void **state)
{
    struct bare *bare = *state;
    static const struct {
        uint32_t fields, field;
        enum tf_fault_category category;
    } cases[] = {
        {PACR(ctxt_ctrl, 1), 0, TF_FAULT_UNPREDICTABLE},
        {PACR(cfg_context, 1), 0, TF_FAULT_UNPREDICTABLE},
        {PACR(row_pad_zero, 1), 0, TF_FAULT_UNPREDICTABLE},
        {0, TF_CFG_THCON_SEC0_REG1_pack_start_intf_pos, TF_FAULT_UNPREDICTABLE},
        {LAST, TF_CFG_THCON_SEC0_REG1_Enable_out_fifo, TF_FAULT_UNPREDICTABLE},
        {0, TF_CFG_THCON_SEC0_REG1_Dis_shared_exp_assembler, TF_FAULT_UNPREDICTABLE},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set_formats(bare, false, 5, 6);
        if (cases[i].field != 0)
            set_field(bare, cases[i].field, 1);
        pacr_faults(bare, cases[i].fields, cases[i].category);
        assert_int_equal(bare->tile.l1[OUT], 0xCC);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_read_interfaces),
        TEST(test_last_interfaces_of_a_plane),
        TEST(test_strided),
        TEST(test_x_range),
        TEST(test_whole_lines),
        TEST(test_output_address),
        TEST(test_exponents_from_the_middle),
        TEST(test_counters),
        TEST(test_edge_masks),
        TEST(test_tile_position),
        TEST(test_face_sets),
        TEST(test_reduce_masks),
        TEST(test_relu),
        TEST(test_histogram),
        TEST(test_exponent_threshold),
        TEST(test_downsampling),
        TEST(test_zero_write),
        TEST(test_from_l1),
        TEST(test_rows_from_l1),
        TEST(test_bytes_from_l1),
        TEST(test_accumulation),
        TEST(test_accumulation_is_atomic),
        TEST(test_sizes),
        TEST(test_reset),
        TEST(test_reset_of_others),
        TEST(test_setreg),
        TEST(test_format_within_a_block),
        TEST(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
