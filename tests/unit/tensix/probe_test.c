/* SPDX-License-Identifier: Apache-2.0 */
/* What debug registers show of the coprocessor: bits where ttsim v1.10 has them on Blackhole. */
#include "unit/tensix/units.h"

#include "tile/tensix/probe.h"

/* `width` bits from bit `first` of a signal. */
static uint32_t bits(struct bare *bare, unsigned daisy, unsigned signal, unsigned first, unsigned width)
{
    uint32_t low = 0, high = 0;
    assert_true(tf_tensix_probe(&bare->tile, daisy, signal, first / 32, &low));
    if (first % 32 + width > 32)
        assert_true(tf_tensix_probe(&bare->tile, daisy, signal + (first >= 96), (first / 32 + 1) % 4, &high));
    return (uint32_t)(((uint64_t)high << 32 | low) >> first % 32) & ((1u << width) - 1);
}

static void row_counters(void **state)
{
    struct bare *bare = *state;
    for (unsigned thread = 0; thread < 3; thread++)
        bare->tile.tensix->rwc[thread] = (struct tf_rwc){
            .srca = (uint8_t)(0x21 + thread), .srca_cr = (uint8_t)(0x11 + thread), .srcb = (uint8_t)(0x31 + thread),
            .srcb_cr = (uint8_t)(0x0A + thread), .dst = (uint16_t)(0x2A1 + thread),
            .dst_cr = (uint16_t)(0x151 + thread), .fidelity = (uint8_t)(3 - thread),
        };
    for (unsigned thread = 0; thread < 3; thread++) {
        assert_int_equal(bits(bare, 3, 2, 16 * thread, 8), 0x21 + thread);
        assert_int_equal(bits(bare, 3, 2, 16 * thread + 8, 8), 0x11 + thread);
        assert_int_equal(bits(bare, 3, 2, 16 * thread + 60, 8), 0x31 + thread);
        assert_int_equal(bits(bare, 3, 2, 16 * thread + 68, 8), 0x0A + thread);
        assert_int_equal(bits(bare, 3, 4, 60 + 2 * thread, 2), 3 - thread);
    }
    /* The signal after it goes on with what has no room. */
    assert_int_equal(bits(bare, 3, 2, 120, 10), 0x2A1);
    assert_int_equal(bits(bare, 3, 3, 2, 10), 0x151);
    assert_int_equal(bits(bare, 3, 3, 12, 10), 0x2A2);
    assert_int_equal(bits(bare, 3, 3, 42, 10), 0x153);
}

static void address_counters(void **state)
{
    struct bare *bare = *state;
    struct tf_adcs *adcs = &bare->tile.tensix->adcs;
    static const unsigned at[2][TF_ADC_DIMENSIONS] = {{0, 64, 96, 112}, {18, 80, 104, 120}};
    for (unsigned user = 0; user < TF_ADC_USERS; user++) {
        unsigned thread = user == TF_ADC_PACKERS ? 2 : 0;
        for (unsigned channel = 0; channel < 2; channel++) {
            struct tf_adc_channel *counters = &adcs->of[thread][user].channel[channel];
            for (unsigned i = 0; i < TF_ADC_DIMENSIONS; i++) {
                tf_adc_set_value(counters, i, 0x10 * user + 8 * channel + i + 1);
                tf_adc_set_cr(counters, i, 0x80 + 0x10 * user + 8 * channel + i);
                assert_int_equal(bits(bare, 6, 2 * user + channel, at[0][i], 8), counters->value[i]);
                assert_int_equal(bits(bare, 6, 2 * user + channel, at[1][i], 8), counters->cr[i]);
            }
        }
    }
}

static void banks(void **state)
{
    struct bare *bare = *state;
    assert_int_equal(bits(bare, 6, 9, 84, 11), 1);
    execute(bare, 0, W(SETDVALID) | V(SETDVALID, setvalid, 3));
    assert_int_equal(bits(bare, 6, 9, 84, 11), 1 << 10 | 1 << 7 | 3);
    assert_int_equal(bits(bare, 6, 9, 100, 7), 1 << 5 | 1 << 2);
    execute(bare, 0, W(CLEARDVALID) | V(CLEARDVALID, cleardvalid, 3));
    assert_int_equal(bits(bare, 6, 9, 84, 11), 1 << 10 | 3 << 8 | 1);
    assert_int_equal(bits(bare, 6, 9, 100, 7), 7);
}

static void words_of_dst(void **state)
{
    struct bare *bare = *state;
    uint32_t value = 1;
    assert_true(tf_tensix_array(&bare->tile, 0x20000, &value));
    assert_int_equal(value, 0);
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    for (unsigned column = 0; column < 16; column++)
        dst->bits[0x3A5][column] = (uint16_t)(0x1111 * column);
    for (unsigned pair = 0; pair < 8; pair++) {
        assert_true(tf_tensix_array(&bare->tile, 0x203A5 | pair << 12, &value));
        assert_int_equal(value, 0x1111 * 2 * pair | 0x1111 * (2 * pair + 1) << 16);
    }
}

static void nothing_known(void **state)
{
    struct bare *bare = *state;
    uint32_t value;
    assert_false(tf_tensix_probe(&bare->tile, 6, 6, 0, &value));
    assert_false(tf_tensix_probe(&bare->tile, 3, 5, 0, &value));
    assert_false(tf_tensix_probe(&bare->tile, 4, 9, 0, &value));
    assert_false(tf_tensix_array(&bare->tile, 0x00000, &value)); /* SrcA */
    assert_false(tf_tensix_array(&bare->tile, 0x10000, &value)); /* SrcB */
    assert_false(tf_tensix_array(&bare->tile, 0xA0000, &value));
    assert_false(tf_tensix_array(&bare->tile, 0x20400, &value));
    assert_false(tf_tensix_array(&bare->tile, 0x28000, &value));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
    const struct CMUnitTest tests[] = {
        TEST(row_counters), TEST(address_counters), TEST(banks), TEST(words_of_dst), TEST(nothing_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
