/* SPDX-License-Identifier: Apache-2.0 */
/* noc/requests/order.h: which requests of a NIU stay in order on their way, and at the recipient. */
#include "noc/requests/act.h"
#include "noc/requests/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define LINKED TF_NOC_CTRL_LINKED
#define STATIC(class) (TF_NOC_CTRL_STATIC | (uint32_t)(class) << 14)

static struct tf_noc_request to(uint16_t target)
{
    return (struct tf_noc_request){.kind = TF_NOC_WRITE, .target = target, .answered = true};
}

static void static_channels_keep_order(void **state)
{
    (void)state;
    struct tf_noc_transaction open = {0};
    const struct tf_noc_request near = to(5), far = to(6);
    const uint64_t first = tf_noc_channel(&open, &near, STATIC(0));
    assert_true(first != 0);
    assert_true(tf_noc_channel(&open, &near, STATIC(0)) == first);
    assert_true(tf_noc_channel(&open, &near, STATIC(1)) != first);
    assert_true(tf_noc_channel(&open, &near, STATIC(0) | 1u << 13) != first); /* the buddy bit */
    assert_true(tf_noc_channel(&open, &far, STATIC(0)) != first);
    assert_true(tf_noc_channel(&open, &near, 0) == 0);
    struct tf_noc_request other = near;
    other.noc = 1;
    assert_true(tf_noc_channel(&open, &other, STATIC(0)) != first);
}

static void linked_transactions_keep_order(void **state)
{
    (void)state;
    struct tf_noc_transaction open = {0};
    const struct tf_noc_request request = to(5);
    const uint64_t first = tf_noc_channel(&open, &request, LINKED);
    assert_true(first != 0);
    assert_true(tf_noc_channel(&open, &request, LINKED) == first);
    assert_true(tf_noc_channel(&open, &request, 0) == first); /* the last one has no flag */
    assert_true(tf_noc_channel(&open, &request, 0) == 0);
    const uint64_t second = tf_noc_channel(&open, &request, LINKED);
    assert_true(second != 0 && second != first);
    assert_true(tf_noc_channel(&open, &request, 0) == second);
    /* A transaction on a static channel is also in order with others on that channel. */
    const uint64_t fixed = tf_noc_channel(&open, &request, STATIC(0));
    assert_true(tf_noc_channel(&open, &request, LINKED | STATIC(0)) == fixed);
    assert_true(tf_noc_channel(&open, &request, 0) == fixed);
}

static void multicasts_keep_order_in_one_tree(void **state)
{
    (void)state;
    struct tf_noc_transaction open = {0};
    struct tf_noc_request request = {.kind = TF_NOC_WRITE, .multicast = true, .x0 = 1, .y0 = 2, .x1 = 3, .y1 = 4};
    const uint64_t first = tf_noc_channel(&open, &request, STATIC(2));
    assert_true(first != 0 && tf_noc_channel(&open, &request, 0) == 0);
    request.major_y = true;
    assert_true(tf_noc_channel(&open, &request, STATIC(2)) != first);
    request.major_y = false;
    request.exclude = 7;
    assert_true(tf_noc_channel(&open, &request, STATIC(2)) != first);
    request.exclude = 0;
    request.y1 = 5;
    assert_true(tf_noc_channel(&open, &request, STATIC(2)) != first);
}

/* The sentences of the page, each with a pair that it covers, and pairs that none covers. */
static void pairs_follow_the_page(void **state)
{
    (void)state;
    static const struct {
        enum tf_noc_act first, second;
        enum tf_noc_rule rule;
    } pairs[] = {
        {TF_NOC_ACT_WRITE, TF_NOC_ACT_READ, TF_NOC_RULE_1},
        {TF_NOC_ACT_WRITE_REGISTER, TF_NOC_ACT_READ_REGISTER, TF_NOC_RULE_1},
        {TF_NOC_ACT_READ_LINKED, TF_NOC_ACT_ATOMIC_POSTED, TF_NOC_RULE_2},
        {TF_NOC_ACT_READ, TF_NOC_ACT_WRITE, TF_NOC_RULE_NONE},
        {TF_NOC_ACT_ATOMIC, TF_NOC_ACT_ATOMIC_POSTED, TF_NOC_RULE_3},
        {TF_NOC_ACT_ATOMIC_POSTED, TF_NOC_ACT_ATOMIC, TF_NOC_RULE_NONE},
        {TF_NOC_ACT_WRITE_REGISTER, TF_NOC_ACT_WRITE_REGISTER, TF_NOC_RULE_5},
        {TF_NOC_ACT_WRITE, TF_NOC_ACT_WRITE_REGISTER, TF_NOC_RULE_NONE},
        {TF_NOC_ACT_WRITE_REGISTER, TF_NOC_ACT_WRITE, TF_NOC_RULE_NONE},
        {TF_NOC_ACT_READ, TF_NOC_ACT_READ_REGISTER, TF_NOC_RULE_6},
        {TF_NOC_ACT_READ_REGISTER, TF_NOC_ACT_READ, TF_NOC_RULE_6},
        {TF_NOC_ACT_READ, TF_NOC_ACT_READ, TF_NOC_RULE_NONE},
        {TF_NOC_ACT_WRITE, TF_NOC_ACT_ATOMIC, TF_NOC_RULE_NONE},
        {TF_NOC_ACT_ATOMIC, TF_NOC_ACT_WRITE, TF_NOC_RULE_NONE},
        {TF_NOC_ACT_WRITE, TF_NOC_ACT_WRITE, TF_NOC_RULE_4},
    };
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        assert_int_equal(tf_noc_rules[pairs[i].first][pairs[i].second], pairs[i].rule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_channels_keep_order),
        cmocka_unit_test(linked_transactions_keep_order),
        cmocka_unit_test(multicasts_keep_order_in_one_tree),
        cmocka_unit_test(pairs_follow_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
