/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles in other formats and orders, clamped or added up: the conversions of unpackers and packers. */
#include "cli/workloads/tensor.h"

#include <math.h>

static const char *const variants[] = {TF_CONVERT_NAMES, NULL};
static const struct tf_tensor_kind kinds[] = TF_CONVERT_KINDS;

/* The largest error when a number is cut to a narrower format, as a fraction of the number. Below its least exponent,
   fp8 has 0. */
static double loss(unsigned format)
{
    switch (format) {
    case TF_TF32:
    case TF_FP16: return 0x1p-10;
    case TF_BF16: return 0x1p-7;
    case TF_FP8_E4M3: return 0x1p-3;
    default: return 0;
    }
}

/* The value of the last bit of magnitudes that share an exponent; `largest` is the largest of them. */
static double last_bit(unsigned format, double largest)
{
    int power;
    if (!TF_FORMAT_IS_BFP(format) || largest == 0)
        return 0;
    frexp(largest, &power);
    return ldexp(1, power - 1 - ((int)TF_FORMAT_BITS(format) - 2));
}

static double bound_of(const struct tf_tensor_kind *kind, double x, double largest)
{
    unsigned src = TF_TENSOR_SRC(kind);
    bool narrows = TF_FORMAT_BITS(kind->out) < TF_FORMAT_BITS(kind->in);
    double cut = src != kind->in ? loss(src) : 0, beside = 0;
    if (kind->op == TF_CONVERT_STOCHASTIC && kind->out == TF_FP32) /* the packer cuts to tf32 */
        cut = loss(TF_TF32);
    if (TF_FORMAT_IS_INTEGER(kind->in))
        return 0;
    if (kind->how == TF_HOW_ACCUMULATE) /* each addition rounds a number of up to the whole sum */
        cut += TF_TENSOR_ROUNDS * loss(kind->out);
    else if (narrows && kind->out != src)
        cut += loss(kind->out);
    if (kind->in == TF_FP32 && kind->out == TF_FP16) /* small numbers of fp32 do not become denormals */
        beside = 0x1p-14;
    else if (kind->out == TF_FP8_E4M3)
        beside = 0x1p-6;
    return cut * fabs(x) + beside + (narrows ? last_bit(kind->out, largest) : 0);
}

static double clamp(unsigned relu, double x)
{
    if (relu != 0 && (x < 0 || (relu == 2 && x <= TF_TENSOR_THRESHOLD)))
        return 0;
    return relu == 3 && x > TF_TENSOR_THRESHOLD ? TF_TENSOR_THRESHOLD : x;
}

static void expect(const struct tf_tensor_kind *kind, const struct tf_tile_numbers *operand,
                   struct tf_tile_numbers *expected, struct tf_tile_numbers *bound)
{
    double rounds = kind->how == TF_HOW_ACCUMULATE ? TF_TENSOR_ROUNDS : 1;
    for (unsigned i = 0; i < TF_TILE_NUMBERS; i++) {
        double largest = 0;
        unsigned from = kind->how == TF_HOW_UNTILIZE ? tf_tile_at(i / TF_TILE_SIDE, i % TF_TILE_SIDE) : i;
        expected->number[i] = rounds * clamp(kind->relu, operand->number[from]);
        for (unsigned k = i / 16 * 16; k < i / 16 * 16 + 16; k++)
            largest = fmax(largest, fabs(operand->number[k]));
        bound->number[i] = bound_of(kind, rounds * operand->number[from], largest);
    }
}

/* The limit for the drift of roundings. Sixteen generators, which resemble each other, round all of a tile's bfp8.
   Rounding to nearest drifts by a sixth, because ties go up. */
static double drift_of(const struct tf_tensor_kind *kind)
{
    return kind->op == TF_CONVERT_STOCHASTIC ? 0.04 : 1;
}

static const struct tf_tensor_work work = {.kind = kinds, .operands = 1, .expect = expect, .drift = drift_of};

TF_TENSOR_WORKLOAD(convert, "tensors in other formats and orders, clamped or added up in L1, by unpackers and packers",
                   variants, &work, 1);
