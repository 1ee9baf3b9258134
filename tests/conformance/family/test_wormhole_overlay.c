/* SPDX-License-Identifier: Apache-2.0 */
/* Phases of Wormhole's overlay streams between tiles: TransferBetweenTiles.md of NoC/Overlay. */
#include "conformance/family/wormhole_overlay.h"
#include "tilefarm/tilefarm_explore.h"

static void start_receiver(unsigned noc, uint32_t config)
{
    select_stream(1, 20);
    begin_receiver(TO_SOFTWARE | config, name_of(0, 12, noc), 4, 7);
    travel();
}

/* Stream 12 of tile 0 begins a phase, to stream 20 of tile 1; the receiver has begun, or begins after one message. */
static void start_pair(unsigned noc, bool receiver_first)
{
    uint32_t config = CHANGES | (noc != 0 ? OUT_NOC1 | SOURCE_NOC1 : 0);
    set_formats();
    if (receiver_first)
        start_receiver(noc, config);
    select_stream(0, 12);
    aim(name_of(1, 20, noc), 7);
    begin_source(config, 4, 5);
    expect(WAIT_STATUS, RUNS);
    give(3, 1);
    travel();
    expect(RD_PTR, receiver_first ? 3 : 0); /* it awaits an answer */
    if (!receiver_first) {
        start_receiver(noc, config);
        select_stream(0, 12);
    }
}

/* Two more messages; the receiver has space for one of them. */
static void fill_receiver(void)
{
    expect(RD_PTR, 3);
    expect(SPACE, 4);
    expect(REMOTE_DEST_WR_PTR, 3);
    expect(REMOTE_DEST_MSG_INFO_WR_PTR, IN_HEADERS + 1);
    give(4, 2); /* it wraps here, after its second line */
    travel();
    expect(SPACE, 0);
    expect(CFG_HEADER, 2 << 12 | 2);
    give(2, 3);
    travel();
    expect(RD_PTR, 2); /* no space is left at the receiver */
    select_stream(1, 20);
    expect(WR_PTR, 0);
    expect(BUF_SPACE, 0);
    expect(NUM_MSGS_RECEIVED, 2);
    expect(MSG_INFO_WR_PTR, IN_HEADERS + 2);
    assert_int_equal(word_at(1, IN_HEADERS), 1 << 16 | 3);
    assert_int_equal(word_at(1, IN_HEADERS + 1), 2 << 16 | 4);
}

static void empty_receiver(void)
{
    take(3, 1, 7);
    travel();
    expect(NUM_MSGS_RECEIVED, 2);
    take(4, 2, 7);
    take(2, 3, 7);
    travel();
    select_stream(0, 12);
    expect(SPACE, 7);
    expect(WAIT_STATUS, RUNS); /* one message is missing */
}

/* The phase ends when the receiver has read its last message, and the transmitter has the answer. */
static void end_pair(const struct tf_niu *out)
{
    uint32_t words = out->counter[TF_MST_POSTED_WR_DATA_WORD_SENT];
    give(4, 4); /* it wraps there */
    travel();
    expect(CFG_HEADER, 0);
    expect(WAIT_STATUS, RUNS);                                                  /* the receiver has not read it */
    assert_int_equal(out->counter[TF_MST_POSTED_WR_DATA_WORD_SENT] - words, 3); /* of 32 bytes: 1 and 3 lines */
    select_stream(1, 20);
    take(4, 4, 7);
    expect(CFG_HEADER, 0);
    expect(WAIT_STATUS, WAITS);
    select_stream(0, 12);
    expect(WAIT_STATUS, RUNS); /* the answer has not arrived */
    travel();
    select_stream(1, 20);
    expect(WAIT_STATUS, WAITS);
    select_stream(0, 12);
    expect(WAIT_STATUS, WAITS);
    expect(SPACE, 7);
}

