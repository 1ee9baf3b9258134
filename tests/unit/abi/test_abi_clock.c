/* SPDX-License-Identifier: Apache-2.0 */
/* Time passes by at least the requested cycles in all, and by more for a host that only repeats itself. A fault leaves
   time as it is. */
#include "random.h"
#include "rig.h"
#include "addresses.h"

#define WALL_CLOCK DEBUG_AT(CLOCK_L)

static uint32_t clock_low(void)
{
    return get32(&lib, 1, 2, WALL_CLOCK);
}

/* Cycles that ran beyond the requested ones count for the next calls. */
static void test_time_passes(void **state)
{
    (void)state;
    uint32_t first = clock_low();
    uint64_t asked = 0;
    for (uint32_t cycles = 1; cycles < 1000000; cycles = cycles * 7 + 3) {
        lib.clock(cycles);
        asked += cycles;
        assert_true(clock_low() - first >= asked);
        assert_true(clock_low() - first < asked + 4096);
    }
    uint32_t before = clock_low();
    lib.clock(0);
    assert_int_equal(clock_low(), before);
}

/* Make calls of all kinds in an order that a seed gives. Returns a digest of the values that reads gave. */
static uint64_t mixed_calls(uint64_t seed)
{
    uint64_t digest = 0, number = seed;
    aim(&lib, 1, 2, 0);
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t chosen = test_random(&number), value = chosen;
        if (chosen % 64 == 0)
            lib.write(BAR0 + 0x800, &value, sizeof value);
        else if (chosen % 16 == 0)
            lib.read(BAR0 + 0x500, &value, sizeof value);
        else if (chosen % 16 == 1)
            value = clock_low(), aim(&lib, 1, 2, 0);
        else
            lib.clock(chosen % 16 < 4 ? 0 : chosen / 16 % 100);
        digest = (digest ^ value) * 0x9E3779B97F4A7C15ull;
    }
    return digest ^ clock_low();
}

/* Calls that end immediately, because the chip is ahead, leave the time as if each call had been evaluated. */
static void test_equal_when_looked_at(void **state)
{
    uint64_t seed = test_seed(1), first = mixed_calls(seed);
    tear_down(state);
    setenv("TILEFARM_HANG", "1000000", 1);
    set_up(state);
    assert_true(mixed_calls(seed) == first);
    unsetenv("TILEFARM_HANG");
}

/* After a write of the host, the chip runs. */
static void test_runs_after_a_write(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        uint32_t before = clock_low();
        lib.clock(1);
        lib.clock(1);
        assert_true(clock_low() - before <= 4096);
        put32(&lib, 3, 3, 0x800, i);
        before = clock_low();
        lib.clock(1);
        assert_true(clock_low() != before);
    }
}

/* TILEFARM_CLOCK: a call runs so many cycles if fewer are requested. */
static void test_least_cycles(void **state)
{
    (void)state;
    lib.exit();
    setenv("TILEFARM_CLOCK", "50000", 1);
    lib.init();
    for (unsigned i = 0; i < 3; i++) {
        put32(&lib, 3, 3, 0x800, i);
        uint32_t before = clock_low();
        lib.clock(i == 0 ? 1 : 49999);
        assert_true(clock_low() - before >= 50000 && clock_low() - before < 54096);
    }
    put32(&lib, 3, 3, 0x800, 9);
    uint32_t before = clock_low();
    lib.clock(70000);
    assert_true(clock_low() - before >= 70000 && clock_low() - before < 74096);
    unsetenv("TILEFARM_CLOCK");
}

#define SOFT_RESET DEBUG_AT(SOFT_RESET_0)
#define RUN_B 0x47000u

static uint32_t word_of(const struct api *api, uint32_t x, uint32_t address)
{
    uint32_t word;
    api->tile_read(x, 2, address, &word, sizeof word);
    return word;
}

/* B of a tile waits in reset before a program that clears the word at 0x400. */
static void load(const struct api *api, uint32_t x)
{
    const uint32_t code[] = {0x40002023, 0x0000006F}, seven = 7; /* sw zero, 0x400(zero); j . */
    api->tile_write(x, 2, 0, code, sizeof code);
    api->tile_write(x, 2, 0x400, &seven, sizeof seven);
}

/* With TILEFARM_CLOCK, a core has run when the call that releases it ends. Without it, only a clock lets the core
   run. */
static void release(struct api *api, bool one_call)
{
    const uint32_t run_b = RUN_B;
    load(api, 1);
    uint32_t before = word_of(api, 1, WALL_CLOCK);
    api->tile_write(1, 2, SOFT_RESET, &run_b, sizeof run_b);
    uint32_t passed = word_of(api, 1, WALL_CLOCK) - before;
    assert_int_equal(word_of(api, 1, 0x400), one_call ? 0 : 7);
    assert_true(one_call ? passed >= 5000 && passed < 9096 : passed == 0);
    api->clock(5000);
    assert_int_equal(word_of(api, 1, 0x400), 0);
}

