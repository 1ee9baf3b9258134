/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames of Blackhole: the table of headers (EthernetTxRx.md), and which RX queue gets which part of a frame
 * (EthernetRxClassifier.md). RX queue 2 shows frames as they come.
 */
#include "links.h"

#include <stdlib.h>

#include "tilefarm_address.h"

#define ROW(i) (TF_ETH_LINK_BASE + 0x8200 + 0x80u * (i))
#define BUFFER 0x9000u
#define SOURCE 0x4000u

enum {
    ROUTING = TF_ETH_LINK_BASE + 0x8150,
    EOP_GOOD = TF_ETH_LINK_BASE + 0x8120,
    NO_MATCH_ACTIONS = TF_ETH_LINK_BASE + 0xCD04,
    NO_MATCH_VLAN = TF_ETH_LINK_BASE + 0xCD08
};
enum {
    NO_MATCH_LABELS = TF_ETH_LINK_BASE + 0xCD00,
    NO_MATCH_METADATA = TF_ETH_LINK_BASE + 0xCD0C,
    OVERRIDE = TF_ETH_LINK_BASE + 0xD000,
    ERRORS = TF_ETH_LINK_BASE + 0xD004
};

/* A raw buffer at RX queue 2 that gets whole frames; TX queue 1 sends to it by header 3. */
static struct link *make(void)
{
    struct link *link = link_make("p300");
    for (unsigned queue = 1; queue < 3; queue++) {
        poke(link, FAR, rxq(link, queue, RX_START), (BUFFER + 0x1000 * (queue - 1)) >> 4);
        poke(link, FAR, rxq(link, queue, RX_SIZE), 0x100);
        poke(link, FAR, rxq(link, queue, RX_CONTROL), 0);
        poke(link, FAR, rxq(link, queue, 0x18), 0);
    }
    poke(link, NEAR, txq(1, 0x80), 0x333);
    poke(link, NEAR, ROW(3) + 0x10, 0x15161718); /* from 12:13:15:16:17:18 to 02:25:26:27:28:29 */
    poke(link, NEAR, ROW(3) + 0x14, 0x1213);
    poke(link, NEAR, ROW(3) + 0x18, 0x26272829);
    poke(link, NEAR, ROW(3) + 0x1C, 0x0225);
    fill(link, NEAR, SOURCE, 512, 20);
    return link;
}

static void assert_frame(struct link *link, uint32_t at, const uint8_t *expected, uint32_t bytes)
{
    uint8_t got[128];
    read_far(link, at, got, bytes);
    assert_memory_equal(got, expected, bytes);
}

static uint32_t pointer(struct link *link, unsigned queue)
{
    return peek(link, FAR, rxq(link, queue, RX_POINTER));
}

#define ADDRESSES 0x02, 0x25, 0x26, 0x27, 0x28, 0x29, 0x12, 0x13, 0x15, 0x16, 0x17, 0x18

static void test_type_or_length(void **state)
{
    (void)state;
    struct link *link = make();
    static const uint8_t length[] = {ADDRESSES, 0x00, 0x31}, type[] = {ADDRESSES, 0x88, 0xB5};
    send_raw(link, 1, SOURCE, 49);
    settle(link);
    assert_frame(link, BUFFER + 0x1000, length, sizeof length);
    assert_same(link, SOURCE, BUFFER + 0x1000 + 14, 49);
    assert_int_equal(pointer(link, 2), 63);
    poke(link, NEAR, ROW(3) + 0x20, 0x88B50001);
    send_raw(link, 1, SOURCE, 49);
    settle(link);
    assert_frame(link, BUFFER + 0x1000 + 63, type, sizeof type);
    link_free(link);
}

/* The IPv4 header of many textbooks, whose checksum is B861. */
static const uint32_t ipv4[5] = {0x00000045, 0x00400000, 0x00001140, 0x0100A8C0, 0xC700A8C0};

