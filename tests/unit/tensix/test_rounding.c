/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stochastic rounding: the generators, and the packer's use of them against a model in doubles. The tests also count
 * how often numbers go up. test_fpu_math.c tests the rounding of the matrix unit.
 */
#include <math.h>

#include "tile/tensix/configure/config.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/format.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/rounding.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "unit/tensix/fpu.h"
#include "unit/tensix/pack.h"
#include "unit/tensix/pack_choose.h"

enum { LAST = 1 };
enum { RAW = 1, UNSIGNED = 2, ROUND = 4 };

#define NEAREST 0x400000u
#define GENERATORS (sizeof(struct tf_rounding) / sizeof(uint32_t))

static uint32_t lfsr(uint32_t state)
{
    return state >> 1 | (~(state ^ state >> 1 ^ state >> 21 ^ state >> 31) & 1) << 31;
}

static struct tf_rounding *generators(struct bare *bare)
{
    return bare->tile.tensix->rounding;
}

static void seed(struct bare *bare, uint32_t value)
{
    tf_config_write(&bare->tile, 0, TF_CFG_PRNG_SEED_Seed_Val >> 16, value);
}

static void fill_generators(struct bare *bare)
{
    uint32_t *all = generators(bare)->matrix[0];
    for (unsigned i = 0; i < GENERATORS; i++)
        all[i] = bare_random() >> (i % 5 == 0 ? 27 : 0); /* small numbers make a sum larger that needs no rounding */
}

/* One chain: vector unit, matrix unit, early and late conversion, each from its last generator to its first. */
static void test_seeds(void **state)
{
    struct bare *bare = *state;
    static const uint32_t seeds[] = {0, 1, 0x12345678, 0xFFFFFFFF};
    static const unsigned counts[] = {8 * 16, 4 * 16, 16};
    for (unsigned i = 0; i < 4; i++) {
        uint32_t chain = seeds[i], *part = generators(bare)->matrix[0];
        fill_generators(bare);
        seed(bare, seeds[i]);
        for (unsigned step = 0; step < 32 + 2 * 32; step++)
            chain = lfsr(chain);
        assert_int_equal(bare->tile.tensix->vector->prng[0], chain);
        for (unsigned unit = 0; unit < 3; part += counts[unit++])
            for (unsigned k = counts[unit]; k-- > 0;) {
                chain = lfsr(lfsr(chain));
                assert_int_equal(part[k], chain);
            }
    }
}

static bool is_zero(const void *part, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (((const uint8_t *)part)[i] != 0)
            return false;
    return true;
}

/* SoftReset.md: when the reset ends, not when it begins. */
static void test_reset(void **state)
{
    struct bare *bare = *state;
    struct tf_rounding *of = generators(bare);
    for (unsigned bit = 0; bit < 24; bit++) {
        if (bit >= 11 && bit <= 14)
            continue; /* cores: there are none here */
        seed(bare, 99);
        bare->tile.mmio.debug.soft_reset = 1u << bit;
        tf_tensix_reset(&bare->tile);
        assert_false(is_zero(of->matrix, sizeof of->matrix) || is_zero(of->early, sizeof of->early));
        bare->tile.mmio.debug.soft_reset = 0;
        tf_tensix_reset(&bare->tile);
        assert_int_equal(is_zero(of->matrix, sizeof of->matrix), bit == 10);
        assert_int_equal(is_zero(of->early, sizeof of->early), bit == 17);
        assert_int_equal(is_zero(of->late, sizeof of->late), bit == 17);
    }
}

/* Generators in their state after reset are not part of the hash. Others are, for any history. */
static void test_hash(void **state)
{
    struct bare *bare = *state;
    uint64_t fresh = bare_hash(bare);
    generators(bare)->late[15] = 1;
    assert_false(bare_hash(bare) == fresh);
    generators(bare)->late[15] = 0;
    assert_true(bare_hash(bare) == fresh);
}

/* A magnitude, a multiple of 2^-bits at least, to a whole number; the fraction's first `bits` bits count. */
static double to_whole(double magnitude, unsigned bits, uint32_t taken)
{
    double whole = floor(magnitude);
    if (magnitude == 0)
        return 0;
    return whole + (floor(ldexp(magnitude - whole, (int)bits)) >= floor(ldexp(taken, (int)bits - 23)));
}

