/* SPDX-License-Identifier: Apache-2.0 */
/* The multiply-adds, of floating-point numbers and of integers, and the look-up tables; part of kernels.h. */
#define INDIRECT_VA 4
#define INDIRECT_VD 8

/*
 * With a factor of one, or an addend of zero, the multiply-add is an IEEE operation except for denormals (SFPMAD.md).
 * The host's operation serves where denormals have no effect, and never for infinities and NaNs. To decide that, each
 * result has a distance: that of its doubled magnitude from LEAST, the least safe number. Row `vector` pays for it: it
 * has three times the speed of fma_by_integers().
 */
#define LEAST (27u << 24) /* 2^-100 as FP32, doubled */
#define BEYOND (0xFF000000u - LEAST)

/* The sum is valid if it is not small: an operand is not a denormal, or the two cancel. */
INLINE vu add_lanes(vu x, vu z, vu *distance)
{
    CONSTANT(least, LEAST);
    vu sum = (vu)((vf)x + (vf)z), doubled = sum << 1;
    *distance = only_where(doubled - least, doubled, doubled);
    return positive_zero(sum);
}

/*
 * If a factor has an exponent of 0, the product is zero, unless the other is infinite or NaN. Then so is the host's
 * product. Hosts may treat denormals as zeros, so no small product is certain.
 */
INLINE vu multiply_lanes(vu x, vu y, uint32_t zero, vu *distance)
{
    CONSTANT(least, LEAST);
    CONSTANT(exponents, TF_FP32_INFINITY);
    vm none = is_either_zero(x & exponents, y & exponents);
    vu product = (vu)((vf)x * (vf)y);
    *distance = lessen_unless(none, product << 1, least);
    return zero == 0 ? zero_if(none, product) : sel(none, (x ^ y) & zero, product);
}

/* The target of an instruction's results. */
struct outcome {
    uint32_t lanes;
    uint32_t *row; /* LReg[VD], or the buffer if the register differs by lane */
    uint32_t buffer[TF_LANES] __attribute__((aligned(64)));
};

/* Returns false if no result is written. */
INLINE bool begin(struct tf_vector *v, struct outcome *to, bool indirect, unsigned vd)
{
    to->lanes = tf_lanes_enabled(v);
    indirect = indirect && vd != TF_LREG_MACRO;
    to->row = indirect ? to->buffer : v->lreg[vd];
    return indirect || is_writable(vd);
}

/* Writes LReg[LReg[7] & 15], where that is writable. */
INLINE void finish(struct tf_vector *v, const struct outcome *to)
{
    if (to->row != to->buffer)
        return;
    _Alignas(64) uint32_t index[TF_LANES];
    memcpy(index, v->lreg[TF_LREG_INDEX], sizeof index);
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        if ((to->lanes >> lane & 1) != 0 && (index[lane] & 15) < 8)
            v->lreg[index[lane] & 15][lane] = to->buffer[lane];
}

INLINE const uint32_t *factor_a(const struct tf_vector *v, uint32_t word, uint32_t buffer[TF_LANES])
{
    if ((word & INDIRECT_VA) == 0)
        return v->lreg[word >> 16 & 15];
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        buffer[lane] = v->lreg[v->lreg[TF_LREG_INDEX][lane] & 15][lane];
    return buffer;
}

/* VD = a * b + c for any operands; mod1 may negate b and c. */
static __attribute__((noinline)) void exact_multiply_add(uint32_t *row, uint32_t lanes, const uint32_t *a,
                                                         const uint32_t *b, const uint32_t *c, uint32_t mod1)
{
    uint32_t negate_b = mod1 << 31, negate_c = mod1 << 30 & TF_FP32_SIGN;
    EACH(part)
    put(row, part, m_of(lanes, part),
        fma_by_integers(load(a, part), load(b, part) ^ negate_b, load(c, part) ^ negate_c));
}

/* put_results(), if the distances of all results are certain. */
INLINE bool put_if_certain(uint32_t *row, uint32_t lanes, const vu *results, vu distance)
{
    CONSTANT(most, BEYOND - 1);
    if (__builtin_expect(!m_all(geu(most, distance)), 0))
        return false;
    put_results(row, lanes, results);
    return true;
}

INLINE bool add_rows(uint32_t *row, uint32_t lanes, const uint32_t *x, const uint32_t *z, uint32_t negate_x,
                     uint32_t negate_z)
{
    vu results[PARTS], distance, most = splat(0);
    EACH(part)
    {
        results[part] = add_lanes(load(x, part) ^ negate_x, load(z, part) ^ negate_z, &distance);
        most = maxu(most, distance);
    }
    return put_if_certain(row, lanes, results, most);
}

INLINE bool multiply_rows(uint32_t *row, uint32_t lanes, const uint32_t *x, const uint32_t *y, uint32_t negate_y,
                          uint32_t zero)
{
    vu results[PARTS], distance, most = splat(0);
    EACH(part)
    {
        results[part] = multiply_lanes(load(x, part), load(y, part) ^ negate_y, zero, &distance);
        most = maxu(most, distance);
    }
    return put_if_certain(row, lanes, results, most);
}

