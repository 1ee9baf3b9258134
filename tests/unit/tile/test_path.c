/* SPDX-License-Identifier: Apache-2.0 */
/* Spans of the critical path: those of one actor are merged, and nothing of them is lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tile/path/path.h"

#define SPANS 1000u
#define SPAN_CYCLES 3u

/* What differs between a span and the next one. */
enum differs { NOTHING, ACTOR, NUMBER, PLACE, TARGET, CHIP, TO_CHIP, KINDS };

static void change(struct tf_path_node *node, enum differs differs, unsigned span)
{
    const unsigned odd = span % 2;
    node->actor = differs == ACTOR && odd ? TF_PATH_AT_THREAD : TF_PATH_AT_CORE;
    node->number = differs == NUMBER ? (uint8_t)odd : 0;
    node->at = differs == PLACE ? (uint16_t)(5 + odd) : 5;
    node->to = differs == TARGET ? (uint16_t)(7 + odd) : 7;
    node->chip = differs == CHIP ? (uint8_t)odd : 0;
    node->to_chip = differs == TO_CHIP ? (uint8_t)odd : 0;
}

/* The path of an actor with so many spans. The caller drops it. */
static struct tf_path_node *make(enum differs differs)
{
    struct tf_path_node *present = tf_path_new(NULL, TF_PATH_AT_CORE, 0, 5, 0);
    for (unsigned span = 0; span < SPANS; span++) {
        change(present, differs, span);
        assert_true(tf_path_spend(present, 1, 0, 4 * (span % 10), (span + 1) * SPAN_CYCLES));
        struct tf_path_node *past = tf_path_past(&present);
        assert_non_null(past);
        tf_path_unref(past);
    }
    return present;
}

/* Count spans, whose entries must add up, without a gap, to all cycles. */
static unsigned count(const struct tf_path_node *present)
{
    unsigned spans = 0;
    uint64_t end = SPANS * SPAN_CYCLES;
    for (const struct tf_path_node *node = present; node != NULL; node = node->parent, spans++) {
        uint64_t cycles = 0;
        for (uint32_t i = 0; i < node->count; i++)
            cycles += node->entry[i].cycles;
        assert_int_equal(node->end, end);
        assert_int_equal(node->begin + cycles, end);
        end = node->begin;
    }
    assert_int_equal(end, 0);
    return spans;
}

static void test_merged(void **state)
{
    (void)state;
    for (enum differs differs = NOTHING; differs < KINDS; differs++) {
        struct tf_path_node *present = make(differs);
        if (differs == NOTHING)
            assert_in_range(count(present), 1, SPANS / 4);
        else
            assert_int_equal(count(present), SPANS + 1);
        tf_path_unref(present);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_merged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
