/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, differences and products, number by number. */
#include "cli/workloads/tensor.h"

#include <math.h>

static const char *const variants[] = {TF_ELTWISE_NAMES, NULL};
static const struct tf_tensor_kind kinds[] = TF_ELTWISE_KINDS;

static bool is_product(const struct tf_tensor_kind *kind)
{
    return kind->op == TF_ELTWISE_MUL || kind->op == TF_ELTWISE_MUL_STOCHASTIC;
}

/*
 * Bounds: a sum is cut to the output's precision once, measured by its larger operand. A product is rounded to Dst's
 * precision with each fidelity phase, up or down. A single phase leaves out the low bits of both mantissas. Operands in
 * fp32 are first cut to tf32. In a block format, the largest number of the block counts. In fp16, parts of a product
 * below 2^-14 are lost. Integers are exact.
 */
static double bound_of(const struct tf_tensor_kind *kind, double a, double b)
{
    double unit = kind->in == TF_FP32 ? 0x1p-9 : kind->out == TF_FP16 ? 0x1p-10 : 0x1p-7;
    double slack = kind->out == TF_FP16 ? 0x1p-12 : 0;
    if (TF_FORMAT_IS_INTEGER(kind->in))
        return 0;
    if (kind->out == TF_BFP8)
        return 0x1p-4 * (1 + fabs(a) + fabs(b));
    if (!is_product(kind))
        return unit * (fabs(a) + fabs(b)) + slack;
    if (kind->phases == 1)
        return 0x1p-3 * fabs(a * b) + slack;
    return (kind->wide && kind->in != TF_FP32 ? 0x1p-13 : unit * kind->phases) * fabs(a * b) + slack;
}

static double combine(const struct tf_tensor_kind *kind, double a, double b)
{
    double x = is_product(kind) ? a * b : kind->op == TF_ELTWISE_SUB ? a - b : a + b;
    return kind->out == TF_INT8 ? fmax(-127, fmin(127, x)) : x;
}

static void expect(const struct tf_tensor_kind *kind, const struct tf_tile_numbers *operand,
                   struct tf_tile_numbers *expected, struct tf_tile_numbers *bound)
{
    for (unsigned i = 0; i < TF_TILE_NUMBERS; i++) {
        double a = operand[TF_TENSOR_A].number[i], b = operand[TF_TENSOR_B].number[i];
        expected->number[i] = combine(kind, a, b);
        bound->number[i] = bound_of(kind, a, b);
    }
}

/* Rounding to nearest drifts by a thirtieth, because ties go up. */
static double drift_of(const struct tf_tensor_kind *kind)
{
    return kind->op == TF_ELTWISE_MUL_STOCHASTIC ? 0.02 : 1;
}

static const struct tf_tensor_work work = {.kind = kinds, .operands = 2, .expect = expect, .drift = drift_of};

TF_TENSOR_WORKLOAD(eltwise, "sums, differences and products of tensors: unpack, compute, pack on every tile", variants,
                   &work, 2);
