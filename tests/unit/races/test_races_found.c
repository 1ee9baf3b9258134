/* SPDX-License-Identifier: Apache-2.0 */
/* What the race checker finds in small programs of a few tiles: the number of races, and the function of each side. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "one_column.h"
#include "stress/rv_emit.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm_address.h"

#define NIU TF_NIU_BASE(0)
#define COMMAND 0x40u
#define OUTSTANDING 0x240u
#define SEMAPHORE(number) (TF_SEMAPHORE_BASE + 4 * (number))
#define CODE 0x100u
#define CODE_BYTES 0x1000u /* of each core */
#define DATA 0x20000u
#define FLAG 0x30000u
#define SMALL 0x31000u
#define BYTES 64u

enum { X_BASE = 26, X_VALUE, X_LEFT };
enum {
    WRITE = 2 | 1 << 4,
    INCREMENT = 1 | 1 << 4,
    BROADCAST = 1 << 5,
    STATIC = 1 << 7,
    CHANNEL = 1 << 13,
    SOURCE_INCLUDED = 1 << 17
};

static struct tf_chip *chip;
static uint32_t words[256];
static struct code code;

static int create_with(unsigned requests)
{
    struct chip_wish config;
    chip_wish_init(&config);
    config.niu_requests_max = requests != 0 ? requests : config.niu_requests_max;
    one_column(&config.board);
    config.threads = 1;
    config.pin = false;
    config.check = true;
    code = (struct code){.word = words, .capacity = sizeof words / sizeof words[0]};
    return chip_wish_create(&config, &chip, NULL) == TF_OK ? 0 : -1;
}

static int create(void **state)
{
    (void)state;
    return create_with(0);
}

/* NIUs take one request in an epoch. */
static int create_slow(void **state)
{
    (void)state;
    return create_with(1);
}

static int destroy(void **state)
{
    (void)state;
    tf_chip_destroy(chip);
    return 0;
}

static uint32_t xy_of(unsigned tile)
{
    return one_column_coord(tile).x | (uint32_t)one_column_coord(tile).y << 6;
}

static void store(uint32_t address, uint32_t value)
{
    li(&code, X_BASE, address);
    li(&code, X_VALUE, value);
    put(&code, rv_s(SW, X_VALUE, X_BASE, 0));
}

/* Load a register of the initiator until it is 0. */
static void await_register(uint32_t offset)
{
    li(&code, X_BASE, NIU);
    unsigned loop = code.count;
    put(&code, rv_i(LW, X_VALUE, X_BASE, offset));
    branch_to(&code, BNE, X_VALUE, 0, loop);
}

/* Ask for a request. The NIU takes it. */
static void send(uint32_t ctrl, uint32_t from, uint32_t from_xy, uint32_t to, uint32_t to_xy, uint32_t length)
{
    store(NIU + 0x00, from);
    store(NIU + 0x08, from_xy);
    store(NIU + 0x0C, to);
    store(NIU + 0x14, to_xy);
    store(NIU + 0x1C, ctrl);
    store(NIU + 0x20, length);
    store(NIU + 0x28, 1);
    store(NIU + COMMAND, 1);
    await_register(COMMAND);
}

static void await_answers(void)
{
    await_register(OUTSTANDING);
    put(&code, FENCE);
}

static void ask(uint32_t ctrl, uint32_t from, uint32_t from_xy, uint32_t to, uint32_t to_xy, uint32_t length)
{
    send(ctrl, from, from_xy, to, to_xy, length);
    await_answers();
}

/* Let so many times three cycles pass. */
static void rest(uint32_t times)
{
    li(&code, X_LEFT, times);
    unsigned loop = code.count;
    put(&code, rv_i(ADDI, X_LEFT, X_LEFT, (uint32_t)-1));
    put(&code, rv_i(ADDI, X_VALUE, X_VALUE, 1));
    branch_to(&code, BNE, X_LEFT, 0, loop);
}