static void insert_udp(struct link *link, unsigned row, uint32_t control)
{
    poke(link, NEAR, ROW(row) + 0x00, control);
    poke(link, NEAR, ROW(row) + 0x20, 0x08000001);
    poke(link, NEAR, ROW(row) + 0x24, 0x88A80123);
    poke(link, NEAR, ROW(row) + 0x28, 0x81006456);
    for (unsigned i = 0; i < 5; i++)
        poke(link, NEAR, ROW(row) + 0x30 + 4 * i, ipv4[i]);
    poke(link, NEAR, ROW(row) + 0x60, 0x02000100); /* from port 1 to port 2, in network order */
    poke(link, NEAR, ROW(row) + 0x64, 0);
}

static void test_inserted_headers(void **state)
{
    (void)state;
    struct link *link = make();
    static const uint8_t head[] = {ADDRESSES, 0x88, 0xA8, 0x01, 0x23, 0x81, 0x00, 0x64, 0x56, 0x08, 0x00, 0x45, 0x00,
                                   0x00,      0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11, 0xB8, 0x61, 0xC0, 0xA8, 0x00,
                                   0x01,      0xC0, 0xA8, 0x00, 0xC7, 0x00, 0x01, 0x00, 0x02, 0x00, 0x5F};
    uint8_t frame[22 + 20 + 8 + 87];
    insert_udp(link, 3, 1u << 0 | 1u << 4 | 1u << 8 | 1u << 16 | 1u << 18);
    send_raw(link, 1, SOURCE, 87);
    settle(link);
    assert_int_equal(pointer(link, 2), sizeof frame);
    assert_frame(link, BUFFER + 0x1000, head, sizeof head);
    assert_same(link, SOURCE, BUFFER + 0x1000 + 50, 87);
    read_far(link, BUFFER + 0x1000, frame, sizeof frame);
    uint32_t sum = 17 + 95; /* the pseudo-header's protocol and length; its addresses and the rest are in the frame */
    for (unsigned i = 34; i < sizeof frame; i++)
        sum += i % 2 == 0 ? frame[i] * 256u : frame[i];
    assert_int_equal((sum & 0xFFFF) + (sum >> 16), 0xFFFF);
    poke(link, NEAR, ROW(3), 1u << 8 | 3u << 12); /* custom: 2 bytes */
    poke(link, NEAR, ROW(3) + 4, 2);
    send_raw(link, 1, SOURCE, 16);
    settle(link);
    assert_int_equal(pointer(link, 2), sizeof frame + 14 + 2 + 16);
    poke(link, NEAR, ROW(3) + 4, 3);
    uint32_t command = 1;
    assert_int_not_equal(tf_write(link->chip[NEAR], link->at[NEAR], txq(1, TX_COMMAND), &command, 4), TF_OK);
    poke(link, NEAR, txq(1, 0x80), 10);
    assert_int_not_equal(tf_write(link->chip[NEAR], link->at[NEAR], txq(1, TX_COMMAND), &command, 4), TF_OK);
    link_free(link);
}

/* MAC_RX_ADDR_ROUTING: broadcast, multicast, unicast. */
static void test_addresses_choose_queues(void **state)
{
    (void)state;
    struct link *link = make();
    for (unsigned queue = 0; queue < 3; queue++) {
        poke(link, NEAR, txq(1, 0x80), queue);
        send_raw(link, 1, SOURCE, 16);
        settle(link);
        for (unsigned other = 0; other < 3; other++)
            assert_int_equal(peek(link, FAR, rxq(link, other, RX_ENDED)), other <= queue);
    }
    poke(link, FAR, TF_ETH_LINK_BASE + 0x8154, 1u << 8); /* unicast to queue 1 */
    send_raw(link, 1, SOURCE, 16);
    settle(link);
    assert_int_equal(peek(link, FAR, rxq(link, 1, RX_ENDED)), 2);
    link_free(link);
}

