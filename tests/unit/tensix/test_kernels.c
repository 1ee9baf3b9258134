/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs in the way of tt-llk's kernels for pooling, top-k, cumulative sums, layer and group norm. Instructions and
 * their configuration pass the frontend. Results are compared with the formulas of tt-llk's golden models.
 */
#include <math.h>

#include "tile/tensix/data/lreg.h"
#include "host/vectors.h"
#include "tile/hash.h"
#include "tile/tensix/vector/set.h"
#include "unit/tensix/fpu.h"

#define ROWS 64u     /* of a tile in Dst: four faces of 16 rows and 16 columns */
#define INDICES 128u /* rows that indices begin at, as tt-llk has them */

enum { BF16_FLOATS = 2, FLOATS = 3, INTEGERS = 4, LOW_16 = 6 }; /* Mod0 of SFPLOAD and SFPSTORE */
enum { ALL_ROWS_MAX = 1, ROWS_01_MAX = 2, ROWS_02_MAX = 3 };    /* Mod1 of SFPSWAP */

static void go(struct bare *bare, uint32_t word)
{
    const struct tf_tensix_thread *thread = &bare->tile.tensix->thread[0];
    bare_push(bare, 0, word);
    bare_run(bare, 40);
    if (bare->tile.faults.count != 0)
        fail_msg("%s", bare->tile.faults.entry[0].text);
    assert_true(!thread->gate.full && thread->fifo.count == 0);
}

static void record(struct bare *bare, const uint32_t *words, unsigned count)
{
    go(bare, W(REPLAY) | V(REPLAY, load_mode, 1) | V(REPLAY, len, count));
    for (unsigned i = 0; i < count; i++)
        go(bare, words[i]);
}

static void play(struct bare *bare, unsigned first, unsigned count)
{
    go(bare, W(REPLAY) | V(REPLAY, start_idx, first) | V(REPLAY, len, count));
}

static void load(struct bare *bare, unsigned lreg, unsigned format, unsigned row)
{
    go(bare, W(SFPLOAD) | V(SFPLOAD, lreg_ind, lreg) | V(SFPLOAD, instr_mod0, format) | V(SFPLOAD, dest_reg_addr, row));
}

static void store(struct bare *bare, unsigned lreg, unsigned format, unsigned row)
{
    go(bare,
       W(SFPSTORE) | V(SFPSTORE, lreg_ind, lreg) | V(SFPSTORE, instr_mod0, format) | V(SFPSTORE, dest_reg_addr, row));
}

/* `most` gets the larger value. With `mod1`, each lane of its row of lanes does. */
static uint32_t swap(unsigned most, unsigned least, unsigned mod1)
{
    return W(SFPSWAP) | V(SFPSWAP, lreg_src_c, most) | V(SFPSWAP, lreg_dest, least) | V(SFPSWAP, instr_mod1, mod1);
}

static void set(struct bare *bare, unsigned row, unsigned column, uint32_t value)
{
    unsigned physical = tf_dst_row32(tf_dst_map(&bare->tile), row);
    tf_dst_write32(bare->tile.tensix->dst, physical, column, tf_dst_shuffle32(value));
    tf_dst_define(bare->tile.tensix->dst, physical);
}

static uint32_t get(struct bare *bare, unsigned row, unsigned column)
{
    unsigned physical = tf_dst_row32(tf_dst_map(&bare->tile), row);
    return tf_dst_unshuffle32(tf_dst_read32(bare->tile.tensix->dst, physical, column));
}

static uint32_t bits(float value)
{
    uint32_t result;
    memcpy(&result, &value, sizeof result);
    return result;
}

static float number(uint32_t value)
{
    float result;
    memcpy(&result, &value, sizeof result);
    return result;
}

/* Different numbers, in random order. */
static float any_number(void)
{
    return ((float)(bare_random() % 2000000) - 1000000) / 1024;
}

static void fill(struct bare *bare, float x[ROWS][16])
{
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned column = 0; column < 16; column++) {
            x[row][column] = any_number();
            set(bare, row, column, bits(x[row][column]));
            set(bare, INDICES + row, column, row);
        }
}

/* Four rows of the faces on the left and on the right, columns of even and odd numbers, into four registers. */
static const uint8_t quarters[4] = {0, 2, 16, 18};

