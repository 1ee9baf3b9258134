/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, differences and products, number by number. */
#include "cli/workloads/tensor.h"

#include <math.h>

static const char *const variants[] = { TF_ELTWISE_NAMES, NULL };
static const struct tf_tensor_kind kinds[] = TF_ELTWISE_KINDS;

static uint32_t tiles(const struct tf_wl *wl)
{
    return TF_K_TILES * wl->options.scale;
}

static struct tf_tensor_input input(const struct tf_wl *wl, unsigned tensor)
{
    return (struct tf_tensor_input){
        .seed = wl->options.seed, .tensor = tensor, .format = kinds[wl->options.variant].in, .least = -2, .most = 2,
    };
}

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    struct tf_wl *wl;
    int result = tf_wl_begin(chip, &tf_workload_eltwise, options, TF_WL_ALL, &wl, message);
    if (result != TF_OK)
        return result;
    *state = wl;
    for (unsigned tensor = TF_TENSOR_A; tensor <= TF_TENSOR_B && result == TF_OK; tensor++) {
        struct tf_tensor_input in = input(wl, tensor);
        result = tf_tensor_put(chip, &in, tiles(wl), message);
    }
    if (result == TF_OK)
        result = tf_tensor_blank(chip, tiles(wl), kinds[wl->options.variant].out, message);
    return result == TF_OK ? tf_wl_start(chip, wl, message) : result;
}

/*
 * Bounds: a sum is cut to the output's precision once, measured by its larger operand; a product is rounded to Dst's
 * with each fidelity phase, and one phase alone leaves out the low bits of both mantissas.
 */
static double bound(const struct tf_tensor_kind *kind, double a, double b)
{
    double unit = kind->out == TF_FP16 ? 0x1p-10 : kind->out == TF_BFP8 ? 0x1p-6 : 0x1p-7;
    if (kind->op != TF_ELTWISE_MUL)
        return unit * (fabs(a) + fabs(b)) * (kind->out == TF_BFP8 ? 4 : 1);
    if (kind->phases == 1)
        return 0x1p-3 * fabs(a * b);
    return (kind->wide ? 0x1p-13 : unit * kind->phases) * fabs(a * b);
}

static double combine(unsigned op, double a, double b)
{
    return op == TF_ELTWISE_MUL ? a * b : op == TF_ELTWISE_SUB ? a - b : a + b;
}

static int verify_tile(struct tf_chip *chip, const struct tf_wl *wl, uint32_t index, struct tf_message *message)
{
    const struct tf_tensor_kind *kind = &kinds[wl->options.variant];
    struct tf_tensor_input in_a = input(wl, TF_TENSOR_A), in_b = input(wl, TF_TENSOR_B);
    struct tf_tile_numbers a, b, got;
    tf_tensor_input(&in_a, index, &a);
    tf_tensor_input(&in_b, index, &b);
    int result = tf_tensor_get(chip, index, kind->out, &got, message);
    for (unsigned i = 0; i < TF_TILE_NUMBERS && result == TF_OK; i++) {
        double x = a.number[i], y = b.number[i];
        /* A block's largest number is another one; parts of a product below 2^-14 are lost in fp16. */
        double slack = kind->out == TF_BFP8 ? 0x1p-4 : kind->out == TF_FP16 ? 0x1p-12 : 0;
        result = tf_tensor_expect(message, index, i, got.number[i], combine(kind->op, x, y), bound(kind, x, y) + slack);
    }
    return result;
}

static int results(struct tf_chip *chip, void *state, uint64_t *hash)
{
    const struct tf_wl *wl = state;
    return tf_tensor_hash(chip, tiles(wl), kinds[wl->options.variant].out, hash);
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

const struct tf_workload tf_workload_eltwise = {
    .name = "eltwise",
    .summary = "sums, differences and products of tensors: unpack, compute, pack on every tile",
    .variants = variants,
    .scale_default = 64,
    .scale_max = 4096,
    .scale_test = 2,
    .setup = setup,
    .verify = verify,
    .results = results,
    .release = tf_wl_release,
};
