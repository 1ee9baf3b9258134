/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Programs on the cores of Blackhole's DRAM tiles (docs/dram-cores.md) have equal outcomes in every way of running. The
 * host loads and starts them as tt-metal does.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "chip_wish.h"
#include "stress/rv_emit.h"
#include "tilefarm/tilefarm_chip.h"
#include "tilefarm/tilefarm_explore.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

#define L1 0x2000000000ull
#define REGISTERS 0x10000000000ull
#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)
#define RESET_PC_0 TF_ETH_CONTROL_BASE
#define SCRATCH_0 (TF_ETH_CONTROL_BASE + 0x10)
#define NIU TF_NIU_BASE(0)
#define NIU_CFG_0 (NIU + 0x100)
#define IN_GDDR 0x8000u
#define DMA 0xFC000000u
#define HELD 0x800u
#define CODE 0x1000u
#define WORD 0x400u /* L1 of a DRAM tile: a word to wait for */
#define DONE 0x404u
#define STAGE 0x8000u
#define BACK 0x9000u
#define OTHER 0xA000u
#define BYTES 256u
#define SOURCE 0x100000u /* GDDR */
#define COPY 0x200000u
#define SUM 0x30000u /* L1 of the Tensix tile */
#define PAGES 0x40000u

/* Three ports of channel 0 and one of channel 4. */
static const struct tf_coord ports[] = {{0, 0}, {0, 1}, {0, 11}, {9, 0}};
#define PORTS 4u
static const struct tf_coord tensix = {1, 2};

static const struct way {
    unsigned threads;
    bool serial, parking;
} ways[] = {{1, false, true}, {1, true, true}, {1, false, false}, {2, false, true}, {5, false, true}};

static struct chip_wish config_of(const struct way *way)
{
    struct chip_wish config;
    chip_wish_init(&config);
    config.threads = way->threads;
    config.serial_delivery = way->serial;
    config.parking = way->parking;
    config.pin = false;
    return config;
}

static struct tf_chip *create(const struct chip_wish *config)
{
    struct tf_chip *chip;
    assert_int_equal(chip_wish_create(config, &chip, NULL), TF_OK);
    return chip;
}

static struct tf_chip *create_usual(void)
{
    const struct chip_wish config = config_of(&ways[0]);
    return create(&config);
}

static void poke(struct tf_chip *chip, struct tf_coord at, uint64_t address, uint32_t value)
{
    assert_int_equal(tf_write(chip, at, address, &value, 4), TF_OK);
}

static uint32_t peek(struct tf_chip *chip, struct tf_coord at, uint64_t address)
{
    uint32_t value;
    assert_int_equal(tf_read(chip, at, address, &value, 4), TF_OK);
    return value;
}

static enum tf_end run(struct tf_chip *chip)
{
    const struct tf_run_options options = {.cycles_max = 20000000};
    enum tf_end end;
    assert_int_equal(tf_run(chip, &options, &end), TF_OK);
    return end;
}

static void store(struct code *code, uint32_t address, uint32_t value)
{
    li(code, 26, address);
    li(code, 27, value);
    put(code, rv_s(SW, 27, 26, 0));
}

/* Load the program, set the reset PC, and release the core. */
static void start(struct tf_chip *chip, struct tf_coord at, struct code *code)
{
    put(code, rv_j(0, 0));
    assert_true(code->count < code->capacity);
    assert_int_equal(tf_write(chip, at, L1 + CODE, code->word, code->count * 4), TF_OK);
    poke(chip, at, REGISTERS + RESET_PC_0, CODE);
    poke(chip, at, REGISTERS + SOFT_RESET_0, 0);
}

/* Clear bit 15 of NIU_CFG_0: the NIU of NOC 0 sends requests and shows L1. */
static void leave_gddr(struct code *code)
{
    li(code, 5, NIU_CFG_0);
    put(code, rv_i(LW, 6, 5, 0));
    li(code, 7, ~IN_GDDR);
    put(code, rv_r(0x7033, 6, 6, 7)); /* and */
    put(code, rv_s(SW, 6, 5, 0));
}

