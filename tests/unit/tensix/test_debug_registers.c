/* SPDX-License-Identifier: Apache-2.0 */
/* The debug registers of the coprocessor: bits where ttsim v1.10, or else tt-exalens, has them on Blackhole. */
#include "unless_hostile.h"
#include "tile/tensix/data/adc.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/debug/debug.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/vector/vector.h"
#include "unit/tensix/units.h"
#include "tilefarm_address.h"

/* `width` bits from bit `first` of a signal. */
static uint32_t bits(struct bare *bare, unsigned daisy, unsigned signal, unsigned first, unsigned width)
{
    uint32_t low = 0, high = 0;
    assert_true(tf_tensix_signal(&bare->tile, daisy, signal, first / 32, &low));
    if (first % 32 + width > 32)
        assert_true(tf_tensix_signal(&bare->tile, daisy, signal + (first >= 96), (first / 32 + 1) % 4, &high));
    return (uint32_t)(((uint64_t)high << 32 | low) >> first % 32) & ((1u << width) - 1);
}

static void set_row_counters(struct bare *bare)
{
    for (unsigned thread = 0; thread < 3; thread++)
        bare->tile.tensix->rwc[thread] = (struct tf_rwc){
            .srca = (uint8_t)(0x21 + thread),
            .srca_cr = (uint8_t)(0x11 + thread),
            .srcb = (uint8_t)(0x31 + thread),
            .srcb_cr = (uint8_t)(0x0A + thread),
            .dst = (uint16_t)(0x2A1 + thread),
            .dst_cr = (uint16_t)(0x151 + thread),
            .fidelity = (uint8_t)(3 - thread),
        };
}

static void row_counters(void **state)
{
    struct bare *bare = *state;
    set_row_counters(bare);
    for (unsigned thread = 0; thread < 3; thread++) {
        assert_int_equal(bits(bare, 3, 2, 16 * thread, 8), 0x21 + thread);
        assert_int_equal(bits(bare, 3, 2, 16 * thread + 8, 8), 0x11 + thread);
        assert_int_equal(bits(bare, 3, 2, 16 * thread + 60, 8), 0x31 + thread);
        assert_int_equal(bits(bare, 3, 2, 16 * thread + 68, 8), 0x0A + thread);
        assert_int_equal(bits(bare, 3, 4, 60 + 2 * thread, 2), 3 - thread);
    }
    /* A signal continues in the next one when it has no room. */
    assert_int_equal(bits(bare, 3, 2, 120, 10), 0x2A1);
    assert_int_equal(bits(bare, 3, 3, 2, 10), 0x151);
    assert_int_equal(bits(bare, 3, 3, 12, 10), 0x2A2);
    assert_int_equal(bits(bare, 3, 3, 42, 10), 0x153);
}

static void address_counters(void **state)
{
    struct bare *bare = *state;
    struct tf_adcs *adcs = bare->tile.tensix->adcs;
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
    assert_true(tf_tensix_debug_array(&bare->tile, 0x20000, &value));
    assert_int_equal(value, 0);
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    for (unsigned column = 0; column < 16; column++)
        dst->bits[0x3A5][column] = (uint16_t)(0x1111 * column);
    for (unsigned pair = 0; pair < 8; pair++) {
        assert_true(tf_tensix_debug_array(&bare->tile, 0x203A5 | pair << 12, &value));
        assert_int_equal(value, 0x1111 * 2 * pair | 0x1111 * (2 * pair + 1) << 16);
    }
}

static void waits_for(struct bare *bare, unsigned core, uint32_t address, bool store)
{
    bare->tile.hart[core].state = address != 0 ? TF_CORE_BLOCKED : TF_CORE_RUNNING;
    bare->tile.hart[core].wait_address = address;
    bare->tile.hart[core].wait_store = store;
}

