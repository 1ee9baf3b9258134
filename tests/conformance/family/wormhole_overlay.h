/* SPDX-License-Identifier: Apache-2.0 */
/* Overlay streams of Wormhole tiles, for a test that is the software at both ends. After cmocka.h. */
#ifndef TESTS_CONFORMANCE_FAMILY_WORMHOLE_OVERLAY_H
#define TESTS_CONFORMANCE_FAMILY_WORMHOLE_OVERLAY_H

#include <string.h>

#include "conformance/family/wormhole_tile.h"
#include "tile/mmio/map/map.h"
#include "tilefarm_address.h"

/* Registers by Wormhole's numbers. */
enum {
    REMOTE_SRC = 0,
    REMOTE_SRC_PHASE = 1,
    REMOTE_DEST = 2,
    REMOTE_DEST_BUF_START = 3,
    REMOTE_DEST_BUF_SIZE = 4,
    REMOTE_DEST_WR_PTR = 5,
    BUF_START = 6,
    BUF_SIZE = 7,
    MSG_INFO_PTR = 8,
    REMOTE_DEST_MSG_INFO_WR_PTR = 9,
    MISC_CFG = 10,
    CURR_PHASE = 11,
    MCAST_DEST = 13,
    MCAST_DEST_NUM = 14,
    GATHER = 15,
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
    DEST_PHASE_READY = 32,
    SRC_READY = 33,
    SPACE_UPDATE = 34,
    WAIT_STATUS = 35,
    CFG_HEADER = 36,
    ACK_THRESHOLD = 40,
    GATHER_CLEAR = 43,
    LOCAL_SRC_MASK = 48,
    SET_HEADER = 60,
    SPACE = 64,
    MSG_INFO = 128,
    DEST_BUF_START_HI = 242,
    MSG_INFO_WR_PTR_HI = 243,
    SCRATCH = 248,
};

/* Fields of MISC_CFG. */
enum {
    OUT_NOC1 = 1 << 1,
    SOURCE_NOC1 = 1 << 2,
    FROM_GATHER = 1 << 3,
    FROM_SOFTWARE = 1 << 4,
    FROM_STREAM = 1 << 5,
    TO_SOFTWARE = 1 << 6,
    TO_GATHER = 1 << 7,
    TO_STREAM = 1 << 8,
    SRC_CHANGE = 1 << 12,
    DEST_CHANGE = 1 << 13,
    NO_FLOW = 1 << 14,
    DEST_NO_FLOW = 1 << 15,
    SOURCE_MULTICASTS = 1 << 16,
    CHANGES = SRC_CHANGE | DEST_CHANGE,
};
enum { WAITS = 1, RUNS = 4 | 5 << 3 };

#define OUT_BUFFER 0x1000u /* of the transmitter, in units of 16 bytes */
#define OUT_HEADERS 0x2000u
#define IN_BUFFER 0x3000u /* of the receiver */
#define IN_HEADERS 0x3800u
#define ETH_FIRST 80u /* the first Ethernet tile, at (1, 0) */

static unsigned tile, stream; /* that the functions below access */

static inline void select_stream(unsigned which, unsigned number)
{
    tile = which;
    stream = number;
}

static inline struct tf_coord place_of(unsigned which)
{
    struct tf_coord place = {1, 0};
    if (which < ETH_FIRST)
        assert_int_equal(tf_tile_coord(tf_arch_find("wormhole"), which, &place), TF_OK);
    return place;
}

static inline uint32_t at(unsigned index)
{
    return TF_STREAM_BASE + 0x1000 * stream + 4 * index;
}

static inline void write_at(int line, unsigned index, uint32_t value)
{
    struct tf_tile *to = &chip->tiles.tile[tile];
    if (tf_mmio_store(to, TF_CORE_B, at(index), 4, value) != TF_ACCESS_OK)
        fail_msg("line %d: %s", line, to->faults.entry[to->faults.count - 1].text);
}
#define write_to(index, value) write_at(__LINE__, index, value)

static inline uint32_t read_from(unsigned index)
{
    uint32_t value = 0;
    bool pure;
    assert_int_equal(tf_mmio_load(&chip->tiles.tile[tile], TF_CORE_B, at(index), 4, &value, &pure), TF_ACCESS_OK);
    return value;
}

static inline void expect_at(int line, unsigned index, uint32_t value)
{
    if (read_from(index) != value)
        fail_msg("line %d: register %u of stream %u in tile %u is 0x%x, not 0x%x", line, index, stream, tile,
                 read_from(index), value);
}
#define expect(index, value) expect_at(__LINE__, index, value)

static inline void put_line(unsigned which, uint32_t line, uint32_t word)
{
    const uint32_t words[4] = {word, line, ~word, which};
    assert_int_equal(tf_write(chip, place_of(which), 16 * line, words, sizeof words), TF_OK);
}

static inline uint32_t word_at(unsigned which, uint32_t line)
{
    uint32_t word;
    assert_int_equal(tf_read(chip, place_of(which), 16 * line, &word, sizeof word), TF_OK);
    return word;
}

static size_t faults;

