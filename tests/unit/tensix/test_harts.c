/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The coprocessor under real cores: programs of random pushes, semaphore accesses and Manual TTSync on B and T0..T2 of
 * some tiles. Many of them end in deadlock, which serves the test as well. Parking, threads and the lengths of slices
 * and epochs must not affect the state.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "addresses.h"
/* After the standard headers. */
#include <cmocka.h>

#include "chip_wish.h"
#include "tile/order/order.h"
#include "tile/riscv/hart/retry.h"
#include "tile/tensix/isa/isa.h"
#include "tilefarm/tilefarm_chip.h"
#include "random.h"

#define TILES 6u
#define STEPS 160u
#define CODE(core) (0x4000u + 0x1000u * (core))
#define SCRIPT(core) (0x10000u + 0x4000u * (core))
#define RUNS 6u

/* The kind of a step, in the low bits of its address: 0 store, 1 load, 2 load until it is not 0. */
enum { STORE, LOAD, POLL };

struct step {
    uint32_t address, value;
};

static uint64_t random_state;

static uint32_t any(uint32_t below)
{
    return test_random_below(&random_state, below);
}

/* t0 = script; a0, a1 = step; a2 = kind of the step; a5: hash of all that was loaded, in order. */
static const uint32_t program[] = {
    0x000002b7, /* lui t0, script */
    0x0002a503, /* loop: lw a0, 0(t0) */
    0x0042a583, /* lw a1, 4(t0) */
    0x00828293, /* addi t0, t0, 8 */
    0x04050063, /* beqz a0, end */
    0x00357613, /* andi a2, a0, 3 */
    0x00061663, /* bnez a2, special */
    0x00b52023, /* sw a1, 0(a0) */
    0xfe5ff06f, /* j loop */
    0xffc57513, /* special: andi a0, a0, -4 */
    0x00200693, /* li a3, 2 */
    0x00d60863, /* beq a2, a3, poll */
    0x00052703, /* lw a4, 0(a0) */
    0x00e787b3, /* add a5, a5, a4 */
    0x0100006f, /* j mix */
    0x00052703, /* poll: lw a4, 0(a0) */
    0xfe070ee3, /* beqz a4, poll */
    0xfc1ff06f, /* j loop */
    0x6077d793, /* mix: rori a5, a5, 7 */
    0xfb9ff06f, /* j loop */
    0x0000006f, /* end: j end */
};

static uint32_t any_instruction(void)
{
    uint32_t semaphores = 1u << any(4) << 2;
    switch (any(12)) {
    case 0: return (uint32_t)TF_OP_SEMINIT << 24 | semaphores | any(3) << 16 | (1 + any(3)) << 20;
    case 1:
    case 2: return (uint32_t)TF_OP_SEMPOST << 24 | semaphores;
    case 3: return (uint32_t)TF_OP_SEMGET << 24 | semaphores;
    case 4: return (uint32_t)TF_OP_SEMWAIT << 24 | semaphores | 1 | any(512) << 15;
    case 5: return (uint32_t)TF_OP_STALLWAIT << 24 | any(512) << 15 | 1u << any(5);
    case 6: return (uint32_t)TF_OP_ATGETM << 24 | 2;
    case 7: return (uint32_t)TF_OP_ATRELM << 24 | 2;
    default: return (uint32_t)TF_OP_ADDDMAREG << 24 | any(1u << 18);
    }
}

static uint32_t any_push(void)
{
    switch (any(10)) {
    case 0: return (uint32_t)TF_OP_MOP << 24 | any(2) << 23 | any(60) << 16 | any(0x10000);
    case 1: return (uint32_t)TF_OP_REPLAY << 24 | any(8) << 14 | (1 + any(12)) << 4;
    default: return any_instruction();
    }
}

static struct step any_step(enum tf_core core)
{
    if (core == TF_CORE_B)
        return (struct step){TF_INSTRN_BUF_BASE + 0x10000u * any(3), any_instruction()};
    uint32_t semaphore = TF_SEMAPHORE_BASE + 4 * any(4);
    switch (any(18)) {
    case 9: /* what SETC16 and WRCFG change */ return (struct step){(TF_CFG_BASE + 4 * any(300)) | LOAD, 0};
    case 10: /* RISCV_DEBUG_REG_INSTRN_BUF_STATUS */ return (struct step){DEBUG_AT(DISABLE_RESET) | LOAD, 0};
    case 0: return (struct step){semaphore, any(2)};
    case 1: return (struct step){semaphore | LOAD, 0};
    case 2: return (struct step){any(3) ? semaphore : semaphore | POLL, 0};
    case 3: return (struct step){TF_DONE_CHECK | LOAD, 0};
    case 4: return (struct step){TF_MOP_DONE_CHECK | LOAD, 0};
    case 5: return (struct step){TF_GPR_BASE + 4 * any(64), any(1000)};
    case 6: return (struct step){(TF_GPR_BASE + 4 * any(64)) | LOAD, 0};
    case 7: /* Auto TTSync, on or off */
        return (struct step){TF_INSTRN_BUF_BASE, (uint32_t)TF_OP_SETC16 << 24 | 56u << 16 | any(32)};
    case 8: /* outer and inner count */ return (struct step){TF_MOP_CFG_BASE + 4 * any(2), any(20)};
    default: return (struct step){TF_INSTRN_BUF_BASE, any_push()};
    }
}

