/* SPDX-License-Identifier: Apache-2.0 */
/* Address counters and row counters against the functional models of ADCs.md, REG2FLOP_ADC.md and RWCs.md. */
#include "tile/tensix/data/rwc.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/state.h"
#include "unit/tensix/units.h"

#define ROUNDS 600u

static struct tf_adcs adcs_expected;

static const uint32_t width_mask[4] = {0x3FFFF, 0x1FFF, 0xFF, 0xFF};

static void random_adcs(struct bare *bare)
{
    struct tf_adcs *adcs = bare->tile.tensix->adcs;
    for (unsigned i = 0; i < 3 * 3 * 2; i++)
        for (unsigned d = 0; d < 4; d++) {
            struct tf_adc_channel *channel = &adcs->of[i / 6][i / 2 % 3].channel[i % 2];
            channel->value[d] = bare_random() & width_mask[d];
            channel->cr[d] = bare_random() & width_mask[d];
        }
    adcs_expected = *adcs;
}

static void set(struct tf_adc_channel *channel, unsigned d, uint32_t value, bool counter, bool cr)
{
    if (counter)
        channel->value[d] = value & width_mask[d];
    if (cr)
        channel->cr[d] = value & width_mask[d];
}

static void execute_and_compare(struct bare *bare, unsigned thread, uint32_t word)
{
    execute(bare, thread, word);
    assert_memory_equal(bare->tile.tensix->adcs, &adcs_expected, sizeof adcs_expected);
}

static void test_setadc(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned thread = bare_random() % 3, override = bare_random() % 4, d = bare_random() % 4;
        unsigned channel = bare_random() % 2, users = bare_random() % 8;
        uint32_t value = (bare_random() & 0xFFFF) | override << 16;
        random_adcs(bare);
        for (unsigned user = 0; user < 3; user++)
            if (users >> user & 1)
                set(&adcs_expected.of[override ? override - 1 : thread][user].channel[channel], d, value, true, true);
        execute_and_compare(bare, thread, W(SETADC) | value | d << 18 | channel << 20 | users << 21);
    }
}

static void test_setadcxx(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned thread = bare_random() % 3, users = bare_random() % 8;
        uint32_t x0 = bare_random() & 0x3FF, x1 = bare_random() & 0x3FF;
        random_adcs(bare);
        for (unsigned user = 0; user < 3; user++)
            if (users >> user & 1) {
                set(&adcs_expected.of[thread][user].channel[0], 0, x0, true, true);
                set(&adcs_expected.of[thread][user].channel[1], 0, x1, true, true);
            }
        execute_and_compare(bare, thread, W(SETADCXX) | x0 | x1 << 10 | users << 21);
    }
}

enum pair_kind { SET, INC, ADDCR };

static void pairs(struct bare *bare, uint32_t op, enum pair_kind kind, unsigned first)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned thread = bare_random() % 3, override = bare_random() % 4, users = bare_random() % 8;
        uint32_t which = kind == INC ? 15 : bare_random() & 15, values = bare_random() & 0xFFF;
        random_adcs(bare);
        for (unsigned i = 0; i < 12; i++) {
            unsigned user = i / 4, channel = i / 2 % 2, d = first + i % 2;
            struct tf_adc_channel *at = &adcs_expected.of[override ? override - 1 : thread][user].channel[channel];
            uint32_t value = values >> 3 * (i % 4) & 7;
            if (!(users >> user & 1) || !(which >> i % 4 & 1))
                continue;
            if (kind == SET)
                set(at, d, value, true, true);
            else if (kind == INC)
                set(at, d, at->value[d] + value, true, false);
            else
                set(at, d, at->cr[d] + value, true, true);
        }
        execute_and_compare(bare, thread, op | (kind == INC ? 0 : which) | values << 6 | override << 18 | users << 21);
    }
}

