/* SPDX-License-Identifier: Apache-2.0 */
/* UNPACR and UNPACR_NOP against recorded states, by rows with every set of kernels, and datum by datum; see
 * unpack_vectors.inc. */
#include "conformance/tensix/unpack_operands.h"
#include "conformance/tensix/recorded.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/unpack/state.h"
#include "tile/tensix/unpack/unpack.h"
#include "tile/tensix/unpack/datum.h"
#include "unit/tensix/bare.h"

static const struct vector lines[] = {
#include "conformance/tensix/unpack_vectors.inc"
};

static void load(struct tf_tile *tile, const struct unpack_state *state)
{
    struct tf_tensix *tensix = tile->tensix;
    struct tf_dst *dst = tf_dst_get(tile);
    assert_non_null(dst);
    memcpy(tile->l1, state->l1, sizeof state->l1);
    memcpy(tensix->src_data->datum, state->src, sizeof state->src);
    memcpy(dst->bits, state->dst, sizeof state->dst);
    for (unsigned row = 0; row < TF_DST_ROWS; row++) {
        tf_dst_define(dst, row);
        if (state->undefined[row])
            tf_dst_undefine(dst, row);
    }
    for (unsigned i = 0; i < 4; i++)
        tensix->src->to_matrix[i / 2][i % 2] = state->to_matrix[i / 2][i % 2];
    memcpy(tensix->src->format, state->format, sizeof state->format);
    memcpy(tensix->src->unpack_bank, state->unpack_bank, sizeof state->unpack_bank);
    memcpy(tensix->src->matrix_bank, state->matrix_bank, sizeof state->matrix_bank);
    memcpy(tensix->config->bank[0], state->config, sizeof state->config);
    memcpy(tensix->config->thread[state->thread], state->thread_config, sizeof state->thread_config);
    for (unsigned i = 0; i < 8; i++)
        tensix->adcs->of[state->thread][state->side].channel[i / 4].value[i % 4] = state->counter[i / 4][i % 4];
}

static void save(struct tf_tile *tile, struct unpack_state *state)
{
    const struct tf_tensix *tensix = tile->tensix;
    memcpy(state->src, tensix->src_data->datum, sizeof state->src);
    memcpy(state->dst, tensix->dst->bits, sizeof state->dst);
    for (unsigned row = 0; row < TF_DST_ROWS; row++)
        state->undefined[row] = tf_dst_is_undefined(tensix->dst, row);
    for (unsigned i = 0; i < 4; i++)
        state->to_matrix[i / 2][i % 2] = tensix->src->to_matrix[i / 2][i % 2];
    memcpy(state->format, tensix->src->format, sizeof state->format);
    memcpy(state->unpack_bank, tensix->src->unpack_bank, sizeof state->unpack_bank);
    for (unsigned i = 0; i < 8; i++)
        state->counter[i / 4][i % 4] = tensix->adcs->of[state->thread][state->side].channel[i / 4].value[i % 4];
}

/* From `state` to the state after the instruction. */
static void execute_one(struct bare *bare, uint32_t word, struct unpack_state *state)
{
    load(&bare->tile, state);
    assert_false(tf_stalls_UNPACR(&bare->tile, state->thread, word));
    tf_tensix_dispatch[word >> 24](&bare->tile, state->thread, word);
    save(&bare->tile, state);
}

static const struct difference_part parts[] = {
    DIFFERENCE_PART(unpack_state, src[0][0], uint32_t, 16, 19),
    DIFFERENCE_PART(unpack_state, src[0][1], uint32_t, 16, 19),
    DIFFERENCE_PART(unpack_state, src[1][0], uint32_t, 16, 19),
    DIFFERENCE_PART(unpack_state, src[1][1], uint32_t, 16, 19),
    DIFFERENCE_PART(unpack_state, dst, uint16_t, 16, 16),
    DIFFERENCE_PART(unpack_state, undefined, uint8_t, 1, 1),
    DIFFERENCE_NAMED(unpack_state, counter, uint32_t, 18, "X of channel 0", "Y of channel 0", "Z of channel 0",
                     "W of channel 0", "X of channel 1", "Y of channel 1", "Z of channel 1", "W of channel 1"),
    DIFFERENCE_NAMED(unpack_state, to_matrix, uint8_t, 1, "SrcA bank 0", "SrcA bank 1", "SrcB bank 0", "SrcB bank 1"),
    DIFFERENCE_NAMED(unpack_state, unpack_bank, uint8_t, 1, "SrcA", "SrcB"),
    DIFFERENCE_NAMED(unpack_state, matrix_bank, uint8_t, 1, "SrcA", "SrcB"),
    DIFFERENCE_NAMED(unpack_state, format, uint8_t, 4, "SrcA bank 0", "SrcA bank 1", "SrcB bank 0", "SrcB bank 1"),
};

static struct recorded table = RECORDED(unpack_vectors, lines, parts);

/* A result that differs from the recorded one. Portable kernels may have the right one. */
static void differs(struct bare *bare, size_t i, enum tf_vectors choice, bool by_datum,
                    const struct unpack_state *before, const struct unpack_state *found)
{
    static struct unpack_state portable;
    const struct tf_unpack_kernels *kernels = bare->tile.tensix->unpack->kernels;
    char how[40];
    memcpy(&portable, before, sizeof portable);
    assert_true(tf_unpack_choose(&bare->tile, TF_VECTORS_PORTABLE));
    execute_one(bare, lines[i].word, &portable);
    bare->tile.tensix->unpack->kernels = kernels;
    snprintf(how, sizeof how, by_datum ? ", by datum" : ", vectors %d", choice);
    recorded_differs(&table, i, before, found, unpack_hash(&portable) == lines[i].hash ? &portable : NULL, how);
}

static void run(struct bare *bare, enum tf_vectors choice, bool by_datum, unsigned step)
{
    static struct unpack_state before, found;
    assert_true(tf_unpack_choose(&bare->tile, choice));
    if (by_datum)
        bare->tile.tensix->unpack->kernels = NULL;
    for (unsigned i = 0; i < table.count; i += step) {
        const struct vector *vector = &lines[i];
        assert_int_equal(unpack_make(&before, vector->word >> 24, vector->seed), vector->word);
        memcpy(&found, &before, sizeof found);
        execute_one(bare, vector->word, &found);
        if (bare->tile.faults.count != 0)
            fail_msg("case %u, 0x%08x: %s", i, vector->word, bare->tile.faults.entry[0].text);
        if (!as_recorded(&table, i, unpack_hash(&found), &before, &found))
            differs(bare, i, choice, by_datum, &before, &found);
    }
    recorded_end(&table);
}

static void test_by_rows(void **state)
{
    for (unsigned choice = TF_VECTORS_PORTABLE; choice < TF_VECTOR_LEVELS; choice++)
        if (tf_unpack_kernels((enum tf_vectors)choice) != NULL)
            run(*state, (enum tf_vectors)choice, false, choice == TF_VECTORS_PORTABLE ? 1 : 3);
}

static void test_by_datum(void **state)
{
    run(*state, TF_VECTORS_BEST, true, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_by_rows, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_by_datum, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
