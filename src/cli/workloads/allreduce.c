/* SPDX-License-Identifier: Apache-2.0 */
/* Vectors are added up as plain sums. Sums of the ACC lines are counted in integers, and converted to the line's format
   at the end. */
#include "cli/workloads/common.h"

#define ACCUMULATE 9u /* opcode of a NOC atomic */

static const char *const variants[] = {"both", "tree", "acc", "direct", NULL};

static int setup(struct tf_chip *chip, const struct tf_workload_options *options, void **state,
                 struct tf_message *message)
{
    static const uint32_t cores[] = {TF_WL_B | TF_WL_NC, TF_WL_B, TF_WL_NC, TF_WL_T0};
    uint32_t variant = options->variant <= TF_ALLREDUCE_DIRECT ? options->variant : 0;
    struct tf_wl *wl;
    int result = tf_wl_begin(chip, &tf_workload_allreduce, options, cores[variant], &wl, message);
    if (result != TF_OK)
        return result;
    *state = wl;
    if (tf_wl_runs(wl, TF_CORE_NC) && !(wl->noc_atomics >> ACCUMULATE & 1)) {
        if (variant == TF_ALLREDUCE_ACC)
            return tf_wl_lacks(chip, "ACC atomics", message);
        wl->cores &= ~TF_WL_NC;
    }
    return tf_wl_start(chip, wl, message);
}

static int expect_sum(struct tf_chip *chip, const struct tf_wl *wl, uint32_t round, uint32_t sum,
                      struct tf_message *message)
{
    int result = TF_OK;
    for (unsigned tile = 0; tile < wl->tiles && result == TF_OK; tile++)
        result = tf_wl_expect_word(chip, tile, "sum over the vector of round", round, TF_TREE_SUMS + round * 4, sum,
                                   message);
    return result;
}

/* The sum of all tiles' inputs for a seed. */
static uint32_t total_of(const struct tf_wl *wl, uint32_t seed, uint32_t index)
{
    uint32_t total = 0;
    for (unsigned tile = 0; tile < wl->tiles; tile++)
        total += tf_k_input(seed, tile, index);
    return total;
}

static int verify_tree(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message)
{
    int result = TF_OK;
    for (uint32_t round = 0; round < wl->options.scale && result == TF_OK; round++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < TF_TREE_WORDS; i++)
            sum = sum * 5 + total_of(wl, wl->options.seed + round, i);
        result = expect_sum(chip, wl, round, sum, message);
    }
    return result;
}

static int verify_direct(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message)
{
    int result = TF_OK;
    uint32_t *total = malloc(TF_DIRECT_WORDS(wl->tiles) * sizeof *total);
    if (total == NULL)
        return tf_wl_wrong(message, "the host has no memory for the sums");
    for (uint32_t i = 0; i < TF_DIRECT_WORDS(wl->tiles); i++)
        total[i] = total_of(wl, wl->options.seed, i);
    for (uint32_t round = 0; round < wl->options.scale && result == TF_OK; round++) {
        uint32_t sum = 0, plus = round * (wl->tiles * (wl->tiles + 1) / 2);
        for (uint32_t i = 0; i < TF_DIRECT_WORDS(wl->tiles); i++)
            sum = sum * 5 + total[i] + plus;
        result = expect_sum(chip, wl, round, sum, message);
    }
    free(total);
    return result;
}

/* Convert a small whole number to a float with some exponent and mantissa bits. */
static uint32_t to_float(uint32_t value, unsigned mantissa_bits, unsigned bias)
{
    unsigned exponent = 0;
    if (value == 0)
        return 0;
    while (value >> exponent > 1)
        exponent++;
    uint32_t mantissa = exponent <= mantissa_bits ? value << (mantissa_bits - exponent)
                                                  : value >> (exponent - mantissa_bits);
    return (exponent + bias) << mantissa_bits | (mantissa & ((1u << mantissa_bits) - 1));
}

/* Read number `part` of an operand of a format, as a whole number. */
static uint32_t part_of(uint32_t format, uint32_t data, unsigned part)
{
    switch (format & 7) {
    case 0: return data == 0x3F800000u ? 1 : 2;
    case 1:
    case 2: return (data >> part * 16 & 0xFFFF) != 0;
    case 7: return data >> part * 8 & 0xFF;
    default: return data;
    }
}

static uint32_t parts(uint32_t format)
{
    return (format & 7) == 7 ? 4 : (format & 7) == 1 || (format & 7) == 2 ? 2 : 1;
}

static uint32_t encode(uint32_t format, uint64_t total)
{
    switch (format & 7) {
    case 0: return to_float((uint32_t)total, 23, 127);
    case 1: return to_float((uint32_t)total, 10, 15);
    case 2: return to_float((uint32_t)total, 7, 127);
    case 7: return format == 7 ? (total > 255 ? 255 : (uint32_t)total) : (uint32_t)total & 0xFF;
    default: return (uint32_t)total;
    }
}

/* The value of the four words of a line at the end. */
static uint32_t line_word(const struct tf_wl *wl, uint32_t line)
{
    static const uint8_t formats[TF_ACC_FORMAT_COUNT] = TF_ACC_FORMATS;
    uint32_t format = formats[line % TF_ACC_FORMAT_COUNT], word = 0;
    for (unsigned part = 0; part < parts(format); part++) {
        uint64_t total = 0;
        for (unsigned tile = 0; tile < wl->tiles; tile++)
            for (uint32_t round = 0; round < wl->options.scale; round++)
                total += part_of(format, tf_acc_data(format, wl->options.seed, tile, line, round), part);
        word |= encode(format, total) << part * (32 / parts(format));
    }
    return word;
}

static int verify_acc(struct tf_chip *chip, const struct tf_wl *wl, struct tf_message *message)
{
    int result = TF_OK;
    for (uint32_t line = 0; line < TF_ACC_LINES && result == TF_OK; line++) {
        uint32_t word = line_word(wl, line);
        for (unsigned i = 0; i < 4 && result == TF_OK; i++)
            result = tf_wl_expect_word(chip, TF_ACC_HOME(line, wl->tiles), "accumulated line", line,
                                       TF_ACC_LINE(line) + i * 4, word, message);
        for (unsigned i = 0; i < 4 * wl->tiles && result == TF_OK; i++)
            result = tf_wl_expect_word(chip, i / 4, "copy of accumulated line", line, TF_ACC_COPY(line) + i % 4 * 4,
                                       word, message);
    }
    return result;
}

static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    const struct tf_wl *wl = state;
    int result = tf_wl_done(chip, wl, message);
    if (result == TF_OK && tf_wl_runs(wl, TF_CORE_B))
        result = verify_tree(chip, wl, message);
    if (result == TF_OK && tf_wl_runs(wl, TF_CORE_T0))
        result = verify_direct(chip, wl, message);
    if (result == TF_OK && tf_wl_runs(wl, TF_CORE_NC))
        result = verify_acc(chip, wl, message);
    return result;
}

const struct tf_workload tf_workload_allreduce = {
    .name = "allreduce",
    .summary = "sums over all tiles, by a tree of vectors, by ACC atomics, or of 66 KiB directly",
    .variants = variants,
    .scale_default = 60,
    .scale_max = 30000, /* 2 x 140 x 30000 is exact in fp32 */
    .scale_test = 2,
    .setup = setup,
    .verify = verify,
    .release = tf_wl_release,
};
