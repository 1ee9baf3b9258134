/* SPDX-License-Identifier: Apache-2.0 */
/* Programs on the cores of Ethernet tiles have equal outcomes in every way of running. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "chip_wish.h"
#include "host/sanitizer.h"
#include "stress/rv_emit.h"
#include "tile/arch.h"
#include "tile/riscv/exec/hosted.h"
#include "tilefarm/tilefarm_chip.h"
#include "addresses.h"

#define ETH_TILES 14u
#define ROUNDS 40u
#define NIU TF_NIU_BASE(0)
#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)
#define RESET_PC_0 TF_ETH_CONTROL_BASE
#define RESET_PC_1 (TF_ETH_CONTROL_BASE + 0x8)
#define BOTH_HELD 0x1800u
#define COUNTER 0x20000u
#define RESULT 0x20100u
#define SUM 0x30000u /* in the Tensix tile at (1,2) */

static const struct way {
    unsigned threads;
    bool serial, parking;
    enum tf_mode mode;
} ways[] = {
    {1, false, true, TF_MODE_DETERMINISTIC},  {1, true, true, TF_MODE_DETERMINISTIC},
    {1, false, false, TF_MODE_DETERMINISTIC}, {2, false, true, TF_MODE_DETERMINISTIC},
    {5, true, false, TF_MODE_DETERMINISTIC},  {2, false, true, TF_MODE_RELAXED},
};

/* ThreadSanitizer finds nothing where one thread works: begin with the first way of several. */
#define FIRST_WAY (TF_WITH_TSAN ? 3u : 0u)

static struct tf_chip *create_of(const char *family, const struct way *way)
{
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.arch = tf_arch_find(family);
    config.threads = way->threads;
    config.serial_delivery = way->serial;
    config.parking = way->parking;
    config.mode = way->mode;
    config.pin = false;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    return chip;
}

static struct tf_chip *create(const struct way *way)
{
    return create_of("blackhole", way);
}

static struct tf_coord eth(unsigned i)
{
    return (struct tf_coord){(uint8_t)(i < 7 ? 1 + i : 3 + i), 1};
}

static void poke(struct tf_chip *chip, struct tf_coord at, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_write(chip, at, address, &value, 4), TF_OK);
}

static uint32_t peek(struct tf_chip *chip, struct tf_coord at, uint32_t address)
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

/* Add 1 somewhere, and wait for the answer. */
static void add_one(struct code *code, struct tf_coord to, uint32_t address, struct tf_coord own)
{
    store(code, NIU + 0x00, address);
    store(code, NIU + 0x08, to.x | (uint32_t)to.y << 6);
    store(code, NIU + 0x0C, 0x20200);
    store(code, NIU + 0x14, own.x | (uint32_t)own.y << 6);
    store(code, NIU + 0x1C, 0x11);
    store(code, NIU + 0x20, 0x107C);
    store(code, NIU + 0x28, 1);
    li(code, 28, NIU + 0x200);
    put(code, rv_i(LW, 29, 28, 0));
    store(code, NIU + 0x40, 1);
    unsigned loop = code->count;
    put(code, rv_i(LW, 30, 28, 0));
    branch_to(code, BEQ, 29, 30, loop);
}

static void finish(struct tf_chip *chip, struct tf_coord at, struct code *code, uint32_t address, uint32_t reset_pc)
{
    put(code, rv_j(0, 0));
    assert_true(code->count < code->capacity);
    assert_int_equal(tf_write(chip, at, address, code->word, code->count * 4), TF_OK);
    poke(chip, at, reset_pc, address);
    code->count = 0;
}

/* E0 counts up in the next Ethernet tile and in a Tensix tile. E1 waits until the counter of its own tile has its
   value. */
static void start_ring(struct tf_chip *chip)
{
    static uint32_t word[512];
    struct code code = {.word = word, .capacity = 512};
    const struct tf_coord tensix = {1, 2};
    for (unsigned i = 0; i < ETH_TILES; i++) {
        li(&code, 20, ROUNDS);
        unsigned loop = code.count;
        add_one(&code, eth((i + 1) % ETH_TILES), COUNTER, eth(i));
        add_one(&code, tensix, SUM, eth(i));
        put(&code, rv_i(ADDI, 20, 20, 0xFFF));
        branch_to(&code, BNE, 20, 0, loop);
        finish(chip, eth(i), &code, 0x4000, RESET_PC_0);

        li(&code, 20, ROUNDS);
        li(&code, 21, COUNTER);
        loop = code.count;
        put(&code, rv_i(LW, 22, 21, 0));
        branch_to(&code, BNE, 22, 20, loop);
        store(&code, RESULT, 0x600D);
        finish(chip, eth(i), &code, 0x8000, RESET_PC_1);
    }
    for (unsigned i = 0; i < ETH_TILES; i++)
        poke(chip, eth(i), SOFT_RESET_0, 0);
}

