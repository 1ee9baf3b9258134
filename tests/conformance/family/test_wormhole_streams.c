/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Phases of a Wormhole tile's overlay streams, from software to software and to nowhere: README.md,
 * ReceiveFromSoftware.md, TransmitToSoftware.md, TransmitToNowhere.md and LoadConfigurationFromL1.md of NoC/Overlay;
 * their IRQs (PIC.md). test_wormhole_overlay has phases between tiles.
 */
#include <string.h>

#include "conformance/family/wormhole_tile.h"
#include "tile/mmio/map/map.h"
#include "tilefarm_address.h"

/* Registers by Wormhole's numbers. */
enum {
    REMOTE_DEST_MSG_INFO_WR_PTR = 9,
    BUF_START = 6,
    BUF_SIZE = 7,
    MSG_INFO_PTR = 8,
    MISC_CFG = 10,
    CURR_PHASE = 11,
    AUTO_CFG_PTR = 12,
    MSG_HEADER_FORMAT = 17,
    NUM_MSGS_RECEIVED = 18,
    NEXT_ADDR = 19,
    NEXT_SIZE = 20,
    MSG_INFO_CLEAR = 21,
    MSG_DATA_CLEAR = 22,
    RD_PTR = 24,
    WR_PTR = 25,
    MSG_INFO_WR_PTR = 26,
    PHASE_ADVANCE = 27,
    BUF_SPACE = 28,
    NEW_MSG_INFO = 29,
    MSGS_RECEIVED_INC = 30,
    WAIT_STATUS = 35,
    CFG_HEADER = 36,
    ZERO_MASK_AND = 38,
    CAN_PUSH = 41,
    COMPRESS = 42,
    SET_HEADER = 60,
    MSG_INFO = 128,
    DEBUG_STATUS_2 = 226,
    BLOB_DONE = 234,
    NEXT_BLOB_DONE = 246,
};

enum { FROM_SOFTWARE = 1 << 4, TO_SOFTWARE = 1 << 6, AUTO_CONFIG = 1 << 9, AUTO_ADVANCE = 1 << 10, NO_FLUSH = 1 << 17 };
enum { WAITS = 1 | 0 << 3, LOADED = 1 | 3 << 3, FLUSHES = 2 | 4 << 3, RUNS = 4 | 5 << 3 };

#define BUFFER 0x1000u  /* in units of 16 bytes */
#define HEADERS 0x2000u /* in units of 16 bytes */
#define PIC_STATUS TF_PIC_BASE
#define PIC_NEXT_IRQ (TF_PIC_BASE + 0x4)
#define PIC_ENABLE (TF_PIC_BASE + 0x8)
#define PIC_STREAM_IRQ_TYPE (TF_PIC_BASE + 0x14)

static unsigned stream;
static unsigned of_tile; /* 80 on: Ethernet tiles */

static uint32_t at(unsigned index)
{
    return TF_STREAM_BASE + 0x1000 * stream + 4 * index;
}

static void write_to(unsigned index, uint32_t value)
{
    assert_int_equal(tf_mmio_store(&chip->tiles.tile[of_tile], TF_CORE_B, at(index), 4, value), TF_ACCESS_OK);
}

static uint32_t read_from(unsigned index)
{
    uint32_t value = 0;
    bool pure;
    assert_int_equal(tf_mmio_load(&chip->tiles.tile[of_tile], TF_CORE_B, at(index), 4, &value, &pure), TF_ACCESS_OK);
    return value;
}

static void expect(unsigned index, uint32_t value)
{
    if (read_from(index) != value)
        fail_msg("register %u of stream %u is 0x%x, not 0x%x", index, stream, read_from(index), value);
}

/* The host touches a tile, so that its faults are collected. */
static void put_to(unsigned tile)
{
    struct tf_coord node;
    uint32_t word = 0;
    assert_int_equal(tf_tile_coord(tf_arch_find("wormhole"), 0, &node), TF_OK);
    if (tile >= 80)
        node = (struct tf_coord){1, 0};
    assert_int_equal(tf_write(chip, node, 0x20000, &word, sizeof word), TF_OK);
}

