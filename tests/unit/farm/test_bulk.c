/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Long transfers whose bytes other requests of the epoch touch. The delivery order says the outcome: sources of long
 * writes are captured first, then requests act, then data of long reads land in the order of issue. Serial delivery and
 * delivery by sites agree, wherever the tiles are: workers visit sites in the order of their numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "host/sanitizer.h"
#include "one_column.h"
#include "stress/rv_emit.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_address.h"

#define NIU TF_NIU_BASE(0)
#define STAMP (TF_DEBUG_BASE + TF_DEBUG_TIMESTAMP)
#define STAMP_BUFFER (TF_DEBUG_BASE + TF_DEBUG_TIMESTAMP_BUFFERS)
#define LONG 4096u /* more than a request carries */
#define STEP 3072u /* reads at this distance overlap their neighbours alone */
#define CODE 0x100u
#define FUNCTION 0x8000u
#define RESULT 0x9000u /* two words */
#define SMALL 0xA000u
#define DATA 0x10000u
#define FROM 0x20000u
#define OUT 0x40000u
#define SMALL_BYTES 64u

enum { X_BASE = 26, X_VALUE, X_LINK = 1, X_RESULT = 10 };
enum { READ = 0, WRITE = 2 | 1 << 4, INLINE = 2 | 1 << 3 | 1 << 4 };

static const struct way {
    unsigned threads;
    bool serial;
} ways[] = {{1, true}, {1, false}, {2, false}};

/* ThreadSanitizer finds nothing where one thread works: begin with the first way of several. */
#define FIRST_WAY (TF_WITH_TSAN ? 2u : 0u)

static struct tf_chip *chip;
static unsigned own, other, far;
static uint32_t words[512];
static struct code code;

static void create(const struct way *way)
{
    struct chip_wish config;
    chip_wish_init(&config);
    one_column(&config.board);
    config.threads = way->threads;
    config.serial_delivery = way->serial;
    config.pin = false;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
}

/* Bytes of a pattern, which depends on the seed. */
static void fill(uint8_t *data, uint32_t bytes, uint32_t seed)
{
    for (uint32_t i = 0; i < bytes; i++)
        data[i] = (uint8_t)((i >> 8) * 31 + i * 7 + seed * 101 + 1);
}

static void set(unsigned tile, uint32_t address, uint32_t bytes, uint32_t seed)
{
    uint8_t data[3 * LONG];
    fill(data, bytes, seed);
    assert_int_equal(tf_write(chip, one_column_coord(tile), address, data, bytes), TF_OK);
}

static void expect(unsigned tile, uint32_t address, const uint8_t *wanted, uint32_t bytes, const char *what)
{
    uint8_t found[3 * LONG];
    assert_int_equal(tf_read(chip, one_column_coord(tile), address, found, bytes), TF_OK);
    for (uint32_t i = 0; i < bytes; i++)
        if (found[i] != wanted[i])
            fail_msg("%s, tiles %u, %u, %u: byte %u is 0x%x, not 0x%x", what, own, other, far, i, found[i], wanted[i]);
}

static void expect_pattern(unsigned tile, uint32_t address, uint32_t bytes, uint32_t seed, const char *what)
{
    uint8_t wanted[3 * LONG];
    fill(wanted, bytes, seed);
    expect(tile, address, wanted, bytes, what);
}

static void store(uint32_t address, uint32_t value)
{
    li(&code, X_BASE, address);
    li(&code, X_VALUE, value);
    put(&code, rv_s(SW, X_VALUE, X_BASE, 0));
}

static uint32_t xy_of(unsigned tile)
{
    return one_column_coord(tile).x | (uint32_t)one_column_coord(tile).y << 6;
}

/* An initiator's request, from one tile to another. All requests of a program are of one epoch. */
static void ask(unsigned initiator, uint32_t ctrl, uint32_t from, unsigned from_tile, uint32_t to, unsigned to_tile,
                uint32_t length)
{
    const uint32_t niu = NIU + 0x800 * initiator;
    store(niu + 0x00, from);
    store(niu + 0x08, xy_of(from_tile));
    store(niu + 0x0C, to);
    store(niu + 0x14, xy_of(to_tile));
    store(niu + 0x1C, ctrl);
    store(niu + 0x20, length);
    store(niu + 0x40, 1);
}

static void read_long(unsigned initiator, uint32_t from, uint32_t to)
{
    ask(initiator, READ, from, other, to, own, LONG);
}

static void write_long(unsigned initiator, uint32_t from)
{
    ask(initiator, WRITE, from, own, OUT, far, LONG);
}

/* The words so far become the program of the own tile, which runs until nothing is in flight. */
static void run(void)
{
    enum tf_end end;
    struct tf_fault fault;
    put(&code, rv_j(0, 0));
    assert_int_equal(tf_core_stop(chip, own, TF_CORE_B), TF_OK);
    assert_int_equal(tf_write(chip, one_column_coord(own), CODE, words, code.count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, own, TF_CORE_B, CODE), TF_OK);
    assert_int_equal(tf_core_start(chip, own, TF_CORE_B), TF_OK);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    if (tf_fault_get(chip, 0, &fault) == TF_OK)
        fail_msg("%s", fault.text);
    assert_int_equal(end, TF_END_QUIET);
    code.count = 0;
}

/* The read lands on bytes that the write takes: all of them, or a quarter at either end. */
static void read_onto_source(void)
{
    static const int32_t offsets[] = {0, STEP, -(int32_t)STEP};
    for (unsigned i = 0; i < 6; i++) {
        const uint32_t source = DATA + LONG + (uint32_t)offsets[i / 2];
        set(own, DATA, 3 * LONG, 10 + i);
        set(other, FROM, LONG, 20 + i);
        set(own, source, LONG, 30 + i);
        if (i % 2 == 0)
            read_long(0, FROM, DATA + LONG);
        write_long(1, source);
        if (i % 2 != 0)
            read_long(0, FROM, DATA + LONG);
        run();
        expect_pattern(far, OUT, LONG, 30 + i, "a long write whose source a read changes");
        expect_pattern(own, DATA + LONG, LONG, 20 + i, "a long read onto a write's source");
    }
}

