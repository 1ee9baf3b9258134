/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels that work on lanes, for vectors of TF_HOST_WIDTH lanes, as the set TF_SFPU_SET. Each follows the
 * functional model of its instruction's page; "lanes" are the enabled lanes.
 */
#include "tile/tensix/data/rwc.h"
#include "tile/tensix/frontend/kind.h"
#include "tile/tensix/vector/fma.h"
#include "tile/tensix/vector/flags.h"
#include "tile/tensix/vector/rows.h"
#include "tile/tensix/vector/batch.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/isa/vector_kind.h"
#include "tile/tensix/vector/run.h"
#include "tile/tensix/vector/single.h"
#include "tile/tensix/vector/tables.h"
#include "tile/tensix/vector/vector.h"

/* The edition of the instruction set; a constant, so that the other edition costs nothing. */
#ifdef TF_SFPU_WORMHOLE
enum { WORMHOLE = 1 };
#else
enum { WORMHOLE = 0 };
#endif

#define KERNEL(name) static void name##_lanes(struct tf_vector *v, uint32_t word, unsigned vd, unsigned vb, unsigned vc)
#define MOD1 (word & 15)
#define UNUSED(registers) (void)word, registers

INLINE bool is_writable(unsigned vd)
{
    return (TF_LREGS_WRITABLE >> vd & 1) != 0;
}

INLINE void set_flags(struct tf_vector *v, uint32_t lanes, uint32_t flags)
{
    v->lane.flags = (v->lane.flags & ~lanes) | (flags & lanes);
}

/* Writes lanes of a register. If all lanes are written, the register is not read (row `vector`). */
INLINE void put_results(uint32_t *row, uint32_t lanes, const vu *results)
{
    if (__builtin_expect(lanes == TF_ALL_LANES, 1)) {
        EACH(part)
        store(row, part, results[part]);
        return;
    }
    EACH(part)
    put(row, part, m_of(lanes, part), results[part]);
}

/* VD = expression of b and c, which are VB and VC. */
#define MAP(name, expression)                                            \
    KERNEL(name)                                                         \
    {                                                                    \
        UNUSED((void)vb);                                                \
        if (!is_writable(vd))                                            \
            return;                                                      \
        vu results[PARTS];                                               \
        EACH(part)                                                       \
        {                                                                \
            vu b = load(v->lreg[vb], part), c = load(v->lreg[vc], part); \
            (void)b;                                                     \
            results[part] = expression;                                  \
        }                                                                \
        put_results(v->lreg[vd], tf_lanes_enabled(v), results);          \
    }

/* Immediates */
#define IMM8 (word >> 12 & 0xFF)
#define IMM12 (word >> 12 & 0xFFF)
#define SIGNED_IMM12 ((uint32_t)((int32_t)(word << 8) >> 20))

INLINE vu pick(bool condition, vu yes, vu no)
{
    return condition ? yes : no;
}

MAP(SFPAND, b &c)
MAP(SFPOR, b | c)
MAP(SFPXOR, b ^ c)
MAP(SFPNOT, ~c)
MAP(SFPEXMAN, (c & 0x7FFFFF) | (MOD1 & 1 ? 0 : TF_FP32_HIDDEN))
MAP(SFPSETMAN, (c & 0xFF800000u) | pick(MOD1 & 1, splat(IMM12 << 11), b & 0x7FFFFF))
MAP(SFPSETSGN, (c & 0x7FFFFFFF) | pick(MOD1 & 1, splat(IMM12 << 31), b &TF_FP32_SIGN))
MAP(SFPSETEXP,
    (c & 0x807FFFFF) | pick(MOD1 & 1, splat(IMM8 << 23), pick(MOD1 & 2, b &TF_FP32_INFINITY, (b & 0xFF) << 23)))

/* Float: -NaN stays negative. */
MAP(SFPABS, pick(MOD1 & 1, sel(ltu(splat(0xFF800000u), c), c, c & 0x7FFFFFFF), absolute(c)))

INLINE vu divide_by_power(uint32_t word, vu c)
{
    vu immediate = splat(IMM8 << 23);
    if ((MOD1 & 1) == 0)
        return (c & 0x807FFFFF) | immediate;
    vu moved = (c & 0x807FFFFF) | (((c & TF_FP32_INFINITY) + immediate) & TF_FP32_INFINITY);
    return sel(eq(c & TF_FP32_INFINITY, splat(TF_FP32_INFINITY)), c, moved);
}