static void a_ring_of_all_cores(void **state)
{
    uint64_t hash = 0;
    (void)state;
    for (unsigned i = FIRST_WAY; i < sizeof ways / sizeof ways[0]; i++) {
        struct tf_chip *chip = create(&ways[i]);
        start_ring(chip);
        assert_int_equal(run(chip), TF_END_QUIET);
        assert_int_equal(tf_fault_count(chip), 0);
        for (unsigned k = 0; k < ETH_TILES; k++)
            assert_int_equal(peek(chip, eth(k), RESULT), 0x600D);
        assert_int_equal(peek(chip, (struct tf_coord){1, 2}, SUM), ETH_TILES * ROUNDS);
        if (i == FIRST_WAY)
            hash = tf_state_hash(chip);
        else if (ways[i].mode == TF_MODE_DETERMINISTIC)
            assert_int_equal(tf_state_hash(chip), hash);
        tf_chip_destroy(chip);
    }
}

/* A Tensix core sets the reset PC and releases E1 over the NOC. E1's local RAM and counter of cycles work. */
static void started_over_the_noc(void **state)
{
    uint32_t word[128];
    (void)state;
    for (unsigned i = FIRST_WAY; i < sizeof ways / sizeof ways[0]; i++) {
        struct tf_chip *chip = create(&ways[i]);
        struct code code = {.word = word, .capacity = 128};
        store(&code, TF_LOCAL_BASE + 0x1FFC, 77);
        put(&code, rv_i(LW, 5, 26, 0));
        li(&code, 26, RESULT);
        put(&code, rv_s(SW, 5, 26, 0));
        finish(chip, eth(3), &code, 0x8000, RESET_PC_1);
        poke(chip, eth(3), RESET_PC_1, 0);

        const uint32_t inline_writes[][2] = {{RESET_PC_1, 0x8000}, {SOFT_RESET_0, 0x800}};
        for (unsigned k = 0; k < 2; k++) {
            store(&code, NIU + 0x00, inline_writes[k][0]);
            store(&code, NIU + 0x08, eth(3).x | (uint32_t)eth(3).y << 6);
            store(&code, NIU + 0x1C, 0xA);
            store(&code, NIU + 0x20, 0xF);
            store(&code, NIU + 0x28, inline_writes[k][1]);
            store(&code, NIU + 0x40, 1);
        }
        put(&code, rv_j(0, 0));
        assert_int_equal(tf_write(chip, (struct tf_coord){1, 2}, 0, word, code.count * 4), TF_OK);
        assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
        assert_int_equal(run(chip), TF_END_QUIET);
        assert_int_equal(tf_fault_count(chip), 0);
        assert_int_equal(peek(chip, eth(3), SOFT_RESET_0), 0x800);
        assert_int_equal(peek(chip, eth(3), RESULT), 77);
        tf_chip_destroy(chip);
    }
}

#define TIMER (TF_ETH_LINK_BASE + 0x8850)
#define TIMER_TICKS 400u
#define TIMER_CYCLES 27u /* a tick of 50 MHz at 1.35 GHz */

/* Who waits for the timer is not parked, and reads it when it is due. */
static void the_timer_counts(void **state)
{
    uint32_t word[64];
    uint64_t hash = 0;
    (void)state;
    for (unsigned i = FIRST_WAY; i < sizeof ways / sizeof ways[0]; i++) {
        struct tf_chip *chip = create(&ways[i]);
        struct code code = {.word = word, .capacity = 64};
        li(&code, 5, TIMER);
        li(&code, 6, TIMER_TICKS);
        unsigned loop = code.count;
        put(&code, rv_i(LW, 7, 5, 0));
        branch_to(&code, BLT, 7, 6, loop);
        put(&code, rv_i(LW, 8, 5, 4));
        put(&code, rv_r(ADD, 7, 7, 8)); /* the high word is 0 */
        li(&code, 26, RESULT);
        put(&code, rv_s(SW, 7, 26, 0));
        finish(chip, eth(3), &code, 0x4000, RESET_PC_0);
        poke(chip, eth(3), SOFT_RESET_0, 0x1000);
        assert_int_equal(run(chip), TF_END_QUIET);
        assert_int_equal(tf_fault_count(chip), 0);
        assert_int_equal(peek(chip, eth(3), RESULT), TIMER_TICKS);
        struct tf_stats stats;
        tf_stats(chip, &stats);
        assert_true(stats.cycles >= TIMER_TICKS * TIMER_CYCLES);
        if (i == FIRST_WAY)
            hash = tf_state_hash(chip);
        else if (ways[i].mode == TF_MODE_DETERMINISTIC)
            assert_int_equal(tf_state_hash(chip), hash);
        tf_chip_destroy(chip);
    }
}