/* Running sums of columns: rows become registers by SFPTRANSP, and each register gets the one before it. */
static void cumulative_sum(void **state)
{
    struct bare *bare = fpu_fresh(state);
    float x[ROWS][16], sum[2][16] = {{0}};
    uint32_t adds[16];
    fill(bare, x);
    for (unsigned i = 0; i < 8; i++) {
        adds[2 * i] = W(SFPADD) | V(SFPADD, lreg_src_a, 10) | V(SFPADD, lreg_src_b, (i + 7) % 8) |
                      V(SFPADD, lreg_src_c, i) | V(SFPADD, lreg_dest, i);
        adds[2 * i + 1] = W(SFPNOP);
    }
    record(bare, adds, 16);
    for (unsigned i = 4; i < 8; i++)
        go(bare, W(SFPMOV) | V(SFPMOV, lreg_c, 9) | V(SFPMOV, lreg_dest, i));
    for (unsigned block = 0; block < 8; block++) { /* the last one's carry is in the other four registers */
        unsigned row = block * 4 + (block >= 4 ? 16 : 0), first = block % 2 * 4;
        for (unsigned i = 0; i < 4; i++)
            load(bare, first + i, FLOATS, row + quarters[i]);
        go(bare, W(SFPTRANSP));
        play(bare, 2 * first, 8);
        go(bare, W(SFPTRANSP));
        for (unsigned i = 0; i < 4; i++)
            store(bare, first + i, FLOATS, row + quarters[i]);
    }
    for (unsigned row = 0; row < ROWS; row++)
        for (unsigned column = 0; column < 16; column++) {
            float *to = &sum[row / 16 % 2][column];
            *to += x[row][column];
            assert_int_equal(get(bare, row, column), bits(*to));
        }
}

/* LReg[4] to LReg[7] follow the changes of LReg[0] to LReg[3] (ENABLE_DEST_INDEX). All other bits are those of
   `more`. */
static void track_indices(struct bare *bare, uint32_t more)
{
    go(bare,
       W(SFPCONFIG) | V(SFPCONFIG, imm16_math, 4 | more) | V(SFPCONFIG, config_dest, 15) | V(SFPCONFIG, instr_mod1, 1));
}

/* Four phases of a bitonic sort, of each column's 16 numbers with their indices. */
static void sort(struct bare *bare, bool ascending)
{
    const uint32_t transpose = W(SFPTRANSP);
    const uint32_t first[] = {transpose,
                              swap(0, 1, ALL_ROWS_MAX),
                              swap(3, 2, ALL_ROWS_MAX),
                              swap(0, 2, ROWS_02_MAX),
                              swap(1, 3, ROWS_02_MAX),
                              swap(0, 1, ROWS_02_MAX),
                              swap(2, 3, ROWS_02_MAX),
                              transpose,
                              swap(0, 1, ALL_ROWS_MAX),
                              swap(2, 3, ALL_ROWS_MAX),
                              swap(2, 3, 0),
                              transpose,
                              swap(0, 2, ROWS_01_MAX),
                              swap(1, 3, ROWS_01_MAX),
                              swap(0, 1, ROWS_01_MAX),
                              swap(2, 3, ROWS_01_MAX),
                              transpose};
    const uint32_t last[] = {swap(0, 2, ALL_ROWS_MAX), swap(1, 3, ALL_ROWS_MAX), swap(0, 1, ALL_ROWS_MAX),
                             swap(2, 3, ALL_ROWS_MAX), transpose};
    for (unsigned i = 0; i < sizeof first / sizeof first[0]; i++)
        go(bare, first[i]);
    track_indices(bare, ascending ? 0x100 : 0); /* EXCHANGE_SRCB_SRCC: smaller values go to the places of larger ones */
    record(bare, last, 5);
    play(bare, 0, 5);
    play(bare, 0, 5);
    track_indices(bare, 0);
}

/* Numbers in bf16 and indices of 16 bits, as a Dst of 16 bits holds them. */
static void fill_narrow(struct bare *bare, float x[ROWS][16])
{
    struct tf_dst *dst = bare->tile.tensix->dst;
    for (unsigned row = 0; row < 16; row++)
        for (unsigned column = 0; column < 16; column++) {
            x[row][column] = number(bits(x[row][column]) & 0xFFFF0000u);
            dst->bits[row][column] = tf_dst_shuffle_bf16((uint16_t)(bits(x[row][column]) >> 16));
            dst->bits[INDICES + row][column] = (uint16_t)row;
            tf_dst_define(dst, row);
            tf_dst_define(dst, INDICES + row);
        }
}