/* Packets travel. The test's stores have woken no core: its writes to L1 do. */
static inline void travel(void)
{
    enum tf_end end;
    const uint32_t word = 0;
    for (unsigned which = 0; which < 4; which++)
        assert_int_equal(tf_write(chip, place_of(which), 0x70000, &word, sizeof word), TF_OK);
    assert_int_equal(tf_write(chip, place_of(ETH_FIRST), 0x20000, &word, sizeof word), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    struct tf_fault fault;
    if (tf_fault_count(chip) != faults && tf_fault_get(chip, faults, &fault) == TF_OK)
        fail_msg("%s", fault.text);
}

/* A fault with these words comes of the packets that travel now. */
static inline void travel_refused(enum tf_fault_category category, const char *part)
{
    enum tf_end end;
    struct tf_fault fault;
    const uint32_t word = 0;
    for (unsigned which = 0; which < 4; which++)
        assert_int_equal(tf_write(chip, place_of(which), 0x70000, &word, sizeof word), TF_OK);
    assert_int_equal(tf_write(chip, place_of(ETH_FIRST), 0x20000, &word, sizeof word), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(tf_fault_count(chip), ++faults);
    assert_int_equal(tf_fault_get(chip, faults - 1, &fault), TF_OK);
    assert_int_equal(fault.category, category);
    if (strstr(fault.text, part) == NULL || strstr(fault.text, "Wormhole") == NULL)
        fail_msg("'%s' says nothing of '%s'", fault.text, part);
}

static inline uint32_t name_of(unsigned which, unsigned number, unsigned noc)
{
    struct tf_coord place = place_of(which);
    if (noc == 0)
        return place.x | (uint32_t)place.y << 6 | number << 12;
    return (9u - place.x) | (uint32_t)(11 - place.y) << 6 | number << 12;
}

/* The length of a message is in the low 15 bits of its first word. */
static inline void set_formats(void)
{
    static const unsigned tiles[] = {0, 1, 2, 3, ETH_FIRST};
    for (unsigned i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        select_stream(tiles[i], 0);
        write_to(MSG_HEADER_FORMAT, 15 << 7);
    }
}

/* Configures and starts a phase of the selected stream. */
static inline void begin_source(uint32_t config, uint32_t messages, uint32_t buffer)
{
    write_to(BUF_START, OUT_BUFFER);
    write_to(BUF_SIZE, buffer);
    write_to(MSG_INFO_PTR, OUT_HEADERS);
    write_to(MSG_INFO_WR_PTR, OUT_HEADERS);
    write_to(REMOTE_DEST_MSG_INFO_WR_PTR, IN_HEADERS);
    write_to(MISC_CFG, FROM_SOFTWARE | TO_STREAM | config);
    write_to(CFG_HEADER, messages << 12 | 1);
    write_to(PHASE_ADVANCE, 1);
}

static inline void aim(uint32_t receiver, uint32_t buffer)
{
    write_to(REMOTE_DEST, receiver);
    write_to(REMOTE_DEST_BUF_START, IN_BUFFER);
    write_to(REMOTE_DEST_BUF_SIZE, buffer);
    write_to(MCAST_DEST_NUM, 1);
}

static inline void begin_receiver(uint32_t config, uint32_t transmitter, uint32_t messages, uint32_t buffer)
{
    write_to(BUF_START, IN_BUFFER);
    write_to(BUF_SIZE, buffer);
    write_to(MSG_INFO_PTR, IN_HEADERS);
    write_to(MSG_INFO_WR_PTR, IN_HEADERS);
    write_to(REMOTE_SRC, transmitter);
    write_to(MISC_CFG, FROM_STREAM | config);
    write_to(CFG_HEADER, messages << 12 | 1);
    write_to(REMOTE_SRC_PHASE, read_from(CURR_PHASE));
    write_to(PHASE_ADVANCE, 1);
}

/* Software gives the selected stream a message: header in both places, then data that tell where they are from. */
static inline void give(uint32_t lines, uint32_t mark)
{
    uint32_t size = read_from(BUF_SIZE), place = read_from(WR_PTR);
    for (uint32_t i = 0; i < lines; i++)
        put_line(tile, OUT_BUFFER + (place + i) % size, i == 0 ? mark << 16 | lines : mark << 16 | i << 8);
    put_line(tile, read_from(MSG_INFO_WR_PTR), mark << 16 | lines);
    write_to(MSGS_RECEIVED_INC, lines << 12 | 1);
}

/* Software takes a message from the selected stream, whose buffer has so many lines. */
static inline void take_at(int line, uint32_t lines, uint32_t mark, uint32_t buffer)
{
    if (read_from(NUM_MSGS_RECEIVED) == 0)
        fail_msg("line %d: no message", line);
    expect_at(line, NEXT_SIZE, lines);
    uint32_t address = read_from(NEXT_ADDR);
    for (uint32_t i = 0; i < lines; i++) {
        uint32_t word = word_at(tile, IN_BUFFER + (address - IN_BUFFER + i) % buffer);
        if (word != (i == 0 ? mark << 16 | lines : mark << 16 | i << 8))
            fail_msg("line %d: line %u of message %u is 0x%x", line, i, mark, word);
    }
    write_to(MSG_INFO_CLEAR, 1);
    write_to(MSG_DATA_CLEAR, 1);
}
#define take(lines, mark, buffer) take_at(__LINE__, lines, mark, buffer)

static inline int setup_one_chip(void **state)
{
    faults = 0;
    return setup(state);
}

#endif