/* The store is refused, in these words. */
static void refused(unsigned index, uint32_t value, enum tf_fault_category category, const char *part)
{
    struct tf_fault fault;
    size_t count = tf_fault_count(chip);
    assert_int_equal(tf_mmio_store(&chip->tiles.tile[of_tile], TF_CORE_B, at(index), 4, value), TF_ACCESS_FAULT);
    put_to(of_tile);
    run();
    assert_int_equal(tf_fault_count(chip), count + 1);
    assert_int_equal(tf_fault_get(chip, count, &fault), TF_OK);
    assert_int_equal(fault.category, category);
    if (strstr(fault.text, part) == NULL)
        fail_msg("'%s' says nothing of '%s'", fault.text, part);
}

static void begin_phase(uint32_t config, uint32_t messages, uint32_t buffer)
{
    write_to(BUF_START, BUFFER);
    write_to(BUF_SIZE, buffer);
    write_to(MSG_INFO_PTR, HEADERS);
    write_to(MSG_INFO_WR_PTR, HEADERS);
    write_to(MISC_CFG, FROM_SOFTWARE | config);
    write_to(CFG_HEADER, messages << 12 | 1);
    expect(WAIT_STATUS, WAITS);
    write_to(PHASE_ADVANCE, 1);
}

static void push_to_stream(uint32_t lines)
{
    write_to(NEW_MSG_INFO, (BUFFER + read_from(WR_PTR)) | lines << 17);
}

/* Begin a phase, and push messages of one and two lines until the FIFO is full. */
static void push_all(unsigned capacity)
{
    uint32_t phase = read_from(CURR_PHASE);
    begin_phase(TO_SOFTWARE, 2 * capacity, 4 * capacity - 1);
    expect(WAIT_STATUS, RUNS);
    expect(CURR_PHASE, phase + 1);
    expect(BUF_SPACE, 4 * capacity - 1);
    for (unsigned m = 0; m < capacity; m++) {
        expect(CAN_PUSH, 1);
        for (unsigned w = 0; w < 4; w++)
            write_to(SET_HEADER + w, 0x100000 * (m + 1) + w);
        push_to_stream(m % 2 + 1);
        expect(NUM_MSGS_RECEIVED, m + 1);
    }
    expect(CAN_PUSH, 0);
    expect(MSG_INFO_PTR, HEADERS + capacity);
    expect(MSG_INFO_WR_PTR, HEADERS + capacity);
    expect(WR_PTR, 3 * capacity / 2);
    expect(BUF_SPACE, 4 * capacity - 1 - 3 * capacity / 2);
    refused(NEW_MSG_INFO, BUFFER | 1 << 17, TF_FAULT_UNDEFINED, "CAN_PUSH_NEW_MSG is 0");
}

static void expect_messages(unsigned capacity, unsigned words)
{
    expect(COMPRESS, words == 6 ? 5 : 0); /* bit 20 of a header's second word, of four messages */
    expect(ZERO_MASK_AND, words == 6 ? 2 : 0);
    expect(NEXT_ADDR, BUFFER);
    expect(NEXT_SIZE, 1);
    for (unsigned m = 0; m < 16; m++) {
        expect(MSG_INFO + m * words, m < capacity ? BUFFER + m / 2 * 3 + m % 2 : 0);
        expect(MSG_INFO + m * words + 1, m < capacity ? m % 2 + 1 : 0);
        if (words == 6)
            expect(MSG_INFO + m * words + 5, m < capacity ? 0x100000 * (m + 1) + 3 : 0);
    }
}

/* Software reads two messages, then fills and empties the L1 read complete FIFO. */
static void pull_two(unsigned capacity)
{
    expect(CFG_HEADER, (2 * capacity) << 12 | 2 * capacity);
    write_to(MSG_INFO_CLEAR, 2); /* both messages are one entry of the L1 read complete FIFO */
    expect(CFG_HEADER, (2 * capacity - 2) << 12 | (2 * capacity - 2));
    expect(NUM_MSGS_RECEIVED, capacity - 2);
    expect(RD_PTR, 0);
    expect(DEBUG_STATUS_2, 1 | 0 << 3);
    refused(MSG_INFO_CLEAR, 3, TF_FAULT_UNDEFINED, "group size");
    write_to(MSG_DATA_CLEAR, 1);
    expect(RD_PTR, 3);
    refused(MSG_DATA_CLEAR, 1, TF_FAULT_UNDEFINED, "is empty");
    for (unsigned m = 0; m < capacity; m++)
        write_to(MSG_INFO_CLEAR, 0);
    expect(DEBUG_STATUS_2, 0); /* the FIFO is full */
    refused(MSG_INFO_CLEAR, 0, TF_FAULT_UNDEFINED, "is full");
    for (unsigned m = 0; m < capacity; m++)
        write_to(MSG_DATA_CLEAR, 1);
    expect(RD_PTR, 3);
}