static void test_pairs(void **state)
{
    bare_seed();
    pairs(*state, W(SETADCXY), SET, 0);
    pairs(*state, W(SETADCZW), SET, 2);
    pairs(*state, W(INCADCXY), INC, 0);
    pairs(*state, W(INCADCZW), INC, 2);
    pairs(*state, W(ADDRCRXY), ADDCR, 0);
    pairs(*state, W(ADDRCRZW), ADDCR, 2);
}

static uint32_t reg2flop_value(uint32_t value, unsigned size, unsigned shift)
{
    switch (size) {
    case 0: return 0;
    case 1: return shift == 0 ? value : 0;
    case 2: return shift == 0 ? value & 0xFFFF : shift == 2 ? value >> 16 : 0;
    default: return value >> 8 * shift & 0xFF;
    }
}

static void test_reg2flop(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < 4 * ROUNDS; round++) {
        unsigned thread = bare_random() % 3, reg = bare_random() % 64, target = bare_random() % 64;
        unsigned size = bare_random() % 4, shift = bare_random() % 4, other = bare_random() % 4;
        bool override = bare_random() & 1;
        random_gprs(bare);
        random_adcs(bare);
        unsigned which = override ? other : thread, user = target >> 3 & 3;
        if (which < 3 && user < 3)
            set(&adcs_expected.of[which][user].channel[target >> 5], target & 3,
                reg2flop_value(gpr(bare, thread)[reg], size, shift), !(target >> 2 & 1), target >> 2 & 1);
        execute_and_compare(bare, thread,
                            W(REG2FLOP) | reg | target << 6 | other << 16 | shift << 18 | (2u | override) << 20 |
                                size << 22);
    }
}

/* Each counter alone, with the values of bits, for each form that RWCs.md describes. */
static struct tf_rwc rwc_expected[3];

static void random_rwcs(struct bare *bare)
{
    struct tf_rwc *rwc = bare->tile.tensix->rwc;
    for (unsigned t = 0; t < 3; t++)
        rwc[t] = (struct tf_rwc){
            .dst = bare_random() & 0x3FF,
            .dst_cr = bare_random() & 0x3FF,
            .srca = bare_random() & 0x3F,
            .srca_cr = bare_random() & 0x3F,
            .srcb = bare_random() & 0x3F,
            .srcb_cr = bare_random() & 0x3F,
            .fidelity = bare_random() & 3,
            .extra = 0,
        };
    memcpy(rwc_expected, rwc, sizeof rwc_expected);
}

static void compare_rwcs(struct bare *bare)
{
    for (unsigned t = 0; t < 3; t++) {
        const struct tf_rwc *is = &bare->tile.tensix->rwc[t], *should = &rwc_expected[t];
        assert_int_equal(is->dst, should->dst);
        assert_int_equal(is->dst_cr, should->dst_cr);
        assert_int_equal(is->srca, should->srca);
        assert_int_equal(is->srca_cr, should->srca_cr);
        assert_int_equal(is->srcb, should->srcb);
        assert_int_equal(is->srcb_cr, should->srcb_cr);
        assert_int_equal(is->fidelity, should->fidelity);
        assert_int_equal(is->extra, should->extra);
    }
}

static void test_setrwc(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < 4 * ROUNDS; round++) {
        unsigned thread = bare_random() % 3;
        uint32_t bits = bare_random() & 0x3FFFCF; /* no flips */
        uint32_t a = bits >> 6 & 15, b = bits >> 10 & 15, d = bits >> 14 & 15, cr = bits >> 18 & 15;
        random_rwcs(bare);
        struct tf_rwc *rwc = &rwc_expected[thread];
        if (bits & 1)
            rwc->srca = rwc->srca_cr = (a + (cr & 1 ? rwc->srca_cr : 0)) & 0x3F;
        if (bits & 2)
            rwc->srcb = rwc->srcb_cr = (b + (cr & 2 ? rwc->srcb_cr : 0)) & 0x3F;
        if ((bits & 4) || (cr & 8))
            rwc->dst = rwc->dst_cr = (d + (cr & 8 ? rwc->dst : cr & 4 ? rwc->dst_cr : 0)) & 0x3FF;
        if (bits & 8)
            rwc->fidelity = 0;
        execute(bare, thread, W(SETRWC) | bits);
        compare_rwcs(bare);
    }
}

