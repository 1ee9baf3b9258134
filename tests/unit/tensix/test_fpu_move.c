/* SPDX-License-Identifier: Apache-2.0 */
/* Moves between Dst, SrcA and SrcB, and changes of SrcA or SrcB in place, against their pages. */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/matrix/matrix.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/vector/vector.h"
#include "unit/tensix/fpu.h"

#define DATUM 0x7FFFFu

static void fill(struct bare *bare)
{
    struct tf_dst *dst = bare->tile.tensix->dst;
    for (unsigned i = 0; i < 2 * 2 * 64 * 16; i++) {
        uint32_t datum = bare_random() & DATUM;
        fpu_bank(bare, i >> 11, i >> 10 & 1)[i >> 4 & 63][i & 15] = bare_random() % 4 ? datum : datum & 0x7FF00;
    }
    for (unsigned row = 0; row < TF_DST_ROWS; row++) {
        for (unsigned column = 0; column < 16; column++)
            dst->bits[row][column] = (uint16_t)bare_random();
        if (bare_random() % 4 == 0)
            tf_dst_undefine(dst, row);
        else
            tf_dst_define(dst, row);
    }
}

/* Columns that moves leave unchanged. The vector unit has them, once it is used. */
static uint32_t block_columns(struct bare *bare, bool block)
{
    uint32_t blocked = block ? bare_random() & 0xFFFF : 0;
    if (!block && bare->tile.tensix->vector == NULL)
        return 0;
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    assert_non_null(vector);
    for (unsigned i = 0; i < TF_LANE_COLUMNS; i++)
        vector->lane_config[i] = (blocked >> 2 * i & 3) << 9;
    return blocked;
}

struct shape {
    unsigned rows, src_step, dst_row, src_row;
    uint32_t blocked;
    unsigned format, other_format;
    bool low, column_0, keep, wide;
};

static struct tf_dst *copy_of_dst(struct bare *bare)
{
    struct tf_dst *copy = aligned_alloc(64, sizeof *copy);
    assert_non_null(copy);
    *copy = *bare->tile.tensix->dst;
    return copy;
}

/* Blackhole refuses low halves of TF32. */
static bool low_allowed(const struct bare *bare, const struct shape *shape)
{
    return shape->format != TF32 || bare->tile.arch->units.moves_by_format;
}

/* The result of a move to Dst, in `dst`, which has the old content. */
static void model_to_dst(struct bare *bare, const struct shape *shape, bool from_b, struct tf_dst *dst)
{
    struct tf_dst_map map = tf_dst_map(&bare->tile);
    bool all = shape->wide && !shape->low && !bare->tile.arch->units.moves_by_format;
    bool tf32 = all || shape->format == TF32, fp16 = !tf32 && (shape->format == FP16 || shape->format == INT8);
    for (unsigned i = 0; i < shape->rows; i++) {
        const uint32_t *from = fpu_row(bare, from_b ? TF_SRC_B : TF_SRC_A, shape->src_row + i * shape->src_step);
        bool wide = tf32 || shape->low;
        unsigned row = shape->dst_row + i, at = wide ? tf_dst_row32(map, row) : tf_dst_row16(map, row);
        bool undefined = tf_dst_is_undefined(dst, at);
        for (unsigned column = 0; column < 16; column++) {
            uint32_t value = undefined ? 0 : wide ? tf_dst_read32(dst, at, column) : dst->bits[at][column];
            if (!(shape->blocked >> column & 1)) {
                uint32_t datum = from[shape->column_0 ? 0 : column];
                if (!shape->keep && (datum & 255) == 0)
                    datum = 0;
                if (from_b && shape->other_format == BF16)
                    datum &= ~0x700u;
                if (from_b && all && shape->other_format == FP16)
                    datum &= ~0xE0u;
                uint32_t narrow = fp16 ? datum >> 18 << 15 | (datum >> 8 & 1023) << 5 | (datum & 31)
                                       : datum >> 18 << 15 | (datum >> 11 & 127) << 8 | (datum & 255);
                if (tf32)
                    value = narrow << 16 | (datum >> 8 & 7) << 13 | (shape->low ? narrow : 0);
                else
                    value = shape->low ? (value & 0xFFFF0000) | narrow : narrow;
            }
            if (wide)
                tf_dst_write32(dst, at, column, value);
            else
                dst->bits[at][column] = (uint16_t)value;
        }
        tf_dst_define(dst, at);
    }
}

