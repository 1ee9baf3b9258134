/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of the matrix unit against a model that takes one datum of Dst at a time. */
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "unit/tensix/fpu.h"
#include "unit/tensix/reported.h"

enum { ADD, SUBTRACT, MULTIPLY, MATMUL };
enum { KIND_FP32, KIND_BF16, KIND_FP16 };

/* value / 2^distance, ties away from zero. */
static int64_t divide(int64_t value, int distance)
{
    if (distance == 0)
        return value;
    if (distance > 60)
        return 0;
    int64_t magnitude = value < 0 ? -value : value;
    magnitude = (magnitude + (1ll << (distance - 1))) >> distance;
    return value < 0 ? -magnitude : magnitude;
}

/* A negative sum of products rounds a tie towards zero. */
static int64_t divide_term(int64_t value, int distance)
{
    return value < 0 && distance > 0 ? -divide(-value * 2 - 1, distance + 1) : divide(value, distance);
}

/* A number is mantissa * 2^exponent in units that make 2^23 the leading one. */
struct number {
    int64_t mantissa;
    int exponent;
};

static struct number decode_dst(unsigned kind, uint16_t high, uint16_t low)
{
    int exponent = kind == KIND_FP16 ? high & 31 : high & 255;
    int64_t fraction = kind == KIND_FP16 ? (high >> 5 & 1023) << 13 : (high >> 8 & 127) << 16;
    if (kind == KIND_FP32)
        fraction |= low;
    int64_t mantissa = exponent == 0 ? 0 : fraction + (1 << 23);
    return (struct number){high & 0x8000 ? -mantissa : mantissa, exponent};
}

/* A generator's 23 bits decide; a mantissa of 23 bits loses its last `dropped` ones. */
static uint64_t divide_by_chance(uint64_t magnitude, int dropped, uint32_t taken)
{
    while (magnitude >= 1 << 24)
        magnitude /= 2;
    while (magnitude < 1 << 23)
        magnitude *= 2;
    uint64_t unit = 1ull << dropped, threshold = (taken & 0x7FFFFF) / (1u << (23 - dropped));
    return magnitude / unit + (magnitude % unit >= threshold);
}

/* A Dst of 16 bits rounds twice: the addends, and the sum. taken: NULL, or the number of a generator. */
static uint32_t add_up(unsigned kind, struct number dst, const struct number *term, unsigned terms,
                       const uint32_t *taken)
{
    int exponent = dst.exponent, dropped = kind == KIND_FP32 ? 0 : kind == KIND_BF16 ? 16 : 13;
    for (unsigned i = 0; i < terms; i++)
        exponent = term[i].exponent > exponent ? term[i].exponent : exponent;
    if (exponent <= 0)
        return 0;
    int64_t total = divide(dst.mantissa, exponent - dst.exponent);
    if (dropped != 0)
        total = divide(total, 13) * (1 << 13);
    for (unsigned i = 0; i < terms; i++) {
        int64_t value = divide_term(term[i].mantissa, exponent - term[i].exponent);
        if (dropped != 0)
            value = divide_term(value, 13) * (1 << 13);
        total += value;
    }
    if (total == 0)
        return 0;
    uint32_t sign = total < 0;
    uint64_t magnitude = sign ? (uint64_t)-total : (uint64_t)total;
    int shift = 63 - __builtin_clzll(magnitude) - 23 + dropped;
    exponent += shift - dropped;
    if (dropped != 0 && taken != NULL)
        magnitude = divide_by_chance(magnitude, dropped, *taken);
    else
        magnitude = shift <= 0 ? magnitude << -shift : (uint64_t)divide((int64_t)magnitude, shift);
    magnitude <<= dropped;
    if (magnitude == 1u << 24) {
        magnitude >>= 1;
        exponent++;
    }
    if (exponent <= 0)
        return 0;
    uint32_t fraction = (uint32_t)magnitude & 0x7FFFFF;
    if (kind == KIND_FP16)
        return (exponent > 31 ? sign << 15 | 0x7FFF : sign << 15 | fraction >> 13 << 5 | (uint32_t)exponent) << 16;
    if (exponent > 254)
        return sign << 31 | 255 << 16;
    return sign << 31 | fraction >> 16 << 24 | (uint32_t)exponent << 16 | (fraction & 0xFFFF);
}

