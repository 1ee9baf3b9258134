/* SPDX-License-Identifier: Apache-2.0 */
/* Softmax of the columns of tiles. */
#include "cli/workloads/tensor.h"

#include <math.h>

static const char *const variants[] = { TF_SOFTMAX_NAMES, NULL };
static const struct tf_tensor_kind kinds[] = TF_SOFTMAX_KINDS;

/*
 * Within a 32nd of the value: a difference of up to 4 is cut to bf16, which moves it by 2^-6 at most, and exponentials,
 * sums, reciprocals and products are rounded to it.
 */
static void expect(const struct tf_tensor_kind *kind, const struct tf_tile_numbers *operand,
                   struct tf_tile_numbers *expected, struct tf_tile_numbers *bound)
{
    (void)kind;
    for (unsigned column = 0; column < TF_TILE_SIDE; column++) {
        double sum = 0;
        for (unsigned row = 0; row < TF_TILE_SIDE; row++)
            sum += exp(operand->number[tf_tile_at(row, column)]);
        for (unsigned row = 0; row < TF_TILE_SIDE; row++) {
            unsigned at = tf_tile_at(row, column);
            expected->number[at] = exp(operand->number[at]) / sum;
            bound->number[at] = expected->number[at] * 0x1p-5;
        }
    }
}

static const struct tf_tensor_work work = {.kind = kinds, .operands = 1, .ones = true, .expect = expect};

TF_TENSOR_WORKLOAD(softmax, "softmax of columns, matrix and vector unit in turns", variants, &work, 2);