/* Valid words in the MOP configuration and the replay buffer, before anything expands to them. */
static unsigned prologue(enum tf_core core, struct step *step)
{
    unsigned count = 0;
    if (core == TF_CORE_B)
        return 0;
    for (uint32_t i = 2; i < 9; i++)
        step[count++] = (struct step){TF_MOP_CFG_BASE + 4 * i, any_instruction()};
    step[count++] = (struct step){TF_INSTRN_BUF_BASE, (uint32_t)TF_OP_REPLAY << 24 | 32 << 4 | 1};
    for (unsigned i = 0; i < 32; i++)
        step[count++] = (struct step){TF_INSTRN_BUF_BASE, any_instruction()};
    return count;
}

static void load_core(struct tf_chip *chip, unsigned tile, enum tf_core core)
{
    struct tf_coord coord;
    uint32_t code[sizeof program / sizeof program[0]];
    struct step script[STEPS] = {{0, 0}};
    for (unsigned i = prologue(core, script); i < STEPS - 1; i++)
        script[i] = any_step(core);
    memcpy(code, program, sizeof code);
    code[0] |= SCRIPT(core);
    assert_int_equal(tf_tile_coord(NULL, tile, &coord), TF_OK);
    assert_int_equal(tf_write(chip, coord, CODE(core), code, sizeof code), TF_OK);
    assert_int_equal(tf_write(chip, coord, SCRIPT(core), script, sizeof script), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, tile, core, CODE(core)), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, core), TF_OK);
}

struct result {
    uint64_t hash[4];
    size_t faults;
};

static void run(uint64_t seed, bool parking, unsigned threads, struct result *result)
{
    static const enum tf_core cores[] = {TF_CORE_B, TF_CORE_T0, TF_CORE_T1, TF_CORE_T2};
    struct chip_wish config;
    struct tf_message message;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.parking = parking;
    config.threads = threads;
    config.pin = false;
    config.go_on_after_fault = true;
    assert_int_equal(chip_wish_create(&config, &chip, &message), TF_OK);
    random_state = seed;
    for (unsigned tile = 0; tile < TILES; tile++)
        for (unsigned i = 0; i < 4; i++)
            if (i != 0 || tile % 3 == 0)
                load_core(chip, tile, cores[i]);
    for (unsigned i = 0; i < 4; i++) {
        struct tf_run_options options = {.cycles_max = i == 0 ? 1500 : 20000};
        assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
        result->hash[i] = tf_state_hash(chip);
    }
    result->faults = tf_fault_count(chip);
    tf_chip_destroy(chip);
}

static void test_parking_and_threads(void **state)
{
    (void)state;
    uint64_t seed = test_seed(1);
    for (unsigned i = 0; i < RUNS; i++) {
        struct result parked, awake, two;
        run(seed + i, true, 1, &parked);
        run(seed + i, false, 1, &awake);
        run(seed + i, true, 2, &two);
        assert_int_equal(parked.faults, awake.faults);
        for (unsigned n = 0; n < 4; n++) {
            if (parked.hash[n] != awake.hash[n])
                fail_msg("seed %llu: parking shows in hash %u", (unsigned long long)seed + i, n);
            if (parked.hash[n] != two.hash[n])
                fail_msg("seed %llu: threads show in hash %u", (unsigned long long)seed + i, n);
        }
    }
}

/* A .ttinsn, which has the word rotated. */
static uint32_t ttinsn(uint32_t word)
{
    return word << 2 | word >> 30;
}

/*
 * T1 pushes more vector instructions than its FIFO holds, with a SETC16 between them and so many of them after it. Then
 * it reads the word that SETC16 writes, and keeps it in L1. The thread that makes room has passed SETC16, or not.
 */
static void load_pusher(struct tf_chip *chip, unsigned tile)
{
    enum { BEFORE = 40, VALUE = 5, BEYOND_LUI = (3 * 224 + 68 + 1) * 4 - 0x1000 };
    const uint32_t vector = ttinsn((uint32_t)TF_OP_SFPNOP << 24);
    struct tf_coord coord;
    uint32_t code[2 * BEFORE + 8];
    unsigned count = 0;
    code[count++] = 0xffef12b7; /* lui t0, 0xffef1 */
    for (unsigned i = 0; i < BEFORE; i++)
        code[count++] = vector;
    code[count++] = ttinsn((uint32_t)TF_OP_SETC16 << 24 | 1 << 16 | VALUE);
    for (unsigned i = 0; i < tile; i++)
        code[count++] = vector;
    code[count++] = (uint32_t)BEYOND_LUI << 20 | 0x0002a503; /* lw a0, word 1 of ThreadConfig[1] */
    code[count++] = 0x00010337;                              /* lui t1, 0x10 */
    code[count++] = 0x00a32023;                              /* sw a0, 0(t1) */
    code[count++] = 0x0000006f;
    assert_int_equal(tf_tile_coord(NULL, tile, &coord), TF_OK);
    assert_int_equal(tf_write(chip, coord, CODE(TF_CORE_T1), code, count * sizeof code[0]), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, tile, TF_CORE_T1, CODE(TF_CORE_T1)), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, TF_CORE_T1), TF_OK);
}