static void test_frames_are_dropped(void **state)
{
    (void)state;
    struct link *link = make();
    poke(link, FAR, OVERRIDE, 1);
    send_raw(link, 1, SOURCE, 16);
    settle(link);
    assert_int_equal(peek(link, FAR, rxq(link, 2, RX_ENDED)), 0);
    poke(link, FAR, OVERRIDE, 2);
    poke(link, FAR, NO_MATCH_ACTIONS, 1 << 2);
    send_raw(link, 1, SOURCE, 16);
    settle(link);
    assert_int_equal(peek(link, FAR, rxq(link, 2, RX_ENDED)), 0);
    poke(link, FAR, OVERRIDE, 0);
    send_raw(link, 1, SOURCE, 16);
    settle(link);
    assert_int_equal(peek(link, FAR, rxq(link, 2, RX_ENDED)), 1);
    poke(link, NEAR, ROW(3) + 0x20, 0x88080001); /* MAC control with an unknown code: EOP 5 */
    send_raw(link, 1, SOURCE, 16);
    settle(link);
    assert_int_equal(peek(link, FAR, rxq(link, 2, RX_ENDED)), 1);
    poke(link, FAR, EOP_GOOD, 0x3F);
    send_raw(link, 1, SOURCE, 16);
    settle(link);
    assert_int_equal(peek(link, FAR, rxq(link, 2, RX_ENDED)), 2);
    assert_int_equal(peek(link, FAR, rxq(link, 2, RX_DROPPED)), 0); /* none of them reached the queue */
    link_free(link);
}

/* The hash of the far end's chip, which has dropped a frame of so many bytes. */
static uint64_t hash_after_drop(uint32_t bytes)
{
    struct link *link = make();
    poke(link, FAR, OVERRIDE, 1);
    send_raw(link, 1, SOURCE, bytes);
    step(link, 8192);
    assert_int_equal(peek(link, FAR, rxq(link, 2, RX_ENDED)), 0);
    const uint64_t hash = tf_state_hash(link->chip[FAR]);
    link_free(link);
    return hash;
}

/* A link counts the bytes that have come. Firmware tells them, so chips whose counts differ are in different states. */
static void test_hash_counts_bytes(void **state)
{
    (void)state;
    assert_true(hash_after_drop(16) == hash_after_drop(16));
    assert_true(hash_after_drop(16) != hash_after_drop(32));
}

/* "SW_METADATA (32 bits), followed by the hardware metadata", in big-endian order. */
static void test_metadata(void **state)
{
    (void)state;
    struct link *link = make();
    static const uint8_t head[] = {0xA1, 0xA2, 0xA3, 0xA4, 0x15, 0x10, 0x00, 0x1E, ADDRESSES};
    poke(link, FAR, ROUTING, 2);
    poke(link, FAR, NO_MATCH_ACTIONS, 1 | 1 << 5 | 1 << 6);
    poke(link, FAR, NO_MATCH_LABELS, 0x15);
    poke(link, FAR, NO_MATCH_METADATA, 0xA1A2A3A4);
    send_raw(link, 1, SOURCE, 16);
    settle(link);
    assert_frame(link, BUFFER, head, sizeof head);
    assert_int_equal(pointer(link, 1), 8 + 30);
    link_free(link);
}

/* A row of the TCAM for one EtherType, with the flow of its own; the others are dropped. */
static void test_tcam_and_flow_table(void **state)
{
    (void)state;
    struct link *link = make();
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCD60, 1); /* TCAM_FLUSH */
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCD80, 0); /* not IP */
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCDC0, 0x88B5);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCDF0, 5 | 1 << 9 | 1 << 10 | 1 << 21 | 1 << 22 | 1u << 31);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCDC0, 0xFFFF0000); /* the mask: all bits of the type count */
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCDF0, 5 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 22 | 1u << 31);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCC00 + 4 * 5, 3 | 7 << 16); /* row 5: priority 3, flow 7 */
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCD40, 5 | 1 << 8 | 1 << 16 | 1u << 31);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCE84, 1); /* flow 7: queue 1 */
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCEA0, 7 | 1 << 8 | 1u << 31);
    poke(link, FAR, NO_MATCH_ACTIONS, 1 << 2);
    poke(link, FAR, ROUTING, 2);
    poke(link, FAR, OVERRIDE, 2);
    poke(link, NEAR, ROW(3) + 0x20, 0x88B50001);
    send_raw(link, 1, SOURCE, 16);
    settle(link);
    poke(link, NEAR, ROW(3) + 0x20, 0x88B60001);
    send_raw(link, 1, SOURCE, 16);
    settle(link);
    assert_int_equal(peek(link, FAR, rxq(link, 1, RX_ENDED)), 1);
    assert_int_equal(peek(link, FAR, rxq(link, 2, RX_ENDED)), 0);
    link_free(link);
}