/* A path through the packer that rounds. */
static const struct way {
    uint8_t wide, modes, intermediate, from, to;
    uint8_t kept; /* bits of mantissa, or 0: an integer, or what is not rounded before the late conversion */
} ways[] = {
    {1, ROUND, 0, 0, 0, 10}, {1, 0, 4, 4, 4, 10},  {1, 0, 5, 5, 5, 7},    {1, 0, 6, 6, 5, 6},
    {0, 0, 6, 6, 5, 6},      {0, 0, 2, 2, 1, 6},   {1, 0, 14, 14, 14, 0}, {1, UNSIGNED, 14, 14, 14, 0},
    {0, RAW, 5, 5, 6, 0},    {0, RAW, 5, 5, 7, 0}, {0, RAW, 5, 5, 15, 0}, {1, 0, 5, 5, 6, 7},
    {1, 0, 6, 6, 7, 6},      {0, 0, 2, 2, 2, 6},   {0, RAW, 1, 1, 2, 0},  {0, RAW, 1, 1, 11, 0},
};

static bool is_a_family(const struct way *way)
{
    return way->intermediate == 1 || way->intermediate == 2;
}

/* FP32 and BF16, which is flushed before. */
static uint32_t model_e8(const struct way *way, uint32_t in, uint32_t taken)
{
    uint32_t sign = in & 0x80000000, exponent = in >> 23 & 0xFF;
    if (exponent == 255)
        return sign | 0x7F800000;
    if (exponent == 0 && !way->wide)
        return 0;
    double unit = ldexp(1, (exponent == 0 ? 1 : (int)exponent) - 127 - way->kept);
    double mantissa = ldexp((in & 0x7FFFFF) | (exponent != 0 ? 0x800000 : 0), way->kept - 23);
    float result = (float)(to_whole(mantissa, 23u - way->kept, taken) * unit);
    uint32_t out;
    memcpy(&out, &result, sizeof out);
    return out < 0x00800000 ? 0 : sign | out;
}

/* E5M6: what has the largest exponent and mantissa stays. */
static uint32_t model_e5(uint32_t in, uint32_t taken)
{
    uint32_t exponent = in >> 10 & 31, mantissa = (in & 1023) | (exponent != 0 ? 1024 : 0);
    if ((in & 0x7FF0) == 0x7FF0)
        return in & 0xFFF0;
    uint32_t value = (exponent != 0 ? exponent - 1 : 0) * 1024 + 16 * (uint32_t)to_whole(mantissa / 16.0, 17, taken);
    return value < 1024 ? 0 : (in & 0x8000) | value;
}

static uint32_t model_int8(const struct way *way, unsigned shift, uint32_t in, uint32_t taken)
{
    double magnitude = ldexp(in & 0x7FFFFFFF, -(int)shift);
    if (way->modes & UNSIGNED)
        return in >> 31 ? 0 : (uint32_t)fmin(255, shift != 0 ? to_whole(magnitude, 23, taken) : magnitude);
    return in >> 31 << 7 | (uint32_t)fmin(127, shift != 0 ? to_whole(magnitude, 23, taken) : magnitude);
}

/* A datum of Dst after the early conversion: FP32, FP16 or an integer. */
static uint32_t model_early(const struct way *way, unsigned shift, uint32_t in, uint32_t taken)
{
    if (way->from == 14)
        return model_int8(way, shift, in, taken);
    if (way->kept == 0)
        return in;
    return is_a_family(way) ? model_e5(in, taken) : model_e8(way, in, taken);
}

/* Sixteen numbers of eight bits of exponent and seven of mantissa. */
static void model_bfp(unsigned bits, const uint32_t *in, const uint32_t *taken, uint8_t *shared, uint8_t *out)
{
    *shared = 0;
    for (unsigned i = 0; i < 16; i++)
        *shared = (in[i] >> 7 & 0xFF) > *shared ? in[i] >> 7 & 0xFF : *shared;
    memset(out, 0, 16);
    for (unsigned i = 0; i < 16; i++) {
        int exponent = in[i] >> 7 & 0xFF;
        double magnitude = ldexp((in[i] & 127) | (exponent != 0 ? 128 : 0), exponent - *shared - 1);
        uint32_t datum = (uint32_t)fmin(127, to_whole(magnitude, 23, taken[i])) >> (8 - bits);
        datum |= datum != 0 ? in[i] >> 15 << (bits - 1) : 0;
        out[i * bits / 8] |= (uint8_t)(datum << i * bits % 8);
    }
}