static void test_released_core_has_run(void **state)
{
    (void)state;
    const uint32_t run_b = RUN_B, window[3] = {SOFT_RESET >> 21, 3u << 11 | 2u << 17 | 2u << 23 | 2u << 29, 1 << 5};
    struct api wormhole;
    lib.exit();
    assert_int_equal(api_load(&wormhole, TF_LIBTTSIM_WH), 0);
    for (unsigned i = 0; i < 2; i++) {
        if (i == 1)
            setenv("TILEFARM_CLOCK", "5000", 1);
        wormhole.init();
        release(&wormhole, i == 1);
        wormhole.exit();
        lib.init();
        release(&lib, i == 1);
        if (i == 0)
            lib.exit();
    }
    load(&lib, 2);
    load(&lib, 3);
    uint32_t before = clock_low(); /* by this window */
    for (unsigned i = 0; i < 3; i++)
        lib.write(WINDOW_CONFIG + 4 * i, window + i, sizeof window[i]);
    lib.write(BAR0 + SOFT_RESET % (1u << 21), &run_b, sizeof run_b); /* both tiles */
    assert_true(clock_low() - before >= 5000 && clock_low() - before < 9096);
    assert_int_equal(get32(&lib, 2, 2, 0x400), 0);
    assert_int_equal(get32(&lib, 3, 2, 0x400), 0);
    unsetenv("TILEFARM_CLOCK");
}

/* RISC_DBG_CNTL_0 and _1, RISC_DBG_STATUS_1 of the tile at (1, 2); of B. */
static void set_dr(uint32_t index, uint32_t value)
{
    put32(&lib, 1, 2, DEBUG_AT(RISC_CNTL_1), value);
    put32(&lib, 1, 2, DEBUG_AT(RISC_CNTL_0), 0x80010000 | index);
    put32(&lib, 1, 2, DEBUG_AT(RISC_CNTL_0), 0);
}

static uint32_t dr(uint32_t index)
{
    put32(&lib, 1, 2, DEBUG_AT(RISC_CNTL_0), 0x80000000 | index);
    assert_int_equal(get32(&lib, 1, 2, DEBUG_AT(RISC_CNTL_0)), 0x80000000 | index); /* a word that is no command */
    put32(&lib, 1, 2, DEBUG_AT(RISC_CNTL_0), 0);
    return get32(&lib, 1, 2, DEBUG_AT(RISC_STATUS_1));
}

#define DEBUG_MODE 0x80000000u

static uint32_t register_of_b(uint32_t number)
{
    set_dr(2, number);
    set_dr(1, DEBUG_MODE | 8);
    return dr(4);
}

/* A debugger sees the effect of its commands without a clock in between. */
static void test_debuggers_need_no_clock(void **state)
{
    (void)state;
    const uint32_t code[] = {0x00128293, 0x40502023, 0xFF9FF06F}; /* addi t0, t0, 1; sw t0, 0x400(zero); j -8 */
    put(&lib, 1, 2, 0, code, sizeof code);
    put32(&lib, 1, 2, DEBUG_AT(SOFT_RESET_0), 0x47000);
    set_dr(1, DEBUG_MODE | 1);
    assert_int_equal(dr(0), 1);
    uint32_t pc = register_of_b(32), t0 = register_of_b(5);
    for (unsigned i = 0; i < 10; i++) {
        t0 += pc == 0;
        pc = pc == 8 ? 0 : pc + 4;
        set_dr(1, DEBUG_MODE | 2);
        set_dr(1, DEBUG_MODE | 2);
        assert_int_equal(dr(0), 1);
        assert_int_equal(register_of_b(32), pc);
        assert_int_equal(register_of_b(5), t0);
    }
    set_dr(10, 4);
    set_dr(11, 0x400);
    for (unsigned i = 0; i < 4; i++) {
        set_dr(5, i % 2 == 0 ? 8 : 10 << 4);
        set_dr(1, DEBUG_MODE | 4);
        assert_int_equal(dr(0), i % 2 == 0 ? 0x103 : 0x205);
        assert_int_equal(register_of_b(32), 8); /* after the store */
        assert_int_equal(get32(&lib, 1, 2, 0x400), register_of_b(5));
    }
    /* The same word at another address is no command. */
    const uint64_t before = clock_low();
    put32(&lib, 1, 2, 0x500, 0x80010001);
    assert_int_equal(clock_low(), before);
    set_dr(5, 0);
    t0 = register_of_b(5);
    set_dr(1, DEBUG_MODE | 4);
    assert_int_equal(dr(0), 0);
    assert_true(get32(&lib, 1, 2, 0x400) > t0);
}

