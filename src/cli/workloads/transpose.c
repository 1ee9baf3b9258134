/* SPDX-License-Identifier: Apache-2.0 */
/* The transpose of a matrix: every number must be at its place. */
#include "cli/workloads/tensor.h"

static const char *const variants[] = {TF_TRANSPOSE_NAMES, NULL};
static const struct tf_tensor_kind kinds[] = TF_TRANSPOSE_KINDS;

static uint32_t source(const struct tf_wl *wl, uint32_t index)
{
    uint32_t columns = wl->rows * wl->options.scale; /* tiles of OUT */
    return index % columns * wl->row + index / columns;
}

static void expect(const struct tf_tensor_kind *kind, const struct tf_tile_numbers *operand,
                   struct tf_tile_numbers *expected, struct tf_tile_numbers *bound)
{
    (void)kind;
    for (unsigned i = 0; i < TF_TILE_NUMBERS; i++) {
        unsigned row = i / TF_TILE_SIDE, column = i % TF_TILE_SIDE;
        expected->number[tf_tile_at(row, column)] = operand->number[tf_tile_at(column, row)];
        bound->number[i] = 0;
    }
}

static const struct tf_tensor_work work = {.kind = kinds, .operands = 1, .source = source, .expect = expect};

TF_TENSOR_WORKLOAD(transpose, "a matrix transposed: tiles change places, unpackers transpose faces", variants, &work,
                   2);
