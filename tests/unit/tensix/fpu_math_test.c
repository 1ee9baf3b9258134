/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of the matrix unit against a model that takes one datum of Dst at a time. */
#include "tile/tensix/dispatch.h"
#include "unit/tensix/fpu.h"

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

/* What a sum of products does instead when it is negative: a tie goes towards zero. */
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

/* A Dst of 16 bits rounds twice: what it adds up, and the sum. taken: NULL, or what a generator has for it. */
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

/* Those of rows that were rounded have gone on by one, and no others. */
static void check_generators(struct bare *bare, const struct mode *mode, struct tf_rounding *before)
{
    unsigned rows = mode->stochastic && mode->kind != KIND_FP32 ? mode->rows : 0;
    for (unsigned i = 0; i < rows * 16; i++)
        before->matrix[i / 16][i % 16] = lfsr(before->matrix[i / 16][i % 16]);
    assert_memory_equal(before, &bare->tile.tensix->rounding, sizeof *before);
}

/* One instruction on random data, Dst at row 8 * block, then every datum of Dst. */
static void check(struct bare *bare, const struct mode *mode, uint32_t word, unsigned a_row, unsigned b_row,
                  unsigned dst_row)
{
    struct tf_tile *tile = &bare->tile;
    struct tf_dst *dst = tile->tensix->dst, *before = aligned_alloc(64, sizeof *before);
    assert_non_null(before);
    *before = *dst;
    struct tf_rounding rounding = tile->tensix->rounding;
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
                           : wide ? tf_dst_read32(before, physical, j) : (uint32_t)before->bits[physical][j] << 16;
            bool matmul = mode->op == MATMUL;
            uint32_t expected = model(mode, matmul ? a + j : a + i * 16 + j,
                                      matmul ? b : b + (mode->broadcast_column ? 0 : j), old,
                                      rounding.matrix[i][j]);
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
    if (mode->op <= SUBTRACT)
        other = center;
    for (unsigned row = 0; row < TF_SRC_ROWS; row++) {
        for (unsigned column = 0; column < 16; column++) {
            fpu_row(bare, TF_SRC_A, row)[column] = fpu_random_src(center, spread, mode->fp16 ? 31 : 255);
            fpu_row(bare, TF_SRC_B, row)[column] = fpu_random_src(other, spread, mode->fp16 ? 31 : 255);
        }
    }
    /* A zero that is kept with its sign is a case of its own, see test_known_values(). */
    for (unsigned i = 0; mode->keep_b && i < 64 * 16; i++)
        if ((fpu_row(bare, TF_SRC_B, i / 16)[i % 16] & 255) == 0)
            fpu_row(bare, TF_SRC_B, i / 16)[i % 16] |= 0x800;
    /* Sums of zeros alone have an exponent too, and smaller numbers lose bits against it. */
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
    for (unsigned row = 0; row < TF_DST_ROWS; row++) {
        for (unsigned column = 0; column < 16; column++) {
            uint32_t random = bare_random(), exponent = (uint32_t)(result + (int)(random >> 16) % 30 - 15) & 255;
            bool low = mode->kind == KIND_FP32 && (row & 8) != 0;
            dst->bits[row][column] = (uint16_t)random;
            if (mode->is_int && !low && random >> 30 == 0)
                dst->bits[row][column] |= 0x7FFF; /* sums saturate */
            else if (!low && random >> 28 != 0)
                dst->bits[row][column] = (uint16_t)((random & 0xFF00) | exponent);
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
    for (unsigned i = 0; i < 8 * 16; i++) /* small ones make larger what needs no rounding */
        bare->tile.tensix->rounding.matrix[i / 16][i % 16] = bare_random() >> (i % 5 == 0 ? 27 : 0);
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
    default:
        break;
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

/* Counters need not be aligned: the instruction drops what does not fit. */
static void test_against_model(void **state)
{
    bare_seed();
    struct bare *bare = fpu_fresh(state);
    for (unsigned choice = 0; choice < TF_FPU_CHOICES; choice++) {
        if (!tf_fpu_choose(&bare->tile, (enum tf_fpu_choice)choice))
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

/* All pairs that are halfway between two results, both signs: what decides is which way a tie goes. */
static void test_ties(void **state)
{
    struct bare *bare = fpu_fresh(state);
    for (unsigned choice = 0; choice < TF_FPU_CHOICES; choice++) {
        if (!tf_fpu_choose(&bare->tile, (enum tf_fpu_choice)choice))
            continue;
        for (unsigned distance = 0; distance < 16; distance++) {
            struct mode mode = {.op = MATMUL, .kind = KIND_FP32, .rows = 8, .mask_a = 0x7FFFF, .mask_b = 0x7FFFF};
            fpu_format(bare, TF32, TF32);
            CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, 1);
            for (unsigned i = 0; i < 64 * 16; i++) {
                unsigned row = i / 16, column = i % 16;
                unsigned mantissa = row % 8 == 1 ? column * 64 : row * 16;
                fpu_row(bare, TF_SRC_A, row)[column] =
                    fpu_src(i & 1, row % 8 == 0 ? 127 : 127 - distance, mantissa & 0x3FF);
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
    /* A denormal that is kept is too small even if it is rounded up to what is not. */
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
    /* The reference subtracts the one bit that a zero has not from the zero beside it, and has a number below zero. */
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

/* A fault leaves everything as it was. */
static void expect_fault(struct bare *bare, uint32_t word)
{
    uint64_t before = XXH3_64bits(bare->tile.tensix->dst, sizeof *bare->tile.tensix->dst);
    struct tf_rwc rwc = bare->tile.tensix->rwc[0];
    execute_fault(bare, 0, word, TF_FAULT_UNDEFINED);
    assert_true(XXH3_64bits(bare->tile.tensix->dst, sizeof *bare->tile.tensix->dst) == before);
    assert_memory_equal(&rwc, &bare->tile.tensix->rwc[0], sizeof rwc);
}

/* Of a broadcast column no other data of SrcB count, whatever they are. */
static void test_columns_that_do_not_count(void **state)
{
    struct bare *bare = fpu_fresh(state);
    static const uint32_t ops[] = {W(ELWADD), W(ELWSUB), W(ELWMUL)};
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        fpu_format(bare, FP16, FP16);
        fpu_row(bare, TF_SRC_B, 3)[9] = fpu_src(0, 32, 0);
        expect_fault(bare, ops[i]);
        execute(bare, 0, ops[i] | V(ELWADD, instr_mod19, 1));
        fpu_row(bare, TF_SRC_B, 3)[0] = fpu_src(0, 32, 0);
        expect_fault(bare, ops[i] | V(ELWADD, instr_mod19, 1));
        fpu_row(bare, TF_SRC_B, 3)[0] = fpu_row(bare, TF_SRC_B, 3)[9] = 0;
    }
}

static void test_faults(void **state)
{
    struct bare *bare = fpu_fresh(state);
    static const uint32_t ops[] = {W(MVMUL), W(DOTPV), W(GAPOOL), W(ELWADD), W(ELWSUB), W(ELWMUL),
                                   W(GMPOOL) | V(GMPOOL, instr_mod19, 1)};
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++) {
        fpu_format(bare, BF16, BF16);
        execute(bare, 0, ops[i]);
        fpu_format(bare, NONE, BF16);
        expect_fault(bare, ops[i]);
        fpu_format(bare, BF16, NONE + 1);
        expect_fault(bare, ops[i]);
        fpu_format(bare, BF16, BF16);
        if (ops[i] >> 24 == TF_OP_GMPOOL)
            continue;
        fpu_format(bare, FP16, FP16);
        for (unsigned side = TF_SRC_A; side <= TF_SRC_B; side++) {
            fpu_row(bare, side, 3)[9] = fpu_src(0, 32, 0);
            expect_fault(bare, ops[i]);
            fpu_row(bare, side, 3)[9] = 0;
        }
        execute(bare, 0, ops[i]);
    }
    bare->tile.tensix->rwc[0].srca = 56;
    for (unsigned i = 0; i < 3; i++)
        expect_fault(bare, ops[i]);
    execute(bare, 0, W(ELWADD));
    expect_fault(bare, W(DOTPV) | V(DOTPV, instr_mod19, 1));
    expect_fault(bare, W(DOTPV) | V(DOTPV, dest_accum_en, 1));
    expect_fault(bare, W(GAPOOL) | V(GAPOOL, max_pool_index_en, 1));
    expect_fault(bare, W(GMPOOL));
}

static void test_dropped(void **state)
{
    struct bare *bare = fpu_fresh(state);
    static const uint32_t ops[] = {W(CONV3S1), W(CONV3S2), W(MFCONV3S1), W(MPOOL3S1), W(MPOOL3S2), W(APOOL3S1),
                                   W(APOOL3S2)};
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0]; i++)
        expect_fault(bare, ops[i]);
}

/* Where the format comes from: the bank, or the configuration with its override, or FP16A_FORCE. */
static void test_formats(void **state)
{
    struct bare *bare = fpu_fresh(state);
    struct tf_tensix *tensix = bare->tile.tensix;
    fpu_row(bare, TF_SRC_A, 0)[0] = fpu_src(0, 15, 0x00C); /* the low three bits are beyond BF16 */
    CFG_SET(bare, ALU_FORMAT_SPEC_REG0_SrcA, NONE);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG1_SrcB, NONE);
    uint16_t *dst = tensix->dst->bits[0];
    tensix->src.format[TF_SRC_A][0] = BF16;
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 1 << 8 | 15);
    tensix->src.format[TF_SRC_A][0] = tensix->src.format[TF_SRC_B][0] = FP8;
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 12 << 5 | 15);
    tensix->src.format[TF_SRC_A][1] = tensix->src.format[TF_SRC_B][1] = NONE;
    execute(bare, 0, W(ELWADD)); /* of the bank in use */
    fpu_format(bare, BF16, BF16);
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 1 << 8 | 15);
    THREAD_SET(bare, DISABLE_IMPLIED_SRCA_FMT_Base, 0); /* each side has its own switch */
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 12 << 5 | 15);
    fpu_format(bare, BF16, FP16); /* SrcA's decides how both are read */
    fpu_row(bare, TF_SRC_B, 0)[1] = fpu_src(1, 200, 0x3FF);
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 1 << 8 | 15);
    assert_int_equal(dst[1], 1 << 15 | 127 << 8 | 200);
    fpu_row(bare, TF_SRC_B, 0)[1] = 0;
    fpu_format(bare, BF16, BF16);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG_SrcA_val, FP16);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG_SrcA_override, 1);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG_SrcB_val, FP16);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG_SrcB_override, 1);
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 12 << 5 | 15);
    CFG_SET(bare, ALU_FORMAT_SPEC_REG_SrcA_val, NONE);
    CFG_SET(bare, ALU_ACC_CTRL_Fp32_enabled, 1);
    CFG_SET(bare, ALU_ACC_CTRL_INT8_math_enabled, 1);
    THREAD_SET(bare, FP16A_FORCE_Enable, 1);
    memset(dst, 0xEE, 32);
    execute(bare, 0, W(ELWADD));
    assert_int_equal(dst[0], 12 << 5 | 15);
    assert_int_equal(tensix->dst->bits[8][0], 0); /* 16 bits wide all the same: no low half at row 8 */
}

