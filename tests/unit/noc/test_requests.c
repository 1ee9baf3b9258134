/* SPDX-License-Identifier: Apache-2.0 */
/* Each kind of request: where its data go, and each counter at each point of Counters.md. */
#include "noc/whole/host_access.h"
#include "noc/requests/land.h"
#include "noc/nodes/space.h"
#include "noc/requests/visit.h"
#include "requests.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

static void test_read(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *from = fx_niu(fx, 2, 3, 0), *to = fx_niu(fx, 12, 9, 0);
    struct fx_regs regs = {.targ = 0x1010,
                           .targ_hi = FX_XY(12, 9),
                           .ret = 0x2030,
                           .ret_hi = FX_XY(2, 3),
                           .length = 200,
                           .tag = 5 << 10,
                           .ctrl = FX_READ};
    fx_fill(l1(fx, 12, 9) + 0x1010, 200, 1);
    fx_fill(l1(fx, 2, 3) + 0x2000, 0x400, 2);
    assert_int_equal(fx_command(from, 1, &regs), TF_ACCESS_OK);
    ASSERT_MOVED(from, {TF_MST_CMD_ACCEPTED, 1}, {TF_MST_RD_REQ_STARTED, 1}, {TF_MST_RD_REQ_SENT, 1}, {OUT(5), 1});
    fx_act(fx);
    ASSERT_MOVED(to, {TF_SLV_REQ_ACCEPTED, 1}, {TF_SLV_RD_REQ_RECEIVED, 1}, {TF_SLV_RD_RESP_SENT, 1},
                 {TF_SLV_RD_DATA_WORD_SENT, 4});
    memset(l1(fx, 12, 9) + 0x1010, 0, 200); /* the source was read when the request acted */
    fx_land(fx);
    ASSERT_MOVED(from, {TF_MST_CMD_ACCEPTED, 1}, {TF_MST_RD_REQ_STARTED, 1}, {TF_MST_RD_REQ_SENT, 1},
                 {TF_MST_RD_RESP_RECEIVED, 1}, {TF_MST_RD_DATA_WORD_RECEIVED, 4});
    uint8_t wanted[0x400], data[200];
    fx_fill(wanted, sizeof wanted, 2);
    fx_fill(data, sizeof data, 1);
    memcpy(wanted + 0x30, data, sizeof data);
    assert_memory_equal(l1(fx, 2, 3) + 0x2000, wanted, sizeof wanted);
    assert_int_equal(from->requests, 1);
    assert_int_equal(from->bytes, 200);
}

/* The data land at the tile that NOC_RET_ADDR names, and count there. */
static void test_read_to_another(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *from = fx_niu(fx, 2, 3, 1), *third = fx_niu(fx, 5, 6, 1);
    struct fx_regs regs = {.targ = 0x40, .targ_hi = FX_XY(12, 9), .ret = 0x80, .ret_hi = FX_XY(5, 6), .length = 64};
    memset(l1(fx, 12, 9) + 0x40, 0x77, 64);
    fx_command(from, 0, &regs);
    fx_deliver(fx);
    ASSERT_MOVED(from, {TF_MST_CMD_ACCEPTED, 1}, {TF_MST_RD_REQ_STARTED, 1}, {TF_MST_RD_REQ_SENT, 1}, {OUT(0), 1});
    ASSERT_MOVED(third, {TF_MST_RD_RESP_RECEIVED, 1}, {TF_MST_RD_DATA_WORD_RECEIVED, 1}, {OUT(0), 0xFF});
    assert_int_equal(l1(fx, 5, 6)[0xBF], 0x77);
}

static void test_read_register(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *from = fx_niu(fx, 2, 3, 0);
    fx->registers[4] = 0x44332211;
    struct fx_regs regs = {
        .targ = TF_DEBUG_BASE + 0x10, .targ_hi = FX_XY(12, 9), .ret = 0x80, .ret_hi = FX_XY(2, 3), .length = 4};
    fx_command(from, 0, &regs);
    fx_deliver(fx);
    assert_int_equal(word(fx, 2, 3, 0x80), 0x44332211);
    regs.targ = TF_DEBUG_BASE + 0x11;
    regs.ret = 0x91;
    regs.length = 2;
    fx_command(from, 0, &regs);
    fx_deliver(fx);
    assert_int_equal(word(fx, 2, 3, 0x90), 0x00332200);
    regs.targ = TF_DEBUG_BASE + 0x12;
    regs.ret = 0xA2;
    fx_command(from, 0, &regs);
    fx_deliver(fx);
    assert_int_equal(word(fx, 2, 3, 0xA0), 0x44330000);
    for (unsigned byte = 0; byte < 4; byte++) {
        regs.targ = TF_DEBUG_BASE + 0x10 + byte;
        regs.ret = 0xB0 + byte;
        regs.length = 1;
        fx_command(from, 0, &regs);
        fx_deliver(fx);
        assert_int_equal(word(fx, 2, 3, 0xB0), 0x44332211 & ((0x100ull << 8 * byte) - 1));
    }
    regs = (struct fx_regs){.targ = NIU_AT(1, NODE_ID),
                            .targ_hi = FX_XY(12, 9),
                            .ret = TF_DEBUG_BASE + 0x20,
                            .ret_hi = FX_XY(2, 3),
                            .length = 4};
    fx_command(from, 0, &regs); /* from a register to a register: NOC_NODE_ID of NIU 1 */
    fx_deliver(fx);
    assert_int_equal(fx->registers[8], fx_niu(fx, 12, 9, 1)->node_id);
    assert_int_equal(fx_counter(from, TF_MST_RD_RESP_RECEIVED), 8);
    assert_int_equal(fx->fault.count, 0);
}

