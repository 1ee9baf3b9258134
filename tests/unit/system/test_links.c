/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links by the statements of EthernetTxRx.md, of both families: the host stores to the queues of one end, and looks at
 * the other. docs/systems.md lists which statement is tested where.
 */
#include "links.h"

#include <stdlib.h>

#include "tilefarm_address.h"

/* ---- Raw mode ---- */

static void buffer(struct link *link, unsigned queue, uint32_t start, uint32_t bytes, uint32_t control)
{
    poke(link, FAR, rxq(link, queue, RX_START), start >> 4);
    poke(link, FAR, rxq(link, queue, RX_SIZE), bytes >> 4);
    poke(link, FAR, rxq(link, queue, RX_CONTROL), control);
}

/* "The RX queue will append the bodies of incoming packets to that buffer, in order of arrival." */
static void test_raw_packets_are_appended(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = link_make(systems[family]);
        buffer(link, 1, 0x8000, 256, 0);
        fill(link, NEAR, 0x4000, 256, 1);
        send_raw(link, 1, 0x4000, 33);
        settle(link);
        send_raw(link, 1, 0x4021, 67);
        settle(link);
        assert_same(link, 0x4000, 0x8000, 100);
        assert_int_equal(peek(link, FAR, 0x8000 + 100), 0);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_POINTER)), 100);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_ENDED)), 2);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_DROPPED)), 0);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_OUTSTANDING)), 0);
        /* "This includes both packet headers and bodies": 47 and 81 bytes, in lines of 16, and of 96. */
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_LINES)), family == WORMHOLE ? 3 + 6 : 1 + 1);
        if (family == BLACKHOLE) {
            assert_int_equal(peek(link, FAR, rxq(link, 1, RX_STARTED)), 2);
            assert_int_equal(peek(link, FAR, rxq(link, 1, RX_BYTES)), 100);
        }
        link_free(link);
    }
}

/* "Hardware will instead drop incoming data once ETH_RXQ_BUF_PTR == ETH_RXQ_BUF_SIZE_WORDS << 4." */
static void test_a_full_buffer_drops(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = link_make(systems[family]);
        buffer(link, 1, 0x8000, 64, 0);
        fill(link, NEAR, 0x4000, 256, 2);
        send_raw(link, 1, 0x4000, 48);
        send_raw(link, 1, 0x4030, 48);
        send_raw(link, 1, 0x4060, 48);
        settle(link);
        assert_same(link, 0x4000, 0x8000, 64);
        assert_int_equal(peek(link, FAR, 0x8040), 0);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_POINTER)), 64);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_DROPPED)), 2);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_ENDED)), 3);
        link_free(link);
    }
}

/* "Remainder written to the start of the buffer, and ETH_RXQ_BUF_PTR set to the number of bytes written there." */
static void test_a_buffer_wraps(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = link_make(systems[family]);
        buffer(link, 1, 0x8000, 64, RX_WRAP);
        fill(link, NEAR, 0x4000, 256, 3);
        send_raw(link, 1, 0x4000, 48);
        send_raw(link, 1, 0x4030, 48);
        settle(link);
        assert_same(link, 0x4040, 0x8000, 32);
        assert_same(link, 0x4020, 0x8020, 32);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_POINTER)), 32);
        send_raw(link, 1, 0x4000, 32);
        settle(link);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_POINTER)), 0);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_DROPPED)), 0);
        link_free(link);
    }
}

/* ETH_RXQ_HDR_CTRL: "The number of bytes to strip from the start of incoming frames." */
static void test_headers_are_stripped_as_told(void **state)
{
    (void)state;
    struct link *link = link_make("p300");
    static const uint8_t head[14] = {0x01, 0, 0, 0, 0, 0x01, 0x16, 0x15, 0x14, 0x13, 0x12, 0x11, 0x00, 0x20};
    uint8_t got[14];
    assert_int_equal(peek(link, FAR, rxq(link, 1, 0x18)), 14);
    poke(link, FAR, rxq(link, 1, 0x18), 0);
    poke(link, NEAR, TF_ETH_LINK_BASE + 0x8290,
         0x13121110 + 0x01010101); /* MAC_SA of header 1, in reverse byte order */
    poke(link, NEAR, TF_ETH_LINK_BASE + 0x8294, 0x1615);
    buffer(link, 1, 0x8000, 256, 0);
    fill(link, NEAR, 0x4000, 32, 4);
    send_raw(link, 1, 0x4000, 32);
    settle(link);
    read_far(link, 0x8000, got, sizeof got);
    assert_memory_equal(got, head, sizeof head);
    assert_same(link, 0x4000, 0x800E, 32);
    link_free(link);
}