#define MAILBOX_E1 0x7D010u
#define CALL 0xCA110000u
#define DONE 0xD0E50000u

/* Send a message with an argument to the firmware. Wait for the answer, as is_link_up() of tt-metal does on E1. */
static void ask(struct code *code, uint32_t type, uint32_t argument)
{
    store(code, MAILBOX_E1 + 4, argument);
    store(code, MAILBOX_E1, CALL | type);
    li(code, 21, CALL >> 16);
    unsigned loop = code->count;
    put(code, rv_i(LHU, 22, 26, 2));
    branch_to(code, BEQ, 22, 21, loop);
}

/* A message of each kind by E1, while E0 runs the firmware, or a program of its own that never waits. */
static void e1_asks_the_firmware(void **state)
{
    static const uint32_t types[] = {1, 0xF, 6, 9};
    (void)state;
    for (unsigned i = 2 * FIRST_WAY; i < 2 * (sizeof ways / sizeof ways[0]); i++) {
        const struct way *way = &ways[i / 2];
        const bool program = i % 2 != 0;
        uint32_t word[128];
        struct code code = {.word = word, .capacity = 128};
        struct tf_chip *chip = create(way);
        for (unsigned k = 0; k < sizeof types / sizeof types[0]; k++)
            ask(&code, types[k], ~0u);
        store(&code, RESULT, 0x600D);
        finish(chip, eth(3), &code, 0x8000, RESET_PC_1);
        li(&code, 23, RESULT);
        put(&code, rv_i(ADDI, 20, 20, 1)); /* it counts until E1 has its answers */
        put(&code, rv_i(LW, 22, 23, 0));
        branch_to(&code, BEQ, 22, 0, code.count - 2);
        finish(chip, eth(3), &code, 0x4000, RESET_PC_0);
        poke(chip, eth(3), SOFT_RESET_0, program ? 0 : 0x800);
        assert_int_equal(run(chip), TF_END_QUIET);
        assert_int_equal(tf_fault_count(chip), 0);
        assert_int_equal(peek(chip, eth(3), RESULT), 0x600D);
        assert_int_equal(peek(chip, eth(3), MAILBOX_E1), DONE | 9);
        assert_int_equal(peek(chip, eth(3), MAILBOX_E1 + 4), 0);
        static uint64_t hash[2];
        if (i / 2 == FIRST_WAY)
            hash[program] = tf_state_hash(chip);
        else if (way->mode == TF_MODE_DETERMINISTIC)
            assert_true(tf_state_hash(chip) == hash[program]);
        tf_chip_destroy(chip);
    }
}

/* An unknown message is never answered. RELEASE_CORE starts E0, unless E0 runs a program. */
static void e1_asks_for_what_it_does_not_get(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        uint32_t word[64];
        struct code code = {.word = word, .capacity = 64};
        struct tf_chip *chip = create(&ways[0]);
        const bool released = i == 1;
        ask(&code, i == 0 ? 5 : 2, 0x4000);
        store(&code, RESULT, 0x600D);
        finish(chip, eth(3), &code, 0x8000, RESET_PC_1);
        store(&code, COUNTER, 0xE0);
        finish(chip, eth(3), &code, 0x4000, RESET_PC_0);
        finish(chip, eth(3), &code, 0x5000, RESET_PC_0);
        poke(chip, eth(3), SOFT_RESET_0, i == 2 ? 0 : 0x800);
        assert_int_equal(run(chip), TF_END_QUIET);
        assert_int_equal(peek(chip, eth(3), RESULT), released ? 0x600D : 0);
        assert_int_equal(peek(chip, eth(3), COUNTER), released ? 0xE0 : 0);
        tf_chip_destroy(chip);
    }
}