struct mode {
    unsigned op, phase, kind, rows;
    bool fp16, accumulate, is_int, broadcast_row, broadcast_column, keep_b, stochastic;
    uint32_t mask_a, mask_b;
};

static unsigned piece(uint32_t datum, bool of_a, bool second)
{
    unsigned mantissa = 1024 | (datum >> 8 & 1023);
    if (of_a)
        return second ? mantissa / 2 % 32 : mantissa / 64;
    return second ? mantissa % 16 * 8 : mantissa / 16;
}

static int bias_of(const struct mode *mode)
{
    int bias = !mode->fp16 ? -127 : mode->kind == KIND_FP32 ? -30 + 127 : -15;
    return bias - (mode->phase & 1) * 5 - (mode->phase >> 1) * 7;
}

/* A product of two pieces, as 5 + 7 bits; its exponent has room for the leading one at bit 10. */
static struct number multiply(const struct mode *mode, uint32_t a, uint32_t b, bool keep_b)
{
    int bias = bias_of(mode);
    if ((a & 255) == 0 || ((b & 255) == 0 && !keep_b))
        return (struct number){0, bias > 0 ? bias : 0};
    int64_t mantissa = (int64_t)piece(a, true, mode->phase & 1) * piece(b, false, mode->phase & 2);
    return (struct number){(a ^ b) >> 18 ? -mantissa : mantissa, (int)(a & 255) + (int)(b & 255) + bias};
}

static struct number sum_of_products(const struct mode *mode, const uint32_t *a, const uint32_t *b)
{
    struct number products[8], sum = {0, 0};
    for (unsigned k = 0; k < 8; k++) {
        products[k] = multiply(mode, a[k * 16] & mode->mask_a, b[k] & mode->mask_b, false);
        sum.exponent = products[k].exponent > sum.exponent ? products[k].exponent : sum.exponent;
    }
    for (unsigned k = 0; k < 8 && sum.exponent > 0; k++)
        sum.mantissa += divide(products[k].mantissa, sum.exponent - products[k].exponent);
    sum.mantissa *= 1 << 13;
    return sum;
}

static int64_t magnitude_of(uint32_t datum)
{
    return (int64_t)((datum & 255) << 10 | (datum >> 8 & 1023));
}

static struct number sum_of_two(const struct mode *mode, uint32_t a, uint32_t b)
{
    if ((a & 255) == 0)
        a = 0;
    if ((b & 255) == 0 && !mode->keep_b)
        b = 0;
    uint32_t large = magnitude_of(a) < magnitude_of(b) ? b : a, small = large == a ? b : a;
    if (magnitude_of(a) == magnitude_of(b))
        large = a, small = b;
    int64_t left = large == 0 ? 0 : 1024 | (large >> 8 & 1023), right = small == 0 ? 0 : 1024 | (small >> 8 & 1023);
    right = divide(right, (int)(large & 255) - (int)(small & 255));
    int64_t mantissa = (large ^ small) >> 18 ? left - right : left + right;
    struct number sum = {(large >> 18 ? -mantissa : mantissa) * (1 << 13), (int)(large & 255)};
    if (mode->kind == KIND_FP32 && mode->fp16)
        sum.exponent += sum.exponent != 0 ? 112 : 97;
    sum.exponent -= (mode->phase & 1) * 5 + (mode->phase >> 1) * 7;
    return mode->phase != 0 && sum.exponent <= 0 ? (struct number){0, 0} : sum;
}

static int64_t integer(uint32_t datum, uint32_t bits, bool keep)
{
    int64_t magnitude = (datum & 255) == 0 && !keep ? 0 : datum >> 8 & bits;
    return datum >> 18 ? -magnitude : magnitude;
}