/* ETH_RXQ_CTRL_PACKET_MODE: "all received packets will be appended" if it is clear; raw packets are dropped if it is
   set. */
static void test_packets_of_the_other_mode(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = link_make(systems[family]);
        fill(link, NEAR, 0x4000, 64, 5);
        poke(link, FAR, rxq(link, 0, RX_CONTROL), RX_PACKET_MODE);
        send_raw(link, 0, 0x4000, 64);
        settle(link);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_DROPPED)), 1);
        buffer(link, 0, 0x8000, 256, 0);
        poke(link, NEAR, txq(0, TX_CONTROL), 0x8);
        send_l1(link, 0, 0x4000, 0x6000, 64);
        step(link, 20000);
        assert_int_equal(peek(link, FAR, 0x6000), 0);
        assert_same(link, 0x4000, 0x8000 + 18, 64);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_POINTER)), 18 + 64);
        link_free(link);
    }
}

/* ---- TT-link mode ---- */

/* "When ETH_TXQ_TRANSFER_SIZE_BYTES exceeds this value, the TX queue will automatically split outgoing packets." */
static void test_long_writes_are_split(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = link_make(systems[family]);
        poke(link, NEAR, txq(0, TX_MAX), 100); /* 96: a payload is a multiple of 16 */
        fill(link, NEAR, 0x4000, 256, 6);
        send_l1(link, 0, 0x4000, 0x8000, 256);
        settle(link);
        assert_same(link, 0x4000, 0x8000, 256);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_ENDED)), 3);
        assert_int_equal(peek(link, NEAR, txq(0, TX_ENDED)), 3);
        assert_int_equal(peek(link, NEAR, txq(0, TX_TRANSFERS)), 1);
        /* 14 bytes of Ethernet, 18 of TT-link, and 96, 96, 64 */
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_LINES)), family == WORMHOLE ? 8 + 8 + 6 : 2 + 2 + 1);
        poke(link, FAR, rxq(link, 1, RX_START), 0x900);
        poke(link, FAR, rxq(link, 1, RX_SIZE), 0x40);
        poke(link, FAR, rxq(link, 1, RX_CONTROL), 0);
        poke(link, NEAR, txq(1, TX_MAX), 100);
        send_raw(link, 1, 0x4000, 250);
        settle(link);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_ENDED)), 3);
        assert_same(link, 0x4000, 0x9000, 250);
        link_free(link);
    }
}

/* Local and remote sequence numbers, and the way of an acknowledgement: with the next update of the other direction. */
static void test_sequence_numbers(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = link_make(systems[family]);
        fill(link, NEAR, 0x4000, 64, 7);
        for (unsigned i = 1; i <= 3; i++) {
            send_l1(link, 0, 0x4000, 0x8000, 64);
            step(link, 4000);
            assert_int_equal(peek(link, FAR, rxq(link, 0, RX_LOCAL)), i);
        }
        assert_int_equal(peek(link, NEAR, rxq(link, 0, RX_REMOTE)), 2); /* an update went after 8,000 cycles */
        step(link, 10000);
        assert_int_equal(peek(link, NEAR, rxq(link, 0, RX_REMOTE)), 3);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_LOCAL)), 3);
        send_l1(link, 0, 0x4000, 0x8000, 64);
        step(link, 2048);
        assert_int_equal(peek(link, NEAR, rxq(link, 0, RX_REMOTE)), 3);
        store_to(link, FAR, 0, TF_DEBUG_BASE + 0x18, 0); /* a packet of the other direction has the number, too */
        step(link, 3000);
        assert_int_equal(peek(link, NEAR, rxq(link, 0, RX_REMOTE)), 4);
        link_free(link);
    }
}