/* Messages wrap in both buffers; the transmitter waits for space, and the phase for all answers. */
static void test_unicast(void **state)
{
    (void)state;
    for (unsigned noc = 0; noc < 2; noc++)
        for (unsigned receiver_first = 0; receiver_first < 2; receiver_first++) {
            const struct tf_niu *out = &chip->fabric->node[12 - 1].niu[noc]; /* tile 0 is node (1, 1) */
            assert_ptr_equal(out->node->tile, &chip->tiles.tile[0]);
            uint32_t packets = out->counter[TF_MST_POSTED_WR_REQ_SENT];
            start_pair(noc, receiver_first);
            fill_receiver();
            empty_receiver();
            end_pair(out);
            /* Data: 1 + 2 + 1 + 2 packets; and a request, for the first phase or if the receiver was late. */
            assert_in_range(out->counter[TF_MST_POSTED_WR_REQ_SENT] - packets, 6, 7);
        }
}

/* Software may give a stream a message that is not in the stream's buffer. It is sent from where it lies. */
static void test_outside_the_buffer(void **state)
{
    (void)state;
    const uint32_t lines = 3, message = OUT_BUFFER + 0x100;
    set_formats();
    select_stream(1, 20);
    begin_receiver(TO_SOFTWARE, name_of(0, 4, 0), 1, 7);
    select_stream(0, 4);
    aim(name_of(1, 20, 0), 7);
    begin_source(0, 1, 5);
    for (uint32_t i = 0; i < lines; i++)
        put_line(0, message + i, i == 0 ? 1 << 16 | lines : 1 << 16 | i << 8);
    write_to(SET_HEADER, 1 << 16 | lines);
    write_to(NEW_MSG_INFO, message | lines << 17);
    travel();
    select_stream(1, 20);
    take(lines, 1, 7);
}

/* Without a change of source and destination, the next phase needs no handshake, and its messages may come early. */
static void test_next_phase(void **state)
{
    (void)state;
    set_formats();
    select_stream(1, 21);
    begin_receiver(TO_SOFTWARE, name_of(0, 13, 0), 1, 16);
    select_stream(0, 13);
    aim(name_of(1, 21, 0), 16);
    begin_source(0, 1, 16);
    give(2, 1);
    travel();
    expect(WAIT_STATUS, WAITS); /* it does not wait for the receiver */
    write_to(CFG_HEADER, 2 << 12 | 1);
    write_to(PHASE_ADVANCE, 1);
    give(3, 2);
    give(1, 3);
    travel();
    expect(WAIT_STATUS, WAITS);
    expect(REMOTE_DEST_WR_PTR, 6);
    select_stream(1, 21);
    expect(NUM_MSGS_RECEIVED, 1); /* of its phase; the others are in the array */
    expect(MSG_INFO_WR_PTR, IN_HEADERS + 3);
    write_to(MSG_INFO_CLEAR, 1);
    travel();
    expect(WAIT_STATUS, WAITS);
    write_to(CFG_HEADER, 2 << 12 | 1);
    write_to(PHASE_ADVANCE, 1);
    expect(WAIT_STATUS, RUNS); /* without a flush: the first message is not yet read */
    expect(NUM_MSGS_RECEIVED, 2);
    write_to(MSG_DATA_CLEAR, 1);
    take(3, 2, 16);
    take(1, 3, 16);
    expect(RD_PTR, 6);
    travel();
    expect(WAIT_STATUS, WAITS);
    select_stream(0, 13);
    expect(SPACE, 16);
}

/* STREAM_MEM_BUF_SPACE_AVAILABLE_ACK_THRESHOLD: half of the buffer, or all but a quarter. */
static void test_threshold(void **state)
{
    (void)state;
    static const struct {
        uint32_t threshold, told_after;
    } cases[] = {{0, 1}, {8, 1}, {1, 4}, {2, 2}, {10, 6}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned from = 14 + i, to = 22 + i;
        set_formats();
        select_stream(1, to);
        write_to(ACK_THRESHOLD, cases[i].threshold);
        begin_receiver(TO_SOFTWARE | CHANGES, name_of(0, from, 0), 9, 8);
        select_stream(0, from);
        aim(name_of(1, to, 0), 8);
        begin_source(CHANGES, 9, 16);
        for (uint32_t m = 1; m <= 8; m++)
            give(1, m);
        travel();
        expect(SPACE, 0);
        for (uint32_t m = 1; m <= 8; m++) {
            select_stream(1, to);
            take(1, m, 8);
            travel();
            select_stream(0, from);
            expect(SPACE, m < cases[i].told_after ? 0 : m);
        }
        give(1, 9);
        travel();
        select_stream(1, to);
        take(1, 9, 8);
        travel();
        expect(WAIT_STATUS, WAITS);
        select_stream(0, from);
        expect(WAIT_STATUS, WAITS);
    }
}