static uint32_t model_int(const struct mode *mode, const uint32_t *a, const uint32_t *b, uint32_t dst)
{
    uint32_t bits_a = mode->phase & 1 ? 0x1F : 0xE0, bits_b = mode->phase & 2 ? 0xF : 0x3F0;
    int64_t value = (dst & 0xFFFF) | (dst >> 24 & 0x7F) << 16 | (int64_t)(dst >> 16 & 0xFF) << 23;
    value = dst >> 31 ? -value : value;
    if (mode->op == MATMUL) {
        for (unsigned k = 0; k < 16; k++)
            value += integer(a[k * 16], bits_a, false) * integer(b[k], bits_b, mode->keep_b);
    } else if (mode->op == MULTIPLY) {
        value += integer(*a, bits_a, false) * integer(*b, bits_b, mode->keep_b);
    } else {
        int64_t left = integer(*a, 0x3FF, false), right = integer(*b, 0x3FF, mode->keep_b);
        value = (mode->accumulate ? value : 0) + left + (mode->op == ADD ? right : -right);
    }
    uint32_t sign = value < 0, magnitude = (uint32_t)(sign ? -value : value);
    if (value > 0x7FFFFFFF || value < -0x7FFFFFFF)
        magnitude = 0x7FFFFFFF;
    return sign << 31 | (magnitude >> 16 & 0x7F) << 24 | (magnitude >> 23) << 16 | (magnitude & 0xFFFF);
}

static uint32_t model(const struct mode *mode, const uint32_t *a, const uint32_t *b, uint32_t dst, uint32_t generator)
{
    const uint32_t *taken = mode->stochastic ? &generator : NULL;
    if (mode->is_int)
        return model_int(mode, a, b, dst);
    struct number old = {0, 0}, term[2];
    if (mode->op >= MULTIPLY || mode->accumulate)
        old = decode_dst(mode->kind, (uint16_t)(dst >> 16), (uint16_t)dst);
    if (mode->op == MATMUL) {
        term[0] = sum_of_products(mode, a, b);
        term[1] = sum_of_products(mode, a + 8 * 16, b + 8);
        return add_up(mode->kind, old, term, 2, taken);
    }
    uint32_t left = *a & mode->mask_a, right = (*b ^ (mode->op == SUBTRACT ? 1u << 18 : 0)) & mode->mask_b;
    if (mode->op == MULTIPLY) {
        term[0] = multiply(mode, left, right, mode->keep_b);
        term[0].mantissa *= 1 << 13;
        if (term[0].exponent <= 0)
            term[0] = (struct number){0, 0};
    } else {
        term[0] = sum_of_two(mode, left, right);
    }
    return add_up(mode->kind, old, term, 1, taken);
}

static uint32_t lfsr(uint32_t state)
{
    return state >> 1 | (~(state ^ state >> 1 ^ state >> 21 ^ state >> 31) & 1) << 31;
}

/* Generators of rows that were rounded have advanced by one; no others have. */
static void check_generators(struct bare *bare, const struct mode *mode, struct tf_rounding *before)
{
    unsigned rows = mode->stochastic && mode->kind != KIND_FP32 ? mode->rows : 0;
    for (unsigned i = 0; i < rows * 16; i++)
        before->matrix[i / 16][i % 16] = lfsr(before->matrix[i / 16][i % 16]);
    assert_memory_equal(before, bare->tile.tensix->rounding, sizeof *before);
}

