/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads fight for one line with shared NOC atomics and with the plain loads and stores of cores; the histories have
 * to be linearizable. With TF_MUTANTS, the library's increment loses updates (mutants.h), and the test has to find it.
 * Invariant R1 of docs/design.md.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "cli/check/linear.h"
#include "noc/atomic.h"
#include "random.h"

#define THREADS 4u
#ifndef OPS
#define OPS 8000u /* by a thread in a round; fewer where each takes long */
#endif

enum access { ATOMIC, LOAD, STORE };

struct entry {
    enum access access;
    uint16_t at_len_be;
    uint8_t word;
    uint32_t data, answer;
    uint64_t begin, end;
};

struct contest {
    _Alignas(64) uint8_t l1[64];
    enum tf_atomics profile;
    const struct tf_noc_atomic_row *row[64];
    unsigned rows;
    pthread_barrier_t start;
    struct entry entry[THREADS * OPS];
};

struct fighter {
    struct contest *contest;
    struct entry *entry;
    uint64_t random;
    bool by_cores; /* also plain loads and stores */
};

static uint64_t seed_value;

static uint32_t random32(uint64_t *state)
{
    return test_random(state);
}

static uint64_t ticks(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static struct entry pick(struct fighter *fighter)
{
    const struct contest *contest = fighter->contest;
    uint32_t random = random32(&fighter->random), data = random32(&fighter->random);
    const struct tf_noc_atomic_row *row = contest->row[random % contest->rows];
    struct entry entry = {.word = random >> 8 & 3, .data = random >> 10 & 1 ? data & 0x000F000F : data};
    if (fighter->by_cores && (random >> 11 & 3) == 0)
        entry.access = random >> 13 & 1 ? LOAD : STORE;
    entry.at_len_be = (uint16_t)(row->match | (random >> 16 & row->operands));
    if (row->ofs != TF_NOC_AT_NO_OFS && random >> 30)
        entry.at_len_be = (uint16_t)((entry.at_len_be & ~(3u << row->ofs)) | (uint32_t)entry.word << row->ofs);
    return entry;
}

static void perform(const struct contest *contest, struct entry *entry, uint8_t *l1, bool shared)
{
    uint32_t *word = (uint32_t *)(void *)l1 + entry->word;
    struct tf_noc_atomic op;
    struct tf_noc_atomic_effect effect;
    switch (entry->access) {
    case ATOMIC:
        tf_noc_atomic_decode(contest->profile, entry->at_len_be, entry->data, &op);
        entry->answer = tf_noc_atomic_apply(&op, l1, 16, 4u * entry->word, shared, &effect);
        break;
    case LOAD: entry->answer = __atomic_load_n(word, __ATOMIC_RELAXED); break;
    case STORE:
        __atomic_store_n(word, entry->data, __ATOMIC_SEQ_CST);
        entry->answer = 0;
        break;
    }
}

static void *fight(void *argument)
{
    struct fighter *fighter = argument;
    pthread_barrier_wait(&fighter->contest->start);
    for (unsigned i = 0; i < OPS; i++) {
        struct entry entry = pick(fighter);
        entry.begin = ticks();
        perform(fighter->contest, &entry, fighter->contest->l1, true);
        entry.end = ticks();
        fighter->entry[i] = entry;
    }
    return NULL;
}

static uint32_t model_apply(const void *context, uint32_t id, uint32_t line[TF_LINEAR_WORDS])
{
    const struct contest *contest = context;
    struct entry entry = contest->entry[id];
    _Alignas(16) uint8_t l1[16];
    memcpy(l1, line, sizeof l1);
    perform(contest, &entry, l1, false);
    memcpy(line, l1, sizeof l1);
    return entry.answer;
}

/* Seed, start, join; then judge. */
static enum tf_linear_verdict round_of(struct contest *contest, unsigned round, bool by_cores,
                                       struct tf_linear_report *report)
{
    static struct tf_linear_op ops[THREADS * OPS];
    struct fighter fighter[THREADS];
    pthread_t thread[THREADS];
    uint32_t initial[TF_LINEAR_WORDS], final[TF_LINEAR_WORDS];
    memcpy(initial, contest->l1, sizeof initial);
    assert_int_equal(pthread_barrier_init(&contest->start, NULL, THREADS), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        fighter[i] = (struct fighter){contest, contest->entry + i * OPS, seed_value + round * 1000 + i, by_cores};
        assert_int_equal(pthread_create(&thread[i], NULL, fight, &fighter[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&contest->start);
    memcpy(final, contest->l1, sizeof final);
    for (uint32_t i = 0; i < THREADS * OPS; i++)
        ops[i] = (struct tf_linear_op){.begin = contest->entry[i].begin,
                                       .end = contest->entry[i].end,
                                       .id = i,
                                       .answer = contest->entry[i].answer,
                                       .answered = true};
    struct tf_linear_model model = {.apply = model_apply, .context = contest};
    return tf_linear_check(ops, THREADS * OPS, initial, final, &model, &tf_linear_limits_default, report);
}

static struct contest *contest_of(enum tf_atomics profile, const char *name)
{
    const struct tf_noc_atomic_row *rows;
    size_t count = tf_noc_atomic_rows(&rows);
    struct contest *contest = aligned_alloc(64, sizeof *contest);
    assert_non_null(contest);
    memset(contest, 0, sizeof *contest);
    contest->profile = profile;
    for (size_t i = 0; i < count; i++) {
        bool applies = (rows[i].profiles >> profile & 1) && rows[i].kind != TF_NOC_AT_STORE_IND;
        if (applies && (!name || strcmp(name, rows[i].name) == 0))
            contest->row[contest->rows++] = &rows[i];
    }
    return contest;
}

#ifdef TF_MUTANTS

static void lost_updates_are_found(void **state)
{
    (void)state;
    struct contest *contest = contest_of(TF_ATOMICS_ISA, "incr-get");
    struct tf_linear_report report = {.verdict = TF_LINEAR_YES};
    unsigned round = 0;
    while (round < 500 && report.verdict != TF_LINEAR_NO)
        round_of(contest, round++, false, &report);
    print_message("found in round %u, in a history of %u operations\n", round, report.ops);
    assert_int_equal(report.verdict, TF_LINEAR_NO);
    free(contest);
}

#else

static void fight_and_judge(struct contest *contest, unsigned rounds, bool by_cores)
{
    for (unsigned round = 0; round < rounds; round++) {
        struct tf_linear_report report;
        if (round_of(contest, round, by_cores, &report) != TF_LINEAR_YES)
            fail_msg("round %u: verdict %d, %u operations in a short history", round, report.verdict, report.ops);
    }
    free(contest);
}

static void all_of_isa(void **state)
{
    (void)state;
    fight_and_judge(contest_of(TF_ATOMICS_ISA, NULL), 10, false);
}

static void all_of_emu_spec(void **state)
{
    (void)state;
    fight_and_judge(contest_of(TF_ATOMICS_EMU_SPEC, NULL), 10, false);
}

static void against_non_atomic_accesses(void **state)
{
    (void)state;
    fight_and_judge(contest_of(TF_ATOMICS_ISA, NULL), 5, true);
    fight_and_judge(contest_of(TF_ATOMICS_EMU_SPEC, NULL), 5, true);
}

static void each_kind(void **state)
{
    (void)state;
    const struct tf_noc_atomic_row *rows;
    size_t count = tf_noc_atomic_rows(&rows);
    for (size_t i = 0; i < count; i++) {
        if (rows[i].kind == TF_NOC_AT_STORE_IND)
            continue;
        enum tf_atomics profile = rows[i].profiles >> TF_ATOMICS_ISA & 1 ? TF_ATOMICS_ISA : TF_ATOMICS_EMU_SPEC;
        fight_and_judge(contest_of(profile, rows[i].name), 1, i % 2);
    }
}

#endif

static int seed(void **state)
{
    (void)state;
    seed_value = test_seed(1);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#ifdef TF_MUTANTS
        cmocka_unit_test(lost_updates_are_found),
#else
        cmocka_unit_test(all_of_isa),
        cmocka_unit_test(all_of_emu_spec),
        cmocka_unit_test(against_non_atomic_accesses),
        cmocka_unit_test(each_kind),
#endif
    };
    return cmocka_run_group_tests(tests, seed, NULL);
}