MAP(SFPDIVP2, divide_by_power(word, c))

INLINE vu shift_by(vu value, vu amount, bool arithmetic)
{
    vu left = amount & 31, right = (0 - amount) & 31;
    vu moved = arithmetic ? (vu)((vi)value >> (vi)right) : value >> right;
    return sel(lt((vi)amount, (vi)splat(0)), moved, value << left);
}

MAP(SFPSHFT, shift_by(pick((MOD1 & 5) == 5, c, b), pick(MOD1 & 1, splat(SIGNED_IMM12), c), MOD1 & 2))

/*
 * SFPEXEXP, SFPIADD, SFPLZ: LaneFlags from the results, or as they are, and then inverted or not. SFPLOADMACRO's
 * register sets none.
 */
INLINE void flag_results(struct tf_vector *v, uint32_t lanes, unsigned vd, bool by_result, uint32_t flags, bool invert)
{
    if (vd < 8 && (by_result || invert))
        set_flags(v, lanes, (by_result ? flags : v->lane.flags) ^ (invert ? TF_ALL_LANES : 0));
}

KERNEL(SFPEXEXP)
{
    UNUSED((void)vb);
    if (!is_writable(vd))
        return;
    uint32_t lanes = tf_lanes_enabled(v), negative = 0;
    vu results[PARTS];
    EACH(part)
    {
        results[part] = (load(v->lreg[vc], part) >> 23 & 0xFF) - (MOD1 & 1 ? 0 : 127);
        negative |= m_bits(lt((vi)results[part], (vi)splat(0)), part);
    }
    put_results(v->lreg[vd], lanes, results);
    flag_results(v, lanes, vd, MOD1 & 2, negative, MOD1 & 8);
}

KERNEL(SFPIADD)
{
    if (!is_writable(vd))
        return;
    uint32_t lanes = tf_lanes_enabled(v), negative = 0;
    vu results[PARTS];
    EACH(part)
    {
        vu b = load(v->lreg[vb], part), c = load(v->lreg[vc], part);
        results[part] = c + (MOD1 & 1 ? splat(SIGNED_IMM12) : MOD1 & 2 ? 0 - b : b);
        negative |= m_bits(lt((vi)results[part], (vi)splat(0)), part);
    }
    put_results(v->lreg[vd], lanes, results);
    flag_results(v, lanes, vd, (MOD1 & 4) == 0, negative, MOD1 & 8);
}

KERNEL(SFPLZ)
{
    UNUSED((void)vb);
    if (!is_writable(vd))
        return;
    uint32_t lanes = tf_lanes_enabled(v), nonzero = 0;
    vu results[PARTS];
    EACH(part)
    {
        vu c = load(v->lreg[vc], part) & (MOD1 & 4 ? 0x7FFFFFFF : 0xFFFFFFFF);
        results[part] = leading_zeros(c);
        nonzero |= m_bits(ne(c, splat(0)), part);
    }
    put_results(v->lreg[vd], lanes, results);
    flag_results(v, lanes, vd, MOD1 & 2, nonzero, MOD1 & 8);
}

KERNEL(SFPSETCC)
{
    (void)vd, (void)vb;
    uint32_t condition = 0;
    if (MOD1 & 8) {
        condition = 0;
    } else if (MOD1 & 1) {
        condition = word >> 12 & 1 ? TF_ALL_LANES : 0;
    } else {
        EACH(part)
        {
            vu c = load(v->lreg[vc], part);
            condition |= m_bits(MOD1 & 2 ? ne(c, splat(0)) : lt((vi)c, (vi)splat(0)), part);
        }
        condition ^= MOD1 & 4 ? TF_ALL_LANES : 0;
    }
    set_flags(v, tf_lanes_enabled(v), condition & v->lane.use);
}

/* Order of sign-magnitude integers, and of FP32: -NaN, -infinity ... -0, +0 ... +infinity, +NaN. */
INLINE vi order(vu value)
{
    return (vi)(value ^ (vu)((vi)value >> 31) >> 1);
}

INLINE uint32_t smaller(const struct tf_vector *v, unsigned c, unsigned d)
{
    uint32_t bits = 0;
    EACH(part)
    bits |= m_bits(lt(order(load(v->lreg[c], part)), order(load(v->lreg[d], part))), part);
    return bits;
}