/* Send a request, and wait until the counter at `answers` has moved. */
static void request(struct code *code, const uint32_t words[9], uint32_t answers)
{
    static const uint32_t offset[9] = {0x00, 0x04, 0x08, 0x0C, 0x10, 0x14, 0x1C, 0x20, 0x28};
    for (unsigned i = 0; i < 9; i++)
        store(code, NIU + offset[i], words[i]);
    li(code, 28, NIU + answers);
    put(code, rv_i(LW, 29, 28, 0));
    store(code, NIU + 0x40, 1);
    unsigned loop = code->count;
    put(code, rv_i(LW, 30, 28, 0));
    branch_to(code, BEQ, 29, 30, loop);
}

static uint32_t xy(struct tf_coord at)
{
    return at.x | (uint32_t)at.y << 6;
}

static void write_to_tensix(struct code *code, struct tf_coord own, uint32_t from, uint32_t to, uint32_t bytes)
{
    request(code, (const uint32_t[9]){from, 0, xy(own), to, 0, xy(tensix), 0x12, bytes, 0}, 0x204);
}

static void read_from(struct code *code, struct tf_coord own, struct tf_coord there, uint32_t from, uint32_t to)
{
    request(code, (const uint32_t[9]){from, 0, xy(there), to, 0, xy(own), 0, BYTES, 0}, 0x208);
}

static void add_one(struct code *code, struct tf_coord own)
{
    request(code, (const uint32_t[9]){SUM, 0, xy(tensix), 0x600, 0, xy(own), 0x11, 0x107C, 1}, 0x200);
}

/* DMA between GDDR and L1, as docs/dram-cores.md has it; wait until the stream has no command under way. */
static void dma(struct code *code, unsigned stream, bool in, uint32_t gddr, uint32_t l1, uint32_t bytes)
{
    const uint32_t base = DMA + stream * 0x100;
    li(code, 5, DMA + 0x1000);
    unsigned loop = code->count;
    put(code, rv_i(LW, 6, 5, in ? 0x10 : 0x14));
    put(code, rv_i(ANDI, 6, 6, 1));
    branch_to(code, BEQ, 6, 0, loop);
    store(code, base + (in ? 0x30 : 0x14), gddr);
    store(code, base + (in ? 0x34 : 0x18), 0);
    store(code, base + (in ? 0x38 : 0x10), l1);
    store(code, base + 0x50, (in ? 0x83000000 : 0x10000000) + bytes / 16);
    li(code, 5, base);
    li(code, 7, in ? 0xFF10 : 0xF00F0009);
    loop = code->count;
    put(code, rv_i(LW, 6, 5, 0));
    put(code, rv_r(0x7033, 6, 6, 7));
    branch_to(code, BNE, 6, 0, loop);
}

static void fill(uint8_t *data, unsigned i)
{
    for (unsigned at = 0; at < BYTES; at++)
        data[at] = (uint8_t)(at * 7 + i * 31 + 1);
}

/* Each core fetches data from GDDR, sends them to a Tensix tile, and from there back to itself and to GDDR. It counts
   there by atomics, keeps a value in its local RAM and a register, and says that it is done. */
static void start_all(struct tf_chip *chip)
{
    static uint32_t word[1024];
    for (unsigned i = 0; i < PORTS; i++) {
        struct code code = {.word = word, .capacity = 1024};
        uint8_t data[BYTES];
        fill(data, i);
        assert_int_equal(tf_write(chip, ports[i], SOURCE + i * BYTES, data, BYTES), TF_OK);
        store(&code, TF_LOCAL_BASE + 0x1FFC, 0x1234);
        dma(&code, i % 2, true, SOURCE + i * BYTES, STAGE, BYTES);
        leave_gddr(&code);
        write_to_tensix(&code, ports[i], STAGE, PAGES + i * BYTES, BYTES);
        read_from(&code, ports[i], tensix, PAGES + i * BYTES, BACK);
        for (unsigned k = 0; k < 5; k++)
            add_one(&code, ports[i]);
        dma(&code, (i + 1) % 2, false, COPY + i * BYTES, BACK, BYTES);
        li(&code, 26, TF_LOCAL_BASE + 0x1FFC);
        put(&code, rv_i(LW, 5, 26, 0));
        li(&code, 26, SCRATCH_0);
        put(&code, rv_s(SW, 5, 26, 0));
        store(&code, DONE, 0x600D);
        start(chip, ports[i], &code);
    }
}

