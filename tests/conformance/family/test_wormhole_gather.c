/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wormhole's overlay streams that gather, that transmit to DRAM, and those of Ethernet tiles: Gather.md and
 * TransmitToDRAMBuffer.md of NoC/Overlay; packets that software sends to a stream (NoC/MemoryMap.md); refusals.
 */
#include "conformance/family/wormhole_overlay.h"
#include "tile/mmio/map/map.h"
#include "tilefarm_address.h"

/* Messages and headers as plain arrays in DRAM; software answers the handshake. */
static void test_dram(void **state)
{
    (void)state;
    const struct tf_coord dram = {0, 11}; /* channel 0 */
    const uint64_t buffer = 0x50000000, headers = 0x60000000;
    uint32_t word;
    for (unsigned number = 3; number <= 8; number += 5) {
        set_formats();
        select_stream(0, number);
        write_to(REMOTE_DEST, dram.x | (uint32_t)dram.y << 6);
        write_to(REMOTE_DEST_BUF_START, (buffer >> 4) & 0x1FFFF);
        write_to(DEST_BUF_START_HI, (uint32_t)(buffer >> 21));
        write_to(MSG_INFO_WR_PTR_HI, (uint32_t)(headers >> 21));
        write_to(REMOTE_DEST_BUF_SIZE, 0);
        write_to(MCAST_DEST_NUM, 1);
        write_to(SCRATCH, 1 | 4);
        begin_source(CHANGES | DEST_NO_FLOW, 2, 32);
        write_to(REMOTE_DEST_MSG_INFO_WR_PTR, (headers >> 4) & 0x1FFFF);
        give(3, 8 + number);
        give(20, 9 + number);
        travel();
        expect(RD_PTR, 0);
        write_to(DEST_PHASE_READY, (read_from(CURR_PHASE) + 1) << 6);
        travel();
        expect(RD_PTR, 0); /* that was another phase */
        write_to(DEST_PHASE_READY, read_from(CURR_PHASE) << 6);
        travel();
        expect(RD_PTR, 23);
        expect(WAIT_STATUS, WAITS);
        expect(REMOTE_DEST_WR_PTR, 23);
        for (unsigned i = 0; i < 23; i++) {
            uint32_t mark = i < 3 ? 8 + number : 9 + number, line = i < 3 ? i : i - 3;
            assert_int_equal(tf_read(chip, dram, buffer + 16 * i, &word, sizeof word), TF_OK);
            assert_int_equal(word, mark << 16 | (line != 0 ? line << 8 : i == 0 ? 3 : 20));
        }
        assert_int_equal(tf_read(chip, dram, headers + 16, &word, sizeof word), TF_OK);
        assert_int_equal(word, (9 + number) << 16 | 20);
        write_to(SCRATCH, 0);
    }
}

/* The command bit alone does not make a stream transmit to DRAM: the stream transmits to another stream. */
static void test_no_dram(void **state)
{
    (void)state;
    set_formats();
    select_stream(1, 31);
    begin_receiver(TO_SOFTWARE | CHANGES, name_of(0, 3, 0), 1, 8);
    select_stream(0, 3);
    aim(name_of(1, 31, 0), 8);
    write_to(SCRATCH, 4);
    begin_source(CHANGES, 1, 16);
    give(3, 7);
    travel();
    select_stream(1, 31);
    take(3, 7, 8);
}

