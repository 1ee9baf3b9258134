/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GMPOOL.md: the largest datum of each column. A datum is a sign, nine bits of exponent and ten of mantissa or
 * magnitude, compared as a signed number of 19 bits. Part of kernels.h.
 */
#define POOL_EXPONENT 0x1FFu

struct largest {
    vi value; /* comparable */
    vu sign;  /* its sign: a zero can have either */
    vu index; /* MaxIndex, 8 bits */
};

INLINE vi comparable(vu sign, vu exponent, vu mantissa)
{
    return (vi)negate_if(sign, exponent << 10 | mantissa);
}

/* dst is Dst's datum as 32 bits; Dst16b is its high half. */
INLINE struct largest pool_start(const struct tf_fpu_pool *pool, vu dst)
{
    vu exponent, mantissa;
    if (pool->dst == TF_STYLE_INT8) {
        mantissa = dst & 0x3FF;
        exponent = (dst >> 10 & 0x3F) | (dst >> 24 & 7) << 6;
    } else if (pool->dst == TF_STYLE_FP16) {
        exponent = (dst >> 16 & 0x1F) + 15;
        mantissa = dst >> 21 & 0x3FF;
    } else {
        exponent = (dst >> 16 & 0xFF) + 127;
        mantissa = (dst >> 24 & 0x7F) << 3;
        if (pool->dst == TF_STYLE_TF32)
            mantissa += dst >> 13 & 7;
    }
    return (struct largest){comparable(dst >> 31, exponent, mantissa), dst >> 31, dst & 0xFF};
}

INLINE vu pool_result(const struct tf_fpu_pool *pool, const struct largest *largest)
{
    vu magnitude = absolute((vu)largest->value), sign = largest->sign << 31;
    vu exponent = magnitude >> 10, mantissa = magnitude & 0x3FF;
    if (pool->dst == TF_STYLE_INT8)
        return sign | (exponent & 7) << 10 | mantissa;
    if (pool->dst == TF_STYLE_FP16)
        return sel(eq(exponent & 0x3F, splat(0)), splat(0), sign | mantissa << 21 | ((exponent - 15) & 0x1F) << 16);
    vu value = sign | (mantissa & 0x3F8) << 21 | ((exponent - 127) & 0xFF) << 16;
    if (pool->dst == TF_STYLE_TF32)
        value |= (mantissa & 7) << 13;
    return sel(eq(exponent, splat(0)), splat(0), value);
}

/* A datum of SrcA times the power of two in SrcB's exponent; integers are not scaled. */
INLINE void pool_take(const struct tf_fpu_pool *pool, vu a, uint32_t b, struct largest *largest, bool first_rows,
                      vu index)
{
    vu sign = a >> 18, exponent, mantissa = a >> 8 & 0x3FF;
    if (pool->source == TF_STYLE_INT8)
        exponent = splat(0);
    else if (pool->source == TF_STYLE_FP16)
        exponent = (a & 0x1F) + (b & 0x1F);
    else
        exponent = (a & 0xFF) + (b & 0xFF);
    if (pool->source == TF_STYLE_BF16)
        mantissa &= 0x3F8;
    vm zero = eq(a & 0xFF, splat(0));
    sign = sel(zero, splat(0), sign);
    vi value = (vi)sel(zero, splat(0), (vu)comparable(sign, exponent, mantissa));
    if ((b & 0xFF) == 0) {
        value = (vi)(0u - splat(POOL_EXPONENT << 10 | 0x3FF));
        sign = splat(1);
    }
    vm less = lt(value, largest->value);
    largest->value = (vi)sel(less, (vu)largest->value, (vu)value);
    largest->sign = sel(less, largest->sign, sign);
    if (first_rows)
        largest->index = sel(less, largest->index, index);
}

/* The other three rows of Dst are zeroed, or their index phases advance. */
INLINE void pool_finish(const struct tf_fpu_job *job, const struct tf_fpu_pool *pool, unsigned part)
{
    for (unsigned row = 1; row < 4; row++) {
        vu value = splat(0);
        if (pool->wide && pool->arg_max)
            value = (load_narrow(low_row(job, row), part) + 0x100) & 0xF00;
        store_narrow(high_row(job, row), part, splat(0));
        if (pool->wide)
            store_narrow(low_row(job, row), part, value);
    }
}

static void pool(const struct tf_fpu_job *job, const struct tf_fpu_pool *what)
{
    static const uint8_t transformed[8] = {0, 3, 6, 1, 4, 7, 2, 5};
    EACH_VECTOR(part)
    {
        vu dst = load_narrow(high_row(job, 0), part) << 16;
        if (what->wide)
            dst |= load_narrow(low_row(job, 0), part);
        vu phase = (dst + 0x100) & 0xF00;
        struct largest largest = pool_start(what, dst);
        for (unsigned step = 0; step < COLUMNS; step++) {
            unsigned i = step < 8 ? step ^ 4 : step; /* the order decides ties */
            vu index = i < 8 ? ((phase >> 4) + transformed[i]) & 0xFF : splat(0);
            pool_take(what, load_src(job->a[i], part), b_row(job, 0)[i], &largest, i < 8, index);
        }
        vu result = splat(0);
        if (!what->arg_max || what->dst != TF_STYLE_INT8)
            result = pool_result(what, &largest);
        if (what->arg_max)
            result |= phase | largest.index;
        store_narrow(high_row(job, 0), part, result >> 16);
        if (what->wide)
            store_narrow(low_row(job, 0), part, result & 0xFFFF);
        pool_finish(job, what, part);
    }
}