/* One instruction on random data, Dst at row 8 * block, then every datum of Dst. */
static void check(struct bare *bare, const struct mode *mode, uint32_t word, unsigned a_row, unsigned b_row,
                  unsigned dst_row)
{
    struct tf_tile *tile = &bare->tile;
    struct tf_dst *dst = tile->tensix->dst, *before = aligned_alloc(64, sizeof *before);
    assert_non_null(before);
    *before = *dst;
    struct tf_rounding rounding = *tile->tensix->rounding;
    struct tf_dst_map map = tf_dst_map(tile);
    bool wide = mode->kind == KIND_FP32;
    const uint32_t *a = fpu_row(bare, TF_SRC_A, a_row);
    tf_tensix_dispatch[word >> 24](tile, 0, word);
    assert_int_equal(tile->faults.count, 0);
    for (unsigned i = 0; i < mode->rows; i++) {
        const uint32_t *b = fpu_row(bare, TF_SRC_B, b_row + (mode->broadcast_row ? 0 : i));
        unsigned row = dst_row + i * (mode->op == MATMUL && mode->broadcast_row ? 2 : 1);
        unsigned physical = wide ? tf_dst_row32(map, row) : tf_dst_row16(map, row);
        assert_false(tf_dst_is_undefined(dst, physical));
        for (unsigned j = 0; j < 16; j++) {
            uint32_t old = tf_dst_is_undefined(before, physical) ? 0
                           : wide                                ? tf_dst_read32(before, physical, j)
                                                                 : (uint32_t)before->bits[physical][j] << 16;
            bool matmul = mode->op == MATMUL;
            uint32_t expected = model(mode, matmul ? a + j : a + i * 16 + j,
                                      matmul ? b : b + (mode->broadcast_column ? 0 : j), old, rounding.matrix[i][j]);
            uint32_t got = wide ? tf_dst_read32(dst, physical, j) : (uint32_t)dst->bits[physical][j] << 16;
            if (got != expected)
                fail_msg("0x%08x phase %u kind %u int %d: [%u][%u] 0x%08x onto 0x%08x, the model has 0x%08x", word,
                         mode->phase, mode->kind, mode->is_int, i, j, got, old, expected);
            before->bits[physical][j] = dst->bits[physical][j];
            if (wide)
                before->bits[physical + 8][j] = dst->bits[physical + 8][j];
        }
        tf_dst_define(before, physical);
    }
    assert_memory_equal(before, dst, sizeof *dst); /* nothing else has changed */
    check_generators(bare, mode, &rounding);
    free(before);
}

static void fill(struct bare *bare, const struct mode *mode)
{
    unsigned center = mode->fp16 ? 15 : 30 + bare_random() % 190, spread = 1 + bare_random() % 14;
    unsigned other = mode->fp16 ? 15 : bare_random() % 4 ? 254 - center : 20 + bare_random() % 200;
    if (!mode->fp16 && bare_random() % 6 == 0) { /* large factors, and factors that compensate them */
        center = 230 + bare_random() % 15;
        other = 254 - center;
    }
    bool tiny = bare_random() % 6 == 0; /* the smallest exponents, and mantissas of few ones */
    if (tiny)
        center = spread = 2;
    if (mode->op <= SUBTRACT)
        other = center;
    for (unsigned row = 0; row < TF_SRC_ROWS; row++) {
        for (unsigned column = 0; column < 16; column++) {
            fpu_row(bare, TF_SRC_A, row)[column] = fpu_random_src(center, spread, mode->fp16 ? 31 : 255);
            fpu_row(bare, TF_SRC_B, row)[column] = fpu_random_src(other, spread, mode->fp16 ? 31 : 255);
        }
    }
    for (unsigned i = 0; tiny && i < 64 * 16; i++)
        fpu_row(bare, i & 1 ? TF_SRC_A : TF_SRC_B, i / 16)[i % 16] &= i & 2 ? 0x400FF : 0x40FFF;
    /* A zero that is kept with its sign is a case of its own, see test_known_values(). */
    for (unsigned i = 0; mode->keep_b && i < 64 * 16; i++)
        if ((fpu_row(bare, TF_SRC_B, i / 16)[i % 16] & 255) == 0)
            fpu_row(bare, TF_SRC_B, i / 16)[i % 16] |= 0x800;
    /* Sums of zeros have an exponent, too, and smaller numbers lose bits against it. */
    bool sparse = bare_random() % 6 == 0;
    for (unsigned i = 0; sparse && i < 64 * 16; i++)
        if (bare_random() % 16 != 0)
            fpu_row(bare, TF_SRC_A, i / 16)[i % 16] &= 0x7FF00;
    struct tf_dst *dst = bare->tile.tensix->dst;
    int result = (sparse ? -40 : 0) + (int)center;
    if (mode->op > SUBTRACT)
        result += (int)other + bias_of(mode);
    else if (mode->fp16 && mode->kind == KIND_FP32)
        result += 112;
    bool below = bare_random() & 1; /* 2^30: no sum of integers saturates */
    for (unsigned row = 0; row < TF_DST_ROWS; row++) {
        for (unsigned column = 0; column < 16; column++) {
            uint32_t random = bare_random(), exponent = (uint32_t)(result + (int)(random >> 16) % 30 - 15) & 255;
            bool low = mode->kind == KIND_FP32 && (row & 8) != 0;
            dst->bits[row][column] = (uint16_t)random;
            if (mode->is_int && !low && random >> 30 == 0)
                dst->bits[row][column] |= 0x7FFF; /* sums saturate */
            else if (!low && random >> 28 != 0)
                dst->bits[row][column] = (uint16_t)((random & 0xFF00) | exponent);
            if (mode->is_int && !low && below)
                dst->bits[row][column] &= 0xFF7F;
        }
        if (bare_random() % 8 == 0)
            tf_dst_undefine(dst, row);
        else
            tf_dst_define(dst, row);
    }
}

