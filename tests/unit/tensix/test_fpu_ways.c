/* SPDX-License-Identifier: Apache-2.0 */
/* Several ways lead to equal bits in the matrix unit: sets of kernels, and SrcA's pieces kept or made anew. */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "unit/tensix/fpu.h"

static void issue(struct bare *bare, uint32_t word)
{
    tf_tensix_dispatch[word >> 24](&bare->tile, 0, word);
    assert_int_equal(bare->tile.faults.count, 0);
}

/* Numbers around the smallest: exponents of 0 to 3, and mantissas of few ones. */
static void make_tiny(uint32_t src[2][2][64][16], struct tf_dst *dst)
{
    for (unsigned k = 0; k < 64 * 16 * 4; k++)
        src[k >> 11][k >> 10 & 1][k >> 4 & 63][k & 15] &= k % 3 == 0 ? 0x40003 : k % 3 == 1 ? 0x48903 : 0x7FF03;
    for (unsigned k = 0; k < TF_DST_ROWS * 16; k++)
        dst->bits[k / 16][k % 16] &= k % 2 == 0 ? 0x8103 : 0xFF03;
}

/*
 * Few exponents, so that products are some 135 places apart: the limit of kernels that keep distances in bytes. Columns
 * of SrcA, and rows of SrcB, have only small numbers, or none.
 */
static void make_far(uint32_t src[2][2][64][16], struct tf_dst *dst)
{
    unsigned high[2], spread[2] = {bare_random() % 100, 0}, zeros = bare_random() % 3;
    spread[1] = 125 + bare_random() % 16 - spread[0];
    for (unsigned side = 0; side < 2; side++)
        high[side] = spread[side] + 1 + bare_random() % (252 - spread[side]);
    /* Every second time, the smallest products are about the least exponent. */
    unsigned near = 127 + 115 + bare_random() % 24 - high[0];
    if (bare_random() % 2 == 0 && near > spread[1] && near < 252)
        high[1] = near;
    for (unsigned k = 0; k < 64 * 16 * 4; k++) {
        uint32_t *datum = &src[k >> 11][k >> 10 & 1][k >> 4 & 63][k & 15];
        unsigned side = k >> 11, place = side == 0 ? k & 15 : k >> 4 & 7, exponent = high[side] + bare_random() % 2;
        if (place < 3 || bare_random() % 4 == 0)
            exponent -= spread[side];
        if ((place == 0 && zeros != 0) || bare_random() % 8 < zeros)
            exponent = 0;
        *datum = (*datum & 0x7FF00) | exponent;
    }
    for (unsigned k = 0; k < TF_DST_ROWS * 16; k++) {
        unsigned exponent = high[0] + high[1] - 127 - bare_random() % 8 - (bare_random() % 2) * bare_random() % 140;
        dst->bits[k / 16][k % 16] = (uint16_t)((dst->bits[k / 16][k % 16] & 0xFF00) | (exponent <= 255 ? exponent : 0));
    }
}

/* The parts of the kernels that the model does not have: each set by itself, on the same random words. */
static void test_choices(void **state)
{
    struct bare *bare = fpu_fresh(state);
    struct tf_tensix *tensix = bare->tile.tensix;
    static const uint32_t ops[] = {W(MVMUL),  W(GAPOOL), W(ELWADD) | V(ELWADD, dest_accum_en, 1),
                                   W(ELWSUB), W(ELWMUL), W(GMPOOL) | V(GMPOOL, instr_mod19, 1)};
    bare_seed();
    assert_non_null(tf_fpu_kernels_of(TF_EDITION_BLACKHOLE, TF_VECTORS_BEST));
    assert_null(tf_fpu_kernels_of(TF_EDITION_BLACKHOLE, TF_VECTOR_LEVELS));
    assert_false(tf_fpu_choose(&bare->tile, TF_VECTOR_LEVELS));
    for (unsigned i = 0; i < 1200; i++) {
        static uint32_t src[2][2][64][16];
        static struct tf_dst before, first;
        fpu_format(bare, i & 1 ? TF32 : BF16, i & 2 ? TF32 : BF16);
        CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, i >> 2 & 1);
        CFG_SET(bare, ALU_ACC_CTRL_INT8_math_enabled, i % 7 == 0);
        for (unsigned k = 0; k < 64 * 16 * 4; k++)
            src[k >> 11][k >> 10 & 1][k >> 4 & 63][k & 15] = bare_random() & 0x7FFFF;
        for (unsigned k = 0; k < TF_DST_ROWS * 16; k++)
            before.bits[k / 16][k % 16] = (uint16_t)bare_random();
        if (i % 5 < 2)
            make_tiny(src, &before);
        else if (i % 5 < 4)
            make_far(src, &before);
        for (unsigned choice = TF_VECTORS_PORTABLE; choice < TF_VECTOR_LEVELS; choice++) {
            if (!tf_fpu_choose(&bare->tile, (enum tf_vectors)choice))
                continue;
            for (unsigned k = 0; k < 4; k++)
                memcpy(tf_src_write(&bare->tile, 0, k / 2, k % 2, 0, TF_SRC_ROWS), src[k / 2][k % 2], sizeof src[0][0]);
            *tensix->dst = before;
            tensix->rwc[0] = (struct tf_rwc){.fidelity = i / 6 & 3};
            tf_tensix_dispatch[ops[i % 6] >> 24](&bare->tile, 0, ops[i % 6]);
            assert_int_equal(bare->tile.faults.count, 0);
            if (choice == TF_VECTORS_PORTABLE)
                first = *tensix->dst;
            assert_memory_equal(&first, tensix->dst, sizeof first);
        }
    }
}