/* Flow 8 leads to queue 1. Frames of other flows are dropped. */
static void route_flow(struct link *link, unsigned row)
{
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCC00 + 4 * row, 3 | 8 << 16);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCD40, row | 1 << 8 | 1 << 16 | 1u << 31);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCE84, 1);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCEA0, 8 | 1 << 8 | 1u << 31);
    poke(link, FAR, NO_MATCH_ACTIONS, 1 << 2);
    poke(link, FAR, ROUTING, 2);
    poke(link, FAR, OVERRIDE, 2);
}

static unsigned ended(struct link *link)
{
    send_raw(link, 1, SOURCE, 87);
    settle(link);
    assert_int_equal(peek(link, FAR, rxq(link, 2, RX_ENDED)), 0);
    return peek(link, FAR, rxq(link, 1, RX_ENDED));
}

/* A row of the TCAM for the receiver's address of a frame without IP. */
static void test_tcam_by_address(void **state)
{
    (void)state;
    struct link *link = make();
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCD60, 1);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCD80, 0);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCDA0, 0x26272829);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCDA4, 0x0225);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCDF0, 6 | 1 << 9 | 1 << 10 | 1 << 19 | 1 << 21 | 1u << 31);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCDA0, 0); /* the mask: all bits of the address count */
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCDA4, 0xFFFF0000);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCDB0, 0xFFFF);
    poke(link, FAR, TF_ETH_LINK_BASE + 0xCDF0, 6 | 1 << 8 | 1 << 9 | 1 << 10 | 1 << 19 | 1u << 31);
    route_flow(link, 6);
    poke(link, NEAR, ROW(3) + 0x20, 0x88B50001);
    assert_int_equal(ended(link), 1);
    poke(link, NEAR, ROW(3) + 0x18, 0x26272828);
    assert_int_equal(ended(link), 1);
    poke(link, NEAR, ROW(3) + 0x18, 0x26272829);
    poke(link, NEAR, ROW(3) + 0x1C, 0x0224);
    assert_int_equal(ended(link), 1);
    link_free(link);
}

/* A row of the TCAM for the port that a UDP packet goes to. */
static void test_tcam_by_port(void **state)
{
    (void)state;
    for (unsigned port = 1; port < 4; port++) { /* packets go from port 1 to port 2 */
        struct link *link = make();
        insert_udp(link, 3, 1u << 0 | 1u << 4 | 1u << 8 | 1u << 16 | 1u << 18);
        poke(link, FAR, TF_ETH_LINK_BASE + 0xCD60, 1);
        poke(link, FAR, TF_ETH_LINK_BASE + 0xCD80, 1); /* IPv4 */
        poke(link, FAR, TF_ETH_LINK_BASE + 0xCDB8, port);
        poke(link, FAR, TF_ETH_LINK_BASE + 0xCDF0, 7 | 1 << 9 | 1 << 17 | 1 << 21 | 1u << 31);
        poke(link, FAR, TF_ETH_LINK_BASE + 0xCDB8, 0xFFFF0000);
        poke(link, FAR, TF_ETH_LINK_BASE + 0xCDF0, 7 | 1 << 8 | 1 << 9 | 1 << 17 | 1u << 31);
        route_flow(link, 7);
        assert_int_equal(ended(link), port == 2);
        link_free(link);
    }
}

/* "Any additional VLAN tags or IP/UDP headers need to have been removed by the RX classifier." */
static void test_removed_headers(void **state)
{
    (void)state;
    struct link *link = make();
    insert_udp(link, 0, 1u << 0 | 1u << 4 | 1u << 8 | 1u << 16);
    poke(link, FAR, OVERRIDE, 2);
    send_l1(link, 0, SOURCE, 0x8000, 64);
    step(link, 2048);
    assert_int_equal(peek(link, FAR, rxq(link, 0, RX_DROPPED)), 1);
    assert_int_equal(peek(link, FAR, 0x8000), 0);
    poke(link, FAR, NO_MATCH_ACTIONS, 1 << 3);
    settle(link); /* it is sent again */
    assert_same(link, SOURCE, 0x8000, 64);
    assert_int_equal(peek(link, FAR, rxq(link, 0, RX_DROPPED)), 1);
    link_free(link);
}