static struct shape random_shape(struct bare *bare)
{
    static const uint8_t formats[] = {BF16, FP16, TF32, INT8, INT32, FP32};
    fpu_fresh((void **)&bare);
    fill(bare);
    struct shape shape = {.format = formats[bare_random() % sizeof formats],
                          .other_format = bare_random() % 2 ? BF16 : TF32};
    shape.blocked = block_columns(bare, bare_random() % 4 == 0);
    shape.low = bare_random() & 1;
    shape.keep = bare_random() & 1;
    shape.rows = 1;
    shape.src_step = 1;
    shape.wide = bare_random() & 1;
    fpu_format(bare, shape.format, shape.other_format);
    CFG_SET(bare, ALU_ACC_CTRL_Zero_Flag_disabled_src, shape.keep);
    CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, shape.wide);
    CFG_SET(bare, DEST_ACCESS_CFG_remap_addrs, bare_random() % 4 == 0);
    CFG_SET(bare, DEST_REGW_BASE_Base, bare_random() & 0x3FF);
    bare->tile.tensix->src->matrix_bank[0] = bare_random() & 1;
    bare->tile.tensix->src->matrix_bank[1] = bare_random() & 1;
    struct tf_rwc *rwc = &bare->tile.tensix->rwc[0];
    *rwc = (struct tf_rwc){.dst = bare_random() & 1023};
    rwc->srca = bare_random() & 63;
    rwc->srcb = bare_random() & 63;
    bare->tile.tensix->config->thread[0][(TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr >> 16) + 5] = 7;
    return shape;
}

static unsigned dst_row_of(struct bare *bare, unsigned row)
{
    const struct tf_backend_config *config = bare->tile.tensix->config;
    return (row + bare->tile.tensix->rwc[0].dst + TF_CFG(config, 0, DEST_REGW_BASE_Base)) & 1023;
}

static void check_to_dst(struct bare *bare, const struct shape *shape, bool from_b, uint32_t word)
{
    struct tf_dst *expected = copy_of_dst(bare);
    unsigned dst = bare->tile.tensix->rwc[0].dst;
    model_to_dst(bare, shape, from_b, expected);
    execute(bare, 0, word);
    assert_memory_equal(expected, bare->tile.tensix->dst, sizeof *expected);
    assert_int_equal(bare->tile.tensix->rwc[0].dst, (dst + 7) & 1023); /* the modifier has been applied */
    free(expected);
}

static void test_a_to_dst(void **state)
{
    bare_seed();
    struct bare *bare = *state;
    for (unsigned i = 0; i < 400; i++) {
        struct shape shape = random_shape(bare);
        shape.low &= low_allowed(bare, &shape);
        unsigned dst = bare_random() & 1023, src = bare_random() & 63, eight = bare_random() & 1;
        shape.dst_row = dst_row_of(bare, dst) & (eight ? 0x3F8 : 0x3FF);
        shape.src_row = (src + bare->tile.tensix->rwc[0].srca) & (eight ? 0x38 : 0x3F);
        shape.rows = eight ? 8 : 1;
        uint32_t op = bare_random() & 1 ? W(MOVA2D) : W(MOVDBGA2D);
        if (op == W(MOVDBGA2D)) /* does not wait */
            bare->tile.tensix->src->to_matrix[0][0] = bare->tile.tensix->src->to_matrix[0][1] = false;
        check_to_dst(bare, &shape, false,
                     op | V(MOVA2D, dst, dst) | V(MOVA2D, src, src) | V(MOVA2D, instr_mod, eight << 1) |
                         V(MOVA2D, dest_32b_lo, shape.low) | V(MOVA2D, addr_mode, 5));
    }
}