/* Banks are handed back, or only flipped; counters advance as the modifier says. */
static void test_flips_and_modifiers(void **state)
{
    struct bare *bare = fpu_fresh(state);
    struct tf_tensix *tensix = bare->tile.tensix;
    static const uint32_t ops[] = {W(MVMUL), W(ELWADD), W(ELWSUB), W(ELWMUL), W(DOTPV), W(GAPOOL),
                                   W(GMPOOL) | V(GMPOOL, instr_mod19, 1)};
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0] * 16; i++) {
        unsigned flip = i & 3, keep = i >> 2 & 3;
        uint32_t op = ops[i / 16];
        fpu_fresh(state);
        fpu_format(bare, BF16, BF16);
        THREAD_SET(bare, CLR_DVALID_SrcA_Disable, keep & 1);
        tensix->config.thread[0][TF_THREAD_CFG_CLR_DVALID_SrcB_Disable >> 16] |= (uint16_t)(keep & 2);
        tensix->config.thread[0][(TF_THREAD_CFG_ADDR_MOD_AB_SEC0_SrcAIncr >> 16) + 3] = 16 | 8 << 8;
        tensix->config.thread[0][(TF_THREAD_CFG_ADDR_MOD_DST_SEC0_DestIncr >> 16) + 3] = 4 | 1 << 13;
        bool pool = op >> 24 == TF_OP_GMPOOL || op >> 24 == TF_OP_GAPOOL;
        op |= pool ? V(GAPOOL, pool_addr_mode, 3) : V(MVMUL, addr_mode, 3);
        execute(bare, 0, op | V(MVMUL, clear_dvalid, flip));
        for (unsigned side = 0; side < 2; side++) {
            assert_int_equal(tensix->src.matrix_bank[side], flip >> side & 1);
            assert_int_equal(tensix->src.to_matrix[side][0], !(flip >> side & 1) || (keep >> side & 1));
            assert_true(tensix->src.to_matrix[side][1]);
        }
        assert_int_equal(tensix->rwc[0].srca, 16);
        assert_int_equal(tensix->rwc[0].srcb, 8);
        assert_int_equal(tensix->rwc[0].dst, 4);
        assert_int_equal(tensix->rwc[0].fidelity, 1);
    }
}