static void test_write_short(void **state)
{
    struct fx *fx = *state;
    for (unsigned answered = 0; answered < 2; answered++) {
        struct tf_niu *from = fx_niu(fx, 2 + answered, 3, 0), *to = fx_niu(fx, 12 + answered, 9, 0);
        struct fx_regs regs = {.targ = 0x1001,
                               .targ_hi = FX_XY(2 + answered, 3),
                               .ret = 0x2011,
                               .ret_hi = FX_XY(12 + answered, 9),
                               .length = TF_NOC_CARRY_BYTES,
                               .tag = 15 << 10,
                               .ctrl = FX_WRITE | (answered ? FX_RESP : 0)};
        fx_fill(from->node->l1 + 0x1001, TF_NOC_CARRY_BYTES, 3);
        assert_int_equal(fx_command(from, 0, &regs), TF_ACCESS_OK);
        memset(from->node->l1 + 0x1001, 0, TF_NOC_CARRY_BYTES); /* carried from the moment of issue */
        if (answered)
            ASSERT_MOVED(from, {TF_MST_CMD_ACCEPTED, 1}, {TF_MST_NONPOSTED_WR_REQ_STARTED, 1},
                         {TF_MST_NONPOSTED_WR_REQ_SENT, 1}, {TF_MST_NONPOSTED_WR_DATA_WORD_SENT, 32}, {OUT(15), 1});
        else
            ASSERT_MOVED(from, {TF_MST_CMD_ACCEPTED, 1}, {TF_MST_POSTED_WR_REQ_STARTED, 1},
                         {TF_MST_POSTED_WR_REQ_SENT, 1}, {TF_MST_POSTED_WR_DATA_WORD_SENT, 32});
        fx_capture(fx);
        fx_act(fx);
        if (answered)
            ASSERT_MOVED(to, {TF_SLV_NONPOSTED_WR_REQ_STARTED, 1}, {TF_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED, 32},
                         {TF_SLV_NONPOSTED_WR_REQ_RECEIVED, 1}, {TF_SLV_WR_ACK_SENT, 1});
        else
            ASSERT_MOVED(to, {TF_SLV_POSTED_WR_REQ_STARTED, 1}, {TF_SLV_POSTED_WR_DATA_WORD_RECEIVED, 32},
                         {TF_SLV_POSTED_WR_REQ_RECEIVED, 1});
        assert_int_equal(fx->responses, answered);
        fx_land(fx);
        assert_int_equal(fx_counter(from, TF_MST_WR_ACK_RECEIVED), answered);
        assert_int_equal(fx_counter(from, OUT(15)), 0);
        uint8_t data[TF_NOC_CARRY_BYTES];
        fx_fill(data, sizeof data, 3);
        assert_memory_equal(to->node->l1 + 0x2011, data, sizeof data);
        assert_int_equal(to->node->l1[0x2010], 0);
        assert_int_equal(to->node->l1[0x2011 + sizeof data], 0);
        assert_int_equal(to->bytes_in, TF_NOC_CARRY_BYTES);
    }
}

/* A long write takes its source when the farm captures it. Only then do SENT and OUTGOING move. */
static void test_write_long(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *from = fx_niu(fx, 2, 3, 0);
    struct fx_regs regs = {.targ = 0x1000,
                           .targ_hi = FX_XY(2, 3),
                           .ret = 0x2000,
                           .ret_hi = FX_XY(1, 1),
                           .length = TF_NOC_CARRY_BYTES + 1,
                           .tag = 2 << 10,
                           .ctrl = FX_WRITE | FX_RESP};
    assert_int_equal(fx_command(from, 0, &regs), TF_ACCESS_OK);
    ASSERT_MOVED(from, {TF_MST_CMD_ACCEPTED, 1}, {TF_MST_NONPOSTED_WR_REQ_STARTED, 1}, {OUT(2), 1}, {OUTGOING(2), 1});
    fx_fill(l1(fx, 2, 3) + 0x1000, TF_NOC_CARRY_BYTES + 1, 4);
    fx_capture(fx);
    ASSERT_MOVED(from, {TF_MST_CMD_ACCEPTED, 1}, {TF_MST_NONPOSTED_WR_REQ_STARTED, 1}, {OUT(2), 1},
                 {TF_MST_NONPOSTED_WR_REQ_SENT, 1}, {TF_MST_NONPOSTED_WR_DATA_WORD_SENT, 33});
    fx_deliver(fx);
    assert_memory_equal(l1(fx, 1, 1) + 0x2000, l1(fx, 2, 3) + 0x1000, TF_NOC_CARRY_BYTES + 1);
    assert_int_equal(fx_counter(from, TF_MST_WR_ACK_RECEIVED), 1);
}

/* The acknowledgement goes to the tile that NOC_TARG_ADDR_HI names. */
static void test_write_ack_elsewhere(void **state)
{
    struct fx *fx = *state;
    struct fx_regs regs = {.targ = 0x1000,
                           .targ_hi = FX_XY(6, 6),
                           .ret = 0x2000,
                           .ret_hi = FX_XY(4, 4),
                           .length = 4,
                           .ctrl = FX_WRITE | FX_RESP};
    fx_command(fx_niu(fx, 2, 3, 0), 0, &regs);
    fx_deliver(fx);
    ASSERT_MOVED(fx_niu(fx, 6, 6, 0), {TF_MST_WR_ACK_RECEIVED, 1}, {OUT(0), 0xFF});
    assert_int_equal(fx_counter(fx_niu(fx, 2, 3, 0), OUT(0)), 1);
}