static void test_b_to_dst(void **state)
{
    bare_seed();
    struct bare *bare = *state;
    for (unsigned i = 0; i < 600; i++) {
        struct shape shape = random_shape(bare);
        shape.low &= low_allowed(bare, &shape);
        unsigned dst = bare_random() & 1023, src = bare_random() & 63, mode = bare_random() & 7;
        if (shape.format == FP16 || shape.format == INT8) {
            shape.other_format = FP16;
            CFG_SET(bare, ALU_FORMAT_SPEC_REG1_SrcB, FP16);
        }
        shape.rows = mode & 2 ? 8 : mode & 4 ? 4 : 1;
        shape.src_step = !(mode & 2);
        shape.column_0 = mode & 1;
        shape.dst_row = dst_row_of(bare, dst) & ~(shape.rows - 1);
        shape.src_row = (src + bare->tile.tensix->rwc[0].srcb) & ((mode & 6) == 4 ? 0x3C : 0x3F);
        uint32_t op = bare_random() & 1 ? W(MOVB2D) : W(MOVDBGB2D);
        if (op == W(MOVDBGB2D))
            bare->tile.tensix->src->to_matrix[1][0] = bare->tile.tensix->src->to_matrix[1][1] = false;
        check_to_dst(bare, &shape, true,
                     op | V(MOVB2D, dst, dst) | V(MOVB2D, src, src) | V(MOVB2D, movb2d_instr_mod, mode) |
                         V(MOVB2D, dest_32b_lo, shape.low) | V(MOVB2D, addr_mode, 5));
    }
}

/* Issues 449 and 1680 of tt-llk: with Fp32_enabled a row of BF16 becomes one of FP32 on Blackhole. On Wormhole it goes
   to a row of 16 bits, where the ninth row is the low half of the first. */
static void rows_of_bf16_in_wide_dst(void **state)
{
    struct bare *bare = *state;
    bool by_format = bare->tile.arch->units.moves_by_format;
    for (unsigned side = 0; side < 2; side++) {
        fpu_fresh(state);
        fpu_format(bare, BF16, BF16);
        CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, 1);
        struct tf_dst *dst = bare->tile.tensix->dst;
        memset(dst->bits, 0x55, sizeof dst->bits);
        fpu_row(bare, side, 0)[3] = fpu_src(1, 127, 0x2A8);
        execute(bare, 0, (side ? W(MOVB2D) : W(MOVA2D)) | V(MOVA2D, dst, 8));
        unsigned row = by_format ? 8 : 16, other = by_format ? 16 : 8;
        assert_int_equal(dst->bits[row][3], 1 << 15 | 0x2A8 >> 3 << 8 | 127);
        assert_int_equal(dst->bits[row + 8][3], by_format ? 0x5555 : 0);
        assert_int_equal(dst->bits[other][3], 0x5555);
    }
}

/* An erratum of Blackhole. Wormhole's page defines the result. */
static void low_halves_of_tf32(void **state)
{
    struct bare *bare = *state;
    const uint32_t words[] = {W(MOVA2D) | V(MOVA2D, dest_32b_lo, 1), W(MOVB2D) | V(MOVB2D, dest_32b_lo, 1)};
    for (unsigned side = 0; side < 2; side++) {
        fpu_fresh(state);
        fpu_format(bare, TF32, BF16);
        if (bare->tile.arch->units.moves_by_format)
            execute(bare, 0, words[side]);
        else
            execute_fault(bare, 0, words[side], TF_FAULT_UNDEFINED);
    }
}

static uint32_t src_of(const struct shape *shape, uint32_t value)
{
    bool fp16 = shape->format == FP16 || shape->format == INT8;
    uint32_t half = shape->low ? value & 0xFFFF : value >> 16;
    if (shape->format == TF32)
        return shape->low
                   ? value & 0x1FFF
                   : value >> 31 << 18 | (value >> 24 & 127) << 11 | (value >> 13 & 7) << 8 | (value >> 16 & 255);
    return fp16 ? half >> 15 << 18 | (half >> 5 & 1023) << 8 | (half & 31)
                : half >> 15 << 18 | (half >> 8 & 127) << 11 | (half & 255);
}