/* The other messages, and as many again as the phase expects: pointers wrap, and both FIFOs are popped at once. */
static void pull_all(unsigned capacity)
{
    write_to(REMOTE_DEST_MSG_INFO_WR_PTR, (uint32_t) - (int)(2 * (2 * capacity - 2)));
    expect(NUM_MSGS_RECEIVED, 0);
    expect(RD_PTR, 3 * capacity / 2);
    for (unsigned m = 0; m < capacity; m++) {
        expect(WAIT_STATUS, RUNS);
        push_to_stream(2);
    }
    expect(WAIT_STATUS, WAITS);
    expect(REMOTE_DEST_MSG_INFO_WR_PTR, 0);
    expect(RD_PTR, (3 * capacity / 2 + 2 * capacity) % (4 * capacity - 1));
    expect(WR_PTR, (3 * capacity / 2 + 2 * capacity) % (4 * capacity - 1));
    refused(NEW_MSG_INFO, BUFFER | 1 << 17, TF_FAULT_UNDEFINED, "MSG_FWD_ONGOING is 0");
}

/* Stream 0 has the registers that all streams share. */
static void expect_blob_done(void)
{
    unsigned ended = stream;
    stream = 0;
    expect(BLOB_DONE + ended / 32, 1u << ended % 32);
    expect(BLOB_DONE + !(ended / 32), 0);
    expect(NEXT_BLOB_DONE, 0x10000 | ended);
    expect(NEXT_BLOB_DONE, 0);
    stream = ended;
}

/* Streams 0 to 5 and 8 to 11 have FIFOs of 8 entries, others of 2; streams 4 and 5 keep headers. */
static void test_push_and_pull(void **state)
{
    (void)state;
    static const uint8_t streams[] = {0, 3, 4, 5, 6, 8, 11, 12, 63};
    for (unsigned i = 0; i < sizeof streams; i++) {
        stream = streams[i];
        unsigned capacity = stream < 6 || (stream >= 8 && stream < 12) ? 8 : 2;
        push_all(capacity);
        expect_messages(capacity, stream == 4 || stream == 5 ? 6 : 2);
        pull_two(capacity);
        pull_all(capacity);
        expect_blob_done();
    }
}