/* Poll a word of the own tile. */
static void await(uint32_t address, uint32_t value)
{
    li(&code, X_BASE, address);
    li(&code, X_LEFT, value);
    unsigned loop = code.count;
    put(&code, rv_i(LW, X_VALUE, X_BASE, 0));
    branch_to(&code, BNE, X_VALUE, X_LEFT, loop);
    put(&code, FENCE);
}

static void poke(unsigned tile, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_write(chip, one_column_coord(tile), address, &value, sizeof value), TF_OK);
}

/* The words so far become the program of a core. */
static void start_on(unsigned tile, enum tf_core core)
{
    const uint32_t at = CODE + CODE_BYTES * core;
    put(&code, rv_j(0, 0));
    assert_in_range(code.count * 4, 0, CODE_BYTES);
    assert_int_equal(tf_write(chip, one_column_coord(tile), at, words, code.count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, tile, core, at), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, core), TF_OK);
    code.count = 0;
}

static void start(unsigned tile)
{
    start_on(tile, TF_CORE_B);
}

/* Run to the end. Returns how many races were found. */
static size_t run(void)
{
    enum tf_end end;
    struct tf_fault fault;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    if (tf_fault_get(chip, 0, &fault) == TF_OK)
        fail_msg("%s", fault.text);
    return tf_races(chip, NULL, 0);
}

/* A multicast reads its source on its own tile, which is one of its recipients. */
static void multicast(uint32_t to)
{
    for (uint32_t at = 0; at < BYTES; at += 4)
        poke(0, DATA + at, 7);
    ask(WRITE | BROADCAST | SOURCE_INCLUDED, DATA, xy_of(0), to, xy_of(2) | xy_of(0) << 12, BYTES);
    start(0);
}

/* It stores each byte of the source after it has read that byte. */
static void multicast_onto_its_source(void **state)
{
    (void)state;
    multicast(DATA);
    assert_int_equal(run(), 0);
}

/* At another place a byte may be stored before the multicast reads it. */
static void multicast_beside_its_source(void **state)
{
    (void)state;
    multicast(DATA + 16);
    assert_int_equal(run(), 1);
}

/* Tile 0 writes data to tile 2, and then increments a flag there. Tile 2 takes the data once the flag has a value. */
static void send_and_take(uint32_t value)
{
    poke(0, DATA, 7);
    ask(WRITE, DATA, xy_of(0), DATA, xy_of(2), 4);
    ask(INCREMENT, FLAG, xy_of(2), SMALL + 16, xy_of(0), 0x107C);
    start(0);
    rest(100000);
    await(FLAG, value);
    li(&code, X_BASE, DATA);
    put(&code, rv_i(LW, X_VALUE, X_BASE, 0));
    start(2);
}

static void flag_tells_of_data(void **state)
{
    (void)state;
    send_and_take(1);
    assert_int_equal(run(), 0);
}

/* Tile 1 overwrites the flag, after the increment. The new value does not tell of the data. */
static void overwritten_flag_tells_nothing(void **state)
{
    (void)state;
    send_and_take(5);
    poke(1, SMALL, 5);
    rest(50000);
    ask(WRITE, SMALL, xy_of(1), FLAG, xy_of(2), 4);
    start(1);
    assert_int_equal(run(), 1);
    struct tf_race race;
    assert_int_equal(tf_races(chip, &race, 1), 1);
    assert_int_equal(race.kind, TF_RACE_DATA);
    assert_int_equal(race.address, DATA);
}

/* A core asks for a second request in an epoch, looks at NOC_CMD_CTRL, and stores to a register of the initiator. */
static void look_and_store(bool until_taken)
{
    poke(0, DATA, 7);
    ask(WRITE, DATA, xy_of(0), DATA, xy_of(1), 4);
    rest(2000);
    for (unsigned i = 0; i < 2; i++) {
        store(NIU + COMMAND, 1);
        li(&code, X_BASE, NIU);
        unsigned loop = code.count;
        put(&code, rv_i(LW, X_VALUE, X_BASE, COMMAND));
        if (i == 0 || until_taken)
            branch_to(&code, BNE, X_VALUE, 0, loop);
    }
    store(NIU + 0x0C, DATA + 16);
    rest(5000);
    start(0);
}

