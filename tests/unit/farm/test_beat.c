/* SPDX-License-Identifier: Apache-2.0 */
/* Cores of Ethernet tiles that wait and store a heartbeat are skipped, and nobody can tell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "stress/noc_emit.h"
#include "stress/rv_emit.h"
#include "tilefarm/tilefarm_chip.h"
#include "addresses.h"

#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)
#define PROGRAM 0x4000u
#define WORDS 128u
#define HEARTBEAT 0x1Cu
#define GO 0x2490u    /* polled by the loops */
#define SEEN 0x3000Cu /* what the Tensix core has read of the heartbeat */
#define CHECKS 12u

/* Loops of an Ethernet core: x8 counts, x9 is the address GO. */
enum loop {
    HEARTBEATS, /* like tt-metal's: bits of the counter and a mark, and a byte that is polled */
    TWO_COUNTERS,
    CALLS,           /* a function that saves its return address and two registers */
    SAVES_COUNT,     /* not skipped: it saves bits of the counter */
    ENDS_BY_COUNT,   /* not skipped: a branch reads the counter */
    STORES_POLLED,   /* not skipped: it stores the word that it polls */
    WALKS,           /* not skipped: the counter is an address */
    DOUBLES,         /* not skipped: rounds add different numbers to the counter */
    REMEMBERS_A_SUM, /* not skipped: another live register depends on the counter */
    READS_BACK,      /* not skipped: it loads what it has stored */
    MANY_STORES,     /* not skipped: more words than a beat has */
    LONG_ROUND,      /* not skipped: more instructions than are looked at */
    STORES_CODE,     /* not skipped: it stores the instruction that the next round executes */
    LOOPS,
};

static const bool is_skipped[LOOPS] = {[HEARTBEATS] = true, [TWO_COUNTERS] = true, [CALLS] = true};

/* A function that has a frame in the core's own RAM, in which it saves three registers. x2 is the end of the frame. */
static void emit_function(struct code *code, unsigned saved)
{
    put(code, rv_i(ADDI, 2, 2, 0xFF0));
    put(code, rv_s(SW, 1, 2, 12));
    put(code, rv_s(SW, saved, 2, 8));
    put(code, rv_s(SH, 23, 2, 4));
    put(code, rv_i(ADDI, saved, 0, 7)); /* it uses the register, and restores it */
    put(code, rv_i(LW, saved, 2, 8));
    put(code, rv_i(LW, 1, 2, 12));
    put(code, rv_i(ADDI, 2, 2, 16));
    put(code, RET);
}