static void test_dst_to_src(void **state)
{
    bare_seed();
    struct bare *bare = *state;
    for (unsigned i = 0; i < 800; i++) {
        struct shape shape = random_shape(bare);
        unsigned side = i & 1, dst = bare_random() & 1023, src = bare_random() & 63, four = bare_random() & 1;
        struct tf_tensix *tensix = bare->tile.tensix;
        shape.rows = four ? 4 : 1;
        shape.dst_row = dst_row_of(bare, dst) & ~(shape.rows - 1);
        shape.src_row = (src + (side ? tensix->rwc[0].srcb : tensix->rwc[0].srca)) & 63 & ~(shape.rows - 1);
        /* They do not wait for banks. */
        memset(tensix->src->to_matrix, 0, sizeof tensix->src->to_matrix);
        uint32_t word = (side ? W(MOVD2B) : W(MOVD2A)) | V(MOVD2A, dst, dst) | V(MOVD2A, src, src) |
                        V(MOVD2A, instr_mod, four << 1) | V(MOVD2A, dest_32b_lo, shape.low) | V(MOVD2A, addr_mode, 5);
        if (!shape.wide && (shape.low || shape.format == TF32)) {
            execute_fault(bare, 0, word, TF_FAULT_UNDEFINED);
            continue;
        }
        static uint32_t expected[2][2][64][16];
        memcpy(expected, tensix->src_data->datum, sizeof expected);
        struct tf_dst *before = copy_of_dst(bare);
        struct tf_dst_map map = tf_dst_map(&bare->tile);
        for (unsigned row = 0; row < shape.rows; row++) {
            unsigned at = shape.wide ? tf_dst_row32(map, shape.dst_row + row) : tf_dst_row16(map, shape.dst_row + row);
            for (unsigned column = 0; column < 16; column++) {
                uint32_t value = shape.wide ? tf_dst_read32(before, at, column)
                                            : (uint32_t)before->bits[at][column] << 16;
                if (!(shape.blocked >> column & 1))
                    expected[side][tensix->src->matrix_bank[side]][shape.src_row + row][column] =
                        src_of(&shape, tf_dst_is_undefined(before, at) ? 0 : value);
            }
        }
        execute(bare, 0, word);
        assert_memory_equal(expected, tensix->src_data->datum, sizeof expected);
        assert_memory_equal(before, tensix->dst, sizeof *before);
        free(before);
    }
}

/* For data from SrcB, and for data to SrcB, SrcB's bank implies SrcAFmt. */
static void test_implied_formats(void **state)
{
    struct bare *bare = fpu_fresh(state);
    struct tf_tensix *tensix = bare->tile.tensix;
    for (unsigned side = 0; side < 2; side++) {
        fpu_fresh(state);
        tensix->src->format[side][0] = FP16;
        tensix->src->format[!side][0] = tensix->src->format[!side][1] = tensix->src->format[side][1] = NONE;
        fpu_row(bare, side, 0)[3] = fpu_src(1, 7, 0x155);
        execute(bare, 0, side ? W(MOVB2D) : W(MOVA2D));
        assert_int_equal(tensix->dst->bits[0][3], 1 << 15 | 0x155 << 5 | 7);
        execute(bare, 0, (side ? W(MOVD2B) : W(MOVD2A)) | V(MOVD2A, src, 9));
        assert_int_equal(fpu_row(bare, side, 9)[3], fpu_src(1, 7, 0x155));
        tensix->src->format[side][0] = NONE;
        execute_fault(bare, 0, side ? W(MOVB2D) : W(MOVA2D), TF_FAULT_UNDEFINED);
        execute_fault(bare, 0, side ? W(MOVD2B) : W(MOVD2A), TF_FAULT_UNDEFINED);
    }
}

