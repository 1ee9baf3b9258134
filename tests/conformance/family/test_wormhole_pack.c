/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Modes of Wormhole's four packers that ttsim refuses, by the pages Packers/Downsampling.md, ExponentHistogram.md,
 * EdgeMasking.md and SETDMAREG_Special.md of WormholeB0. Each packer has its own mask, histogram and place in Dst.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "wormhole_tile.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/state.h"

enum { FP32 = 0, FP16 = 1, BF16 = 5, INT32 = 8, INT16 = 9 };
enum { PACKERS = 4, OUT = 0x20000, DISTANCE = 0x400, SET_A = 8, ROUND_10B = 8 };

/* Words of THCON_SEC0_REG1, REG8, and of SEC1's. */
static const unsigned section[PACKERS] = {56, 84, 96, 124};

/* A GPR of 128 bits, the byte at an index of it. */
static unsigned byte_of(unsigned index, unsigned byte)
{
    return gpr(index + byte / 4) >> byte % 4 * 8 & 0xFF;
}

/* Words of 32 bits of a packer's output. */
static void get_output(unsigned packer, uint32_t *to, unsigned words)
{
    assert_int_equal(tf_read(chip, first, OUT + packer * DISTANCE, to, words * sizeof *to), TF_OK);
}

/* Packer i reads Dst from row 2 * i on, and writes to its own place. */
static void prepare(unsigned from, unsigned to, bool wide)
{
    unsigned bytes = wide ? 4 : 2;
    configure(1, from << 25); /* ALU_FORMAT_SPEC_REG2_Dstacc */
    configure(8, bytes | bytes * 16 << 16);
    configure(14, wide);
    configure(20, 0xFFFF); /* PCK_EDGE_OFFSET_SEC0_mask */
    for (unsigned i = 0; i < PACKERS; i++) {
        configure(section[i] + 1, (OUT + i * DISTANCE) / 16 - 1);
        configure(section[i] + 2, to << 4 | from << 8 | 1);
        configure(section[i] + 3, 0);
        configure(24 + i, 16 << 8);
        configure(152 + i, 2 * i);
    }
    assert_non_null(tf_dst_get(&chip->tiles.tile[0]));
}

static void put_datum(unsigned row, unsigned column, uint32_t value, bool wide)
{
    struct tf_dst *dst = chip->tiles.tile[0].tensix->dst;
    if (wide)
        tf_dst_write32(dst, tf_dst_row32((struct tf_dst_map){0}, row), column, value);
    else
        dst->bits[row][column] = (uint16_t)value;
}

/* Data first to last of each packer. */
static void pack(unsigned mask, unsigned from, unsigned to, bool last)
{
    push(W(SETADCXX) | 4u << 21 | to << 10 | from);
    push(W(PACR) | V(PACR, read_intf_sel, mask) | V(PACR, last, last));
}

static void read_packers(unsigned which, unsigned source, unsigned size, unsigned half, unsigned to)
{
    push(W(SETDMAREG) | V(SETDMAREG, set_signals_mode, 1) | V(SETDMAREG, payload_sig_sel_size, size) |
         V(SETDMAREG, payload_sig_sel, which << 7 | source << 3 | half) | V(SETDMAREG, reg_index_16b, 2 * to));
}

/* A mask of 0 or 0xFFFF keeps all data. Any other mask restarts with each PACR, and rotates with its data. */
static void test_downsampling(void **state)
{
    (void)state;
    static const uint16_t masks[PACKERS] = {0x8421, 0, 0xFFFF, 0x00F2};
    uint32_t got[40];
    prepare(INT32, INT32, true);
    for (unsigned row = 0; row < 2 * PACKERS; row++)
        for (unsigned column = 0; column < 16; column++)
            put_datum(row, column, 0x1000 + row * 16 + column, true);
    for (unsigned i = 0; i < PACKERS; i++)
        configure(section[i] + 3, masks[i]);
    pack(15, 4, 27, false); /* 24 data from column 4 on; then 16 more */
    pack(15, 0, 15, true);
    for (unsigned i = 0; i < PACKERS; i++) {
        uint32_t mask = masks[i] != 0 ? masks[i] : 0xFFFF;
        unsigned at = 0;
        get_output(i, got, 40);
        for (unsigned datum = 0; datum < 24; datum++)
            if (mask >> datum % 16 & 1)
                assert_int_equal(got[at++], 0x1000 + 32 * i + 4 + datum);
        for (unsigned datum = 0; datum < 16; datum++)
            if (mask >> datum & 1)
                assert_int_equal(got[at++], 0x1000 + 32 * i + datum);
        for (; at < 40; at++)
            assert_int_equal(got[at], 0); /* L1 was zero */
    }
}

