/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cores that wait for a time, in a loop that loads the wall clock. Without observers such a loop is run apart
 * (run/clock_loop.h), and with a race checker it is not. The order in which cores act is the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "addresses.h"
#include "chip_wish.h"
#include "stress/places.h"
#include "stress/rv_emit.h"
#include "tilefarm/tilefarm_chip.h"

#define CODE(core) (0x2000u + 0x1000u * (core))
#define LIST 0x1000u /* bytes in use, then words */
#define WAITS 6u
#define PARTS 8u /* a run ends within loops and goes on */
#define PART_CYCLES 97u
#define HIGH 8 /* CLOCK_H, from CLOCK_L */

enum { X_CLOCK = 5, X_NOW, X_END, X_LIST, X_AT, X_WORD };

/* How cores wait, and what B does meanwhile. */
static const struct plan {
    unsigned step;         /* cycles between the ends of waits */
    bool high;             /* loops load the high half, too */
    bool slow;             /* a loop has more to compute */
    unsigned resets_after; /* cycles after which B stops T1; 0: it does not */
} plans[] = {{0, false, false, 0}, {1, true, false, 0},  {7, true, false, 0},   {3, false, true, 0},
             {5, true, true, 0},   {2, true, false, 90}, {0, false, false, 333}};

#define PLANS (sizeof plans / sizeof plans[0])

static void wait_until(struct code *code, const struct plan *plan, unsigned cycles)
{
    put(code, rv_i(LW, X_NOW, X_CLOCK, 0));
    put(code, rv_i(ADDI, X_END, X_NOW, cycles));
    const unsigned loop = code->count;
    put(code, rv_i(LW, X_NOW, X_CLOCK, 0));
    if (plan->high)
        put(code, rv_i(LW, X_WORD, X_CLOCK, HIGH));
    if (plan->slow)
        put(code, rv_i(ADDI, X_WORD, X_WORD, 1));
    branch_to(code, BLTU, X_NOW, X_END, loop);
}

/* Append to the list: a core that acts earlier comes first. */
static void append(struct code *code, unsigned id)
{
    put(code, rv_i(LW, X_AT, X_LIST, 0));
    put(code, rv_i(ADDI, X_WORD, X_AT, 8));
    put(code, rv_s(SW, X_WORD, X_LIST, 0));
    put(code, rv_r(ADD, X_AT, X_AT, X_LIST));
    put(code, rv_s(SW, X_NOW, X_AT, 8));
    put(code, rv_i(ADDI, X_WORD, 0, id));
    put(code, rv_s(SW, X_WORD, X_AT, 4));
}

static void begin(struct code *code)
{
    li(code, X_CLOCK, DEBUG_AT(CLOCK_L));
    li(code, X_LIST, LIST);
}

static void write_t(struct code *code, const struct plan *plan, enum tf_core core)
{
    begin(code);
    for (unsigned i = 0; i < core; i++)
        put(code, rv_i(ADDI, X_WORD, 0, 0));
    for (unsigned i = 0; i < WAITS; i++) {
        wait_until(code, plan, 40 + 60 * (i % 3) + plan->step * core);
        append(code, core);
    }
    put(code, rv_j(0, 0));
}

static void write_b(struct code *code, const struct plan *plan)
{
    begin(code);
    if (plan->resets_after != 0) {
        wait_until(code, plan, plan->resets_after);
        li(code, X_AT, DEBUG_AT(SOFT_RESET_0));
        li(code, X_WORD, 1u << 18 | 1u << 13); /* NC stays in reset */
        put(code, rv_s(SW, X_WORD, X_AT, 0));
    }
    put(code, rv_j(0, 0));
}

static void start(struct tf_chip *chip, const struct code *code, enum tf_core core)
{
    assert_int_equal(tf_write(chip, at(0), CODE(core), code->word, code->count * 4), TF_OK);
    assert_int_equal(tf_core_set_pc(chip, 0, core, CODE(core)), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, core), TF_OK);
}

/* Run a plan. hash: of the state after each part of the run. Returns the length of the list. */
static uint32_t run(const struct plan *plan, bool check, uint64_t hash[PARTS])
{
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.check = check;
    config.threads = 1;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    for (enum tf_core core = TF_CORE_B; core <= TF_CORE_T2; core++) {
        uint32_t word[256];
        struct code code = {.word = word, .capacity = 256};
        if (core == TF_CORE_NC)
            continue;
        if (core == TF_CORE_B)
            write_b(&code, plan);
        else
            write_t(&code, plan, core);
        start(chip, &code, core);
    }
    for (unsigned part = 0; part < PARTS; part++) {
        struct tf_run_options options = {.cycles_max = part + 1 < PARTS ? PART_CYCLES : 100000};
        enum tf_end end;
        assert_int_equal(tf_run(chip, &options, &end), TF_OK);
        hash[part] = tf_state_hash(chip);
    }
    if (!check) /* a checker reports that cores race for the list */
        assert_int_equal(tf_fault_count(chip), 0);
    uint32_t bytes;
    assert_int_equal(tf_read(chip, at(0), LIST, &bytes, 4), TF_OK);
    tf_chip_destroy(chip);
    return bytes;
}

static void loops_apart_act_as_usual(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PLANS; i++) {
        uint64_t apart[PARTS], usual[PARTS];
        const uint32_t bytes = run(&plans[i], false, apart);
        assert_int_equal(bytes, run(&plans[i], true, usual));
        assert_memory_equal(apart, usual, sizeof usual);
        if (plans[i].resets_after == 0)
            assert_int_equal(bytes, 3 * WAITS * 8);
        else
            assert_in_range(bytes, 2 * WAITS * 8, 3 * WAITS * 8 - 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops_apart_act_as_usual)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