/* At the end of a phase the transmitter learns of all free space, even if that is below the threshold. */
static void test_threshold_at_end(void **state)
{
    (void)state;
    set_formats();
    select_stream(1, 28);
    write_to(ACK_THRESHOLD, 10); /* six of eight lines */
    begin_receiver(TO_SOFTWARE | CHANGES, name_of(0, 28, 0), 2, 8);
    select_stream(0, 28);
    aim(name_of(1, 28, 0), 8);
    begin_source(CHANGES, 2, 16);
    give(5, 1);
    give(3, 2);
    travel();
    select_stream(1, 28);
    take(5, 1, 8);
    travel();
    select_stream(0, 28);
    expect(SPACE, 0);
    select_stream(1, 28);
    write_to(MSG_INFO_CLEAR, 1);
    expect(WAIT_STATUS, RUNS);
    travel();
    expect(WAIT_STATUS, WAITS);
    select_stream(0, 28);
    expect(SPACE, 5);
    expect(WAIT_STATUS, RUNS);
    select_stream(1, 28);
    write_to(MSG_DATA_CLEAR, 1);
    travel();
    select_stream(0, 28);
    expect(WAIT_STATUS, WAITS);
}

/* A phase with another source begins when the reads of the last one are complete, and its transmitter knows. */
static void test_change_of_source(void **state)
{
    (void)state;
    enum { FLUSHES = 2 | 4 << 3 };
    set_formats();
    for (unsigned from = 0; from < 3; from += 2) {
        select_stream(1, 29);
        begin_receiver(TO_SOFTWARE | CHANGES, name_of(from, 29, 0), 1, 8);
        expect(WAIT_STATUS, from == 0 ? RUNS : FLUSHES);
        if (from != 0) {
            write_to(MSG_DATA_CLEAR, 1);
            expect(WAIT_STATUS, FLUSHES);
            travel();
            expect(WAIT_STATUS, RUNS);
            select_stream(0, 29);
            expect(SPACE, 8);
            expect(WAIT_STATUS, WAITS);
        }
        select_stream(from, 29);
        aim(name_of(1, 29, 0), 8);
        write_to(CURR_PHASE, from / 2); /* the receiver counts its phases from 1 on */
        begin_source(CHANGES, 1, 16);
        give(3, from);
        travel();
        select_stream(1, 29);
        expect(NEXT_SIZE, 3);
        assert_int_equal(word_at(1, IN_BUFFER), from << 16 | 3);
        write_to(MSG_INFO_CLEAR, 1);
    }
}

/* If the transmitter asks, an answer that it does not know any more is sent again. */
static void test_repeated_question(void **state)
{
    (void)state;
    set_formats();
    select_stream(1, 31);
    begin_receiver(TO_SOFTWARE | CHANGES, name_of(0, 31, 0), 1, 8);
    travel();
    select_stream(0, 31);
    write_to(DEST_PHASE_READY, 77 << 6); /* takes the place of the answer */
    aim(name_of(1, 31, 0), 8);
    begin_source(CHANGES, 1, 16);
    give(3, 1);
    travel();
    expect(SPACE, 5);
    select_stream(1, 31);
    take(3, 1, 8);
}

