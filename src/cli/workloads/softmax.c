/* SPDX-License-Identifier: Apache-2.0 */
/* Softmax of the columns of tiles. */
#include "cli/workloads/tensor.h"

#include <math.h>

static const char *const variants[] = { TF_SOFTMAX_NAMES, NULL };
static const struct tf_tensor_kind kinds[] = TF_SOFTMAX_KINDS;

static const struct tf_tensor_kind *kind_of(const struct tf_wl *wl)
{
    return &kinds[wl->options.variant];
}

static uint32_t tiles(const struct tf_wl *wl)
{
    return TF_K_TILES * wl->options.scale;
}

static struct tf_tensor_input input(const struct tf_wl *wl)
{
    return (struct tf_tensor_input){
        .seed = wl->options.seed, .tensor = TF_TENSOR_A, .format = kind_of(wl)->in, .least = -2, .most = 2,
    };
}

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    struct tf_wl *wl;
    int result = tf_wl_begin(chip, &tf_workload_softmax, options, TF_WL_ALL, &wl, message);
    if (result != TF_OK)
        return result;
    *state = wl;
    struct tf_tensor_input in = input(wl);
    result = tf_tensor_put(chip, &in, tiles(wl), message);
    if (result == TF_OK)
        result = tf_tensor_put_ones(chip, TF_TENSOR_B, kind_of(wl)->in, message);
    if (result == TF_OK)
        result = tf_tensor_blank(chip, tiles(wl), kind_of(wl)->out, message);
    return result == TF_OK ? tf_wl_start(chip, wl, message) : result;
}

/*
 * Within a 32nd of the value: a difference of up to 4 is cut to bf16, which moves it by 2^-6 at most, and exponentials,
 * sums, reciprocals and products are rounded to it.
 */
static int verify_tile(struct tf_chip *chip, const struct tf_wl *wl, uint32_t index, struct tf_message *message)
{
    struct tf_tensor_input in = input(wl);
    struct tf_tile_numbers x, got;
    tf_tensor_input(&in, index, &x);
    int result = tf_tensor_get(chip, index, kind_of(wl)->out, &got, message);
    for (unsigned column = 0; column < TF_TILE_SIDE; column++) {
        double sum = 0;
        for (unsigned row = 0; row < TF_TILE_SIDE; row++)
            sum += exp(x.number[tf_tile_at(row, column)]);
        for (unsigned row = 0; row < TF_TILE_SIDE && result == TF_OK; row++) {
            unsigned at = tf_tile_at(row, column);
            double expected = exp(x.number[at]) / sum;
            result = tf_tensor_expect(message, index, at, got.number[at], expected, expected * 0x1p-5);
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
    for (uint32_t i = 0; i < tiles(wl) && result == TF_OK; i++)
        result = verify_tile(chip, wl, i, message);
    if (result == TF_OK)
        result = results(chip, state, &hash);
    return result == TF_OK ? tf_tensor_expect_recorded(wl, hash, message) : result;
}

const struct tf_workload tf_workload_softmax = {
    .name = "softmax",
    .summary = "softmax of columns, matrix and vector unit in turns",
    .variants = variants,
    .scale_default = 64,
    .scale_max = 4096,
    .scale_test = 2,
    .setup = setup,
    .verify = verify,
    .results = results,
    .release = tf_wl_release,
};