/*
 * Pieces of mantissas of SrcA and SrcB, for the first and for the last eight products of a sum. The products add up to
 * -2^15 units of the sum, or to the largest possible sum. The result follows as BF16 and as FP16.
 */
static const struct {
    uint8_t a[2], b[2];
    uint16_t bf16, fp16;
} sums[] = {
    {{22, 25}, {93, 82}, 0, 0},
    {{31, 31}, {127, 127}, 246 - 128, 1969 - 1024},
};

/* The sum is -32 or less. */
static void try_sum(struct bare *bare, unsigned sum, bool fp16)
{
    struct tf_dst *dst = bare->tile.tensix->dst;
    const unsigned one = fp16 ? 15 : 127; /* 1.0's exponent */
    fpu_format(bare, fp16 ? FP16 : BF16, fp16 ? FP16 : BF16);
    for (unsigned i = 0; i < 16 * 16; i++) {
        fpu_row(bare, TF_SRC_A, i / 16)[i % 16] = fpu_src(1, one, (sums[sum].a[i / 128] - 16u) << 6);
        fpu_row(bare, TF_SRC_B, i / 16)[i % 16] = fpu_src(0, one, (sums[sum].b[i / 8 % 2] - 64u) << 4);
    }
    memset(dst, 0, sizeof *dst);
    bare->tile.tensix->rwc[0] = (struct tf_rwc){.srca = 0};
    issue(bare, W(MVMUL));
    for (unsigned i = 0; i < 8 * 16; i++)
        assert_int_equal(dst->bits[i / 16][i % 16],
                         0x8000 | (one + 5) | (fp16 ? sums[sum].fp16 << 5 : sums[sum].bf16 << 8));
}

static void test_large_sums(void **state)
{
    struct bare *bare = fpu_fresh(state);
    for (unsigned choice = TF_VECTORS_PORTABLE; choice < TF_VECTOR_LEVELS; choice++)
        if (tf_fpu_choose(&bare->tile, (enum tf_vectors)choice))
            for (unsigned i = 0; i < 2 * sizeof sums / sizeof sums[0]; i++)
                try_sum(bare, i / 2, i % 2);
}

static void change_something(struct bare *bare)
{
    struct tf_tensix *tensix = bare->tile.tensix;
    unsigned bit = bare_random() % 19, row = bare_random() % 32, column = bare_random() % 16;
    switch (bare_random() % 6) {
    case 0: fpu_row(bare, TF_SRC_A, row)[column] ^= 1u << bit; break;
    case 1: fpu_row(bare, TF_SRC_B, row)[column] ^= 1u << bit; break;
    case 2: tensix->rwc[0] = (struct tf_rwc){.srca = (uint8_t)(row & 16), .fidelity = bit & 3}; break;
    case 3: fpu_format(bare, bit & 1 ? TF32 : BF16, BF16); break;
    case 4: tf_fpu_choose(&bare->tile, (enum tf_vectors)(bit % TF_VECTOR_LEVELS)); break;
    default: break;
    }
}

/* Inputs of an instruction change now and then: results after equal inputs, and with nothing kept, are equal. */
static void test_kept_pieces(void **state)
{
    struct bare *bare = fpu_fresh(state);
    struct tf_dst *dst = bare->tile.tensix->dst;
    bare_seed();
    fpu_format(bare, BF16, BF16);
    for (unsigned i = 0; i < 64 * 16 * 2; i++)
        fpu_row(bare, i & 1 ? TF_SRC_A : TF_SRC_B, i / 32)[i / 2 % 16] = fpu_random_src(127, 8, 255);
    for (unsigned i = 0; i < 3000; i++) {
        static struct tf_dst kept;
        change_something(bare);
        memset(dst, 0, sizeof *dst);
        issue(bare, W(MVMUL));
        kept = *dst;
        tf_fpu_destroy(&bare->tile);
        memset(dst, 0, sizeof *dst);
        issue(bare, W(MVMUL));
        assert_memory_equal(&kept, dst, sizeof kept);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
    const struct CMUnitTest tests[] = {TEST(test_choices), TEST(test_large_sums), TEST(test_kept_pieces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