static void test_b_to_a(void **state)
{
    bare_seed();
    struct bare *bare = *state;
    for (unsigned i = 0; i < 300; i++) {
        struct shape shape = random_shape(bare);
        struct tf_tensix *tensix = bare->tile.tensix;
        unsigned a = bare_random() & 63, b = bare_random() & 63, four = bare_random() & 1, mask = four ? 0x3C : 0x3F;
        static uint32_t expected[2][2][64][16];
        memcpy(expected, tensix->src_data->datum, sizeof expected);
        for (unsigned row = 0; row < (four ? 4 : 1); row++) {
            for (unsigned column = 0; column < 16; column++) {
                uint32_t datum = fpu_row(bare, TF_SRC_B, ((b + tensix->rwc[0].srcb) & mask) + row)[column];
                if (!(shape.blocked >> column & 1))
                    expected[0][tensix->src->matrix_bank[0]][((a + tensix->rwc[0].srca) & mask) + row][column] =
                        !shape.keep && (datum & 255) == 0 ? 0 : datum;
            }
        }
        tensix->src->to_matrix[0][0] = tensix->src->to_matrix[0][1] = false; /* it has no effect here */
        execute(bare, 0, W(MOVB2A) | V(MOVB2A, srca, a) | V(MOVB2A, srcb, b) | V(MOVB2A, instr_mod, four << 1));
        assert_memory_equal(expected, tensix->src_data->datum, sizeof expected);
    }
}

static void test_transpose_b(void **state)
{
    bare_seed();
    struct bare *bare = fpu_fresh(state);
    fill(bare);
    static uint32_t before[2][2][64][16];
    bare->tile.tensix->src->matrix_bank[1] = 1;
    memcpy(before, bare->tile.tensix->src_data->datum, sizeof before);
    execute(bare, 0, W(TRNSPSRCB));
    for (unsigned i = 0; i < 16; i++)
        for (unsigned j = 0; j < 16; j++)
            assert_int_equal(fpu_row(bare, TF_SRC_B, 16 + i)[j], before[1][1][16 + j][i]);
    execute(bare, 0, W(TRNSPSRCB));
    assert_memory_equal(before, bare->tile.tensix->src_data->datum, sizeof before);
}

/* SHIFTXA takes the 16 rows that the last instruction before it used. */
static void test_shift_a(void **state)
{
    bare_seed();
    struct bare *bare = fpu_fresh(state);
    static const uint32_t ops[] = {
        W(MVMUL),  W(ELWADD), W(ELWSUB), W(ELWMUL), W(DOTPV), W(GAPOOL), W(GMPOOL) | V(GMPOOL, instr_mod19, 1),
        W(MOVA2D), W(MOVD2A), W(MOVB2A), W(MOVB2D), W(MOVD2B)};
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0] * 2; i++) {
        fill(bare);
        fpu_format(bare, BF16, BF16);
        unsigned from = bare_random() % 48, right = i & 1;
        bare->tile.tensix->rwc[0].srca = (uint8_t)from;
        execute(bare, 0, ops[i / 2]);
        static uint32_t rows[64][16];
        memcpy(rows, fpu_bank(bare, 0, 0), sizeof rows);
        bare->tile.tensix->rwc[0].srca = 60;
        execute(bare, 0, W(SHIFTXA) | V(SHIFTXA, shift_mode, right ? 2 : 3));
        for (unsigned row = 0; row < 64; row++)
            for (unsigned column = 0; column < 16; column++) {
                uint32_t expected = rows[row][column];
                if (row < 16)
                    expected = right ? (column == 0 ? 0 : rows[(from & 0x30) + row][column - 1])
                                     : (column == 15 ? 0 : rows[(from & 0x30) + row][column + 1]);
                assert_int_equal(fpu_row(bare, TF_SRC_A, row)[column], expected);
            }
    }
    execute_fault(bare, 0, W(SHIFTXA) | V(SHIFTXA, shift_mode, 1), TF_FAULT_UNDEFINED);
    execute_fault(bare, 0, W(SHIFTXA) | V(SHIFTXA, shift_mode, 2) | V(SHIFTXA, log2_amount2, 1), TF_FAULT_UNDEFINED);
}

/* The row that SHIFTXA will use is state. */
static void test_hash(void **state)
{
    struct bare *bare = fpu_fresh(state);
    uint64_t before = bare_hash(bare);
    bare->tile.tensix->fpu->srca_row = 16;
    assert_true(bare_hash(bare) != before);
    bare->tile.tensix->fpu->srca_row = 0;
    assert_true(bare_hash(bare) == before);
    assert_true(tf_fpu_choose(&bare->tile, TF_VECTORS_PORTABLE));
    assert_true(bare_hash(bare) == before);
}