/* SFPSWAP takes the first of two equal negative values for the smaller one (SFPSWAP.md of August 2026). */
static uint32_t lanes_to_swap(const struct tf_vector *v, uint32_t word, unsigned vc, unsigned vb)
{
    uint32_t lanes = tf_lanes_enabled(v), bits = 0;
    if (MOD1 == 0)
        return lanes;
    EACH(part)
    {
        vi second = order(load(v->lreg[vb], part));
        bits |= m_bits(lt(order(load(v->lreg[vc], part)), second - (second >> 31)), part);
    }
    return lanes & (bits ^ ~tf_swap_vd_gets_min[MOD1] ^ v->mask.exchange);
}

INLINE void deliver(struct tf_vector *v, uint32_t word, unsigned vd, uint32_t condition)
{
    uint32_t lanes = tf_lanes_enabled(v);
    if ((MOD1 & 8) != 0 && is_writable(vd)) {
        EACH(part)
        put(v->lreg[vd], part, m_of(lanes, part), sel(m_of(condition, part), splat(0xFFFFFFFFu), splat(0)));
    }
    if (MOD1 & 1)
        set_flags(v, lanes, condition);
    if (MOD1 & 2)
        tf_flags_mutate_top(v, condition, MOD1 & 4);
}

KERNEL(SFPGT)
{
    deliver(v, word, vd, smaller(v, vc, vb));
}

KERNEL(SFPLE)
{
    deliver(v, word, vd, ~smaller(v, vc, vb));
}

/* VB is VD, except in a template of SFPLOADMACRO. If VC is VD there, the register gets what VC gets. */
KERNEL(SFPSWAP)
{
    uint32_t swap = lanes_to_swap(v, word, vc, vb);
    uint32_t indexed = swap & v->mask.dest_index, other = swap & ~v->mask.dest_index;
    EACH(part)
    {
        vu c = load(v->lreg[vc], part), b = load(v->lreg[vb], part);
        if (vd < 8)
            put(v->lreg[vd], part, m_of(vd < 4 ? swap : other, part), c);
        if (vc < 8)
            put(v->lreg[vc], part, m_of(vc < 4 ? swap : other, part), b);
        if (indexed == 0)
            continue;
        uint32_t *index_c = v->lreg[4 + (vc & 3)], *index_d = v->lreg[4 + (vd & 3)];
        vu ic = load(index_c, part), id = load(index_d, part);
        put(index_c, part, m_of(indexed, part), id);
        put(index_d, part, m_of(indexed, part), ic);
    }
}

KERNEL(SFPMOV)
{
    (void)vb;
    uint32_t lanes = MOD1 == 2 ? v->acting : tf_lanes_enabled(v);
    if ((MOD1 & 8) != 0) {
        for (unsigned lane = 0; lane < TF_LANES; lane++) {
            const struct tf_macro_config *macro = &v->macro[lane % TF_LANE_COLUMNS];
            if ((lanes >> lane & 1) == 0)
                continue;
            uint32_t value = vc < 4     ? macro->template[vc]
                             : vc < 8   ? macro->sequence[vc - 4]
                             : vc == 8  ? macro->misc
                             : vc == 9  ? v->prng[lane]
                             : vc == 15 ? v->lane_config[lane % TF_LANE_COLUMNS]
                                        : 0;
            if (vc == 9)
                v->prng[lane] = tf_prng_step(v->prng[lane]);
            if (is_writable(vd))
                v->lreg[vd][lane] = value;
        }
        return;
    }
    if (!is_writable(vd))
        return;
    vu results[PARTS];
    EACH(part)
    results[part] = load(v->lreg[vc], part) ^ (MOD1 & 1 ? TF_FP32_SIGN : 0);
    put_results(v->lreg[vd], lanes, results);
}

/* Swaps rows of eight lanes, each in the columns of its mask. */
INLINE void exchange_rows(uint32_t *a, uint32_t *b, uint32_t into_a, uint32_t into_b)
{
    uint32_t row[TF_LANE_COLUMNS];
    if ((into_a & into_b) == 0xFF) {
        memcpy(row, a, sizeof row);
        memcpy(a, b, sizeof row);
        memcpy(b, row, sizeof row);
        return;
    }
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++) {
        uint32_t from_a = a[column], from_b = b[column];
        a[column] = into_a >> column & 1 ? from_b : from_a;
        b[column] = into_b >> column & 1 ? from_a : from_b;
    }
}