/* Beyond 512 KiB there is no memory: loads, stores and execution are faults. */
static void l1_ends_where_it_ends(void **state)
{
    static const struct {
        uint32_t instruction;
        const char *says;
    } beyond[] = {
        {0x0002A303, "unmapped"},   /* lw x6, 0(x5) */
        {0x0062A023, "unmapped"},   /* sw x6, 0(x5) */
        {0x00028303, "unmapped"},   /* lb x6, 0(x5) */
        {0x0002A32F, "outside L1"}, /* amoadd.w x6, x0, (x5) */
        {0x00028067, "outside L1"}, /* jr x5 */
    };
    (void)state;
    for (unsigned i = 0; i < sizeof beyond / sizeof beyond[0]; i++) {
        struct tf_chip *chip = create(&ways[0]);
        uint32_t word[16];
        struct code code = {.word = word, .capacity = 16};
        struct tf_fault fault;
        li(&code, 5, 0x80000);
        put(&code, rv_i(LW, 6, 5, 0xFFC)); /* the last word is there */
        put(&code, beyond[i].instruction);
        finish(chip, eth(13), &code, 0x4000, RESET_PC_1);
        poke(chip, eth(13), SOFT_RESET_0, 0x800);
        assert_int_equal(run(chip), TF_END_FAULT);
        assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
        assert_int_equal(fault.address, 0x80000);
        assert_string_equal(tf_core_name(NULL, tf_node_kind(NULL, fault.tile), fault.core), "E1");
        assert_int_equal(fault.tile.x, eth(13).x);
        if (strstr(fault.text, beyond[i].says) == NULL)
            fail_msg("%s", fault.text);
        tf_chip_destroy(chip);
    }
    assert_string_equal(tf_core_name(NULL, tf_node_kind(NULL, (struct tf_coord){1, 2}), TF_CORE_T2), "T2");
    assert_string_equal(tf_core_name(NULL, tf_node_kind(NULL, eth(0)), 2), "-");
    assert_string_equal(tf_tensix_core_name(TF_TILE_CORES), "-");
    assert_string_equal(tf_core_name(NULL, tf_node_kind(NULL, (struct tf_coord){0, 0}), 1), "-");
}

/* Cores held in reset, and cores that wait, cost nothing: runs end immediately and execute nothing. */
static void held_and_waiting_cores_cost_nothing(void **state)
{
    struct tf_chip *chip = create(&ways[0]);
    struct tf_stats before, after;
    (void)state;
    for (unsigned i = 0; i < ETH_TILES; i++)
        poke(chip, eth(i), COUNTER, 1);
    assert_int_equal(run(chip), TF_END_QUIET);
    tf_stats(chip, &before);
    assert_int_equal(before.instructions, 0);
    assert_true(before.epochs <= 2);
    assert_int_equal(run(chip), TF_END_QUIET);
    tf_stats(chip, &after);
    assert_int_equal(after.epochs, before.epochs);

    start_ring(chip);
    for (unsigned i = 0; i < ETH_TILES; i++)
        poke(chip, eth(i), SOFT_RESET_0, 0x800); /* only E1, which then waits for ever */
    char text[4000];
    run(chip);
    poke(chip, eth(5), COUNTER + 4, 1);
    tf_stats(chip, &before);
    assert_int_equal(run(chip), TF_END_QUIET);
    tf_stats(chip, &after);
    assert_true(after.instructions > before.instructions);
    assert_true(after.instructions_executed - before.instructions_executed < 100);
    tf_describe_waits(chip, text, sizeof text);
    assert_non_null(strstr(text, " core E1 at 0x"));
    assert_non_null(strstr(text, "polls "));
    tf_chip_destroy(chip);
}

/* --- Wormhole --- */

#define FLAG 0x9004u
#define PROGRAM 0x9040u
#define CONTROL (TF_ETH_LINK_BASE + 0x4000)
#define SCRATCH (CONTROL + 0x84)
#define RESET_PC_E (CONTROL + 0x9C)
#define IRAM_LOAD (CONTROL + 0x98)
#define MAC (TF_ETH_LINK_BASE + 0x10000)
#define IRAM TF_IRAM_BASE
#define RETURN 0x8067u /* jalr x0, 0(x1) */

static const struct tf_coord wh_tensix = {1, 1};

static struct tf_coord wh_eth(unsigned i)
{
    static const uint8_t x[] = {9, 1, 8, 2, 7, 3, 6, 4};
    return (struct tf_coord){x[i % 8], i < 8 ? 0 : 6};
}