static void test_split(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *from = fx_niu(fx, 2, 3, 0);
    const uint32_t length = 3 * TF_PACKET_BYTES_MAX + 100;
    struct fx_regs regs = {.targ = 0x10000,
                           .targ_hi = FX_XY(2, 3),
                           .ret = 0x40040,
                           .ret_hi = FX_XY(9, 3),
                           .length = length,
                           .tag = 1 << 10,
                           .ctrl = FX_WRITE | FX_RESP};
    fx_fill(l1(fx, 2, 3) + 0x10000, length, 5);
    fx->fabric.rules.requests_max = 4;
    assert_int_equal(fx_command(from, 0, &regs), TF_ACCESS_OK);
    assert_int_equal(fx->requests, 4);
    assert_int_equal(fx_load(from, 0x0), 0x10000 + 3 * TF_PACKET_BYTES_MAX);
    assert_int_equal(fx_load(from, 0xC), 0x40040 + 3 * TF_PACKET_BYTES_MAX);
    assert_int_equal(fx_load(from, 0x20), 100);
    ASSERT_MOVED(from, {TF_MST_CMD_ACCEPTED, 4}, {TF_MST_NONPOSTED_WR_REQ_STARTED, 4}, {OUT(1), 4}, {OUTGOING(1), 3},
                 {TF_MST_NONPOSTED_WR_REQ_SENT, 1}, {TF_MST_NONPOSTED_WR_DATA_WORD_SENT, 2}); /* the last one */
    fx_capture(fx);
    assert_int_equal(fx_counter(from, TF_MST_NONPOSTED_WR_DATA_WORD_SENT), 3 * 256 + 2);
    assert_int_equal(fx_counter(from, OUTGOING(1)), 0);
    fx_deliver(fx);
    uint8_t *got = l1(fx, 5, 5);
    assert_int_equal(tf_node_read(&fx->fabric, fx_node(fx, 9, 3), 0x40040, got, length), TF_OK);
    assert_memory_equal(got, l1(fx, 2, 3) + 0x10000, length);
    assert_int_equal(fx_counter(from, TF_MST_WR_ACK_RECEIVED), 4);
    assert_int_equal(fx_counter(from, OUT(1)), 0);

    tf_node_epoch(from->node, &fx->sink);
    regs = (struct fx_regs){.targ = 0x40040,
                            .targ_hi = FX_XY(9, 3),
                            .ret = 0x80040,
                            .ret_hi = FX_XY(2, 3),
                            .length = 2 * TF_PACKET_BYTES_MAX};
    assert_int_equal(fx_command(from, 0, &regs), TF_ACCESS_OK);
    assert_int_equal(fx->requests, 2);
    assert_int_equal(fx_load(from, 0x20), TF_PACKET_BYTES_MAX);
    fx_deliver(fx);
    assert_memory_equal(l1(fx, 2, 3) + 0x80040, l1(fx, 2, 3) + 0x10000, 2 * TF_PACKET_BYTES_MAX);
    assert_int_equal(fx_counter(from, TF_MST_RD_DATA_WORD_RECEIVED), 512);
}

static void test_byte_mask(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *from = fx_niu(fx, 2, 3, 0);
    uint64_t random = test_seed(3);
    fx->fabric.rules.requests_max = 65536;
    for (unsigned round = 0; round < 300; round++) {
        uint64_t mask = round == 0 ? ~0ull : round == 1 ? 0 : round == 2 ? 1ull << 63 : test_random64(&random);
        uint32_t source = 0x1000 + round % 64, target = 0x2000 + round % 48;
        struct fx_regs regs = {.targ = source,
                               .targ_hi = FX_XY(2, 3),
                               .ret = target,
                               .ret_hi = FX_XY(13, 4),
                               .length = mask,
                               .ctrl = FX_WRITE | FX_BE | FX_RESP};
        uint8_t wanted[128];
        fx_fill(l1(fx, 2, 3) + 0x1000, 128, round);
        fx_fill(l1(fx, 13, 4) + 0x2000, sizeof wanted, round + 1000);
        fx_fill(wanted, sizeof wanted, round + 1000);
        for (unsigned i = 0; i < 64; i++)
            if (mask >> i & 1)
                wanted[(target & ~15u) - 0x2000 + i] = l1(fx, 2, 3)[(source & ~15u) + i];
        assert_int_equal(fx_command(from, 0, &regs), TF_ACCESS_OK);
        fx_deliver(fx);
        assert_memory_equal(l1(fx, 13, 4) + 0x2000, wanted, sizeof wanted);
    }
    assert_int_equal(fx_counter(from, TF_MST_NONPOSTED_WR_DATA_WORD_SENT), 300);
    assert_int_equal(fx_counter(from, TF_MST_WR_ACK_RECEIVED), 300);
    assert_int_equal(fx_counter(from, OUT(0)), 0);
    assert_int_equal(fx->fault.count, 0);
}