static void assert_done(struct tf_chip *chip)
{
    assert_int_equal(tf_fault_count(chip), 0);
    assert_int_equal(peek(chip, tensix, SUM), 5 * PORTS);
    for (unsigned i = 0; i < PORTS; i++) {
        uint8_t data[BYTES], got[BYTES];
        fill(data, i);
        assert_int_equal(peek(chip, ports[i], L1 + DONE), 0x600D);
        assert_int_equal(peek(chip, ports[i], SCRATCH_0), 0x1234);
        assert_int_equal(tf_dram_read(chip, i < 3 ? 0 : 4, COPY + i * BYTES, got, BYTES), TF_OK);
        assert_memory_equal(got, data, BYTES);
        assert_int_equal(tf_read(chip, tensix, PAGES + i * BYTES, got, BYTES), TF_OK);
        assert_memory_equal(got, data, BYTES);
        assert_int_equal(tf_read(chip, ports[i], L1 + BACK, got, BYTES), TF_OK);
        assert_memory_equal(got, data, BYTES);
    }
}

static void equal_in_every_way(void **state)
{
    uint64_t hash = 0;
    (void)state;
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const struct chip_wish config = config_of(&ways[i]);
        struct tf_chip *chip = create(&config);
        struct tf_stats stats;
        start_all(chip);
        assert_int_equal(run(chip), TF_END_QUIET);
        assert_done(chip);
        tf_stats(chip, &stats);
        assert_true(stats.instructions > 4 * 100);
        if (i == 0)
            hash = tf_state_hash(chip);
        assert_int_equal(tf_state_hash(chip), hash);
        tf_chip_destroy(chip);
    }
}

/* Halfway, a chip is saved, restored and forked. All end with the state of a run without a break. */
static void saved_and_forked_halfway(void **state)
{
    char path[] = "/tmp/tilefarm-dram-core-XXXXXX";
    int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0);
    struct tf_chip *whole = create_usual(), *chip = create_usual(), *other = create_usual(), *fork;
    start_all(whole);
    start_all(chip);
    const struct tf_run_options half = {.cycles_max = 300};
    enum tf_end end;
    assert_int_equal(tf_run(whole, &half, &end), TF_OK);
    assert_int_equal(end, TF_END_CYCLES);
    assert_int_equal(tf_run(chip, &half, &end), TF_OK);
    assert_int_equal(tf_chip_save(chip, path, NULL), TF_OK);
    assert_int_equal(tf_chip_fork(chip, NULL, &fork, NULL), TF_OK);
    assert_int_equal(tf_chip_restore(other, path, NULL), TF_OK);
    assert_int_equal(tf_state_hash(other), tf_state_hash(whole));
    struct tf_chip *all[] = {whole, chip, fork, other};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(run(all[i]), TF_END_QUIET);
        assert_done(all[i]);
        assert_int_equal(tf_state_hash(all[i]), tf_state_hash(whole));
    }
    for (unsigned i = 4; i-- > 0;)
        tf_chip_destroy(all[i]);
    unlink(path);
    close(file);
}

/* A Tensix core writes a program to L1, sets the reset PC, and releases the core over the NOC; then it wakes the core,
   which polls a word, by a write. */
