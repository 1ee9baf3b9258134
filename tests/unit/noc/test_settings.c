/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands under any settings. A few settings change between two commands of an initiator. One NIU recalls its last
 * packets, another one decodes each command: both issue equal requests. No request reaches memory beyond L1.
 */
#include "fixture.h"
#include "noc/niu_counters.h"
#include "noc/sent.h"
#include "noc/requests/visit.h"
#include "noc_words.h"

#define COMMANDS 3000u
#define SOURCES 3u /* tiles that send */
#define GROUP 8u

/* Two chips with equal events. The NIUs of the second forget their packets. */
struct pair {
    struct fx *fx[2];
    struct maker maker;
    uint32_t reg[SOURCES][2][2][WORDS]; /* by NOC and initiator */
    uint64_t recalled;
};

static void assert_same(const struct pair *pair, unsigned i)
{
    const struct tf_noc_request *request[] = {pair->fx[0]->request[i], pair->fx[1]->request[i]};
    struct tf_noc_request copy[2];
    ptrdiff_t place[2] = {0, 0}; /* of the data in L1; -1: with the request */
    for (unsigned k = 0; k < 2; k++) {
        copy[k] = *request[k];
        copy[k].entry = (struct tf_noc_entry){.key = 0};
        if (!tf_noc_is_long_form(request[k]->kind))
            continue;
        place[k] = request[k]->data == request[k]->carried ? -1 : request[k]->data - pair->fx[k]->l1;
        copy[k].data = NULL;
    }
    assert_int_equal(place[0], place[1]);
    if (place[0] == -1)
        assert_memory_equal(request[0]->carried, request[1]->carried, request[0]->length);
    assert_memory_equal(&copy[0], &copy[1], offsetof(struct tf_noc_request, carried));
}

static void command(struct pair *pair)
{
    struct maker *of = &pair->maker;
    struct change change[CHANGES_MAX];
    const unsigned tile = pick(&of->dice, SOURCES), noc = pick(&of->dice, 2), i = pick(&of->dice, 2);
    const unsigned count = change_words(of, pair->reg[tile][noc][i], change), before = pair->fx[0]->requests;
    struct tf_niu *niu[2];
    enum tf_access access[2];
    for (unsigned k = 0; k < 2; k++) {
        struct fx *fx = pair->fx[k];
        niu[k] = fx_niu(fx, of->tile[tile].x, of->tile[tile].y, noc);
        for (unsigned store = 0; store < count; store++)
            niu[k]->node->tile->port.store(niu[k], i * of->layout->stride + change[store].offset, change[store].value,
                                           TF_CORE_B, 0x1234);
        if (k == 1)
            tf_niu_forget(niu[k]);
        access[k] = niu[k]->node->tile->port.store(niu[k], i * of->layout->stride + of->layout->command, 1, TF_CORE_B,
                                                   0x1234);
    }
    assert_int_equal(access[0], access[1]);
    assert_int_equal(pair->fx[0]->requests, pair->fx[1]->requests);
    for (unsigned request = before; request < pair->fx[0]->requests; request++)
        assert_same(pair, request);
    pair->recalled += pair->fx[0]->requests != before;
    assert_memory_equal(niu[0]->counter, niu[1]->counter, sizeof niu[0]->counter);
    for (unsigned k = 0; k < TF_NIU_INITIATORS; k++)
        assert_memory_equal(niu[0]->initiator[k], niu[1]->initiator[k], sizeof niu[0]->initiator[k]);
}

static void deliver(struct pair *pair)
{
    for (unsigned k = 0; k < 2; k++)
        fx_deliver(pair->fx[k]);
    for (unsigned i = 0; i < NOC_TILES; i++) {
        struct tf_node *node[2];
        for (unsigned k = 0; k < 2; k++) {
            node[k] = fx_node(pair->fx[k], pair->maker.tile[i].x, pair->maker.tile[i].y);
            tf_node_epoch(node[k], &pair->fx[k]->sink);
        }
        assert_memory_equal(node[0]->l1 + NOC_DATA, node[1]->l1 + NOC_DATA, 0x10000);
    }
}

static void run(const struct layout *layout)
{
    struct pair pair = {.maker = make_maker(test_seed(1), layout)};
    pair.maker.wild = 1;
    for (unsigned k = 0; k < 2; k++) {
        pair.fx[k] = fx_new_of(pair.maker.arch, TF_MODE_DETERMINISTIC, TF_ATOMICS_ISA);
        for (unsigned i = 0; i < NOC_TILES; i++)
            fx_fill(fx_node(pair.fx[k], pair.maker.tile[i].x, pair.maker.tile[i].y)->l1 + NOC_DATA, 0x10000, i);
    }
    for (uint64_t i = 0; i < COMMANDS * test_rounds(1); i++) {
        command(&pair);
        if (i % GROUP == GROUP - 1)
            deliver(&pair);
    }
    print_message("%s: %llu commands issued\n", layout->family, (unsigned long long)pair.recalled);
    assert_true(pair.recalled > COMMANDS / 8);
    for (unsigned k = 0; k < 2; k++)
        fx_free(pair.fx[k]);
}

static void test_blackhole(void **state)
{
    (void)state;
    run(&layouts[0]);
}

static void test_wormhole(void **state)
{
    (void)state;
    run(&layouts[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blackhole), cmocka_unit_test(test_wormhole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
