/* SPDX-License-Identifier: Apache-2.0 */
/* PACR against recorded states, datum by datum and with every set of kernels of this host; see pack_vectors.inc. */
#include "conformance/tensix/difference.h"
#include "conformance/tensix/pack_operands.h"
#include "conformance/tensix/recorded.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/pack/rows.h"
#include "unit/tensix/bare.h"
#include "unit/tensix/pack_choose.h"

static const struct vector lines[] = {
#include "conformance/tensix/pack_vectors.inc"
};

static struct recorded table = RECORDED(pack_vectors, lines);

static void load_dst(struct tf_tile *tile, const struct pack_state *state)
{
    struct tf_dst *dst = tf_dst_get(tile);
    const struct tf_dst_map as_recorded = {0}, map = tf_dst_map(tile);
    assert_non_null(dst);
    bool wide = state->config[18] & 1;
    for (unsigned row = 0; row < TF_DST_ROWS; row++) {
        unsigned from = wide ? tf_dst_row32(as_recorded, row) : row;
        unsigned to = wide ? tf_dst_row32(map, row) : tf_dst_row16(map, row);
        memcpy(dst->bits[to], state->dst[from], sizeof state->dst[from]);
        if (wide)
            memcpy(dst->bits[to + TF_DST_LOW_ROWS], state->dst[from + TF_DST_LOW_ROWS], sizeof state->dst[from]);
        if (state->undefined[from])
            tf_dst_undefine(dst, to);
        else
            tf_dst_define(dst, to);
    }
}

static void load(struct tf_tile *tile, const struct pack_state *state)
{
    struct tf_tensix *tensix = tile->tensix;
    tensix->config->writes++;
    memcpy(tensix->config->bank[0], state->config, sizeof state->config);
    memcpy(tensix->config->thread[0], state->thread_config, sizeof state->thread_config);
    load_dst(tile, state);
    memcpy(tile->l1, state->l1, sizeof state->l1);
    struct tf_adc_channel *channel = tensix->adcs->of[0][TF_ADC_PACKERS].channel;
    for (unsigned i = 0; i < 8; i++)
        channel[i / 4].value[i % 4] = state->counter[i];
    channel[0].cr[TF_ADC_Y] = state->counter[8];
    channel[1].cr[TF_ADC_Y] = state->counter[9];
}

static void save(const struct tf_tile *tile, struct pack_state *state)
{
    const struct tf_adc_channel *channel = tile->tensix->adcs->of[0][TF_ADC_PACKERS].channel;
    memcpy(state->l1, tile->l1, sizeof state->l1);
    for (unsigned i = 0; i < 8; i++)
        state->counter[i] = channel[i / 4].value[i % 4];
    state->counter[8] = channel[0].cr[TF_ADC_Y];
    state->counter[9] = channel[1].cr[TF_ADC_Y];
}

static uint64_t hash_of(struct tf_tile *tile, struct pack_state *state, uint64_t seed)
{
    pack_make(state, seed);
    load(tile, state);
    for (unsigned i = 0; i < state->words; i++)
        tf_tensix_dispatch[state->word[i] >> 24](tile, 0, state->word[i]);
    save(tile, state);
    return pack_hash(state);
}

static const struct difference_part parts[] = {
    DIFFERENCE_PART(pack_state, l1, uint32_t, 4),
    DIFFERENCE_PART(pack_state, counter, uint32_t, 1),
};

/* A result that is not as recorded: where it differs from that of portable kernels, or from the operands. */
static void tell(struct bare *bare, const struct vector *vector, unsigned choice, const struct pack_state *found)
{
    static struct pack_state other;
    char text[160];
    assert_true(tf_pack_choose(&bare->tile, TF_VECTORS_PORTABLE));
    bool portable_is_right = hash_of(&bare->tile, &other, vector->seed) == vector->hash;
    if (!portable_is_right)
        pack_make(&other, vector->seed);
    difference_of(parts, sizeof parts / sizeof parts[0], found, &other, text);
    fail_msg("seed %u, choice %u: not as recorded%s: %s", vector->seed, choice,
             portable_is_right ? "" : "; it made of the operands", text);
}

static void test_vectors(void **state)
{
    struct bare *bare = *state;
    struct pack_state *operands = malloc(sizeof *operands);
    assert_non_null(operands);
    for (unsigned choice = 0; choice < PACK_CHOICES; choice++) {
        if (!pack_choose(&bare->tile, choice))
            continue;
        for (unsigned i = 0; i < table.count; i++) {
            uint64_t hash = hash_of(&bare->tile, operands, lines[i].seed);
            if (bare->tile.faults.count != 0)
                fail_msg("seed %u: %s", lines[i].seed, bare->tile.faults.entry[0].text);
            if (!as_recorded(&table, i, hash))
                tell(bare, &lines[i], choice, operands);
        }
    }
    free(operands);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_vectors, bare_setup, bare_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