/* Counters show what has happened up to now. */
static void test_counters_count_in_time(void **state)
{
    (void)state;
    struct link *link = link_make_with("n300", 1024, 1); /* 8 cycles and a half for a byte */
    poke(link, NEAR, txq(0, TX_MAX), 160);
    send_l1(link, 0, 0x4000, 0x8000, 320);
    assert_int_equal(peek(link, NEAR, txq(0, TX_STARTED)), 1);
    assert_int_equal(peek(link, NEAR, txq(0, TX_ENDED)), 0);
    assert_int_equal(peek(link, NEAR, txq(0, TX_LINES)), 0);
    step(link, 1024);
    assert_int_equal(peek(link, NEAR, txq(0, TX_STARTED)), 1);
    assert_int_equal(peek(link, NEAR, txq(0, TX_ENDED)), 0);
    assert_in_range(peek(link, NEAR, txq(0, TX_LINES)), 4, 7);
    step(link, 1024); /* a packet takes (160 + 18 + 38) bytes: 1,728 cycles at 1 GHz */
    assert_int_equal(peek(link, NEAR, txq(0, TX_STARTED)), 2);
    assert_int_equal(peek(link, NEAR, txq(0, TX_ENDED)), 1);
    step(link, 4096);
    assert_int_equal(peek(link, NEAR, txq(0, TX_ENDED)), 2);
    assert_int_equal(peek(link, NEAR, txq(0, TX_LINES)), 20);
    assert_int_equal(peek(link, NEAR, txq(0, TX_TRANSFERS)), 1);
    link_free(link);
}

/* ETH_TXQ_CMD, raw: back to 0 "once it has finished reading the packet data from L1"; else once it "has latched the
   packet metadata". */
static void test_commands_end(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = link_make_with(systems[family], 1024, 1);
        const uint32_t busy = family == WORMHOLE ? txq(0, TX_COMMAND) : txq(0, TX_STATUS);
        const uint32_t mask = family == WORMHOLE ? ~0u : 1u << 16;
        poke(link, FAR, rxq(link, 0, RX_CONTROL), 0);
        send_raw(link, 0, 0x4000, 1024);
        assert_int_equal(peek(link, NEAR, busy) & mask, mask & (family == WORMHOLE ? 1 : mask));
        if (family == WORMHOLE)
            assert_int_equal(peek(link, NEAR, txq(0, TX_TRANSFERS)), 0);
        step(link, 2048);
        assert_int_not_equal(peek(link, NEAR, busy) & mask, 0);
        step(link, 16384);
        assert_int_equal(peek(link, NEAR, busy) & mask, 0);
        poke(link, FAR, rxq(link, 0, RX_CONTROL), RX_PACKET_MODE);
        send_l1(link, 0, 0x4000, 0x8000, 1024);
        step(link, 1024);
        assert_int_equal(peek(link, NEAR, busy) & mask, 0);
        link_free(link);
    }
}

/* ETH_RXQ_CTRL_FORCE_BPRESSURE: nothing is received while it is set; then all is, in order. */
static void test_back_pressure(void **state)
{
    (void)state;
    struct link *link = link_make("n300");
    fill(link, NEAR, 0x4000, 256, 8);
    poke(link, NEAR, txq(0, 0x48), 1000000);
    buffer(link, 1, 0x9000, 256, 0);
    poke(link, FAR, rxq(link, 0, RX_CONTROL), RX_PACKET_MODE | RX_BACK_PRESSURE);
    send_l1(link, 0, 0x4000, 0x8000, 64);
    send_raw(link, 1, 0x4000, 16);
    step(link, 2048);
    send_l1(link, 0, 0x4040, 0x8000, 64);
    step(link, 4096);
    assert_int_equal(peek(link, FAR, 0x8000), 0);
    assert_int_equal(peek(link, FAR, rxq(link, 0, RX_ENDED)), 0);
    assert_int_equal(peek(link, FAR, rxq(link, 1, RX_ENDED)), 0);
    poke(link, FAR, rxq(link, 0, RX_CONTROL), RX_PACKET_MODE);
    assert_same(link, 0x4040, 0x8000, 64); /* the second one is the last */
    assert_int_equal(peek(link, FAR, rxq(link, 0, RX_ENDED)), 2);
    assert_int_equal(peek(link, FAR, rxq(link, 1, RX_ENDED)), 1);
    settle(link);
    assert_int_equal(peek(link, FAR, rxq(link, 0, RX_DROPPED)), 0);
    link_free(link);
}

