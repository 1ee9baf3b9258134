/* SPDX-License-Identifier: Apache-2.0 */
/* Address counters, row counters and the banks' owners against recorded states; see counter_vectors.inc. */
#include "conformance/tensix/counter_operands.h"
#include "conformance/tensix/recorded.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/srcbanks.h"
#include "unit/tensix/units.h"

static const struct vector lines[] = {
#include "conformance/tensix/counter_vectors.inc"
};

/* A channel's counters. */
#define CHANNEL(unit, number) \
    DIFFERENCE_NAMED(counter_state, adc[unit][number], uint32_t, 18, "X", "X_Cr", "Y", "Y_Cr", "Z", "Z_Cr", "W", "W_Cr")

static const struct difference_part parts[] = {
    CHANNEL(0, 0),
    CHANNEL(0, 1),
    CHANNEL(1, 0),
    CHANNEL(1, 1),
    CHANNEL(2, 0),
    CHANNEL(2, 1),
    DIFFERENCE_NAMED(counter_state, rwc, uint32_t, 10, "SrcA", "SrcA_Cr", "SrcB", "SrcB_Cr", "Dst", "Dst_Cr",
                     "FidelityPhase"),
    DIFFERENCE_NAMED(counter_state, to_matrix, uint32_t, 1, "SrcA bank 0", "SrcA bank 1", "SrcB bank 0", "SrcB bank 1"),
    DIFFERENCE_NAMED(counter_state, matrix_bank, uint32_t, 1, "SrcA", "SrcB"),
};

static struct recorded table = RECORDED(counter_vectors, lines, parts);

/* Bits that the recording took random operands for. */
static const uint32_t used[256] = {
    [TF_OP_GATESRCRST] = 0x000003, [TF_OP_CLEARDVALID] = 0xC00003, [TF_OP_SETRWC] = 0xFFFFCF,
    [TF_OP_INCRWC] = 0x1FFFC0,     [TF_OP_SETADC] = 0xFFFFFF,      [TF_OP_SETADCXX] = 0xEFFFFF,
    [TF_OP_SETADCXY] = 0xEFFFCF,   [TF_OP_INCADCXY] = 0xEFFFC0,    [TF_OP_ADDRCRXY] = 0xEFFFCF,
    [TF_OP_SETADCZW] = 0xEFFFCF,   [TF_OP_INCADCZW] = 0xEFFFC0,    [TF_OP_ADDRCRZW] = 0xEFFFCF,
};

static void load(struct tf_tensix *tensix, const struct counter_state *state)
{
    for (unsigned i = 0; i < 24; i++) {
        struct tf_adc_channel *channel = &tensix->adcs->of[0][i / 8].channel[i / 4 % 2];
        channel->value[i % 4] = state->adc[i / 8][i / 4 % 2][i % 4][0];
        channel->cr[i % 4] = state->adc[i / 8][i / 4 % 2][i % 4][1];
    }
    tensix->rwc[0] = (struct tf_rwc){
        .srca = (uint8_t)state->rwc[COUNTER_SRCA],
        .srca_cr = (uint8_t)state->rwc[COUNTER_SRCA_CR],
        .srcb = (uint8_t)state->rwc[COUNTER_SRCB],
        .srcb_cr = (uint8_t)state->rwc[COUNTER_SRCB_CR],
        .dst = (uint16_t)state->rwc[COUNTER_DST],
        .dst_cr = (uint16_t)state->rwc[COUNTER_DST_CR],
        .fidelity = (uint8_t)state->rwc[COUNTER_FIDELITY],
    };
    for (unsigned side = 0; side < 2; side++) {
        tensix->src->matrix_bank[side] = (uint8_t)state->matrix_bank[side];
        for (unsigned bank = 0; bank < 2; bank++)
            tensix->src->to_matrix[side][bank] = state->to_matrix[side][bank];
    }
}

static void save(const struct tf_tensix *tensix, struct counter_state *state)
{
    for (unsigned i = 0; i < 24; i++) {
        const struct tf_adc_channel *channel = &tensix->adcs->of[0][i / 8].channel[i / 4 % 2];
        state->adc[i / 8][i / 4 % 2][i % 4][0] = channel->value[i % 4];
        state->adc[i / 8][i / 4 % 2][i % 4][1] = channel->cr[i % 4];
    }
    const struct tf_rwc *rwc = &tensix->rwc[0];
    const uint32_t rows[COUNTER_ROWS] = {rwc->srca, rwc->srca_cr, rwc->srcb,    rwc->srcb_cr,
                                         rwc->dst,  rwc->dst_cr,  rwc->fidelity};
    memcpy(state->rwc, rows, sizeof rows);
    for (unsigned side = 0; side < 2; side++) {
        state->matrix_bank[side] = tensix->src->matrix_bank[side];
        for (unsigned bank = 0; bank < 2; bank++)
            state->to_matrix[side][bank] = tensix->src->to_matrix[side][bank];
    }
}

static void test_vectors(void **state)
{
    struct bare *bare = *state;
    for (unsigned i = 0; i < table.count; i++) {
        const struct vector *vector = &lines[i];
        struct counter_state before, found;
        assert_int_equal(counter_make(&before, vector->word >> 24, used[vector->word >> 24], vector->seed),
                         vector->word);
        load(bare->tile.tensix, &before);
        execute(bare, 0, vector->word);
        save(bare->tile.tensix, &found);
        if (!as_recorded(&table, i, counter_hash(&found), &before, &found))
            recorded_differs(&table, i, &before, &found, NULL, "");
    }
    recorded_end(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_vectors, bare_setup, bare_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