static void emit_body(struct code *code, enum loop loop)
{
    switch (loop) {
    case HEARTBEATS:
        put(code, rv_i(ADDI, 11, 8, 1));
        put(code, rv_i(0x1013, 15, 11, 16)); /* slli: the low 16 bits */
        put(code, rv_i(0x5013, 15, 15, 16));
        put(code, rv_r(0x6033, 15, 15, 23)); /* or */
        put(code, rv_i(ADDI, 8, 11, 0));
        put(code, rv_s(SW, 15, 0, HEARTBEAT));
        break;
    case TWO_COUNTERS:
        put(code, rv_i(ADDI, 8, 8, 3));
        put(code, rv_i(ADDI, 18, 18, 0xFFF));
        put(code, rv_r(ADD, 15, 8, 18));
        put(code, rv_s(SH, 15, 0, HEARTBEAT));
        put(code, rv_s(SW, 18, 0, HEARTBEAT + 4));
        put(code, rv_i(LW, 19, 9, 4)); /* after the stores */
        break;
    case CALLS:
    case SAVES_COUNT: {
        put(code, rv_i(ADDI, 8, 8, 1));
        put(code, rv_i(0x5013, 15, 8, 6)); /* srli: it seldom changes */
        put(code, rv_j(1, 12));
        put(code, rv_s(SW, 8, 0, HEARTBEAT));
        const unsigned jump = code->count;
        put(code, 0); /* over the function */
        emit_function(code, loop == CALLS ? 9 : 15);
        code->word[jump] = rv_j(0, (int32_t)(code->count - jump) * 4);
        break;
    }
    case ENDS_BY_COUNT:
        li(code, 14, 3000);
        put(code, rv_b(BEQ, 8, 14, 16));
        put(code, rv_i(ADDI, 8, 8, 1));
        put(code, rv_s(SW, 8, 0, HEARTBEAT));
        put(code, rv_j(0, 4));
        break;
    case STORES_POLLED:
        put(code, rv_i(ADDI, 8, 8, 1));
        put(code, rv_s(SB, 8, 9, 1));
        break;
    case WALKS:
        put(code, rv_i(ADDI, 8, 8, 4));
        put(code, rv_i(ANDI, 15, 8, 0x7FC));
        put(code, rv_s(SW, 8, 15, 0x400));
        break;
    case DOUBLES:
        put(code, rv_i(ADDI, 8, 8, 1));
        put(code, rv_s(SW, 8, 0, HEARTBEAT));
        put(code, rv_r(ADD, 8, 8, 8));
        break;
    case READS_BACK:
        put(code, rv_i(ADDI, 8, 8, 1));
        put(code, rv_s(SW, 8, 0, HEARTBEAT));
        put(code, rv_i(LW, 19, 0, HEARTBEAT));
        put(code, rv_s(SW, 19, 0, HEARTBEAT + 4));
        break;
    case MANY_STORES:
    case LONG_ROUND:
        put(code, rv_i(ADDI, 8, 8, 1));
        for (unsigned i = 0; i < (loop == LONG_ROUND ? 70 : 12); i++)
            put(code, loop == LONG_ROUND ? rv_i(ADDI, 19, 8, i) : rv_s(SW, 8, 0, HEARTBEAT + 4 * i));
        put(code, rv_s(SW, 8, 0, HEARTBEAT));
        break;
    case STORES_CODE:
        put(code, rv_i(ADDI, 20, 0, 0)); /* its number comes from the last round */
        put(code, rv_i(ADDI, 8, 8, 1));
        put(code, rv_i(0x1013, 15, 8, 20));  /* slli */
        put(code, rv_r(0x6033, 15, 15, 25)); /* or */
        put(code, rv_s(SW, 15, 24, 0));
        break;
    default:
        put(code, rv_i(ADDI, 8, 8, 1));
        put(code, rv_r(ADD, 18, 18, 8));
        put(code, rv_s(SW, 18, 0, HEARTBEAT));
        break;
    }
}

static void emit_loop(struct code *code, enum loop loop)
{
    li(code, 9, GO);
    li(code, 23, 0xAABB0000);
    li(code, 13, 0x80);
    li(code, 8, 0);
    li(code, 18, 0);
    li(code, 2, TF_LOCAL_BASE + 0x400);
    li(code, 25, rv_i(ADDI, 20, 0, 0));
    li(code, 24, PROGRAM + 4 * (code->count + 4)); /* the first instruction of the loop's body */
    const unsigned start = code->count;
    put(code, rv_i(LBU, 12, 9, 3));
    put(code, rv_b(BEQ, 12, 13, 0)); /* to the end, below */
    const unsigned branch = code->count - 1;
    emit_body(code, loop);
    put(code, rv_j(0, ((int32_t)start - (int32_t)code->count) * 4));
    code->word[branch] = rv_b(BEQ, 12, 13, (int32_t)(code->count - branch) * 4);
    put(code, rv_s(SW, 8, 9, 16)); /* after the go message: what was counted */
    put(code, rv_j(0, 0));
}

/* A Tensix core that reads the heartbeat again and again, and keeps all answers. */
static void emit_reader(struct code *code, struct tf_coord from, struct tf_coord own)
{
    const uint32_t eth = from.x | (uint32_t)from.y << 6, here = own.x | (uint32_t)own.y << 6;
    li(code, 20, SEEN);
    li(code, 21, initiator_at(0));
    fill(code, 0,
         &(struct request){.targ = HEARTBEAT, .targ_hi = eth, .ret = SEEN, .ret_hi = here, .ctrl = 0, .length = 4});
    const unsigned start = code->count;
    put(code, rv_s(SW, 20, 21, 0x0C)); /* the return address */
    send(code, 21);
    li(code, 22, 700);
    const unsigned wait = code->count;
    put(code, rv_i(ADDI, 22, 22, 0xFFF));
    branch_to(code, BNE, 22, 0, wait);
    put(code, rv_i(ADDI, 20, 20, 16));
    put(code, rv_j(0, ((int32_t)start - (int32_t)code->count) * 4));
}