/* The last bytes of L1 can be written under a mask. Bytes outside the mask need not exist. */
static void test_byte_mask_at_end(void **state)
{
    struct fx *fx = *state;
    struct fx_regs regs = {
        .targ = 0x17FFF0, .ret = 0x17FFF0, .ret_hi = FX_XY(13, 4), .length = 0x8001, .ctrl = FX_WRITE | FX_BE};
    fx_fill(l1(fx, 2, 3) + 0x17FFF0, 16, 6);
    assert_int_equal(fx_command(fx_niu(fx, 2, 3, 0), 0, &regs), TF_ACCESS_OK);
    fx_deliver(fx);
    assert_int_equal(fx->fault.count, 0);
    assert_int_equal(l1(fx, 13, 4)[0x17FFFF], l1(fx, 2, 3)[0x17FFFF]);
    assert_int_equal(l1(fx, 13, 4)[0x17FFF1], 0);
}

/* To a register the mask is ignored and 4 bytes are stored; from one, its word is repeated. */
static void test_byte_mask_registers(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *from = fx_niu(fx, 2, 3, 0);
    memcpy(l1(fx, 2, 3) + 0x1004, &(uint32_t){0x12345678}, 4);
    struct fx_regs regs = {.targ = 0x1004,
                           .targ_hi = FX_XY(2, 3),
                           .ret = TF_DEBUG_BASE + 0x4,
                           .ret_hi = FX_XY(13, 4),
                           .length = 0x10000000000ull,
                           .ctrl = FX_WRITE | FX_BE};
    assert_int_equal(fx_command(from, 0, &regs), TF_ACCESS_OK);
    fx_deliver(fx);
    assert_int_equal(fx->registers[1], 0x12345678);
    regs = (struct fx_regs){.targ = TF_DEBUG_BASE + 0x4,
                            .targ_hi = FX_XY(2, 3),
                            .ret = 0x2000,
                            .ret_hi = FX_XY(13, 4),
                            .length = 0xF00F000000000F02ull,
                            .ctrl = FX_WRITE | FX_BE};
    assert_int_equal(fx_command(from, 0, &regs), TF_ACCESS_OK);
    fx->registers[1] = 0; /* read at issue */
    fx_deliver(fx);
    assert_int_equal(word(fx, 13, 4, 0x2000), 0x00005600);
    assert_int_equal(word(fx, 13, 4, 0x2004), 0x00000000);
    assert_int_equal(word(fx, 13, 4, 0x2008), 0x12345678);
    assert_int_equal(word(fx, 13, 4, 0x2030), 0x12345678);
    assert_int_equal(word(fx, 13, 4, 0x203C), 0x12345678);
    assert_int_equal(word(fx, 13, 4, 0x2038), 0);
}

static void test_write_from_register(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *from = fx_niu(fx, 2, 3, 0);
    fx->registers[2] = 0xCAFE0123;
    struct fx_regs regs = {.targ = TF_DEBUG_BASE + 0xA,
                           .targ_hi = FX_XY(2, 3),
                           .ret = 0x2002,
                           .ret_hi = FX_XY(13, 4),
                           .length = 2,
                           .ctrl = FX_WRITE};
    assert_int_equal(fx_command(from, 0, &regs), TF_ACCESS_OK);
    regs.targ = TF_DEBUG_BASE + 0x8;
    regs.ret = DEBUG_AT(PERF_TDMA_UNPACK);
    regs.length = 4;
    assert_int_equal(fx_command(from, 0, &regs), TF_ACCESS_OK);
    fx_deliver(fx);
    assert_int_equal(word(fx, 13, 4, 0x2000), 0xCAFE0000);
    assert_int_equal(fx->registers[3], 0xCAFE0123);
    fx->register_why = "no such register";
    regs.targ = TF_DEBUG_BASE + 0x8;
    assert_int_equal(fx_command(from, 0, &regs), TF_ACCESS_FAULT);
    fx_assert_fault(fx, "NOC 0 write to (13,4) 0xFFB12008: no such register");
}

static void test_inline(void **state)
{
    struct fx *fx = *state;
    for (unsigned answered = 0; answered < 2; answered++) {
        struct tf_niu *from = fx_niu(fx, 2 + answered, 3, 1), *to = fx_niu(fx, 12 + answered, 9, 1);
        struct fx_regs regs = {.targ = DEBUG_AT(PERF_FPU),
                               .targ_hi = FX_XY(12 + answered, 9),
                               .ret_hi = ~0u,
                               .ret = ~0ull,
                               .length = 0x99999,
                               .data = 0xBEEF0000 + answered,
                               .tag = 3 << 10,
                               .ctrl = FX_WRITE | FX_INLINE | FX_BE | (answered ? FX_RESP : 0)};
        assert_int_equal(fx_command(from, 3, &regs), TF_ACCESS_OK);
        if (answered)
            ASSERT_MOVED(from, {TF_MST_CMD_ACCEPTED, 1}, {TF_MST_NONPOSTED_WR_REQ_STARTED, 1},
                         {TF_MST_NONPOSTED_WR_REQ_SENT, 1}, {OUT(3), 1});
        else
            ASSERT_MOVED(from, {TF_MST_CMD_ACCEPTED, 1}, {TF_MST_POSTED_WR_REQ_STARTED, 1},
                         {TF_MST_POSTED_WR_REQ_SENT, 1});
        fx_act(fx);
        assert_int_equal(fx->registers[6], 0xBEEF0000 + answered);
        if (answered)
            ASSERT_MOVED(to, {TF_SLV_NONPOSTED_WR_REQ_STARTED, 1}, {TF_SLV_NONPOSTED_WR_DATA_WORD_RECEIVED, 1},
                         {TF_SLV_NONPOSTED_WR_REQ_RECEIVED, 1}, {TF_SLV_WR_ACK_SENT, 1});
        else
            ASSERT_MOVED(to, {TF_SLV_POSTED_WR_REQ_STARTED, 1}, {TF_SLV_POSTED_WR_DATA_WORD_RECEIVED, 1},
                         {TF_SLV_POSTED_WR_REQ_RECEIVED, 1});
        fx_land(fx);
        assert_int_equal(fx_counter(from, TF_MST_WR_ACK_RECEIVED), answered);
        assert_int_equal(fx_counter(from, OUT(3)), 0);
    }
    assert_int_equal(fx->hazard.count, 0);
}

