/* SPDX-License-Identifier: Apache-2.0 */
/* Small programs with known outcomes, through the public interface. Each way of running gives equal results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "chip_wish.h"
#include "host/sanitizer.h"
#include "stress/places.h"
#include "stress/rv_emit.h"
#include "tilefarm/tilefarm_chip.h"
#include "addresses.h"

#define NIU TF_NIU_BASE(0)
#define PIC PIC_AT(BRISC_SW_INT_EN)
#define HANDLER 0x800u

enum { X_BASE = 26, X_VALUE = 27 };

struct farm {
    struct tf_chip *chip;
    uint32_t word[1024];
    struct code code;
};

/* Threads, delivery and parking. */
static const struct way {
    unsigned threads;
    bool serial, parking;
} ways[] = {{1, false, true}, {1, true, true}, {1, false, false}, {2, false, true}, {3, true, false}};

#define WAYS (sizeof ways / sizeof ways[0])
/* ThreadSanitizer finds nothing where one thread works: begin with the first way of several. */
#define FIRST_WAY (TF_WITH_TSAN ? 3u : 0u)

static void set_up(struct farm *farm, const struct way *way, void (*adapt)(struct chip_wish *))
{
    struct chip_wish config;
    chip_wish_init(&config);
    config.threads = way->threads;
    config.serial_delivery = way->serial;
    config.parking = way->parking;
    config.pin = false;
    if (adapt != NULL)
        adapt(&config);
    *farm = (struct farm){.code = {.capacity = 1024}};
    assert_int_equal(chip_wish_create(&config, &farm->chip, NULL), TF_OK);
}

static uint32_t peek(const struct farm *farm, unsigned tile, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tf_read(farm->chip, at(tile), address, &value, 4), TF_OK);
    return value;
}

static void poke(const struct farm *farm, unsigned tile, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_write(farm->chip, at(tile), address, &value, 4), TF_OK);
}

/* The words written so far become the program of a core, which starts; the next program can be written. */
static void start(struct farm *farm, unsigned tile, enum tf_core core, uint32_t address)
{
    struct tf_coord node;
    farm->code.word = farm->word;
    assert_int_equal(tf_tile_coord(tf_chip_arch(farm->chip), tile, &node), TF_OK);
    assert_int_equal(tf_write(farm->chip, node, address, farm->word, farm->code.count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(farm->chip, tile, core, address), TF_OK);
    assert_int_equal(tf_core_start(farm->chip, tile, core), TF_OK);
    farm->code.count = 0;
}

static struct code *program(struct farm *farm)
{
    farm->code.word = farm->word;
    return &farm->code;
}

static void store(struct code *code, uint32_t address, uint32_t value)
{
    li(code, X_BASE, address);
    li(code, X_VALUE, value);
    put(code, rv_s(SW, X_VALUE, X_BASE, 0));
}

static void forever(struct code *code)
{
    put(code, rv_j(0, 0));
}

static enum tf_end run(const struct farm *farm)
{
    struct tf_run_options options = {.cycles_max = 5000000};
    enum tf_end end;
    assert_int_equal(tf_run(farm->chip, &options, &end), TF_OK);
    return end;
}

/* A read of so many bytes from another tile, with transaction 3. */
static void ask_for(struct code *code, unsigned own, unsigned other, uint32_t from, uint32_t to, uint32_t bytes)
{
    store(code, NIU + 0x00, from);
    store(code, NIU + 0x08, xy(other));
    store(code, NIU + 0x0C, to);
    store(code, NIU + 0x14, xy(own));
    store(code, NIU + 0x18, 3 << 10);
    store(code, NIU + 0x1C, 0);
    store(code, NIU + 0x20, bytes);
    store(code, NIU + 0x40, 1);
}

/* Counts at 0x1000, keeps RTZ_NUM at 0x1004, and at 0x1008 the first word that the read brought. */
static void write_handler(struct farm *farm)
{
    struct code *code = program(farm);
    li(code, 30, 0x1000);
    li(code, 31, NIU + 0x378);
    put(code, rv_i(LW, 29, 31, 0));
    put(code, rv_s(SW, 29, 30, 4));
    li(code, 31, 0x4000);
    put(code, rv_i(LW, 29, 31, 0));
    put(code, rv_s(SW, 29, 30, 8));
    put(code, rv_i(LW, 29, 30, 0));
    put(code, rv_i(ADDI, 29, 29, 1));
    put(code, rv_s(SW, 29, 30, 0));
    put(code, MRET);
    assert_int_equal(tf_write(farm->chip, at(0), HANDLER, farm->word, code->count * 4), TF_OK);
    code->count = 0;
}

/* BlackholeA0/NoC/Interrupts.md, from set-up to mret: the core waits in a loop that parks, or on a mailbox. */
static void a_read_that_completes_interrupts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2 * WAYS; i++) {
        struct farm farm;
        bool blocks = i >= WAYS;
        set_up(&farm, &ways[i % WAYS], NULL);
        write_handler(&farm);
        poke(&farm, 7, 0x4000, 0xCAFE);
        struct code *code = program(&farm);
        store(code, NIU + 0x60, 1 << 3);
        store(code, NIU + 0x17C, 1 << 3);
        store(code, NIU + 0x178, 1 << 3);
        store(code, PIC + (42 + 32 + 1) * 4, HANDLER);
        store(code, PIC + 4, 1 << 1);
        ask_for(code, 0, 7, 0x4000, 0x4000, 64);
        if (blocks) {
            li(code, X_BASE, TF_MAILBOX_OF(1));
            put(code, rv_i(LW, X_VALUE, X_BASE, 0));
        }
        forever(code);
        start(&farm, 0, TF_CORE_B, 0x100);
        assert_int_equal(run(&farm), TF_END_QUIET);
        assert_int_equal(peek(&farm, 0, 0x1000), 1);
        assert_int_equal(peek(&farm, 0, 0x1004), 3);
        assert_int_equal(peek(&farm, 0, 0x1008), 0xCAFE);
        assert_int_equal(peek(&farm, 0, NIU + 0x37C), 0);
        struct tf_core_view view;
        assert_int_equal(tf_core_view(farm.chip, 0, TF_CORE_B, &view), TF_OK);
        assert_int_equal(view.state, blocks ? TF_CORE_BLOCKED : TF_CORE_PARKED);
        tf_chip_destroy(farm.chip);
    }
}