/* Which packers each mask names; 0 names the first. */
static void test_masks(void **state)
{
    (void)state;
    static const uint8_t masks[] = {0, 1, 2, 4, 8, 3, 12, 15};
    uint32_t got[16];
    prepare(INT32, INT32, true);
    for (unsigned i = 0; i < sizeof masks; i++) {
        unsigned mask = masks[i] != 0 ? masks[i] : 1;
        for (unsigned row = 0; row < 2 * PACKERS; row++)
            put_datum(row, 0, 0x1000 + i * 16 + row, true);
        pack(masks[i], 0, 15, true);
        assert_int_equal(chip->tiles.tile[0].faults.count, 0);
        for (unsigned packer = 0; packer < PACKERS; packer++) {
            get_output(packer, got, 16);
            assert_int_equal(got[0] == 0x1000 + i * 16 + 2 * packer, mask >> packer & 1);
        }
    }
}

/* One instruction for four packers. Packer 0 reads L1, by its configuration; the others read Dst. */
static void test_source(void **state)
{
    (void)state;
    enum { SOURCE = 1 << 18, FROM_L1 = 1 << 16, SOURCE_ADDRESS = 1 << 24 }; /* in units of 256 KiB */
    uint32_t got[1];
    prepare(INT32, INT32, true);
    configure(section[0] + 2, SOURCE_ADDRESS | FROM_L1 | INT32 << 8 | INT32 << 4 | 1);
    put(SOURCE, 0xABCD);
    for (unsigned packer = 0; packer < PACKERS; packer++)
        put_datum(2 * packer, 0, 0x1000 + packer, true);
    pack(15, 0, 15, true);
    for (unsigned packer = 0; packer < PACKERS; packer++) {
        get_output(packer, got, 1);
        assert_int_equal(got[0], packer == 0 ? 0xABCD : 0x1000 + packer);
    }
}

/* Each packer counts its own data, in their form after edge masks and ReLU. It counts data that downsampling discards,
   too. */
static void test_histogram(void **state)
{
    (void)state;
    prepare(FP16, FP16, false);
    for (unsigned i = 0; i < PACKERS; i++)
        for (unsigned column = 0; column < 16; column++)
            put_datum(2 * i, column, tf_dst_shuffle_fp16((uint16_t)((column < i + 1 ? 7 + i : 20 + i) << 10)), false);
    pack(15, 0, 15, true); /* the highest exponent, without ENABLE_ACC_STATS */
    read_packers(0, 6, 2, 0, 8);
    read_packers(0, 9, 2, 0, 12);
    assert_int_equal(gpr(8) | gpr(9) | gpr(10) | gpr(11), 0);
    assert_int_equal(gpr(12), 20);
    assert_int_equal(gpr(13) | gpr(14) | gpr(15), 0);
    push(W(SETC16) | 46 << 16 | 1); /* ENABLE_ACC_STATS_Enable, of this thread */
    for (unsigned i = 0; i < PACKERS; i++)
        configure(section[i] + 3, 1); /* Downsample_mask */
    pack(15, 0, 15, true);
    for (unsigned i = 0; i < PACKERS; i++) {
        read_packers(i, 6, 2, 0, 8);       /* bins 0 to 15 */
        read_packers(i | 12, 7, 2, 0, 12); /* bins 16 to 31; two bits say which packer */
        for (unsigned bin = 0; bin < 32; bin++)
            assert_int_equal(byte_of(8, bin), bin == 7 + i ? i + 1 : bin == 20 + i ? 15 - i : 0);
    }
    read_packers(0, 7, 0, 2, 20); /* a half: bins 20 and 21 */
    assert_int_equal(gpr(20), 15);
    /* ReLU makes negative data zero. Masked data are zero, or minus infinity, which ReLU makes zero. */
    push(W(CLREXPHIST));
    configure(20, 0xFFF0);
    configure(2, 1 << 2); /* STACC_RELU_ApplyRelu: zero */
    for (unsigned column = 0; column < 16; column++)
        put_datum(0, column, tf_dst_shuffle_fp16((uint16_t)(9 << 10 | (column > 10 ? 0x8000 : 0))), false);
    pack(1, 0, 15, true);
    configure(20, 0x1FFF0); /* PCK_EDGE_MODE_mode */
    configure(2, 0);
    pack(1, 0, 15, true);
    read_packers(0, 6, 2, 0, 8);
    read_packers(0, 7, 2, 0, 12);
    assert_int_equal(byte_of(8, 0), 4 + 5);
    assert_int_equal(byte_of(8, 9), 7 + 12);
    assert_int_equal(byte_of(8, 31), 4);
    read_packers(0, 9, 1, 0, 12);
    assert_int_equal(gpr(12), 31);
    push(W(CLREXPHIST));
    for (unsigned i = 0; i < PACKERS; i++) {
        read_packers(i, 6, 2, 0, 8);
        read_packers(i, 7, 2, 0, 12);
        for (unsigned bin = 0; bin < 32; bin++)
            assert_int_equal(byte_of(8, bin), 0);
    }
    read_packers(0, 9, 1, 0, 12);
    assert_int_equal(gpr(12), 0);
}

