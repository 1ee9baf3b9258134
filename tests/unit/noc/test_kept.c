/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that keep their answers leave memory and NIUs equal to those after responses. */
#include "fixture.h"
#include "noc/requests/act.h"
#include "noc/requests/land.h"
#include "noc/requests/visit.h"

#include <string.h>

#include "addresses.h"
#include "blackhole/tilefarm_family.h"

#define TILES 3u
#define ROUNDS 6000u
#define BATCH 6u
#define BEGIN 0x1000u
#define WINDOW 0x3000u /* requests keep to so much of memory from there, mostly */
#define COMMON 0x3800u /* where many answers land */

static const struct tf_coord at[TILES] = {{1, 2}, {4, 4}, {10, 5}};
static const struct tf_coord dram = {0, 2};

static struct {
    unsigned kept, sent, faults;
} counted;

static struct fx *chip(bool keeps_answers)
{
    struct fx *fx = fx_new(TF_MODE_DETERMINISTIC, TF_ATOMICS_ISA);
    fx->sink.keeps_answers = keeps_answers;
    for (unsigned i = 0; i < TILES; i++)
        fx_prepare_tile(fx, at[i], BEGIN, WINDOW);
    return fx;
}

static uint32_t hi_of(struct fx *fx, struct tf_coord coord, unsigned noc)
{
    return fx_niu(fx, coord.x, coord.y, noc)->node_id & 0xFFF;
}

static uint32_t place(uint64_t *random)
{
    return BEGIN + (uint32_t)(test_random64(random) % (WINDOW / 64)) * 64;
}

/* At the target: memory mostly, a register, or nothing. */
static uint32_t target(uint64_t *random)
{
    uint64_t choice = test_random64(random) % 12;
    return choice == 0 ? NIU_AT(0, NODE_ID) : choice == 1 ? 0x00900000 : place(random);
}

static void describe_atomic(struct fx_regs *regs, uint64_t *random)
{
    static const uint16_t words[] = {0x107C, 0x1045, 0x0000, 0x2000, 0x3000, 0x4002,
                                     0x5000, 0x6004, 0x7004, 0x9004, 0xA004, 0xA501};
    regs->ctrl = FX_ATOMIC;
    regs->length = words[test_random64(random) % (sizeof words / sizeof *words)];
    regs->data = (uint32_t)test_random64(random);
    regs->targ = target(random) + (uint32_t)(test_random64(random) % 4) * 4 + (test_random64(random) % 16 == 0);
    regs->ret = test_random64(random) % 8 == 0 ? COMMON : place(random) + (uint32_t)(test_random64(random) % 16) * 4;
}

static void describe_data(struct fx_regs *regs, uint64_t *random)
{
    static const uint32_t lengths[] = {1, 4, 4, 4, 64, 300, TF_NOC_CARRY_BYTES, TF_NOC_CARRY_BYTES + 1};
    regs->length = lengths[test_random64(random) % (sizeof lengths / sizeof *lengths)];
    regs->data = (uint32_t)test_random64(random);
    if (regs->ctrl == FX_READ) {
        regs->targ = target(random);
        regs->ret = place(random) + regs->targ % 64;
        return;
    }
    regs->ret = target(random);
    regs->targ = place(random) + regs->ret % 64;
    if (regs->ctrl & FX_INLINE)
        regs->targ = regs->ret;
    else if (test_random64(random) % 4 == 0) {
        regs->ctrl |= FX_BE;
        regs->length = test_random64(random) | 1;
    }
}

static struct fx_regs describe(uint64_t *random, uint32_t own, uint32_t answered, uint32_t other)
{
    static const uint32_t kinds[] = {FX_READ, FX_WRITE, FX_WRITE, FX_WRITE | FX_INLINE, FX_ATOMIC, FX_ATOMIC};
    uint64_t choice = test_random64(random);
    struct fx_regs regs = {.ctrl = kinds[choice % 6], .tag = (uint32_t)(choice >> 8 & 15) << 10};
    if (regs.ctrl == FX_ATOMIC)
        describe_atomic(&regs, random);
    else
        describe_data(&regs, random);
    bool writes = regs.ctrl & FX_WRITE;
    regs.targ_hi = writes && !(regs.ctrl & FX_INLINE) ? own : other;
    regs.ret_hi = writes ? other : answered;
    if (choice >> 16 & 3)
        regs.ctrl |= FX_RESP;
    return regs;
}

static void assert_same_niu(const struct tf_niu *a, const struct tf_niu *b)
{
    assert_memory_equal(a->counter, b->counter, sizeof a->counter);
    assert_int_equal(a->rtz_source, b->rtz_source);
    assert_int_equal(a->bytes_in, b->bytes_in);
}