/* A message of more than a packet. */
static void test_long(void **state)
{
    (void)state;
    const struct tf_niu *out = &chip->fabric->node[12 - 1].niu[0];
    set_formats();
    select_stream(1, 32);
    begin_receiver(TO_SOFTWARE | CHANGES, name_of(0, 32, 0), 1, 1000);
    travel();
    select_stream(0, 32);
    aim(name_of(1, 32, 0), 1000);
    begin_source(CHANGES, 1, 1000);
    for (uint32_t i = 0; i < 700; i++)
        put_line(0, OUT_BUFFER + i, i == 0 ? 700 : i);
    put_line(0, OUT_HEADERS, 700);
    uint32_t packets = out->counter[TF_MST_POSTED_WR_REQ_SENT], words = out->counter[TF_MST_POSTED_WR_DATA_WORD_SENT];
    write_to(MSGS_RECEIVED_INC, 700 << 12 | 1);
    travel();
    assert_int_equal(out->counter[TF_MST_POSTED_WR_REQ_SENT] - packets, 2);
    assert_int_equal(out->counter[TF_MST_POSTED_WR_DATA_WORD_SENT] - words, 350);
    select_stream(1, 32);
    expect(NEXT_SIZE, 700);
    for (uint32_t i = 1; i < 700; i++)
        assert_int_equal(word_at(1, IN_BUFFER + i), i);
}

/* Without answers, neither side waits for the other at the phase's end. */
static void test_no_flow_control(void **state)
{
    (void)state;
    set_formats();
    select_stream(1, 30);
    begin_receiver(TO_SOFTWARE | CHANGES | NO_FLOW, name_of(0, 30, 0), 2, 8);
    select_stream(0, 30);
    aim(name_of(1, 30, 0), 8);
    begin_source(CHANGES | DEST_NO_FLOW, 2, 8);
    give(2, 1);
    give(3, 2);
    travel();
    expect(WAIT_STATUS, WAITS);
    expect(SPACE, 3);
    select_stream(1, 30);
    take(2, 1, 8);
    take(3, 2, 8);
    expect(WAIT_STATUS, WAITS);
    travel();
    select_stream(0, 30);
    expect(SPACE, 3);
}

/*
 * Streams take turns at the NIU: the packet of the second comes before the second packet of the first. Both write to
 * the same lines, so that the order shows.
 */
static void test_turns(void **state)
{
    (void)state;
    const uint32_t buffer = OUT_BUFFER + 0x40, headers = OUT_HEADERS + 0x40;
    set_formats();
    for (unsigned number = 12; number <= 20; number += 8) {
        select_stream(1, number);
        begin_receiver(TO_SOFTWARE | CHANGES | NO_FLOW, name_of(0, number, 0), number == 12 ? 3 : 1, 8);
        select_stream(0, number);
        aim(name_of(1, number, 0), 8);
    }
    travel();
    select_stream(0, 20);
    write_to(BUF_START, buffer);
    write_to(BUF_SIZE, 8);
    write_to(MSG_INFO_PTR, headers);
    write_to(MSG_INFO_WR_PTR, headers);
    write_to(REMOTE_DEST_MSG_INFO_WR_PTR, IN_HEADERS + 8);
    write_to(MISC_CFG, FROM_SOFTWARE | TO_STREAM | CHANGES | DEST_NO_FLOW);
    write_to(CFG_HEADER, 1 << 12 | 1);
    write_to(PHASE_ADVANCE, 1);
    for (uint32_t i = 0; i < 3; i++)
        put_line(0, buffer + i, i == 0 ? 9 << 16 | 3 : 9 << 16 | i << 8);
    put_line(0, headers, 9 << 16 | 3);
    write_to(MSGS_RECEIVED_INC, 3 << 12 | 1);
    select_stream(0, 12);
    begin_source(CHANGES | DEST_NO_FLOW, 3, 8);
    for (unsigned mark = 1; mark <= 3; mark++)
        give(1, mark);
    travel();
    expect(WAIT_STATUS, WAITS);
    assert_int_equal(word_at(1, IN_BUFFER), 9 << 16 | 3);
    assert_int_equal(word_at(1, IN_BUFFER + 1), 2 << 16 | 1);
    assert_int_equal(word_at(1, IN_BUFFER + 2), 3 << 16 | 1);
}