/* Denormal operands that matter, in any lane. */
static __attribute__((noinline)) bool has_denormals(const uint32_t *a, const uint32_t *b, const uint32_t *c)
{
    bool any = false;
    EACH(part)
    any = any || are_denormal(load(a, part), load(b, part), load(c, part));
    return any;
}

INLINE bool multiply_add_rows(uint32_t *row, uint32_t lanes, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                              uint32_t negate_b, uint32_t negate_c)
{
    vu results[PARTS];
    struct doubt doubt = no_doubt();
    EACH(part)
    results[part] = fma_by_floats(load(a, part), load(b, part) ^ negate_b, load(c, part) ^ negate_c, &doubt);
    if (__builtin_expect(is_doubtful(&doubt), 0) || (any_zero_factor(&doubt) && has_denormals(a, b, c)))
        return false;
    put_results(row, lanes, results);
    return true;
}

/* VD = a * b + c, of a kind of multiply-add. Returns false if the results are not certain, and none is written. */
INLINE bool calculate_rows(uint32_t *row, uint32_t lanes, enum tf_vector_kind kind, const uint32_t *a,
                           const uint32_t *b, const uint32_t *c, uint32_t negate_b, uint32_t negate_c)
{
    switch (kind) {
    case TF_VECTOR_ADD: return add_rows(row, lanes, b, c, negate_b, negate_c);
    case TF_VECTOR_MULTIPLY: return multiply_rows(row, lanes, a, b, negate_b, negate_c);
    default: break;
    }
    if ((negate_b | negate_c) == 0)
        return multiply_add_rows(row, lanes, a, b, c, 0, 0);
    return multiply_add_rows(row, lanes, a, b, c, negate_b, negate_c);
}

/* SFPMAD with registers selected by LReg[7] lane by lane, or with uncertain results. */
static __attribute__((noinline)) void multiply_add_general(struct tf_vector *v, uint32_t word, unsigned vd, unsigned vb,
                                                           unsigned vc)
{
    _Alignas(64) uint32_t indirect[TF_LANES];
    struct outcome to;
    if (!begin(v, &to, word & INDIRECT_VD, vd))
        return;
    exact_multiply_add(to.row, to.lanes, factor_a(v, word, indirect), v->lreg[vb], v->lreg[vc], word);
    finish(v, &to);
}

KERNEL(SFPMAD)
{
    unsigned va = word >> 16 & 15;
    const uint32_t *a = v->lreg[va], *b = v->lreg[vb], *c = v->lreg[vc];
    uint32_t *row = v->lreg[vd], lanes = tf_lanes_enabled(v), negate_b = word << 31,
             negate_c = word << 30 & TF_FP32_SIGN;
    bool done = false;
    if ((word & (INDIRECT_VA | INDIRECT_VD)) == 0 && vd < 8)
        done = calculate_rows(row, lanes, tf_vector_kind_of_mad(va, vc), a, b, c, negate_b, negate_c);
    if (__builtin_expect(!done, 0))
        multiply_add_general(v, word, vd, vb, vc);
}

#define SFPADD_lanes SFPMAD_lanes
#define SFPMUL_lanes SFPMAD_lanes

/* SFPADDI: VD = VD + immediate; SFPMULI: VD = VD * immediate. */
INLINE void with_immediate(struct tf_vector *v, uint32_t word, unsigned vd, unsigned vc, bool multiply)
{
    _Alignas(64) uint32_t immediate[TF_LANES];
    struct outcome to;
    if (!begin(v, &to, word & INDIRECT_VD, vd))
        return;
    EACH(part)
    store(immediate, part, splat(word << 8 & 0xFFFF0000u));
    const uint32_t *other = v->lreg[vc];
    uint32_t negate = word << 30 & TF_FP32_SIGN;
    if (multiply && !multiply_rows(to.row, to.lanes, immediate, other, negate, 0))
        exact_multiply_add(to.row, to.lanes, immediate, other, v->lreg[TF_LREG_ZERO], word >> 1 & 1);
    if (!multiply && !add_rows(to.row, to.lanes, immediate, other, 0, negate))
        exact_multiply_add(to.row, to.lanes, immediate, v->lreg[TF_LREG_ONE], other, word & 2);
    finish(v, &to);
}

KERNEL(SFPADDI)
{
    (void)vb;
    with_immediate(v, word, vd, vc, false);
}

KERNEL(SFPMULI)
{
    (void)vb;
    with_immediate(v, word, vd, vc, true);
}

/* The addition of the floating-point data path to a product of integers (SFPMUL24.md, Mul24ShiftAdd). */
INLINE vu shift_add(vu product, vu z)
{
    vu exponent = z >> 23 & 0xFF, wide = ((z & 0x7FFFFF) | TF_FP32_HIDDEN) << 3;
    vm beyond = ltu(splat(129), exponent);
    vu shift = sel(beyond, splat(0), 129 - exponent) & 31;
    vu shifted = product >> (sel(beyond, exponent - 129, splat(0)) & 31);
    vu kept = wide >> shift;
    vm carry = ltu(splat(0xFFFF), kept << shift ^ wide);
    vu sum = (shifted + kept + sel(carry, splat(0x10000), splat(0))) & 0x7FFFFF;
    sum = sel(eq(kept, splat(0)), shifted, sum);
    return sel(eq(exponent, splat(0)), product, sum);
}