/* Within each column, swaps row j of register i with row i of register j. */
KERNEL(SFPTRANSP)
{
    UNUSED(((void)vd, (void)vb, (void)vc));
    uint32_t lanes = tf_lanes_enabled(v);
    for (unsigned base = 0; base < 8; base += 4)
        for (unsigned i = 1; i < 4; i++)
            for (unsigned j = 0; j < i; j++)
                exchange_rows(&v->lreg[base + i][j * TF_LANE_COLUMNS], &v->lreg[base + j][i * TF_LANE_COLUMNS],
                              lanes >> j * TF_LANE_COLUMNS & 0xFF, lanes >> i * TF_LANE_COLUMNS & 0xFF);
}

/* Returns the state of all lanes, and advances that of some lanes. */
INLINE vu advance_prng(struct tf_vector *v, unsigned part, uint32_t lanes)
{
    vu state = load(v->prng, part);
    put(v->prng, part, m_of(lanes, part), TF_PRNG_STEP(state));
    return state;
}

INLINE vu integer_to_float(vu c, vu random, bool stochastic)
{
    vu magnitude = c & 0x7FFFFFFF;
    vm some = ne(magnitude, splat(0));
    vu zeros = sel(some, leading_zeros(magnitude), splat(157));
    vu normal = magnitude << (zeros & 31);
    vu result = (c & TF_FP32_SIGN) + ((157 - zeros) << 23) + (normal >> 8);
    vm up = stochastic ? ltu(random >> 9 & 0xFE, normal & 0xFE)
                       : test(normal, splat(0x80)) & test(normal, splat(0x17F));
    return result + sel(up, splat(1), splat(0));
}

KERNEL(SFPCAST)
{
    (void)vb;
    bool stochastic = (MOD1 & 3) == 1;
    if (!is_writable(vd) && !stochastic)
        return;
    uint32_t lanes = tf_lanes_enabled(v);
    EACH(part)
    {
        vu c = load(v->lreg[vc], part), result;
        vu random = stochastic ? advance_prng(v, part, lanes) : splat(0);
        if ((MOD1 & 2) == 0)
            result = integer_to_float(c, random, stochastic);
        else if (MOD1 & 1)
            result = sel(lt((vi)c, (vi)splat(0)), TF_FP32_SIGN | (0 - c), c);
        else
            result = absolute(c);
        if (is_writable(vd))
            put(v->lreg[vd], part, m_of(lanes, part), result);
    }
}

/* Rounds FP32 to drop the last `drop` bits of its mantissa. */
INLINE vu round_float(vu c, vu random, unsigned drop)
{
    vu dropped = c & ((1u << drop) - 1);
    vm up = m_not(ltu(dropped, random >> (23 - drop)));
    vu result = c - dropped + sel(up, splat(1u << drop), splat(0));
    result = sel(eq(c & TF_FP32_INFINITY, splat(TF_FP32_INFINITY)), c & 0xFF800000u, result);
    return sel(test(c, splat(TF_FP32_INFINITY)), result, splat(0));
}

INLINE vu clamp_magnitude(vu whole, vu fraction, vu random, uint32_t most)
{
    whole += sel(ltu(fraction, random), splat(0), splat(1));
    return minu(whole, splat(most));
}

INLINE vu float_to_integer(vu c, vu random, uint32_t most, bool keep_sign)
{
    vi exponent = (vi)(c >> 23 & 0xFF) - 127;
    vu significand = (c & 0x7FFFFF) | TF_FP32_HIDDEN;
    vm half = lt(exponent, (vi)splat(0));
    vu left = (vu)exponent & 15, right = (23 - (vu)exponent) & 31;
    vu fraction = sel(half, significand >> 1, significand << left) & 0x7FFFFF;
    vu whole = sel(half, splat(0), significand >> right);
    vu magnitude = clamp_magnitude(whole, fraction, random, most);
    magnitude = sel(lt(exponent, (vi)splat(16)), magnitude, splat(most));
    magnitude = sel(lt(exponent, (vi)splat(0xFFFFFFFFu)), splat(0), magnitude);
    return keep_sign ? magnitude | sel(eq(magnitude, splat(0)), splat(0), c & TF_FP32_SIGN) : magnitude;
}

INLINE vu scale_integer(vu c, vu amount, vu random, uint32_t most, bool keep_sign)
{
    vu magnitude = c & 0x7FFFFFFF;
    vm far = ltu(splat(23), amount);
    vu fraction = sel(far, magnitude >> ((amount - 23) & 31), magnitude << ((23 - amount) & 31)) & 0x7FFFFF;
    magnitude = clamp_magnitude(magnitude >> amount, fraction, random, most);
    return keep_sign ? magnitude | sel(eq(magnitude, splat(0)), splat(0), c & TF_FP32_SIGN) : magnitude;
}