static uint32_t get_narrow(struct bare *bare, unsigned row, unsigned column)
{
    uint16_t datum = bare->tile.tensix->dst->bits[row][column];
    return row >= INDICES ? datum : (uint32_t)tf_dst_unshuffle_bf16(datum) << 16;
}

static void top_k(void **state)
{
    for (unsigned way = 0; way < 4; way++) {
        bool ascending = way & 1, narrow = way & 2;
        uint32_t (*result)(struct bare *, unsigned, unsigned) = narrow ? get_narrow : get;
        unsigned floats = narrow ? BF16_FLOATS : FLOATS, integers = narrow ? LOW_16 : INTEGERS;
        struct bare *bare = fpu_fresh(state);
        float x[ROWS][16];
        fill(bare, x);
        if (narrow)
            fill_narrow(bare, x);
        track_indices(bare, 0);
        for (unsigned half = 0; half < 4; half += 2) { /* columns of even and odd numbers */
            for (unsigned i = 0; i < 4; i++) {
                load(bare, i, floats, 4 * i + half);
                load(bare, 4 + i, integers, INDICES + 4 * i + half);
            }
            sort(bare, ascending);
            for (unsigned i = 0; i < 4; i++) {
                store(bare, i, floats, 4 * i + half);
                store(bare, 4 + i, integers, INDICES + 4 * i + half);
            }
        }
        for (unsigned column = 0; column < 16; column++) {
            uint32_t seen = 0;
            for (unsigned row = 0; row < 16; row++) {
                uint32_t index = result(bare, INDICES + row, column);
                assert_true(index < 16);
                seen |= 1u << index;
                assert_int_equal(result(bare, row, column), bits(x[index][column]));
                if (row != 0 && ascending)
                    assert_true(number(result(bare, row - 1, column)) <= number(result(bare, row, column)));
                else if (row != 0)
                    assert_true(number(result(bare, row - 1, column)) >= number(result(bare, row, column)));
            }
            assert_int_equal(seen, 0xFFFF);
        }
    }
}

/* The largest of nine rows of 32 columns in row-major order, two rows of Dst each, and its place. */
static void max_pool_with_indices(void **state)
{
    struct bare *bare = fpu_fresh(state);
    float x[ROWS][16];
    const uint32_t most[] = {swap(0, 1, ALL_ROWS_MAX),
                             swap(2, 3, ALL_ROWS_MAX),
                             swap(0, 2, ALL_ROWS_MAX),
                             W(SFPTRANSP),
                             swap(0, 2, ALL_ROWS_MAX),
                             swap(1, 3, ALL_ROWS_MAX),
                             W(SFPTRANSP)};
    fill(bare, x);
    track_indices(bare, 0);
    record(bare, most, 7);
    for (unsigned half = 0; half < 4; half += 2) {
        for (unsigned i = 0; i < 4; i++) {
            load(bare, i, FLOATS, 4 * i + half);
            load(bare, 4 + i, INTEGERS, INDICES + 4 * i + half);
        }
        play(bare, 0, 7);
        load(bare, 1, FLOATS, 16 + half);
        load(bare, 5, INTEGERS, INDICES + 16 + half);
        go(bare, swap(0, 1, ALL_ROWS_MAX));
        store(bare, 4, INTEGERS, INDICES + half);
        store(bare, 0, FLOATS, half);
    }
    for (unsigned column = 0; column < 32; column++) {
        unsigned row = column / 16, largest = row;
        for (unsigned i = row; i < 18; i += 2)
            largest = x[i][column % 16] > x[largest][column % 16] ? i : largest;
        assert_int_equal(get(bare, row, column % 16), bits(x[largest][column % 16]));
        assert_int_equal(get(bare, INDICES + row, column % 16), largest);
    }
}