static void test_waits_for_banks(void **state)
{
    static const uint32_t ops[] = {W(MVMUL), W(ELWADD), W(ELWSUB), W(ELWMUL), W(DOTPV), W(GAPOOL),
                                   W(GMPOOL) | V(GMPOOL, instr_mod19, 1)};
    for (unsigned i = 0; i < sizeof ops / sizeof ops[0] * 2; i++) {
        struct bare *bare = fpu_fresh(state);
        bare->tile.tensix->src.to_matrix[i & 1][0] = false;
        bare_push(bare, 0, ops[i / 2]);
        assert_waits(bare, 0, ops[i / 2]);
        execute(bare, 1, W(SETDVALID) | V(SETDVALID, setvalid, 1u << (i & 1)));
        assert_passed(bare, 0);
        assert_int_equal(bare->tile.faults.count, 0);
    }
}

/* GMPOOL.md, a datum at a time. */
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
    case FP16:
        return (struct datum){(int)(value >> 31), (int)(value >> 16 & 31) + 15, (int)(value >> 21 & 1023)};
    case BF16:
        return (struct datum){(int)(value >> 31), (int)(value >> 16 & 255) + 127, (int)(value >> 24 & 127) * 8};
    default:
        return (struct datum){(int)(value >> 31), (int)(value >> 16 & 255) + 127,
                              (int)((value >> 24 & 127) * 8 + (value >> 13 & 7))};
    }
}