KERNEL(SFP_STOCH_RND)
{
    unsigned mode = word & 7, rounding = word >> 21 & 3;
    uint32_t lanes = tf_lanes_enabled(v);
    EACH(part)
    {
        vu random = advance_prng(v, part, lanes) & 0x7FFFFF;
        random = rounding == 0 ? splat(0x400000) : rounding == 2 ? splat(0x7FFFFF) : random;
        vu c = load(v->lreg[vc], part), result;
        vu amount = word & 8 ? splat(word >> 16 & 31) : load(v->lreg[vb], part) & 31;
        switch (mode) {
        case 0: result = round_float(c, random, 13); break;
        case 1: result = round_float(c, random, 16); break;
        case 2: result = float_to_integer(c, random, 255, false); break;
        case 3: result = float_to_integer(c, random, 127, true); break;
        case 4: result = scale_integer(c, amount, random, 255, false); break;
        case 5: result = scale_integer(c, amount, random, 127, true); break;
        case 6: result = float_to_integer(c, random, 65535, false); break;
        default: result = float_to_integer(c, random, 32767, true); break;
        }
        if (is_writable(vd))
            put(v->lreg[vd], part, m_of(lanes, part), result);
    }
}

/*
 * Shifts a register by one lane to the right within each row. The first lane gets the last of the row, or zero. On
 * Wormhole it does not get zero, but what it got when a register was last rotated (SFPSHFT2.md, "HardwareBug()").
 */
INLINE void shift_rows(struct tf_vector *v, const uint32_t *row, bool rotate, uint32_t out[TF_LANES])
{
    EACH(part)
    {
        vu moved = rotate_rows(row, part);
        store(out, part, rotate ? moved : sel(m_of(TF_COLUMN_LANES, part), splat(0), moved));
    }
    for (unsigned lane = 0; WORMHOLE && lane < TF_LANES; lane += TF_LANE_COLUMNS) {
        if (rotate)
            v->rotated[lane / TF_LANE_COLUMNS] = out[lane];
        else
            out[lane] = v->rotated[lane / TF_LANE_COLUMNS];
    }
}

/* LReg[0] = LReg[1], [1] = [2], [2] = [3], [3] = last. */
INLINE void copy4(struct tf_vector *v, const uint32_t last[TF_LANES])
{
    uint32_t lanes = tf_lanes_enabled(v);
    EACH(part)
    {
        for (unsigned i = 0; i < 3; i++)
            put(v->lreg[i], part, m_of(lanes, part), load(v->lreg[i + 1], part));
        put(v->lreg[3], part, m_of(lanes, part), load(last, part));
    }
}

KERNEL(SFPSHFT2)
{
    _Alignas(64) uint32_t moved[TF_LANES] = {0};
    uint32_t lanes = tf_lanes_enabled(v);
    switch (MOD1) {
    case 0: copy4(v, moved); return;
    case 1:
        memcpy(moved, v->lreg[0] + TF_LANE_COLUMNS, (TF_LANES - TF_LANE_COLUMNS) * sizeof moved[0]);
        copy4(v, moved);
        return;
    case 2:
        shift_rows(v, v->lreg[vc], true, moved);
        copy4(v, moved);
        return;
    case 3:
    case 4: shift_rows(v, v->lreg[vc], MOD1 == 3, moved); break;
    default:
        EACH(part)
        {
            vu amount = MOD1 == 5 ? load(v->lreg[vc], part) : splat(SIGNED_IMM12);
            store(moved, part, shift_by(load(v->lreg[vb], part), amount, false));
        }
        break;
    }
    if (!is_writable(vd))
        return;
    EACH(part)
    put(v->lreg[vd], part, m_of(lanes, part), load(moved, part));
}

KERNEL(SFPLOADI)
{
    (void)vb, (void)vc;
    if (vd >= 8)
        return;
    unsigned mod0 = word >> 16 & 15;
    uint32_t immediate = word & 0xFFFF, keep = 0;
    switch (mod0) {
    case 0: immediate <<= 16; break;
    case 1: immediate = (immediate & 0x8000) << 16 | ((immediate & 0x7FFF) + (112u << 10)) << 13; break;
    case 2: break;
    case 4: immediate = (uint32_t)(int32_t)(int16_t)immediate; break;
    case 8:
        immediate <<= 16;
        keep = 0xFFFF;
        break;
    default: keep = 0xFFFF0000u; break;
    }
    uint32_t lanes = tf_lanes_enabled(v);
    EACH(part)
    put(v->lreg[vd], part, m_of(lanes, part), (load(v->lreg[vd], part) & keep) | immediate);
}