/* Lengths come from headers in L1, which the stream takes when its FIFO has room. */
static void test_header_array(void **state)
{
    (void)state;
    stream = 0;
    write_to(MSG_HEADER_FORMAT, UINT32_MAX);
    expect(MSG_HEADER_FORMAT, 0x3FFF);
    write_to(MSG_HEADER_FORMAT, (24 + 5) | 12 << 7); /* an offset is rounded down to a byte */
    for (unsigned m = 0; m < 5; m++) {
        put((HEADERS + m) * 16, (m + 1) << 24 | 0xFFFFFF);
        put((HEADERS + m) * 16 + 4, 0xFFFFFFF0);
    }
    stream = 20;
    begin_phase(TO_SOFTWARE, 5, 100);
    write_to(MSGS_RECEIVED_INC, 15 << 12 | 5);
    expect(WR_PTR, 15);
    expect(NUM_MSGS_RECEIVED, 2);
    expect(MSG_INFO_PTR, HEADERS + 2);
    expect(MSG_INFO_WR_PTR, HEADERS + 5);
    expect(CAN_PUSH, 0);
    for (unsigned m = 0, address = BUFFER; m < 5; m++) {
        expect(NEXT_ADDR, address);
        expect(NEXT_SIZE, m + 1);
        write_to(MSG_INFO_CLEAR, 1);
        write_to(MSG_DATA_CLEAR, 1);
        address += m + 1;
        expect(RD_PTR, address - BUFFER);
    }
    expect(WAIT_STATUS, WAITS);
    /* The next phase continues in the same buffer. */
    write_to(MSG_INFO_PTR, HEADERS);
    write_to(MSG_INFO_WR_PTR, HEADERS);
    write_to(CFG_HEADER, 1 << 12);
    write_to(PHASE_ADVANCE, 1);
    write_to(MSGS_RECEIVED_INC, 1 << 12 | 1);
    expect(NEXT_ADDR, BUFFER + 15);
    write_to(REMOTE_DEST_MSG_INFO_WR_PTR, (uint32_t)-2);
    expect(RD_PTR, 16);
    /* To nowhere: messages are dropped when they arrive. */
    begin_phase(0, 5, 100);
    write_to(MSGS_RECEIVED_INC, 10 << 12 | 4);
    expect(RD_PTR, 10);
    expect(NUM_MSGS_RECEIVED, 0);
    expect(WAIT_STATUS, RUNS);
    refused(MSG_INFO_CLEAR, 1, TF_FAULT_UNDEFINED, "does not transmit to software");
    write_to(MSGS_RECEIVED_INC, 5 << 12 | 1);
    expect(RD_PTR, 15);
    expect(WAIT_STATUS, WAITS);
    put(HEADERS * 16, 0);
    put(HEADERS * 16 + 4, 0);
    begin_phase(0, 1, 100);
    refused(MSGS_RECEIVED_INC, 1 << 12 | 1, TF_FAULT_UNDEFINED, "at least 16 bytes");
}

/* The length begins in one word of a header and ends in the next one, or at the end of the header. */
static void test_length_in_two_words(void **state)
{
    (void)state;
    for (unsigned word = 0; word < 4; word++) {
        stream = 0;
        write_to(MSG_HEADER_FORMAT, (32 * word + 24) | 12 << 7);
        for (unsigned i = 0; i < 4; i++)
            put(HEADERS * 16 + 4 * i, 0xAAAAAAAA);
        put(HEADERS * 16 + 4 * word, 5u << 24 | 0xFFFFFF);
        if (word < 3)
            put(HEADERS * 16 + 4 * (word + 1), 0xFFFFFFF1);
        const uint32_t length = word < 3 ? 0x105 : 5;
        stream = 20;
        begin_phase(TO_SOFTWARE, 1, 0x200);
        write_to(MSGS_RECEIVED_INC, length << 12 | 1);
        expect(NEXT_SIZE, length);
        write_to(MSG_INFO_CLEAR, 1);
        write_to(MSG_DATA_CLEAR, 1);
        expect(RD_PTR, length);
        expect(WAIT_STATUS, WAITS);
    }
}

/* STREAM_BLOB_NEXT_AUTO_CFG_DONE: finished streams come in turn. */
static void test_finished_in_turn(void **state)
{
    (void)state;
    for (stream = 20; stream < 22; stream++)
        begin_phase(0, 0, 10);
    stream = 0;
    expect(NEXT_BLOB_DONE, 0x10000 | 20);
    stream = 20;
    begin_phase(0, 0, 10);
    stream = 0;
    expect(NEXT_BLOB_DONE, 0x10000 | 21);
    expect(NEXT_BLOB_DONE, 0x10000 | 20);
    expect(NEXT_BLOB_DONE, 0);
    /* A bit that is written to one of the two words of the set leaves it. */
    for (stream = 20; stream < 64; stream += 10)
        begin_phase(0, 0, 10);
    stream = 0;
    write_to(BLOB_DONE + 1, 1 << 8);
    write_to(BLOB_DONE, 1 << 20);
    expect(NEXT_BLOB_DONE, 0x10000 | 30);
    expect(NEXT_BLOB_DONE, 0x10000 | 50);
    expect(NEXT_BLOB_DONE, 0x10000 | 60);
    expect(NEXT_BLOB_DONE, 0);
}

enum { LIST = 0x8000, LIST_CONFIG = FROM_SOFTWARE | TO_SOFTWARE };

static void put_list(const uint32_t *words, size_t bytes)
{
    for (uint32_t at = 0; at < bytes; at += 4)
        put(LIST + at, words[at / 4]);
}

