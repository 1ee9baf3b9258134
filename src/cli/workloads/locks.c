/* SPDX-License-Identifier: Apache-2.0 */
/* Check that each entry into a locked record is counted there, and that all locks are free. */
#include "cli/workloads/common.h"

struct record {
    uint32_t entries, sum, xor;
};

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    return tf_wl_setup(chip, &tf_workload_locks, options, TF_WL_ALL, state, message);
}

static void expect(const struct tf_wl *wl, struct record record[TF_TENSIX_TILES_MAX])
{
    for (uint32_t tile = 0; tile < wl->tiles; tile++)
        for (uint32_t core = 0; core < TF_K_CORES; core++) {
            struct record *at = &record[TF_TLOCK_HOME(core, tile, wl->tiles)];
            for (uint32_t i = 0; i < TF_TLOCK_ENTRIES * wl->options.scale; i++) {
                uint32_t value = tf_k_input(wl->options.seed + core, tile, i);
                at->entries++;
                at->sum += value;
                at->xor ^= value;
            }
        }
}

static int verify_tile(struct tf_chip *chip, unsigned tile, const struct record *record, struct tf_message *message)
{
    int result = tf_wl_expect_word(chip, tile, "entries of lock", tile, TF_TLOCK_RECORD, record->entries, message);
    if (result == TF_OK)
        result = tf_wl_expect_word(chip, tile, "sum of lock", tile, TF_TLOCK_RECORD + 4, record->sum, message);
    if (result == TF_OK)
        result = tf_wl_expect_word(chip, tile, "xor of lock", tile, TF_TLOCK_RECORD + 8, record->xor, message);
    for (unsigned word = 0; word < 4 && result == TF_OK; word++)
        result = tf_wl_expect_word(chip, tile, "word of the lock's line", word, TF_TLOCK_LINE + 4 * word, 0, message);
    return result;
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    struct record record[TF_TENSIX_TILES_MAX] = {{0}};
    const struct tf_wl *wl = state;
    int result = tf_wl_done(chip, wl, message);
    expect(wl, record);
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK; tile++)
        result = verify_tile(chip, tile, &record[tile], message);
    return result;
}

const struct tf_workload tf_workload_locks = {
    .name = "locks",
    .summary =
        "a lock for each tile, taken by ATCAS of three Tensix threads and by NOC compare-and-swap of two other tiles",
    .scale_default = 20,
    .scale_max = 100000,
    .scale_test = 1,
    .setup = setup,
    .verify = verify,
    .release = tf_wl_release,
};