/* PIC.md: the watchdog reaches zero long after all else is at rest. */
static void the_watchdog_ends_a_wait(void **state)
{
    (void)state;
    uint64_t hash[2 * WAYS];
    for (unsigned i = 0; i < 2 * WAYS; i++) {
        struct farm farm;
        bool blocks = i >= WAYS;
        set_up(&farm, &ways[i % WAYS], NULL);
        struct code *code = program(&farm);
        li(code, 30, DEBUG_AT(CLOCK_L));
        put(code, rv_i(LW, 29, 30, 0)); /* the time */
        li(code, 30, 0x1000);
        put(code, rv_s(SW, 29, 30, 4));
        put(code, rv_i(LW, 29, 30, 0));
        put(code, rv_i(ADDI, 29, 29, 1));
        put(code, rv_s(SW, 29, 30, 0));
        store(code, DEBUG_AT(WATCHDOG_CNTL), 0);
        put(code, MRET);
        assert_int_equal(tf_write(farm.chip, at(0), HANDLER, farm.word, code->count * 4), TF_OK);
        code->count = 0;
        store(code, PIC + (42 + 32 + 3) * 4, HANDLER);
        store(code, PIC + (blocks ? 4 : 16), 1 << 3);
        store(code, DEBUG_AT(WATCHDOG), 300000);
        store(code, DEBUG_AT(WATCHDOG_CNTL), 3);
        if (blocks) {
            li(code, X_BASE, TF_MAILBOX_OF(1));
            put(code, rv_i(LW, X_VALUE, X_BASE, 0));
        }
        forever(code);
        start(&farm, 0, blocks ? TF_CORE_B : TF_CORE_NC, 0x100);
        assert_int_equal(run(&farm), TF_END_QUIET);
        assert_int_equal(peek(&farm, 0, 0x1000), 1);
        assert_in_range(peek(&farm, 0, 0x1004), 300000, 310000);
        hash[i] = tf_state_hash(farm.chip);
        assert_true(hash[i] == hash[i < WAYS ? 0 : WAYS]);
        tf_chip_destroy(farm.chip);
    }
}

/* Two tiles read from each other what the other's read overwrites. Both get the values at the stop of the harts. */
static void reads_that_cross_see_the_old_values(void **state)
{
    (void)state;
    for (unsigned i = FIRST_WAY; i < WAYS; i++) {
        struct farm farm;
        set_up(&farm, &ways[i], NULL);
        for (unsigned tile = 0; tile < 2; tile++) {
            poke(&farm, tile, 0x4000, 0x100 + tile);
            ask_for(program(&farm), tile, 1 - tile, 0x4000, 0x4000, 16384);
            forever(program(&farm));
            start(&farm, tile, TF_CORE_B, 0x100);
        }
        assert_int_equal(run(&farm), TF_END_QUIET);
        assert_int_equal(peek(&farm, 0, 0x4000), 0x101);
        assert_int_equal(peek(&farm, 1, 0x4000), 0x100);
        tf_chip_destroy(farm.chip);
    }
}