struct trial {
    const struct way *way;
    unsigned shift, interfaces;
    bool gasket, packer;
    uint32_t mask; /* columns that are packed */
    uint32_t in[4][16];
};

static void configure(struct bare *bare, const struct trial *trial)
{
    const struct way *way = trial->way;
    set_formats(bare, way->wide, way->from, way->to);
    SET(bare, ALU_FORMAT_SPEC_REG2_Dstacc, way->intermediate);
    SET(bare, PCK_DEST_RD_CTRL_Read_int8, way->modes & RAW);
    SET(bare, PCK_DEST_RD_CTRL_Read_unsigned, way->modes >> 1 & 1);
    SET(bare, PCK_DEST_RD_CTRL_Round_10b_mant, way->modes >> 2 & 1);
    SET(bare, THCON_SEC0_REG1_Exp_section_size, 1);
    SET(bare, INT_DESCALE_Enable, trial->shift != 0);
    SET(bare, INT_DESCALE_VALUES_SEC0_Value, trial->shift);
    SET(bare, PCK_EDGE_OFFSET_SEC0_mask, trial->mask);
    SET(bare, ALU_ROUNDING_MODE_Gasket_srnd_en, trial->gasket);
    SET(bare, ALU_ROUNDING_MODE_Packer_srnd_en, trial->packer);
    for (unsigned i = 0; i < 4 * 16; i++) {
        if (way->wide)
            put32(bare, i / 16, i % 16, trial->in[i / 16][i % 16]);
        else if (is_a_family(way))
            put_fp16(bare, i / 16, i % 16, (uint16_t)trial->in[i / 16][i % 16]);
        else
            put_bf16(bare, i / 16, i % 16, (uint16_t)(trial->in[i / 16][i % 16] >> 16));
    }
}

/* A row as it should lie in L1; generators advance. */
static unsigned model_row(const struct trial *trial, unsigned interface, struct tf_rounding *of, uint8_t *shared,
                          uint8_t *out)
{
    const struct way *way = trial->way;
    bool early = trial->gasket && (way->kept != 0 || way->from == 14);
    unsigned bits = tf_format_info[way->to].bits;
    uint32_t value[16], taken[16];
    for (unsigned i = 0; i < 16; i++) {
        uint32_t *generator = &of->early[interface][i];
        value[i] = 0;
        if (trial->mask >> i & 1) {
            value[i] = model_early(way, trial->shift, trial->in[interface][i], early ? *generator & 0x7FFFFF : NEAREST);
            *generator = early ? lfsr(*generator) : *generator;
        }
    }
    if (!tf_format_info[way->to].bfp) {
        for (unsigned i = 0; i < 16; i++) {
            uint32_t datum = way->to == 5 ? value[i] >> 16 : value[i];
            memcpy(out + i * bits / 8, &datum, bits / 8);
        }
        return bits * 2;
    }
    for (unsigned i = 0; i < 16; i++) {
        if (!is_a_family(way))
            value[i] >>= 16;
        else if (way->from == 1 && (value[i] & 0x7C00) == 0) /* its mantissa is cut, which flushes denormals */
            value[i] = 0;
        else
            value[i] = (value[i] & 0x8000) | (value[i] & 0x7FFF) >> 3;
        taken[i] = trial->packer ? of->late[i] & 0x7FFFFF : NEAREST;
        of->late[i] = trial->packer ? lfsr(of->late[i]) : of->late[i];
    }
    model_bfp(bits, value, taken, shared, out);
    return bits * 2;
}

