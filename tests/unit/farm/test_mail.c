/* SPDX-License-Identifier: Apache-2.0 */
/* Mail comes out in the order of its epoch, for any lists and any order of insertion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdlib.h>

#include "farm/order/mail.h"
#include "random.h"

enum { LISTS = 5, ENTRIES = 600, ROUNDS = 200 };

static int by_order(const void *a, const void *b)
{
    const struct tf_noc_entry *const *x = a, *const *y = b;
    if ((*x)->key != (*y)->key)
        return (*x)->key < (*y)->key ? -1 : 1;
    return (*x)->node < (*y)->node ? -1 : (*x)->node > (*y)->node;
}

/* Keys and nodes, where no two entries have both. Runs rise, with a step back now and then; keys are shared. */
static unsigned make(struct tf_noc_entry *entry, unsigned steps_back, uint64_t *state)
{
    unsigned count = (unsigned)(test_random(state) % ENTRIES);
    uint64_t at = 0;
    for (unsigned i = 0; i < count; i++, at++) {
        if (test_random(state) % 100 < steps_back)
            at = (uint64_t)ENTRIES * (1 + test_random(state) % 1000) * 4;
        uint64_t place = at * ENTRIES + i;
        entry[i] = (struct tf_noc_entry){.key = place / 1000, .node = (uint16_t)(place % 1000)};
    }
    return count;
}

static void round_of(unsigned lists, unsigned steps_back, uint64_t *state)
{
    static struct tf_noc_entry entry[ENTRIES];
    const struct tf_noc_entry *expected[ENTRIES];
    struct tf_mail mail[LISTS] = {{0}};
    struct tf_mail_bins bins = {{0}};
    unsigned count = make(entry, steps_back, state);
    for (unsigned i = 0; i < count; i++) {
        struct tf_mail *into = &mail[test_random(state) % lists];
        bool behind = into->oldest != NULL && tf_mail_precedes(&entry[i], into->newest);
        bool before = into->disordered;
        tf_mail_put(into, &entry[i]);
        assert_int_equal(into->disordered, before || behind);
        assert_ptr_equal(into->newest, &entry[i]);
        expected[i] = &entry[i];
    }
    qsort(expected, count, sizeof *expected, by_order);
    for (unsigned i = 0; i < lists; i++) {
        struct tf_noc_entry *list = tf_mail_take(&mail[i]);
        for (const struct tf_noc_entry *one = list; one != NULL && one->next != NULL; one = one->next)
            assert_true(tf_mail_precedes(one, one->next));
        tf_mail_add(&bins, list);
        assert_null(mail[i].oldest);
        assert_false(mail[i].disordered);
    }
    const struct tf_noc_entry *found = tf_mail_merge(&bins);
    for (unsigned i = 0; i < count; i++, found = found->next)
        assert_ptr_equal(found, expected[i]);
    assert_null(found);
    assert_null(tf_mail_merge(&bins));
}

static void test_order(void **unused)
{
    (void)unused;
    static const unsigned steps_back[] = {0, 1, 10, 60, 100};
    uint64_t state = test_seed(1);
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned k = 0; k < sizeof steps_back / sizeof *steps_back; k++)
            round_of(1 + round % LISTS, steps_back[k], &state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