/* Two writes to one word, on two static virtual channels. Those of one channel keep their order. */
static void two_channels(unsigned first, unsigned second)
{
    poke(0, DATA, 7);
    for (unsigned i = 0; i < 2; i++)
        send(WRITE | STATIC | CHANNEL * (i == 0 ? first : second), DATA, xy_of(0), DATA, xy_of(1), 4);
    await_answers();
    start(0);
}

static void writes_on_channels(void **state)
{
    for (unsigned first = 0; first < 4; first++)
        for (unsigned second = 0; second < 4; second++) {
            two_channels(first, second);
            assert_int_equal(run(), first != second);
            destroy(state);
            create(state);
        }
}

/* The number of races for registers of NIUs. */
static size_t races_of_registers(void)
{
    struct tf_race races[8];
    size_t count = tf_races(chip, races, 8), found = 0;
    assert_in_range(count, 0, 8);
    for (size_t i = 0; i < count; i++)
        found += races[i].address >= NIU;
    return found;
}

static void taken_command(void **state)
{
    (void)state;
    look_and_store(true);
    run();
    assert_int_equal(races_of_registers(), 0);
}

/* NOC_CMD_CTRL is 1: the NIU has not taken the command. The store is a fault, too. */
static void command_not_taken(void **state)
{
    (void)state;
    enum tf_end end;
    look_and_store(false);
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_FAULT);
    assert_int_equal(races_of_registers(), 1);
}

/* A core asks for a second write, waits until a counter has told of it or of its end, and stores to a register of the
   initiator without a look at NOC_CMD_CTRL. */
static void count_and_store(bool until_counted)
{
    poke(0, DATA, 7);
    ask(WRITE, DATA, xy_of(0), DATA, xy_of(1), 4);
    store(NIU + COMMAND, 1);
    li(&code, X_BASE, NIU);
    unsigned loop = code.count;
    put(&code, rv_i(LW, X_VALUE, X_BASE, OUTSTANDING));
    if (until_counted)
        branch_to(&code, BEQ, X_VALUE, 0, loop);
    await_register(OUTSTANDING);
    store(NIU + 0x0C, DATA + 16);
    rest(5000);
    start(0);
    run();
}

/* A NIU that counts a request has accepted its command. */
static void counted_command(void **state)
{
    (void)state;
    count_and_store(true);
    assert_int_equal(races_of_registers(), 0);
}

/* The loads of the counter may overtake the store of the command, and then see 0. */
static void command_not_counted(void **state)
{
    (void)state;
    count_and_store(false);
    assert_int_equal(races_of_registers(), 1);
}

static struct tf_race only_race(void)
{
    struct tf_race race;
    assert_int_equal(run(), 1);
    assert_int_equal(tf_races(chip, &race, 1), 1);
    return race;
}

static void load(uint32_t address)
{
    li(&code, X_BASE, address);
    put(&code, rv_i(LW, X_VALUE, X_BASE, 0));
}

/* Wait until the last load is complete. */
static void use(void)
{
    put(&code, rv_i(ADDI, X_LEFT, X_VALUE, 0));
    put(&code, FENCE);
}

/* A word that nothing has written is read, and one that has been. */
static void unwritten_word_is_read(void **state)
{
    (void)state;
    poke(0, DATA, 7);
    load(DATA);
    load(DATA + 4);
    start(0);
    const struct tf_race race = only_race();
    assert_int_equal(race.kind, TF_RACE_UNWRITTEN);
    assert_int_equal(race.address, DATA + 4);
    assert_null(race.side[1].what);
}

/* B stores data, and tells a T core by its mailbox. Another T core gets a word that was sent before the store. */
static void mailbox_tells_of_data(void **state)
{
    (void)state;
    for (unsigned ordered = 0; ordered < 2; ordered++) {
        store(TF_MAILBOX_OF(2), 1);
        rest(100);
        store(DATA, 7);
        load(DATA); /* the store has arrived */
        use();
        store(TF_MAILBOX_OF(1), 1);
        start(0);
        rest(ordered ? 1 : 1000);
        load(TF_MAILBOX_OF(0));
        use();
        load(DATA);
        start_on(0, ordered ? TF_CORE_T0 : TF_CORE_T1);
        assert_int_equal(run(), !ordered);
        destroy(state);
        create(state);
    }
}

