/* SPDX-License-Identifier: Apache-2.0 */
/* Max pooling of images, and the 16 largest numbers of columns, both with indices. */
#include "cli/workloads/tensor.h"

static const char *const variants[] = {TF_POOL_NAMES, NULL};
static const struct tf_tensor_kind kinds[] = TF_POOL_KINDS;
/* No negative numbers: sources disagree about how equal ones of them swap (docs/tensix.md). */
static struct tf_tensor_range not_negative(const struct tf_tensor_kind *kind)
{
    (void)kind;
    return (struct tf_tensor_range){0, 4};
}

static const struct tf_tensor_work work = {.kind = kinds, .operands = 1, .range = not_negative};

/* The memory of OUT's tile: windows, then their indices, each 32 channels and as many numbers that are not used. */
static int verify_windows(const struct tf_tile_numbers *in, const struct tf_tile_numbers *out, uint32_t index,
                          struct tf_message *message)
{
    enum { PIXELS = TF_POOL_WINDOW * TF_POOL_WINDOW, EACH = 2 * TF_TILE_SIDE, HALF = TF_TILE_NUMBERS / 2 };
    for (unsigned i = 0; i < TF_POOL_WINDOWS * TF_TILE_SIDE; i++) {
        unsigned window = i / TF_TILE_SIDE, channel = i % TF_TILE_SIDE, largest = 0;
        double at[PIXELS];
        for (unsigned k = 0; k < PIXELS; k++) {
            at[k] = in->number[tf_tile_at(TF_POOL_PIXEL(window, k), channel)];
            largest = at[k] > at[largest] ? k : largest;
        }
        double got = out->number[window * EACH + channel], from = out->number[HALF + window * EACH + channel];
        bool is_pixel = from >= 0 && from < PIXELS && from == (unsigned)from;
        if (got != at[largest] || !is_pixel || at[(unsigned)from] != got)
            return tf_wl_wrong(message, "tile %u, window %u, channel %u: %.9g of pixel %.9g, not %.9g of pixel %u",
                               index, window, channel, got, from, at[largest], largest);
    }
    return TF_OK;
}

/* The upper half of OUT's tile has the numbers, the lower half their rows. No omitted number is larger. */
static int verify_columns(const struct tf_tile_numbers *in, const struct tf_tile_numbers *out, uint32_t index,
                          struct tf_message *message)
{
    for (unsigned column = 0; column < TF_TILE_SIDE; column++) {
        uint32_t taken = 0;
        double last = 0;
        for (unsigned row = 0; row < TF_POOL_K; row++) {
            double got = out->number[tf_tile_at(row, column)], from = out->number[tf_tile_at(TF_POOL_K + row, column)];
            bool is_row = from >= 0 && from < TF_TILE_SIDE && from == (unsigned)from && !(taken >> (unsigned)from & 1);
            if (!is_row || got != in->number[tf_tile_at((unsigned)from, column)] || (row > 0 && got > last))
                return tf_wl_wrong(message, "tile %u, column %u: %.9g of row %.9g is number %u", index, column, got,
                                   from, row);
            taken |= 1u << (unsigned)from;
            last = got;
        }
        for (unsigned row = 0; row < TF_TILE_SIDE; row++)
            if (!(taken >> row & 1) && in->number[tf_tile_at(row, column)] > last)
                return tf_wl_wrong(message, "tile %u, column %u: row %u is left out", index, column, row);
    }
    return TF_OK;
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    struct tf_tensor_input input = tf_tensor_input_of(wl, TF_TENSOR_A);
    uint64_t hash = 0;
    int result = tf_wl_done(chip, wl, message);
    for (uint32_t i = 0; i < wl->tiles * wl->options.scale && result == TF_OK; i++) {
        struct tf_tile_numbers in, out;
        tf_tensor_input(&input, i, &in);
        result = tf_tensor_get(chip, i, TF_BF16, &out, message);
        if (result == TF_OK)
            result = (kinds[wl->options.variant].op == TF_POOL_MAX ? verify_windows : verify_columns)(&in, &out, i,
                                                                                                      message);
    }
    if (result == TF_OK)
        result = tf_tensor_results(chip, state, &hash);
    return result == TF_OK ? tf_tensor_expect_recorded(wl, hash, message) : result;
}

TF_TENSOR_WORKLOAD_CHECKED(pool, "max pooling and top 16 with indices: the vector unit compares and swaps", variants,
                           &work, 1, verify, tf_tensor_results);
