/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums onto Dst. All terms are multiples of 2^13, where 2^23 is the leading one of a normalized mantissa. They are
 * aligned to the largest exponent, and each is rounded separately. Part of kernels.h.
 *
 * Rounding: x / 2^d with ties up is ((2x >> d) + 1) >> 1, for either sign, and for any d.
 */
struct term {
    vi exponent;
    vi value; /* in units of 2^13, below 2^15 */
};

struct dst_term {
    vi exponent;
    vu doubled; /* the magnitude, times two */
    vm negative;
};

INLINE struct dst_term read_dst(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, unsigned row, unsigned part)
{
    vu high = load_narrow(high_row(job, row), part), fraction;
    struct dst_term dst = {.negative = test(high, splat(0x8000))};
    if (kind == TF_ACC_FP16) {
        dst.exponent = (vi)(high & 0x1F);
        fraction = (high & 0x7FE0) << 9;
    } else {
        dst.exponent = (vi)(high & 0xFF);
        fraction = (high & 0x7F00) << 9;
        if (kind == TF_ACC_FP32)
            fraction |= load_narrow(low_row(job, row), part) << 1;
    }
    dst.doubled = zero_unless(test(high, splat(kind == TF_ACC_FP16 ? 0x1F : 0xFF)), fraction | 0x1000000);
    return dst;
}

/* Adds Dst and terms at a common exponent: in units of 1 for FP32, else of 2^13, to which each is rounded again. */
INLINE vi add_aligned(struct dst_term dst, const struct term *term, unsigned terms, vi exponent,
                      enum tf_fpu_accumulator kind)
{
    const uint32_t half = kind == TF_ACC_FP32 ? 1 : 0x2001, units = kind == TF_ACC_FP32 ? 1 : 14;
    /* Ties of Dst go away from zero, ties of the terms up. */
    vi total = (vi)negate_where(dst.negative,
                                (shift_right(dst.doubled, (vu)(exponent - dst.exponent)) + half) >> units);
    for (unsigned i = 0; i < terms; i++)
        total += (shift_right_signed(term[i].value << 14, (vu)(exponent - term[i].exponent)) + (int32_t)half) >> units;
    return total;
}

/*
 * Rounds a magnitude to drop the last `dropped` of its 23 bits of mantissa: with ties away from zero, or with the job's
 * generators (rounding.h). The caller ignores the dropped bits.
 */
INLINE vu round_magnitude(const struct tf_fpu_job *job, unsigned row, unsigned part, vu magnitude, uint32_t dropped)
{
#ifdef TF_FPU_STOCHASTIC
    vu taken = (load_src(job->generators[row], part) & TF_ROUNDING_BITS) >> (23 - dropped);
    return magnitude + sel(ltu(magnitude & ((1u << dropped) - 1), taken), splat(0), splat(1u << dropped));
#else
    (void)job, (void)row, (void)part;
    return magnitude + (1u << dropped >> 1);
#endif
}

/*
 * The new value of Dst: `total`, whose unit is 1 (`fine`, below 2^30) or 2^13 (below 2^17), normalized and rounded.
 * Overflow gives infinity, or FP16's largest number. Underflow, or no exponent, gives zero.
 */
INLINE void write_total(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, unsigned row, unsigned part,
                        vi total, vi exponent, bool fine)
{
    const uint32_t dropped = kind == TF_ACC_FP32 ? 0 : kind == TF_ACC_BF16 ? 16 : 13;
    const vm zero = eq((vu)total, splat(0));
    vu magnitude = absolute((vu)total), bits;
    if (fine) {
        /* A total beyond 24 bits is doubled and made odd, so that no tie remains. */
        bits = to_float(or_if(lt(all(0xFFFFFF), (vi)magnitude), magnitude << 1, splat(1)));
        exponent += (vi)(bits >> 23) - 151;
#ifdef TF_FPU_WORMHOLE
        /* A defect of its normalization (ttsim): minus one unit counts as a number 27 places larger. */
        exponent += (vi)zero_unless(eq((vu)total, splat(0xFFFFFFFFu)), splat(27));
#endif
    } else {
        bits = round_magnitude(job, row, part, to_float(magnitude), dropped);
        exponent += (vi)(bits >> 23) - 137;
    }
    const int32_t largest = kind == TF_ACC_FP16 ? 31 : 254;
    const vm over = lt(all(largest), exponent), nothing = zero | lt(exponent, all(1));
    vu limited = minu((vu)exponent, splat(kind == TF_ACC_FP16 ? 31 : 255));
    vu sign = ((vu)total >> 16) & 0x8000, high;
    if (kind == TF_ACC_FP16)
        high = or_if(over, bits >> 8 & 0x7FE0, splat(0x7FE0));
    else
        high = zero_unless(m_not(over), bits >> 8 & 0x7F00);
    store_narrow(high_row(job, row), part, zero_unless(m_not(nothing), high | sign | limited));
    if (kind == TF_ACC_FP32)
        store_narrow(low_row(job, row), part, zero_unless(m_not(nothing | over), bits & 0xFFFF));
}

/* Adds terms to Dst; an absent term is zero. No exponent is negative. */
INLINE void add_terms(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, unsigned row, unsigned part,
                      const struct term *term, unsigned terms)
{
    struct dst_term dst = read_dst(job, kind, row, part);
    vi exponent = dst.exponent;
    for (unsigned i = 0; i < terms; i++)
        exponent = max(exponent, term[i].exponent);
    write_total(job, kind, row, part, add_aligned(dst, term, terms, exponent, kind), exponent, kind == TF_ACC_FP32);
}