static void wh_add_one(struct code *code, struct tf_coord to, uint32_t address, struct tf_coord own)
{
    store(code, NIU + 0x00, address);
    store(code, NIU + 0x04, (uint32_t)to.x << 4 | (uint32_t)to.y << 10);
    store(code, NIU + 0x0C, 0x20200);
    store(code, NIU + 0x10, (uint32_t)own.x << 4 | (uint32_t)own.y << 10);
    store(code, NIU + 0x1C, 0x11);
    store(code, NIU + 0x20, 0x107C);
    store(code, NIU + 0x24, 1);
    li(code, 28, NIU + 0x200);
    put(code, rv_i(LW, 29, 28, 0));
    store(code, NIU + 0x28, 1);
    unsigned loop = code->count;
    put(code, rv_i(LW, 30, 28, 0));
    branch_to(code, BEQ, 29, 30, loop);
}

/* A program that the firmware calls: the pages' CallingIntoCustomerCode.md. */
static void wh_call(struct tf_chip *chip, unsigned i)
{
    static uint32_t word[512];
    struct code code = {.word = word, .capacity = 512};
    put(&code, rv_s(SW, 1, 2, -16)); /* there are a stack and a return address */
    wh_add_one(&code, wh_eth((i + 1) % 16), COUNTER, wh_eth(i));
    wh_add_one(&code, wh_tensix, SUM, wh_eth(i));
    store(&code, RESULT, 0x600D);
    store(&code, FLAG, 0);
    put(&code, rv_i(LW, 1, 2, -16));
    put(&code, RETURN);
    assert_int_equal(tf_write(chip, wh_eth(i), PROGRAM, code.word, code.count * 4), TF_OK);
    assert_int_equal(peek(chip, wh_eth(i), FLAG), 0);
    poke(chip, wh_eth(i), FLAG, 1);
}

/* On Wormhole software that holds the core holds its firmware, too: no program is called. After power-on the bit is set
   while the firmware runs. Blackhole's firmware goes on, as on ttsim. */
static void held_cores_run_no_firmware(void **state)
{
    (void)state;
    struct tf_chip *chip = create_of("wormhole", &ways[0]);
    struct tf_core_view view;
    poke(chip, wh_eth(2), PROGRAM, 0x6F); /* j . */
    poke(chip, wh_eth(2), SOFT_RESET_0, 0x800);
    assert_int_equal(peek(chip, wh_eth(2), SOFT_RESET_0), 0x800);
    poke(chip, wh_eth(2), FLAG, 1);
    const unsigned tile = (unsigned)tf_port_tile(chip, 2);
    assert_int_equal(tf_core_view(chip, tile, 0, &view), TF_OK);
    assert_int_equal(view.state, TF_CORE_RESET);
    poke(chip, wh_eth(2), SOFT_RESET_0, 0);
    poke(chip, wh_eth(2), FLAG, 1);
    assert_int_equal(tf_core_view(chip, tile, 0, &view), TF_OK);
    assert_int_not_equal(view.state, TF_CORE_RESET);
    assert_int_equal(view.pc, PROGRAM);
    tf_chip_destroy(chip);

    chip = create(&ways[0]);
    uint32_t beat = peek(chip, eth(0), 0x7CC70);
    poke(chip, eth(0), SOFT_RESET_0, BOTH_HELD);
    assert_int_equal(peek(chip, eth(0), 0x7CC70), beat + 1);
    assert_int_equal(peek(chip, eth(0), 0x7CC70), beat + 2);
    tf_chip_destroy(chip);
}

static void wormhole_programs_are_called(void **state)
{
    (void)state;
    uint64_t hash = 0;
    for (unsigned w = FIRST_WAY; w < sizeof ways / sizeof ways[0]; w++) {
        struct tf_chip *chip = create_of("wormhole", &ways[w]);
        poke(chip, wh_eth(2), SOFT_RESET_0, 0x800); /* without an address it returns to the firmware */
        poke(chip, wh_eth(2), SOFT_RESET_0, 0);
        for (unsigned round = 1; round <= 3; round++) {
            for (unsigned i = 0; i < 16; i++)
                wh_call(chip, i);
            assert_int_equal(run(chip), TF_END_QUIET);
            assert_int_equal(tf_fault_count(chip), 0);
            for (unsigned i = 0; i < 16; i++) {
                assert_int_equal(peek(chip, wh_eth(i), COUNTER), round);
                assert_int_equal(peek(chip, wh_eth(i), RESULT), 0x600D);
            }
            assert_int_equal(peek(chip, wh_tensix, SUM), 16 * round);
        }
        if (w == FIRST_WAY)
            hash = tf_state_hash(chip);
        else if (ways[w].mode == TF_MODE_DETERMINISTIC)
            assert_true(tf_state_hash(chip) == hash);
        tf_chip_destroy(chip);
    }
}

