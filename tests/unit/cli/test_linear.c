/* SPDX-License-Identifier: Apache-2.0 */
/* The linearizability checker: histories known to be good and bad, and random ones against all permutations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/check/linear.h"
#include "random_group.h"

/* Operations of the tests' model, by id. */
struct act {
    enum { ADD, SWAP, CAS, READ, ADD_ALL } kind;
    uint8_t word;
    uint32_t a, b;
};

static uint32_t apply(const void *context, uint32_t id, uint32_t line[TF_LINEAR_WORDS])
{
    const struct act *act = (const struct act *)context + id;
    uint32_t *word = &line[act->word], old = *word;
    switch (act->kind) {
    case ADD: *word += act->a; break;
    case SWAP: *word = act->a; break;
    case CAS:
        if (old == act->a)
            *word = act->b;
        break;
    case READ: break;
    case ADD_ALL:
        for (unsigned i = 0; i < TF_LINEAR_WORDS; i++)
            line[i] += act->a;
        break;
    }
    return old;
}

static const uint32_t zero[TF_LINEAR_WORDS];

static enum tf_linear_verdict decide(struct tf_linear_op *ops, size_t count, const struct act *acts,
                                     const uint32_t *final, struct tf_linear_report *report)
{
    struct tf_linear_model model = {.apply = apply, .context = acts};
    return tf_linear_check(ops, count, zero, final, &model, &tf_linear_limits_default, report);
}

/* clang-format off */
#define OP(b, e, i, r) {.begin = (b), .end = (e), .id = (i), .answer = (r), .answered = true}
#define POSTED(b, e, i) {.begin = (b), .end = (e), .id = (i)}
/* clang-format on */

static void empty_history(void **state)
{
    (void)state;
    struct tf_linear_report report;
    static const uint32_t other[TF_LINEAR_WORDS] = {1};
    assert_int_equal(decide(NULL, 0, NULL, NULL, &report), TF_LINEAR_YES);
    assert_int_equal(decide(NULL, 0, NULL, zero, &report), TF_LINEAR_YES);
    assert_int_equal(decide(NULL, 0, NULL, other, &report), TF_LINEAR_NO);
    assert_true(report.at_final);
}

/* Two increments that both saw 0. This is how a lost update looks. */
static void lost_update(void **state)
{
    (void)state;
    static const struct act acts[] = {{ADD, 0, 1, 0}, {ADD, 0, 1, 0}};
    struct tf_linear_op ops[] = { OP(1, 5, 0, 0), OP(2, 4, 1, 0) };
    struct tf_linear_report report;
    assert_int_equal(decide(ops, 2, acts, NULL, &report), TF_LINEAR_NO);
    assert_int_equal(report.ops, 2);
    assert_int_equal(report.starts, 1);
    assert_memory_equal(report.start[0].line, zero, sizeof zero);
    ops[1].answer = 1;
    assert_int_equal(decide(ops, 2, acts, NULL, &report), TF_LINEAR_YES);
    ops[1].answer = 0;
    ops[0].answer = 1;
    assert_int_equal(decide(ops, 2, acts, NULL, &report), TF_LINEAR_YES);
}

/* Answers that fit only in an order that time forbids. */
static void stale_read(void **state)
{
    (void)state;
    static const struct act acts[] = {{SWAP, 1, 7, 0}, {READ, 1, 0, 0}};
    struct tf_linear_op disjoint[] = { OP(1, 2, 0, 0), OP(3, 4, 1, 0) };
    struct tf_linear_report report;
    assert_int_equal(decide(disjoint, 2, acts, NULL, &report), TF_LINEAR_NO);
    assert_int_equal(report.failed, 1);
    struct tf_linear_op overlapping[] = { OP(1, 3, 0, 0), OP(3, 4, 1, 0) };
    assert_int_equal(decide(overlapping, 2, acts, NULL, &report), TF_LINEAR_YES);
}

/* A read sees one overlapping write. A later read must not miss that write. */
static void no_going_back(void **state)
{
    (void)state;
    static const struct act acts[] = {{SWAP, 0, 7, 0}, {READ, 0, 0, 0}, {READ, 0, 0, 0}};
    struct tf_linear_op good[] = { OP(1, 9, 0, 0), OP(2, 3, 1, 0), OP(4, 5, 2, 7) };
    struct tf_linear_op bad[] = { OP(1, 9, 0, 0), OP(2, 3, 1, 7), OP(4, 5, 2, 0) };
    struct tf_linear_report report;
    assert_int_equal(decide(good, 3, acts, NULL, &report), TF_LINEAR_YES);
    assert_int_equal(decide(bad, 3, acts, NULL, &report), TF_LINEAR_NO);
    assert_int_equal(report.failed, 2);
}