static void count_event(void *user, const struct tf_tensix_event *event)
{
    (void)event;
    ++*(unsigned *)user;
}

static uint64_t run_pushers(unsigned *events)
{
    struct chip_wish config;
    struct tf_message message;
    struct tf_chip *chip;
    struct tf_run_options options = {.cycles_max = 5000};
    chip_wish_init(&config);
    config.threads = 1;
    config.pin = false;
    config.user = events;
    config.on_tensix = events != NULL ? count_event : NULL;
    assert_int_equal(chip_wish_create(&config, &chip, &message), TF_OK);
    for (unsigned tile = 0; tile < 40; tile++)
        load_pusher(chip, tile);
    assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
    assert_int_equal(tf_fault_count(chip), 0);
    uint64_t hash = tf_state_hash(chip);
    tf_chip_destroy(chip);
    return hash;
}

static void test_tracing(void **state)
{
    unsigned events = 0;
    (void)state;
    uint64_t hash = run_pushers(NULL);
    assert_int_equal(run_pushers(&events), hash);
    assert_true(events > 40 * 41);
}

/* T1 of tile n starts n cycles later. It pushes more REPLAYs of five instructions than its FIFO holds, and keeps the
   cycles that this took. */
static void load_stopwatch(struct tf_chip *chip, unsigned tile, struct tf_coord coord)
{
    enum { PUSHES = 100, REPLAYED = 5 };
    const uint32_t replay = (uint32_t)TF_OP_REPLAY << 24 | REPLAYED << 4;
    uint32_t code[PUSHES + 2 * TF_ORDER_RETRY_CYCLES + REPLAYED + 8];
    unsigned count = 0;
    for (unsigned i = 0; i < tile; i++)
        code[count++] = 0x00000013;     /* nop */
    code[count++] = ttinsn(replay | 1); /* record */
    for (unsigned i = 0; i < REPLAYED; i++)
        code[count++] = ttinsn((uint32_t)TF_OP_ADDDMAREG << 24);
    code[count++] = 0xc0002573; /* rdcycle a0 */
    for (unsigned i = 0; i < PUSHES; i++)
        code[count++] = ttinsn(replay);
    code[count++] = 0xc00025f3; /* rdcycle a1 */
    code[count++] = 0x40a585b3; /* sub a1, a1, a0 */
    code[count++] = 0x00010337; /* lui t1, 0x10 */
    code[count++] = 0x00b32023; /* sw a1, 0(t1) */
    code[count++] = 0x0000006f;
    assert_int_equal(tf_write(chip, coord, CODE(TF_CORE_T1), code, count * sizeof code[0]), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, tile, TF_CORE_T1, CODE(TF_CORE_T1)), TF_OK);
    assert_int_equal(tf_core_start(chip, tile, TF_CORE_T1), TF_OK);
}

/* Tries at a full FIFO count from the first one, so the cycle of a core's start changes no distance. */
static void test_start_in_any_cycle(void **state)
{
    (void)state;
    struct chip_wish config;
    struct tf_message message;
    struct tf_chip *chip;
    struct tf_coord coord[2 * TF_ORDER_RETRY_CYCLES];
    struct tf_run_options options = {.cycles_max = 5000};
    uint32_t took[2 * TF_ORDER_RETRY_CYCLES];
    chip_wish_init(&config);
    config.threads = 1;
    config.pin = false;
    assert_int_equal(chip_wish_create(&config, &chip, &message), TF_OK);
    for (unsigned tile = 0; tile < 2 * TF_ORDER_RETRY_CYCLES; tile++) {
        assert_int_equal(tf_tile_coord(NULL, tile, &coord[tile]), TF_OK);
        load_stopwatch(chip, tile, coord[tile]);
    }
    assert_int_equal(tf_run(chip, &options, NULL), TF_OK);
    assert_int_equal(tf_fault_count(chip), 0);
    for (unsigned tile = 0; tile < 2 * TF_ORDER_RETRY_CYCLES; tile++) {
        assert_int_equal(tf_read(chip, coord[tile], 0x10000, &took[tile], sizeof took[0]), TF_OK);
        assert_int_equal(took[tile], took[0]);
    }
    assert_true(took[0] > 100);
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parking_and_threads),
        cmocka_unit_test(test_tracing),
        cmocka_unit_test(test_start_in_any_cycle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