static void assert_same(struct fx *a, struct fx *b)
{
    for (unsigned i = 0; i < TILES; i++) {
        struct tf_node *x = fx_node(a, at[i].x, at[i].y), *y = fx_node(b, at[i].x, at[i].y);
        assert_memory_equal(x->l1, y->l1, BEGIN + WINDOW + 0x2000);
        assert_int_equal(x->tile->irq_lines, y->tile->irq_lines);
        for (unsigned noc = 0; noc < 2; noc++)
            assert_same_niu(&x->niu[noc], &y->niu[noc]);
    }
    struct tf_node *x = fx_node(a, dram.x, dram.y), *y = fx_node(b, dram.x, dram.y);
    assert_same_niu(&x->niu[0], &y->niu[0]);
    assert_same_niu(&x->niu[1], &y->niu[1]);
}

static void assert_same_response(const struct tf_noc_response *a, const struct tf_noc_response *b)
{
    assert_int_equal(a->entry.key, b->entry.key);
    assert_int_equal(a->entry.node, b->entry.node);
    assert_int_equal(a->node, b->node);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->noc, b->noc);
    assert_int_equal(a->tid, b->tid);
    assert_int_equal(a->core, b->core);
    assert_int_equal(a->address, b->address);
    assert_int_equal(a->length, b->length);
    if (a->kind != TF_NOC_FAULT && a->length != 0)
        assert_memory_equal(a->data, b->data, a->length);
}

/* Sent and kept answers, by key. They equal the answers of the other chip. Lands them. */
static void land_both(struct fx *fx, struct tf_noc_request *const *request, unsigned count, struct fx *other)
{
    unsigned sent = 0, all = 0;
    for (unsigned i = 0; i < count; i++) {
        struct tf_noc_response made, *response = &made;
        if (request[i]->entry.settled)
            tf_noc_response_of(request[i], &made);
        else if (sent < fx->responses && fx->response[sent]->entry.key == i)
            response = fx->response[sent++];
        else
            continue;
        assert_same_response(response, other->response[all++]);
        tf_noc_land(&fx->fabric, response);
    }
    assert_int_equal(sent, fx->responses);
    assert_int_equal(all, other->responses);
}

/* Each tile lands the answers that its own requests have kept. */
static void land_kept(struct fx *fx, struct tf_noc_request *const *request, unsigned count)
{
    for (unsigned tile = 0; tile < TILES; tile++) {
        struct tf_node *node = fx_node(fx, at[tile].x, at[tile].y);
        struct tf_noc_request *first = NULL, **end = &first;
        for (unsigned i = 0; i < count; i++)
            if (request[i]->keeps_answer && request[i]->source == node->number) {
                *end = request[i];
                end = &request[i]->next_kept;
            }
        *end = NULL;
        tf_noc_land_kept(node, first);
    }
}

static void deliver(struct fx *sends, struct fx *keeps)
{
    struct tf_noc_request *request[BATCH];
    unsigned count = keeps->requests;
    assert_int_equal(count, sends->requests);
    assert_in_range(count, 0, BATCH);
    memcpy(request, keeps->request, count * sizeof *request);
    fx_capture(sends);
    fx_capture(keeps);
    for (unsigned i = 0; i < count; i++)
        request[i]->entry.node = request[i]->target;
    fx_act(sends);
    fx_act(keeps);
    counted.sent += keeps->responses;
    counted.kept += sends->responses - keeps->responses;
    unsigned faults = 0; /* they change nothing where they land */
    for (unsigned i = 0; i < keeps->responses; i++) {
        bool fault = keeps->response[i]->kind == TF_NOC_FAULT;
        faults += fault;
        counted.faults += fault && keeps->response[i]->request->keeps_answer;
    }
    if (keeps->responses == faults)
        land_kept(keeps, request, count);
    else
        land_both(keeps, request, count, sends);
    keeps->responses = 0;
    fx_deliver(sends);
    fx_deliver(keeps);
}