/* Stream 8 begins with the first phase of the list. */
static void begin_list(void)
{
    stream = 8;
    store(TF_CORE_NC, PIC_ENABLE, 0x7FFFF);
    store(TF_CORE_NC, PIC_STREAM_IRQ_TYPE + 4 * 4, 1); /* start */
    write_to(CURR_PHASE, 100);
    write_to(CFG_HEADER, 2u << 24);
    write_to(AUTO_CFG_PTR, LIST);
    write_to(MISC_CFG, LIST_CONFIG | AUTO_CONFIG | AUTO_ADVANCE);
    expect(WAIT_STATUS, RUNS);
    expect(CURR_PHASE, 107);
    expect(BUF_SIZE, 50);
    expect(AUTO_CFG_PTR, LIST + 12);
    assert_int_equal(load(TF_CORE_B, PIC_STATUS), 1 << 4);
    store(TF_CORE_NC, PIC_STATUS, 1 << 4);
}

/* The last phase ends without a message. */
static void end_list(void)
{
    store(TF_CORE_NC, PIC_STREAM_IRQ_TYPE + 4 * 4, 2); /* end */
    store(TF_CORE_NC, PIC_STATUS, UINT32_MAX);
    push_to_stream(1);
    write_to(REMOTE_DEST_MSG_INFO_WR_PTR, (uint32_t)-2);
    expect(WAIT_STATUS, LOADED);
    expect(CURR_PHASE, 113);
    assert_int_equal(load(TF_CORE_B, PIC_STATUS), 1 << 4);
    store(TF_CORE_NC, PIC_STATUS, UINT32_MAX);
    write_to(PHASE_ADVANCE, 0);
    expect(WAIT_STATUS, WAITS);
    assert_int_equal(load(TF_CORE_B, PIC_STATUS), 1 << 16 | 1 << 4);
    assert_int_equal(load(TF_CORE_B, PIC_NEXT_IRQ), 4);
    assert_int_equal(load(TF_CORE_B, PIC_NEXT_IRQ), 16);
    assert_int_equal(load(TF_CORE_B, PIC_NEXT_IRQ), 4);
    stream = 0;
    expect(BLOB_DONE, 1 << 8);
    write_to(BLOB_DONE, 1 << 8);
    expect(BLOB_DONE, 0);
    stream = 8;
}

/* Three phases from a list in L1: the last one without messages. */
static void test_configuration_in_l1(void **state)
{
    (void)state;
    static const uint32_t words[] = {
        /* a phase of two messages, and three words for the next one */
        2u << 24 | 2 << 12 | 7,
        BUF_START << 24 | BUFFER,
        BUF_SIZE << 24 | 50,
        /* a phase of one message */
        1u << 24 | 1 << 12 | 1,
        MISC_CFG << 24 | LIST_CONFIG | AUTO_CONFIG | AUTO_ADVANCE,
        BUF_SIZE << 24 | 60,
        /* a phase without messages, the last one */
        0u << 24 | 0 << 12 | 5,
        MISC_CFG << 24 | LIST_CONFIG,
    };
    put_list(words, sizeof words);
    begin_list();
    push_to_stream(3);
    push_to_stream(4);
    write_to(MSG_INFO_CLEAR, 2);
    expect(BUF_SIZE, 60);
    expect(CURR_PHASE, 108);
    expect(AUTO_CFG_PTR, LIST + 24);
    expect(WAIT_STATUS, FLUSHES); /* the next phase, until the messages are read */
    assert_int_equal(load(TF_CORE_B, PIC_STATUS), 0);
    write_to(MSG_DATA_CLEAR, 1);
    expect(WAIT_STATUS, RUNS);
    assert_int_equal(load(TF_CORE_B, PIC_STATUS), 1 << 4);
    end_list();
}