/* A stream passes messages on that are longer than its buffer, and longer than a packet. */
static void test_relay(void **state)
{
    (void)state;
    const uint32_t lines = 700, buffer = 4;
    set_formats();
    select_stream(2, 6);
    begin_receiver(TO_SOFTWARE | CHANGES, name_of(1, 7, 0), 2, 1000);
    select_stream(1, 7);
    aim(name_of(2, 6, 0), 1000);
    write_to(REMOTE_DEST_MSG_INFO_WR_PTR, IN_HEADERS);
    begin_receiver(TO_STREAM | CHANGES, name_of(0, 63, 0), 2, buffer);
    select_stream(0, 63);
    aim(name_of(1, 7, 0), buffer);
    begin_source(CHANGES, 2, 1000);
    write_to(BUF_SIZE, 1000);
    give(5, 1);
    uint32_t size = 1000, place = read_from(WR_PTR);
    for (uint32_t i = 0; i < lines; i++)
        put_line(0, OUT_BUFFER + (place + i) % size, i == 0 ? lines : 0x10000 + i);
    put_line(0, read_from(MSG_INFO_WR_PTR), lines);
    write_to(MSGS_RECEIVED_INC, lines << 12 | 1);
    travel();
    expect(WAIT_STATUS, WAITS);
    select_stream(1, 7);
    expect(WAIT_STATUS, RUNS); /* the last receiver has not read the messages */
    expect(CFG_HEADER, 0);
    select_stream(2, 6);
    take(5, 1, 1000);
    expect(NEXT_SIZE, lines);
    for (uint32_t i = 1; i < lines; i++)
        assert_int_equal(word_at(2, read_from(NEXT_ADDR) + i), 0x10000 + i);
    write_to(MSG_INFO_CLEAR, 1);
    write_to(MSG_DATA_CLEAR, 1);
    travel();
    expect(WAIT_STATUS, WAITS);
    select_stream(1, 7);
    expect(WAIT_STATUS, WAITS);
}

/* One transmitter and three receivers. The slowest receiver decides. */
static void test_multicast(void **state)
{
    (void)state;
    set_formats();
    for (unsigned i = 0; i < 3; i++) {
        select_stream(1 + i, 40);
        begin_receiver(TO_SOFTWARE | CHANGES | SOURCE_MULTICASTS, name_of(0, 2, 0) | i << 18, 2, 8);
        if (i < 2)
            continue;
        select_stream(0, 2);
        aim(name_of(1, 40, 0), 8);
        write_to(MCAST_DEST, (name_of(3, 0, 0) & 0xFFF) | 1 << 12);
        write_to(MCAST_DEST_NUM, 3);
        begin_source(CHANGES, 2, 16);
        give(5, 1);
    }
    travel();
    for (unsigned i = 0; i < 3; i++) {
        select_stream(0, 2);
        expect(SPACE + i, 3);
        select_stream(1 + i, 40);
        if (i < 2)
            take(5, 1, 8);
    }
    select_stream(0, 2);
    give(4, 2);
    travel();
    expect(SPACE + 0, 5);
    expect(SPACE + 2, 0); /* three lines of the second message */
    select_stream(3, 40);
    expect(NUM_MSGS_RECEIVED, 1); /* the second is not whole */
    take(5, 1, 8);
    travel();
    take(4, 2, 8);
    travel();
    select_stream(0, 2);
    expect(WAIT_STATUS, RUNS);
    for (unsigned i = 0; i < 2; i++) {
        select_stream(1 + i, 40);
        take(4, 2, 8);
    }
    travel();
    select_stream(0, 2);
    expect(WAIT_STATUS, WAITS);
    /* The mask of SRC_READY_UPDATE: a request prompts another answer. */
    for (unsigned i = 0; i < 3; i++)
        expect(SPACE + i, 8);
}

/* One message goes through two tiles to nowhere, and one to a tile whose software never reads it. No software
   intervenes. */
static void begin_chain(void)
{
    set_formats();
    select_stream(2, 6);
    begin_receiver(CHANGES, name_of(1, 7, 0), 3, 40);
    select_stream(1, 7);
    aim(name_of(2, 6, 0), 40);
    write_to(REMOTE_DEST_MSG_INFO_WR_PTR, IN_HEADERS);
    begin_receiver(TO_STREAM | CHANGES, name_of(0, 63, 0), 3, 4);
    select_stream(3, 50);
    begin_receiver(TO_SOFTWARE | CHANGES | SOURCE_NOC1, name_of(1, 0, 1), 1, 40);
    select_stream(1, 0);
    aim(name_of(3, 50, 1), 40);
    begin_source(CHANGES | OUT_NOC1, 1, 200);
    give(30, 9);
    select_stream(0, 63);
    aim(name_of(1, 7, 0), 4);
    begin_source(CHANGES, 3, 200);
    for (unsigned i = 1; i <= 3; i++)
        give(10 * i, i);
}

