/* SPDX-License-Identifier: Apache-2.0 */
/* The hash sees every piece of state, and nothing of how it is held. */
#include "fixture.h"
#include "tile/mmio/mailbox.h"
#include "tile/mmio/pcbuf.h"
#include "tile/mmio/pic.h"
#include "tile/state.h"
#include "addresses.h"

struct step {
    unsigned from;
    uint32_t address, value;
};

/* Stores that change something each time. */
static const struct step steps[] = {
    {TF_CORE_B, TF_MAILBOX_OF(1), 1},         /* mailbox B to T0 */
    {TF_CORE_T2, TF_MAILBOX_BASE, 1},         /* mailbox T2 to B */
    {TF_CORE_B, TF_PC_BUF_OF(1), 7},          /* PCBuf 1 */
    {NOC, PIC_AT(BRISC_SW_INT_EN), 1},        /* BRISC_SW_INT_EN */
    {NOC, PIC_AT(NCRISC_HW_INT_EN), 1},       /* NCRISC_HW_INT_EN */
    {NOC, PIC_AT(SW_INT), 5},                 /* SW_INT[0] */
    {NOC, PIC_AT(SW_INT_PC), 0x100},          /* SW_INT_PC[0] */
    {NOC, PIC_AT(HW_INT_PC) + 4 * 3, 0x100},  /* HW_INT_PC[3] */
    {NOC, SOFT_RESET_0, 1},                   /* unpackers */
    {NOC, DEBUG_AT(TRISC0_RESET_PC), 0x6660}, /* TRISC0_RESET_PC */
    {NOC, DEBUG_AT(CG_KICK), 1},              /* the last word */
    {NOC, DEBUG_AT(PC_BUF_OVERRIDE), 1},      /* PCBuf override */
    {NOC, DEBUG_AT(RISC_CNTL_1), 3},          /* RISC_DBG_CNTL_1 */
    {NOC, DEBUG_AT(RISC_CNTL_0), 0x80010003}, /* DR(3) of B */
    {NOC, DEBUG_AT(WATCHDOG), 44},            /* watchdog */
    {NOC, DEBUG_AT(TIMESTAMP_CNTL), 1},       /* timestamper */
    {NOC, DEBUG_AT(TIMESTAMP_END), 9},
    {NOC, DEBUG_AT(TIMESTAMP), 1}, /* a pending event */
    {NOC, TF_STREAM_BASE + 63 * 0x1000 + 8 * 4, 1},
    {NOC, TF_STREAM_BASE + 63 * 0x1000 + 10 * 4, 1},
    {NOC, TF_STREAM_BASE + 63 * 0x1000 + 31 * 4, 1},
    {NOC, TF_STREAM_BASE + 63 * 0x1000 + 4 * 4, 1},
    {NOC, TF_STREAM_BASE + 1 * 0x1000 + 270 * 4, 64 | 5},
    {NOC, TF_STREAM_BASE + 1 * 0x1000 + 207 * 4, 3},
};

static void every_store_shows(void **state)
{
    struct fixture *fixture = *state;
    uint64_t seen[1 + sizeof steps / sizeof steps[0]];
    unsigned count = 0;
    seen[count++] = hash_of(fixture);
    for (unsigned i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        store(fixture, steps[i].from, steps[i].address, steps[i].value);
        uint64_t hash = hash_of(fixture);
        for (unsigned k = 0; k < count; k++)
            if (hash == seen[k])
                fail_msg("store %u to 0x%08X does not show", i, steps[i].address);
        seen[count++] = hash;
    }
}

/* Each value that waits shows, the oldest and the newest of a full queue too, and so does their order. */
static void every_entry_of_a_pcbuf_shows(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned waiting = 1; waiting <= 16; waiting++)
        for (unsigned changed = 0; changed < waiting; changed++) {
            struct fixture *other = fixture_create();
            tf_pcbuf_discard(&fixture->tile, 2);
            for (unsigned i = 0; i < waiting; i++) {
                store(fixture, TF_CORE_B, TF_PC_BUF_OF(2), 100 + i);
                store(other, TF_CORE_B, TF_PC_BUF_OF(2), 100 + i + (i == changed));
            }
            if (hash_of(fixture) == hash_of(other))
                fail_msg("of %u values in PCBuf 2, value %u does not show", waiting, changed);
            fixture_destroy(other);
        }
}