static void test_inline_to_l1(void **state)
{
    struct fx *fx = *state;
    struct fx_regs regs = {.targ = 0x1004, .targ_hi = FX_XY(12, 9), .data = 0xBEEF, .ctrl = FX_WRITE | FX_INLINE};
    assert_int_equal(fx_command(fx_niu(fx, 2, 3, 1), 0, &regs), TF_ACCESS_OK);
    assert_int_equal(fx->hazard.count, 1);
    fx_deliver(fx);
    assert_int_equal(word(fx, 12, 9, 0x1004), 0xBEEF);
    fx->fabric.rules.inline_l1_faults = true;
    assert_int_equal(fx_command(fx_niu(fx, 2, 3, 1), 0, &regs), TF_ACCESS_FAULT);
    fx_assert_fault(fx, "NOC 1 inline write to (12,9) 0x1004: inline writes to L1");
    assert_int_equal(fx->hazard.count, 1);
}

static void test_atomic(void **state)
{
    struct fx *fx = *state;
    for (unsigned answered = 0; answered < 2; answered++) {
        struct tf_niu *from = fx_niu(fx, 2 + answered, 3, 0), *to = fx_niu(fx, 12 + answered, 9, 0);
        struct fx_regs regs = {.targ = 0x1000,
                               .targ_hi = FX_XY(12 + answered, 9),
                               .ret = 0x2004,
                               .ret_hi = FX_XY(2 + answered, 3),
                               .length = 0x107C,
                               .data = 5,
                               .tag = 7 << 10,
                               .ctrl = FX_ATOMIC | (answered ? FX_RESP : 0)};
        memcpy(to->node->l1 + 0x1000, &(uint32_t){41}, 4);
        assert_int_equal(fx_command(from, 0, &regs), TF_ACCESS_OK);
        if (answered)
            ASSERT_MOVED(from, {TF_MST_CMD_ACCEPTED, 1}, {TF_MST_NONPOSTED_ATOMIC_STARTED, 1},
                         {TF_MST_NONPOSTED_ATOMIC_SENT, 1}, {OUT(7), 1});
        else
            ASSERT_MOVED(from, {TF_MST_CMD_ACCEPTED, 1}, {TF_MST_POSTED_ATOMIC_SENT, 1});
        fx_act(fx);
        assert_int_equal(word(fx, 12 + answered, 9, 0x1000), 46);
        if (answered)
            ASSERT_MOVED(to, {TF_SLV_REQ_ACCEPTED, 1}, {TF_SLV_NONPOSTED_ATOMIC_RECEIVED, 1},
                         {TF_SLV_ATOMIC_RESP_SENT, 1});
        else
            ASSERT_MOVED(to, {TF_SLV_REQ_ACCEPTED, 1}, {TF_SLV_POSTED_ATOMIC_RECEIVED, 1});
        fx_land(fx);
        assert_int_equal(word(fx, 2 + answered, 3, 0x2004), answered ? 41 : 0);
        assert_int_equal(fx_counter(from, TF_MST_ATOMIC_RESP_RECEIVED), answered);
        assert_int_equal(fx_counter(from, OUT(7)), 0);
        assert_int_equal(from->atomics, 1);
    }
}

static void test_atomic_ethernet_and_self(void **state)
{
    struct fx *fx = *state;
    struct fx_regs regs = {.targ = 0x7FFF0,
                           .targ_hi = FX_XY(20, 25),
                           .ret = 0x7FFFC,
                           .ret_hi = FX_XY(21, 25),
                           .length = 0x107C,
                           .data = 3,
                           .ctrl = FX_ATOMIC | FX_RESP};
    fx_command(fx_niu(fx, 2, 3, 0), 0, &regs);
    fx_command(fx_niu(fx, 2, 3, 0), 0, &regs);
    fx_deliver(fx);
    assert_int_equal(word(fx, 1, 1, 0x7FFF0), 6);
    assert_int_equal(word(fx, 16, 1, 0x7FFFC), 3);
    assert_int_equal(fx_counter(fx_niu(fx, 16, 1, 0), TF_MST_ATOMIC_RESP_RECEIVED), 2);
    regs = (struct fx_regs){.targ = 0x100,
                            .targ_hi = FX_XY(2, 3),
                            .ret = 0x100,
                            .ret_hi = FX_XY(2, 3),
                            .length = 0x107C,
                            .data = 9,
                            .ctrl = FX_ATOMIC | FX_RESP};
    fx_command(fx_niu(fx, 2, 3, 0), 0, &regs);
    fx_act(fx);
    assert_int_equal(word(fx, 2, 3, 0x100), 9);
    fx_land(fx);
    assert_int_equal(word(fx, 2, 3, 0x100), 0); /* the answer overwrites */
}