/* Two compare-and-swaps from the same value cannot both succeed. */
static void two_winners(void **state)
{
    (void)state;
    static const struct act acts[] = {{CAS, 2, 0, 5}, {CAS, 2, 0, 6}, {READ, 2, 0, 0}};
    struct tf_linear_op bad[] = { OP(1, 5, 0, 0), OP(2, 6, 1, 0), OP(7, 8, 2, 5) };
    struct tf_linear_op good[] = { OP(1, 5, 0, 6), OP(2, 6, 1, 0), OP(7, 8, 2, 6) };
    struct tf_linear_report report;
    assert_int_equal(decide(bad, 3, acts, NULL, &report), TF_LINEAR_NO);
    assert_int_equal(decide(good, 3, acts, NULL, &report), TF_LINEAR_YES);
}

/* A torn line: a read of one word before, of another after, an operation on the whole line that both follow. */
static void torn_line(void **state)
{
    (void)state;
    static const struct act acts[] = {{ADD_ALL, 0, 1, 0}, {READ, 0, 0, 0}, {READ, 3, 0, 0}};
    struct tf_linear_op bad[] = { OP(1, 9, 0, 0), OP(2, 3, 1, 1), OP(4, 5, 2, 0) };
    struct tf_linear_op good[] = { OP(1, 9, 0, 0), OP(2, 3, 1, 0), OP(4, 5, 2, 1) };
    struct tf_linear_report report;
    assert_int_equal(decide(bad, 3, acts, NULL, &report), TF_LINEAR_NO);
    assert_int_equal(decide(good, 3, acts, NULL, &report), TF_LINEAR_YES);
}

/* The effects of posted operations show later. Several lines stay possible until then. */
static void posted_operations(void **state)
{
    (void)state;
    static const struct act acts[] = {{SWAP, 0, 1, 0}, {SWAP, 0, 2, 0}, {READ, 0, 0, 0}, {READ, 0, 0, 0}};
    struct tf_linear_report report;
    for (uint32_t seen = 0; seen < 4; seen++) {
        struct tf_linear_op ops[] = { POSTED(1, 5, 0), POSTED(2, 6, 1), OP(7, 8, 2, seen) };
        bool possible = seen == 1 || seen == 2;
        assert_int_equal(decide(ops, 3, acts, NULL, &report), possible ? TF_LINEAR_YES : TF_LINEAR_NO);
        if (!possible)
            assert_true(report.ops >= 1);
    }
    struct tf_linear_op both[] = { POSTED(1, 5, 0), POSTED(2, 6, 1), OP(7, 8, 2, 1), OP(9, 10, 3, 2) };
    assert_int_equal(decide(both, 4, acts, NULL, &report), TF_LINEAR_NO);
}

static void final_line(void **state)
{
    (void)state;
    static const struct act acts[] = {{SWAP, 0, 1, 0}, {SWAP, 0, 2, 0}};
    static const uint32_t one[TF_LINEAR_WORDS] = {1}, three[TF_LINEAR_WORDS] = {3}, more[TF_LINEAR_WORDS] = {1, 0, 1};
    struct tf_linear_op ops[] = {POSTED(1, 5, 0), POSTED(2, 6, 1)};
    struct tf_linear_report report;
    assert_int_equal(decide(ops, 2, acts, one, &report), TF_LINEAR_YES);
    assert_int_equal(decide(ops, 2, acts, three, &report), TF_LINEAR_NO);
    assert_true(report.at_final);
    assert_int_equal(report.ops, 2);
    assert_int_equal(decide(ops, 2, acts, more, &report), TF_LINEAR_NO);
}

#define MANY 20000u

/* A long sequence with four operations pending at each moment; op 0 spans all of it. Each takes effect at its start. */
static struct tf_linear_op *long_history(const struct act *acts)
{
    struct tf_linear_op *ops = calloc(MANY, sizeof *ops);
    assert_non_null(ops);
    uint32_t line[TF_LINEAR_WORDS] = {0};
    for (uint32_t i = 0; i < MANY; i++) {
        ops[i] = (struct tf_linear_op)OP(10 * i + 1, 10 * i + 35, i, 0);
        ops[i].answer = apply(acts, i, line);
    }
    ops[0].end = 10 * MANY + 100;
    return ops;
}

