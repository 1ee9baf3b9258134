/* SPDX-License-Identifier: Apache-2.0 */
/* A packet that an initiator sends again: which ones equal an earlier packet, and which do not. */
#include "noc/sent.h"
#include "noc/requests/visit.h"
#include "requests.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

/* All fields of a request except issuer, queue links and place of the data. */
static void assert_same(const struct tf_noc_request *a, const struct tf_noc_request *b)
{
    struct tf_noc_request x = *a, y = *b;
    x.entry = y.entry = (struct tf_noc_entry){.key = 0};
    assert_int_equal(a->data == a->carried, b->data == b->carried);
    if (a->data == a->carried) {
        assert_memory_equal(a->carried, b->carried, a->length);
        x.data = y.data = NULL;
    }
    assert_memory_equal(&x, &y, sizeof x);
}

static const struct fx_regs repeated[] = {
    {.targ = 0x1000, .targ_hi = FX_XY(4, 4), .ret = 0x2000, .ret_hi = FX_XY(2, 3), .length = 64, .ctrl = FX_READ},
    {.targ = 0x1000,
     .targ_hi = FX_XY(2, 3),
     .ret = 0x2000,
     .ret_hi = FX_XY(4, 4),
     .length = 300,
     .tag = 3 << 10,
     .ctrl = FX_WRITE | FX_RESP},
    {.targ = 0x1000, .targ_hi = FX_XY(2, 3), .ret = 0x2000, .ret_hi = FX_XY(4, 4), .length = 4096, .ctrl = FX_WRITE},
    {.targ = 0x1000,
     .targ_hi = FX_XY(2, 3),
     .ret = 0x2000,
     .ret_hi = FX_RECT(1, 2, 5, 5),
     .length = 16,
     .ctrl = FX_WRITE | FX_BRCST},
    {.targ = 0x3000,
     .targ_hi = FX_XY(4, 4),
     .ret = 0x40,
     .ret_hi = FX_XY(2, 3),
     .length = 0x107C,
     .data = 7,
     .tag = 2 << 10,
     .ctrl = FX_ATOMIC | FX_RESP},
    {.targ = 0x1000,
     .targ_hi = FX_XY(2, 3),
     .ret = 0x2000,
     .ret_hi = FX_XY(4, 4),
     .length = 0xF0F0F,
     .ctrl = FX_WRITE | FX_BE},
    {.targ = NIU_AT(0, NODE_ID),
     .targ_hi = FX_XY(2, 3),
     .ret = 0x2004,
     .ret_hi = FX_XY(4, 4),
     .length = 4,
     .ctrl = FX_WRITE},
};

/* A request that is repeated without decoding equals one that is decoded, and moves the same counters. */
static void test_repetition(void **state)
{
    struct fx *fx = *state;
    fx_fill(l1(fx, 2, 3) + 0x1000, 4096, 9);
    for (unsigned i = 0; i < sizeof repeated / sizeof repeated[0]; i++) {
        struct tf_niu *niu = fx_niu(fx, 2, 3, 0);
        uint32_t counted[3][TF_NIU_COUNTERS];
        unsigned first = fx->requests;
        for (unsigned round = 0; round < 3; round++) {
            if (round != 1)
                tf_niu_forget(niu);
            memset(niu->counter, 0, sizeof niu->counter);
            fx_store(niu, 0x40, 0);
            assert_int_equal(fx_command(niu, 0, &repeated[i]), TF_ACCESS_OK);
            memcpy(counted[round], niu->counter, sizeof counted[round]);
        }
        assert_int_equal(fx->requests, first + 3);
        for (unsigned round = 1; round < 3; round++) {
            assert_same(fx->request[first], fx->request[first + round]);
            assert_memory_equal(counted[0], counted[round], sizeof counted[0]);
        }
    }
}

/* From now on the NIU takes x 4 for x 7. */
static void move_column(struct tf_niu *niu)
{
    uint32_t table = niu->config[TF_NIU_X_TABLE];
    fx_store(niu, TF_NIU_CONFIG + 4 * TF_NIU_X_TABLE, (table & ~(31u << 20)) | 7u << 20); /* of x 4 */
    fx_store(niu, TF_NIU_CONFIG + 4 * TF_NIU_ROW_MASK, 0);
    fx_store(niu, TF_NIU_CONFIG + 4 * TF_NIU_CFG_0, TF_NIU_CFG_0_TRANSLATE);
}