static void mailboxes(void **state)
{
    struct bare *bare = *state;
    static const uint8_t signal[] = {1, 18, 20, 22}, first[] = {115, 106, 106, 106};
    static const uint8_t core[] = {TF_CORE_B, TF_CORE_T0, TF_CORE_T1, TF_CORE_T2};
    for (unsigned reader = 0; reader < 4; reader++)
        for (unsigned writer = 0; writer < 4; writer++) {
            waits_for(bare, core[reader], TF_MAILBOX_BASE + writer * 0x1000, false);
            for (unsigned i = 0; i < 4; i++)
                assert_int_equal(bits(bare, 7, signal[i], first[i], 4), i == writer ? 15 ^ 1u << reader : 15);
            waits_for(bare, core[reader], TF_MAILBOX_BASE + writer * 0x1000, true);
            assert_int_equal(bits(bare, 7, signal[writer], first[writer], 4), 15);
            waits_for(bare, core[reader], 0, false);
        }
}

/* Groups C and D of T1. */
static void pcbufs(void **state)
{
    struct bare *bare = *state;
    struct tf_pcbuf *buffer = &bare->tile.mmio.pcbuf[1];
    assert_int_equal(bits(bare, 7, 20, 119, 9), 0);
    assert_int_equal(bits(bare, 7, 21, 0, 25), 1 << 23);
    buffer->head = 3;
    buffer->count = 1;
    buffer->entry[3] = 0xABCDEF12;
    assert_int_equal(bits(bare, 7, 20, 119, 9), 0x112);
    assert_int_equal(bits(bare, 7, 21, 0, 25), 0xABCDEF12 >> 9);
    buffer->count = TF_PCBUF_ENTRIES;
    assert_int_equal(bits(bare, 7, 21, 23, 2), 2);
    assert_int_equal(bits(bare, 7, 19, 23, 2), 1);
    waits_for(bare, TF_CORE_T1, TF_PC_BUF_BASE, false);
    assert_int_equal(bits(bare, 7, 21, 28, 4), 8);
    waits_for(bare, TF_CORE_T1, TF_DONE_CHECK, false);
    assert_int_equal(bits(bare, 7, 21, 28, 4), 4);
    waits_for(bare, TF_CORE_T1, TF_SEMAPHORE_BASE, false); /* a semaphore */
    assert_int_equal(bits(bare, 7, 21, 28, 4), 0);
    waits_for(bare, TF_CORE_B, TF_PC_BUF_OF(1), false);
    assert_int_equal(bits(bare, 7, 21, 28, 4), 1);
    assert_int_equal(bits(bare, 7, 19, 28, 4), 0);
}

/* Group D of T2, and its frontend: a word that waits in the first FIFO, then at the gate. */
static void frontends(void **state)
{
    SKIP_WHEN_HOSTILE("a FIFO holds less");
    struct bare *bare = *state;
    const uint32_t word = W(SEMWAIT) | V(SEMWAIT, wait_sem_cond, 1) | V(SEMWAIT, sem_sel, 1 << 2) |
                          V(SEMWAIT, stall_res, 0x1FF);
    assert_int_equal(bits(bare, 7, 23, 25, 2), 0);
    assert_int_equal(bits(bare, 7, 23, 118, 9), 1 << 8);
    assert_int_equal(bits(bare, 1, 4, 73, 4), 8 | 1);
    bare_push(bare, 2, word);
    bare->tile.cycle++;
    assert_int_equal(bits(bare, 7, 23, 26, 1), 1);
    assert_int_equal(bits(bare, 7, 23, 86, 31), word & INT32_MAX);
    assert_int_equal(bits(bare, 7, 23, 118, 9), 1);
    bare_push(bare, 2, W(SFPNOP));
    bare_run(bare, 10); /* the semaphore is 0: SFPNOP stays at the gate */
    assert_int_equal(bits(bare, 7, 23, 118, 9), 1 << 8);
    assert_int_equal(bits(bare, 1, 4, 73, 1), 0);
    assert_int_equal(bits(bare, 1, 4, 40, 31), W(SFPNOP) & INT32_MAX);
    assert_int_equal(bits(bare, 1, 12, 73, 1), 1);
    for (unsigned i = 0; i < 29; i++)
        bare_push(bare, 2, W(SFPNOP));
    assert_int_equal(bits(bare, 7, 23, 125, 2), 1);
}