static void check_packed(struct bare *bare, const struct trial *trial)
{
    struct tf_rounding expected = *generators(bare);
    uint8_t out[4 * 64], shared[4], *to = out;
    unsigned rows = 0;
    for (unsigned interface = 0; interface < 4; interface++)
        if (trial->interfaces >> interface & 1)
            to += model_row(trial, interface, &expected, &shared[rows++], to);
    configure(bare, trial);
    pacr(bare, PACR(read_intf_sel, trial->interfaces) | LAST);
    unsigned at = (trial->way->to & 2) != 0 ? OUT + 16 : OUT;
    if (memcmp(&bare->tile.l1[at], out, (size_t)(to - out)) != 0)
        fail_msg("way %u, gasket %u, packer %u: it is not as the model has it", (unsigned)(trial->way - ways),
                 trial->gasket, trial->packer);
    if (tf_format_info[trial->way->to].bfp)
        assert_memory_equal(&bare->tile.l1[OUT], shared, rows);
    assert_memory_equal(generators(bare), &expected, sizeof expected);
}

static void fill(struct trial *trial)
{
    uint32_t center = bare_random() % 256, spread = 1 + bare_random() % 40;
    for (unsigned i = 0; i < 4 * 16; i++) {
        uint32_t value = bare_random(), kind = bare_random() % 16;
        if (kind > 2 && !is_a_family(trial->way))
            value = (value & 0x807FFFFF) | ((center + bare_random() % spread) & 0xFF) << 23;
        if (kind == 1)
            value &= 0xFF800000 | 0x7C00;
        if (trial->way->from == 14)
            value = (value & 0x80000000) | (value & 0x7FFFFFFF) >> (bare_random() % 31);
        trial->in[i / 16][i % 16] = is_a_family(trial->way) ? value & 0xFFFF
                                    : trial->way->wide      ? value
                                                            : value & 0xFFFF0000;
    }
}

static void test_packer_against_model(void **state)
{
    struct bare *bare = *state;
    static struct trial trial;
    bare_seed();
    for (unsigned i = 0; i < 4000; i++) {
        trial.way = &ways[i % (sizeof ways / sizeof ways[0])];
        trial.shift = trial.way->from == 14 ? bare_random() % 32 : 0;
        trial.interfaces = 1 + bare_random() % 15;
        trial.gasket = bare_random() & 1;
        trial.packer = bare_random() & 1;
        trial.mask = bare_random() % 2 ? 0xFFFF : bare_random() & 0xFFFF;
        fill(&trial);
        fill_generators(bare);
        pack_choose(&bare->tile, i / 16 % PACK_CHOICES);
        check_packed(bare, &trial);
    }
}

static void issue(struct bare *bare, uint32_t word)
{
    tf_tensix_dispatch[word >> 24](&bare->tile, 0, word);
    assert_int_equal(bare->tile.faults.count, 0);
}

static void fill_src(struct bare *bare)
{
    for (unsigned i = 0; i < 2 * 64 * 16; i++)
        fpu_row(bare, i & 1, i / 32)[i / 2 % 16] = fpu_random_src(120, 12, 255);
    for (unsigned i = 0; i < 8 * 16; i++) {
        uint32_t exponent = 110 + bare_random() % 20;
        bare->tile.tensix->dst->bits[i / 16][i % 16] = (uint16_t)((bare_random() & 0xFF00) | exponent);
    }
}

/* A drawn half of 2^23 rounds to nearest, which other code does. */
static void test_half_is_nearest(void **state)
{
    struct bare *bare = fpu_fresh(state);
    static const uint32_t words[] = {W(MVMUL),  W(GAPOOL),
                                     W(ELWADD), W(ELWSUB) | V(ELWADD, dest_accum_en, 1),
                                     W(ELWMUL), W(MVMUL) | V(MVMUL, instr_mod19, 1)};
    bare_seed();
    for (unsigned i = 0; i < 600; i++) {
        static struct tf_dst before, nearest;
        fpu_format(bare, i & 1 ? TF32 : BF16, TF32);
        CFG_SET(bare, ALU_ACC_CTRL_Zero_Flag_disabled_src, i >> 1 & 1);
        fill_src(bare);
        before = *bare->tile.tensix->dst;
        issue(bare, words[i % 6]);
        nearest = *bare->tile.tensix->dst;
        *bare->tile.tensix->dst = before;
        uint32_t *all = generators(bare)->matrix[0];
        for (unsigned k = 0; k < GENERATORS; k++)
            all[k] = NEAREST;
        CFG_SET(bare, ALU_ROUNDING_MODE_Fpu_srnd_en, 1);
        issue(bare, words[i % 6]);
        CFG_SET(bare, ALU_ROUNDING_MODE_Fpu_srnd_en, 0);
        assert_memory_equal(&nearest, bare->tile.tensix->dst, sizeof nearest);
        assert_int_not_equal(generators(bare)->matrix[0][0], NEAREST);
    }
}