/* Equal registers mean another packet once the NIU translates coordinates in another way. */
static void test_reissue_to_other_node(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 2, 3, 0);
    struct fx_regs regs = {.targ = 0x3000,
                           .targ_hi = FX_XY(4, 4),
                           .ret = 0x40,
                           .ret_hi = FX_XY(2, 3),
                           .length = 0x107C,
                           .data = 1,
                           .ctrl = FX_ATOMIC | FX_RESP};
    for (unsigned round = 0; round < 2; round++)
        fx_command(niu, 0, &regs);
    move_column(niu);
    fx_command(niu, 0, &regs);
    assert_int_equal(fx->request[0]->target, fx_node(fx, 4, 4)->number);
    assert_int_equal(fx->request[1]->target, fx_node(fx, 4, 4)->number);
    assert_int_equal(fx->request[2]->target, fx_node(fx, 7, 4)->number);
}

#define PACKETS 6u /* more than an initiator keeps */

/* Sends `count` packets in turn, of two kinds or for several targets, before and after the translation changes. */
static void reissue_in_turn(struct fx *fx, unsigned count)
{
    struct tf_niu *niu = fx_niu(fx, 2, 3, 0);
    const uint32_t own = FX_XY(2, 3), other = FX_XY(4, 4);
    const struct fx_regs regs[PACKETS] = {
        {.targ = 0x3000, .targ_hi = other, .ret = 0x40, .ret_hi = own, .length = 64, .ctrl = FX_READ},
        {.targ = 0x40, .targ_hi = own, .ret = 0x3000, .ret_hi = other, .length = 64, .ctrl = FX_WRITE},
        {.targ = 0x50, .targ_hi = other, .length = 0x107C, .data = 1, .ctrl = FX_ATOMIC},
        {.targ = 0x50, .targ_hi = own, .length = 0x107C, .data = 1, .ctrl = FX_ATOMIC},
        {.targ = 0x50, .targ_hi = FX_XY(5, 4), .length = 0x107C, .data = 1, .ctrl = FX_ATOMIC},
        {.targ = 0x50, .targ_hi = FX_XY(6, 4), .length = 0x107C, .data = 1, .ctrl = FX_ATOMIC},
    };
    for (unsigned i = 0; i < 6 * count; i++) {
        if (i == 3 * count)
            move_column(niu);
        assert_int_equal(fx_command(niu, 0, &regs[i % count]), TF_ACCESS_OK);
    }
    assert_int_equal(fx->requests, 6 * count);
    for (unsigned i = 0; i < 6 * count; i++) {
        bool moved = i >= 3 * count;
        uint32_t asked = i % count == 1 ? regs[1].ret_hi : regs[i % count].targ_hi;
        unsigned x = asked == own ? 2 : asked == other ? (moved ? 7 : 4) : i % count + 1, y = asked == own ? 3 : 4;
        assert_int_equal(fx->request[i]->target, fx_node(fx, x, y)->number);
        if (i % (3 * count) >= count)
            assert_same(fx->request[i - count], fx->request[i]);
    }
}

static void test_reissue_in_turn(void **state)
{
    for (unsigned count = 2; count <= PACKETS; count++) {
        fx_teardown(state);
        fx_setup(state);
        reissue_in_turn(*state, count);
    }
}

/* The host had no memory to keep packets other than the last one. */
static void test_reissue_in_turn_of_one(void **state)
{
    struct fx *fx = *state;
    struct tf_noc_sent *others = fx->fabric.others;
    fx->fabric.others = NULL;
    reissue_in_turn(fx, PACKETS);
    fx->fabric.others = others;
}

/* The rest of a split request stores no header. The same registers, when software writes them again, do ask for one. */
static void test_reissue_after_rest(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 2, 3, 0);
    struct fx_regs regs = {.targ = 0x10000,
                           .ret = 0x20000,
                           .targ_hi = FX_XY(2, 3),
                           .ret_hi = FX_XY(4, 4),
                           .length = 0x5000,
                           .data = 0x500,
                           .tag = 1 << 9,
                           .ctrl = FX_WRITE};
    fx->fabric.rules.requests_max = 1;
    for (unsigned initiator = 0; initiator < 4; initiator++) {
        struct tf_noc_request **request = &fx->request[fx->requests];
        unsigned before = fx->requests;
        assert_int_equal(fx_command(niu, initiator, &regs), TF_ACCESS_OK);
        tf_node_epoch(niu->node, &fx->sink);
        assert_int_equal(fx->requests, before + 2);
        assert_false(request[1]->header_store);
        tf_node_epoch(niu->node, &fx->sink);
        fx_store(niu, 0x800 * initiator + 0x40, 1);
        assert_int_equal(fx->requests, before + 3);
        assert_int_equal(request[2]->address, request[1]->address);
        assert_true(request[2]->header_store);
        tf_node_epoch(niu->node, &fx->sink);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fx_setup, fx_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_repetition),         TEST(test_reissue_to_other_node),
        TEST(test_reissue_in_turn),    TEST(test_reissue_in_turn_of_one),
        TEST(test_reissue_after_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
