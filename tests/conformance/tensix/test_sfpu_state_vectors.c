/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of the vector unit against recorded states, with every set of kernels of this host; see
 * sfpu_state_vectors.inc. */
#include "tile/tensix/data/dst.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/vector/flags.h"
#include "tile/tensix/vector/vector.h"

#include "conformance/tensix/levels.h"
#include "conformance/tensix/sfpu_state_operands.h"

#define MATH 1u

static const struct vector lines[] = {
#include "conformance/tensix/sfpu_state_vectors.inc"
};

static void load_vector(struct tf_vector *vector, const struct sfpu_state *state)
{
    memcpy(vector->lreg, state->lreg, sizeof state->lreg);
    memcpy(vector->prng, state->prng, sizeof state->prng);
    vector->lane.flags = state->flags;
    vector->lane.use = state->use;
    memcpy(vector->lane.stack_flags, state->stack_flags, sizeof state->stack_flags);
    memcpy(vector->lane.stack_use, state->stack_use, sizeof state->stack_use);
    memset(vector->lane.depth, (int)state->depth, sizeof vector->lane.depth);
    for (unsigned column = 0; column < TF_LANE_COLUMNS; column++) {
        vector->lane_config[column] = state->lane_config;
        memcpy(vector->macro[column].template, state->instruction, sizeof state->instruction);
        memcpy(vector->macro[column].sequence, state->sequence, sizeof state->sequence);
        vector->macro[column].misc = state->misc;
    }
    vector->mask = (struct tf_lane_masks){
        .rows = TF_ALL_LANES,
        .dest_index = state->lane_config & TF_LANE_ENABLE_DEST_INDEX ? TF_ALL_LANES : 0,
        .exchange = state->lane_config & TF_LANE_EXCHANGE_SRCB_SRCC ? TF_ALL_LANES : 0,
    };
}

static void load(struct tf_tile *tile, const struct sfpu_state *state)
{
    struct tf_tensix *tensix = tile->tensix;
    struct tf_dst *dst = tf_dst_get(tile);
    assert_non_null(dst);
    load_vector(tf_sfpu_get(tile), state);
    memcpy(dst->bits, state->dst, sizeof state->dst);
    for (unsigned row = 0; row < TF_DST_ROWS; row++) {
        tf_dst_define(dst, row);
        if (state->undefined[row])
            tf_dst_undefine(dst, row);
    }
    tensix->config->bank[0][TF_CFG_WORD(ALU_FORMAT_SPEC_REG1_SrcB)] = state->alu;
    memcpy(tensix->config->thread[MATH], state->thread_config, sizeof state->thread_config);
    tensix->rwc[MATH] = (struct tf_rwc){.dst = (uint16_t)state->counter[0], .dst_cr = (uint16_t)state->counter[1]};
}

/* Entries above the top of the stack are no part of the state. */
static void save(const struct tf_tile *tile, struct sfpu_state *state)
{
    const struct tf_tensix *tensix = tile->tensix;
    const struct tf_vector *vector = tensix->vector;
    memcpy(state->lreg, vector->lreg, sizeof state->lreg);
    memcpy(state->prng, vector->prng, sizeof state->prng);
    state->flags = vector->lane.flags;
    state->use = vector->lane.use;
    state->depth = vector->lane.depth[7];
    memset(state->stack_flags, 0, sizeof state->stack_flags);
    memset(state->stack_use, 0, sizeof state->stack_use);
    memcpy(state->stack_flags, vector->lane.stack_flags, state->depth * sizeof state->stack_flags[0]);
    memcpy(state->stack_use, vector->lane.stack_use, state->depth * sizeof state->stack_use[0]);
    state->lane_config = vector->lane_config[5];
    memcpy(state->instruction, vector->macro[5].template, sizeof state->instruction);
    memcpy(state->sequence, vector->macro[5].sequence, sizeof state->sequence);
    state->misc = vector->macro[5].misc;
    state->counter[0] = tensix->rwc[MATH].dst;
    state->counter[1] = tensix->rwc[MATH].dst_cr;
    memcpy(state->dst, tensix->dst->bits, sizeof state->dst);
    for (unsigned row = 0; row < TF_DST_ROWS; row++)
        state->undefined[row] = tf_dst_is_undefined(tensix->dst, row);
}

static const struct difference_part parts[] = {
    DIFFERENCE_PART(sfpu_state, lreg, uint32_t, 32, 32),
    DIFFERENCE_PART(sfpu_state, prng, uint32_t, 32, 32),
    DIFFERENCE_PART(sfpu_state, flags, uint32_t, 1, 32),
    DIFFERENCE_PART(sfpu_state, use, uint32_t, 1, 32),
    DIFFERENCE_PART(sfpu_state, depth, uint32_t, 1, 4),
    DIFFERENCE_PART(sfpu_state, stack_flags, uint32_t, 1, 32),
    DIFFERENCE_PART(sfpu_state, stack_use, uint32_t, 1, 32),
    DIFFERENCE_PART(sfpu_state, lane_config, uint32_t, 1, 32),
    DIFFERENCE_PART(sfpu_state, instruction, uint32_t, 1, 32),
    DIFFERENCE_PART(sfpu_state, sequence, uint32_t, 1, 32),
    DIFFERENCE_PART(sfpu_state, misc, uint32_t, 1, 32),
    DIFFERENCE_PART(sfpu_state, dst, uint16_t, 16, 16),
    DIFFERENCE_PART(sfpu_state, undefined, uint8_t, 1, 1),
    DIFFERENCE_NAMED(sfpu_state, counter, uint32_t, 10, "Dst", "Dst_Cr"),
};

static struct recorded table = RECORDED(sfpu_state_vectors, lines, parts);

static void make(void *state, const struct vector *vector)
{
    assert_int_equal(sfpu_make(state, vector->word >> 24, vector->seed), vector->word);
}

static uint64_t hash(const void *state)
{
    return sfpu_hash(state);
}

static bool exists(enum tf_vectors choice)
{
    return tf_sfpu_kernels_of(TF_EDITION_BLACKHOLE, choice) != NULL;
}

static void execute(struct bare *bare, enum tf_vectors choice, const struct vector *vector, void *state)
{
    make(state, vector);
    assert_true(tf_sfpu_choose(&bare->tile, choice));
    load(&bare->tile, state);
    tf_tensix_dispatch[vector->word >> 24](&bare->tile, MATH, vector->word);
    if (bare->tile.faults.count != 0)
        fail_msg("seed %u, 0x%08x: %s", vector->seed, vector->word, bare->tile.faults.entry[0].text);
    save(&bare->tile, state);
}

static void test_vectors(void **state)
{
    static const struct level_unit unit = {make, execute, hash, exists};
    static struct sfpu_state before, portable, found;
    check_levels(*state, &unit, &table, &before, &portable, &found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_vectors, bare_setup, bare_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