/* The actions of a core after a long wait must not depend on whether the wait was skipped. */
static void a_blocked_core_leaves_no_trace_of_its_waiting(void **state)
{
    (void)state;
    uint64_t hash[WAYS], cycles[WAYS];
    for (unsigned i = FIRST_WAY; i < WAYS; i++) {
        struct farm farm;
        set_up(&farm, &ways[i], NULL);
        struct code *code = program(&farm);
        li(code, X_BASE, TF_MAILBOX_OF(1));
        put(code, rv_i(LW, X_VALUE, X_BASE, 0)); /* B waits for T0 */
        forever(code);
        start(&farm, 0, TF_CORE_B, 0x100);
        li(code, X_BASE, 0x1000);
        put(code, rv_i(LW, X_VALUE, X_BASE, 0)); /* T0 for tile 1 */
        put(code, rv_b(BEQ, X_VALUE, 0, -4));
        store(code, TF_MAILBOX_BASE, 1);
        forever(code);
        start(&farm, 0, TF_CORE_T0, 0x200);
        poke(&farm, 1, 0x1000, 1);
        li(code, 9, 200000); /* this takes long */
        unsigned loop = code->count;
        put(code, rv_i(ADDI, 9, 9, -1u));
        branch_to(code, BNE, 9, 0, loop);
        store(code, NIU + 0x00, 0x1000);
        store(code, NIU + 0x08, xy(1));
        store(code, NIU + 0x0C, 0x1000);
        store(code, NIU + 0x14, xy(0));
        store(code, NIU + 0x1C, 2);
        store(code, NIU + 0x20, 4);
        store(code, NIU + 0x40, 1);
        put(code, EBREAK); /* it takes long to detect that it waits in a loop */
        start(&farm, 1, TF_CORE_B, 0x100);
        assert_int_equal(run(&farm), TF_END_QUIET);
        struct tf_stats stats;
        tf_stats(farm.chip, &stats);
        cycles[i] = stats.cycles;
        hash[i] = tf_state_hash(farm.chip);
        assert_int_equal(cycles[i], cycles[FIRST_WAY]);
        assert_true(hash[i] == hash[FIRST_WAY]);
        tf_chip_destroy(farm.chip);
    }
}

/* More hazards than the tile's log holds, then a fault. The run ends with the fault. */
static void a_fault_behind_many_hazards_is_told(void **state)
{
    (void)state;
    struct farm farm;
    set_up(&farm, &ways[0], NULL);
    struct code *code = program(&farm);
    store(code, NIU + 0x00, 0x1000);
    store(code, NIU + 0x08, xy(1));
    store(code, NIU + 0x1C, 2 | 1 << 3);
    for (unsigned i = 0; i < 40; i++)
        store(code, NIU + 0x40, 1);
    put(code, 0xFFFFFFFF);
    start(&farm, 0, TF_CORE_B, 0x100);
    assert_int_equal(run(&farm), TF_END_FAULT);
    struct tf_stats stats;
    tf_stats(farm.chip, &stats);
    assert_int_equal(stats.faults, 1);
    assert_int_equal(stats.hazards, 40);
    struct tf_fault fault;
    assert_int_equal(tf_fault_get(farm.chip, tf_fault_count(farm.chip) - 1, &fault), TF_OK);
    assert_false(fault.hazard);
    assert_int_equal(fault.instruction, 0xFFFFFFFF);
    tf_chip_destroy(farm.chip);
}

/* B and T0 wait for each other's mailbox, and thread 1 for a semaphore that no actor posts. The run ends and reports
   that. */