/* Phases with equal destinations need no handshake. A place beyond 17 bits of lines fits no register. */
static void test_dram_far(void **state)
{
    (void)state;
    const struct tf_coord dram = {0, 11};
    const uint64_t buffer = 0x1000000;
    uint32_t word;
    set_formats();
    select_stream(0, 9);
    write_to(REMOTE_DEST, dram.x | (uint32_t)dram.y << 6);
    write_to(REMOTE_DEST_BUF_START, 0);
    write_to(DEST_BUF_START_HI, (uint32_t)(buffer >> 21));
    write_to(MSG_INFO_WR_PTR_HI, 1);
    write_to(SCRATCH, 2 | 4);
    begin_source(DEST_NO_FLOW, 0, 32); /* it says: no change */
    expect(WAIT_STATUS, WAITS);
    write_to(REMOTE_DEST_WR_PTR, 0x1FFFE);
    for (uint32_t mark = 1; mark <= 2; mark++) {
        begin_source(DEST_NO_FLOW, 1, 32);
        give(2 + mark, mark);
        travel();
        expect(WAIT_STATUS, WAITS);
        expect(REMOTE_DEST_WR_PTR, mark == 1 ? 1 : 5);
    }
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(tf_read(chip, dram, buffer + 16 * (0x1FFFE + i), &word, sizeof word), TF_OK);
        assert_int_equal(word, i < 3 ? 1 << 16 | (i == 0 ? 3 : i << 8) : 2 << 16 | (i == 3 ? 4 : (i - 3) << 8));
    }
    write_to(REMOTE_DEST_WR_PTR, 0);
    begin_source(DEST_NO_FLOW, 1, 32);
    give(1, 3);
    travel();
    assert_int_equal(tf_read(chip, dram, buffer, &word, sizeof word), TF_OK);
    assert_int_equal(word, 3 << 16 | 1);
}

/* Configures a stream of tile 0 as a source of the gather stream, and gives it messages of one line. */
static void begin_gathered(unsigned number, unsigned gatherer, uint32_t needs, uint32_t messages)
{
    select_stream(0, number);
    write_to(BUF_START, OUT_BUFFER + 64 * number);
    write_to(BUF_SIZE, 32);
    write_to(MSG_INFO_PTR, OUT_HEADERS + 64 * number);
    write_to(MSG_INFO_WR_PTR, OUT_HEADERS + 64 * number);
    write_to(REMOTE_DEST, gatherer << 12 | needs);
    write_to(MISC_CFG, FROM_SOFTWARE | TO_GATHER | CHANGES);
    write_to(CFG_HEADER, messages << 12 | 1);
    write_to(PHASE_ADVANCE, 1);
}

static void give_gathered(unsigned number, uint32_t mark)
{
    select_stream(0, number);
    put_line(0, OUT_BUFFER + 64 * number + read_from(WR_PTR), mark << 16 | 1);
    put_line(0, read_from(MSG_INFO_WR_PTR), mark << 16 | 1);
    write_to(MSGS_RECEIVED_INC, 1 << 12 | 1);
}

static void begin_gather(unsigned number, uint32_t gather, uint32_t clear, uint32_t mask, uint32_t messages)
{
    select_stream(0, number);
    write_to(GATHER, gather);
    write_to(GATHER_CLEAR, clear);
    write_to(LOCAL_SRC_MASK, mask);
    write_to(LOCAL_SRC_MASK + 1, 0);
    write_to(LOCAL_SRC_MASK + 2, 0);
    write_to(MISC_CFG, FROM_GATHER | TO_SOFTWARE | CHANGES);
    write_to(CFG_HEADER, messages << 12 | 1);
    write_to(PHASE_ADVANCE, 1);
}