static void test_incrwc(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < 4 * ROUNDS; round++) {
        unsigned thread = bare_random() % 3;
        uint32_t bits = bare_random() & 0x1FFFC0;
        uint32_t a = bits >> 6 & 15, b = bits >> 10 & 15, d = bits >> 14 & 15, cr = bits >> 18 & 7;
        random_rwcs(bare);
        struct tf_rwc *rwc = &rwc_expected[thread];
        rwc->srca = ((cr & 1 ? rwc->srca_cr : rwc->srca) + a) & 0x3F;
        rwc->srcb = ((cr & 2 ? rwc->srcb_cr : rwc->srcb) + b) & 0x3F;
        rwc->dst = ((cr & 4 ? rwc->dst_cr : rwc->dst) + d) & 0x3FF;
        rwc->srca_cr = cr & 1 ? rwc->srca : rwc->srca_cr;
        rwc->srcb_cr = cr & 2 ? rwc->srcb : rwc->srcb_cr;
        rwc->dst_cr = cr & 4 ? rwc->dst : rwc->dst_cr;
        execute(bare, thread, W(INCRWC) | bits);
        compare_rwcs(bare);
    }
}

static void modify_src(uint8_t *value, uint8_t *cr, uint32_t bits)
{
    uint8_t increment = bits & 0x3F;
    if (bits & 0x80)
        *value = *cr = 0;
    else if (bits & 0x40)
        *value = *cr = (*cr + increment) & 0x3F;
    else
        *value = (*value + increment) & 0x3F;
}

static void modify_dst(struct tf_rwc *rwc, uint32_t bits)
{
    uint32_t increment = bits & 0x3FF;
    if (bits >> 11 & 1)
        rwc->dst = rwc->dst_cr = 0;
    else if (bits >> 12 & 1)
        rwc->dst = rwc->dst_cr = (rwc->dst + increment) & 0x3FF;
    else if (bits >> 10 & 1)
        rwc->dst = rwc->dst_cr = (rwc->dst_cr + increment) & 0x3FF;
    else
        rwc->dst = (rwc->dst + increment) & 0x3FF;
}

static void test_modifiers(void **state)
{
    struct bare *bare = *state;
    bare_seed();
    for (unsigned round = 0; round < 8 * ROUNDS; round++) {
        unsigned thread = bare_random() % 3, modifier = bare_random() % 8;
        bool fidelity = bare_random() & 1;
        uint16_t *config = bare->tile.tensix->config->thread[thread];
        for (unsigned i = 12; i <= 55; i++)
            config[i] = (uint16_t)bare_random();
        random_rwcs(bare);
        struct tf_rwc *rwc = &rwc_expected[thread];
        bare->tile.tensix->rwc[thread].extra = rwc->extra = bare_random() & 1;
        unsigned index = modifier | (rwc->extra ? 4 : 0);
        /* ADDR_MOD_AB_SEC0 is word 12, ADDR_MOD_DST_SEC0 word 28, ADDR_MOD_BIAS_SEC0 word 47. */
        uint32_t ab = config[12 + index], dst = config[28 + index], bias = config[47 + index];
        modify_src(&rwc->srca, &rwc->srca_cr, ab);
        modify_src(&rwc->srcb, &rwc->srcb_cr, ab >> 8);
        modify_dst(rwc, dst);
        if (fidelity)
            rwc->fidelity = dst >> 15 ? 0 : (rwc->fidelity + (dst >> 13 & 3)) & 3;
        if (bias >> 4 & 1)
            rwc->extra = 0;
        else if (bias & 3)
            rwc->extra ^= 1;
        tf_rwc_modify(&bare->tile, thread, modifier, fidelity);
        compare_rwcs(bare);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_setadc, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_setadcxx, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_pairs, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_reg2flop, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_setrwc, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_incrwc, bare_setup, bare_teardown),
        cmocka_unit_test_setup_teardown(test_modifiers, bare_setup, bare_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