/* An instruction that rounds nothing acts as without the bit, and draws no numbers. */
static void test_nothing_to_round(void **state)
{
    struct bare *bare = fpu_fresh(state);
    static const uint32_t words[] = {W(GMPOOL) | V(GMPOOL, instr_mod19, 1), W(MOVA2D), W(MOVB2D)};
    bare_seed();
    for (unsigned i = 0; i < 60; i++) {
        static struct tf_dst before, expected;
        fpu_format(bare, TF32, TF32);
        fill_src(bare);
        fill_generators(bare);
        struct tf_rounding rounding = *generators(bare);
        before = *bare->tile.tensix->dst;
        issue(bare, words[i % 3]);
        expected = *bare->tile.tensix->dst;
        *bare->tile.tensix->dst = before;
        CFG_SET(bare, ALU_ROUNDING_MODE_Fpu_srnd_en, 1);
        issue(bare, words[i % 3]);
        CFG_SET(bare, ALU_ROUNDING_MODE_Fpu_srnd_en, 0);
        assert_memory_equal(&expected, bare->tile.tensix->dst, sizeof expected);
        assert_memory_equal(&rounding, generators(bare), sizeof rounding);
    }
}

#define SUMS 4096u
#define PACKED 2048u
#define OUT_ROOM (16 * (16 + 64))

/* Numbers of a generator resemble the previous ones, and generators resemble each other. So only a few thousand count
   as independent. */
static void check_count(uint32_t count, uint32_t recorded, uint32_t all, double proportion)
{
    if (fabs(count - all * proportion) > 0.03 * all * sqrt(proportion * (1 - proportion)) + 8)
        fail_msg("%u of %u, and not about %.1f", count, all, all * proportion);
    assert_int_equal(count, recorded);
}

/* Sixteen tiles of four rows. */
static void pack_repeated(struct bare *bare, const struct trial *trial, uint8_t *out)
{
    for (unsigned i = 0; i < 16; i++) {
        configure(bare, trial);
        pacr(bare, LAST);
        memcpy(out + i * (OUT_ROOM / 16), &bare->tile.l1[OUT], OUT_ROOM / 16);
    }
}

/*
 * After this seed, 2 + k/1024 becomes 2 + 1/64 in near (4096k + 1) / 65536 of all cases. Dst has seven bits of
 * mantissa, and a sum has 128 data. Counts are what this program gave: a failure says what it gives.
 */
static void test_proportions_of_sums(void **state)
{
    struct bare *bare = fpu_fresh(state);
    static const struct {
        uint32_t k, ups;
    } cases[] = {{0, 0}, {1, 31368}, {4, 128074}, {8, 268110}, {13, 425267}, {15, 488755}};
    uint16_t(*dst)[16] = bare->tile.tensix->dst->bits;
    fpu_format(bare, TF32, TF32);
    CFG_SET(bare, ALU_ROUNDING_MODE_Fpu_srnd_en, 1);
    seed(bare, 2026);
    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        uint32_t ups = 0;
        for (unsigned i = 0; i < 8 * 16; i++) {
            fpu_row(bare, TF_SRC_A, i / 16)[i % 16] = fpu_src(i & 1, 127, 0);
            fpu_row(bare, TF_SRC_B, i / 16)[i % 16] = fpu_src(i & 1, 127, cases[c].k);
        }
        for (unsigned i = 0; i < SUMS; i++) {
            issue(bare, W(ELWADD));
            for (unsigned at = 0; at < 8 * 16; at++) {
                uint32_t fraction = dst[at / 16][at % 16] >> 8 & 127;
                assert_int_equal(dst[at / 16][at % 16], (at & 1) << 15 | fraction << 8 | 128);
                ups += fraction;
            }
        }
        check_count(ups, cases[c].ups, SUMS * 128, (4096 * cases[c].k + 1) / 65536.0);
    }
}

