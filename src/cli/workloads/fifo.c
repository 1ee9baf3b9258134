/* SPDX-License-Identifier: Apache-2.0 */
/* Check the words of each item after a row of tiles, in the order of entry, and every counter. */
#include "cli/workloads/common.h"

static uint32_t items(const struct tf_wl *wl)
{
    return TF_FIFO_ITEMS * wl->options.scale;
}

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    return tf_wl_setup(chip, &tf_workload_fifo, options, TF_WL_B | TF_WL_NC | TF_WL_T0 | TF_WL_T1, state, message);
}

static uint32_t item_sum(const struct tf_wl *wl, unsigned row, uint32_t index)
{
    uint32_t first = row * wl->row, seed = wl->options.seed, word[4], sum = 0;
    for (unsigned i = 0; i < 4; i++)
        word[i] = tf_k_input(seed + index, first, i);
    for (unsigned tile = first; tile < first + wl->row; tile++)
        tf_fifo_step(word, tf_k_input(seed, tile, 0), tf_k_input(seed, tile, 1));
    for (unsigned i = 0; i < 4; i++)
        sum = sum * 33 + word[i];
    return sum;
}

static int verify_counters(struct tf_chip *chip, const struct tf_wl *wl, unsigned tile, struct tf_message *message)
{
    static const uint32_t fifo[] = {TF_FIFO_IN, TF_FIFO_OUT};
    int result = TF_OK;
    for (unsigned i = 0; i < 4 && result == TF_OK; i++)
        result = tf_wl_expect_word(chip, tile, i % 2 ? "elements put into FIFO" : "elements taken from FIFO", i / 2,
                                   fifo[i / 2] + i % 2 * 4, items(wl) % TF_FIFO_WRAP, message);
    return result;
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    int result = tf_wl_done(chip, wl, message);
    for (unsigned row = 0; row < wl->rows && result == TF_OK; row++)
        for (uint32_t index = 0; index < items(wl) && result == TF_OK; index++)
            result = tf_wl_expect_word(chip, row * wl->row + wl->row - 1, "sum of item", index,
                                       TF_FIFO_SUMS + index * 4, item_sum(wl, row, index), message);
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK; tile++)
        result = verify_counters(chip, wl, tile, message);
    return result;
}

const struct tf_workload tf_workload_fifo = {
    .name = "fifo",
    .summary = "FIFOs between Tensix threads and tiles: ATINCGETPTR against NOC atomics on the same counters",
    .scale_default = 20,
    .scale_max = 10000,
    .scale_test = 2,
    .setup = setup,
    .verify = verify,
    .release = tf_wl_release,
};