/* The exponent of a datum has eight bits; five of them choose the bin. INT32 has its exponent where FP32 has it, INT16
   in the low bits. */
static void test_exponents(void **state)
{
    (void)state;
    static const struct {
        unsigned format;
        bool wide;
        uint32_t in_dst;
        unsigned exponent;
    } cases[] = {
        {BF16, false, 0, 0xAB}, /* by tf_dst_shuffle_bf16() */
        {FP32, true, 0, 0x83},  /* by tf_dst_shuffle32() */
        {INT32, true, 0, 0x5C},
        {INT16, false, 0x12E7, 0xE7},
    };
    push(W(SETC16) | 46 << 16 | 1);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint32_t exponent = cases[i].exponent, in_dst = cases[i].in_dst;
        if (in_dst == 0)
            in_dst = cases[i].wide ? tf_dst_shuffle32(exponent << 23 | 0x1234) : tf_dst_shuffle_bf16(exponent << 7 | 3);
        push(W(CLREXPHIST));
        prepare(cases[i].format, cases[i].format, cases[i].wide);
        for (unsigned datum = 0; datum < 17 * 16; datum++)
            put_datum(datum / 16, datum % 16, in_dst, cases[i].wide);
        pack(1, 0, 254, true);
        for (unsigned more = 0; more < 2; more++) { /* a counter stays at 255 */
            read_packers(0, exponent >> 4 & 1 ? 7 : 6, 2, 0, 8);
            assert_int_equal(byte_of(8, exponent & 15), 255);
            pack(1, 0, 15, true);
        }
        read_packers(0, 9, 1, 0, 12);
        assert_int_equal(gpr(12), exponent);
    }
}

/* Sources above 9 are 128 bits of zero. */
static void test_zeros(void **state)
{
    (void)state;
    for (unsigned source = 10; source < 16; source++) {
        for (unsigned i = 0; i < 4; i++)
            set(SET_A + i, UINT32_MAX);
        read_packers(15, source, 2, 0, SET_A + 3);
        assert_int_equal(gpr(SET_A) | gpr(SET_A + 1) | gpr(SET_A + 2) | gpr(SET_A + 3), 0);
    }
}