static void started_over_the_noc(void **state)
{
    uint32_t word[400], program[64];
    (void)state;
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const struct chip_wish config = config_of(&ways[i]);
        struct tf_chip *chip = create(&config);
        struct code of_core = {.word = program, .capacity = 64}, code = {.word = word, .capacity = 400};
        li(&of_core, 5, WORD);
        put(&of_core, rv_i(LW, 6, 5, 4));
        branch_to(&of_core, BEQ, 6, 0, of_core.count - 1);
        put(&of_core, rv_s(SW, 6, 5, 8));
        put(&of_core, rv_j(0, 0));
        const uint32_t values[] = {CODE, 0x600D, 0, 0, 0}; /* at equal places of a line as their targets */
        assert_int_equal(tf_write(chip, tensix, PAGES, program, of_core.count * 4), TF_OK);
        assert_int_equal(tf_write(chip, tensix, PAGES + 0x100, values, sizeof values), TF_OK);
        const uint32_t dram = xy(ports[1]), own = xy(tensix);
        request(&code, (const uint32_t[9]){PAGES, 0, own, CODE, 0x20, dram, 0x12, of_core.count * 4, 0}, 0x204);
        request(&code, (const uint32_t[9]){PAGES + 0x100, 0, own, RESET_PC_0, 0x100, dram, 0x12, 4, 0}, 0x204);
        request(&code, (const uint32_t[9]){PAGES + 0x110, 0, own, SOFT_RESET_0, 0, dram, 0x12, 4, 0}, 0x204);
        request(&code, (const uint32_t[9]){PAGES + 0x104, 0, own, WORD + 4, 0x20, dram, 0x12, 4, 0}, 0x204);
        put(&code, rv_j(0, 0));
        assert_true(code.count < code.capacity);
        assert_int_equal(tf_write(chip, tensix, 0, word, code.count * 4), TF_OK);
        assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
        run(chip);
        struct tf_fault fault;
        if (tf_fault_get(chip, 0, &fault) == TF_OK)
            fail_msg("%s", fault.text);
        assert_int_equal(peek(chip, ports[1], L1 + WORD + 8), 0x600D);
        tf_chip_destroy(chip);
    }
}

/* With bit 15 clear, requests of others at addresses from 0 on reach L1 instead of GDDR, on that NOC alone. New code
   that arrives so is executed. */
static void others_reach_l1(void **state)
{
    static uint32_t word[512];
    struct tf_chip *chip = create_usual();
    struct code code = {.word = word, .capacity = 512};
    (void)state;
    poke(chip, ports[0], NIU_CFG_0, peek(chip, ports[0], NIU_CFG_0) & ~IN_GDDR);
    leave_gddr(&code); /* port 1 reads from port 0, and writes to it */
    read_from(&code, ports[1], ports[0], STAGE, BACK);
    request(&code, (const uint32_t[9]){BACK, 0, xy(ports[1]), OTHER, 0, xy(ports[0]), 0x12, BYTES, 0}, 0x204);
    store(&code, DONE, 0x600D);
    uint8_t data[BYTES], got[BYTES];
    fill(data, 3);
    assert_int_equal(tf_write(chip, ports[0], L1 + STAGE, data, BYTES), TF_OK);
    start(chip, ports[1], &code);
    assert_int_equal(run(chip), TF_END_QUIET);
    assert_int_equal(tf_fault_count(chip), 0);
    assert_int_equal(peek(chip, ports[1], L1 + DONE), 0x600D);
    assert_int_equal(tf_read(chip, ports[0], L1 + OTHER, got, BYTES), TF_OK);
    assert_memory_equal(got, data, BYTES);
    assert_int_equal(tf_dram_read(chip, 0, OTHER, got, 4), TF_OK);
    assert_memory_equal(got, ((uint8_t[4]){0}), 4);
    tf_chip_destroy(chip);
}

/* The core is stopped, gets other code, and starts again. */
static void started_again(void **state)
{
    uint32_t word[64];
    struct tf_chip *chip = create_usual();
    (void)state;
    for (uint32_t value = 1; value < 4; value++) {
        struct code code = {.word = word, .capacity = 64};
        poke(chip, ports[3], SOFT_RESET_0, HELD);
        assert_int_equal(peek(chip, ports[3], SOFT_RESET_0), HELD);
        store(&code, DONE, value);
        start(chip, ports[3], &code);
        assert_int_equal(peek(chip, ports[3], SOFT_RESET_0), 0);
        assert_int_equal(run(chip), TF_END_QUIET);
        assert_int_equal(peek(chip, ports[3], L1 + DONE), value);
    }
    tf_chip_destroy(chip);
}