/* addi t0, t0, 1; sw t0, 0x400(zero); j -8 */
static void start_counting(void)
{
    const uint32_t code[] = {0x00128293, 0x40502023, 0xFF9FF06F};
    put(&lib, 1, 2, 0, code, sizeof code);
    put32(&lib, 1, 2, 0x500, 0);
    put32(&lib, 1, 2, DEBUG_AT(SOFT_RESET_0), 0x47000);
}

static uint32_t counted(void)
{
    uint32_t value;
    lib.read(BAR0 + 0x400, &value, 4);
    return value;
}

static uint32_t poll(void)
{
    uint32_t value;
    lib.read(BAR0 + 0x500, &value, 4);
    lib.clock(1);
    return value;
}

/* A counter shows how many cycles the next clock(1) runs. To read the counter breaks the repetition. */
static void test_polling_speeds_up(void **state)
{
    (void)state;
    start_counting();
    aim(&lib, 1, 2, 0);
    lib.clock(1);
    uint32_t before = counted();
    for (unsigned i = 0; i < 100; i++)
        poll();
    uint32_t fast = counted() - before;
    lib.clock(1);
    before = counted();
    for (unsigned i = 0; i < 100; i++) {
        uint32_t value;
        lib.read(BAR0 + 0x500 + 4 * (i % 2), &value, 4); /* each round differs from the previous one */
        lib.clock(1);
    }
    uint32_t slow = counted() - before;
    assert_true(slow <= 2048); /* a slice or two of three instructions each */
    assert_true(fast > 20 * 2048);
}

/* A host that only lets time pass gets more than a slice beyond, but no more than it has requested since its last
   access. */
static void test_resting_host_gets_more(void **state)
{
    (void)state;
    start_counting();
    aim(&lib, 1, 2, 0);
    lib.clock(1);
    uint32_t before = counted();
    for (unsigned i = 0; i < 40; i++)
        lib.clock(100);
    uint32_t instructions = 3 * (counted() - before);
    assert_in_range(instructions, 4000 + 1024, 2 * 4000 + 1024);
    before = counted();
    for (unsigned i = 0; i < 40; i++) {
        uint32_t value;
        lib.read(BAR0 + 0x500 + 4 * (i % 2), &value, 4); /* from here on it neither rests nor repeats a round */
        lib.clock(0);
        lib.clock(25);
    }
    assert_in_range(3 * (counted() - before), 0, 1000 + 1024);
}

static void test_write_slows_down(void **state)
{
    (void)state;
    start_counting();
    aim(&lib, 1, 2, 0);
    for (unsigned i = 0; i < 30; i++)
        poll();
    uint32_t zero = 0, before = counted();
    lib.write(BAR0 + 0x500, &zero, 4);
    poll();
    assert_true(counted() - before < 4096);
}

/* A host that writes or reads much in each round gets no speed-up, even if its rounds are equal. */
static void test_only_polls_speed_up(void **state)
{
    (void)state;
    static uint8_t much[2000];
    start_counting();
    aim(&lib, 1, 2, 0);
    uint32_t before = counted(), zero = 0;
    for (unsigned i = 0; i < 50; i++) {
        lib.write(BAR0 + 0x500, &zero, 4);
        poll();
    }
    assert_true(counted() - before < 50 * 2048 / 3);
    before = counted();
    for (unsigned i = 0; i < 50; i++) {
        lib.read(BAR0 + 0x500, much, sizeof much);
        lib.clock(1);
    }
    assert_true(counted() - before < 2048);
}

/* Equal calls give an equal run. */
static uint64_t poll_until(uint32_t count)
{
    uint64_t polls = 0;
    start_counting();
    aim(&lib, 1, 2, 0);
    while (counted() < count) {
        poll();
        polls++;
    }
    return polls << 32 | counted();
}

static void test_deterministic(void **state)
{
    uint64_t first = poll_until(100000);
    for (unsigned i = 0; i < 2; i++) {
        tear_down(state);
        setenv("TILEFARM_THREADS", i == 0 ? "1" : "4", 1);
        set_up(state);
        assert_true(poll_until(100000) == first);
    }
    unsetenv("TILEFARM_THREADS");
}

static uint32_t status(uint32_t offset)
{
    uint32_t value;
    lib.read(BAR0 + 0x1FE00000 + offset, &value, 4);
    return value;
}

