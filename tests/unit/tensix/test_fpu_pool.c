/* SPDX-License-Identifier: Apache-2.0 */
/* GMPOOL against a model that takes one datum at a time (GMPOOL.md). */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "unit/tensix/fpu.h"
#include "unit/tensix/reported.h"

struct datum {
    int sign, exponent, magnitude;
};

static int64_t order(struct datum d)
{
    return (d.sign ? -1 : 1) * ((int64_t)d.exponent * 1024 + d.magnitude);
}

static struct datum scaled(uint32_t a, uint32_t b, unsigned style)
{
    if ((b & 255) == 0)
        return (struct datum){1, 511, 1023};
    if ((a & 255) == 0)
        return (struct datum){0, 0, 0};
    struct datum d = {(int)(a >> 18), (int)(a & 255) + (int)(b & 255), (int)(a >> 8 & 1023)};
    if (style == INT8)
        d.exponent = 0;
    if (style == FP16)
        d.exponent = (int)(a & 31) + (int)(b & 31);
    if (style == BF16)
        d.magnitude &= ~7;
    return d;
}

static struct datum pool_read(uint32_t value, unsigned style)
{
    switch (style) {
    case INT32:
        return (struct datum){(int)(value >> 31), (int)((value >> 10 & 63) | (value >> 24 & 7) << 6),
                              (int)(value & 1023)};
    case FP16: return (struct datum){(int)(value >> 31), (int)(value >> 16 & 31) + 15, (int)(value >> 21 & 1023)};
    case BF16: return (struct datum){(int)(value >> 31), (int)(value >> 16 & 255) + 127, (int)(value >> 24 & 127) * 8};
    default:
        return (struct datum){(int)(value >> 31), (int)(value >> 16 & 255) + 127,
                              (int)((value >> 24 & 127) * 8 + (value >> 13 & 7))};
    }
}

static uint32_t pool_written(struct datum d, unsigned style)
{
    uint32_t sign = (uint32_t)d.sign << 31, exponent = (uint32_t)d.exponent, magnitude = (uint32_t)d.magnitude;
    switch (style) {
    case INT32: return sign | (exponent & 7) << 10 | magnitude;
    case FP16: return exponent % 64 == 0 ? 0 : sign | magnitude << 21 | ((exponent - 15) & 31) << 16;
    default:
        if (exponent == 0)
            return 0;
        return sign | magnitude / 8 << 24 | ((exponent - 127) & 255) << 16 | (style == TF32 ? magnitude % 8 << 13 : 0);
    }
}

struct pool_mode {
    unsigned source, dst;
    bool wide, arg_max;
};

static uint32_t pool_model(const struct pool_mode *mode, const uint32_t *a, const uint32_t *b, uint32_t value)
{
    static const uint8_t transform[] = {0, 3, 6, 1, 4, 7, 2, 5};
    struct datum largest = pool_read(value, mode->dst);
    uint8_t index = (uint8_t)value;
    uint32_t phase = (value + 0x100) & 0xF00;
    for (unsigned i = 0; i < 16; i++) {
        unsigned row = i < 8 ? i ^ 4 : i;
        struct datum d = scaled(a[row * 16], b[row], mode->source);
        if (order(d) >= order(largest)) {
            largest = d;
            if (row < 8)
                index = (uint8_t)((phase >> 4) + transform[row]);
        }
    }
    if (!mode->arg_max)
        return pool_written(largest, mode->dst);
    return (mode->dst == INT32 ? 0 : pool_written(largest, mode->dst)) | phase | index;
}

static void check_pool(struct bare *bare, const struct pool_mode *mode)
{
    struct tf_dst *dst = bare->tile.tensix->dst, before = *dst;
    unsigned step = mode->wide ? TF_DST_LOW_ROWS : 0, at = 36; /* physical row of row 20 or 36 */
    const uint32_t *a = fpu_row(bare, TF_SRC_A, 32), *b = fpu_row(bare, TF_SRC_B, 8);
    execute(bare, 0,
            W(GMPOOL) | V(GMPOOL, instr_mod19, 1) | V(GMPOOL, max_pool_index_en, mode->arg_max) |
                V(GMPOOL, dst, mode->wide ? 20 : 36));
    for (unsigned j = 0; j < 16; j++) {
        uint32_t old = (uint32_t)before.bits[at][j] << 16 | (mode->wide ? before.bits[at + step][j] : 0);
        if (tf_dst_is_undefined(&before, at))
            old = mode->wide ? 0xFFFFFFFF : 0xFFFF0000;
        uint32_t expected = pool_model(mode, a + j, b, old);
        assert_int_equal(dst->bits[at][j], expected >> 16);
        if (mode->wide)
            assert_int_equal(dst->bits[at + step][j], expected & 0xFFFF);
        for (unsigned i = 1; i < 4; i++) {
            uint32_t low = tf_dst_is_undefined(&before, at + i) ? 0xFFFF : before.bits[at + step + i][j];
            assert_int_equal(dst->bits[at + i][j], 0);
            if (mode->wide)
                assert_int_equal(dst->bits[at + step + i][j], mode->arg_max ? (low + 0x100) & 0xF00 : 0);
            assert_false(tf_dst_is_undefined(dst, at + i));
        }
    }
}

