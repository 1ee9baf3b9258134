/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ELWADD and ELWSUB with ALU_ACC_CTRL_Zero_Flag_disabled_src, which keeps data of SrcB with an exponent of zero. The
 * rules are those of terms.h, except that a mantissa below zero is shifted as if it were a large one. Part of
 * kernels.h.
 */
/* Sign is 0 or 1, the leading one of a normalized mantissa is bit 23. */
struct kept {
    vi exponent;
    vu mantissa, sign;
};

INLINE struct kept kept_dst(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, unsigned row, unsigned part)
{
    vu high = load_narrow(high_row(job, row), part);
    struct kept dst = {.sign = high >> 15};
    if (kind == TF_ACC_FP16) {
        dst.exponent = (vi)(high & 0x1F);
        dst.mantissa = (high & 0x7FE0) << 8;
    } else {
        dst.exponent = (vi)(high & 0xFF);
        dst.mantissa = (high & 0x7F00) << 8;
        if (kind == TF_ACC_FP32)
            dst.mantissa |= load_narrow(low_row(job, row), part);
    }
    dst.mantissa = sel(eq((vu)dst.exponent, splat(0)), splat(0), dst.mantissa | 0x800000);
    return dst;
}

/* To a larger exponent: a tie goes up if the sign is 0, down if it is 1. */
INLINE vu kept_align(struct kept term, vi exponent)
{
    vu distance = minu((vu)(exponent - term.exponent), splat(31));
    return (term.mantissa + (((1u << distance) - term.sign) >> 1)) >> distance;
}

/* The low 13 bits are dropped unless Dst is FP32. */
INLINE vu kept_round(struct kept term, enum tf_fpu_accumulator kind)
{
    return kind == TF_ACC_FP32 ? term.mantissa : (term.mantissa + 0x1000 - term.sign) & ~0x1FFFu;
}

INLINE vu kept_align_signed(struct kept term, vi exponent, enum tf_fpu_accumulator kind)
{
    term.mantissa = kept_align(term, exponent);
    return negate_if(term.sign, kept_round(term, kind));
}

INLINE void kept_write(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, unsigned row, unsigned part,
                       struct kept value)
{
    if (kind == TF_ACC_FP16) {
        store_narrow(high_row(job, row), part, value.sign << 15 | value.mantissa >> 13 << 5 | (vu)value.exponent);
        return;
    }
    store_narrow(high_row(job, row), part, value.sign << 15 | value.mantissa >> 16 << 8 | (vu)value.exponent);
    if (kind == TF_ACC_FP32)
        store_narrow(low_row(job, row), part, value.mantissa & 0xFFFF);
}

/* A magnitude whose leading one is `left` bits below bit 23 (above if negative): moves it there, and rounds. */
INLINE vu kept_to_width(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, unsigned row, unsigned part,
                        vu magnitude, vi left)
{
    const uint32_t dropped = kind == TF_ACC_BF16 ? 16 : 13;
    vu right = (vu)max(-left, all(0));
    magnitude <<= (vu)max(left, all(0)) & 31;
    if (kind == TF_ACC_FP32)
        return (magnitude + ((1u << right) >> 1)) >> right;
    return round_magnitude(job, row, part, magnitude >> right, dropped) >> dropped << dropped;
}

