/* SPDX-License-Identifier: Apache-2.0 */
/* Compare a product of matrices with one in doubles. */
#include "cli/workloads/tensor.h"

#include <math.h>

#include "host/vectors.h"

static const char *const variants[] = {TF_MATMUL_NAMES, NULL};
static const struct tf_tensor_kind kinds[] = TF_MATMUL_KINDS;

/* The limits of Blackhole's matrices. */
#define ROWS_MAX (TF_MATMUL_M * TF_TILE_SIDE)
#define COLUMNS_MAX (TF_MATMUL_N * TF_TILE_SIDE)

/* Tiles of the result, down and across. */
static uint32_t tiles_down(const struct tf_wl *wl)
{
    return wl->rows * TF_MATMUL_BLOCK;
}

static uint32_t tiles_across(const struct tf_wl *wl)
{
    return wl->row * TF_MATMUL_BLOCK;
}

static uint32_t tiles(const struct tf_wl *wl)
{
    return tiles_down(wl) * tiles_across(wl);
}

static uint32_t depth_tiles(const struct tf_wl *wl)
{
    return TF_MATMUL_K * wl->options.scale;
}

static const struct tf_tensor_kind *kind_of(const struct tf_wl *wl)
{
    return &kinds[wl->options.variant];
}

static struct tf_tensor_input input(const struct tf_wl *wl, unsigned tensor)
{
    struct tf_tensor_range range = {-1, 1};
    if (TF_FORMAT_IS_INTEGER(kind_of(wl)->in))
        range = tf_tensor_integers(kind_of(wl)->in);
    return (struct tf_tensor_input){
        .seed = wl->options.seed,
        .tensor = tensor,
        .format = kind_of(wl)->in,
        .least = range.least,
        .most = range.most,
    };
}

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    struct tf_wl *wl;
    int result = tf_wl_begin(chip, &tf_workload_matmul, options, TF_WL_ALL, &wl, message);
    if (result != TF_OK)
        return result;
    *state = wl;
    struct tf_tensor_input a = input(wl, TF_TENSOR_A), b = input(wl, TF_TENSOR_B);
    result = tf_tensor_put(chip, &a, tiles_down(wl) * depth_tiles(wl), message);
    if (result == TF_OK)
        result = tf_tensor_put(chip, &b, tiles_across(wl) * depth_tiles(wl), message);
    if (result == TF_OK)
        result = tf_tensor_blank(chip, tiles(wl), kind_of(wl)->out, message);
    return result == TF_OK ? tf_wl_start(chip, wl, message) : result;
}

/* The operands in the form that the chip gets, row by row, and the lengths of A's rows and B's columns. */
struct operands {
    uint32_t rows, columns, depth;
    double *a, *b;
    double length_a[ROWS_MAX], length_b[COLUMNS_MAX];
    double product[TF_TILE_SIDE][COLUMNS_MAX]; /* tiles of one row */
};

/* Copy `tile` to its tile row and tile column of a matrix with so many columns. */
static void spread(const struct tf_tile_numbers *tile, uint32_t row, uint32_t column, uint32_t columns, double *matrix)
{
    for (unsigned r = 0; r < TF_TILE_SIDE; r++)
        for (unsigned c = 0; c < TF_TILE_SIDE; c++)
            matrix[(size_t)(row * TF_TILE_SIDE + r) * columns + column * TF_TILE_SIDE + c] =
                tile->number[tf_tile_at(r, c)];
}

static void release_operands(struct operands *operands)
{
    if (operands != NULL) {
        free(operands->a);
        free(operands->b);
    }
    free(operands);
}

static void fill(const struct tf_wl *wl, struct operands *operands)
{
    struct tf_tensor_input in_a = input(wl, TF_TENSOR_A), in_b = input(wl, TF_TENSOR_B);
    uint32_t steps = depth_tiles(wl), depth = operands->depth;
    struct tf_tile_numbers tile;
    for (uint32_t i = 0; i < tiles_down(wl) * steps; i++) {
        tf_tensor_input(&in_a, i, &tile);
        spread(&tile, i / steps, i % steps, depth, operands->a);
    }
    for (uint32_t i = 0; i < tiles_across(wl) * steps; i++) {
        tf_tensor_input(&in_b, i, &tile);
        spread(&tile, i / tiles_across(wl), i % tiles_across(wl), operands->columns, operands->b);
    }
    for (size_t i = 0; i < (size_t)operands->rows * depth; i++)
        operands->length_a[i / depth] += operands->a[i] * operands->a[i];
    for (size_t i = 0; i < (size_t)operands->columns * depth; i++)
        operands->length_b[i % operands->columns] += operands->b[i] * operands->b[i];
}

static struct operands *make_operands(const struct tf_wl *wl)
{
    struct operands *operands = calloc(1, sizeof *operands);
    if (operands == NULL)
        return NULL;
    operands->rows = tiles_down(wl) * TF_TILE_SIDE;
    operands->columns = tiles_across(wl) * TF_TILE_SIDE;
    operands->depth = depth_tiles(wl) * TF_TILE_SIDE;
    operands->a = calloc((size_t)operands->rows * operands->depth, sizeof(double));
    operands->b = calloc((size_t)operands->columns * operands->depth, sizeof(double));
    if (operands->a == NULL || operands->b == NULL) {
        release_operands(operands);
        return NULL;
    }
    fill(wl, operands);
    return operands;
}