/* The L0 of a core has four lines. A load hits an old one if fewer than four others were fetched since. */
static void old_line_stays_among_others(void **state)
{
    enum { LINES = 4, LINE_BYTES = 16 };
    for (unsigned others = 0; others <= LINES; others++) {
        load(TF_MAILBOX_OF(1)); /* B: T0 has the line */
        use();
        store(DATA, 7);
        load(DATA);
        use();
        store(TF_MAILBOX_OF(1), 1);
        start(0);
        poke(0, DATA, 1);
        load(DATA);
        for (unsigned i = 1; i <= others; i++) {
            poke(0, DATA + LINE_BYTES * i, 1);
            load(DATA + LINE_BYTES * i);
        }
        put(&code, rv_i(ADDI, X_LEFT, X_VALUE, 0)); /* the loads are complete; no fence */
        store(TF_MAILBOX_OF(0), 1);
        load(TF_MAILBOX_OF(0));
        put(&code, rv_i(ADDI, X_LEFT, X_VALUE, 0));
        load(DATA);
        start_on(0, TF_CORE_T0);
        if (others == LINES)
            assert_int_equal(run(), 0);
        else
            assert_int_equal(only_race().kind, TF_RACE_STALE_LINE);
        destroy(state);
        create(state);
    }
}

/* A T core stores a GPR, and pushes an instruction that reads it. Each thread is named as itself. */
static void instruction_is_of_its_thread(void **state)
{
    enum { GPR = 4, ADD_GPRS = 0x58000000 | GPR << 6 | GPR };
    for (unsigned t = 0; t < 3; t++) {
        store(TF_GPR_BASE + 4 * GPR, 1);
        store(TF_INSTRN_BUF_BASE, ADD_GPRS);
        start_on(0, TF_CORE_T0 + t);
        const struct tf_race race = only_race();
        assert_int_equal(race.kind, TF_RACE_OVERTAKEN);
        for (unsigned side = 0; side < 2; side++)
            assert_int_equal(race.side[side].core, TF_CORE_T0 + t);
        destroy(state);
        create(state);
    }
}

/* --- the host --- */

/* Poll a word with a fence in each round, so that no stale line is in the way. */
static void await_host(uint32_t address, uint32_t value)
{
    li(&code, X_BASE, address);
    li(&code, X_LEFT, value);
    unsigned loop = code.count;
    put(&code, FENCE);
    put(&code, rv_i(LW, X_VALUE, X_BASE, 0));
    branch_to(&code, BNE, X_VALUE, X_LEFT, loop);
    put(&code, FENCE);
}

#define FIRMWARE_LOOP 100 /* instructions */

/* Poll a word in a loop that is as large as that of a firmware. */
static void await_in_large_loop(uint32_t address, uint32_t value)
{
    li(&code, X_BASE, address);
    li(&code, X_LEFT, value);
    const unsigned loop = code.count;
    put(&code, FENCE);
    put(&code, rv_i(LW, X_VALUE, X_BASE, 0));
    put(&code, rv_b(BEQ, X_VALUE, X_LEFT, 4 * (FIRMWARE_LOOP + 2)));
    for (unsigned i = 0; i < FIRMWARE_LOOP; i++)
        put(&code, rv_i(ADDI, 0, 0, 0));
    put(&code, rv_j(0, 4 * ((int32_t)loop - (int32_t)code.count)));
    put(&code, FENCE);
}

/* Run for some cycles, at whose end cores are still at work. Returns how many races were found. */
static size_t run_for(uint64_t cycles)
{
    enum tf_end end;
    const struct tf_run_options options = {.cycles_max = cycles};
    assert_int_equal(tf_run(chip, &options, &end), TF_OK);
    assert_int_equal(end, TF_END_CYCLES);
    return tf_races(chip, NULL, 0);
}