static void test_bad_lists(void **state)
{
    (void)state;
    stream = 8;
    write_to(AUTO_CFG_PTR, 2);
    refused(MISC_CFG, LIST_CONFIG | AUTO_CONFIG, TF_FAULT_UNDEFINED, "not aligned");
    /* A list that leads to itself, without messages. */
    put_list((const uint32_t[]){1u << 24, AUTO_CFG_PTR << 24 | LIST}, 8);
    write_to(MISC_CFG, LIST_CONFIG);
    write_to(CFG_HEADER, 1u << 24);
    write_to(AUTO_CFG_PTR, LIST);
    stream = 9;
    write_to(CFG_HEADER, 1u << 24);
    write_to(AUTO_CFG_PTR, LIST);
    refused(MISC_CFG, LIST_CONFIG | AUTO_CONFIG | AUTO_ADVANCE, TF_FAULT_UNDEFINED, "without end");
}

/* A feature that no stream has, or that this one lacks, is a fault. */
static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        uint32_t config;
        enum tf_fault_category category;
        const char *part;
    } ends[] = {
        {0, TF_FAULT_UNDEFINED, "one source"},
        {3 << 4, TF_FAULT_UNDEFINED, "one source"},
        {FROM_SOFTWARE | 3 << 6, TF_FAULT_UNDEFINED, "at most one destination"},
        {1 << 3, TF_FAULT_UNDEFINED, "this stream of Wormhole cannot gather"},
        {1 << 3 | 1 << 7, TF_FAULT_UNDEFINED, "cannot transmit to another one that does"},
    };
    stream = 7;
    for (unsigned i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        write_to(MISC_CFG, ends[i].config);
        refused(PHASE_ADVANCE, 1, ends[i].category, ends[i].part);
        expect(WAIT_STATUS, WAITS);
    }
    refused(32, 0x3F, TF_FAULT_UNDEFINED, "at most 32 receivers");
    refused(31, 1, TF_FAULT_UNIMPLEMENTED, "no page of NoC/Overlay");
    begin_phase(TO_SOFTWARE, 1, 10);
    refused(NEW_MSG_INFO, BUFFER | 11 << 17, TF_FAULT_UNDEFINED, "longer than the receive buffer");
    push_to_stream(1);
    refused(NEW_MSG_INFO, BUFFER | 1 << 17, TF_FAULT_UNDEFINED, "expects no more messages");
}

/* UNPACR_NOP_OverlayClear.md: the coprocessor reads a message, then gives its place back. */
static void test_coprocessor(void **state)
{
    (void)state;
    stream = 9;
    begin_phase(TO_SOFTWARE, 2, 10);
    push_to_stream(3);
    write_to(MSG_INFO_CLEAR, 1);
    push(0x43000000 | 9 << 16 | 1 << 4 | 3);
    expect(RD_PTR, 3);
}

/* A fork continues where the chip is: messages, entries and finished streams are part of the state. */
static void test_fork(void **state)
{
    (void)state;
    struct tf_chip *fork, *first_chip = chip;
    stream = 4;
    begin_phase(0, 0, 10);
    begin_phase(TO_SOFTWARE, 3, 10);
    uint64_t before = tf_state_hash(chip);
    push_to_stream(3);
    push_to_stream(2);
    write_to(MSG_INFO_CLEAR, 1);
    run();
    assert_true(tf_state_hash(chip) != before);
    assert_int_equal(tf_chip_fork(chip, NULL, &fork, NULL), TF_OK);
    assert_true(tf_state_hash(chip) == tf_state_hash(fork));
    chip = fork;
    expect(NEXT_ADDR, BUFFER + 3);
    expect(NEXT_SIZE, 2);
    write_to(MSG_DATA_CLEAR, 1);
    expect(RD_PTR, 3);
    stream = 0;
    expect(NEXT_BLOB_DONE, 0x10000 | 4);
    assert_true(tf_state_hash(first_chip) != tf_state_hash(fork));
    chip = first_chip;
    expect(NEXT_BLOB_DONE, 0x10000 | 4);
    tf_chip_destroy(fork);
}