static void expect_chain(void)
{
    travel();
    select_stream(1, 7);
    expect(WAIT_STATUS, WAITS);
    select_stream(0, 63);
    expect(WAIT_STATUS, WAITS);
    select_stream(2, 6);
    expect(WAIT_STATUS, WAITS);
    expect(RD_PTR, 60 % 40);
    for (uint32_t i = 0; i < 30; i++)
        assert_int_equal(word_at(2, IN_BUFFER + (30 + i) % 40), i == 0 ? 3 << 16 | 30 : 3 << 16 | i << 8);
    assert_int_equal(word_at(2, IN_HEADERS + 2), 3 << 16 | 30);
    select_stream(3, 50);
    expect(WAIT_STATUS, RUNS);
    take(30, 9, 40);
    travel();
    expect(WAIT_STATUS, WAITS);
    select_stream(1, 0);
    expect(WAIT_STATUS, WAITS);
}

static void test_modes(void **state)
{
    (void)state;
    static const struct {
        unsigned threads;
        bool serial, check;
        enum tf_mode mode;
        unsigned seed;
    } ways[] = {{1, false, false, TF_MODE_DETERMINISTIC, 0}, {3, false, false, TF_MODE_DETERMINISTIC, 0},
                {1, true, false, TF_MODE_DETERMINISTIC, 0},  {2, false, true, TF_MODE_DETERMINISTIC, 0},
                {1, false, false, TF_MODE_RELAXED, 0},       {3, false, false, TF_MODE_RELAXED, 0},
                {1, false, false, TF_MODE_DETERMINISTIC, 1}, {1, false, false, TF_MODE_DETERMINISTIC, 2},
                {1, false, true, TF_MODE_DETERMINISTIC, 3}};
    uint64_t hash = 0;
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        struct chip_wish config;
        struct tf_explore explore = {.seed = ways[i].seed};
        chip_wish_init(&config);
        config.arch = tf_arch_find("wormhole");
        config.threads = ways[i].threads;
        config.serial_delivery = ways[i].serial;
        config.check = ways[i].check;
        config.mode = ways[i].mode;
        tf_explore_random(&explore, ways[i].seed);
        config.explore = ways[i].seed != 0 ? &explore : NULL;
        assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
        begin_chain();
        expect_chain();
        if (ways[i].check)
            assert_int_equal(tf_races(chip, NULL, 0), 0);
        if (ways[i].mode == TF_MODE_DETERMINISTIC && ways[i].seed == 0) {
            hash = hash == 0 ? tf_state_hash(chip) : hash;
            assert_true(tf_state_hash(chip) == hash);
        }
        tf_chip_destroy(chip);
    }
}

/* The messages that streams have to send are part of the state. */
static void test_fork(void **state)
{
    (void)state;
    struct tf_chip *fork, *first_chip = chip;
    enum tf_end end;
    begin_chain();
    const struct tf_run_options options = {.cycles_max = 300};
    put(0x70000, 0);
    assert_int_equal(tf_run(chip, &options, &end), TF_OK);
    assert_int_equal(end, TF_END_CYCLES);
    assert_int_equal(tf_chip_fork(chip, NULL, &fork, NULL), TF_OK);
    expect_chain();
    chip = fork;
    expect_chain();
    assert_true(tf_state_hash(first_chip) == tf_state_hash(fork));
    chip = first_chip;
    tf_chip_destroy(fork);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_unicast, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_outside_the_buffer, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_next_phase, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_threshold, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_threshold_at_end, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_change_of_source, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_repeated_question, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_long, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_no_flow_control, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_turns, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_relay, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_multicast, setup_one_chip, teardown),
        cmocka_unit_test_setup_teardown(test_fork, setup_one_chip, teardown),
        cmocka_unit_test(test_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