static void a_deadlock_ends_the_run_and_is_described(void **state)
{
    (void)state;
    for (unsigned i = FIRST_WAY; i < WAYS; i++) {
        struct farm farm;
        set_up(&farm, &ways[i], NULL);
        struct code *code = program(&farm);
        li(code, X_BASE, TF_MAILBOX_OF(1));
        put(code, rv_i(LW, X_VALUE, X_BASE, 0));
        start(&farm, 3, TF_CORE_B, 0x100);
        li(code, X_BASE, TF_MAILBOX_BASE);
        put(code, rv_i(LW, X_VALUE, X_BASE, 0));
        start(&farm, 3, TF_CORE_T0, 0x200);
        store(code, TF_INSTRN_BUF_BASE, 0xA6FF8005u); /* SEMWAIT: everything, while semaphore 0 is 0 */
        store(code, TF_INSTRN_BUF_BASE, 0x02000000u);
        store(code, TF_INSTRN_BUF_BASE, 0x60000000u);
        forever(code);
        start(&farm, 3, TF_CORE_T1, 0x300);
        assert_int_equal(run(&farm), TF_END_QUIET);
        char text[2000];
        assert_true(tf_describe_waits(farm.chip, text, sizeof text) < sizeof text);
        assert_non_null(
            strstr(text, "tile 3 (4,2) core B at 0x00000108: is blocked and needs a value in its empty mailbox from "
                         "T0: T0, which also waits, must write one\n"));
        assert_non_null(
            strstr(text, "tile 3 (4,2) core T0 at 0x00000208: is blocked and needs a value in its empty mailbox from "
                         "B: "));
        assert_non_null(strstr(text, "tile 3 (4,2) Tensix thread T1: "));
        tf_chip_destroy(farm.chip);
    }
}

static void on_wormhole(struct chip_wish *config)
{
    config->arch = tf_arch_find("wormhole");
}

/* Both counters of one circular buffer count as one polled thing. Families have them at different places. */
static void a_polled_buffer_is_described_once(void **state)
{
    (void)state;
    static const struct {
        void (*adapt)(struct chip_wish *);
        uint32_t taken, put_count; /* numbers of the counters */
    } families[] = {{NULL, 8, 10}, {on_wormhole, 3, 4}};
    for (unsigned i = 0; i < sizeof families / sizeof families[0]; i++) {
        struct farm farm;
        set_up(&farm, &ways[0], families[i].adapt);
        struct code *code = program(&farm);
        li(code, X_BASE, STREAM_AT(5, 0));
        put(code, rv_i(LW, 5, X_BASE, 4 * families[i].put_count));
        put(code, rv_i(LW, 6, X_BASE, 4 * families[i].taken));
        put(code, rv_i(LW, 7, 0, 0x600));
        put(code, rv_r(ADD, 7, 7, 6));
        put(code, rv_b(BEQ, 7, 5, -16));
        start(&farm, 3, TF_CORE_T0, 0x200);
        assert_int_equal(run(&farm), TF_END_QUIET);
        char text[2000];
        assert_true(tf_describe_waits(farm.chip, text, sizeof text) < sizeof text);
        assert_non_null(strstr(text, ": polls the circular buffer of stream 5: 0 pages in it, 0 pushed and 0 popped; "
                                     "another core must push a page"));
        assert_non_null(strstr(text, "; the word at 0x600 of L1, which is 0x0\n"));
        assert_null(strstr(strstr(text, "circular buffer") + 1, "circular buffer"));
        tf_chip_destroy(farm.chip);
    }
}

/* .ttinsn RESOURCEDECL acts when it is pushed: a bad one stops the core there. */
static void a_bad_declaration_stops_the_core(void **state)
{
    (void)state;
    const uint32_t word = 0x05800000;
    struct farm farm;
    struct tf_fault fault;
    set_up(&farm, &ways[0], NULL);
    struct code *code = program(&farm);
    put(code, word << 2 | word >> 30);
    store(code, 0x600, 1);
    forever(code);
    start(&farm, 3, TF_CORE_T0, 0x200);
    assert_int_equal(run(&farm), TF_END_FAULT);
    assert_int_equal(tf_fault_get(farm.chip, 0, &fault), TF_OK);
    assert_int_equal(fault.core, TF_CORE_T0);
    assert_int_equal(fault.pc, 0x200);
    assert_int_equal(peek(&farm, 3, 0x600), 0);
    tf_chip_destroy(farm.chip);
}

static void go_on(struct chip_wish *config)
{
    config->go_on_after_fault = true;
}

static void two_requests_an_epoch(struct chip_wish *config)
{
    config->niu_requests_max = 2;
}

