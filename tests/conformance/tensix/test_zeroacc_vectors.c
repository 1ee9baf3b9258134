/* SPDX-License-Identifier: Apache-2.0 */
/* ZEROACC, SETC16 and address modifiers against recorded states; see zeroacc_vectors.inc. */
#include "conformance/tensix/zeroacc_operands.h"
#include "conformance/tensix/recorded.h"
#include "tile/tensix/data/dst.h"
#include "unit/tensix/units.h"

static const struct vector lines[] = {
#include "conformance/tensix/zeroacc_vectors.inc"
};

static const struct difference_part parts[] = {
    DIFFERENCE_PART(zeroacc_state, defined, bool, 1, 1),
    DIFFERENCE_NAMED(zeroacc_state, counter, uint32_t, 10, "SrcA", "SrcA_Cr", "SrcB", "SrcB_Cr", "Dst", "Dst_Cr",
                     "FidelityPhase", "ExtraAddrModBit"),
};

static struct recorded table = RECORDED(zeroacc_vectors, lines, parts);

static void load(struct bare *bare, unsigned thread, const struct zeroacc_state *state)
{
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    for (unsigned row = 0; row < ZEROACC_ROWS; row++)
        if (state->defined[row])
            tf_dst_define(dst, row);
        else
            tf_dst_undefine(dst, row);
    bare->tile.tensix->rwc[thread] = (struct tf_rwc){
        .srca = (uint8_t)state->counter[ZEROACC_SRCA],
        .srca_cr = (uint8_t)state->counter[ZEROACC_SRCA_CR],
        .srcb = (uint8_t)state->counter[ZEROACC_SRCB],
        .srcb_cr = (uint8_t)state->counter[ZEROACC_SRCB_CR],
        .dst = (uint16_t)state->counter[ZEROACC_DST],
        .dst_cr = (uint16_t)state->counter[ZEROACC_DST_CR],
        .fidelity = (uint8_t)state->counter[ZEROACC_FIDELITY],
        .extra = (uint8_t)state->counter[ZEROACC_EXTRA],
    };
}

static void save(struct bare *bare, unsigned thread, struct zeroacc_state *state)
{
    const struct tf_dst *dst = tf_dst_get(&bare->tile);
    for (unsigned row = 0; row < ZEROACC_ROWS; row++)
        state->defined[row] = !tf_dst_is_undefined(dst, row);
    const struct tf_rwc *rwc = &bare->tile.tensix->rwc[thread];
    const uint32_t counter[ZEROACC_COUNTERS] = {rwc->srca, rwc->srca_cr, rwc->srcb,     rwc->srcb_cr,
                                                rwc->dst,  rwc->dst_cr,  rwc->fidelity, rwc->extra};
    memcpy(state->counter, counter, sizeof counter);
}

static void test_vectors(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < table.count; i++) {
        struct bare *bare;
        struct zeroacc_state before, found;
        unsigned thread = i % 3;
        bare_setup((void **)&bare);
        assert_int_equal(zeroacc_make(&before, lines[i].seed), lines[i].word);
        for (unsigned k = 0; k < ZEROACC_PROGRAM; k++)
            execute(bare, thread, before.program[k]);
        load(bare, thread, &before);
        execute(bare, thread, lines[i].word);
        save(bare, thread, &found);
        if (!as_recorded(&table, i, zeroacc_hash(&found), &before, &found))
            recorded_differs(&table, i, &before, &found, NULL, "");
        bare_teardown((void **)&bare);
    }
    recorded_end(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
