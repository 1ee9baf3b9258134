/* SPDX-License-Identifier: Apache-2.0 */
/* Sums and maxima of columns and rows of tiles, and sums of columns of a whole matrix. */
#include "cli/workloads/tensor.h"

#include <math.h>

static const char *const variants[] = {TF_REDUCE_NAMES, NULL};
static const struct tf_tensor_kind kinds[] = TF_REDUCE_KINDS;

/* The expected number at a row and a column of the output, and the sum of magnitudes that bounds its error. */
static double reduced(unsigned op, const struct tf_tile_numbers *tile, unsigned row, unsigned column, double *size)
{
    double sum = 0, most = -INFINITY;
    *size = 0;
    for (unsigned i = 0; i < TF_TILE_SIDE; i++) {
        double x = tile->number[op == TF_REDUCE_ROW_SUM ? tf_tile_at(row, i) : tf_tile_at(i, column)];
        sum += x;
        *size += fabs(x);
        most = x > most ? x : most;
    }
    bool summed = op == TF_REDUCE_ROW_SUM ? column < TF_FACE_SIDE : row < (op == TF_REDUCE_COLUMN_SUM ? 4 : 1);
    *size *= summed && op != TF_REDUCE_COLUMN_MAX;
    return !summed ? 0 : op == TF_REDUCE_COLUMN_MAX ? most : sum;
}

/* A maximum is exact; a sum is rounded to Dst's precision after each phase's sums of sixteen. */
static void expect(const struct tf_tensor_kind *kind, const struct tf_tile_numbers *operand,
                   struct tf_tile_numbers *expected, struct tf_tile_numbers *bound)
{
    for (unsigned i = 0; i < TF_TILE_NUMBERS; i++) {
        unsigned row = i / TF_TILE_SIDE, column = i % TF_TILE_SIDE, at = tf_tile_at(row, column);
        double size;
        expected->number[at] = reduced(kind->op, operand, row, column, &size);
        bound->number[at] = size * (kind->wide ? 0x1p-13 : 0x1p-7);
    }
}

static unsigned ones_rows(const struct tf_tensor_kind *kind)
{
    return kind->op == TF_REDUCE_CHIP_SUM ? 1 : TF_TILE_SIDE;
}

static const struct tf_tensor_work work = {
    .kind = kinds,
    .operands = 1,
    .ones = true,
    .ones_rows = ones_rows,
    .expect = expect,
};

/* ---- Over the chip: a row of tiles ---- */

static bool is_over_chip(const struct tf_wl *wl)
{
    return kinds[wl->options.variant].op == TF_REDUCE_CHIP_SUM;
}

/* For a column of tiles, compute the sums of its columns and of their magnitudes. */
static void sum_up(const struct tf_wl *wl, uint32_t column, double *sum, double *size)
{
    struct tf_tensor_input in = tf_tensor_input_of(wl, TF_TENSOR_A);
    struct tf_tile_numbers tile;
    memset(sum, 0, TF_TILE_SIDE * sizeof *sum);
    memset(size, 0, TF_TILE_SIDE * sizeof *size);
    for (uint32_t row = 0; row < wl->rows * wl->options.scale; row++) {
        tf_tensor_input(&in, row * wl->row + column, &tile);
        for (unsigned i = 0; i < TF_TILE_NUMBERS; i++) {
            double x = tile.number[tf_tile_at(i / TF_TILE_SIDE, i % TF_TILE_SIDE)];
            sum[i % TF_TILE_SIDE] += x;
            size[i % TF_TILE_SIDE] += fabs(x);
        }
    }
}

/* Numbers are cut to tf32 when they are unpacked, and a core's sums are cut once more. Dst rounds after each sixteen
   numbers. */
static int verify_column(struct tf_chip *chip, const struct tf_wl *wl, uint32_t column, struct tf_message *message)
{
    double sum[TF_TILE_SIDE], size[TF_TILE_SIDE];
    struct tf_tile_numbers got;
    sum_up(wl, column, sum, size);
    int result = tf_tensor_get(chip, column, TF_FP32, &got, message);
    for (unsigned i = 0; i < TF_TILE_NUMBERS && result == TF_OK; i++) {
        unsigned at = tf_tile_at(i / TF_TILE_SIDE, i % TF_TILE_SIDE);
        bool summed = i < TF_TILE_SIDE;
        double expected = summed ? sum[i] : 0, bound = summed ? size[i] * 0x1p-9 : 0;
        result = tf_tensor_expect(message, column, at, got.number[at], expected, bound);
    }
    return result;
}

static int results(struct tf_chip *chip, void *state, uint64_t *hash)
{
    const struct tf_wl *wl = state;
    return is_over_chip(wl) ? tf_tensor_hash(chip, wl->row, TF_FP32, hash) : tf_tensor_results(chip, state, hash);
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    uint64_t hash = 0;
    if (!is_over_chip(wl))
        return tf_tensor_verify(chip, state, message);
    int result = tf_wl_done(chip, wl, message);
    for (uint32_t column = 0; column < wl->row && result == TF_OK; column++)
        result = verify_column(chip, wl, column, message);
    if (result == TF_OK)
        result = results(chip, state, &hash);
    return result == TF_OK ? tf_tensor_expect_recorded(wl, hash, message) : result;
}

TF_TENSOR_WORKLOAD_CHECKED(reduce, "sums and maxima of columns and rows: pooling and products; sums over the chip",
                           variants, &work, 2, verify, results);