static void load(struct tf_chip *chip, struct tf_coord at, uint32_t address, const struct code *code)
{
    assert_true(code->count < WORDS);
    assert_int_equal(tf_write(chip, at, address, code->word, 4 * code->count), TF_OK);
}

static void poke(struct tf_chip *chip, struct tf_coord at, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_write(chip, at, address, &value, sizeof value), TF_OK);
}

static uint32_t peek(struct tf_chip *chip, struct tf_coord at, uint32_t address)
{
    uint32_t value;
    assert_int_equal(tf_read(chip, at, address, &value, sizeof value), TF_OK);
    return value;
}

static const struct family {
    const char *name;
    struct tf_coord eth, tensix;
    const struct niu_layout *niu;
    uint32_t reset_pc, held, running;
} families[] = {
    {"wormhole", {1, 0}, {1, 1}, &niu_wormhole, TF_ETH_LINK_BASE + 0x409C, 0x800, 0},
    {"blackhole", {1, 1}, {1, 2}, &niu_blackhole, TF_LOCAL_OF_B_BASE, 0x1800, 0x1000},
};

static struct tf_chip *create(const struct family *family, unsigned threads, bool parking)
{
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.arch = tf_arch_find(family->name);
    config.threads = threads;
    config.parking = parking;
    config.pin = false;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    return chip;
}

static void start(struct tf_chip *chip, const struct family *family, enum loop loop)
{
    uint32_t word[WORDS];
    struct code code = {word, 0, WORDS};
    niu_words = family->niu;
    poke(chip, family->eth, SOFT_RESET_0, family->held);
    emit_loop(&code, loop);
    load(chip, family->eth, PROGRAM, &code);
    poke(chip, family->eth, family->reset_pc, PROGRAM);
    poke(chip, family->eth, SOFT_RESET_0, family->running);
    code.count = 0;
    emit_reader(&code, family->eth, family->tensix);
    load(chip, family->tensix, PROGRAM, &code);
    assert_int_equal(tf_core_set_pc(chip, 0, TF_CORE_B, PROGRAM), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, TF_CORE_B), TF_OK);
}

static void run(struct tf_chip *chip, uint64_t cycles)
{
    enum tf_end end;
    assert_int_equal(tf_run(chip, &(struct tf_run_options){.cycles_max = cycles}, &end), TF_OK);
    struct tf_fault fault;
    if (tf_fault_count(chip) != 0 && tf_fault_get(chip, 0, &fault) == TF_OK)
        fail_msg("%s", fault.text);
    assert_int_equal(end, TF_END_CYCLES);
}

/* What a run shows at each of its pauses. */
struct shown {
    uint64_t hash[CHECKS];
    uint32_t heartbeat[CHECKS], counted, seen[64];
    uint64_t executed;
};

static void show(struct tf_chip *chip, const struct family *family, unsigned check, struct shown *shown)
{
    shown->heartbeat[check] = peek(chip, family->eth, HEARTBEAT);
    shown->hash[check] = tf_state_hash(chip);
}

static void watch(struct tf_chip *chip, const struct family *family, unsigned from, struct shown *shown)
{
    for (unsigned check = from; check < CHECKS; check++) {
        if (check == CHECKS - 2)
            poke(chip, family->eth, GO, 0x80000000);
        run(chip, 1000 + 1700 * check);
        show(chip, family, check, shown);
    }
    struct tf_stats stats;
    tf_stats(chip, &stats);
    shown->executed = stats.instructions_executed;
    shown->counted = peek(chip, family->eth, GO + 16);
    assert_int_equal(tf_read(chip, family->tensix, SEEN, shown->seen, sizeof shown->seen), TF_OK);
}