/* Seven packets, two in each epoch. The registers follow, NOC_CMD_CTRL stays 1, and all packets arrive. */
static void a_split_request_keeps_to_the_bound(void **state)
{
    (void)state;
    enum { BYTES = 6 * 16384 + 100 };
    static uint8_t data[BYTES], got[BYTES];
    for (unsigned i = 0; i < BYTES; i++)
        data[i] = (uint8_t)(i * 7 + i / 256);
    for (unsigned i = FIRST_WAY; i < WAYS; i++) {
        struct farm farm;
        set_up(&farm, &ways[i], two_requests_an_epoch);
        assert_int_equal(tf_write(farm.chip, at(1), 0x20000, data, BYTES), TF_OK);
        ask_for(program(&farm), 0, 1, 0x20000, 0x80000, BYTES);
        forever(program(&farm));
        start(&farm, 0, TF_CORE_B, 0x100);
        struct tf_run_options options = {.cycles_max = 1};
        assert_int_equal(tf_run(farm.chip, &options, NULL), TF_OK);
        assert_int_equal(peek(&farm, 0, NIU + 0x40), 1);
        assert_int_equal(peek(&farm, 0, NIU + 0x20), BYTES - 2 * 16384);
        assert_int_equal(peek(&farm, 0, NIU + 0x0C), 0x80000 + 2 * 16384);
        assert_int_equal(peek(&farm, 0, NIU + 0x240 + 4 * 3), 7);
        assert_int_equal(run(&farm), TF_END_QUIET);
        assert_int_equal(peek(&farm, 0, NIU + 0x40), 0);
        assert_int_equal(peek(&farm, 0, NIU + 0x20), 100);
        assert_int_equal(peek(&farm, 0, NIU + 0x240 + 4 * 3), 0);
        assert_int_equal(peek(&farm, 0, NIU + 0x210), 7);
        assert_int_equal(tf_read(farm.chip, at(0), 0x80000, got, BYTES), TF_OK);
        assert_memory_equal(got, data, BYTES);
        tf_chip_destroy(farm.chip);
    }
}

static void eight_slices(struct chip_wish *config)
{
    config->slice_cycles = 64;
    config->epoch_cycles_min = config->epoch_cycles_max = 512;
}

/* Poll a counter until it is no longer `before`; then store the cycle at `note`. */
static void poll_and_note(struct code *code, uint32_t counter, uint32_t before, uint32_t note)
{
    li(code, X_BASE, counter);
    li(code, 28, before);
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_BASE, 0));
    branch_to(code, BEQ, X_VALUE, 28, loop);
    put(code, rv_i(CSRRS, 29, 0, CSR_CYCLE));
    li(code, X_BASE, note);
    put(code, rv_s(SW, 29, X_BASE, 0));
    forever(code);
}

/* docs/design.md, "The delivery order": a long write's source is captured when all harts have stopped at the epoch's
   end, and its counters move then. The sender is quiet long before that, but another tile runs until the end. */
static void long_writes_are_captured_at_the_end_of_the_epoch(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter, before, after;
    } waits[] = {{0x280 + 4 * 3, 1, 0}, {0x22C, 0, 1}, {0x224, 0, 64}};
    for (unsigned wait = 0; wait < sizeof waits / sizeof waits[0]; wait++)
        for (unsigned i = FIRST_WAY; i < WAYS; i++) {
            struct farm farm;
            set_up(&farm, &ways[i], eight_slices);
            struct code *code = program(&farm);
            store(code, NIU + 0x00, 0x20000);
            store(code, NIU + 0x0C, 0x20000);
            store(code, NIU + 0x14, xy(1));
            store(code, NIU + 0x18, 3 << 10);
            store(code, NIU + 0x1C, 2);
            store(code, NIU + 0x20, 4096);
            store(code, NIU + 0x40, 1);
            poll_and_note(code, NIU + waits[wait].counter, waits[wait].before, 0x1000);
            start(&farm, 0, TF_CORE_B, 0x100);
            code = program(&farm);
            li(code, X_BASE, 3000);
            unsigned loop = code->count;
            put(code, rv_i(ADDI, X_BASE, X_BASE, -1u));
            branch_to(code, BNE, X_BASE, 0, loop);
            forever(code);
            start(&farm, 2, TF_CORE_B, 0x100);
            struct tf_run_options options = {.cycles_max = 500};
            assert_int_equal(tf_run(farm.chip, &options, NULL), TF_OK);
            assert_int_equal(peek(&farm, 0, NIU + waits[wait].counter), waits[wait].after);
            assert_int_equal(peek(&farm, 0, 0x1000), 0);
            assert_int_equal(run(&farm), TF_END_QUIET);
            assert_in_range(peek(&farm, 0, 0x1000), 512, 575);
            tf_chip_destroy(farm.chip);
        }
}

/* An atomic adds one to a word of another tile. `answered` is where its answer lands. */
static void ask_to_add(struct code *code, unsigned initiator, unsigned other, uint32_t word, unsigned answered,
                       uint32_t to)
{
    uint32_t base = NIU + initiator * 0x800;
    store(code, base + 0x00, word);
    store(code, base + 0x08, xy(other));
    store(code, base + 0x0C, to);
    store(code, base + 0x14, xy(answered));
    store(code, base + 0x1C, 0x11);
    store(code, base + 0x20, 0x107C);
    store(code, base + 0x28, 1);
    store(code, base + 0x40, 1);
}