/* A write to a register lets the tile write a line of 16 bytes to L1 (DebugTimestamper.md). */
static void stamp_line(uint32_t address)
{
    const uint32_t buffer[] = {address / 16, address / 16};
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(tf_write(chip, one_column_coord(own), STAMP_BUFFER + 4 * i, &buffer[i], 4), TF_OK);
    store(NIU + 0x800 * 3 + 0x28, 0xABCDE0); /* an event of 128 bits */
    ask(3, INLINE, STAMP, own, 0, own, 0);
}

static void register_writes_memory(void)
{
    static const uint8_t event[] = {0xE0, 0xCD, 0xAB, 0x00};
    const uint32_t empty[] = {1, 3}; /* the buffer may be filled again */
    for (unsigned i = 0; i < 2; i++) {
        set(own, DATA, LONG, 40);
        set(other, FROM, LONG, 41);
        assert_int_equal(tf_write(chip, one_column_coord(own), TF_DEBUG_BASE + TF_DEBUG_TIMESTAMP_STATUS, &empty[1], 4),
                         TF_OK);
        stamp_line(DATA + 256);
        if (i == 0)
            write_long(1, DATA);
        else
            read_long(0, FROM, DATA);
        run();
        if (i == 0) {
            expect_pattern(far, OUT, LONG, 40, "a long write from where a register writes");
            expect(own, DATA + 256, event, sizeof event, "an event");
        } else {
            expect_pattern(own, DATA, LONG, 41, "a long read onto what a register writes");
        }
    }
}

/* Three reads, of which each overlaps the next. A short write to one of them lets the first bytes of all be staged. */
static void chain_of_reads(void)
{
    for (unsigned i = 0; i < 6; i++) {
        const bool down = i >= 3; /* the first read lands last in memory */
        uint8_t wanted[3 * LONG] = {0};
        set(own, SMALL, SMALL_BYTES, 50);
        for (unsigned read = 0; read < 3; read++) {
            const uint32_t place = STEP * (down ? 2 - read : read);
            set(other, FROM + 0x4000 * read, LONG, 60 + read);
            read_long(read, FROM + 0x4000 * read, DATA + place);
            fill(wanted + place, LONG, 60 + read);
        }
        ask(3, WRITE, SMALL, own, DATA + STEP * (i % 3) + LONG / 2 - 1024, own, SMALL_BYTES);
        run();
        expect(own, DATA, wanted, 2 * STEP + LONG, "three long reads");
    }
}

static void call_function(uint32_t result)
{
    li(&code, X_BASE, FUNCTION);
    put(&code, rv_i(JALR, X_LINK, X_BASE, 0));
    li(&code, X_BASE, result);
    put(&code, rv_s(SW, X_RESULT, X_BASE, 0));
}

static void put_function(unsigned tile, uint32_t address, uint32_t value)
{
    uint32_t function[3];
    struct code body = {.word = function, .capacity = 3};
    li(&body, X_RESULT, value);
    put(&body, RET);
    assert_int_equal(tf_write(chip, one_column_coord(tile), address, function, sizeof function), TF_OK);
}

/* A core calls a function before and after a long read has replaced it. */
static void read_onto_code(void)
{
    uint32_t found[2];
    set(other, FROM, LONG, 70);
    put_function(own, FUNCTION, 1);
    put_function(other, FROM, 2);
    call_function(RESULT);
    read_long(0, FROM, FUNCTION);
    li(&code, X_BASE, NIU);
    unsigned loop = code.count;
    put(&code, rv_i(LW, X_VALUE, X_BASE, 0x240)); /* requests without an answer */
    branch_to(&code, BNE, X_VALUE, 0, loop);
    call_function(RESULT + 4);
    run();
    assert_int_equal(tf_read(chip, one_column_coord(own), RESULT, found, sizeof found), TF_OK);
    assert_int_equal(found[0], 1);
    assert_int_equal(found[1], 2);
}

static void all_ways(void (*cases)(void))
{
    static const uint8_t tiles[][3] = {{1, 4, 8}, {1, 8, 4}, {4, 1, 8}, {4, 8, 1}, {8, 1, 4}, {8, 4, 1}};
    code = (struct code){.word = words, .capacity = sizeof words / sizeof words[0]};
    for (unsigned i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        uint64_t serial = 0;
        own = tiles[i][0];
        other = tiles[i][1];
        far = tiles[i][2];
        for (unsigned way = FIRST_WAY; way < sizeof ways / sizeof ways[0]; way++) {
            create(&ways[way]);
            cases();
            const uint64_t hash = tf_state_hash(chip);
            assert_true(way == FIRST_WAY || hash == serial);
            serial = hash;
            tf_chip_destroy(chip);
        }
    }
}

static void reads_onto_sources(void **state)
{
    (void)state;
    all_ways(read_onto_source);
}

static void registers_that_write_memory(void **state)
{
    (void)state;
    all_ways(register_writes_memory);
}

static void chains_of_reads(void **state)
{
    (void)state;
    all_ways(chain_of_reads);
}

static void reads_onto_code(void **state)
{
    (void)state;
    all_ways(read_onto_code);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_onto_sources),
        cmocka_unit_test(registers_that_write_memory),
        cmocka_unit_test(chains_of_reads),
        cmocka_unit_test(reads_onto_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