/* A row more for Welford's means (LReg[4]) and sums of squares (LReg[5]); LReg[7]: one by the number of rows. */
static void welford_row(uint32_t *words, unsigned input)
{
#define MAD(a, b, c, d) \
    W(SFPMAD) | V(SFPMAD, lreg_src_a, a) | V(SFPMAD, lreg_src_b, b) | V(SFPMAD, lreg_src_c, c) | V(SFPMAD, lreg_dest, d)
    const uint32_t row[] = {MAD(11, 4, input, 6), MAD(6, 7, 4, 6),
                            MAD(11, 4, input, 4), MAD(11, 6, input, input),
                            MAD(4, input, 5, 5),  W(SFPMOV) | V(SFPMOV, lreg_c, 6) | V(SFPMOV, lreg_dest, 4)};
    memcpy(words, row, sizeof row);
}

/* Mean and variance of columns in one pass, as layer norm and group norm have them. */
static void means_and_variances(void **state)
{
    struct bare *bare = fpu_fresh(state);
    float x[ROWS][16];
    uint32_t words[24];
    fill(bare, x);
    for (unsigned i = 0; i < 4; i++)
        welford_row(words + 6 * i, i);
    record(bare, words, 24);
    for (unsigned i = 4; i < 6; i++)
        go(bare, W(SFPMOV) | V(SFPMOV, lreg_c, 9) | V(SFPMOV, lreg_dest, i));
    for (unsigned row = 0; row < 32; row++) {
        if (row % 4 == 0) {
            go(bare, W(SFPTRANSP)); /* transposes LReg[4] to LReg[7] too, and the next one brings them back */
            for (unsigned i = 0; i < 4; i++)
                load(bare, i, FLOATS, row + (row >= 16 ? 16 : 0) + quarters[i]);
            go(bare, W(SFPTRANSP));
        }
        uint32_t reciprocal = bits(1.0f / (float)(row + 1));
        go(bare, W(SFPLOADI) | V(SFPLOADI, lreg_ind, 7) | V(SFPLOADI, instr_mod0, 8) | reciprocal >> 16);
        go(bare, W(SFPLOADI) | V(SFPLOADI, lreg_ind, 7) | V(SFPLOADI, instr_mod0, 10) | (reciprocal & 0xFFFF));
        play(bare, 6 * (row % 4), 6);
    }
    const struct tf_vector *vector = bare->tile.tensix->vector;
    for (unsigned lane = 0; lane < TF_LANES; lane++) {
        unsigned column = lane % 8 * 2 + lane / 8 % 2, face = lane / 16;
        double mean = 0, squares = 0;
        for (unsigned row = 0; row < 32; row++)
            mean += (double)x[row + row / 16 * 16 + 16 * face][column] / 32;
        for (unsigned row = 0; row < 32; row++) {
            double d = (double)x[row + row / 16 * 16 + 16 * face][column] - mean;
            squares += d * d;
        }
        assert_true(fabs((double)number(vector->lreg[4][lane]) - mean) < 1e-3);
        assert_true(fabs((double)number(vector->lreg[5][lane]) / squares - 1) < 1e-5);
    }
}

/* A datum of SrcA or SrcB from an integer below 256. */
static uint32_t src_of(unsigned value)
{
    unsigned power = value == 0 ? 0 : 31u - (unsigned)__builtin_clz(value);
    return value == 0 ? 0 : fpu_src(0, 127 + power, (value << (10 - power)) & 0x3FF);
}

static uint32_t bf16_of(unsigned value)
{
    return bits((float)value) >> 16;
}

/*
 * Sums, or maxima, of a face's rows. The face comes transposed and is pooled into a row of Dst. That row becomes a
 * column by SrcB, TRNSPSRCB and an addition to zero.
 */