/* The test above for the early conversion: 1 + lost/2^23 to a mantissa of seven bits. */
static void test_proportions_of_early(void **state)
{
    struct bare *bare = *state;
    static const struct {
        uint32_t lost, ups;
    } cases[] = {{0, 0}, {1, 0}, {0x2000, 15588}, {0x8000, 66412}, {0xE000, 115607}, {0xFFFF, PACKED * 64}};
    static struct trial trial = {.way = &ways[2], .interfaces = 15, .gasket = true, .mask = 0xFFFF};
    seed(bare, 2026);
    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        uint32_t ups = 0;
        for (unsigned i = 0; i < 4 * 16; i++)
            trial.in[i / 16][i % 16] = i << 31 | 0x3F800000 | cases[c].lost;
        configure(bare, &trial);
        for (unsigned i = 0; i < PACKED; i++) {
            issue(bare, W(PACR) | LAST);
            for (unsigned at = 0; at < 4 * 16; at++) {
                uint32_t up = half_at(bare, OUT + 2 * at) & 1;
                assert_int_equal(half_at(bare, OUT + 2 * at), (at << 15 & 0x8000) | 0x3F80 | up);
                ups += up;
            }
        }
        check_count(ups, cases[c].ups, PACKED * 64, (cases[c].lost + 1) / 65536.0);
    }
}

/* The test above for the late conversion: 1 and, beside it, numbers below the last bit of the eight. */
static void test_proportions_of_late(void **state)
{
    struct bare *bare = *state;
    static const struct {
        uint16_t in;
        uint32_t ups;
    } cases[] = {{0, 0}, {0x3400, 0}, {0x3B00, 15263}, {0x3C00, 62271}, {0x3C60, 106987}};
    static struct trial trial = {.way = &ways[8], .interfaces = 15, .packer = true, .mask = 0xFFFF};
    seed(bare, 2026);
    for (unsigned c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        uint32_t ups = 0, bits = (uint32_t)cases[c].in << 16;
        float number;
        memcpy(&number, &bits, sizeof number);
        for (unsigned i = 0; i < 4 * 16; i++)
            trial.in[i / 16][i % 16] = i % 16 == 0 ? 0x3F800000 : bits;
        configure(bare, &trial);
        for (unsigned i = 0; i < PACKED; i++) {
            issue(bare, W(PACR) | LAST);
            for (unsigned at = 0; at < 4 * 16; at++) {
                uint32_t datum = bare->tile.l1[OUT + 16 + at];
                assert_true(at % 16 == 0 ? datum == 64 || datum == 65 : datum <= 1);
                ups += at % 16 == 0 ? 0 : datum;
            }
        }
        check_count(ups, cases[c].ups, PACKED * 60, number * 64);
    }
}

/* Equal seeds give equal bits. Another tile has its own generators. */
static void test_seeds_repeat(void **state)
{
    struct bare *bare = *state, *other;
    static struct trial trial = {.way = &ways[11], .interfaces = 15, .gasket = true, .packer = true, .mask = 0xFFFF};
    static uint8_t first[OUT_ROOM], second[OUT_ROOM];
    void *others = NULL;
    assert_int_equal(bare_setup(&others), 0);
    other = others;
    bare_seed();
    fill(&trial);
    seed(bare, 5);
    seed(other, 5);
    struct tf_rounding seeded = *generators(other);
    pack_repeated(bare, &trial, first);
    assert_memory_equal(&seeded, generators(other), sizeof seeded);
    pack_repeated(bare, &trial, second);
    assert_memory_not_equal(first, second, sizeof first);
    seed(bare, 5);
    pack_repeated(bare, &trial, second);
    assert_memory_equal(first, second, sizeof first);
    pack_repeated(other, &trial, second);
    assert_memory_equal(first, second, sizeof first);
    assert_memory_equal(generators(bare), generators(other), sizeof seeded);
    bare_teardown(&others);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_seeds),
        TEST(test_reset),
        TEST(test_hash),
        TEST(test_packer_against_model),
        TEST(test_half_is_nearest),
        TEST(test_nothing_to_round),
        TEST(test_proportions_of_sums),
        TEST(test_proportions_of_early),
        TEST(test_proportions_of_late),
        TEST(test_seeds_repeat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
