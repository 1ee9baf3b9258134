/* SPDX-License-Identifier: Apache-2.0 */
/* Softmax of the columns of tiles, and of the columns of a matrix whose tiles are spread over the chip. */
#include "cli/workloads/tensor.h"

#include <math.h>

static const char *const variants[] = {TF_SOFTMAX_NAMES, NULL};
static const struct tf_tensor_kind kinds[] = TF_SOFTMAX_KINDS;

/* Add the sums of exponentials of a tile's columns. */
static void sum_up(const struct tf_tile_numbers *tile, double *sum)
{
    for (unsigned column = 0; column < TF_TILE_SIDE; column++)
        for (unsigned row = 0; row < TF_TILE_SIDE; row++)
            sum[column] += exp(tile->number[tf_tile_at(row, column)]);
}

/*
 * Within a 32nd of the value. A difference of up to 4 is cut to bf16, which moves it by 2^-6 at most. Exponentials,
 * sums, reciprocals and products are rounded to bf16.
 */
static void expect(const struct tf_tensor_kind *kind, const struct tf_tile_numbers *operand,
                   struct tf_tile_numbers *expected, struct tf_tile_numbers *bound)
{
    (void)kind;
    double sum[TF_TILE_SIDE] = {0};
    sum_up(operand, sum);
    for (unsigned i = 0; i < TF_TILE_NUMBERS; i++) {
        unsigned column = i % TF_TILE_SIDE, at = tf_tile_at(i / TF_TILE_SIDE, column);
        expected->number[at] = exp(operand->number[at]) / sum[column];
        bound->number[at] = expected->number[at] * 0x1p-5;
    }
}

static const struct tf_tensor_work work = {.kind = kinds, .operands = 1, .ones = true, .expect = expect};

/* ---- Over the chip ---- */

/* Check a tile against the sums of its column of tiles. A result may be off by a 24th of its value, since the sums are
   rounded once more. */
static int verify_tile(struct tf_chip *chip, const struct tf_wl *wl, uint32_t index, const double *sum,
                       struct tf_message *message)
{
    struct tf_tensor_input in = tf_tensor_input_of(wl, TF_TENSOR_A);
    struct tf_tile_numbers operand, got;
    tf_tensor_input(&in, index, &operand);
    int result = tf_tensor_get(chip, index, TF_BF16, &got, message);
    for (unsigned i = 0; i < TF_TILE_NUMBERS && result == TF_OK; i++) {
        unsigned column = i % TF_TILE_SIDE, at = tf_tile_at(i / TF_TILE_SIDE, column);
        double expected = exp(operand.number[at]) / sum[column];
        result = tf_tensor_expect(message, index, at, got.number[at], expected, expected / 24);
    }
    return result;
}

/* List tiles `first`, `first` + 14 and so on, one of each row of cores. */
static int verify_column(struct tf_chip *chip, const struct tf_wl *wl, uint32_t first, struct tf_message *message)
{
    struct tf_tensor_input in = tf_tensor_input_of(wl, TF_TENSOR_A);
    double sum[TF_TILE_SIDE] = {0};
    for (uint32_t row = 0; row < wl->rows; row++) {
        struct tf_tile_numbers tile;
        tf_tensor_input(&in, first + row * wl->row, &tile);
        sum_up(&tile, sum);
    }
    int result = TF_OK;
    for (uint32_t row = 0; row < wl->rows && result == TF_OK; row++)
        result = verify_tile(chip, wl, first + row * wl->row, sum, message);
    return result;
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    uint64_t hash = 0;
    if (kinds[wl->options.variant].op != TF_SOFTMAX_CHIP)
        return tf_tensor_verify(chip, state, message);
    int result = tf_wl_done(chip, wl, message);
    for (uint32_t i = 0; i < wl->row * wl->options.scale && result == TF_OK; i++)
        result = verify_column(chip, wl, i / wl->row * wl->tiles + i % wl->row, message);
    if (result == TF_OK)
        result = tf_tensor_results(chip, state, &hash);
    return result == TF_OK ? tf_tensor_expect_recorded(wl, hash, message) : result;
}

TF_TENSOR_WORKLOAD_CHECKED(softmax,
                           "softmax of columns, within tiles or over the chip: matrix and vector unit in turns",
                           variants, &work, 2, verify, tf_tensor_results);