static void reduced_rows(void **state)
{
    for (unsigned is_max = 0; is_max < 2; is_max++) {
        struct bare *bare = fpu_fresh(state);
        unsigned expected[16] = {0};
        fpu_format(bare, BF16, BF16);
        THREAD_SET(bare, ADDR_MOD_AB_SEC2_SrcBIncr, 8);
        THREAD_SET(bare, ADDR_MOD_DST_SEC2_DestIncr, 8);
        for (unsigned row = 0; row < 16; row++)
            for (unsigned column = 0; column < 16; column++) {
                unsigned value = bare_random() % 15;
                expected[row] = is_max ? (value > expected[row] ? value : expected[row]) : expected[row] + value;
                fpu_row(bare, 0, column)[row] = src_of(value);
            }
        for (unsigned column = 0; column < 16; column++)
            fpu_row(bare, 1, 0)[column] = src_of(1);
        if (is_max)
            go(bare, W(GMPOOL) | V(GMPOOL, instr_mod19, 1));
        else
            go(bare, W(GAPOOL) | V(GAPOOL, instr_mod19, 1));
        go(bare, W(SETRWC) | V(SETRWC, rwc_cr, 4) | V(SETRWC, bit_mask, 3));
        go(bare, W(MOVD2B) | V(MOVD2B, src, 16));
        go(bare, W(TRNSPSRCB));
        go(bare, W(MOVD2B) | V(MOVD2B, src, 16));
        for (unsigned i = 0; i < 2; i++)
            go(bare, W(SETRWC) | V(SETRWC, rwc_cr, 2) | V(SETRWC, rwc_b, 8) | V(SETRWC, bit_mask, 2));
        go(bare, W(ZEROSRC) | V(ZEROSRC, src_mask, 1) | V(ZEROSRC, bank_mask, 0) | V(ZEROSRC, write_mode, 1));
        for (unsigned i = 0; i < 2; i++)
            go(bare, W(ELWADD) | V(ELWADD, addr_mode, 2));
        struct tf_dst_map map = tf_dst_map(&bare->tile);
        for (unsigned row = 0; row < 16; row++) {
            uint16_t got = tf_dst_unshuffle_bf16(bare->tile.tensix->dst->bits[tf_dst_row16(map, row)][0]);
            assert_int_equal(got, bf16_of(expected[row]));
        }
    }
}

/* A face of 32-bit integers in Dst is transposed by halves: the high ones wait in SrcA while the low ones go through
   SrcB. Dst gives 16 bits of each datum (bit 11 of DBG_FEATURE_DISABLE), and no bits are taken for an exponent of 0. */
static void transposed_integers(void **state)
{
    struct bare *bare = fpu_fresh(state);
    uint32_t x[16][16];
    fpu_format(bare, INT32, INT32);
    CFG_SET(bare, ALU_ACC_CTRL_INT8_math_enabled, 1);
    CFG_SET(bare, ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
    bare->tile.mmio.debug.word[TF_DST_DEBUG_FEATURE_DISABLE / 4] = TF_DST_DEBUG_HIGH_HALVES;
    for (unsigned row = 0; row < 16; row++)
        for (unsigned column = 0; column < 16; column++)
            set(bare, row, column, x[row][column] = bare_random() >> column);
    for (unsigned low = 0; low < 2; low++) {
        for (unsigned row = 0; row < 16; row += 4)
            go(bare, W(MOVD2B) | V(MOVD2B, src, 16 + row) | V(MOVD2B, dst, row) | V(MOVD2B, instr_mod, 2) |
                         V(MOVD2B, dest_32b_lo, low));
        go(bare, W(TRNSPSRCB));
        for (unsigned row = 0; row < 16 && !low; row += 4)
            go(bare, W(MOVB2A) | V(MOVB2A, srca, 16 + row) | V(MOVB2A, srcb, 16 + row) | V(MOVB2A, instr_mod, 2));
    }
    for (unsigned row = 0; row < 16; row += 8)
        go(bare, W(MOVA2D) | V(MOVA2D, src, 16 + row) | V(MOVA2D, dst, row) | V(MOVA2D, instr_mod, 2));
    for (unsigned row = 0; row < 16; row += 4)
        go(bare, W(MOVB2D) | V(MOVB2D, src, 16 + row) | V(MOVB2D, dst, row) | V(MOVB2D, movb2d_instr_mod, 4) |
                     V(MOVB2D, dest_32b_lo, 1));
    for (unsigned row = 0; row < 16; row++)
        for (unsigned column = 0; column < 16; column++)
            assert_int_equal(get(bare, row, column), x[column][row]);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, bare_setup, bare_teardown)
    const struct CMUnitTest tests[] = {
        TEST(cumulative_sum),      TEST(top_k),        TEST(max_pool_with_indices),
        TEST(means_and_variances), TEST(reduced_rows), TEST(transposed_integers),
    };
    bare_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
