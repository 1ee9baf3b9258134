/* SPDX-License-Identifier: Apache-2.0 */
/* Layer norm and RMS norm of the columns of tiles. */
#include "cli/workloads/tensor.h"

#include <math.h>

static const char *const variants[] = {TF_NORM_NAMES, NULL};
static const struct tf_tensor_kind kinds[] = TF_NORM_KINDS;

/*
 * Within a 32nd of the value and 2^-6: means, differences, squares, sums, roots and products are rounded or cut to
 * bf16. The mean of numbers from -2 to 2 is off by 2^-9, and so are all differences of a column.
 */
static void expect(const struct tf_tensor_kind *kind, const struct tf_tile_numbers *operand,
                   struct tf_tile_numbers *expected, struct tf_tile_numbers *bound)
{
    const double epsilon = 0x1p-16;
    for (unsigned column = 0; column < TF_TILE_SIDE; column++) {
        double mean = 0, square = 0;
        for (unsigned row = 0; row < TF_TILE_SIDE && !(kind->op & TF_NORM_RMS); row++)
            mean += operand->number[tf_tile_at(row, column)] / TF_TILE_SIDE;
        for (unsigned row = 0; row < TF_TILE_SIDE; row++)
            square += pow(operand->number[tf_tile_at(row, column)] - mean, 2) / TF_TILE_SIDE;
        for (unsigned row = 0; row < TF_TILE_SIDE; row++) {
            unsigned at = tf_tile_at(row, column);
            expected->number[at] = (operand->number[at] - mean) / sqrt(square + epsilon);
            bound->number[at] = fabs(expected->number[at]) * 0x1p-5 + 0x1p-6;
        }
    }
}

static const struct tf_tensor_work work = {.kind = kinds, .operands = 1, .ones = true, .expect = expect};

/* Check that the masks leave only row 0 of the upper faces of a tile's last statistics. */
static int verify_masked(struct tf_chip *chip, const struct tf_wl *wl, unsigned tile, struct tf_message *message)
{
    enum { HALF_FACE_ROW = TF_FACE_SIDE / 2, WORDS = TF_TILE_NUMBERS / 2, FACE = WORDS / 4 };
    uint32_t statistics[WORDS];
    (void)wl;
    int result = tf_wl_read(chip, tile, TF_NORM_PAGE(TF_NORM_STATISTICS), statistics, sizeof statistics, message);
    for (unsigned i = 0; i < WORDS && result == TF_OK; i++) {
        bool kept = i < 2 * FACE && i % FACE < HALF_FACE_ROW;
        if (kept == (statistics[i] == 0))
            result = tf_wl_wrong(message, "tile %u: word %u of the statistics is 0x%x, after the edge masks", tile, i,
                                 statistics[i]);
    }
    return result;
}

/* The masks change no result, so variants with masks have the recorded hashes of variants without masks. */
static int verify(struct tf_chip *chip, void *state, struct tf_message *message)
{
    struct tf_wl unmasked = *(const struct tf_wl *)state;
    bool masked = !(kinds[unmasked.options.variant].op & TF_NORM_ALL);
    uint64_t hash = 0;
    unmasked.options.variant |= TF_NORM_ALL;
    int result = tf_tensor_verify(chip, state, message);
    if (result == TF_OK && masked)
        result = tf_wl_verify_tiles(chip, state, verify_masked, message);
    if (result == TF_OK)
        result = tf_tensor_results(chip, state, &hash);
    return result == TF_OK ? tf_tensor_expect_recorded(&unmasked, hash, message) : result;
}

TF_TENSOR_WORKLOAD_CHECKED(norm,
                           "layer norm and RMS norm of columns: statistics through L1, with the packer's edge masks",
                           variants, &work, 2, verify, tf_tensor_results);
