/* SPDX-License-Identifier: Apache-2.0 */
/* Relaxed mode: equal requests by the fast path and by the general one leave memory and NIUs equal. */
#include "fixture.h"
#include "noc/coords.h"
#include "noc/relaxed/transact.h"
#include "noc/whole/host_access.h"
#include "noc/nodes/space.h"
#include "noc/requests/visit.h"

#include <string.h>

#include "tilefarm_address.h"

#define TILES 3u
#define NODES 6u /* DRAM ports after the tiles */
#define ROUNDS 30000u
#define BEGIN 0x1000u
#define WINDOW 0x4000u    /* requests keep to so much of L1 from there */
#define DRAM_AT 0x1FE000u /* data lie on both sides of what a channel reserves at once */
#define DRAM_UNTOUCHED 0x70000000u
#define DRAM_BYTES 0x6000u
#define REGISTER TF_DEBUG_BASE

/* The last one shows its core's memory; the two before it are ports of one channel. */
static const struct tf_coord at[NODES] = {{1, 2}, {4, 4}, {10, 5}, {0, 0}, {0, 1}, {9, 0}};

enum done {
    WORDS, /* atomics that answer the word which they change */
    LINES, /* others */
    WRITES,
    READS,
    DRAM_WRITES,
    DRAM_READS,
    UNTOUCHED, /* reads of DRAM that was never written */
    REFUSED,
    KINDS,
};

static const char *const names[KINDS] = {"words",          "lines",           "writes",           "reads",
                                         "writes to DRAM", "reads from DRAM", "reads of nothing", "not at once"};
static unsigned counted[KINDS];

static struct tf_noc_gathered gathered;

static struct fx *of_sink(struct tf_noc_sink *sink)
{
    return (struct fx *)(void *)((char *)sink - offsetof(struct fx, sink));
}

static enum done kind_of(const struct tf_fabric *fabric, const struct tf_noc_request *request)
{
    const struct tf_noc_atomic *op = &request->op;
    bool dram = fabric->node[request->target].dram != NULL;
    uint32_t address = (uint32_t)request->address;
    switch (request->kind) {
    case TF_NOC_ATOMIC:
        return tf_noc_atomic_whole_line(op) || tf_noc_atomic_place(op, address) != address / 4 % 4 ? LINES : WORDS;
    case TF_NOC_READ: return !dram ? READS : address >= DRAM_UNTOUCHED ? UNTOUCHED : DRAM_READS;
    default: return dram ? DRAM_WRITES : WRITES;
    }
}

static bool transact(struct tf_noc_sink *sink, const struct tf_noc_request *request, unsigned core)
{
    (void)core;
    struct tf_fabric *fabric = &of_sink(sink)->fabric;
    if (tf_noc_gathered_for_other_niu(&gathered, request))
        tf_noc_count_gathered(fabric, &gathered);
    enum tf_noc_done how = tf_noc_transact(fabric, request, &gathered);
    bool done = how != TF_NOC_NOT_DONE;
    assert_int_not_equal(how, TF_NOC_DONE_AT_CODE);
    assert_false(done && gathered.any && request->source == request->target);
    counted[done ? kind_of(fabric, request) : REFUSED]++;
    return done;
}

static struct fx *chip(bool short_way)
{
    struct fx *fx = fx_new(TF_MODE_RELAXED, TF_ATOMICS_ISA);
    fx->sink.transact = short_way ? transact : NULL;
    for (unsigned noc = 0; noc < 2; noc++)
        fx_niu(fx, at[NODES - 1].x, at[NODES - 1].y, noc)->config[TF_NIU_CFG_0] &= ~TF_NIU_CFG_0_AXI_SUBORDINATE;
    for (unsigned i = 0; i < TILES; i++)
        fx_prepare_tile(fx, at[i], BEGIN, WINDOW);
    return fx;
}

static uint32_t place(uint64_t *random, uint32_t align)
{
    return BEGIN + (uint32_t)(test_random64(random) % (WINDOW - 0x1800)) / align * align;
}