/* Answers to a tile's own requests land among others' answers, by issuer; in the first epoch in tile order. One request
   is refused. */
static void answers_land_in_the_order_of_asking(void **state)
{
    (void)state;
    uint64_t hash[WAYS];
    for (unsigned i = FIRST_WAY; i < WAYS; i++) {
        struct farm farm;
        set_up(&farm, &ways[i], go_on);
        for (unsigned tile = 0; tile < 3; tile++) {
            struct code *code = program(&farm);
            poke(&farm, 10 + tile, 0x2000, 100 * (tile + 1));
            ask_to_add(code, 0, 10 + tile, 0x2000, 1, 0x4000);
            ask_to_add(code, 1, 10 + tile, 0x2000, 1, tile == 2 ? 0x4008 : 0x4004);
            if (tile == 1) {
                ask_for(code, tile, 10 + tile, 0x900000, 0x4000, 16); /* where nothing is */
                ask_to_add(code, 3, 10 + tile, 0x2000, 1, 0x400C);
            }
            forever(code);
            start(&farm, tile, TF_CORE_B, 0x100);
        }
        struct tf_run_options options = {.cycles_max = 1};
        assert_int_equal(tf_run(farm.chip, &options, NULL), TF_OK);
        assert_int_equal(peek(&farm, 1, 0x4000), 0);
        hash[i] = tf_state_hash(farm.chip); /* of the answers that are under way, too */
        assert_true(hash[i] == hash[FIRST_WAY]);
        run(&farm);
        assert_int_equal(peek(&farm, 1, 0x4000), 300);
        assert_int_equal(peek(&farm, 1, 0x4004), 201);
        assert_int_equal(peek(&farm, 1, 0x4008), 301);
        assert_int_equal(peek(&farm, 1, 0x400C), 202);
        assert_int_equal(peek(&farm, 11, 0x2000), 203);
        assert_int_equal(peek(&farm, 1, NIU + 0x200), 7);
        tf_chip_destroy(farm.chip);
    }
}

/* Of four answered requests two leave in an epoch, and two in the next. */
static void answers_come_by_the_bound_of_epochs(void **state)
{
    (void)state;
    for (unsigned i = FIRST_WAY; i < WAYS; i++) {
        struct farm farm;
        set_up(&farm, &ways[i], two_requests_an_epoch);
        for (unsigned initiator = 0; initiator < 4; initiator++)
            ask_to_add(program(&farm), initiator, 7, 0x2000, 0, 0x4000 + 4 * initiator);
        forever(program(&farm));
        start(&farm, 0, TF_CORE_B, 0x100);
        static const uint32_t answered[3] = {0, 2, 4};
        for (unsigned epoch = 0; epoch < 3; epoch++) {
            struct tf_run_options options = {.cycles_max = 1};
            assert_int_equal(tf_run(farm.chip, &options, NULL), TF_OK);
            assert_int_equal(peek(&farm, 0, NIU + 0x200), answered[epoch]);
        }
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(peek(&farm, 0, 0x4000 + 4 * k), k);
        tf_chip_destroy(farm.chip);
    }
}

/*
 * docs/design.md, "The delivery order": data of reads up to 2048 bytes land among the other answers, in the order of
 * issue. Longer ones land before all of them. An atomic that was issued before the read answers into the read's data.
 */
static void long_reads_land_before_other_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t bytes;
        bool before;
    } reads[] = {{2032, false}, {2048, false}, {2064, true}, {4096, true}};
    for (unsigned k = 0; k < sizeof reads / sizeof *reads; k++)
        for (unsigned i = FIRST_WAY; i < WAYS; i++) {
            struct farm farm;
            set_up(&farm, &ways[i], NULL);
            poke(&farm, 7, 0x1000, 0xAAAA);
            poke(&farm, 1, 0x4000, 0xBBBB);
            struct code *code = program(&farm);
            store(code, NIU + 0x800 + 0x00, 0x1000);
            store(code, NIU + 0x800 + 0x08, xy(7));
            store(code, NIU + 0x800 + 0x0C, 0x4000);
            store(code, NIU + 0x800 + 0x14, xy(0));
            store(code, NIU + 0x800 + 0x1C, 1 | 1 << 4);
            store(code, NIU + 0x800 + 0x20, 0x107C);
            store(code, NIU + 0x800 + 0x40, 1);
            ask_for(code, 0, 1, 0x4000, 0x4000, reads[k].bytes);
            ask_for(code, 0, 1, 0x4000, 0x8000, 4096); /* always a long one, beside it */
            forever(code);
            start(&farm, 0, TF_CORE_B, 0x100);
            assert_int_equal(run(&farm), TF_END_QUIET);
            assert_int_equal(peek(&farm, 0, 0x4000), reads[k].before ? 0xAAAA : 0xBBBB);
            tf_chip_destroy(farm.chip);
        }
}