/* Streams of Ethernet tiles: README.md, "Stream Capabilities", and the widths of AsGeneralUse.md. */
static void test_ethernet(void **state)
{
    (void)state;
    enum { MCAST_DEST = 13, GATHER = 15, LOCAL_SRC_MASK = 48, SCRATCH = 248 };
    static const struct {
        uint8_t stream, messages, reads;
        bool many, dram;
    } streams[] = {{0, 32, 128, true, true},   {1, 32, 128, true, true}, {2, 32, 128, false, true},
                   {4, 2, 2, false, false},    {7, 2, 2, false, false},  {8, 32, 128, false, true},
                   {11, 32, 128, false, true}, {12, 2, 2, false, false}, {31, 2, 2, false, false}};
    of_tile = 80;
    for (unsigned i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        static const uint32_t masks[3] = {0xFFFFFF, 0xFF, 0};
        stream = streams[i].stream;
        for (unsigned k = 0; k < 3; k++) {
            write_to(LOCAL_SRC_MASK + k, UINT32_MAX);
            expect(LOCAL_SRC_MASK + k, streams[i].many ? masks[k] : 0);
        }
        write_to(MCAST_DEST, UINT32_MAX);
        expect(MCAST_DEST, streams[i].many ? 0x7FFFF : 0);
        write_to(GATHER, UINT32_MAX);
        expect(GATHER, streams[i].many ? 0xF : 0);
        write_to(SCRATCH, UINT32_MAX);
        expect(SCRATCH, streams[i].dram ? 0xFFFFFF : 0);
        begin_phase(TO_SOFTWARE, 1000, 1000);
        for (unsigned m = 0; m < streams[i].messages; m++) {
            expect(CAN_PUSH, 1);
            push_to_stream(1);
        }
        expect(CAN_PUSH, 0);
        expect(MSG_INFO + 2, BUFFER + 1);
        expect(COMPRESS, 0);
        refused(MSG_INFO_CLEAR, 4, TF_FAULT_UNDEFINED, "group size");
        for (unsigned r = 0; r < streams[i].reads; r++) {
            expect(DEBUG_STATUS_2, 1);
            write_to(MSG_INFO_CLEAR, 0);
        }
        expect(DEBUG_STATUS_2, 0);
    }
    stream = 32;
    refused(MISC_CFG, 0, TF_FAULT_UNDEFINED, "no such stream");
    of_tile = 0;
}

/* B is parked while no IRQ is pending. When two are pending, it takes the earlier one first. */
static void test_parked_irq_poller(void **state)
{
    (void)state;
    const uint32_t program[] = {
        0xFFB13337, /* lui x6, 0xFFB13 */
        0x000303B7, /* lui x7, 0x30 */
        0x00432283, /* lw x5, 4(x6) */
        0xFE028EE3, /* beq x5, x0, -4 */
        0x0053A023, /* sw x5, 0(x7) */
        0x00432283, /* lw x5, 4(x6) */
        0x0053A223, /* sw x5, 4(x7) */
        0x0000006F, /* j . */
    };
    for (unsigned i = 0; i < sizeof program / sizeof program[0]; i++)
        put(0x1000 + 4 * i, program[i]);
    store(TF_CORE_B, PIC_ENABLE, 0x7FFFF);
    store(TF_CORE_B, PIC_STREAM_IRQ_TYPE + 4 * 4, 3);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_B, 0x1000), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
    run();
    stream = 8;
    begin_phase(0, 0, 10); /* IRQ 4 for its phase, IRQ 16 for its blob */
    run();
    assert_int_equal(get(0x30000), 4);
    assert_int_equal(get(0x30004), 16);
}

static bool refuses;

void *__real_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes)
{
    return refuses ? NULL : __real_calloc(count, bytes);
}

/* A stream takes memory for its phases with its first access. */
static void test_no_memory(void **state)
{
    (void)state;
    struct tf_fault fault;
    stream = 20;
    refuses = true;
    assert_int_equal(tf_mmio_store(&chip->tiles.tile[of_tile], TF_CORE_B, at(PHASE_ADVANCE), 4, 1), TF_ACCESS_FAULT);
    refuses = false;
    put_to(of_tile);
    run();
    assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
    assert_int_equal(fault.category, TF_FAULT_HOST);
    begin_phase(TO_SOFTWARE, 1, 100);
    expect(WAIT_STATUS, RUNS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_push_and_pull),
        TEST(test_header_array),
        TEST(test_length_in_two_words),
        TEST(test_configuration_in_l1),
        TEST(test_bad_lists),
        TEST(test_finished_in_turn),
        TEST(test_refusals),
        TEST(test_coprocessor),
        TEST(test_fork),
        TEST(test_ethernet),
        TEST(test_parked_irq_poller),
        TEST(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