static struct mode random_mode(struct bare *bare)
{
    struct mode mode = {.op = bare_random() % 4, .phase = bare_random() % 4, .rows = 8};
    unsigned style = bare_random() % 5;
    bool wide = bare_random() & 1;
    static const uint32_t masks[] = {0x7F8FF, 0x7FFFF, 0x7FFFF};
    static const uint8_t formats[] = {BF16, TF32, FP16};
    unsigned a = style == 2 ? 2 : style % 2, b = style == 2 ? 2 : bare_random() % 2;
    mode.is_int = style == 4;
    mode.fp16 = style == 2;
    mode.kind = mode.is_int || wide ? KIND_FP32 : mode.fp16 ? KIND_FP16 : KIND_BF16;
    mode.mask_a = masks[a];
    mode.mask_b = masks[b];
    mode.accumulate = bare_random() & 1;
    mode.broadcast_row = bare_random() & 1;
    mode.broadcast_column = bare_random() & 1;
    mode.keep_b = bare_random() % 4 == 0;
    mode.stochastic = bare_random() % 4 == 0;
    fpu_format(bare, formats[a], formats[b]);
    CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, wide);
    CFG_SET(bare, ALU_ACC_CTRL_INT8_math_enabled, mode.is_int);
    CFG_SET(bare, ALU_ACC_CTRL_Zero_Flag_disabled_src, mode.keep_b);
    CFG_SET(bare, ALU_ROUNDING_MODE_Fpu_srnd_en, mode.stochastic);
    for (unsigned i = 0; i < 8 * 16; i++) /* small numbers make a sum larger that needs no rounding */
        bare->tile.tensix->rounding->matrix[i / 16][i % 16] = bare_random() >> (i % 5 == 0 ? 27 : 0);
    CFG_SET(bare, DEST_ACCESS_CFG_remap_addrs, bare_random() % 4 == 0);
    CFG_SET(bare, DEST_ACCESS_CFG_swizzle_32b, bare_random() % 4 == 0);
    return mode;
}

static uint32_t random_word(struct mode *mode, unsigned dst)
{
    switch (mode->op) {
    case ADD:
    case SUBTRACT:
    case MULTIPLY: {
        uint32_t op = mode->op == ADD ? W(ELWADD) : mode->op == SUBTRACT ? W(ELWSUB) : W(ELWMUL);
        return op | V(ELWADD, dst, dst) | V(ELWADD, dest_accum_en, mode->accumulate) |
               V(ELWADD, instr_mod19, mode->broadcast_row * 2 + mode->broadcast_column);
    }
    default: break;
    }
    mode->broadcast_column = false;
    if (mode->broadcast_row) {
        mode->rows = 4;
        return W(MVMUL) | V(MVMUL, dst, dst) | V(MVMUL, instr_mod19, 1);
    }
    if (bare_random() % 3 == 0) {
        mode->rows = 4;
        return W(GAPOOL) | V(GAPOOL, dst, dst) | V(GAPOOL, instr_mod19, bare_random() & 1);
    }
    return (bare_random() % 2 ? W(MVMUL) : W(DOTPV)) | V(MVMUL, dst, dst);
}