static void test_fault(void **state)
{
    (void)state;
    char said[4096], text[160];
    assert_int_equal(status(0), 0x4D524654);
    assert_int_equal(status(4), 0);
    start_counting();
    put32(&lib, 6, 7, 0, 0xFFFFFFFF); /* no instruction */
    put32(&lib, 6, 7, DEBUG_AT(SOFT_RESET_0), 0x47000);
    catch_stderr();
    lib.clock(5000);
    caught_stderr(said, sizeof said);
    assert_int_equal(lines(said), 1);
    assert_non_null(strstr(said, "tilefarm: fault: category=\""));
    assert_non_null(strstr(said, "tile=(6,7) core=B pc=0x00000000 instruction=0xffffffff"));
    uint32_t stopped_at = clock_low(), count = get32(&lib, 1, 2, 0x400);
    SILENT(lib.clock(100000));
    assert_int_equal(clock_low(), stopped_at); /* no more time passes */
    assert_int_equal(get32(&lib, 1, 2, 0x400), count);
    put32(&lib, 1, 2, 0x900, 5); /* memory still answers */
    assert_int_equal(get32(&lib, 1, 2, 0x900), 5);
    assert_int_equal(status(4), 1);
    assert_int_equal(status(8), 1);
    assert_int_equal(status(16), 6 | 7 << 8);
    assert_int_equal(status(20), 0);
    assert_int_equal(status(28), 0xFFFFFFFF);
    for (uint32_t i = 0; i < sizeof text; i += 4) {
        uint32_t word = status(0x40 + i);
        memcpy(text + i, &word, 4);
    }
    assert_non_null(strstr(said, text));
    REFUSED(put32(&lib, 2, 0, 1ull << 61, 1), "host memory");
}

#define REFUSED_AS_FAULT(calls, part)                        \
    do {                                                     \
        char said_[1024];                                    \
        catch_stderr();                                      \
        calls;                                               \
        caught_stderr(said_, sizeof said_);                  \
        assert_int_equal(lines(said_), 1);                   \
        assert_non_null(strstr(said_, "tilefarm: fault: ")); \
        assert_non_null(strstr(said_, part));                \
    } while (0)

/* TILEFARM_ON_FAULT=go: a fault stops only its core, until that is reset. */
static void test_goes_on_after_a_fault(void **state)
{
    (void)state;
    const uint32_t bad = 0xFFFFFFFF;
    lib.exit();
    setenv("TILEFARM_ON_FAULT", "go", 1);
    lib.init();
    start_counting();
    put(&lib, 2, 2, 0, &bad, sizeof bad);
    REFUSED_AS_FAULT(
        {
            put32(&lib, 2, 2, DEBUG_AT(SOFT_RESET_0), 0x47000);
            lib.clock(100);
        },
        "tile=(2,2) core=B pc=0x00000000");
    assert_int_equal(status(4), 0);
    assert_int_equal(status(8), 1);
    uint32_t before = get32(&lib, 1, 2, 0x400);
    lib.clock(5000);
    assert_true(get32(&lib, 1, 2, 0x400) > before);
    const uint32_t better[] = {0x40102023, bad}; /* sw x1, 0x400(zero) */
    put(&lib, 2, 2, 0, better, sizeof better);
    put32(&lib, 2, 2, 0x400, 7);
    put32(&lib, 2, 2, DEBUG_AT(SOFT_RESET_0), 0x47800);
    REFUSED_AS_FAULT(
        {
            put32(&lib, 2, 2, DEBUG_AT(SOFT_RESET_0), 0x47000);
            lib.clock(100);
        },
        "core=B pc=0x00000004");
    assert_int_equal(get32(&lib, 2, 2, 0x400), 0);
    unsetenv("TILEFARM_ON_FAULT");
}

/* A core of an Ethernet tile has its own name. Here the functions for tiles start it. */
static void test_fault_on_ethernet(void **state)
{
    (void)state;
    char said[4096];
    uint32_t words[] = {0x00000013, 0x00000000}; /* nop; no instruction */
    uint32_t pc = 0x4000, reset = 0x800;
    lib.tile_write(20, 25, pc, words, sizeof words);
    lib.tile_write(20, 25, TF_LOCAL_OF_B_BASE + 0x8, &pc, 4);
    lib.tile_write(20, 25, DEBUG_AT(SOFT_RESET_0), &reset, 4);
    catch_stderr();
    lib.clock(100);
    caught_stderr(said, sizeof said);
    assert_int_equal(lines(said), 1);
    assert_non_null(strstr(said, "tile=(1,1) core=E1 pc=0x00004004 instruction=0x00000000"));
    assert_int_equal(status(16), 1 | 1 << 8);
    assert_int_equal(status(20), 1);
}

int main(void)
{
    if (api_load(&lib, TF_LIBTTSIM) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_time_passes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_equal_when_looked_at, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_runs_after_a_write, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_least_cycles, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_released_core_has_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_debuggers_need_no_clock, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_polling_speeds_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_resting_host_gets_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_write_slows_down, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_only_polls_speed_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_deterministic, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fault, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_goes_on_after_a_fault, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fault_on_ethernet, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