typedef double some_columns __attribute__((vector_size(32), aligned(8)));
#define COLUMNS_IN_BLOCK (sizeof(some_columns) / sizeof(double))
#define ROWS_IN_BLOCK 4 /* rows, columns and depths are multiples of a tile's side */

/* Compute some rows and columns of a product. They stay in registers of the host. */
static inline __attribute__((always_inline)) void multiply_block(const double *a, const double *b, size_t columns,
                                                                 size_t depth, double (*to)[COLUMNS_MAX])
{
    some_columns sum[ROWS_IN_BLOCK] = {{0}};
    for (size_t k = 0; k < depth; k++) {
        some_columns row = *(const some_columns *)(const void *)(b + k * columns);
#pragma GCC unroll 4
        for (unsigned r = 0; r < ROWS_IN_BLOCK; r++)
            sum[r] += a[r * depth + k] * row;
    }
#pragma GCC unroll 4
    for (unsigned r = 0; r < ROWS_IN_BLOCK; r++)
        *(some_columns *)(void *)to[r] = sum[r];
}

static inline __attribute__((always_inline)) void multiply_rows(struct operands *operands, uint32_t tile_row)
{
    const size_t columns = operands->columns, depth = operands->depth;
    const double *a = operands->a + tile_row * TF_TILE_SIDE * depth;
    for (size_t c = 0; c < columns; c += COLUMNS_IN_BLOCK)
        for (unsigned r = 0; r < TF_TILE_SIDE; r += ROWS_IN_BLOCK)
            multiply_block(a + r * depth, operands->b + c, columns, depth,
                           (double(*)[COLUMNS_MAX])(operands->product[r] + c));
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void multiply_avx2(struct operands *operands, uint32_t tile_row)
{
    multiply_rows(operands, tile_row);
}
#endif

static void multiply(struct operands *operands, uint32_t tile_row)
{
#if defined(__x86_64__)
    if (tf_vectors_have_avx2()) {
        multiply_avx2(operands, tile_row);
        return;
    }
#endif
    multiply_rows(operands, tile_row);
}

/*
 * The bound of an error, as a fraction of the product of the lengths of row and column. No sum of |a b| is above that
 * product (Cauchy-Schwarz). A fidelity phase adds two sums of sixteen products in a tile, and Dst is rounded after each
 * of them. Their errors add up to less than half their number. A missing phase leaves out low bits of mantissas.
 * Without the second phase these are below 2^-4 of SrcA's, without the third below 2^-6 of SrcB's. Operands in fp32 are
 * cut to tf32; sums of integers are exact.
 */
static double bound(const struct tf_wl *wl)
{
    const struct tf_tensor_kind *kind = kind_of(wl);
    double unit = kind->wide ? 0x1p-13 : kind->out == TF_FP16 ? 0x1p-10 : 0x1p-8;
    if (TF_FORMAT_IS_INTEGER(kind->in))
        return 0;
    double left_out = kind->phases >= 4 ? 0 : kind->phases >= 2 ? 0x1p-6 : 0x1p-4 + 0x1p-6;
    double rounding = unit * sqrt(2.0 * kind->phases * depth_tiles(wl));
    return left_out + rounding + (kind->out == TF_BFP8 ? 0x1p-5 : 0) + (kind->in == TF_FP32 ? 0x1p-9 : 0);
}

static int verify_row(struct tf_chip *chip, const struct tf_wl *wl, const struct operands *operands, uint32_t row,
                      struct tf_message *message)
{
    const double fraction = bound(wl);
    int result = TF_OK;
    for (uint32_t column = 0; column < tiles_across(wl) && result == TF_OK; column++) {
        uint32_t index = row * tiles_across(wl) + column;
        struct tf_tile_numbers got;
        result = tf_tensor_get(chip, index, kind_of(wl)->out, &got, message);
        for (unsigned i = 0; i < TF_TILE_NUMBERS && result == TF_OK; i++) {
            unsigned r = i / TF_TILE_SIDE, c = column * TF_TILE_SIDE + i % TF_TILE_SIDE;
            unsigned at = tf_tile_at(r, i % TF_TILE_SIDE);
            double length = sqrt(operands->length_a[row * TF_TILE_SIDE + r] * operands->length_b[c]);
            result = tf_tensor_expect(message, index, at, got.number[at], operands->product[r][c], fraction * length);
        }
    }
    return result;
}

static int results(struct tf_chip *chip, void *state, uint64_t *hash)
{
    return tf_tensor_hash(chip, tiles(state), kind_of(state)->out, hash);
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    uint64_t hash = 0;
    int result = tf_wl_done(chip, wl, message);
    struct operands *operands = result == TF_OK ? make_operands(wl) : NULL;
    if (result == TF_OK && operands == NULL)
        return TF_ENOMEM;
    for (uint32_t row = 0; row < tiles_down(wl) && result == TF_OK; row++) {
        multiply(operands, row);
        result = verify_row(chip, wl, operands, row, message);
    }
    release_operands(operands);
    if (result == TF_OK)
        result = results(chip, state, &hash);
    return result == TF_OK ? tf_tensor_expect_recorded(wl, hash, message) : result;
}

const struct tf_workload tf_workload_matmul = {
    .name = "matmul",
    .summary = "a product of matrices, 640 by 128 (times the scale) by 896: multicasts along rows and columns",
    .variants = variants,
    .scale_default = 16,
    .scale_max = 256,
    .scale_test = 1,
    .setup = setup,
    .verify = verify,
    .results = results,
    .release = tf_wl_release,
};