/* Counters need not be aligned: the instruction drops the low bits. */
static void compare(struct bare *bare)
{
    for (unsigned choice = TF_VECTORS_PORTABLE; choice < TF_VECTOR_LEVELS; choice++) {
        if (!tf_fpu_choose(&bare->tile, (enum tf_vectors)choice))
            continue;
        for (unsigned i = 0; i < 400; i++) {
            struct mode mode = random_mode(bare);
            struct tf_rwc *rwc = &bare->tile.tensix->rwc[0];
            unsigned a = bare_random() % 56, b = bare_random() % 64, row = bare_random() % 1024;
            *rwc = (struct tf_rwc){.srca = (uint8_t)a, .srcb = (uint8_t)b, .dst = bare_random() & 1023};
            unsigned base = bare_random() % 2 * 512, offset = bare_random() % 2 * 256;
            unsigned phase_base = bare_random() % 4;
            uint32_t word = random_word(&mode, row);
            CFG_SET(bare, DEST_REGW_BASE_Base, base);
            THREAD_SET(bare, DEST_TARGET_REG_CFG_MATH_Offset, offset);
            THREAD_SET(bare, FIDELITY_BASE_Phase, phase_base);
            rwc->fidelity = (mode.phase - phase_base) & 3;
            fill(bare, &mode);
            unsigned align = mode.op == MATMUL && mode.broadcast_row ? 0x3F9 : mode.rows == 4 ? 0x3FC : 0x3F8;
            row = (row + rwc->dst + base + offset) & align;
            check(bare, &mode, word, a & 0x38, mode.broadcast_row ? b : b & 0x38, row);
        }
    }
}

static void test_against_model(void **state)
{
    bare_seed();
    compare(fpu_fresh(state));
}

static void test_without_denormals(void **state)
{
    bare_seed();
    bare_without_denormals(compare, fpu_fresh(state));
}

/* The largest operands, onto numbers around which halves carry or sums saturate, with none or some of those beside
   them. */
static void test_integer_limits(void **state)
{
    static const uint32_t words[] = {W(ELWADD) | V(ELWADD, dest_accum_en, 1), W(ELWSUB) | V(ELWSUB, dest_accum_en, 1),
                                     W(ELWMUL), W(MVMUL)};
    static const uint32_t numbers[] = {0,          0x80000000, 1,          0xFFFF,     0x8000FFFF, 0x803FFFFF,
                                       0x3FFFFFFF, 0xBFFFFFFF, 0x40000000, 0xC0000000, 0x7FFFFFFF, 0xFFFFFFFF};
    struct bare *bare = fpu_fresh(state);
    struct tf_dst *dst = bare->tile.tensix->dst;
    CFG_SET(bare, ALU_ACC_CTRL_INT8_math_enabled, 1);
    const unsigned count = sizeof numbers / sizeof numbers[0];
    for (unsigned choice = TF_VECTORS_PORTABLE; choice < TF_VECTOR_LEVELS; choice++) {
        if (!tf_fpu_choose(&bare->tile, (enum tf_vectors)choice))
            continue;
        for (unsigned i = 0; i < 4 * 4 * 2 * count; i++) {
            struct mode mode = {
                .op = i % 4, .phase = i / 4 % 4, .kind = KIND_FP32, .rows = 8, .is_int = true, .accumulate = true};
            for (unsigned k = 0; k < 16 * 16; k++) {
                fpu_row(bare, TF_SRC_A, k / 16)[k % 16] = fpu_src(i / 16 & 1, 1, 0x3FF);
                fpu_row(bare, TF_SRC_B, k / 16)[k % 16] = fpu_src(k / 16 & 1, 1, 0x3FF);
                tf_dst_write32(dst, k / 128 * 16 + k / 16 % 8, k % 16,
                               tf_dst_shuffle32(numbers[(k / 16 * 5 + k) % (i / 32 + 1)]));
            }
            bare->tile.tensix->rwc[0] = (struct tf_rwc){.fidelity = mode.phase};
            check(bare, &mode, words[mode.op], 0, 0, 0);
        }
    }
}