static uint32_t dram_place(uint64_t *random, bool read)
{
    uint32_t begin = read && test_random64(random) % 4 == 0 ? DRAM_UNTOUCHED : DRAM_AT;
    return begin + (uint32_t)(test_random64(random) % (DRAM_BYTES - 0x1800)) / 64 * 64;
}

static uint32_t hi_of(struct fx *fx, unsigned node, unsigned noc)
{
    return fx_niu(fx, at[node].x, at[node].y, noc)->node_id & 0xFFF;
}

static void describe_atomic(struct fx_regs *regs, uint64_t *random)
{
    static const uint16_t words[] = {0x107C, 0x1044, 0x0000, 0x2000, 0x3000, 0x4000, 0x5000,
                                     0x6004, 0x7004, 0x9004, 0xA004, 0xA104, 0xA504, 0xA704};
    uint16_t word = words[test_random64(random) % (sizeof words / sizeof *words)];
    regs->ctrl = FX_ATOMIC;
    regs->length = word | (test_random64(random) % 3 == 0 ? test_random64(random) & 0xFFF : 0);
    regs->data = (uint32_t)test_random64(random);
    regs->targ = place(random, 4);
    regs->ret = test_random64(random) % 8 == 0 ? BEGIN + 0x2808 : place(random, 4);
}

static uint32_t some_bytes(uint64_t *random)
{
    return 1 + (uint32_t)(test_random64(random) % (test_random64(random) % 4 == 0 ? 5000 : 300));
}

static void describe_write(struct fx_regs *regs, uint64_t *random, bool dram)
{
    regs->ctrl = FX_WRITE;
    regs->length = some_bytes(random);
    regs->targ = place(random, 16) + (uint32_t)(test_random64(random) % 16);
    regs->ret = (dram ? dram_place(random, false) : place(random, 16)) + regs->targ % 16;
    if (test_random64(random) % 16 == 0)
        regs->tag |= 1u << 9; /* NOC_PACKET_TAG_HEADER_STORE */
    regs->data = place(random, 16) >> 4;
}

static void describe_read(struct fx_regs *regs, uint64_t *random, bool dram)
{
    uint32_t within = (uint32_t)(test_random64(random) % 64), choice = (uint32_t)test_random64(random) % 64;
    regs->ctrl = FX_READ;
    regs->length = some_bytes(random);
    regs->targ = (dram ? dram_place(random, true) : place(random, 64)) + within;
    regs->ret = place(random, 64) + within;
    if (choice < 4) { /* from a register, or to one */
        regs->length = 4;
        *(choice % 2 && !dram ? &regs->targ : &regs->ret) = REGISTER + 16 * choice;
        regs->targ &= ~15u;
        regs->ret &= ~15u;
    }
}

/* Between tile `own`, which is answered, and `other`. */
static struct fx_regs describe(uint64_t *random, uint32_t own, uint32_t other, bool dram)
{
    uint64_t choice = test_random64(random);
    struct fx_regs regs = {.tag = (uint32_t)(choice >> 8 & 15) << 10};
    if (choice % 4 < 2 && !dram)
        describe_atomic(&regs, random);
    else if (choice % 4 != 3)
        describe_write(&regs, random, dram);
    else
        describe_read(&regs, random, dram);
    regs.targ_hi = regs.ctrl & FX_WRITE ? own : other;
    regs.ret_hi = regs.ctrl & FX_WRITE ? other : own;
    if (choice >> 16 & 3)
        regs.ctrl |= FX_RESP;
    return regs;
}

static void assert_same_niu(const struct tf_niu *a, const struct tf_niu *b)
{
    assert_memory_equal(a->counter, b->counter, sizeof a->counter);
    assert_memory_equal(a->initiator, b->initiator, sizeof a->initiator);
    assert_int_equal(a->rtz_source, b->rtz_source);
    assert_int_equal(a->node->issued[a->noc], b->node->issued[b->noc]);
    assert_int_equal(a->requests, b->requests);
    assert_int_equal(a->atomics, b->atomics);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->bytes_in, b->bytes_in);
}