static uint32_t peek(unsigned tile, uint32_t address)
{
    uint32_t value = 0;
    assert_int_equal(tf_read(chip, one_column_coord(tile), address, &value, sizeof value), TF_OK);
    return value;
}

static uint64_t paused_at; /* the cycle at which the host writes */

/* A core waits for a flag of the host, and takes the data. The host writes both between two runs. */
static size_t host_sends(bool data_first)
{
    struct tf_stats stats;
    rest(3000);
    await_host(FLAG, 1);
    load(DATA);
    start(0);
    run();
    tf_stats(chip, &stats);
    paused_at = stats.cycles;
    if (data_first)
        poke(0, DATA, 7);
    poke(0, FLAG, 1);
    if (!data_first)
        poke(0, DATA, 7);
    return run();
}

/* Two semaphores of the coprocessor that no SEMINIT has set, in several places. Each is one report. */
static void unset_semaphores_are_reported_once(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned semaphore = 4; semaphore < 6; semaphore++) {
            store(SEMAPHORE(semaphore), 0); /* a post */
            store(SEMAPHORE(semaphore), 1); /* a get */
        }
    start_on(0, TF_CORE_T0);
    assert_int_equal(run(), 2);
    struct tf_race races[2];
    assert_int_equal(tf_races(chip, races, 2), 2);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(races[i].kind, TF_RACE_REGISTER);
        assert_int_equal(races[i].address, 4 + i);
        assert_int_equal(races[i].count, 1);
    }
}

static void host_writes_data_after_flag(void **state)
{
    (void)state;
    struct tf_race race;
    assert_int_equal(host_sends(false), 1);
    assert_int_equal(tf_races(chip, &race, 1), 1);
    assert_int_equal(race.address, DATA);
    assert_string_equal(race.side[0].what, "write by the host");
    assert_int_equal(race.side[0].core, TF_CORE_NONE);
    assert_in_range(race.side[0].cycle, paused_at / 2, paused_at);
    assert_string_equal(race.side[1].what, "load");
    assert_non_null(race.advice);
}

static void host_writes_data_before_flag(void **state)
{
    (void)state;
    assert_int_equal(host_sends(true), 0);
}

static void host_sends_to_a_firmware(void **state)
{
    (void)state;
    for (unsigned right = 0; right < 2; right++) {
        await_in_large_loop(FLAG, 1 + right);
        load(DATA);
        start(0);
        const size_t before = run();
        poke(0, right ? DATA : FLAG, 1 + right);
        poke(0, right ? FLAG : DATA, 1 + right);
        assert_int_equal(run() - before, !right);
        assert_int_equal(tf_core_stop(chip, 0, TF_CORE_B), TF_OK);
    }
}

/* The host writes what a core that it has just started reads, before that core runs. */
static void host_writes_after_start(void **state)
{
    (void)state;
    rest(10);
    start(1);
    run();
    load(DATA);
    start(0);
    poke(0, DATA, 7);
    assert_int_equal(run(), 0);
}

/* A core writes data and then a flag, and goes on. */
static void device_sends(void)
{
    store(DATA, 7);
    store(DATA + 4, 8);
    load(DATA + 4);
    put(&code, FENCE);
    store(FLAG, 1);
    rest(1000000);
    start(0);
    run_for(20000);
}

static void host_reads_without_flag(void **state)
{
    (void)state;
    struct tf_race race;
    device_sends();
    assert_int_equal(peek(0, DATA), 7);
    assert_int_equal(tf_races(chip, &race, 1), 1);
    assert_string_equal(race.side[1].what, "read by the host");
    run_for(1000);
    assert_int_equal(tf_races(chip, NULL, 0), 1);
}

static void host_reads_much_without_flag(void **state)
{
    uint8_t data[256];
    (void)state;
    device_sends();
    assert_int_equal(tf_read(chip, one_column_coord(0), DATA, data, sizeof data), TF_OK);
    assert_int_equal(tf_races(chip, NULL, 0), 2);
}