static void hang_report_names_it(void **state)
{
    uint32_t word[64];
    char text[4000];
    (void)state;
    for (unsigned cores = 1; cores < 3; cores++) {
        struct tf_chip *chip = create_usual();
        for (unsigned i = 0; i < cores; i++) {
            struct code code = {.word = word, .capacity = 64};
            li(&code, 5, WORD);
            put(&code, rv_i(LW, 6, 5, 0));
            branch_to(&code, BEQ, 6, 0, code.count - 1);
            start(chip, ports[i + 1], &code);
        }
        assert_int_equal(run(chip), TF_END_QUIET);
        tf_describe_waits(chip, text, sizeof text);
        const char *const who = cores == 1 ? "DRAM 0 (0,1) core DRISC at 0x"
                                           : "DRAM 0 (0,1) and others (2) core DRISC at 0x";
        if (strstr(text, who) == NULL || strstr(text, "polls the word at 0x400 of L1, which is 0x0") == NULL)
            fail_msg("%s", text);
        tf_chip_destroy(chip);
    }
}

/* What no public source describes is a fault with a name, and the report has the core. */
static void faults_have_names(void **state)
{
    static const struct {
        uint32_t address, value;
        const char *says;
    } stores[] = {
        {0xFC000050, 0x82000001, "of commands to the DMA"},
        {0xFC000050, 0x83010001, "of commands to the DMA"},
        {0xFC000050, 0x83000000, "units of 16 bytes"},
        {0xFC000150, 0x8300FFFF, "is not in L1"},
        {0xFC000000, 1, "no public source stores to this register"},
        {0xFC001018, 1, "this register of the DMA"},
        {0xFC000200, 1, "this register of the DMA"},
        {0xFC100000, 1, "GDDR controller"},
        {0xFC41FFFC, 1, "GDDR controller"},
        {0xFC420000, 1, "unmapped"},
        {0xFB000000, 1, "unmapped"},
        {PIC_AT(BRISC_SW_INT_EN), 1, "not implemented"},
        {TF_STREAM_BASE, 1, "not implemented"},
        {TF_ETH_CONTROL_BASE + 0x8, 1, "no public source has this register"},
        {TF_TDMA_BASE, 1, "unmapped"},
        {0x20000, 1, "unmapped"},
        {NIU_AT(0, CMD_CTRL), 1, "bit 15 of NIU_CFG_0 is set"},
    };
    (void)state;
    for (unsigned i = 0; i < sizeof stores / sizeof stores[0]; i++) {
        uint32_t word[16];
        struct code code = {.word = word, .capacity = 16};
        struct tf_chip *chip = create_usual();
        struct tf_fault fault;
        store(&code, stores[i].address, stores[i].value);
        start(chip, ports[2], &code);
        assert_int_equal(run(chip), TF_END_FAULT);
        assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
        assert_int_equal(fault.tile.y, ports[2].y);
        assert_string_equal(tf_core_name(NULL, tf_node_kind(NULL, fault.tile), fault.core), "DRISC");
        if (strstr(fault.text, stores[i].says) == NULL)
            fail_msg("0x%X: %s", stores[i].address, fault.text);
        tf_chip_destroy(chip);
    }
}

/* Other orders, races, relaxed and timing mode have no such cores. The host's store says so. */
static void refused_where_it_cannot_run(void **state)
{
    static const struct tf_explore explore = {.seed = 1};
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct chip_wish config = config_of(&ways[0]);
        const uint32_t released = 0;
        if (i == 0)
            config.mode = TF_MODE_RELAXED;
        else if (i == 1)
            config.check = true;
        else if (i == 2)
            config.timing = true;
        else
            config.explore = &explore;
        struct tf_chip *chip = create(&config);
        assert_int_equal(tf_write(chip, ports[0], REGISTERS + SOFT_RESET_0, &released, 4), TF_EACCESS);
        assert_int_equal(peek(chip, ports[0], SOFT_RESET_0), HELD);
        tf_chip_destroy(chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_in_every_way),   cmocka_unit_test(saved_and_forked_halfway),
        cmocka_unit_test(started_over_the_noc), cmocka_unit_test(others_reach_l1),
        cmocka_unit_test(started_again),        cmocka_unit_test(hang_report_names_it),
        cmocka_unit_test(faults_have_names),    cmocka_unit_test(refused_where_it_cannot_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