/* L1.md: sums of INT32 in L1 are those of sign and magnitude, and saturate. */
static void test_sums(void **state)
{
    (void)state;
    static const struct {
        uint32_t l1, data, sum;
    } cases[] = {
        {5, 7, 12},
        {5, 0x80000003, 2},
        {3, 0x80000005, 0x80000002},
        {0x80000005, 3, 0x80000002},
        {0x80000005, 0x80000003, 0x80000008},
        {0x80000005, 5, 0},
        {0x7FFFFFF0, 0x20, 0x7FFFFFFF},
        {0xFFFFFFF0, 0x80000020, 0xFFFFFFFF},
        {0x7FFFFFFF, 0xFFFFFFFF, 0},
        {0, 0x80000000, 0},
    };
    enum { CASES = sizeof cases / sizeof cases[0], PACK_L1_ACC = 1 << 21 };
    prepare(INT32, INT32, true);
    for (unsigned i = 0; i < PACKERS; i++)
        configure(section[i] + 3, PACK_L1_ACC);
    for (unsigned i = 0; i < CASES; i++) {
        put(OUT + 4 * i, cases[i].l1);
        put_datum(0, i, tf_dst_shuffle32(cases[i].data), true);
    }
    pack(1, 0, 15, true);
    for (unsigned i = 0; i < CASES; i++)
        assert_int_equal(get(OUT + 4 * i), cases[i].sum);
}

/* The mask of a row, by its number in the tile: planes have 3 rows, or rows have 3 planes. */
static uint32_t mask_of(unsigned row, bool transposed, const uint16_t masks[4])
{
    unsigned y = transposed ? row / 3 : row % 3, z = transposed ? row % 3 : row / 3;
    return masks[(y + z) & 3];
}

/* Whole rows move the position in the tile, with edge masks or without. A marked row of Dst is zero. */
static void test_positions(void **state)
{
    (void)state;
    enum { ROWS = 13, BEFORE = 5, MARKED = 1 };
    static const uint16_t masks[4] = {0xFFFF, 0x00FF, 0x0F0F, 0x8001};
    uint32_t got[ROWS * 16];
    for (unsigned transposed = 0; transposed < 2; transposed++) {
        prepare(INT32, INT32, true);
        configure(24, 3 << 8 | transposed << 23);
        configure(15, 1 << 8); /* PCK_EDGE_TILE_FACE_SET_SELECT_enable */
        configure(32, 0xE4E4E4E4);
        for (unsigned i = 0; i < 4; i++) {
            configure(16 + i, (uint32_t)(0xE4E4E4E4E4E4E4E4u >> 2 * i)); /* set i of rows: row y has mask y + i */
            configure(20 + i, 0xFFFF);
        }
        for (unsigned row = 0; row < ROWS; row++)
            for (unsigned column = 0; column < 16; column++)
                put_datum(row, column, 0x1000 + 16 * row + column, true);
        tf_dst_undefine(chip->tiles.tile[0].tensix->dst, tf_dst_row32((struct tf_dst_map){0}, MARKED));
        pack(1, 0, 16 * BEFORE - 1, false);
        for (unsigned i = 0; i < 4; i++)
            configure(20 + i, masks[i]);
        configure(152, BEFORE);
        pack(1, 0, 16 * (ROWS - BEFORE) - 1, true);
        assert_int_equal(chip->tiles.tile[0].faults.count, 0);
        get_output(0, got, ROWS * 16);
        for (unsigned i = 0; i < ROWS * 16; i++) {
            uint32_t mask = i < 16 * BEFORE ? 0xFFFF : mask_of(i / 16, transposed, masks);
            bool written = (mask >> i % 16 & 1) && i / 16 != MARKED;
            assert_int_equal(tf_dst_unshuffle32(got[i]), written ? 0x1000 + i : 0);
        }
        tf_dst_define(chip->tiles.tile[0].tensix->dst, tf_dst_row32((struct tf_dst_map){0}, MARKED));
    }
}

static void expect_row(unsigned packer, uint16_t mask)
{
    uint32_t got[16];
    get_output(packer, got, 16);
    for (unsigned column = 0; column < 16; column++)
        assert_int_equal(got[column], mask >> column & 1 ? 0x1000 + 32 * packer + column : 0);
}

