/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two races that kernels of tt-llk win on silicon, and a wait for another core: the outcome follows from cycles. It
 * depends neither on slices and epochs, nor on the cycle at which the program begins.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "one_column.h"
#include "rv_emit.h"
#include "tilefarm/tilefarm_chip.h"
#include "unless_hostile.h"
#include "tilefarm_address.h"

#define CYCLES 65536u
#define CODE_WORDS 2048u
#define CODE_AT(core) (0x4000u + 0x4000u * (core))
#define KEPT 0x20000u
#define WOKEN 0x21000u
#define TILE 7u

#define NOP 0x02000000u
#define SET_VALID_A 0x43000101u /* UNPACR_NOP UNP_ZEROSRC, Set_Dvalid */
#define SET_VALID_B 0x43800101u
#define MOVA2D_8_ROWS 0x12002000u
#define RELEASE_A_AND_B 0x37C00000u /* SETRWC */
#define RUN_MOP 0x01800000u

enum { X_VALUE = 5, X_ADDRESS = 6 };

static void push(struct code *code, uint32_t word)
{
    put(code, word << 2 | word >> 30); /* .ttinsn */
}

static void push_many(struct code *code, uint32_t word, unsigned count)
{
    while (count-- != 0)
        push(code, word);
}

static void store(struct code *code, uint32_t address, uint32_t value)
{
    li(code, X_ADDRESS, address);
    li(code, X_VALUE, value);
    put(code, rv_s(SW, X_VALUE, X_ADDRESS, 0));
}

/* Load a register, and keep its value. */
static void keep(struct code *code, uint32_t address, uint32_t at)
{
    li(code, X_ADDRESS, address);
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    li(code, X_ADDRESS, at);
    put(code, rv_s(SW, X_VALUE, X_ADDRESS, 0));
}

static void wait_until_done(struct code *code, uint32_t at)
{
    keep(code, TF_DONE_CHECK, at); /* CoprocessorDoneCheck */
    store(code, at, 1);
    put(code, rv_j(0, 0));
}

/*
 * T0 hands over banks of SrcA and SrcB by a MOP, then fills its FIFO. T1 has pushed more than its FIFO holds, and
 * releases both banks two moves after SrcA's became valid: a cycle after SrcB's did.
 */
static void hand_over(struct code *t0, struct code *t1)
{
    const uint32_t mop[] = {1, 4, NOP, NOP, NOP, SET_VALID_A, SET_VALID_B, SET_VALID_B, SET_VALID_B};
    for (unsigned i = 0; i < sizeof mop / sizeof mop[0]; i++)
        store(t0, TF_MOP_CFG_BASE + 4 * i, mop[i]);
    push(t0, RUN_MOP);
    push_many(t0, NOP, 80);
    wait_until_done(t0, KEPT);
    push_many(t1, NOP, 40);
    for (unsigned i = 0; i < 4; i++) {
        push_many(t1, MOVA2D_8_ROWS, 2);
        push(t1, RELEASE_A_AND_B);
    }
    wait_until_done(t1, KEPT + 4);
}

/* WRCFG of a word, instructions that take as long as a kernel's, and a load of that word. */
static void read_back(struct code *t0, struct code *t1)
{
    for (unsigned i = 1; i <= 4; i++) {
        push(t0, 0x45000000 | (0x1230 + i) << 8 | 2 * 20); /* SETDMAREG: low half of GPR 20 */
        push(t0, 0xB0000000 | 20 << 16 | 0x48);            /* WRCFG */
        for (unsigned filler = 0; filler < 90; filler++)
            put(t0, rv_i(ADDI, X_VALUE, X_VALUE, 1));
        keep(t0, TF_CFG_BASE + 4 * 0x48, KEPT + 4 * i);
    }
    store(t0, KEPT, 1);
    put(t0, rv_j(0, 0));
    put(t1, rv_j(0, 0));
}

/* T1 waits for a word in its mailbox, and keeps the cycle in which it has it. */
static void wait_for_mail(struct code *t0, struct code *t1)
{
    for (unsigned i = 0; i < 300; i++)
        put(t0, rv_i(ADDI, X_VALUE, X_VALUE, 1));
    store(t0, TF_MAILBOX_OF(2), 0x1234);
    store(t0, KEPT, 1);
    put(t0, rv_j(0, 0));
    keep(t1, TF_MAILBOX_OF(1), KEPT + 4);
    put(t1, 0xC0002073 | X_VALUE << 7); /* csrr of cycle */
    put(t1, rv_s(SW, X_VALUE, X_ADDRESS, 4));
    put(t1, rv_j(0, 0));
}

/* The host's word, or the one 16 bytes after it, becomes 1. */
static void wait_for_word(struct code *code, uint32_t at)
{
    li(code, X_ADDRESS, at);
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    put(code, rv_b(BEQ, X_VALUE, 0, -4));
}