/* All pairs that are halfway between two results, with both signs. They show in which direction a tie goes. */
static void test_ties(void **state)
{
    struct bare *bare = fpu_fresh(state);
    for (unsigned choice = TF_VECTORS_PORTABLE; choice < TF_VECTOR_LEVELS; choice++) {
        if (!tf_fpu_choose(&bare->tile, (enum tf_vectors)choice))
            continue;
        for (unsigned distance = 0; distance < 16; distance++) {
            struct mode mode = {.op = MATMUL, .kind = KIND_FP32, .rows = 8, .mask_a = 0x7FFFF, .mask_b = 0x7FFFF};
            fpu_format(bare, TF32, TF32);
            CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, 1);
            for (unsigned i = 0; i < 64 * 16; i++) {
                unsigned row = i / 16, column = i % 16;
                unsigned mantissa = row % 8 == 1 ? column * 64 : row * 16;
                fpu_row(bare, TF_SRC_A, row)[column] = fpu_src(i & 1, row % 8 == 0 ? 127 : 127 - distance,
                                                               mantissa & 0x3FF);
                fpu_row(bare, TF_SRC_B, row)[column] = fpu_src(column >> 3 & 1, 127, (row * 112 + column * 48) & 0x3FF);
            }
            memset(bare->tile.tensix->dst, 0, sizeof *bare->tile.tensix->dst);
            bare->tile.tensix->rwc[0] = (struct tf_rwc){.srca = 0};
            check(bare, &mode, W(MVMUL), 0, 0, 0);
        }
    }
}

/* Numbers that need no model. */
static void test_known_values(void **state)
{
    struct bare *bare = fpu_fresh(state);
    struct tf_dst *dst = bare->tile.tensix->dst;
    fpu_format(bare, BF16, BF16);
    for (unsigned i = 0; i < 16; i++) {
        fpu_row(bare, TF_SRC_A, i)[i] = fpu_src(0, 127, 0); /* the identity */
        for (unsigned row = 0; row < 8; row++)
            fpu_row(bare, TF_SRC_B, row)[i] = fpu_src(row & 1, 120 + i, 0x40 * row);
    }
    execute(bare, 0, W(MVMUL));
    for (unsigned row = 0; row < 8; row++)
        for (unsigned i = 0; i < 16; i++)
            assert_int_equal(dst->bits[row][i], (row & 1) << 15 | row * 8 << 8 | (120 + i));
    execute(bare, 0, W(ELWSUB) | V(ELWSUB, dst, 8)); /* 1 - 1 (-2^-7..), 0 - x */
    assert_int_equal(dst->bits[8][1], 1 << 15 | 121);
    /* A denormal that is kept is too small even if it is rounded up to a normal number. */
    fpu_format(bare, TF32, TF32);
    CFG_SET(bare, ALU_ACC_CTRL_Zero_Flag_disabled_src, 1);
    fpu_row(bare, TF_SRC_B, 8)[0] = fpu_src(1, 0, 0x3FF);
    bare->tile.tensix->rwc[0].srca = 24;
    bare->tile.tensix->rwc[0].srcb = 8;
    execute(bare, 0, W(ELWADD) | V(ELWADD, dst, 16));
    assert_int_equal(dst->bits[16][0], 0);
    fpu_row(bare, TF_SRC_A, 24)[0] = fpu_src(1, 1, 0x3FF);
    execute(bare, 0, W(ELWADD) | V(ELWADD, dst, 16));
    assert_int_equal(dst->bits[16][0], 1 << 15 | 64 << 8 | 2); /* but counts beside another number */
    /* The reference subtracts the one bit that a zero lacks from the zero beside it, and gets a number below zero. */
    CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, 1);
    fpu_format(bare, FP16, FP16);
    fpu_row(bare, TF_SRC_A, 24)[0] = fpu_row(bare, TF_SRC_A, 24)[1] = 0;
    fpu_row(bare, TF_SRC_B, 8)[0] = fpu_src(1, 0, 0);
    execute(bare, 0, W(ELWADD) | V(ELWADD, dst, 16));
    assert_int_equal(tf_dst_read32(dst, 32, 0), 0x80000000 | 97 << 16);
    assert_int_equal(tf_dst_read32(dst, 32, 1), 0);
    CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, 0);
    bare->tile.tensix->rwc[0].srca = bare->tile.tensix->rwc[0].srcb = 0;
    fpu_format(bare, FP16, FP16);
    fpu_row(bare, TF_SRC_A, 0)[0] = fpu_row(bare, TF_SRC_B, 0)[0] = fpu_src(1, 31, 0x3FF);
    memset(&fpu_row(bare, TF_SRC_A, 0)[1], 0, 63 * 16 * 4 + 15 * 4);
    memset(&fpu_row(bare, TF_SRC_B, 0)[1], 0, 63 * 16 * 4 + 15 * 4);
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst->bits[0][0], 0xFFFF); /* FP16 has no infinity */
    CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, 1);
    execute(bare, 0, W(ELWADD));
    assert_int_equal(tf_dst_read32(dst, 0, 0), 0xFF90E000); /* -(2 - 2^-10) * 2^17 */
}

