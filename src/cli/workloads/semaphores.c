/* SPDX-License-Identifier: Apache-2.0 */
/* Check the values that travel along rows and through cores. The host computes them directly. */
#include "cli/workloads/common.h"

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    return tf_wl_setup(chip, &tf_workload_semaphores, options, TF_WL_ALL, state, message);
}

/* The values that the cores of a tile add to their sums in a round. */
static void round_of(const struct tf_wl *wl, unsigned tile, uint32_t round, uint32_t *value)
{
    uint32_t chain = tf_k_input(wl->options.seed, tile / wl->row, round) | 1;
    for (unsigned t = tile - tile % wl->row; t < tile; t++)
        chain = tf_k_mix(chain + t) | 1;
    value[TF_CORE_T0] = tf_k_mix(chain + TF_CORE_T0 + tile);
    value[TF_CORE_T1] = tf_k_mix(value[TF_CORE_T0] + TF_CORE_T1 + tile);
    value[TF_CORE_T2] = tf_k_mix(value[TF_CORE_T1] + TF_CORE_T2 + tile);
    value[TF_CORE_B] = chain + value[TF_CORE_T2];
    value[TF_CORE_NC] = tile % wl->row ? round : 0;
}

static int verify_tile(struct tf_chip *chip, const struct tf_wl *wl, unsigned tile, struct tf_message *message)
{
    uint32_t sum[TF_K_CORES] = {0}, value[TF_K_CORES], word[2];
    int result = TF_OK;
    for (uint32_t round = 1; round <= wl->options.scale; round++) {
        round_of(wl, tile, round, value);
        for (unsigned core = 0; core < TF_K_CORES; core++)
            sum[core] = sum[core] * 3 + value[core];
    }
    for (unsigned core = 0; core < TF_K_CORES && result == TF_OK; core++) {
        result = tf_wl_result(chip, tile, core, word, 2, message);
        if (result == TF_OK)
            result = tf_wl_expect(chip, message, tile, "rounds of core", core, word[TF_SEM_ROUNDS], wl->options.scale);
        if (result == TF_OK)
            result = tf_wl_expect(chip, message, tile, "sum of core", core, word[TF_SEM_SUM], sum[core]);
    }
    return result;
}

/* Check the final values of the semaphores. */
static int verify_words(struct tf_chip *chip, const struct tf_wl *wl, unsigned tile, struct tf_message *message)
{
    uint32_t rounds = wl->options.scale, column = tile % wl->row;
    const uint32_t expected[] = {
        [TF_SEM_GO] = rounds,
        [TF_SEM_ARRIVED] = tile ? 0 : wl->tiles * rounds,
        [TF_SEM_CHAIN] = 0,
        [TF_SEM_ROW] = column ? rounds : 0,
        [TF_SEM_ROW_DONE] = column ? 0 : (wl->row - 1) * rounds,
        [TF_SEM_LOCAL] = rounds,
        [TF_SEM_LOCAL + 1] = rounds,
        [TF_SEM_LOCAL + 2] = rounds,
        [TF_SEM_LOCAL + 3] = rounds,
    };
    int result = TF_OK;
    for (uint32_t i = 0; i < sizeof expected / sizeof *expected && result == TF_OK; i++)
        result = tf_wl_expect_word(chip, tile, "semaphore", i, TF_SEM(i), expected[i], message);
    return result;
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    int result = tf_wl_done(chip, wl, message);
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK; tile++) {
        result = verify_tile(chip, wl, tile, message);
        if (result == TF_OK)
            result = verify_words(chip, wl, tile, message);
    }
    return result;
}

const struct tf_workload tf_workload_semaphores = {
    .name = "semaphores",
    .summary = "software semaphores: set, wait, remote set, remote increment, multicast set",
    .scale_default = 1000,
    .scale_max = 1000000,
    .scale_test = 4,
    .setup = setup,
    .verify = verify,
    .release = tf_wl_release,
};
