/* SPDX-License-Identifier: Apache-2.0 */
/* What `tilefarm stress` makes of the logs of two tiles (check/pairs_check.c): logs that are right, and wrong ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/check/pairs_check.h"

#define LOOPS 4u

static struct tf_pairs_tile pair[2];
static struct tf_stress_failure failure;

/* The words that the tiles saw in the rounds of their loops. */
static bool saw(enum tf_pairs_program program, const uint32_t first[2][LOOPS], const uint32_t second[2][LOOPS])
{
    memset(pair, 0, sizeof pair);
    failure = (struct tf_stress_failure){.text = ""};
    for (unsigned i = 0; i < 2 * LOOPS; i++)
        pair[i / LOOPS].seen[i % LOOPS] = (struct tf_pairs_seen){first[i / LOOPS][i % LOOPS],
                                                                 second ? second[i / LOOPS][i % LOOPS] : 0};
    return tf_pairs_check(pair, program, LOOPS, &failure);
}

static void refused(const char *invariant, const char *text)
{
    assert_string_equal(failure.invariant, invariant);
    assert_non_null(strstr(failure.text, text));
}

static const enum tf_pairs_program buffering[] = {TF_PAIR_SB_ATOMIC, TF_PAIR_SB_READ, TF_PAIR_SB_WRITE,
                                                  TF_PAIR_SB_MULTICAST};

/* One tile after the other; in turns; and with one that sees only the end. */
static void orders_are_accepted(void **state)
{
    (void)state;
    static const uint32_t one_first[2][LOOPS] = {{0, 0, 0, 0}, {4, 4, 4, 4}};
    static const uint32_t in_turns[2][LOOPS] = {{0, 1, 2, 3}, {1, 2, 3, 4}};
    static const uint32_t in_step[2][LOOPS] = {{1, 2, 3, 4}, {1, 2, 3, 4}};
    for (unsigned i = 0; i < 4; i++) {
        assert_true(saw(buffering[i], one_first, NULL));
        assert_true(saw(buffering[i], in_turns, NULL));
        assert_true(saw(buffering[i], in_step, NULL));
    }
}

/* In round 2 each saw only round 1 of the other. */
static void buffered_stores_are_refused(void **state)
{
    (void)state;
    static const uint32_t seen[2][LOOPS] = {{1, 1, 3, 4}, {1, 1, 3, 4}};
    for (unsigned i = 0; i < 4; i++) {
        assert_false(saw(buffering[i], seen, NULL));
        refused(TF_STRESS_R3, "made its word 2 and then saw 1");
    }
}

/* Only the second tile overlooks: it made word 3 and saw 1, while the first one made word 2 and saw 2. */
static void either_tile_may_be_wrong(void **state)
{
    (void)state;
    static const uint32_t seen[2][LOOPS] = {{1, 2, 3, 4}, {1, 2, 1, 4}};
    assert_false(saw(TF_PAIR_SB_WRITE, seen, NULL));
    refused(TF_STRESS_R3, "saw 1 after 2");
}

/* The first tile sees 3 before it makes its word 2; the second one saw 2 before it made its word 3. */
static void early_effects_are_refused(void **state)
{
    (void)state;
    static const uint32_t seen[2][LOOPS] = {{3, 3, 3, 3}, {2, 2, 4, 4}};
    assert_false(saw(TF_PAIR_SB_READ, seen, NULL));
    refused(TF_STRESS_R3, "saw 3 and then made its word 2");
}

static void words_that_nobody_wrote_are_refused(void **state)
{
    (void)state;
    static const uint32_t seen[2][LOOPS] = {{4, 4, 4, 4}, {4, 4, 4, 5}};
    assert_false(saw(TF_PAIR_SB_READ, seen, NULL));
    refused(TF_STRESS_R3, "saw 5 after 4");
}

static void data_must_not_be_older_than_the_flag(void **state)
{
    (void)state;
    static const uint32_t flag[2][LOOPS] = {{0, 1, 2, 3}, {1, 2, 3, 4}};
    static const uint32_t fresh[2][LOOPS] = {{0, 1, 3, 3}, {1, 4, 4, 4}},
                          stale[2][LOOPS] = {{0, 1, 2, 3}, {1, 2, 3, 3}};
    assert_true(saw(TF_PAIR_MP, flag, fresh));
    assert_false(saw(TF_PAIR_MP, flag, stale));
    refused(TF_STRESS_R3, "saw the flag 4, and then the data of 3");
}

static void torn_words_are_refused(void **state)
{
    (void)state;
    static const uint32_t none[2][LOOPS];
    assert_true(saw(TF_PAIR_PLAIN, none, NULL));
    pair[1].result = (struct tf_pairs_result){.torn = 1, .torn_as = 0x01010102, .torn_by = 1};
    assert_false(tf_pairs_check(pair, TF_PAIR_PLAIN, LOOPS, &failure));
    refused(TF_STRESS_R1, "read 1 torn words, the first is 0x01010102");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_are_accepted),
        cmocka_unit_test(buffered_stores_are_refused),
        cmocka_unit_test(either_tile_may_be_wrong),
        cmocka_unit_test(early_effects_are_refused),
        cmocka_unit_test(words_that_nobody_wrote_are_refused),
        cmocka_unit_test(data_must_not_be_older_than_the_flag),
        cmocka_unit_test(torn_words_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
