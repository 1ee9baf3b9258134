/* SPDX-License-Identifier: Apache-2.0 */
/* The device programs check that no core passes a barrier early. The host checks that all rounds took place. */
#include "cli/workloads/common.h"

static const char *const variants[] = {"central", "mailbox", "disseminate", NULL};

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    return tf_wl_setup(chip, &tf_workload_barrier, options, TF_WL_ALL, state, message);
}

static int verify_tile(struct tf_chip *chip, const struct tf_wl *wl, unsigned tile, struct tf_message *message)
{
    uint32_t rounds = wl->options.scale, variant = wl->options.variant;
    uint32_t local = variant == TF_BARRIER_MAILBOX ? 0 : TF_K_CORES * rounds;
    uint32_t arrived = variant == TF_BARRIER_DISSEMINATE || tile ? 0 : wl->tiles * rounds;
    int result = TF_OK;
    for (unsigned core = 0; core < TF_K_CORES && result == TF_OK; core++) {
        result = tf_wl_expect_word(chip, tile, "rounds of core", core, TF_K_RESULT + core * TF_K_RESULT_BYTES, rounds,
                                   message);
        if (result == TF_OK)
            result = tf_wl_expect_word(chip, tile, "last round of core", core, TF_BARRIER_ROUND(rounds, core), rounds,
                                       message);
        if (result == TF_OK)
            result = tf_wl_expect_word(chip, tile, "round before the last of core", core,
                                       TF_BARRIER_ROUND(rounds - 1, core), rounds - 1, message);
    }
    if (result == TF_OK)
        result = tf_wl_expect_word(chip, tile, "arrivals in the tile", 0, TF_BARRIER_LOCAL, local, message);
    if (result == TF_OK)
        result = tf_wl_expect_word(chip, tile, "arrivals at the tile", 0, TF_BARRIER_ARRIVED, arrived, message);
    if (result == TF_OK)
        result = tf_wl_expect_word(chip, tile, "releases", 0, TF_BARRIER_RELEASE, rounds, message);
    for (uint32_t i = 0; i < TF_BARRIER_LEVELS && result == TF_OK; i++)
        result = tf_wl_expect_word(chip, tile, "signals of level", i, TF_BARRIER_FLAG(i),
                                   variant == TF_BARRIER_DISSEMINATE ? rounds : 0, message);
    return result;
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    return tf_wl_verify_tiles(chip, state, verify_tile, message);
}

const struct tf_workload tf_workload_barrier = {
    .name = "barrier",
    .summary = "barriers of all cores: AMOs and multicast, mailboxes and PCBufs, or dissemination",
    .variants = variants,
    .scale_default = 2000,
    .scale_max = 1000000,
    .scale_test = 12,
    .setup = setup,
    .verify = verify,
    .release = tf_wl_release,
};