/* Bit 25 shows that a MOP is under way. No bits show how it began, so words 2 and 3 are not known. */
static void expansions(void **state)
{
    struct bare *bare = *state;
    uint32_t value;
    bare->tile.tensix->thread[0].mop.remaining = TF_MID_ENTRIES + 1;
    assert_int_equal(bits(bare, 7, 19, 25, 1), 1);
    assert_false(tf_tensix_signal(&bare->tile, 7, 19, 2, &value));
    assert_false(tf_tensix_signal(&bare->tile, 7, 19, 3, &value));
    assert_true(tf_tensix_signal(&bare->tile, 7, 21, 3, &value));
    assert_int_equal(bits(bare, 1, 12, 73, 4), 8 | 1);
    bare->tile.tensix->thread[0].mid.count = TF_MID_ENTRIES;
    assert_int_equal(bits(bare, 1, 12, 73, 4), 4 | 1);
}

static void lanes(void **state)
{
    struct bare *bare = *state;
    assert_int_equal(bits(bare, 7, 28, 0, 31), INT32_MAX);
    struct tf_vector *vector = tf_sfpu_get(&bare->tile);
    vector->lane.use = UINT32_MAX;
    for (unsigned lane = 0; lane < 32; lane++) {
        uint32_t shown;
        vector->lane.flags = 1u << lane;
        assert_true(tf_tensix_signal(&bare->tile, 7, 28, 0, &shown));
        assert_int_equal(shown, 1u << (lane % 8 * 4 + lane / 8));
    }
}

static void nothing_known(void **state)
{
    struct bare *bare = *state;
    uint32_t value;
    assert_false(tf_tensix_signal(&bare->tile, 6, 6, 0, &value));
    assert_false(tf_tensix_signal(&bare->tile, 3, 5, 0, &value));
    assert_false(tf_tensix_signal(&bare->tile, 4, 9, 0, &value));
    assert_false(tf_tensix_debug_array(&bare->tile, 0x00000, &value)); /* SrcA */
    assert_false(tf_tensix_debug_array(&bare->tile, 0x10000, &value)); /* SrcB */
    assert_false(tf_tensix_debug_array(&bare->tile, 0xA0000, &value));
    assert_false(tf_tensix_debug_array(&bare->tile, 0x20400, &value));
    assert_false(tf_tensix_debug_array(&bare->tile, 0x28000, &value));
}

/* DebugDaisychain.md of WormholeB0, "RWCs". */
static void wormhole_row_counters(void **state)
{
    struct bare *bare = *state;
    set_row_counters(bare);
    for (unsigned thread = 0; thread < 3; thread++) {
        unsigned signal = thread == 0 ? 2 : 3, dst = thread == 0 ? 96 : 32 * (thread - 1);
        assert_int_equal(bits(bare, 3, 2, 16 * thread, 8), 0x21 + thread);
        assert_int_equal(bits(bare, 3, 2, 16 * thread + 8, 8), 0x11 + thread);
        assert_int_equal(bits(bare, 3, 2, 48 + 16 * thread, 8), 0x31 + thread);
        assert_int_equal(bits(bare, 3, 2, 56 + 16 * thread, 8), 0x0A + thread);
        assert_int_equal(bits(bare, 3, signal, dst, 16), 0x2A1 + thread);
        assert_int_equal(bits(bare, 3, signal, dst + 16, 16), 0x151 + thread);
        assert_int_equal(bits(bare, 3, 4, 58 + 2 * thread, 2), 3 - thread);
    }
}

