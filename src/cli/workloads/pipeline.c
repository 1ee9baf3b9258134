/* SPDX-License-Identifier: Apache-2.0 */
/* Three Tensix threads change a tile's lines; their results are added up over the rounds. */
#include "cli/workloads/common.h"

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    static const uint8_t zeros[TF_PIPE_BYTES];
    int result = tf_wl_setup(chip, &tf_workload_pipeline, options, TF_WL_T0 | TF_WL_T1 | TF_WL_T2, state, message);
    const struct tf_wl *wl = *state;
    for (unsigned tile = 0; result == TF_OK && tile < wl->tiles; tile++)
        result = tf_wl_write(chip, tile, TF_PIPE_OUT, zeros, sizeof zeros, message); /* sums begin with them */
    return result;
}

static int verify_tile(struct tf_chip *chip, const struct tf_wl *wl, unsigned tile, struct tf_message *message)
{
    uint32_t seed = wl->options.seed, got[TF_PIPE_BYTES / 4];
    int result = tf_wl_read(chip, tile, TF_PIPE_OUT, got, sizeof got, message);
    for (uint32_t line = 0; line < TF_PIPE_BLOCKS * TF_PIPE_LINES && result == TF_OK; line++) {
        uint32_t word[4];
        for (uint32_t i = 0; i < 4; i++)
            word[i] = tf_k_input(seed + 1, tile, line * 4 + i);
        tf_pipe_step(word, tf_k_input(seed, tile, 0), tf_k_input(seed, tile, 1));
        bool subtract = TF_PIPE_MASK(seed, line / TF_PIPE_LINES) >> line % TF_PIPE_LINES & 1;
        for (uint32_t i = 0; i < 4 && result == TF_OK; i++)
            result = tf_wl_expect(chip, message, tile, "word", line * 4 + i, got[line * 4 + i],
                                  wl->options.scale * (subtract ? 0u - word[i] : word[i]));
    }
    return result;
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    return tf_wl_verify_tiles(chip, state, verify_tile, message);
}

const struct tf_workload tf_workload_pipeline = {
    .name = "pipeline",
    .summary = "three Tensix threads in lock-step in each tile: semaphores, MOPs and replays over lines of L1",
    .scale_default = 100,
    .scale_max = 1000000,
    .scale_test = 2,
    .setup = setup,
    .verify = verify,
    .release = tf_wl_release,
};