/* Both wait for the host. T1 sends mail at once, and T0 looks for it after a while. */
static void wake_together(struct code *t0, struct code *t1)
{
    wait_for_word(t0, WOKEN);
    for (unsigned i = 0; i < 60; i++)
        put(t0, rv_i(ADDI, X_VALUE, X_VALUE, 1));
    keep(t0, TF_MAILBOX_OF(2) + 0x4, KEPT);
    put(t0, rv_j(0, 0));
    wait_for_word(t1, WOKEN + 16);
    store(t1, TF_MAILBOX_OF(1), 0x1234);
    put(t1, rv_j(0, 0));
}

struct way {
    uint32_t slice, epoch;
};

struct outcome {
    uint64_t troubles; /* faults and hazards */
    uint32_t kept[8];
};

static void run(void (*make)(struct code *t0, struct code *t1), unsigned delay, struct way way, struct outcome *outcome)
{
    static uint32_t words[2][CODE_WORDS];
    struct code code[2] = {{words[0], 0, CODE_WORDS}, {words[1], 0, CODE_WORDS}};
    struct chip_wish config;
    struct tf_chip *chip;
    struct tf_coord node = one_column_coord(TILE);
    chip_wish_init(&config);
    config.slice_cycles = way.slice;
    config.epoch_cycles_min = config.epoch_cycles_max = way.epoch;
    config.threads = 1;
    config.pin = false;
    one_column(&config.board);
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    for (unsigned i = 0; i < 2; i++)
        for (unsigned n = 0; n < delay; n++)
            put(&code[i], rv_i(ADDI, 0, 0, 0));
    make(&code[0], &code[1]);
    for (unsigned i = 0; i < 2; i++) {
        enum tf_core core = i == 0 ? TF_CORE_T0 : TF_CORE_T1;
        assert_true(code[i].count < code[i].capacity);
        assert_int_equal(tf_write(chip, node, CODE_AT(core), words[i], 4 * code[i].count), TF_OK);
        assert_int_equal(tf_core_set_pc(chip, TILE, core, CODE_AT(core)), TF_OK);
        assert_int_equal(tf_core_start(chip, TILE, core), TF_OK);
    }
    assert_int_equal(tf_run(chip, &(struct tf_run_options){.cycles_max = CYCLES}, NULL), TF_OK);
    const uint32_t ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    assert_int_equal(tf_write(chip, node, WOKEN, ones, sizeof ones), TF_OK);
    assert_int_equal(tf_run(chip, &(struct tf_run_options){.cycles_max = CYCLES}, NULL), TF_OK);
    outcome->troubles = tf_fault_count(chip);
    assert_int_equal(tf_read(chip, node, KEPT, outcome->kept, sizeof outcome->kept), TF_OK);
    tf_chip_destroy(chip);
}

static const struct way ways[] = {{16, 16},     {16, 65536},   {64, 64},       {256, 1024},
                                  {1024, 1024}, {1024, 65536}, {16384, 16384}, {65536, 65536}};
#define WAYS (sizeof ways / sizeof ways[0])

static void test_hand_over(void **state)
{
    (void)state;
    SKIP_WHEN_HOSTILE("T1 must have pushed as much as a FIFO of the chip holds");
    for (unsigned delay = 0; delay < 1500; delay += 137) {
        struct outcome outcome;
        for (unsigned i = 0; i < WAYS; i++) {
            run(hand_over, delay, ways[i], &outcome);
            assert_int_equal(outcome.kept[0] & outcome.kept[1], 1);
            assert_int_equal(outcome.troubles, 0);
        }
    }
}

static void test_read_back(void **state)
{
    (void)state;
    for (unsigned delay = 0; delay < 1500; delay += 137) {
        struct outcome outcome;
        for (unsigned i = 0; i < WAYS; i++) {
            run(read_back, delay, ways[i], &outcome);
            assert_int_equal(outcome.kept[0], 1);
            assert_int_equal(outcome.troubles, 0);
            for (unsigned n = 1; n <= 4; n++)
                assert_int_equal(outcome.kept[n], 0x1230 + n);
        }
    }
}

static void test_wait_for_mail(void **state)
{
    (void)state;
    for (unsigned delay = 0; delay < 1500; delay += 137) {
        struct outcome outcome;
        for (unsigned i = 0; i < WAYS; i++) {
            run(wait_for_mail, delay, ways[i], &outcome);
            assert_int_equal(outcome.troubles, 0);
            assert_int_equal(outcome.kept[0], 1);
            assert_int_equal(outcome.kept[1], 0x1234);
            assert_in_range(outcome.kept[2], delay + 300, delay + 300 + 64); /* the retry grid is 32 cycles */
        }
    }
}

/* Cores that wake by one change act in the order of their cycles, not of their numbers. */
static void test_wake_together(void **state)
{
    (void)state;
    for (unsigned delay = 0; delay < 1500; delay += 137) {
        struct outcome outcome;
        for (unsigned i = 0; i < WAYS; i++) {
            run(wake_together, delay, ways[i], &outcome);
            assert_int_equal(outcome.troubles, 0);
            assert_int_equal(outcome.kept[0] & 1, 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hand_over), cmocka_unit_test(test_read_back),
                                       cmocka_unit_test(test_wait_for_mail), cmocka_unit_test(test_wake_together)};
    return cmocka_run_group_tests_name("races", tests, NULL, NULL);
}