static void by_the_emulator_specification(struct chip_wish *config)
{
    config->atomics = TF_ATOMICS_EMU_SPEC;
}

/*
 * A long write takes its source from the state at the stop of the harts. A later STORE_IND to the source, by a pointer
 * elsewhere, does not arrive. Targets lie on both sides of the source in the order of sites.
 */
static void store_ind_does_not_change_what_is_being_written(void **state)
{
    (void)state;
    enum { SOURCE = 60, THIRD = 80 };
    static const unsigned target[2] = {20, 100};
    for (unsigned i = FIRST_WAY; i < WAYS; i++) {
        struct farm farm;
        set_up(&farm, &ways[i], by_the_emulator_specification);
        poke(&farm, SOURCE, 0x1000, 0x20800);
        poke(&farm, SOURCE, 0x20800, 0xAAAA);
        for (unsigned t = 0; t < 2; t++) {
            struct code *code = program(&farm);
            store(code, NIU + t * 0x800 + 0x00, 0x20000);
            store(code, NIU + t * 0x800 + 0x0C, 0x20000);
            store(code, NIU + t * 0x800 + 0x14, xy(target[t]));
            store(code, NIU + t * 0x800 + 0x1C, 2);
            store(code, NIU + t * 0x800 + 0x20, 4096);
        }
        struct code *code = program(&farm);
        for (unsigned t = 0; t < 2; t++)
            store(code, NIU + t * 0x800 + 0x40, 1);
        forever(code);
        start(&farm, SOURCE, TF_CORE_B, 0x100);
        code = program(&farm);
        store(code, NIU + 0x00, 0x1000);
        store(code, NIU + 0x08, xy(SOURCE));
        store(code, NIU + 0x1C, 1);
        store(code, NIU + 0x20, 0x6000);
        store(code, NIU + 0x28, 0xBBBB);
        store(code, NIU + 0x40, 1);
        forever(code);
        start(&farm, THIRD, TF_CORE_B, 0x100);
        assert_int_equal(run(&farm), TF_END_QUIET);
        assert_int_equal(peek(&farm, SOURCE, 0x20800), 0xBBBB);
        for (unsigned t = 0; t < 2; t++)
            assert_int_equal(peek(&farm, target[t], 0x20800), 0xAAAA);
        tf_chip_destroy(farm.chip);
    }
}

static void be_relaxed(struct chip_wish *config)
{
    config->mode = TF_MODE_RELAXED;
}

/* Slices that are not divided. */
static void shortest_slices(struct chip_wish *config)
{
    config->slice_cycles = config->epoch_cycles_min = config->epoch_cycles_max = 32;
}

/* Epochs of one tick: the ends of runs, and reads at these ends, have no effect. */
static void cuts_do_not_show(void **state)
{
    (void)state;
    uint64_t hash[6];
    for (unsigned cuts = 1; cuts <= 6; cuts++) {
        struct farm farm;
        set_up(&farm, &ways[cuts % WAYS], shortest_slices);
        for (unsigned tile = 0; tile < 3; tile++) {
            struct code *code = program(&farm);
            unsigned loop = code->count;
            ask_for(code, tile, (tile + 1) % 3, 0x4000, 0x4000 + 0x40 * tile, 16);
            unsigned poll = code->count;
            li(code, X_BASE, NIU + 0x20C);
            put(code, rv_i(LW, X_VALUE, X_BASE, 0));
            branch_to(code, BEQ, X_VALUE, 8, poll);
            put(code, rv_r(ADD, 8, X_VALUE, 0));
            jump_to(code, 0, loop);
            start(&farm, tile, TF_CORE_B, 0x100);
        }
        struct tf_stats stats = {0};
        for (unsigned i = 0; i < cuts; i++) {
            struct tf_run_options options = {.cycles_max = 20000 * (i + 1) / cuts - stats.cycles};
            assert_int_equal(tf_run(farm.chip, &options, NULL), TF_OK);
            tf_state_hash(farm.chip);
            tf_stats(farm.chip, &stats);
        }
        assert_in_range(stats.noc_requests, 100, 100000);
        hash[cuts - 1] = tf_state_hash(farm.chip);
        assert_true(hash[cuts - 1] == hash[0]);
        tf_chip_destroy(farm.chip);
    }
}