static void expect_equal(const struct shown *one, const struct shown *other, enum loop loop)
{
    for (unsigned check = 0; check < CHECKS; check++) {
        if (one->heartbeat[check] != other->heartbeat[check] || one->hash[check] != other->hash[check])
            fail_msg("loop %d, pause %u: heartbeat 0x%x and 0x%x", loop, check, one->heartbeat[check],
                     other->heartbeat[check]);
    }
    assert_int_equal(one->counted, other->counted);
    assert_memory_equal(one->seen, other->seen, sizeof one->seen);
}

static void test_as_executed(void **state)
{
    (void)state;
    for (unsigned f = 0; f < 2; f++)
        for (unsigned loop = 0; loop < LOOPS; loop++) {
            struct shown shown[3];
            for (unsigned way = 0; way < 3; way++) {
                struct tf_chip *chip = create(&families[f], way == 2 ? 3 : 1, way != 1);
                start(chip, &families[f], loop);
                watch(chip, &families[f], 0, &shown[way]);
                tf_chip_destroy(chip);
            }
            expect_equal(&shown[0], &shown[1], loop);
            expect_equal(&shown[0], &shown[2], loop);
            assert_true(shown[0].counted != 0 || loop == STORES_POLLED);
            if (is_skipped[loop])
                assert_true(shown[0].executed < shown[1].executed * 7 / 10);
        }
}

/* A saved chip continues as the one that ran on; so does a fork. */
static void test_saved(void **state)
{
    (void)state;
    char path[64];
    snprintf(path, sizeof path, "test_beat.%d.saved", (int)getpid());
    const struct family *family = &families[0];
    struct shown first, restored, forked;
    struct tf_chip *chip = create(family, 1, true), *fork;
    start(chip, family, HEARTBEATS);
    for (unsigned check = 0; check < CHECKS / 2; check++) {
        run(chip, 1000 + 1700 * check);
        show(chip, family, check, &first);
    }
    restored = forked = first;
    assert_int_equal(tf_chip_save(chip, path, NULL), TF_OK);
    assert_int_equal(tf_chip_fork(chip, NULL, &fork, NULL), TF_OK);
    watch(chip, family, CHECKS / 2, &first);
    watch(fork, family, CHECKS / 2, &forked);
    struct tf_chip *again = create(family, 1, true);
    assert_int_equal(tf_chip_restore(again, path, NULL), TF_OK);
    watch(again, family, CHECKS / 2, &restored);
    unlink(path);
    expect_equal(&first, &restored, HEARTBEATS);
    expect_equal(&first, &forked, HEARTBEATS);
    tf_chip_destroy(fork);
    tf_chip_destroy(again);
    tf_chip_destroy(chip);
}

/* The second core of a Blackhole tile polls the heartbeat of the first one, and ends when it has a value. */
static void test_polled(void **state)
{
    (void)state;
    const struct family *family = &families[1];
    uint32_t seen[2];
    for (unsigned parking = 0; parking < 2; parking++) {
        uint32_t word[WORDS];
        struct code code = {word, 0, WORDS};
        struct tf_chip *chip = create(family, 1, parking);
        start(chip, family, HEARTBEATS);
        li(&code, 13, 0xAABB0000 + 900);
        const unsigned again = code.count;
        put(&code, rv_i(LW, 12, 0, HEARTBEAT));
        branch_to(&code, BLTU, 12, 13, again);
        put(&code, rv_s(SW, 12, 0, 0x100));
        put(&code, rv_j(0, 0));
        load(chip, family->eth, PROGRAM + 0x1000, &code);
        poke(chip, family->eth, TF_LOCAL_OF_B_BASE + 0x8, PROGRAM + 0x1000);
        poke(chip, family->eth, SOFT_RESET_0, 0);
        run(chip, 40000);
        seen[parking] = peek(chip, family->eth, 0x100);
        assert_true(seen[parking] >= 0xAABB0000 + 900);
        tf_chip_destroy(chip);
    }
    assert_int_equal(seen[0], seen[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_executed),
        cmocka_unit_test(test_saved),
        cmocka_unit_test(test_polled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