static void test_shift_b(void **state)
{
    bare_seed();
    struct bare *bare = fpu_fresh(state);
    for (unsigned i = 0; i < 100; i++) {
        fill(bare);
        unsigned row = bare_random() & 63, zero = bare_random() & 1;
        bare->tile.tensix->rwc[0].srcb = bare_random() & 63;
        unsigned at = (row + bare->tile.tensix->rwc[0].srcb) & 63;
        static uint32_t expected[64][16];
        memcpy(expected, fpu_bank(bare, 1, 0), sizeof expected);
        uint32_t first = expected[at][0];
        for (unsigned column = 0; column < 15; column++)
            expected[at][column] = expected[at][column + 1];
        expected[at][15] = zero ? 0 : first;
        execute(bare, 0, W(SHIFTXB) | V(SHIFTXB, shift_row, row) | V(SHIFTXB, rot_shift, zero));
        assert_memory_equal(expected, fpu_bank(bare, 1, 0), sizeof expected);
    }
}

static void test_zero_src(void **state)
{
    bare_seed();
    struct bare *bare = *state;
    for (unsigned i = 0; i < 32 * 16; i++) {
        fpu_fresh(state);
        fill(bare);
        struct tf_src_banks *banks = bare->tile.tensix->src;
        for (unsigned side = 0; side < 2; side++) {
            banks->matrix_bank[side] = i >> (5 + side) & 1;
            banks->unpack_bank[side] = i >> (7 + side) & 1;
        }
        static uint32_t expected[2][2][64][16];
        memcpy(expected, bare->tile.tensix->src_data->datum, sizeof expected);
        unsigned sides = i & 3, both = i >> 2 & 1, matrix = i >> 3 & 1, infinity = i >> 4 & 1;
        for (unsigned at = 0; at < 4 * 64 * 16; at++) {
            unsigned side = at >> 11, bank = at >> 10 & 1;
            if ((sides >> side & 1) && (both || bank == (matrix ? banks->matrix_bank : banks->unpack_bank)[side]))
                expected[side][bank][at >> 4 & 63][at & 15] = infinity && side == 0 ? DATUM : 0;
        }
        execute(bare, 0,
                W(ZEROSRC) | V(ZEROSRC, src_mask, sides) | V(ZEROSRC, bank_mask, both) |
                    V(ZEROSRC, write_mode, matrix) | V(ZEROSRC, zero_val, infinity));
        assert_memory_equal(expected, bare->tile.tensix->src_data->datum, sizeof expected);
    }
}

static void test_waits_for_banks(void **state)
{
    static const struct {
        uint32_t word;
        unsigned side;
    } waits[] = {{W(MOVA2D), 0},    {W(MOVB2D), 1},  {W(MOVB2A), 1},
                 {W(TRNSPSRCB), 1}, {W(SHIFTXB), 1}, {W(SHIFTXA) | V(SHIFTXA, shift_mode, 2), 0}};
    for (unsigned i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        struct bare *bare = fpu_fresh(state);
        bare->tile.tensix->src->to_matrix[waits[i].side][0] = false;
        bare_push(bare, 0, waits[i].word);
        assert_waits(bare, 0, waits[i].word);
        execute(bare, 1, W(SETDVALID) | V(SETDVALID, setvalid, 1u << waits[i].side));
        assert_passed(bare, 0);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_a_to_dst),
        TEST(test_b_to_dst),
        TEST(test_dst_to_src),
        TEST(test_implied_formats),
        TEST(test_b_to_a),
        TEST(test_transpose_b),
        TEST(test_shift_a),
        TEST(test_hash),
        TEST(test_shift_b),
        TEST(test_zero_src),
        TEST(test_waits_for_banks),
        TEST(rows_of_bf16_in_wide_dst),
        TEST(low_halves_of_tf32),
        cmocka_unit_test_setup_teardown(low_halves_of_tf32, bare_setup_wormhole, bare_teardown),
        cmocka_unit_test_setup_teardown(rows_of_bf16_in_wide_dst, bare_setup_wormhole, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
