/* SPDX-License-Identifier: Apache-2.0 */
/* The NOC against what ttsim has recorded in the tables beside this file. */
#include "noc/niu.h"
#include "unit/noc/fixture.h"

#include <string.h>

#define WINDOW 0x20000u
#define WINDOW_WORDS 0x1000u
#define PLACES 160u

struct id {
    uint8_t x, y, noc;
    uint32_t node_id, logical;
};

static const struct id ids[] = {
#define ID(x, y, noc, node_id, logical) {x, y, noc, node_id, logical},
#include "identification.inc"
};

struct step {
    bool is_request;
    uint8_t tile, noc, initiator;
    struct fx_regs regs;
    uint32_t counter[7];
    unsigned place;
    uint32_t digest;
};

static const struct step steps[] = {
/* clang-format off */
#define REQUEST(tile_, noc_, initiator_, targ_, targ_hi_, ret_, ret_hi_, tag_, ctrl_, length_, data_, ...) \
    {.is_request = true,                                                                                  \
     .tile = tile_,                                                                                       \
     .noc = noc_,                                                                                         \
     .initiator = initiator_,                                                                             \
     .regs = {.targ = targ_, .targ_hi = targ_hi_, .ret = ret_, .ret_hi = ret_hi_, .tag = tag_,            \
              .ctrl = ctrl_, .length = length_, .data = data_},                                           \
     .counter = {__VA_ARGS__}},
/* clang-format on */
#define CHANGED(place_, digest_) {.place = place_, .digest = digest_},
#include "requests.inc"
};

#define STEPS (sizeof steps / sizeof *steps)

static void test_identification(void **state)
{
    struct fx *fx = *state;
    for (unsigned i = 0; i < sizeof ids / sizeof *ids; i++) {
        uint16_t node = tf_niu_node_of(fx_niu(fx, 1, 2, 0), FX_XY(ids[i].x, ids[i].y));
        assert_int_not_equal(node, TF_NO_NODE);
        struct tf_niu *niu = &fx->fabric.node[node].niu[ids[i].noc];
        assert_int_equal(fx_load(niu, TF_NIU_NODE_ID), ids[i].node_id);
        assert_int_equal(fx_load(niu, TF_NIU_CONFIG + 4 * TF_NIU_ID_LOGICAL), ids[i].logical);
    }
}

static struct tf_node *place(struct fx *fx, unsigned number)
{
    uint32_t xy = number < 152 ? FX_XY(20 + number - 140, 25)
                               : FX_XY(17 + (number - 152) / 4, 12 + 3 * ((number - 152) % 4));
    if (number < 140)
        xy = FX_XY(number % 14 < 7 ? 1 + number % 14 : 3 + number % 14, 2 + number / 14);
    return &fx->fabric.node[tf_niu_node_of(fx_niu(fx, 1, 2, 0), xy)];
}

static uint32_t digest(struct fx *fx, unsigned number)
{
    static uint32_t words[WINDOW_WORDS];
    uint32_t hash = 2166136261u;
    assert_int_equal(tf_node_read(&fx->fabric, place(fx, number), WINDOW, words, sizeof words), TF_OK);
    for (unsigned i = 0; i < WINDOW_WORDS; i++)
        hash = (hash ^ words[i]) * 16777619u;
    return hash;
}

static void fill(struct fx *fx, unsigned number)
{
    static uint32_t words[WINDOW_WORDS];
    for (unsigned i = 0; i < WINDOW_WORDS; i++)
        words[i] = (number + 1) * 0x9E3779B1u + i * 0x85EBCA6Bu;
    assert_int_equal(tf_node_write(&fx->fabric, place(fx, number), WINDOW, words, sizeof words), TF_OK);
}

static void assert_counters(struct tf_niu *niu, const struct step *step, unsigned request)
{
    static const uint8_t index[6] = {TF_MST_ATOMIC_RESP_RECEIVED,  TF_MST_WR_ACK_RECEIVED,
                                     TF_MST_RD_RESP_RECEIVED,      TF_MST_POSTED_ATOMIC_SENT,
                                     TF_MST_NONPOSTED_WR_REQ_SENT, TF_MST_POSTED_WR_REQ_SENT};
    for (unsigned i = 0; i < 7; i++) {
        unsigned counter = i < 6 ? index[i] : TF_MST_REQS_OUTSTANDING + (step->regs.tag >> 10);
        if (fx_counter(niu, counter) != step->counter[i])
            fail_msg("request %u: counter %u is %u, ttsim has %u", request, counter, fx_counter(niu, counter),
                     step->counter[i]);
    }
}

/* Windows that should not have changed are compared as well. */
static void test_requests(void **state)
{
    struct fx *fx = *state;
    static uint32_t wanted[PLACES];
    unsigned request = 0;
    for (unsigned i = 0; i < PLACES; i++) {
        fill(fx, i);
        wanted[i] = digest(fx, i);
    }
    for (size_t i = 0; i < STEPS;) {
        const struct step *step = &steps[i++];
        struct tf_niu *niu = step->tile ? fx_niu(fx, 14, 9, step->noc) : fx_niu(fx, 1, 2, step->noc);
        tf_node_epoch(niu->node, &fx->sink);
        if (fx_command(niu, step->initiator, &step->regs) != TF_ACCESS_OK)
            fail_msg("request %u: %s", request, fx->fault.text);
        fx_deliver(fx);
        assert_int_equal(fx->fault.count, 0);
        assert_counters(niu, step, request);
        for (; i < STEPS && !steps[i].is_request; i++)
            wanted[steps[i].place] = steps[i].digest;
        for (unsigned p = 0; p < PLACES; p++)
            if (digest(fx, p) != wanted[p])
                fail_msg("request %u: place %u is not as in ttsim", request, p);
        request++;
    }
    assert_int_equal(request, 240);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_identification, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_requests, fx_setup, fx_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
