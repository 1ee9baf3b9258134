/* SPDX-License-Identifier: Apache-2.0 */
/* The NOC against what ttsim has recorded in the tables beside this file. */
#include "noc/coords.h"
#include "noc/whole/host_access.h"
#include "noc/nodes/space.h"
#include "noc/requests/visit.h"
#include "unit/noc/fixture.h"

#include <string.h>

#define WINDOW 0x20000u
#define WINDOW_WORDS 0x1000u
#define STEP 0x85EBCA6Bu /* from a word to the next one */
#define PLACES 160u

struct id {
    uint8_t x, y, noc;
    uint32_t node_id, logical;
};

static const struct id ids[] = {
#define ID(x, y, noc, node_id, logical) {x, y, noc, node_id, logical},
#include "identification.inc"
};

enum line { LINE_REQUEST, LINE_CHANGED, LINE_BYTES };

struct step {
    enum line line;
    uint8_t tile, noc, initiator;
    struct fx_regs regs;
    uint32_t counter[7];
    unsigned place;
    uint32_t digest;
    uint32_t first, count, value;
};

static const struct step steps[] = {
/* clang-format off */
#define REQUEST(tile_, noc_, initiator_, targ_, targ_hi_, ret_, ret_hi_, tag_, ctrl_, length_, data_, ...) \
    {.line = LINE_REQUEST,                                                                                 \
     .tile = tile_,                                                                                       \
     .noc = noc_,                                                                                         \
     .initiator = initiator_,                                                                             \
     .regs = {.targ = targ_, .targ_hi = targ_hi_, .ret = ret_, .ret_hi = ret_hi_, .tag = tag_,            \
              .ctrl = ctrl_, .length = length_, .data = data_},                                           \
     .counter = {__VA_ARGS__}},
/* clang-format on */
#define CHANGED(place_, digest_) {.line = LINE_CHANGED, .place = place_, .digest = digest_},
#define BYTES(first_, count_, value_) {.line = LINE_BYTES, .first = first_, .count = count_, .value = value_},
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

static uint32_t place_xy(unsigned number)
{
    if (number < 140)
        return FX_XY(number % 14 < 7 ? 1 + number % 14 : 3 + number % 14, 2 + number / 14);
    if (number < 152)
        return FX_XY(20 + number - 140, 25);
    return FX_XY(17 + (number - 152) / 4, 12 + 3 * ((number - 152) % 4));
}

static struct tf_node *place(struct fx *fx, unsigned number)
{
    return &fx->fabric.node[tf_niu_node_of(fx_niu(fx, 1, 2, 0), place_xy(number))];
}

static uint32_t digest(const uint32_t *words)
{
    uint32_t hash = 2166136261u;
    for (unsigned i = 0; i < WINDOW_WORDS; i++)
        hash = (hash ^ words[i]) * 16777619u;
    return hash;
}

static void fill(struct fx *fx, unsigned number, uint32_t *words)
{
    for (unsigned i = 0; i < WINDOW_WORDS; i++)
        words[i] = (number + 1) * 0x9E3779B1u + i * STEP;
    assert_int_equal(tf_node_write(&fx->fabric, place(fx, number), WINDOW, words, WINDOW_WORDS * 4), TF_OK);
}

static void change(uint32_t *words, const struct step *bytes)
{
    for (uint32_t at = bytes->first; at < bytes->first + bytes->count; at++) {
        uint32_t value = bytes->value + (at / 4 - bytes->first / 4) * STEP;
        unsigned shift = at % 4 * 8, word = (at - WINDOW) / 4;
        words[word] = (words[word] & ~(0xFFu << shift)) | (value & 0xFFu << shift);
    }
}

/* The windows after the request whose lines begin at `step`. Returns the next request. */
static const struct step *expect(uint32_t (*words)[WINDOW_WORDS], const struct step *step, unsigned request)
{
    const struct step *first = step, *group = step;
    for (; step < steps + STEPS && step->line != LINE_REQUEST; step++) {
        if (step->line == LINE_CHANGED && step > first && step[-1].line == LINE_BYTES)
            group = step;
        for (const struct step *at = group; step->line == LINE_BYTES && at->line == LINE_CHANGED; at++)
            change(words[at->place], step);
    }
    for (; first < step; first++)
        if (first->line == LINE_CHANGED && digest(words[first->place]) != first->digest)
            fail_msg("request %u: the table's bytes of place %u have another digest", request, first->place);
    return step;
}

static void assert_window(struct fx *fx, unsigned request, unsigned number, const uint32_t *wanted)
{
    static uint32_t words[WINDOW_WORDS];
    assert_int_equal(tf_node_read(&fx->fabric, place(fx, number), WINDOW, words, sizeof words), TF_OK);
    if (memcmp(words, wanted, sizeof words) == 0)
        return;
    unsigned i = 0;
    while (words[i] == wanted[i])
        i++;
    fail_msg("request %u: place %u, which is (%u, %u), has 0x%08X at 0x%X, ttsim 0x%08X: bit %d first", request, number,
             place_xy(number) & 0x3F, place_xy(number) >> 6 & 0x3F, words[i], WINDOW + 4 * i, wanted[i],
             __builtin_ctz(words[i] ^ wanted[i]));
}

static void assert_counters(struct tf_niu *niu, const struct step *step, unsigned request)
{
    static const uint8_t index[6] = {TF_MST_ATOMIC_RESP_RECEIVED,  TF_MST_WR_ACK_RECEIVED,
                                     TF_MST_RD_RESP_RECEIVED,      TF_MST_POSTED_ATOMIC_SENT,
                                     TF_MST_NONPOSTED_WR_REQ_SENT, TF_MST_POSTED_WR_REQ_SENT};
    for (unsigned i = 0; i < 7; i++) {
        unsigned counter = i < 6 ? index[i] : TF_MST_REQS_OUTSTANDING + (step->regs.tag >> 10);
        if (fx_counter(niu, counter) != step->counter[i])
            fail_msg("request %u: counter %u is %u, ttsim has %u: bit %d first", request, counter,
                     fx_counter(niu, counter), step->counter[i],
                     __builtin_ctz(fx_counter(niu, counter) ^ step->counter[i]));
    }
}

/* Windows that should not have changed are compared as well. */
static void test_requests(void **state)
{
    struct fx *fx = *state;
    static uint32_t wanted[PLACES][WINDOW_WORDS];
    unsigned request = 0;
    for (unsigned i = 0; i < PLACES; i++)
        fill(fx, i, wanted[i]);
    for (const struct step *step = steps, *next; step < steps + STEPS; step = next, request++) {
        struct tf_niu *niu = step->tile ? fx_niu(fx, 14, 9, step->noc) : fx_niu(fx, 1, 2, step->noc);
        tf_node_epoch(niu->node, &fx->sink);
        if (fx_command(niu, step->initiator, &step->regs) != TF_ACCESS_OK)
            fail_msg("request %u: %s", request, fx->fault.text);
        fx_deliver(fx);
        assert_int_equal(fx->fault.count, 0);
        assert_counters(niu, step, request);
        next = expect(wanted, step + 1, request);
        for (unsigned p = 0; p < PLACES; p++)
            assert_window(fx, request, p, wanted[p]);
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