static void test_multicast_write(void **state)
{
    struct fx *fx = *state;
    for (unsigned noc = 0; noc < 2; noc++) {
        struct tf_niu *from = fx_niu(fx, 6, 4, noc);
        fx_fill(l1(fx, 6, 4) + 0x100, 64, noc + 7);
        uint32_t rect = noc == 0 ? FX_RECT(5, 3, 11, 5) : FX_RECT(11, 5, 5, 3); /* as Coordinates.md: swapped */
        struct fx_regs regs = {.targ = 0x100,
                               .targ_hi = FX_XY(6, 4),
                               .ret = 0x200,
                               .ret_hi = rect,
                               .length = 64,
                               .ctrl = FX_WRITE | FX_RESP | FX_BRCST | (noc ? FX_BRCST_Y : 0)};
        assert_int_equal(fx_command(from, 0, &regs), TF_ACCESS_OK);
        assert_int_equal(fx_counter(from, OUT(0)), 1);
        fx_deliver(fx);
        unsigned reached = 0;
        for (unsigned i = 0; i < fx->fabric.nodes; i++) {
            struct tf_node *node = &fx->fabric.node[i];
            if (node->tile == NULL)
                continue;
            unsigned x = node->coord.x, y = node->coord.y;
            bool in = x >= 5 && x <= 11 && y >= 3 && y <= 5 && !(x == 6 && y == 4);
            assert_int_equal(memcmp(node->l1 + 0x200, l1(fx, 6, 4) + 0x100, 64) == 0, in);
            memset(node->l1 + 0x200, 0, 64);
            reached += in;
        }
        assert_int_equal(reached, 14);
        assert_int_equal(fx_counter(from, TF_MST_WR_ACK_RECEIVED), 14);
        assert_int_equal(fx_counter(from, TF_MST_NONPOSTED_WR_REQ_SENT), 1);
        assert_int_equal(fx_counter(from, OUT(0)), (uint8_t)(1 - 14));
    }
}

static void test_multicast_source_include(void **state)
{
    struct fx *fx = *state;
    struct fx_regs regs = {.targ = 0x100,
                           .ret = 0x200,
                           .ret_hi = FX_RECT(6, 4, 6, 4),
                           .length = 4,
                           .ctrl = FX_WRITE | FX_BRCST | FX_SRC_INCLUDE};
    memset(l1(fx, 6, 4) + 0x100, 0x5A, 4);
    fx_command(fx_niu(fx, 6, 4, 0), 0, &regs);
    fx_deliver(fx);
    assert_int_equal(word(fx, 6, 4, 0x200), 0x5A5A5A5A);
}

static void test_opt_out(void **state)
{
    struct fx *fx = *state;
    struct fx_regs regs = {.targ = 0x100,
                           .targ_hi = FX_XY(1, 2),
                           .ret = 0x200,
                           .ret_hi = FX_RECT(1, 2, 3, 3),
                           .length = 4,
                           .ctrl = FX_WRITE | FX_BRCST | FX_SRC_INCLUDE | FX_RESP};
    memset(l1(fx, 1, 2) + 0x100, 0x5A, 4);
    /* Each NIU obeys its own registers, and in them the bits of its own coordinates. */
    fx_store(fx_niu(fx, 2, 2, 0), TF_NIU_CONFIG + 4 * TF_NIU_ROUTER_CFG_1, 1u << 2);
    fx_store(fx_niu(fx, 3, 2, 0), TF_NIU_CONFIG + 4 * TF_NIU_ROUTER_CFG_3, 1u << 2);
    fx_store(fx_niu(fx, 1, 3, 0), TF_NIU_CONFIG + 4 * TF_NIU_ROUTER_CFG_1, ~(1u << 1));
    fx_store(fx_niu(fx, 2, 3, 1), TF_NIU_CONFIG + 4 * TF_NIU_ROUTER_CFG_1, ~0u);
    fx_command(fx_niu(fx, 1, 2, 0), 0, &regs);
    fx_deliver(fx);
    assert_int_equal(word(fx, 1, 2, 0x200), 0x5A5A5A5A);
    assert_int_equal(word(fx, 2, 2, 0x200), 0);
    assert_int_equal(word(fx, 3, 2, 0x200), 0);
    assert_int_equal(word(fx, 1, 3, 0x200), 0x5A5A5A5A);
    assert_int_equal(word(fx, 2, 3, 0x200), 0x5A5A5A5A);
    assert_int_equal(fx_counter(fx_niu(fx, 1, 2, 0), TF_MST_WR_ACK_RECEIVED), 4);
    assert_int_equal(fx_counter(fx_niu(fx, 2, 2, 0), TF_SLV_NONPOSTED_WR_REQ_RECEIVED), 0);
}

static void test_multicast_atomic(void **state)
{
    (void)state;
    for (unsigned profile = 0; profile < 2; profile++) {
        struct fx *fx = fx_new(TF_MODE_DETERMINISTIC, profile ? TF_ATOMICS_EMU_SPEC : TF_ATOMICS_ISA);
        struct fx_regs regs = {.targ = 0x100,
                               .targ_hi = FX_RECT(14, 9, 2, 3),
                               .ret = 0x200,
                               .ret_hi = FX_XY(6, 4),
                               .length = profile ? 0x1040 : 0x107C,
                               .data = 1,
                               .ctrl = FX_ATOMIC | FX_RESP | FX_BRCST};
        fx_command(fx_niu(fx, 6, 4, 0), 0, &regs);
        fx_deliver(fx);
        unsigned reached = 0;
        for (unsigned i = 0; i < TF_TENSIX_TILES; i++)
            reached += fx->tiles[i].l1[0x100];
        assert_int_equal(reached, 5 * 5); /* 14..16 and 1..2, 9..11 and 2..3: both axes wrap */
        assert_int_equal(fx_counter(fx_niu(fx, 6, 4, 0), TF_MST_ATOMIC_RESP_RECEIVED), profile ? 1 : 25);
        fx_free(fx);
    }
}