static void fill_acts(struct act *acts, bool counter)
{
    for (uint32_t i = 0; i < MANY; i++) {
        acts[i] = (struct act){ADD, 0, 1 + i % 3, 0};
        if (!counter && i % 5 == 1)
            acts[i] = (struct act){SWAP, (uint8_t)(i % 4), i % 7, 0};
        if (!counter && i % 5 == 2)
            acts[i] = (struct act){ADD_ALL, (uint8_t)(i % 4), i % 2, 0};
    }
}

static void long_histories(void **state)
{
    (void)state;
    static struct act acts[MANY];
    fill_acts(acts, false);
    struct tf_linear_op *ops = long_history(acts);
    struct tf_linear_report report;
    assert_int_equal(decide(ops, MANY, acts, NULL, &report), TF_LINEAR_YES);
    assert_false(report.fast);
    ops[MANY / 2].answer += 100000;
    assert_int_equal(decide(ops, MANY, acts, NULL, &report), TF_LINEAR_NO);
    assert_int_equal(report.failed, MANY / 2);
    assert_in_range(report.ops, 1, 16);
    assert_true(report.starts >= 1);
    free(ops);
}

static void mark_adds(struct tf_linear_op *ops, const struct act *acts)
{
    for (uint32_t i = 0; i < MANY; i++) {
        ops[i].adds = true;
        ops[i].delta = acts[ops[i].id].a;
    }
}

/* Counters are decided by their answers alone, for any number of pending operations. */
static void counter_fast_path(void **state)
{
    (void)state;
    static struct act acts[MANY];
    fill_acts(acts, true);
    struct tf_linear_op *ops = long_history(acts);
    struct tf_linear_report report;
    mark_adds(ops, acts);
    for (uint32_t i = 0; i < MANY; i += 2)
        ops[i].end += 4000; /* more pending operations than the search takes */
    assert_int_equal(decide(ops, MANY, acts, NULL, &report), TF_LINEAR_YES);
    assert_true(report.fast);
    uint32_t final[TF_LINEAR_WORDS] = {0};
    for (uint32_t i = 0; i < MANY; i++)
        final[0] += acts[i].a;
    assert_int_equal(decide(ops, MANY, acts, final, &report), TF_LINEAR_YES);
    free(ops);
}

static void counter_out_of_time(void **state)
{
    (void)state;
    static struct act acts[MANY];
    fill_acts(acts, true);
    struct tf_linear_op *ops = long_history(acts);
    struct tf_linear_report report;
    mark_adds(ops, acts);
    struct tf_linear_op swap = ops[101];
    ops[101].begin = ops[401].begin;
    ops[101].end = ops[401].end;
    ops[401].begin = swap.begin;
    ops[401].end = swap.end;
    assert_int_equal(decide(ops, MANY, acts, NULL, &report), TF_LINEAR_NO);
    free(ops);
}

/* Additions that return to an earlier value: the chain of answers must not use an operation twice. */
static void counter_chain_repeats(void **state)
{
    (void)state;
    static const struct act acts[] = {{ADD, 0, 1, 0}, {ADD, 0, ~0u, 0}, {ADD, 0, 1, 0}};
    struct tf_linear_op ops[] = { OP(1, 9, 0, 0), OP(1, 9, 1, 1), OP(1, 9, 2, 77) };
    for (unsigned i = 0; i < 3; i++) {
        ops[i].adds = true;
        ops[i].delta = acts[i].a;
    }
    struct tf_linear_report report;
    assert_int_equal(decide(ops, 3, acts, NULL, &report), TF_LINEAR_NO);
}

static void limits_are_kept(void **state)
{
    (void)state;
    static const struct act acts[] = {{ADD, 0, 1, 0},  {ADD, 0, 2, 0},  {ADD, 0, 4, 0}, {ADD, 0, 8, 0},
                                      {ADD, 0, 16, 0}, {ADD, 0, 32, 0}, {READ, 0, 0, 0}};
    struct tf_linear_op ops[7];
    for (uint32_t i = 0; i < 6; i++)
        ops[i] = (struct tf_linear_op)POSTED(1 + i, 100 + i, i);
    ops[6] = (struct tf_linear_op)OP(20, 30, 6, 64);
    struct tf_linear_model model = {.apply = apply, .context = acts};
    struct tf_linear_report report;
    const struct tf_linear_limits narrow = {.configurations_max = 16, .steps_max = 1000000};
    const struct tf_linear_limits brief = {.configurations_max = 1024, .steps_max = 20};
    assert_int_equal(tf_linear_check(ops, 7, zero, NULL, &model, &narrow, &report), TF_LINEAR_UNKNOWN);
    assert_int_equal(tf_linear_check(ops, 7, zero, NULL, &model, &brief, &report), TF_LINEAR_UNKNOWN);
    assert_int_equal(tf_linear_check(ops, 7, zero, NULL, &model, &tf_linear_limits_default, &report), TF_LINEAR_NO);
    ops[6].answer = 63;
    assert_int_equal(tf_linear_check(ops, 7, zero, NULL, &model, &tf_linear_limits_default, &report), TF_LINEAR_YES);
}

