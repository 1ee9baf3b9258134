/* SPDX-License-Identifier: Apache-2.0 */
/* Check the words of each page after all cores of a row, the stream counters, and the credits. */
#include "cli/workloads/common.h"
#include "tile/overlay.h"

#define STREAM_REG(stream, reg) tf_overlay_address(wl->stream_place, stream, reg)

enum { ACKED = TF_OVERLAY_PAGES_TAKEN, RECEIVED = TF_OVERLAY_PAGES_PUT };

static uint32_t items(const struct tf_wl *wl)
{
    return TF_CB_ITEMS * wl->options.scale;
}

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    struct tf_wl *wl;
    int result = tf_wl_begin(chip, &tf_workload_cb, options, TF_WL_ALL, &wl, message);
    if (result != TF_OK)
        return result;
    *state = wl;
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK; tile++) {
        for (unsigned stream = 0; stream <= TF_CB_STREAM_OUT && result == TF_OK; stream++) {
            result = tf_wl_write_word(chip, tile, STREAM_REG(stream, ACKED), 0, message);
            if (result == TF_OK)
                result = tf_wl_write_word(chip, tile, STREAM_REG(stream, RECEIVED), 0, message);
        }
    }
    if (result == TF_OK)
        result = tf_wl_write_word(chip, 0, STREAM_REG(TF_CB_CREDIT_STREAM, RECEIVED), TF_CB_CREDIT_START, message);
    return result == TF_OK ? tf_wl_start(chip, wl, message) : result;
}

static uint32_t page_sum(const struct tf_wl *wl, unsigned row, uint32_t index)
{
    static const enum tf_core order[] = {TF_CORE_B, TF_CORE_T0, TF_CORE_T1, TF_CORE_T2, TF_CORE_NC};
    uint32_t first = row * wl->row, sum = 0;
    for (uint32_t i = 0; i < TF_CB_PAGE_BYTES / 4; i++) {
        uint32_t word = tf_k_input(wl->options.seed + index, first, i);
        for (unsigned tile = first; tile < first + wl->row; tile++)
            for (unsigned k = 0; k < TF_K_CORES; k++)
                word = TF_CB_STEP(word, tile, (uint32_t)order[k]);
        sum = sum * 33 + word;
    }
    return sum;
}

static int verify_counters(struct tf_chip *chip, const struct tf_wl *wl, unsigned tile, struct tf_message *message)
{
    static const uint8_t reg[] = {ACKED, RECEIVED};
    uint32_t count = items(wl) & 0xFFFF, column = tile % wl->row;
    int result = TF_OK;
    for (unsigned i = 0; i < 2 * (TF_CB_STREAM_OUT + 1) && result == TF_OK; i++) {
        unsigned stream = i / 2;
        bool used = stream == TF_CB_STREAM_IN ? column != 0 : stream != TF_CB_STREAM_OUT || column < wl->row - 1;
        const char *what = reg[i % 2] == ACKED ? "pages acked of stream" : "pages received of stream";
        result = tf_wl_expect_word(chip, tile, what, stream, STREAM_REG(stream, reg[i % 2]), used ? count : 0, message);
    }
    return result;
}

static int verify_memory(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    int result = tf_wl_done(chip, wl, message);
    for (unsigned i = 0; i < wl->tiles * TF_K_CORES && result == TF_OK; i++)
        result = tf_wl_expect_word(chip, i / TF_K_CORES, "pages of core", i % TF_K_CORES,
                                   TF_K_RESULT + i % TF_K_CORES * TF_K_RESULT_BYTES, items(wl), message);
    for (unsigned row = 0; row < wl->rows && result == TF_OK; row++) {
        for (uint32_t index = 0; index < items(wl) && result == TF_OK; index++)
            result = tf_wl_expect_word(chip, row * wl->row + wl->row - 1, "sum of page", index, TF_CB_SUMS + index * 4,
                                       page_sum(wl, row, index), message);
    }
    return result;
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    int result = verify_memory(chip, state, message);
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK; tile++)
        result = verify_counters(chip, wl, tile, message);
    if (result == TF_OK)
        result = tf_wl_expect_word(chip, 0, "space available of stream", TF_CB_CREDIT_STREAM,
                                   STREAM_REG(TF_CB_CREDIT_STREAM, TF_OVERLAY_SPACE_AVAILABLE),
                                   (TF_CB_CREDIT_START + wl->rows * items(wl)) & 0x1FFFF, message);
    return result;
}

const struct tf_workload tf_workload_cb = {
    .name = "cb",
    .summary = "circular buffers counted by stream registers: ten pipelines of the cores of a row, back-pressured",
    .scale_default = 20,
    .scale_max = 10000,
    .scale_test = 1,
    .setup = setup,
    .verify = verify,
    .verify_memory = verify_memory,
    .release = tf_wl_release,
};