/* Profile emu-spec: one response, also when the first tiles of the rectangle have opted out. */
static void test_multicast_atomic_opt_out(void **state)
{
    (void)state;
    for (unsigned noc = 0; noc < 2; noc++) {
        struct fx *fx = fx_new(TF_MODE_DETERMINISTIC, TF_ATOMICS_EMU_SPEC);
        uint32_t rectangle = noc == 0 ? FX_RECT(1, 2, 4, 4) : FX_RECT(4, 4, 1, 2);
        struct fx_regs regs = {.targ = 0x100,
                               .targ_hi = rectangle,
                               .ret = 0x200,
                               .ret_hi = FX_XY(6, 4),
                               .length = 0x1040,
                               .data = 1,
                               .ctrl = FX_ATOMIC | FX_RESP | FX_BRCST};
        for (unsigned i = 0; i < fx->fabric.nodes; i++) {
            struct tf_niu *niu = &fx->fabric.node[i].niu[noc];
            fx_store(niu, TF_NIU_CONFIG + 4 * TF_NIU_ROUTER_CFG_1, 1u << (noc == 0 ? 1 : 15));
            fx_store(niu, TF_NIU_CONFIG + 4 * TF_NIU_ROUTER_CFG_3, 1u << (noc == 0 ? 2 : 9));
        }
        fx_command(fx_niu(fx, 6, 4, noc), 0, &regs);
        fx_deliver(fx);
        assert_int_equal(word(fx, 1, 2, 0x100) + word(fx, 1, 3, 0x100) + word(fx, 2, 2, 0x100), 0);
        assert_int_equal(word(fx, 2, 3, 0x100), 1);
        assert_int_equal(word(fx, 4, 4, 0x100), 1);
        assert_int_equal(fx_counter(fx_niu(fx, 6, 4, noc), TF_MST_ATOMIC_RESP_RECEIVED), 1);
        assert_int_equal(fx_counter(fx_niu(fx, 2, 3, noc), TF_SLV_ATOMIC_RESP_SENT), 1);
        fx_free(fx);
    }
}

static void test_header_store(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *from = fx_niu(fx, 2, 3, 0);
    struct fx_regs regs = {.targ = 0x1000,
                           .ret = 0x2000,
                           .targ_hi = FX_XY(2, 3),
                           .ret_hi = FX_XY(4, 4),
                           .length = 64,
                           .data = 0x300,
                           .tag = 1 << 9,
                           .ctrl = FX_WRITE};
    fx_fill(l1(fx, 2, 3) + 0x1000, 64, 8);
    fx_command(from, 0, &regs);
    fx_deliver(fx);
    assert_memory_equal(l1(fx, 4, 4) + 0x2000, l1(fx, 2, 3) + 0x1000, 64);
    assert_memory_equal(l1(fx, 4, 4) + 0x3000, l1(fx, 2, 3) + 0x1000, 16);
    assert_int_equal(word(fx, 4, 4, 0x3010), 0);
    memset(l1(fx, 4, 4) + 0x3000, 0xEE, 16);
    regs.length = 5; /* a packet that has no 128 bits */
    fx_command(from, 0, &regs);
    fx_deliver(fx);
    assert_memory_equal(l1(fx, 4, 4) + 0x3000, l1(fx, 2, 3) + 0x1000, 5);
    assert_int_equal(l1(fx, 4, 4)[0x3005], 0xEE);
    regs.length = 64;
    regs.data = 0x400;
    regs.ctrl |= FX_RESP; /* only posted writes have it */
    fx_command(from, 0, &regs);
    fx_deliver(fx);
    assert_int_equal(word(fx, 4, 4, 0x4000), 0);
    regs = (struct fx_regs){.targ = 0x10000,
                            .ret = 0x20000,
                            .targ_hi = FX_XY(2, 3),
                            .ret_hi = FX_XY(4, 4),
                            .length = 0x5000,
                            .data = 0x500,
                            .tag = 1 << 9,
                            .ctrl = FX_WRITE};
    l1(fx, 2, 3)[0x10000] = 0x11;
    l1(fx, 2, 3)[0x14000] = 0x22;
    fx_command(from, 0, &regs);
    fx_deliver(fx);
    assert_int_equal(l1(fx, 4, 4)[0x5000], 0x11); /* of the first packet of a request in two packets */
    regs.data = 0x200000;
    fx_command(from, 0, &regs);
    fx_deliver(fx);
    fx_assert_fault(fx, "header store");
}