/* Normalizes and rounds to the format of Dst; overflow gives infinity, or FP16's largest number. */
INLINE struct kept kept_normalize(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, unsigned row,
                                  unsigned part, vu total, vi exponent)
{
    struct kept value = {.sign = total >> 31, .mantissa = absolute(total)};
    vi left = (vi)leading_zeros(value.mantissa) - 8;
#ifdef TF_FPU_WORMHOLE
    left -= (vi)zero_unless(eq(total, splat(0xFFFFFFFFu)), splat(27)); /* the defect in terms.h */
#endif
    vm zero = eq(value.mantissa, splat(0)) | lt(exponent, all(1));
    exponent -= left;
    value.mantissa = kept_to_width(job, kind, row, part, value.mantissa, left);
    exponent += (vi)(value.mantissa >> 24);
    value.mantissa &= 0x7FFFFF;
    const int32_t largest = kind == TF_ACC_FP16 ? 31 : 254;
    vm over = lt(all(largest), exponent);
    value.mantissa = sel(over, splat(kind == TF_ACC_FP16 ? 0x3FFu << 13 : 0), value.mantissa);
    exponent = (vi)sel(over, splat(kind == TF_ACC_FP16 ? 31 : 255), (vu)exponent);
    zero |= lt(exponent, all(1));
    value.sign = sel(zero, splat(0), value.sign);
    value.mantissa = sel(zero, splat(0), value.mantissa);
    value.exponent = (vi)sel(zero, splat(0), (vu)exponent);
    return value;
}

/* Exponent, then mantissa: as numbers, magnitudes are in order. */
INLINE vu kept_key(vu datum)
{
    return (datum & 0xFF) << 10 | (datum >> 8 & 0x3FF);
}

INLINE vu kept_mantissa(vu datum)
{
    return sel(eq(datum, splat(0)), splat(0), (datum >> 8 & 0x3FF) | 0x400);
}

/*
 * Mantissas of 11 bits, aligned to the larger exponent, give a sum of 12 bits. A kept negative zero of SrcB still has a
 * leading one. With a zero of SrcA that makes a mantissa below zero.
 */
INLINE struct kept kept_sum(const struct tf_fpu_job *job, enum tf_fpu_accumulator kind, vu a, vu b)
{
    a = sel(eq(a & 0xFF, splat(0)), splat(0), a);
    vm swapped = ltu(kept_key(a), kept_key(b));
    vu large = sel(swapped, b, a), small = sel(swapped, a, b);
    vu distance = minu((large & 0xFF) - (small & 0xFF), splat(12));
    vu addend = (kept_mantissa(small) + ((1u << distance) >> 1)) >> distance;
    vu mantissa = kept_mantissa(large) + negate_if((large ^ small) >> 18, addend);
    struct kept sum = {(vi)(large & 0xFF), mantissa << 13, large >> 18};
    if (kind == TF_ACC_FP32 && !job->exponent_8b)
        sum.exponent += (vi)sel(eq((vu)sum.exponent, splat(0)), splat(127 - 30), splat(127 - 15));
    /* ELWADD.md: a fidelity phase divides the sum. Underflow is flushed. */
    if (job->phase != 0) {
        sum.exponent -= (job->phase & 1 ? 5 : 0) + (job->phase & 2 ? 7 : 0);
        vm zero = lt(sum.exponent, all(1));
        sum.exponent = (vi)sel(zero, splat(0), (vu)sum.exponent);
        sum.mantissa = sel(zero, splat(0), sum.mantissa);
    }
    return sum;
}

static void add_kept(const struct tf_fpu_job *job)
{
    enum tf_fpu_accumulator kind = job->accumulator;
    for (unsigned row = 0; row < TF_FPU_ROWS; row++) {
        EACH_VECTOR(part)
        {
            vu a = load_src(job->a[row], part) & job->mask_a, b = load_b(job, row, part) & job->mask_b;
            struct kept dst = {all(0), splat(0), splat(0)}, term = kept_sum(job, kind, a, b);
            if (job->accumulate)
                dst = kept_dst(job, kind, row, part);
            vi exponent = max(dst.exponent, term.exponent);
            /* Dst is rounded as a positive number, also if its sign is 1. */
            vu sign = dst.sign;
            dst.sign = splat(0);
            dst.mantissa = kept_align(dst, exponent);
            vu total = negate_if(sign, kept_round(dst, kind)) + kept_align_signed(term, exponent, kind);
            kept_write(job, kind, row, part, kept_normalize(job, kind, row, part, total, exponent));
        }
    }
}