/* The firmware calls a program when the host sets the flag. It does not call it for each write while the flag is set,
   nor when the flag becomes 0. */
static void wormhole_is_called_once(void **state)
{
    (void)state;
    uint32_t word[16];
    struct tf_chip *chip = create_of("wormhole", &ways[0]);
    struct code code = {.word = word, .capacity = 16};
    li(&code, 5, RESULT);
    put(&code, rv_i(LW, 6, 5, 0));
    put(&code, rv_i(ADDI, 6, 6, 1));
    put(&code, rv_s(SW, 6, 5, 0));
    put(&code, RETURN);
    assert_int_equal(tf_write(chip, wh_eth(3), PROGRAM, code.word, code.count * 4), TF_OK);
    const uint32_t writes[][2] = {{FLAG, 1}, {COUNTER, 1}, {FLAG, 0}};
    for (unsigned i = 0; i < sizeof writes / sizeof writes[0]; i++) {
        poke(chip, wh_eth(3), writes[i][0], writes[i][1]);
        assert_int_equal(run(chip), TF_END_QUIET);
        assert_int_equal(peek(chip, wh_eth(3), RESULT), 1);
    }
    tf_chip_destroy(chip);
}

/* The core starts from reset, at the address in the tile's register. It fills its instruction RAM, and continues
   there. */
static void wormhole_leaves_reset(void **state)
{
    (void)state;
    static uint32_t word[512];
    struct code code = {.word = word, .capacity = 512};
    const struct tf_coord at = wh_eth(9);
    for (unsigned quiet = 0; quiet < 2; quiet++) {
        struct tf_chip *chip = create_of("wormhole", &ways[0]);
        struct tf_fault fault;
        code.count = 0;
        store(&code, RESULT, 0x1234);
        finish(chip, at, &code, 0x6000, RESET_PC_E);
        poke(chip, at, RESULT + 4, 1);
        li(&code, 28, RESULT + 4);
        put(&code, rv_s(SW, 2, 28, 0)); /* there is no stack yet */
        store(&code, MAC, quiet ? 0x30000000 : 0x30000001);
        store(&code, MAC + 4, quiet ? 6 : 7);
        store(&code, IRAM_LOAD, 0x6000 >> 4);
        put(&code, rv_i(LW, 28, 26, 0));
        put(&code, rv_i(ANDI, 28, 28, 1));
        branch_to(&code, BNE, 28, 0, code.count - 2);
        li(&code, 28, IRAM);
        put(&code, rv_i(JALR, 0, 28, 0));
        finish(chip, at, &code, 0x5000, RESET_PC_E);
        assert_int_equal(peek(chip, at, SOFT_RESET_0), 0x800);
        poke(chip, at, SOFT_RESET_0, 0xFFFFF7FF); /* only one bit has a meaning */
        assert_int_equal(peek(chip, at, SOFT_RESET_0), 0);
        run(chip);
        assert_int_equal(tf_fault_count(chip), !quiet);
        assert_int_equal(peek(chip, at, RESULT), quiet ? 0x1234 : 0);
        assert_int_equal(peek(chip, at, RESULT + 4), 0);
        if (!quiet) {
            assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
            assert_string_equal(tf_core_name(tf_arch_find("wormhole"), tf_node_kind(tf_arch_find("wormhole"), at),
                                             fault.core),
                                "E");
        }
        tf_chip_destroy(chip);
    }
}

