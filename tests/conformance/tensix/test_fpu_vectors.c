/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of the matrix unit against recorded states, with every set of kernels of this host; see
 * fpu_vectors.inc. */
#include "conformance/tensix/fpu_operands.h"
#include "conformance/tensix/levels.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/matrix/issue.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"

static const struct vector lines[] = {
#include "conformance/tensix/fpu_vectors.inc"
};

static void load(struct tf_tile *tile, const struct fpu_state *state)
{
    struct tf_tensix *tensix = tile->tensix;
    struct tf_dst *dst = tf_dst_get(tile);
    assert_non_null(dst);
    for (unsigned i = 0; i < 4; i++)
        memcpy(tf_src_write(tile, 0, i / 2, i % 2, 0, TF_SRC_ROWS), state->src[i / 2][i % 2], sizeof state->src[0][0]);
    memcpy(dst->bits, state->dst, sizeof state->dst);
    for (unsigned row = 0; row < TF_DST_ROWS; row++) {
        tf_dst_define(dst, row);
        if (state->undefined[row])
            tf_dst_undefine(dst, row);
    }
    for (unsigned i = 0; i < 4; i++) {
        tensix->src->to_matrix[i / 2][i % 2] = state->to_matrix[i / 2][i % 2];
        tensix->src->format[i / 2][i % 2] = state->format[i / 2][i % 2];
    }
    memcpy(tensix->src->matrix_bank, state->matrix_bank, sizeof state->matrix_bank);
    memcpy(tensix->config->bank[0], state->config, sizeof state->config);
    memcpy(tensix->config->thread[0], state->thread_config, sizeof state->thread_config);
    const uint32_t *counter = state->counter;
    tensix->rwc[0] = (struct tf_rwc){
        .dst = (uint16_t)counter[0],
        .dst_cr = (uint16_t)counter[1],
        .srca = (uint8_t)counter[2],
        .srca_cr = (uint8_t)counter[3],
        .srcb = (uint8_t)counter[4],
        .srcb_cr = (uint8_t)counter[5],
        .fidelity = (uint8_t)counter[6],
    };
}

static void save(struct tf_tile *tile, struct fpu_state *state)
{
    const struct tf_tensix *tensix = tile->tensix;
    const struct tf_rwc *rwc = &tensix->rwc[0];
    memcpy(state->src, tensix->src_data->datum, sizeof state->src);
    memcpy(state->dst, tensix->dst->bits, sizeof state->dst);
    for (unsigned row = 0; row < TF_DST_ROWS; row++)
        state->undefined[row] = tf_dst_is_undefined(tensix->dst, row);
    for (unsigned i = 0; i < 4; i++)
        state->to_matrix[i / 2][i % 2] = tensix->src->to_matrix[i / 2][i % 2];
    memcpy(state->matrix_bank, tensix->src->matrix_bank, sizeof state->matrix_bank);
    const uint32_t counter[7] = {rwc->dst,  rwc->dst_cr,  rwc->srca,    rwc->srca_cr,
                                 rwc->srcb, rwc->srcb_cr, rwc->fidelity};
    memcpy(state->counter, counter, sizeof counter);
}

static const struct difference_part parts[] = {
    DIFFERENCE_PART(fpu_state, src[0][0], uint32_t, 16, 19),
    DIFFERENCE_PART(fpu_state, src[0][1], uint32_t, 16, 19),
    DIFFERENCE_PART(fpu_state, src[1][0], uint32_t, 16, 19),
    DIFFERENCE_PART(fpu_state, src[1][1], uint32_t, 16, 19),
    DIFFERENCE_PART(fpu_state, dst, uint16_t, 16, 16),
    DIFFERENCE_PART(fpu_state, undefined, uint8_t, 1, 1),
    DIFFERENCE_NAMED(fpu_state, to_matrix, uint8_t, 1, "SrcA bank 0", "SrcA bank 1", "SrcB bank 0", "SrcB bank 1"),
    DIFFERENCE_NAMED(fpu_state, matrix_bank, uint8_t, 1, "SrcA", "SrcB"),
    DIFFERENCE_NAMED(fpu_state, counter, uint32_t, 10, "Dst", "Dst_Cr", "SrcA", "SrcA_Cr", "SrcB", "SrcB_Cr",
                     "FidelityPhase"),
};

static struct recorded table = RECORDED(fpu_vectors, lines, parts);

static void make(void *state, const struct vector *vector)
{
    assert_int_equal(fpu_make(state, vector->word >> 24, vector->seed), vector->word);
}

static uint64_t hash(const void *state)
{
    return fpu_hash(state);
}

static bool exists(enum tf_vectors choice)
{
    return tf_fpu_kernels_of(TF_EDITION_BLACKHOLE, choice) != NULL;
}

static void execute(struct bare *bare, enum tf_vectors choice, const struct vector *vector, void *state)
{
    make(state, vector);
    assert_true(tf_fpu_choose(&bare->tile, choice));
    load(&bare->tile, state);
    tf_tensix_dispatch[vector->word >> 24](&bare->tile, 0, vector->word);
    if (bare->tile.faults.count != 0)
        fail_msg("seed %u, 0x%08x: %s", vector->seed, vector->word, bare->tile.faults.entry[0].text);
    save(&bare->tile, state);
}

static void test_vectors(void **state)
{
    static const struct level_unit unit = {make, execute, hash, exists};
    static struct fpu_state before, portable, found;
    check_levels(*state, &unit, &table, &before, &portable, &found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_vectors, bare_setup, bare_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
