/* SPDX-License-Identifier: Apache-2.0 */
/* PACR against recorded states, datum by datum and with every set of kernels of this host; see pack_vectors.inc. */
#include "conformance/tensix/pack_operands.h"
#include "conformance/tensix/recorded.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/pack/rows.h"
#include "tile/tensix/pack/pack.h"
#include "unit/tensix/bare.h"
#include "unit/tensix/pack_choose.h"

static const struct vector lines[] = {
#include "conformance/tensix/pack_vectors.inc"
};

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

/* From `state` to the state after its instructions. */
static uint64_t execute_all(struct tf_tile *tile, struct pack_state *state)
{
    load(tile, state);
    for (unsigned i = 0; i < state->words; i++)
        tf_tensix_dispatch[state->word[i] >> 24](tile, 0, state->word[i]);
    save(tile, state);
    return pack_hash(state);
}

static const struct difference_part parts[] = {
    DIFFERENCE_PART(pack_state, l1, uint32_t, 4, 32),
    DIFFERENCE_NAMED(pack_state, counter, uint32_t, 18, "X of channel 0", "Y of channel 0", "Z of channel 0",
                     "W of channel 0", "X of channel 1", "Y of channel 1", "Z of channel 1", "W of channel 1",
                     "Y_Cr of channel 0", "Y_Cr of channel 1"),
};

static struct recorded table = RECORDED(pack_vectors, lines, parts);

/* A result that differs from the recorded one. Portable kernels may have the right one. */
static void differs(struct bare *bare, size_t i, unsigned choice, const struct pack_state *before,
                    const struct pack_state *found)
{
    static struct pack_state portable;
    char how[40];
    memcpy(&portable, before, sizeof portable);
    assert_true(tf_pack_choose(&bare->tile, TF_VECTORS_PORTABLE));
    bool is_right = execute_all(&bare->tile, &portable) == lines[i].hash;
    assert_true(pack_choose(&bare->tile, choice));
    snprintf(how, sizeof how, ", choice %u", choice);
    recorded_differs(&table, i, before, found, is_right ? &portable : NULL, how);
}

static void test_vectors(void **state)
{
    static struct pack_state before, found;
    struct bare *bare = *state;
    for (unsigned choice = 0; choice < PACK_CHOICES; choice++) {
        if (!pack_choose(&bare->tile, choice))
            continue;
        for (unsigned i = 0; i < table.count; i++) {
            pack_make(&before, lines[i].seed);
            memcpy(&found, &before, sizeof found);
            uint64_t hash = execute_all(&bare->tile, &found);
            if (bare->tile.faults.count != 0)
                fail_msg("seed %u: %s", lines[i].seed, bare->tile.faults.entry[0].text);
            if (!as_recorded(&table, i, hash, &before, &found))
                differs(bare, i, choice, &before, &found);
        }
    }
    recorded_end(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_vectors, bare_setup, bare_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