/* EdgeMasking.md: each packer has its own set of rows, or its own set of faces, whose entries name a set of rows. */
static void test_edge_sets(void **state)
{
    (void)state;
    static const uint16_t masks[4] = {0xFFFF, 0x00FF, 0x0F0F, 0x8001};
    prepare(INT32, INT32, true);
    for (unsigned row = 0; row < 2 * PACKERS; row++)
        for (unsigned column = 0; column < 16; column++)
            put_datum(row, column, 0x1000 + row * 16 + column, true);
    for (unsigned i = 0; i < 4; i++) {
        configure(16 + i, 0x55555555 * i);       /* TILE_ROW_SET_MAPPING: set i has mask i */
        configure(32 + i, 0x55555555 * (i ^ 2)); /* TILE_FACE_SET_MAPPING: set i names the set i ^ 2 */
    }
    for (unsigned first_set = 0; first_set < 4; first_set++) {
        const uint32_t select = (uint8_t)(0xE4E4 >> 2 * first_set); /* packer i has the set i + first_set */
        for (unsigned faces = 0; faces < 2; faces++) {
            configure(15, faces ? 1 << 8 | select : 0);
            for (unsigned i = 1; i < 4; i++)
                configure(20 + i, masks[i]);
            configure(20, masks[0] | (faces ? 0 : select << 17));
            pack(15, 0, 15, true);
            for (unsigned i = 0; i < PACKERS; i++)
                expect_row(i, masks[((i + first_set) & 3) ^ (faces ? 2 : 0)]);
        }
    }
}

/* InputAddressGenerator.md: a thread override gives each packer the counters that its Addr_cnt_context names; 3 stands
   for 0. */
static void test_counters_by_packer(void **state)
{
    (void)state;
    static const uint8_t ends[3] = {11, 5, 8};
    for (unsigned trial = 0; trial < 8; trial++) {
        const unsigned turned = trial / 2, override = trial % 2, thread = 1 + trial % 2;
        prepare(INT32, INT32, true);
        for (unsigned i = 0; i < PACKERS; i++) {
            configure(section[i] + 2, INT32 << 4 | INT32 << 8 | 1 | ((i + turned) & 3) << 2);
            for (unsigned column = 0; column < 16; column++) {
                put_datum(2 * i, column, 0x1000 + 32 * i + column, true);
                put(OUT + i * DISTANCE + 4 * column, 0);
            }
        }
        for (unsigned i = 0; i < 3; i++)
            push_to(i, W(SETADCXX) | 4u << 21 | (uint32_t)ends[i] << 10);
        push_to(thread, W(PACR) | V(PACR, read_intf_sel, 15) | V(PACR, ovrd_thread_id, override) | V(PACR, last, 1));
        for (unsigned i = 0; i < PACKERS; i++)
            expect_row(i, (uint16_t)((2u << ends[override ? ((i + turned) & 3) % 3 : thread]) - 1));
    }
}

/* FP32 of Dst to FP16 by the early conversion, which only Blackhole has. The first packer stops the instruction. */
static void test_no_early_fp16(void **state)
{
    (void)state;
    struct tf_fault fault;
    prepare(FP16, FP16, true);
    configure(14, 1 | ROUND_10B);
    push(W(SETADCXX) | V(SETADCXX, cnt_set_mask, 4) | V(SETADCXX, x_end2, 15));
    store(TF_CORE_T0, PUSH, W(PACR) | V(PACR, read_intf_sel, 15) | V(PACR, last, 1));
    run();
    assert_int_equal(tf_fault_count(chip), 1);
    assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
    assert_non_null(strstr(fault.text, "no early conversion"));
}

/* BF16 of Dst as FP32, with Read_32b_data off: tt-llk's _llk_pack_fast_tilize_init_(). Denormals stay. */
static void test_bf16_as_fp32(void **state)
{
    (void)state;
    static const uint16_t data[16] = {0x3F80, 0xBF80, 0x0001, 0x8001, 0x7F80, 0xFF80, 0x4049, 0};
    uint32_t got[16];
    prepare(FP32, FP32, false);
    for (unsigned column = 0; column < 16; column++)
        put_datum(0, column, tf_dst_shuffle_bf16(data[column]), false);
    pack(1, 0, 15, true);
    get_output(0, got, 16);
    for (unsigned column = 0; column < 16; column++)
        assert_int_equal(got[column], (uint32_t)data[column] << 16);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_downsampling),
        TEST(test_masks),
        TEST(test_source),
        TEST(test_histogram),
        TEST(test_exponents),
        TEST(test_zeros),
        TEST(test_sums),
        TEST(test_positions),
        TEST(test_no_early_fp16),
        TEST(test_edge_sets),
        TEST(test_counters_by_packer),
        TEST(test_bf16_as_fp32),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