/* HEADER_ERROR_CONTROL: IPv4 headers with options are dropped, unless a bit keeps them. */
static void test_unsupported_headers(void **state)
{
    (void)state;
    struct link *link = make();
    insert_udp(link, 3, 1u << 8 | 1u << 16);
    poke(link, NEAR, ROW(3) + 0x30, 0x00000046);
    poke(link, FAR, OVERRIDE, 0);
    send_raw(link, 1, SOURCE, 64);
    settle(link);
    assert_int_equal(peek(link, FAR, rxq(link, 2, RX_ENDED)), 0);
    poke(link, FAR, ERRORS, 1);
    send_raw(link, 1, SOURCE, 64);
    settle(link);
    assert_int_equal(peek(link, FAR, rxq(link, 2, RX_ENDED)), 1);
    link_free(link);
}

/* ---- Both cores ---- */

static void put_store(uint32_t *code, unsigned *count, uint32_t address, uint32_t value)
{
    code[(*count)++] = (((address + 0x800) & 0xFFFFF000)) | 1 << 7 | 0x37; /* lui x1 */
    code[(*count)++] = (((value + 0x800) & 0xFFFFF000)) | 2 << 7 | 0x37;   /* lui x2 */
    code[(*count)++] = (value & 0xFFF) << 20 | 2 << 15 | 2 << 7 | 0x13;    /* addi x2, x2 */
    code[(*count)++] = (address >> 5 & 0x7F) << 25 | 2 << 20 | 1 << 15 | 2 << 12 | (address & 31) << 7 | 0x23; /* sw */
}

/* Both cores of a tile send at the same time, on a queue each. */
static void test_both_cores_send(void **state)
{
    (void)state;
    struct link *link = link_make("p300");
    const struct tf_cluster_end near = tf_system_cluster(link->system)->link[0].end[NEAR];
    const unsigned tile = (unsigned)tf_port_tile(link->chip[NEAR], near.port);
    fill(link, NEAR, SOURCE, 512, 21);
    for (unsigned core = 0; core < 2; core++) {
        uint32_t code[64];
        unsigned count = 0;
        put_store(code, &count, txq(core, TX_FROM), SOURCE + 256 * core);
        put_store(code, &count, txq(core, TX_BYTES), 256);
        put_store(code, &count, txq(core, TX_TO), 0x8000 + 256 * core);
        put_store(code, &count, txq(core, TX_COMMAND), 2);
        code[count++] = 0x6F; /* j . */
        assert_int_equal(tf_write(link->chip[NEAR], link->at[NEAR], 0x10000 + 0x1000 * core, code, 4 * count), TF_OK);
        assert_int_equal(tf_core_set_pc(link->chip[NEAR], tile, (enum tf_core)core, 0x10000 + 0x1000 * core), TF_OK);
    }
    for (unsigned core = 0; core < 2; core++)
        assert_int_equal(tf_core_start(link->chip[NEAR], tile, (enum tf_core)core), TF_OK);
    settle(link);
    assert_same(link, SOURCE, 0x8000, 512);
    for (unsigned queue = 0; queue < 2; queue++) {
        assert_int_equal(peek(link, FAR, rxq(link, queue, RX_ENDED)), 1);
        assert_int_equal(peek(link, FAR, rxq(link, queue, RX_LOCAL)), 1);
    }
    link_free(link);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_type_or_length),          cmocka_unit_test(test_inserted_headers),
        cmocka_unit_test(test_addresses_choose_queues), cmocka_unit_test(test_frames_are_dropped),
        cmocka_unit_test(test_hash_counts_bytes),       cmocka_unit_test(test_metadata),
        cmocka_unit_test(test_tcam_and_flow_table),     cmocka_unit_test(test_removed_headers),
        cmocka_unit_test(test_tcam_by_address),         cmocka_unit_test(test_tcam_by_port),
        cmocka_unit_test(test_unsupported_headers),     cmocka_unit_test(test_both_cores_send),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
