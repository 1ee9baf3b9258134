/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of every number, on the vector unit. */
#include "cli/workloads/tensor.h"

#include <math.h>

static const char *const variants[] = { TF_ACTIVATION_NAMES, NULL };
static const struct tf_tensor_kind kinds[] = TF_ACTIVATION_KINDS;

/* Ranges in which the programs are good, and what approximations may be off by, beside half a unit of the output. */
static const struct {
    double least, most;
    double relative, absolute;
} limits[] = {
    [TF_ACTIVATION_EXP] = {-8, 8, 0x1p-14, 0},
    [TF_ACTIVATION_GELU] = {-6, 6, 0x1p-11, 0x1p-11}, /* the formula with tanh is off by 0.0005 at most */
    [TF_ACTIVATION_SIGMOID] = {-8, 8, 0x1p-13, 0},
    [TF_ACTIVATION_RECIPROCAL] = {0.25, 8, 0x1p-14, 0},
    [TF_ACTIVATION_SQRT] = {0, 16, 0x1p-14, 0},
};

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
        .seed = wl->options.seed, .tensor = TF_TENSOR_A, .format = kind_of(wl)->in,
        .least = limits[kind_of(wl)->op].least, .most = limits[kind_of(wl)->op].most,
    };
}

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    struct tf_wl *wl;
    int result = tf_wl_begin(chip, &tf_workload_activation, options, TF_WL_ALL, &wl, message);
    if (result != TF_OK)
        return result;
    *state = wl;
    struct tf_tensor_input in = input(wl);
    result = tf_tensor_put(chip, &in, tiles(wl), message);
    if (result == TF_OK)
        result = tf_tensor_blank(chip, tiles(wl), kind_of(wl)->out, message);
    return result == TF_OK ? tf_wl_start(chip, wl, message) : result;
}

static double apply(unsigned op, double x)
{
    switch (op) {
    case TF_ACTIVATION_EXP:
        return exp(x);
    case TF_ACTIVATION_GELU:
        return x / 2 * erfc(-x / sqrt(2));
    case TF_ACTIVATION_SIGMOID:
        return 1 / (1 + exp(-x));
    case TF_ACTIVATION_RECIPROCAL:
        return 1 / x;
    default:
        return sqrt(x);
    }
}

static int verify_tile(struct tf_chip *chip, const struct tf_wl *wl, uint32_t index, struct tf_message *message)
{
    struct tf_tensor_input in = input(wl);
    struct tf_tile_numbers x, got;
    unsigned op = kind_of(wl)->op;
    tf_tensor_input(&in, index, &x);
    int result = tf_tensor_get(chip, index, kind_of(wl)->out, &got, message);
    for (unsigned i = 0; i < TF_TILE_NUMBERS && result == TF_OK; i++) {
        double expected = apply(op, x.number[i]);
        double bound = fabs(expected) * (0x1p-8 + limits[op].relative) + limits[op].absolute;
        result = tf_tensor_expect(message, index, i, got.number[i], expected, bound);
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

const struct tf_workload tf_workload_activation = {
    .name = "activation",
    .summary = "exp, gelu, sigmoid, reciprocal and square root of tensors, by programs of the vector unit",
    .variants = variants,
    .scale_default = 64,
    .scale_max = 4096,
    .scale_test = 1,
    .setup = setup,
    .verify = verify,
    .results = results,
    .release = tf_wl_release,
};