/* "SrcA and SrcB access control". */
static void wormhole_banks(void **state)
{
    struct bare *bare = *state;
    assert_int_equal(bits(bare, 6, 9, 84, 11), 1);
    assert_int_equal(bits(bare, 6, 9, 100, 11), 1);
    execute(bare, 0, W(SETDVALID) | V(SETDVALID, setvalid, 2)); /* SrcB's first bank is the matrix unit's */
    assert_int_equal(bits(bare, 6, 9, 84, 11), 1);
    assert_int_equal(bits(bare, 6, 9, 100, 11), 1 << 10 | 1 << 7 | 3);
    execute(bare, 0, W(SETDVALID) | V(SETDVALID, setvalid, 2));
    execute(bare, 0, W(CLEARDVALID) | V(CLEARDVALID, cleardvalid, 2));
    assert_int_equal(bits(bare, 6, 9, 100, 11) & ~(1u << 9), 1 << 8 | 1 << 6 | 3); /* bit 9 is reserved */
}

/* "Tensix Frontend", "Self-test", "L1 access ports". */
static void wormhole_frontends(void **state)
{
    struct bare *bare = *state;
    const uint32_t word = W(SEMWAIT) | V(SEMWAIT, wait_sem_cond, 1) | V(SEMWAIT, sem_sel, 1 << 2) |
                          V(SEMWAIT, stall_res, 0x1FF);
    uint32_t value = 0;
    assert_int_equal(bits(bare, 1, 4, 87, 4), 8 | 1);
    bare_push(bare, 2, word);
    bare_run(bare, 10);
    bare_push(bare, 2, W(SFPNOP));
    bare_run(bare, 10); /* the semaphore is 0: SFPNOP stays at the gate */
    assert_int_equal(bits(bare, 1, 4, 87, 1), 0);
    assert_int_equal(bits(bare, 1, 4, 55, 31), W(SFPNOP) & INT32_MAX);
    assert_int_equal(bits(bare, 1, 12, 87, 1), 1);
    assert_int_equal(bits(bare, 8, 255, 0, 31), 8);
    assert_int_equal(bits(bare, 8, 255, 32, 31), 0x25A5A5A5);
    assert_int_equal(bits(bare, 8, 255, 64, 31), 0x5A5A5A5A);
    assert_int_equal(bits(bare, 8, 5, 64, 31), 0);
    assert_false(tf_tensix_signal(&bare->tile, 9, 255, 0, &value));
    assert_false(tf_tensix_signal(&bare->tile, 8, 4, 0, &value));
}

/* A row without a value reads as zero (ttsim). */
static void wormhole_words_of_dst(void **state)
{
    struct bare *bare = *state;
    uint32_t value = 1;
    struct tf_dst *dst = tf_dst_get(&bare->tile);
    dst->bits[7][2] = 0x1234;
    dst->bits[7][3] = 0x5678;
    tf_dst_define(dst, 7);
    assert_true(tf_tensix_debug_array(&bare->tile, 0x20007 | 1 << 12, &value));
    assert_int_equal(value, 0x56781234);
    tf_dst_undefine(dst, 7);
    assert_true(tf_tensix_debug_array(&bare->tile, 0x20007 | 1 << 12, &value));
    assert_int_equal(value, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, bare_setup, bare_teardown)
#define WORMHOLE(name) cmocka_unit_test_setup_teardown(name, bare_setup_wormhole, bare_teardown)
    const struct CMUnitTest tests[] = {
        TEST(row_counters),
        TEST(address_counters),
        TEST(banks),
        TEST(words_of_dst),
        TEST(mailboxes),
        TEST(pcbufs),
        TEST(frontends),
        TEST(expansions),
        TEST(lanes),
        TEST(nothing_known),
        WORMHOLE(address_counters),
        WORMHOLE(mailboxes),
        WORMHOLE(pcbufs),
        WORMHOLE(lanes),
        WORMHOLE(wormhole_row_counters),
        WORMHOLE(wormhole_banks),
        WORMHOLE(wormhole_frontends),
        WORMHOLE(wormhole_words_of_dst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