/* Also at 0, which is not the reset address in NC's registers. */
static void a_core_starts_where_it_is_told(void **state)
{
    (void)state;
    struct farm farm;
    set_up(&farm, &ways[0], NULL);
    store(program(&farm), 0x1000, 0x600D);
    forever(program(&farm));
    start(&farm, 0, TF_CORE_NC, 0);
    assert_int_equal(run(&farm), TF_END_QUIET);
    assert_int_equal(peek(&farm, 0, 0x1000), 0x600D);
    tf_chip_destroy(farm.chip);
}

/* A larger number of cycles than time has is no limit. */
static void a_limit_beyond_all_time_is_none(void **state)
{
    (void)state;
    for (unsigned relaxed = 0; relaxed < 2; relaxed++) {
        struct farm farm;
        set_up(&farm, &ways[0], relaxed ? be_relaxed : NULL);
        for (unsigned i = 0; i < 3; i++) {
            struct tf_run_options options = {.cycles_max = UINT64_MAX - i};
            enum tf_end end;
            forever(program(&farm));
            start(&farm, i, TF_CORE_B, 0x100);
            assert_int_equal(tf_run(farm.chip, &options, &end), TF_OK);
            assert_int_equal(end, TF_END_QUIET);
        }
        tf_chip_destroy(farm.chip);
    }
}

static void one_slice(struct chip_wish *config)
{
    config->slice_cycles = config->epoch_cycles_min = config->epoch_cycles_max = 16384;
}

/* NC polls the status of the instruction buffers, which shows registers of other windows: it sees B's pushes in their
   cycle, parked or not. */
static void a_poller_sees_what_others_change(void **state)
{
    (void)state;
    uint32_t seen[2];
    for (unsigned parking = 0; parking < 2; parking++) {
        struct farm farm;
        set_up(&farm, &ways[parking ? 0 : 2], one_slice);
        struct code *code = program(&farm);
        li(code, X_BASE, DEBUG_AT(PUSH_STATUS));
        put(code, rv_i(LW, 6, X_BASE, 0));
        put(code, rv_i(LW, 5, X_BASE, 0));
        put(code, rv_b(BEQ, 5, 6, -4));
        put(code, rv_i(CSRRS, X_VALUE, 0, CSR_CYCLE));
        li(code, X_BASE, 0x1000);
        put(code, rv_s(SW, X_VALUE, X_BASE, 0));
        forever(code);
        start(&farm, 0, TF_CORE_NC, 0x100);
        for (unsigned i = 0; i < 700; i++)
            put(code, rv_i(ADDI, 5, 5, 1));
        for (unsigned i = 0; i < 4; i++)
            store(code, TF_INSTRN_BUF_OF(1), 0xA6000005 | 0x1FFu << 15); /* SEMWAIT: semaphore 0 is 0 */
        forever(code);
        start(&farm, 0, TF_CORE_B, 0x2000);
        run(&farm);
        seen[parking] = peek(&farm, 0, 0x1000);
        assert_in_range(seen[parking], 700, 800);
        tf_chip_destroy(farm.chip);
    }
    assert_int_equal(seen[0], seen[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_that_completes_interrupts),
        cmocka_unit_test(the_watchdog_ends_a_wait),
        cmocka_unit_test(reads_that_cross_see_the_old_values),
        cmocka_unit_test(a_blocked_core_leaves_no_trace_of_its_waiting),
        cmocka_unit_test(a_fault_behind_many_hazards_is_told),
        cmocka_unit_test(a_deadlock_ends_the_run_and_is_described),
        cmocka_unit_test(a_polled_buffer_is_described_once),
        cmocka_unit_test(a_bad_declaration_stops_the_core),
        cmocka_unit_test(cuts_do_not_show),
        cmocka_unit_test(a_core_starts_where_it_is_told),
        cmocka_unit_test(a_split_request_keeps_to_the_bound),
        cmocka_unit_test(long_writes_are_captured_at_the_end_of_the_epoch),
        cmocka_unit_test(answers_land_in_the_order_of_asking),
        cmocka_unit_test(answers_come_by_the_bound_of_epochs),
        cmocka_unit_test(long_reads_land_before_other_answers),
        cmocka_unit_test(store_ind_does_not_change_what_is_being_written),
        cmocka_unit_test(a_poller_sees_what_others_change),
        cmocka_unit_test(a_limit_beyond_all_time_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