/* The messages that stream 5 of tile 0 has gathered come with these marks. */
static void expect_gathered(int line, unsigned gatherer, const uint32_t *marks, unsigned count)
{
    select_stream(0, gatherer);
    for (unsigned i = 0; i < count; i++) {
        if (read_from(NUM_MSGS_RECEIVED) == 0)
            fail_msg("line %d: message %u has not come", line, i);
        assert_true(read_from(NUM_MSGS_RECEIVED) <= 2);
        uint32_t word = word_at(0, read_from(NEXT_ADDR));
        if (word != (marks[i] << 16 | 1))
            fail_msg("line %d: message %u is 0x%x, not of %u", line, i, word, marks[i]);
        if (gatherer == 5)
            expect_at(line, MSG_INFO + 2, word);
        write_to(MSG_INFO_CLEAR, 1);
        write_to(MSG_DATA_CLEAR, 1);
    }
    expect_at(line, NUM_MSGS_RECEIVED, 0);
}
#define gathered(gatherer, ...)                                          \
    expect_gathered(__LINE__, gatherer, (const uint32_t[]){__VA_ARGS__}, \
                    sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void test_gather(void **state)
{
    (void)state;
    set_formats();
    /* Single streams in strict order; nothing comes before all have begun. */
    begin_gather(5, 1 | 8, 1, 1 << 8 | 1 << 10, 4);
    begin_gathered(8, 5, 1, 2);
    give_gathered(8, 1);
    select_stream(0, 5);
    expect(NUM_MSGS_RECEIVED, 0);
    begin_gathered(10, 5, 1, 2);
    give_gathered(8, 2);
    gathered(5, 1);
    give_gathered(10, 3);
    gathered(5, 3, 2);
    give_gathered(10, 4);
    gathered(5, 4);
    expect(WAIT_STATUS, WAITS);
    select_stream(0, 8);
    expect(WAIT_STATUS, WAITS);
    expect(RD_PTR, 2); /* the gatherer's software has read its messages */
    /* Round robin among the streams that have as many messages as they need. */
    begin_gathered(8, 5, 2, 3);
    begin_gathered(10, 5, 1, 2);
    begin_gather(5, 1, 1, 1 << 8 | 1 << 10, 5);
    give_gathered(8, 1);
    give_gathered(10, 2);
    give_gathered(10, 3);
    gathered(5, 2, 3);
    give_gathered(8, 4);
    gathered(5, 1);
    give_gathered(8, 5);
    gathered(5, 4);
    select_stream(0, 8);
    expect(WAIT_STATUS, RUNS); /* one message is left, and two are needed */
    expect(NUM_MSGS_RECEIVED, 1);
}

/* A stream whose phase has ended is passed over, even if it needs no messages. Other streams are still gathered. */
static void test_gather_ended(void **state)
{
    (void)state;
    set_formats();
    begin_gather(5, 1, 1, 1 << 8 | 1 << 10, 3);
    begin_gathered(8, 5, 1, 1);
    begin_gathered(10, 5, 1, 2);
    give_gathered(8, 1);
    gathered(5, 1);
    give_gathered(10, 2);
    gathered(5, 2);
    select_stream(0, 8);
    expect(WAIT_STATUS, WAITS);
    write_to(REMOTE_DEST, 5 << 12);
    give_gathered(10, 3);
    gathered(5, 3);
}

/* Two messages of each stream in turn, or one of each twice. */
static void gather_pairs(void)
{
    for (unsigned each = 0; each < 2; each++) {
        unsigned gatherer = each; /* streams 0 and 1 gather, too */
        begin_gather(gatherer, 2 | 8, 2 | each << 16, 3 << 12, 4);
        begin_gathered(12, gatherer, 2, 2);
        begin_gathered(13, gatherer, 2, 2);
        for (uint32_t i = 0; i < 2; i++) {
            give_gathered(12, 1 + i);
            give_gathered(13, 3 + i);
        }
        if (each)
            gathered(gatherer, 1, 2, 3, 4);
        else
            gathered(gatherer, 1, 3, 2, 4);
        select_stream(0, gatherer);
        expect(WAIT_STATUS, WAITS);
    }
}

/* One entry of the L1 read complete FIFO has messages of two streams. */
static void gather_one_entry(void)
{
    begin_gather(1, 1 | 8, 1, 3 << 14, 2);
    for (unsigned i = 14; i < 16; i++) {
        begin_gathered(i, 1, 1, 1);
        give_gathered(i, i);
    }
    select_stream(0, 1);
    write_to(MSG_INFO_CLEAR, 2);
    for (unsigned i = 14; i < 16; i++) {
        select_stream(0, i);
        expect(RD_PTR, 0);
    }
    select_stream(0, 1);
    write_to(MSG_DATA_CLEAR, 1);
    for (unsigned i = 14; i < 16; i++) {
        select_stream(0, i);
        expect(RD_PTR, 1);
    }
}

static void gather_quartet(void)
{
    begin_gather(4, 4 | 8, 1, 0xF << 16, 4);
    for (unsigned i = 0; i < 4; i++)
        begin_gathered(16 + i, 4, 1, 1);
    for (unsigned i = 0; i < 4; i++)
        give_gathered(19 - i, 19 - i);
    gathered(4, 16, 17, 18, 19);
}

/* The gatherer transmits to another tile. */
static void gather_for_other_tile(void)
{
    set_formats();
    select_stream(1, 50);
    begin_receiver(TO_SOFTWARE | CHANGES, name_of(0, 2, 0), 4, 8);
    select_stream(0, 2);
    aim(name_of(1, 50, 0), 8);
    write_to(MCAST_DEST, 0);
    write_to(REMOTE_DEST_MSG_INFO_WR_PTR, IN_HEADERS);
    for (unsigned i = 0; i < 2; i++)
        begin_gathered(20 + i, 2, 1, 2);
    select_stream(0, 2);
    write_to(GATHER, 1 | 8);
    write_to(GATHER_CLEAR, 1);
    write_to(LOCAL_SRC_MASK, 3 << 20);
    write_to(MISC_CFG, FROM_GATHER | TO_STREAM | CHANGES);
    write_to(CFG_HEADER, 4 << 12 | 1);
    write_to(PHASE_ADVANCE, 1);
    select_stream(1, 50);
    write_to(REMOTE_SRC_PHASE, 1);
    for (unsigned i = 0; i < 4; i++)
        give_gathered(20 + i % 2, 1 + i);
    travel();
    select_stream(1, 50);
    expect(NUM_MSGS_RECEIVED, 2);
    for (uint32_t i = 0; i < 4; i++)
        take(1, 1 + i, 8);
    travel();
    expect(WAIT_STATUS, WAITS);
    select_stream(0, 21);
    expect(RD_PTR, 2);
    expect(WAIT_STATUS, WAITS);
}

static void test_gather_groups(void **state)
{
    (void)state;
    set_formats();
    gather_pairs();
    gather_one_entry();
    gather_quartet();
    gather_for_other_tile();
}

/* An Ethernet tile is like other tiles on the NOC. No data cross the link. */
static void test_ethernet(void **state)
{
    (void)state;
    set_formats();
    select_stream(1, 31);
    begin_receiver(TO_SOFTWARE | CHANGES, name_of(ETH_FIRST, 9, 0), 1, 8);
    select_stream(ETH_FIRST, 9);
    aim(name_of(1, 31, 0), 8);
    begin_source(CHANGES, 1, 16);
    give(3, 7);
    travel();
    select_stream(1, 31);
    take(3, 7, 8);
    travel();
    expect(WAIT_STATUS, WAITS);
    select_stream(ETH_FIRST, 8);
    aim(0xFFF, 8);
    begin_source(CHANGES, 1, 16);
    give(3, 7);
    travel();
    expect(WAIT_STATUS, RUNS);
    expect(RD_PTR, 0);
    select_stream(ETH_FIRST, 10);
    begin_receiver(TO_SOFTWARE | CHANGES, 0xFFF, 1, 8);
    travel();
    expect(WAIT_STATUS, RUNS);
    select_stream(ETH_FIRST, 12); /* which cannot send over Ethernet: those coordinates are nowhere */
    aim(0xFFF, 8);
    begin_source(CHANGES, 1, 16);
    travel_refused(TF_FAULT_UNDEFINED, "stream 12, NOC 0 to (63,63)");
    expect(WAIT_STATUS, WAITS);
}

/* NOC_PACKET_TAG: software sends a packet to a stream by itself. */
static void test_software_sends(void **state)
{
    (void)state;
    enum { FIRST = 1 << 7, LAST = 1 << 8, TO_OVERLAY = 1 << 6, HEADER_STORE = 1 << 9 };
    const uint32_t niu = TF_NIU_BASE(0);
    set_formats();
    select_stream(1, 33);
    begin_receiver(TO_SOFTWARE | CHANGES | NO_FLOW, name_of(0, 33, 0), 1, 8);
    for (uint32_t i = 0; i < 3; i++)
        put_line(0, OUT_BUFFER + i, i == 0 ? 5 << 16 | 3 : 5 << 16 | i << 8);
    for (unsigned part = 0; part < 2; part++) {
        store(TF_CORE_B, niu + 0x00, (OUT_BUFFER + part) * 16);
        store(TF_CORE_B, niu + 0x04, 1 << 4 | 1 << 10);
        store(TF_CORE_B, niu + 0x0C, (IN_BUFFER + part) * 16);
        store(TF_CORE_B, niu + 0x10, 2 << 4 | 1 << 10);
        store(TF_CORE_B, niu + 0x18, 33 | TO_OVERLAY | (part == 0 ? FIRST | HEADER_STORE : LAST));
        store(TF_CORE_B, niu + 0x1C, 2);
        store(TF_CORE_B, niu + 0x20, part == 0 ? 16 : 32);
        store(TF_CORE_B, niu + 0x24, IN_HEADERS);
        store(TF_CORE_B, niu + 0x28, 1);
        travel();
        expect(NUM_MSGS_RECEIVED, part);
    }
    take(3, 5, 8);
    expect(WAIT_STATUS, WAITS);
    /* Streams that receive from no source, or whose buffer is too small. */
    store(TF_CORE_B, niu + 0x18, 34 | TO_OVERLAY | LAST);
    store(TF_CORE_B, niu + 0x28, 1);
    travel_refused(TF_FAULT_UNDEFINED, "a packet arrives at a stream that does not receive");
    select_stream(1, 35);
    begin_receiver(TO_SOFTWARE | CHANGES | NO_FLOW, name_of(0, 35, 0), 1, 1);
    store(TF_CORE_B, niu + 0x18, 35 | TO_OVERLAY | LAST);
    store(TF_CORE_B, niu + 0x28, 1);
    travel_refused(TF_FAULT_UNDEFINED, "overruns the receive buffer of its stream");
}

static void test_refusals(void **state)
{
    (void)state;
    set_formats();
    select_stream(0, 45);
    aim(10 | 1 << 6, 8);
    begin_source(CHANGES, 1, 8);
    travel_refused(TF_FAULT_UNDEFINED, "stream 45, NOC 0 to (10,1) 0x");
    expect(WAIT_STATUS, WAITS);
    static const struct {
        unsigned stream;
        uint32_t config, destinations;
        const char *part;
    } wrong[] = {
        {7, FROM_GATHER | TO_SOFTWARE, 1, "this stream of Wormhole cannot gather"},
        {4, FROM_GATHER | TO_GATHER, 1, "cannot transmit to another one that does"},
        {1, FROM_SOFTWARE | TO_STREAM, 0, "has 1 to 32 receivers"},
        {1, FROM_SOFTWARE | TO_STREAM, 33, "has 1 to 32 receivers"},
        {9, FROM_SOFTWARE | TO_STREAM, 1, "no flow control"},
        {5, FROM_GATHER | TO_SOFTWARE, 1, "1, 2 or 4 streams"},
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct tf_fault fault;
        select_stream(0, wrong[i].stream);
        write_to(BUF_SIZE, 8);
        write_to(SCRATCH, 5);
        write_to(GATHER, 3);
        write_to(MCAST_DEST_NUM, wrong[i].destinations);
        write_to(MISC_CFG, wrong[i].config);
        write_to(CFG_HEADER, 1 << 12);
        assert_int_equal(tf_mmio_store(&chip->tiles.tile[0], TF_CORE_B, at(PHASE_ADVANCE), 4, 1), TF_ACCESS_FAULT);
        faults++;
        put(0x70000, 0);
        run();
        assert_int_equal(tf_fault_get(chip, faults - 1, &fault), TF_OK);
        if (strstr(fault.text, wrong[i].part) == NULL)
            fail_msg("'%s' says nothing of '%s'", fault.text, wrong[i].part);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_dram, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_no_dram, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_dram_far, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_gather, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_gather_ended, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_gather_groups, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_ethernet, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_software_sends, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_refusals, setup_one_chip, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