/* Rows of an instruction that are not consecutive in Dst are reported, too, and no others. */
static void test_checker_hears_of_rows(void **state)
{
    struct bare *bare = fpu_fresh(state);
    fpu_format(bare, TF32, TF32);
    for (unsigned i = 0; i < 8; i++) {
        const bool wide = i & 1, swizzled = i & 2, accumulates = i & 4;
        struct reported reported = reported_none(), expected = reported;
        bool(*dst)[TF_DST_ROWS] = expected.row[TF_CHECK_DST];
        CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, wide);
        CFG_SET(bare, DEST_ACCESS_CFG_swizzle_32b, swizzled);
        for (unsigned row = 16; row < 24; row++) {
            unsigned at = wide ? tf_dst_row32((struct tf_dst_map){.swizzle_32b = swizzled}, row) : row;
            dst[accumulates ? TF_CHECK_CHANGES : TF_CHECK_WRITES][at] = true;
        }
        bare->tile.check = &reported.check;
        execute(bare, 0, W(ELWADD) | V(ELWADD, dst, 16) | V(ELWADD, dest_accum_en, accumulates));
        bare->tile.check = NULL;
        assert_memory_equal(reported.row[TF_CHECK_DST], dst, sizeof expected.row[TF_CHECK_DST]);
    }
}

/* A row of SrcA is needed if some row of SrcB has a number in the column of that row's number. */
static void test_checker_hears_of_needed_rows(void **state)
{
    struct bare *bare = fpu_fresh(state);
    struct reported reported = reported_none(), expected = reported;
    const bool *needed = reported.row[TF_CHECK_SRCA][TF_CHECK_NEEDS];
    bool *column = &expected.row[TF_CHECK_SRCA][TF_CHECK_NEEDS][16];
    fpu_format(bare, TF32, TF32);
    fpu_row(bare, TF_SRC_B, 1)[2] = fpu_row(bare, TF_SRC_B, 3)[3] = fpu_row(bare, TF_SRC_B, 3)[9] = fpu_src(0, 127, 0);
    bare->tile.tensix->rwc[0].srca = 16;
    bare->tile.check = &reported.check;
    execute(bare, 0, W(MVMUL));
    bare->tile.check = NULL;
    column[2] = column[3] = column[9] = true;
    assert_memory_equal(needed, expected.row[TF_CHECK_SRCA][TF_CHECK_NEEDS], TF_DST_ROWS);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_against_model),
        TEST(test_without_denormals),
        TEST(test_integer_limits),
        TEST(test_ties),
        TEST(test_known_values),
        TEST(test_checker_hears_of_rows),
        TEST(test_checker_hears_of_needed_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
