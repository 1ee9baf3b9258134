/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of every number, on the vector unit. */
#include "cli/workloads/tensor.h"

#include <math.h>

static const char *const variants[] = {TF_ACTIVATION_NAMES, NULL};
static const struct tf_tensor_kind kinds[] = TF_ACTIVATION_KINDS;

/* The ranges in which the programs are accurate, and the errors of approximations, besides half a unit of the
   output. */
static const struct {
    double least, most;
    double relative, absolute;
} limits[] = {
    [TF_ACTIVATION_EXP] = {-8, 8, 0x1p-14, 0},
    [TF_ACTIVATION_GELU] = {-6, 6, 0x1p-11, 0x1p-11}, /* the formula with tanh has an error of 0.0005 at most */
    [TF_ACTIVATION_SIGMOID] = {-8, 8, 0x1p-13, 0},
    [TF_ACTIVATION_RECIPROCAL] = {0.25, 8, 0x1p-14, 0},
    [TF_ACTIVATION_SQRT] = {0, 16, 0x1p-14, 0},
};

static struct tf_tensor_range range(const struct tf_tensor_kind *kind)
{
    return (struct tf_tensor_range){limits[kind->op].least, limits[kind->op].most};
}

static double apply(unsigned op, double x)
{
    switch (op) {
    case TF_ACTIVATION_EXP: return exp(x);
    case TF_ACTIVATION_GELU: return x / 2 * erfc(-x / sqrt(2));
    case TF_ACTIVATION_SIGMOID: return 1 / (1 + exp(-x));
    case TF_ACTIVATION_RECIPROCAL: return 1 / x;
    default: return sqrt(x);
    }
}

static void expect(const struct tf_tensor_kind *kind, const struct tf_tile_numbers *operand,
                   struct tf_tile_numbers *expected, struct tf_tile_numbers *bound)
{
    for (unsigned i = 0; i < TF_TILE_NUMBERS; i++) {
        double y = apply(kind->op, operand->number[i]);
        expected->number[i] = y;
        bound->number[i] = fabs(y) * (0x1p-8 + limits[kind->op].relative) + limits[kind->op].absolute;
    }
}

static const struct tf_tensor_work work = {.kind = kinds, .operands = 1, .range = range, .expect = expect};

TF_TENSOR_WORKLOAD(activation,
                   "exp, gelu, sigmoid, reciprocal and square root of tensors, by programs of the vector unit",
                   variants, &work, 1);