static void test_both_ways(void **state)
{
    (void)state;
    uint64_t random = test_seed(1);
    struct fx *sends = chip(false), *keeps = chip(true);
    for (unsigned round = 0; round < ROUNDS; round++) {
        unsigned noc = round % 2;
        for (unsigned i = 0; i < BATCH; i++) {
            uint64_t choice = test_random64(&random);
            unsigned own = choice % TILES, answered = choice >> 8 & 7 ? own : (own + 1) % TILES;
            struct tf_coord other = choice >> 16 & 7 ? at[(choice >> 24) % TILES] : dram;
            struct fx_regs regs = describe(&random, hi_of(keeps, at[own], noc), hi_of(keeps, at[answered], noc),
                                           hi_of(keeps, other, noc));
            struct fx *const both[] = {sends, keeps};
            for (unsigned k = 0; k < 2; k++) {
                struct tf_niu *niu = fx_niu(both[k], at[own].x, at[own].y, noc);
                tf_node_epoch(niu->node, &both[k]->sink);
                fx_command(niu, i % TF_NIU_INITIATORS, &regs);
            }
        }
        deliver(sends, keeps);
        if (round % 16 == 0)
            assert_same(sends, keeps);
    }
    assert_same(sends, keeps);
    print_message("%u answers kept, %u sent, %u faults of requests that would have kept theirs\n", counted.kept,
                  counted.sent, counted.faults);
    assert_true(counted.kept > 2 * ROUNDS);
    assert_true(counted.sent > ROUNDS / 2);
    assert_true(counted.faults > ROUNDS / 8);
    fx_free(sends);
    fx_free(keeps);
}

/* Requests of one list equal requests one by one, at nodes that change and for copies of a multicast. */
static void test_a_list(void **state)
{
    struct fx *fx = *state;
    static const uint32_t increment = 0x107C;
    struct fx_regs regs = {.targ = 0x3000,
                           .ret = 0x40,
                           .ret_hi = FX_XY(2, 3),
                           .length = increment,
                           .data = 5,
                           .ctrl = FX_ATOMIC | FX_RESP};
    fx->sink.keeps_answers = true;
    for (unsigned i = 0; i < 6; i++) {
        regs.targ_hi = i % 3 == 2 ? FX_XY(1, 2) : FX_XY(4, 4);
        regs.ret = 0x40 + 4 * i;
        assert_int_equal(fx_command(fx_niu(fx, 2, 3, i / 4), 0, &regs), TF_ACCESS_OK);
    }
    struct fx_regs all = {.targ = 0x100,
                          .targ_hi = FX_XY(2, 3),
                          .ret = 0x200,
                          .ret_hi = FX_RECT(1, 2, 4, 4),
                          .length = 16,
                          .ctrl = FX_WRITE | FX_BRCST};
    fx_fill(fx_node(fx, 2, 3)->l1 + 0x100, 16, 3);
    assert_int_equal(fx_command(fx_niu(fx, 2, 3, 0), 0, &all), TF_ACCESS_OK);
    struct tf_noc_copy copy = {.entry = {.key = 16, .node = fx_node(fx, 4, 4)->number, .copy = true},
                               .request = fx->request[6]};
    struct tf_noc_entry *first = &fx->request[0]->entry;
    for (unsigned i = 0; i < 6; i++) {
        fx->request[i]->entry.key = 10 + i;
        fx->request[i]->entry.node = fx->request[i]->target;
        fx->request[i]->entry.next = i < 5 ? &fx->request[i + 1]->entry : &copy.entry;
        fx->request[i]->next_kept = i < 5 ? fx->request[i + 1] : NULL;
    }
    assert_int_equal(tf_noc_act_until(&fx->fabric, &first, 10, &fx->sink), 0);
    assert_int_equal(tf_noc_act_until(&fx->fabric, &first, 12, &fx->sink), 2);
    assert_ptr_equal(first, &fx->request[2]->entry);
    assert_int_equal(tf_noc_act_until(&fx->fabric, &first, UINT64_MAX, &fx->sink), 5);
    assert_null(first);
    assert_int_equal(fx->responses, 0);
    tf_noc_land_kept(fx_node(fx, 2, 3), fx->request[0]);
    static const uint32_t old[] = {0, 5, 0, 10, 15, 5};
    assert_memory_equal(fx_node(fx, 2, 3)->l1 + 0x40, old, sizeof old);
    assert_memory_equal(fx_node(fx, 4, 4)->l1 + 0x200, fx_node(fx, 2, 3)->l1 + 0x100, 16);
    assert_int_equal(fx_counter(fx_niu(fx, 4, 4, 0), TF_SLV_NONPOSTED_ATOMIC_RECEIVED), 3);
    assert_int_equal(fx_counter(fx_niu(fx, 4, 4, 1), TF_SLV_NONPOSTED_ATOMIC_RECEIVED), 1);
    assert_int_equal(fx_counter(fx_niu(fx, 1, 2, 0), TF_SLV_ATOMIC_RESP_SENT), 1);
    assert_int_equal(fx_counter(fx_niu(fx, 2, 3, 0), TF_MST_ATOMIC_RESP_RECEIVED), 4);
    assert_int_equal(fx_counter(fx_niu(fx, 2, 3, 1), TF_MST_REQS_OUTSTANDING), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ways),
        cmocka_unit_test_setup_teardown(test_a_list, fx_setup, fx_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
