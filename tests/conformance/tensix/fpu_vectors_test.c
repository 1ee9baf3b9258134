/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of the matrix unit against what ttsim computed, with every set of kernels that the host has. */
#include "conformance/tensix/fpu_operands.h"
#include "tile/tensix/frontend/dispatch.h"
#include "unit/tensix/bare.h"

static const struct vector {
    uint8_t opcode;
    uint16_t seed;
    uint32_t word;
    uint64_t hash;
} vectors[] = {
#include "conformance/tensix/fpu_vectors.inc"
};

static void load(struct tf_tile *tile, const struct fpu_state *state)
{
    struct tf_tensix *tensix = tile->tensix;
    struct tf_dst *dst = tf_dst_get(tile);
    assert_non_null(dst);
    for (unsigned i = 0; i < 4; i++)
        memcpy(tf_src_write(tensix, i / 2, i % 2), state->src[i / 2][i % 2], sizeof state->src[0][0]);
    memcpy(dst->bits, state->dst, sizeof state->dst);
    for (unsigned row = 0; row < TF_DST_ROWS; row++) {
        tf_dst_define(dst, row);
        if (state->undefined[row])
            tf_dst_undefine(dst, row);
    }
    for (unsigned i = 0; i < 4; i++) {
        tensix->src.to_matrix[i / 2][i % 2] = state->to_matrix[i / 2][i % 2];
        tensix->src.format[i / 2][i % 2] = state->format[i / 2][i % 2];
    }
    memcpy(tensix->src.matrix_bank, state->matrix_bank, sizeof state->matrix_bank);
    memcpy(tensix->config.bank[0], state->config, sizeof state->config);
    memcpy(tensix->config.thread[0], state->thread_config, sizeof state->thread_config);
    const uint32_t *counter = state->counter;
    tensix->rwc[0] = (struct tf_rwc){
        .dst = (uint16_t)counter[0],   .dst_cr = (uint16_t)counter[1], .srca = (uint8_t)counter[2],
        .srca_cr = (uint8_t)counter[3], .srcb = (uint8_t)counter[4],   .srcb_cr = (uint8_t)counter[5],
        .fidelity = (uint8_t)counter[6],
    };
}

static void save(struct tf_tile *tile, struct fpu_state *state)
{
    const struct tf_tensix *tensix = tile->tensix;
    const struct tf_rwc *rwc = &tensix->rwc[0];
    memcpy(state->src, tensix->src_data.datum, sizeof state->src);
    memcpy(state->dst, tensix->dst->bits, sizeof state->dst);
    for (unsigned row = 0; row < TF_DST_ROWS; row++)
        state->undefined[row] = tf_dst_is_undefined(tensix->dst, row);
    for (unsigned i = 0; i < 4; i++)
        state->to_matrix[i / 2][i % 2] = tensix->src.to_matrix[i / 2][i % 2];
    memcpy(state->matrix_bank, tensix->src.matrix_bank, sizeof state->matrix_bank);
    const uint32_t counter[7] = {rwc->dst,  rwc->dst_cr,  rwc->srca,    rwc->srca_cr,
                                 rwc->srcb, rwc->srcb_cr, rwc->fidelity};
    memcpy(state->counter, counter, sizeof counter);
}

static void run(struct bare *bare, enum tf_vectors choice)
{
    struct fpu_state *state = malloc(sizeof *state);
    assert_non_null(state);
    for (unsigned i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        const struct vector *vector = &vectors[i];
        assert_int_equal(fpu_make(state, vector->opcode, vector->seed), vector->word);
        load(&bare->tile, state);
        assert_true(tf_fpu_choose(&bare->tile, choice));
        tf_tensix_dispatch[vector->opcode](&bare->tile, 0, vector->word);
        assert_int_equal(bare->tile.faults.count, 0);
        save(&bare->tile, state);
        if (fpu_hash(state) != vector->hash)
            fail_msg("case %u, %s 0x%08x, choice %d: not what ttsim has", i,
                     tf_tensix_ops[vector->opcode].mnemonic, vector->word, choice);
    }
    free(state);
}

static void test_vectors(void **state)
{
    for (unsigned choice = TF_VECTORS_PORTABLE; choice < TF_VECTOR_LEVELS; choice++)
        if (tf_fpu_kernels((enum tf_vectors)choice) != NULL)
            run(*state, (enum tf_vectors)choice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_vectors, bare_setup, bare_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