static uint32_t pool_written(struct datum d, unsigned style)
{
    uint32_t sign = (uint32_t)d.sign << 31, exponent = (uint32_t)d.exponent, magnitude = (uint32_t)d.magnitude;
    switch (style) {
    case INT32:
        return sign | (exponent & 7) << 10 | magnitude;
    case FP16:
        return exponent % 64 == 0 ? 0 : sign | magnitude << 21 | ((exponent - 15) & 31) << 16;
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
    execute(bare, 0, W(GMPOOL) | V(GMPOOL, instr_mod19, 1) | V(GMPOOL, max_pool_index_en, mode->arg_max) |
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
        fpu_row(bare, TF_SRC_B, i / 16)[i % 16] =
            fpu_src(0, bare_random() % 8 == 0 ? 0 : bare_random() % 4 == 0 ? one + bare_random() % 4 : one, 0x155);
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
        assert_true(tf_fpu_choose(&bare->tile, (enum tf_fpu_choice)(i % 3)) || i % 3 != TF_FPU_PORTABLE);
        unsigned type = bare_random() % 4;
        struct pool_mode mode = {.wide = bare_random() & 1, .arg_max = bare_random() & 1};
        if (type == 3) {
            mode = (struct pool_mode){INT8, INT32, true, mode.arg_max};
            CFG_SET(bare, ALU_ACC_CTRL_INT8_math_enabled, 1);
        } else {
            mode.source = types[type].format;
            mode.dst = mode.arg_max && (mode.wide || mode.source == TF32) ? types[type].index_dst
                       : mode.wide                                       ? types[type].wide_dst
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

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_against_model), TEST(test_ties), TEST(test_known_values), TEST(test_faults),
        TEST(test_columns_that_do_not_count), TEST(test_dropped), TEST(test_formats), TEST(test_flips_and_modifiers),
        TEST(test_waits_for_banks), TEST(test_pool),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