static void assert_same_dram(struct fx *a, struct tf_node *x, struct fx *b, struct tf_node *y)
{
    static uint8_t left[DRAM_BYTES], right[DRAM_BYTES];
    bool untouched;
    assert_int_equal(tf_node_read(&a->fabric, x, DRAM_AT, left, DRAM_BYTES), TF_OK);
    assert_int_equal(tf_node_read(&b->fabric, y, DRAM_AT, right, DRAM_BYTES), TF_OK);
    assert_memory_equal(left, right, DRAM_BYTES);
    assert_null(tf_node_memory(y, DRAM_UNTOUCHED, 64, false, &untouched));
    assert_true(untouched);
}

static void assert_same(struct fx *a, struct fx *b)
{
    for (unsigned i = 0; i < NODES; i++) {
        struct tf_node *x = fx_node(a, at[i].x, at[i].y), *y = fx_node(b, at[i].x, at[i].y);
        for (unsigned noc = 0; noc < 2; noc++)
            assert_same_niu(&x->niu[noc], &y->niu[noc]);
        if (x->tile == NULL) {
            assert_same_dram(a, x, b, y);
            continue;
        }
        assert_memory_equal(x->l1, y->l1, BEGIN + WINDOW + 0x4000);
        assert_int_equal(x->tile->irq_lines, y->tile->irq_lines);
    }
}

/* The counter of a transaction's outstanding requests near its ends. Interrupts are handled. */
static void upset(struct tf_niu *niu, uint32_t tag, uint64_t choice)
{
    static const uint8_t ends[] = {0, 1, 2, 255};
    niu->counter[TF_MST_REQS_OUTSTANDING + (tag >> 10 & 15)] = ends[choice & 3];
    fx_store(niu, TF_NIU_CONFIG + 4 * TF_NIU_RTZ_CLR, (uint32_t)(choice >> 2) & 0xFFFF);
}

/* As often as choice says, with other data each time. The first one takes the general path on both chips, the others
   may not. */
static enum tf_access send(struct fx *fx, unsigned tile, unsigned noc, const struct fx_regs *regs, uint64_t choice)
{
    struct tf_niu *niu = fx_niu(fx, at[tile].x, at[tile].y, noc);
    struct tf_node *from = &fx->fabric.node[tf_niu_node_of(niu, regs->targ_hi)];
    enum tf_access access = TF_ACCESS_OK;
    tf_node_epoch(niu->node, &fx->sink);
    for (unsigned i = 0; i <= (choice & 3) && access == TF_ACCESS_OK; i++) {
        if (i == 2 && choice & 4)
            upset(niu, regs->tag, choice >> 3);
        if (regs->targ < from->l1_bytes)
            from->l1[regs->targ] += 5;
        access = fx_command(niu, 0, regs);
        fx_deliver(fx);
    }
    return access;
}

static void test_both_ways(void **state)
{
    (void)state;
    uint64_t random = test_seed(1);
    struct fx *general = chip(false), *quick = chip(true);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t choice = test_random64(&random);
        unsigned tile = choice % TILES, noc = choice >> 8 & 1;
        unsigned answered = choice >> 24 & 7 ? tile : (tile + 1) % TILES, other = (choice >> 32) % NODES;
        struct fx_regs regs = describe(&random, hi_of(quick, answered, noc), hi_of(quick, other, noc), other >= TILES);
        choice = test_random64(&random);
        assert_int_equal(send(general, tile, noc, &regs, choice), send(quick, tile, noc, &regs, choice));
        if (round % 64 != 0)
            continue;
        tf_noc_count_gathered(&quick->fabric, &gathered);
        assert_same(general, quick);
    }
    tf_noc_count_gathered(&quick->fabric, &gathered);
    assert_same(general, quick);
    for (unsigned i = 0; i < KINDS; i++) {
        print_message("%u %s\n", counted[i], names[i]);
        assert_true(counted[i] > ROUNDS / 100);
    }
    fx_free(general);
    fx_free(quick);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