/* "Configure the Ethernet hardware to route incoming packets to RX queues based on MAC address." */
static void test_wormhole_addresses_choose_queues(void **state)
{
    (void)state;
    struct link *link = link_make("n300");
    fill(link, NEAR, 0x4000, 64, 9);
    buffer(link, 1, 0x9000, 256, 0);
    buffer(link, 0, 0xA000, 256, 0);
    poke(link, NEAR, txq(0, 0x54), 0xAA);
    send_raw(link, 0, 0x4000, 64);
    poke(link, NEAR, txq(1, 0x54), 0xAB);
    send_raw(link, 1, 0x4000, 32);
    settle(link);
    assert_int_equal(peek(link, FAR, rxq(link, 1, RX_POINTER)), 64);
    assert_int_equal(peek(link, FAR, rxq(link, 0, RX_POINTER)), 32);
    for (unsigned i = 0; i < 2; i++) { /* another first octet, and another second one */
        poke(link, NEAR, txq(0, 0x54), i == 0 ? 0xAC : 0x01AA);
        send_raw(link, 0, 0x4000, 64);
        settle(link);
    }
    assert_int_equal(peek(link, FAR, rxq(link, 0, RX_ENDED)), 1);
    assert_int_equal(peek(link, FAR, rxq(link, 1, RX_ENDED)), 1);
    link_free(link);
}

/* Two queues share the wire in the order of their commands. */
static void test_two_queues_share_the_wire(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = link_make_with(systems[family], 1024, 1);
        poke(link, NEAR, txq(0, TX_MAX), 0);
        fill(link, NEAR, 0x4000, 1024, 10);
        buffer(link, 1, 0x9000, 256, 0);
        send_l1(link, 0, 0x4000, 0x8000, 1024);
        send_raw(link, 1, 0x4000, 16);
        step(link, family == WORMHOLE ? 8700 : 11000); /* the first one has just been sent, and none has arrived */
        assert_int_equal(peek(link, NEAR, txq(1, TX_ENDED)), 0);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_ENDED)), 0);
        settle(link);
        assert_same(link, 0x4000, 0x8000, 1024);
        assert_int_equal(peek(link, FAR, rxq(link, 1, RX_POINTER)), 16);
        link_free(link);
    }
}

/* "It may need to read the packet data out of L1 several times if re-sends are required", which come after
   ETH_TXQ_REMOTE_SEQ_TIMEOUT. A packet that nobody takes is sent for ever. */
static void test_unanswered_packets_are_sent_again(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 2; family++) {
        struct link *link = link_make(systems[family]);
        fill(link, NEAR, 0x4000, 64, 11);
        poke(link, NEAR, txq(0, 0x48), 20000);
        poke(link, FAR, rxq(link, 0, RX_CONTROL), 0); /* no buffer: all is dropped */
        send_l1(link, 0, 0x4000, 0x8000, 64);
        step(link, 50000);
        assert_int_equal(peek(link, NEAR, txq(0, TX_ENDED)), 3);
        assert_int_equal(peek(link, FAR, rxq(link, 0, RX_DROPPED)), 3);
        fill(link, NEAR, 0x4000, 64, 12);
        poke(link, FAR, rxq(link, 0, RX_CONTROL), RX_PACKET_MODE);
        settle(link);
        assert_same(link, 0x4000, 0x8000, 64);
        assert_int_equal(peek(link, NEAR, txq(0, TX_ENDED)), 4);
        step(link, 10000);
        assert_int_equal(peek(link, NEAR, rxq(link, 0, RX_REMOTE)), 1);
        link_free(link);
    }
}

/* A queue keeps up to 128 packets that are not acknowledged, and takes no command meanwhile. */
static void test_a_full_window_waits(void **state)
{
    (void)state;
    struct link *link = link_make("n300");
    poke(link, NEAR, txq(0, TX_MAX), 16);
    send_l1(link, 0, 0x4000, 0x8000, 16 * 128);
    step(link, 4096);
    assert_int_equal(peek(link, NEAR, txq(0, TX_COMMAND)), 1);
    assert_int_equal(peek(link, FAR, rxq(link, 0, RX_LOCAL)), 128);
    step(link, 8192);
    assert_int_equal(peek(link, NEAR, txq(0, TX_COMMAND)), 0);
    link_free(link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_raw_packets_are_appended),
        cmocka_unit_test(test_a_full_buffer_drops),
        cmocka_unit_test(test_a_buffer_wraps),
        cmocka_unit_test(test_headers_are_stripped_as_told),
        cmocka_unit_test(test_packets_of_the_other_mode),
        cmocka_unit_test(test_long_writes_are_split),
        cmocka_unit_test(test_sequence_numbers),
        cmocka_unit_test(test_counters_count_in_time),
        cmocka_unit_test(test_commands_end),
        cmocka_unit_test(test_back_pressure),
        cmocka_unit_test(test_wormhole_addresses_choose_queues),
        cmocka_unit_test(test_two_queues_share_the_wire),
        cmocka_unit_test(test_unanswered_packets_are_sent_again),
        cmocka_unit_test(test_a_full_window_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