/* The host reads a result without its flag. That it then writes the next data does not excuse it. */
static void host_goes_on_without_flag(void **state)
{
    uint8_t result[64];
    for (uint32_t bytes = 4; bytes <= sizeof result; bytes += sizeof result - 4) {
        struct tf_race race;
        device_sends();
        assert_int_equal(tf_read(chip, one_column_coord(0), DATA, result, bytes), TF_OK);
        poke(0, SMALL, 1);
        run_for(1000);
        assert_int_equal(tf_races(chip, &race, 1), bytes == 4 ? 1 : 2);
        assert_string_equal(race.side[1].what, "read by the host");
        destroy(state);
        create(state);
    }
}

/* The host has set a word to 0, reads 1 there, and writes the next data, while the core goes on. */
static void host_goes_on_after_its_flag(void **state)
{
    (void)state;
    poke(0, FLAG, 0);
    store(FLAG, 1);
    store(DATA, 7);
    rest(1000000);
    start(0);
    run_for(20000);
    assert_int_equal(peek(0, FLAG), 1);
    poke(0, SMALL, 1);
    assert_int_equal(run_for(1000), 0);
}

/* A message of several words is read at once, and its last word says that it is there. */
static void host_reads_message(void **state)
{
    uint32_t message[3];
    (void)state;
    for (uint32_t i = 0; i < 3; i++)
        store(DATA + 4 * i, i + 1);
    rest(1000000);
    start(0);
    run_for(20000);
    assert_int_equal(tf_read(chip, one_column_coord(0), DATA, message, sizeof message), TF_OK);
    poke(0, SMALL, 1);
    assert_int_equal(run_for(1000), 0);
}

static void host_reads_after_flag(void **state)
{
    (void)state;
    device_sends();
    assert_int_equal(peek(0, FLAG), 1);
    assert_int_equal(peek(0, DATA), 7);
    assert_int_equal(tf_races(chip, NULL, 0), 0);
}

/* It reads one word again and again. */
static void host_polls(void **state)
{
    (void)state;
    device_sends();
    for (unsigned i = 0; i < 3; i++) {
        peek(0, FLAG);
        run_for(1000);
    }
    assert_int_equal(tf_races(chip, NULL, 0), 0);
}

static size_t host_overwrites(bool knows)
{
    load(DATA);
    put(&code, FENCE);
    store(FLAG, 1);
    rest(1000000);
    start(0);
    run_for(20000);
    if (knows)
        assert_int_equal(peek(0, FLAG), 1);
    poke(0, DATA, 9);
    return run_for(1000);
}

static void host_overwrites_what_is_used(void **state)
{
    (void)state;
    poke(0, DATA, 7);
    assert_int_equal(host_overwrites(false), 1);
}

static void host_overwrites_what_is_done(void **state)
{
    (void)state;
    poke(0, DATA, 7);
    assert_int_equal(host_overwrites(true), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, create, destroy)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(multicast_onto_its_source),
        TEST(multicast_beside_its_source),
        TEST(flag_tells_of_data),
        TEST(overwritten_flag_tells_nothing),
        TEST(writes_on_channels),
        TEST(unwritten_word_is_read),
        TEST(mailbox_tells_of_data),
        TEST(old_line_stays_among_others),
        TEST(instruction_is_of_its_thread),
        TEST(unset_semaphores_are_reported_once),
        TEST(host_writes_data_after_flag),
        TEST(host_writes_data_before_flag),
        TEST(host_sends_to_a_firmware),
        TEST(host_writes_after_start),
        TEST(host_reads_without_flag),
        TEST(host_reads_much_without_flag),
        TEST(host_goes_on_without_flag),
        TEST(host_goes_on_after_its_flag),
        TEST(host_reads_message),
        TEST(host_reads_after_flag),
        TEST(host_polls),
        TEST(host_overwrites_what_is_used),
        TEST(host_overwrites_what_is_done),
        cmocka_unit_test_setup_teardown(taken_command, create_slow, destroy),
        cmocka_unit_test_setup_teardown(command_not_taken, create_slow, destroy),
        TEST(counted_command),
        TEST(command_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