/* Values that have been taken out of a PCBuf are no state. */
static void values_that_were_taken_do_not_show(void **state)
{
    struct fixture *fixture = *state;
    uint64_t hash[2];
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < TF_PCBUF_ENTRIES; k++)
            store(fixture, TF_CORE_B, TF_PC_BUF_OF(1), 7 + i);
        for (unsigned k = 0; k < TF_PCBUF_ENTRIES; k++)
            assert_int_equal(load(fixture, TF_CORE_T1, TF_PC_BUF_BASE), 7 + i);
        hash[i] = hash_of(fixture);
    }
    assert_true(hash[0] == hash[1]);
}

/* So does each value in a mailbox, and what has stopped each core. */
static void mailboxes_and_stops_show(void **state)
{
    struct fixture *fixture = *state;
    uint64_t before = hash_of(fixture);
    for (unsigned waiting = 1; waiting <= 4; waiting++) {
        store(fixture, TF_CORE_T1, TF_MAILBOX_OF(1), 100 + waiting);
        for (unsigned changed = 1; changed <= waiting; changed++) {
            struct fixture *other = fixture_create();
            for (unsigned i = 1; i <= waiting; i++)
                store(other, TF_CORE_T1, TF_MAILBOX_OF(1), 100 + i + (i == changed));
            assert_int_not_equal(hash_of(fixture), hash_of(other));
            fixture_destroy(other);
        }
    }
    tf_mailbox_discard(&fixture->tile, TF_CORE_T1);
    assert_int_equal(hash_of(fixture), before);
    for (unsigned which = 0; which < TF_DEBUG_CORES; which++) {
        struct tf_debug *debug = &fixture->tile.mmio.debug;
        debug->stop[which].cause = 1;
        assert_int_not_equal(hash_of(fixture), before);
        debug->stop[which].cause = 0;
        debug->stop[which].step = true;
        assert_int_not_equal(hash_of(fixture), before);
        debug->stop[which].step = false;
        debug->stop[which].half_stepped = true;
        assert_int_not_equal(hash_of(fixture), before);
        debug->stop[which].half_stepped = false;
    }
}

static void clock_latch_and_claims_show(void **state)
{
    struct fixture *fixture = *state;
    uint64_t before = hash_of(fixture);
    fixture->tile.cycle = 1ull << 40;
    assert_int_equal(hash_of(fixture), before);
    (void)load(fixture, NOC, DEBUG_AT(CLOCK_L));
    assert_int_not_equal(hash_of(fixture), before);
    before = hash_of(fixture);
    tf_mmio_interrupt_taken(&fixture->tile, TF_CORE_NC, 4);
    assert_int_not_equal(hash_of(fixture), before);
}

static void equal_state_has_equal_hash(void **state)
{
    struct fixture *fixture = *state;
    struct fixture *other = fixture_create();
    /* A queue that went round, a page that is made and empty, and a reason kept for the NOC are no state. */
    store(fixture, TF_CORE_B, TF_MAILBOX_OF(1), 1);
    assert_int_equal(load(fixture, TF_CORE_T0, TF_MAILBOX_BASE), 1);
    store(fixture, TF_CORE_B, TF_PC_BUF_BASE, 1);
    assert_int_equal(load(fixture, TF_CORE_T0, TF_PC_BUF_BASE), 1);
    store(fixture, NOC, STREAM_AT(0, 4), 1);
    store(fixture, NOC, STREAM_AT(0, 4), 0);
    assert_non_null(fixture->tile.mmio.stream[0].page);
    load_faults(fixture, NOC, TF_MAILBOX_BASE, 4, TF_FAULT_UNDEFINED, "mailboxes");
    assert_int_equal(hash_of(fixture), hash_of(other));
    store(fixture, TF_CORE_B, TF_MAILBOX_OF(1), 3);
    store(other, TF_CORE_B, TF_MAILBOX_OF(1), 3);
    assert_int_equal(hash_of(fixture), hash_of(other));
    fixture_destroy(other);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(every_store_shows),        TEST(every_entry_of_a_pcbuf_shows), TEST(values_that_were_taken_do_not_show),
        TEST(mailboxes_and_stops_show), TEST(clock_latch_and_claims_show),  TEST(equal_state_has_equal_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