/* A core that polls from its instruction RAM parks in loops of several lengths, and wakes inside them. */
static void wormhole_polls_in_instruction_ram(void **state)
{
    (void)state;
    enum { LOOPS = 9, POLLED = RESULT + 0x100 };
    static const uint32_t hosted_call[] = {0x01F01013, 0x00100073, 0x40705013};
    static uint32_t word[512];
    for (unsigned i = 0; i < 16; i++) {
        const struct tf_coord at = wh_eth(i);
        struct tf_chip *chip = create_of("wormhole", &ways[i % 2]);
        struct code code = {.word = word, .capacity = 512};
        li(&code, 28, POLLED);
        li(&code, 10, TF_HOSTED_WRITE0);
        li(&code, 11, POLLED);
        for (unsigned j = 0; j < 3; j++)
            put(&code, hosted_call[j]); /* if this is no call, the core pauses */
        for (unsigned loop = 0; loop < LOOPS; loop++) {
            put(&code, rv_i(ADDI, 9, 0, (int32_t)loop + 1));
            put(&code, rv_i(LW, 6, 28, 0));
            for (unsigned j = 0; j < loop; j++)
                put(&code, rv_j(0, 4)); /* a core stops where it jumps */
            put(&code, rv_b(BNE, 6, 9, -4 * (int32_t)(loop + 1)));
            put(&code, rv_s(SW, 9, 28, 4));
        }
        finish(chip, at, &code, 0x6000, RESET_PC_E);
        store(&code, IRAM_LOAD, 0x6000 >> 4);
        li(&code, 28, IRAM);
        put(&code, rv_i(JALR, 0, 28, 0));
        finish(chip, at, &code, 0x5000, RESET_PC_E);
        poke(chip, at, SOFT_RESET_0, 0);
        for (unsigned loop = 0; loop < LOOPS; loop++) {
            assert_int_equal(run(chip), TF_END_QUIET);
            assert_int_equal(peek(chip, at, POLLED + 4), loop);
            poke(chip, at, 0x5000, loop); /* code that was executed: the code of the loop is compared with its words */
            assert_int_equal(run(chip), TF_END_QUIET);
            poke(chip, at, POLLED, loop + 1);
        }
        assert_int_equal(run(chip), TF_END_QUIET);
        assert_int_equal(peek(chip, at, POLLED + 4), LOOPS);
        tf_chip_destroy(chip);
    }
}

/* Registers of a queue of Wormhole. */
enum { CMD = 4, MAX = 0xC, FROM = 0x14, BYTES = 0x18, TO = 0x1C, SENT = 0x30, STARTED = 0x34, ENDED = 0x3C };
enum { LINES = 0x40, DATA = 0x44 };

static const struct {
    uint32_t command, limit, from, bytes, to;
    uint32_t packets, lines;
} sends[] = {
    {1, 0, 0x20001, 33, 0, 1, 3},
    {1, 1500, 0x20000, 3200, 0, 3, 94 + 94 + 13},
    {2, 1024, 0x20000, 2048, 0x30, 2, 128},
    {2, 0, 0x3FFF0, 16, 0, 1, 1},
    {4, 2, 0xFFFFFFFF, 7, TF_ETH_LINK_BASE + 0x4084, 2, 2},
};

static const struct {
    unsigned queue;
    uint32_t command, from, bytes, to;
    const char *why;
} wrong[] = {
    {0, 3, 0, 16, 0, "takes 1, 2 or 4"},
    {0, 8, 0, 16, 0, "takes 1, 2 or 4"},
    {1, 4, 0, 16, 0, "this TX queue sends no MMIO"},
    {0, 4, 0, 16, 2, "not a multiple of 4"},
    {0, 2, 8, 16, 0, "not multiples of 16"},
    {0, 2, 0, 20, 0, "not multiples of 16"},
    {1, 2, 0, 16, 4, "not multiples of 16"},
    {0, 1, 0x3FFFF, 2, 0, "beyond L1"},
    {0, 1, 0x40001, 0, 0, "beyond L1"},
};

/* EthernetTxRx.md: queues without a link take packets and count them, and nothing arrives. */
static void wormhole_sends(void **state)
{
    (void)state;
    struct tf_chip *chip = create_of("wormhole", &ways[0]);
    for (unsigned queue = 0; queue < 2; queue++) {
        uint32_t base = TF_ETH_LINK_BASE + 0x1000 * queue, packets = 0, lines = 0;
        for (unsigned i = 0; i < 5 - queue; i++) {
            poke(chip, wh_eth(0), base + MAX, sends[i].limit);
            poke(chip, wh_eth(0), base + FROM, sends[i].from);
            poke(chip, wh_eth(0), base + BYTES, sends[i].bytes);
            poke(chip, wh_eth(0), base + TO, sends[i].to);
            poke(chip, wh_eth(0), base + DATA, 0x1234);
            poke(chip, wh_eth(0), base + CMD, sends[i].command);
            packets += sends[i].packets;
            lines += sends[i].lines;
            assert_int_equal(peek(chip, wh_eth(0), base + CMD), 0);
            assert_int_equal(peek(chip, wh_eth(0), base + SENT), i + 1);
            assert_int_equal(peek(chip, wh_eth(0), base + STARTED), packets);
            assert_int_equal(peek(chip, wh_eth(0), base + ENDED), packets);
            assert_int_equal(peek(chip, wh_eth(0), base + LINES), lines);
        }
    }
    assert_int_equal(peek(chip, wh_eth(0), SCRATCH), 0);
    tf_chip_destroy(chip);
}