/* A bit of NIU_CFG_0 turns header stores off, but in tiles with cores (MemoryMap.md, "Double store disable"). */
static void test_header_store_off(void **state)
{
    struct fx *fx = *state;
    static const uint8_t nothing[16];
    fx_fill(l1(fx, 2, 3) + 0x1000, 64, 8);
    for (unsigned i = 0; i < 4; i++) {
        const bool dram = i >= 2, bit = i % 2 != 0;
        const uint64_t place = 0x40000 + 0x1000 * i;
        struct tf_niu *niu = dram ? fx_niu(fx, 0, 0, 0) : fx_niu(fx, 4, 4, 0);
        const struct fx_regs regs = {.targ = 0x1000,
                                     .ret = 0x2000,
                                     .targ_hi = FX_XY(2, 3),
                                     .ret_hi = dram ? FX_XY(17, 12) : FX_XY(4, 4),
                                     .length = 64,
                                     .data = (uint32_t)(place >> 4),
                                     .tag = 1 << 9,
                                     .ctrl = FX_WRITE};
        uint8_t found[16];
        niu->config[TF_NIU_CFG_0] = TF_NIU_CFG_0_TRANSLATE | (dram ? TF_NIU_CFG_0_AXI_SUBORDINATE : 0) |
                                    (bit ? TF_NIU_CFG_0_HEADER_STORE_OFF : 0);
        fx_command(fx_niu(fx, 2, 3, 0), 0, &regs);
        fx_deliver(fx);
        assert_int_equal(tf_node_read(&fx->fabric, niu->node, place, found, sizeof found), TF_OK);
        assert_memory_equal(found, dram && bit ? nothing : l1(fx, 2, 3) + 0x1000, sizeof found);
    }
    assert_int_equal(fx->fault.count, 0);
}

static void test_dram_and_order(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *from = fx_niu(fx, 2, 3, 1);
    fx_fill(l1(fx, 2, 3) + 0x1000, 256, 9);
    /* Written at one port and read at another, one after the other in an epoch; untouched memory reads as zero. */
    struct fx_regs regs = {.targ = 0x1000,
                           .targ_hi = FX_XY(2, 3),
                           .ret = 0xFFFFFF00,
                           .ret_hi = FX_XY(18, 21),
                           .length = 256,
                           .ctrl = FX_WRITE | FX_RESP};
    fx_command(from, 0, &regs);
    regs = (struct fx_regs){
        .targ = 0xFFFFFF00, .targ_hi = FX_XY(18, 22), .ret = 0x4000, .ret_hi = FX_XY(2, 3), .length = 256};
    fx_command(from, 1, &regs);
    memset(l1(fx, 2, 3) + 0x6000, 0xEE, 64);
    regs = (struct fx_regs){.targ = 0x40, .targ_hi = FX_XY(18, 23), .ret = 0x6000, .ret_hi = FX_XY(2, 3), .length = 64};
    fx_command(from, 1, &regs);
    fx_deliver(fx);
    assert_memory_equal(l1(fx, 2, 3) + 0x4000, l1(fx, 2, 3) + 0x1000, 256);
    assert_int_equal(l1(fx, 2, 3)[0x603F], 0);
    assert_int_equal(fx->fault.count, 0);
    assert_int_equal(fx_counter(from, TF_MST_RD_RESP_RECEIVED), 2);
    /* Data read from a tile may land in DRAM. */
    regs = (struct fx_regs){
        .targ = 0x1000, .targ_hi = FX_XY(2, 3), .ret = 0x10000, .ret_hi = FX_XY(17, 12), .length = 256};
    fx_command(from, 1, &regs);
    fx_deliver(fx);
    uint8_t got[256];
    assert_int_equal(tf_node_read(&fx->fabric, fx_node(fx, 0, 11), 0x10000, got, 256), TF_OK);
    assert_memory_equal(got, l1(fx, 2, 3) + 0x1000, 256);
}

/* The data of a long read land before other answers, up to the last byte of L1. The others wait for it. */
static void test_long_read_lands_first(void **state)
{
    struct fx *fx = *state;
    struct tf_node *node = fx_node(fx, 2, 3);
    enum { LONG = TF_NOC_CARRY_BYTES + 16 };
    uint32_t end = node->tile->arch->l1_bytes;
    uint8_t data[LONG];
    fx_fill(data, sizeof data, 7);
    for (unsigned i = 0; i < 3; i++) {
        struct tf_noc_response response = {
            .node = node->number,
            .kind = TF_NOC_READ_DATA,
            .length = i == 1 ? TF_NOC_CARRY_BYTES : LONG,
            .address = end - LONG + (i == 2 ? 16 : 0),
            .data = data,
        };
        memset(node->l1 + end - LONG, 0, LONG);
        tf_noc_land_long_read(&fx->fabric, &response);
        assert_int_equal(response.landed, i == 0);
        assert_int_equal(memcmp(node->l1 + end - LONG, data, LONG) == 0, i == 0);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fx_setup, fx_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_read),
        TEST(test_read_to_another),
        TEST(test_read_register),
        TEST(test_write_short),
        TEST(test_write_long),
        TEST(test_write_ack_elsewhere),
        TEST(test_long_read_lands_first),
        TEST(test_split),
        TEST(test_byte_mask),
        TEST(test_byte_mask_at_end),
        TEST(test_byte_mask_registers),
        TEST(test_write_from_register),
        TEST(test_inline),
        TEST(test_inline_to_l1),
        TEST(test_atomic),
        TEST(test_atomic_ethernet_and_self),
        TEST(test_multicast_write),
        TEST(test_multicast_source_include),
        TEST(test_opt_out),
        cmocka_unit_test(test_multicast_atomic),
        TEST(test_multicast_atomic_opt_out),
        TEST(test_header_store),
        TEST(test_header_store_off),
        TEST(test_dram_and_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