/* SFPARECIP, without signs. */
INLINE vu reciprocal(vu x)
{
    vu mantissa = look_up(tf_reciprocal_table, x >> 16 & 0x7F);
    vu result = (253 - (x >> 23)) << 23 | mantissa << 16;
    result = sel(ltu(x, splat(0x7E800000)), result, splat(0));
    return sel(ltu(x, splat(TF_FP32_HIDDEN)), splat(TF_FP32_INFINITY), result);
}

INLINE vu exponential(vu x)
{
    vu low = x & 0xFFFF;
    vm listed = m_not(ltu(x, splat(0x3C800000))) & ltu(x, splat(0x40000000));
    vu mantissa = look_up(tf_exponential_table, sel(listed, (x >> 16) - 0x3C80, splat(0)));
    vu result = sel(ltu(x, splat(0x3F320000)), splat(0x3F800000), splat(0x40000000)) | mantissa << 16 | low;
    result = sel(ltu(x, splat(0x40000000)), result, 0x40800000 | low);
    result = sel(ltu(x, splat(0x3C800000)), 0x3F810000 | low, result);
    return sel(ltu(x, splat(TF_FP32_HIDDEN)), splat(0x3F800000), result);
}

INLINE vu approximate(uint32_t word, vu b, vu c)
{
    vu sign = c & TF_FP32_SIGN, magnitude = c & ~TF_FP32_SIGN;
    if (MOD1 == 0)
        return sign | reciprocal(magnitude);
    if (MOD1 == 1)
        return sel(lt((vi)b, (vi)splat(0)), reciprocal(magnitude), c);
    return sign | exponential(magnitude);
}

MAP(SFPARECIP, approximate(word, b, c))

#include "tile/tensix/vector/mad.h"
#include "tile/tensix/vector/move.h"

#define SFPENCC_lanes tf_kernel_SFPENCC
#define SFPPUSHC_lanes tf_kernel_SFPPUSHC
#ifdef TF_SFPU_WORMHOLE
#define SFPPOPC_lanes tf_kernel_SFPPOPC_wormhole
#else
#define SFPPOPC_lanes tf_kernel_SFPPOPC
#endif
#define SFPCOMPC_lanes tf_kernel_SFPCOMPC
#define SFPCONFIG_lanes tf_kernel_SFPCONFIG
#define SFPNOP_lanes tf_kernel_SFPNOP

#define SFPU(name, unit, registers, reads, may_read, may_write, traits)                                               \
    static void name##_all_lanes(struct tf_vector *v, uint32_t word)                                                  \
    {                                                                                                                 \
        name##_lanes(v, word, tf_sfpu_vd(TF_REGISTERS_##registers, word), tf_sfpu_vb(TF_REGISTERS_##registers, word), \
                     tf_sfpu_vc(TF_REGISTERS_##registers, word));                                                     \
    }
#define MOVE(name, unit, registers, reads, may_read, may_write, traits)
#include "tile/tensix/isa/sfpu.def"
#undef SFPU

/* By opcode minus that of SFPLOAD, with the registers of the word. */
static void (*const on_all_lanes[TF_SFPU_OPCODES])(struct tf_vector *v, uint32_t word) = {
#define SFPU(name, unit, registers, reads, may_read, may_write, traits) \
    [TF_OP_##name - TF_OP_SFPLOAD] = name##_all_lanes,
#define MOVE(name, unit, registers, reads, may_read, may_write, traits)
#include "tile/tensix/isa/sfpu.def"
#undef SFPU
};

#include "tile/tensix/vector/execute.h"

/* clang-format off */
const struct tf_sfpu_kernels TF_SFPU_SET = {
    .name = TF_SFPU_NAME,
    .kernel = {
#define SFPU(name, unit, registers, reads, may_read, may_write, traits) [TF_KERNEL_##name] = name##_lanes,
#define MOVE(name, unit, registers, reads, may_read, may_write, traits)
#include "tile/tensix/isa/sfpu.def"
#undef SFPU
    },
    .load = load_lanes,
    .store = store_lanes,
    .lanes_to_swap = lanes_to_swap,
    .execute = execute_batch,
};
/* clang-format on */