static void too_many_under_way(void **state)
{
    (void)state;
    static const struct act acts[1] = {{READ, 0, 0, 0}};
    struct tf_linear_op ops[TF_LINEAR_PENDING_MAX + 1];
    for (unsigned i = 0; i <= TF_LINEAR_PENDING_MAX; i++)
        ops[i] = (struct tf_linear_op)OP(1, 1000 + i, 0, 0);
    struct tf_linear_report report;
    assert_int_equal(decide(ops, TF_LINEAR_PENDING_MAX + 1, acts, NULL, &report), TF_LINEAR_UNKNOWN);
}

/* ---- random histories against all permutations ---- */

static bool some_order_fits(const struct tf_linear_op *ops, unsigned count, unsigned used, const struct act *acts,
                            const uint32_t line[TF_LINEAR_WORDS], const uint32_t *final)
{
    if (used == (1u << count) - 1)
        return !final || memcmp(line, final, sizeof zero) == 0;
    for (unsigned i = 0; i < count; i++) {
        bool first = !(used >> i & 1);
        for (unsigned k = 0; k < count && first; k++)
            first = (used >> k & 1) || !(ops[k].end < ops[i].begin);
        if (!first)
            continue;
        uint32_t then[TF_LINEAR_WORDS];
        memcpy(then, line, sizeof then);
        uint32_t answer = apply(acts, ops[i].id, then);
        if ((!ops[i].answered || answer == ops[i].answer) &&
            some_order_fits(ops, count, used | 1u << i, acts, then, final))
            return true;
    }
    return false;
}

static void against_permutations(void **state)
{
    (void)state;
    unsigned verdicts[2] = {0}, fast = 0;
    for (unsigned round = 0; round < 60000; round++) {
        struct act acts[6];
        struct tf_linear_op ops[6];
        unsigned count = 1 + random_word() % 6;
        bool counter = random_word() % 8 == 0;
        uint32_t final[TF_LINEAR_WORDS] = {0};
        for (unsigned i = 0; i < count; i++) {
            acts[i] = (struct act){(unsigned)random_word() % 5, random_word() % 2, random_word() % 3,
                                   random_word() % 3};
            if (counter)
                acts[i] = (struct act){ADD, 0, 1 + random_word() % 2, 0};
            uint64_t begin = random_word() % 12;
            ops[i] = (struct tf_linear_op)OP(begin, begin + random_word() % 6, i, random_word() % 4);
            ops[i].answered = counter || random_word() % 4 != 0;
            ops[i].adds = counter;
            ops[i].delta = acts[i].a;
        }
        if (random_word() % 2) { /* answers of some order; often one that time allows */
            for (unsigned i = 0; i < count; i++)
                ops[i].answer = apply(acts, i, final);
        }
        const uint32_t *end = random_word() % 2 ? final : NULL;
        bool expected = some_order_fits(ops, count, 0, acts, zero, end);
        struct tf_linear_report report;
        enum tf_linear_verdict verdict = decide(ops, count, acts, end, &report);
        if (verdict != (expected ? TF_LINEAR_YES : TF_LINEAR_NO))
            fail_msg("round %u: verdict %d, expected %s", round, verdict, expected ? "yes" : "no");
        if (verdict == TF_LINEAR_NO && !report.at_final)
            assert_true(report.ops >= 1 && report.starts >= 1);
        verdicts[expected]++;
        fast += report.fast;
    }
    assert_true(verdicts[0] > 1000 && verdicts[1] > 1000 && fast > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_history),        cmocka_unit_test(lost_update),
        cmocka_unit_test(stale_read),           cmocka_unit_test(no_going_back),
        cmocka_unit_test(two_winners),          cmocka_unit_test(torn_line),
        cmocka_unit_test(posted_operations),    cmocka_unit_test(final_line),
        cmocka_unit_test(long_histories),       cmocka_unit_test(counter_fast_path),
        cmocka_unit_test(counter_out_of_time),  cmocka_unit_test(counter_chain_repeats),
        cmocka_unit_test(limits_are_kept),      cmocka_unit_test(too_many_under_way),
        cmocka_unit_test(against_permutations),
    };
    return cmocka_run_group_tests(tests, random_group, NULL);
}