KERNEL(SFPMUL24)
{
    _Alignas(64) uint32_t indirect[TF_LANES];
    struct outcome to;
    if (!begin(v, &to, word & INDIRECT_VD, vd))
        return;
    const uint32_t *a = factor_a(v, word, indirect);
    EACH(part)
    {
        vu x = load(a, part), y = load(v->lreg[vb], part);
        vm rest;
        vu product = word & 1 ? multiply(x & 0x7FFFFF, y & 0x7FFFFF, 23, &rest) : (x * y) & 0x7FFFFF;
        if (vc != TF_LREG_ZERO)
            product = shift_add(product, load(v->lreg[vc], part));
        put(to.row, part, m_of(to.lanes, part), product);
    }
    finish(v, &to);
}

/* 8 bits of a table entry of SFPLUT: sign, 3 bits of exponent below 1.0's, 4 of mantissa. */
INLINE vu widen8(vu x)
{
    vu result = (x & 0x80) << 24 | (127 - (x >> 4 & 7)) << 23 | (x & 15) << 19;
    return sel(eq(x, splat(0xFF)), splat(0), result);
}

INLINE vu widen16(vu x)
{
    vu exponent = x & 0x7C00;
    vu wide = sel(eq(exponent, splat(0x7C00)), splat(0), (exponent << 13) + (112u << 23));
    return (x & 0x8000) << 16 | wide | (x & 0x3FF) << 13;
}

/* One of three registers, for |LReg[3]| below 1, below 2, or at least 2. */
INLINE vu entry(const struct tf_vector *v, unsigned base, vu magnitude, unsigned part)
{
    vm below_1 = ltu(magnitude, splat(0x3F800000)), below_2 = ltu(magnitude, splat(0x40000000));
    return sel(below_1, load(v->lreg[base], part),
               sel(below_2, load(v->lreg[base + 1], part), load(v->lreg[base + 2], part)));
}

INLINE vu retain_sign(bool retain, vu result, vu of)
{
    return retain ? (result & ~TF_FP32_SIGN) | (of & TF_FP32_SIGN) : result;
}

KERNEL(SFPLUT)
{
    (void)vb, (void)vc;
    unsigned mod0 = word >> 16 & 15;
    struct outcome to;
    if (!begin(v, &to, mod0 & INDIRECT_VD, vd))
        return;
    EACH(part)
    {
        vu x = load(v->lreg[3], part), magnitude = x & ~TF_FP32_SIGN;
        vu both = entry(v, 0, magnitude, part);
        vu result = fma_lanes(widen8(both >> 8 & 0xFF), magnitude, widen8(both & 0xFF));
        put(to.row, part, m_of(to.lanes, part), retain_sign(mod0 & 4, result, x));
    }
    finish(v, &to);
}

/* SFPLUTFP32: three pairs of FP32, three pairs of FP16 in one register each, or six pairs of FP16 in halves of
   registers. */
INLINE void coefficients(const struct tf_vector *v, uint32_t word, vu magnitude, unsigned part, vu *a, vu *c)
{
    vu first = entry(v, 0, magnitude, part);
    if ((MOD1 & 2) == 0) {
        *a = first;
        *c = entry(v, 4, magnitude, part);
        return;
    }
    if ((MOD1 & 10) == 10) {
        *a = widen16(first >> 16);
        *c = widen16(first & 0xFFFF);
        return;
    }
    vu second = entry(v, 4, magnitude, part);
    vm above_2 = m_not(ltu(magnitude, splat(0x40000000)));
    vm high_half = (m_not(ltu(magnitude, splat(0x3F000000))) & ltu(magnitude, splat(0x3F800000))) |
                   (m_not(ltu(magnitude, splat(0x3FC00000))) & m_not(above_2)) |
                   (above_2 & m_not(ltu(magnitude, splat(MOD1 & 1 ? 0x40800000 : 0x40400000))));
    vu shift = sel(high_half, splat(16), splat(0));
    *a = widen16(first >> shift & 0xFFFF);
    *c = widen16(second >> shift & 0xFFFF);
}

KERNEL(SFPLUTFP32)
{
    (void)vb, (void)vc;
    struct outcome to;
    if (!begin(v, &to, word & INDIRECT_VD, vd))
        return;
    EACH(part)
    {
        vu x = load(v->lreg[3], part), magnitude = x & ~TF_FP32_SIGN, a, c;
        coefficients(v, word, magnitude, part, &a, &c);
        vu result = fma_lanes(a, magnitude, c);
        put(to.row, part, m_of(to.lanes, part), retain_sign(word & 4, result, x));
    }
    finish(v, &to);
}