static void fill_pool(struct bare *bare, const struct pool_mode *mode)
{
    unsigned center = mode->source == FP16 ? 12 : bare_random() % 2 ? 127 : 60 + bare_random() % 120;
    unsigned few = bare_random() % 3; /* few different values: ties */
    for (unsigned i = 0; i < 64 * 16; i++) {
        uint32_t datum = few != 0 ? fpu_src(bare_random() & 1, center + bare_random() % few, bare_random() % few * 64)
                                  : fpu_random_src(center, 4, 255);
        fpu_row(bare, TF_SRC_A, i / 16)[i % 16] = datum;
        uint32_t one = mode->source == FP16 ? 15 : 127;
        fpu_row(bare, TF_SRC_B, i / 16)[i % 16] = fpu_src(0,
                                                          bare_random() % 8 == 0   ? 0
                                                          : bare_random() % 4 == 0 ? one + bare_random() % 4
                                                                                   : one,
                                                          0x155);
    }
    struct tf_dst *dst = bare->tile.tensix->dst;
    for (unsigned row = 32; row < 64; row++) {
        for (unsigned j = 0; j < 16; j++)
            dst->bits[row][j] = (uint16_t)((bare_random() & 0xFF00) | center);
        if (bare_random() % 3 == 0)
            tf_dst_undefine(dst, row);
        else
            tf_dst_define(dst, row);
    }
}

static void test_pool(void **state)
{
    static const struct {
        unsigned format, wide_dst, narrow_dst, index_dst;
    } types[] = {{BF16, TF32, BF16, BF16}, {FP16, TF32, FP16, FP16}, {TF32, TF32, BF16, INT32}};
    bare_seed();
    for (unsigned i = 0; i < 3000; i++) {
        struct bare *bare = fpu_fresh(state);
        assert_true(tf_fpu_choose(&bare->tile, (enum tf_vectors)(i % TF_VECTOR_LEVELS)) ||
                    i % TF_VECTOR_LEVELS != TF_VECTORS_PORTABLE);
        unsigned type = bare_random() % 4;
        struct pool_mode mode = {.wide = bare_random() & 1, .arg_max = bare_random() & 1};
        if (type == 3) {
            mode = (struct pool_mode){INT8, INT32, true, mode.arg_max};
            CFG_SET(bare, ALU_ACC_CTRL_INT8_math_enabled, 1);
        } else {
            mode.source = types[type].format;
            mode.dst = mode.arg_max && (mode.wide || mode.source == TF32) ? types[type].index_dst
                       : mode.wide                                        ? types[type].wide_dst
                                                                          : types[type].narrow_dst;
            fpu_format(bare, mode.source, mode.source);
            CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, mode.wide);
        }
        bare->tile.tensix->rwc[0].srca = 32 + bare_random() % 16;
        bare->tile.tensix->rwc[0].srcb = 8 + bare_random() % 8;
        fill_pool(bare, &mode);
        check_pool(bare, &mode);
    }
}

/* Rows of SrcA are needed whose column of SrcB is not 0. An index alone is one of the first eight rows. */
static void test_checker_hears_of_needed_rows(void **state)
{
    static const struct {
        unsigned format;
        bool arg_max;
        unsigned rows;
    } cases[] = {{TF32, true, 8}, {TF32, false, 16}, {BF16, true, 16}, {BF16, false, 16}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bare *bare = fpu_fresh(state);
        struct reported reported = reported_none(), expected = reported;
        const bool *needed = reported.row[TF_CHECK_SRCA][TF_CHECK_NEEDS];
        bool *row = expected.row[TF_CHECK_SRCA][TF_CHECK_NEEDS];
        fpu_format(bare, cases[i].format, cases[i].format);
        fpu_row(bare, TF_SRC_B, 0)[2] = fpu_row(bare, TF_SRC_B, 0)[9] = fpu_src(0, 127, 0);
        fpu_row(bare, TF_SRC_B, 1)[3] = fpu_src(0, 127, 0); /* it reads only the first row */
        bare->tile.tensix->rwc[0].srca = 16;
        bare->tile.check = &reported.check;
        execute(bare, 0, W(GMPOOL) | V(GMPOOL, instr_mod19, 1) | V(GMPOOL, max_pool_index_en, cases[i].arg_max));
        bare->tile.check = NULL;
        row[16 + 2] = true;
        row[16 + 9] = cases[i].rows == 16;
        assert_memory_equal(needed, row, TF_DST_ROWS);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_pool),
        TEST(test_checker_hears_of_needed_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