static void wormhole_sends_wrong(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        static uint32_t word[64];
        struct code code = {.word = word, .capacity = 64};
        struct tf_fault fault;
        uint32_t base = TF_ETH_LINK_BASE + 0x1000 * wrong[i].queue;
        struct tf_chip *chip = create_of("wormhole", &ways[0]);
        store(&code, base + FROM, wrong[i].from);
        store(&code, base + BYTES, wrong[i].bytes);
        store(&code, base + TO, wrong[i].to);
        store(&code, base + CMD, wrong[i].command);
        put(&code, RETURN);
        assert_int_equal(tf_write(chip, wh_eth(3), PROGRAM, code.word, code.count * 4), TF_OK);
        poke(chip, wh_eth(3), FLAG, 1);
        assert_int_equal(run(chip), TF_END_FAULT);
        assert_int_equal(tf_fault_get(chip, 0, &fault), TF_OK);
        assert_non_null(strstr(fault.text, wrong[i].why));
        assert_non_null(strstr(fault.text, "Wormhole"));
        tf_chip_destroy(chip);
    }
}

/* The data that host software finds: L1 with the firmware's words, queues, registers for general use. */
static void wormhole_registers(void **state)
{
    (void)state;
    struct tf_chip *chip = create_of("wormhole", &ways[0]);
    const struct tf_coord at = wh_eth(3);
    static const struct {
        uint32_t address, value;
    } words[] = {{0x210, 0x6E000},
                 {0x1104, 3},
                 {TF_ETH_LINK_BASE, 9},
                 {TF_ETH_LINK_BASE + 0x1000, 9},
                 {TF_ETH_LINK_BASE + 0x2000, 2},
                 {TF_ETH_LINK_BASE + 0x3000, 0},
                 {TF_ETH_LINK_BASE + 0x54, 0xAB},
                 {MAC, 0x30000000},
                 {MAC + 4, 6},
                 {SCRATCH, 0},
                 {RESET_PC_E, 0},
                 {TF_PIC_BASE, 0},
                 {TF_STREAM_BASE + 64 * 4, 0},
                 {FLAG, 0}};
    uint32_t value = 1;
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        assert_int_equal(peek(chip, at, words[i].address), words[i].value);
    static const uint32_t kept[] = {0x3FFFC,
                                    SCRATCH,
                                    SCRATCH + 12,
                                    TF_DEBUG_BASE,
                                    TF_DEBUG_BASE + 0xF8,
                                    TF_ETH_LINK_BASE + 0x101C,
                                    DEBUG_AT(CFG_READ),
                                    DEBUG_AT(TIMESTAMP_CNTL),
                                    DEBUG_AT(TIMESTAMP_END)};
    for (unsigned i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        poke(chip, at, kept[i], 0x89ABCDEF);
        assert_int_equal(peek(chip, at, kept[i]), 0x89ABCDEF);
    }
    poke(chip, at, CONTROL + 0x80, 5);
    poke(chip, at, CONTROL + 0x80, 7);
    assert_int_equal(peek(chip, at, CONTROL + 0x80), 12);
    static const uint32_t refused[] = {0x40000,
                                       TF_LOCAL_BASE,
                                       TF_ETH_CONTROL_BASE,
                                       TF_ETH_LINK_BASE + 0x4100,
                                       TF_ETH_LINK_BASE + 0x10008,
                                       TF_ETH_LINK_BASE + 0x20000,
                                       IRAM};
    for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++)
        assert_int_not_equal(tf_read(chip, at, refused[i], &value, 4), TF_OK);
    value = 3;
    assert_int_not_equal(tf_write(chip, at, TF_ETH_LINK_BASE + 0x4, &value, 4), TF_OK); /* no such command */
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ring_of_all_cores),
        cmocka_unit_test(started_over_the_noc),
        cmocka_unit_test(the_timer_counts),
        cmocka_unit_test(e1_asks_the_firmware),
        cmocka_unit_test(e1_asks_for_what_it_does_not_get),
        cmocka_unit_test(l1_ends_where_it_ends),
        cmocka_unit_test(held_and_waiting_cores_cost_nothing),
        cmocka_unit_test(held_cores_run_no_firmware),
        cmocka_unit_test(wormhole_programs_are_called),
        cmocka_unit_test(wormhole_leaves_reset),
        cmocka_unit_test(wormhole_is_called_once),
        cmocka_unit_test(wormhole_polls_in_instruction_ram),
        cmocka_unit_test(wormhole_sends),
        cmocka_unit_test(wormhole_sends_wrong),
        cmocka_unit_test(wormhole_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
