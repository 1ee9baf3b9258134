/* SPDX-License-Identifier: Apache-2.0 */
/* The register file of MemoryMap.md: storage, masks, counters' widths, interrupts, busy initiators and the bound. */
#include "fixture.h"
#include "noc/whole/fabric.h"
#include "noc/whole/host_access.h"
#include "noc/requests/initiator.h"
#include "noc/requests/land.h"
#include "noc/niu.h"
#include "noc/sent.h"
#include "noc/nodes/space.h"
#include "noc/requests/visit.h"

#include <string.h>
#include <xxhash.h>

#include "addresses.h"
#include "blackhole/tilefarm_family.h"

#define CONFIG(word) (TF_NIU_CONFIG + 4u * (word))
#define CMD_CTRL(i) ((i)*TF_NIU_INITIATOR_STRIDE + 4u * TF_NIU_CMD_CTRL)

static void test_initiators_keep(void **state)
{
    struct tf_niu *niu = fx_niu(*state, 4, 5, 1);
    for (unsigned i = 0; i < TF_NIU_INITIATORS; i++)
        for (unsigned word = 0; word < TF_NIU_CMD_CTRL; word++)
            fx_store(niu, i * 0x800 + 4 * word, 0xA5A50000u | ~(i << 8 | word));
    for (unsigned i = 0; i < TF_NIU_INITIATORS; i++) {
        for (unsigned word = 0; word < TF_NIU_CMD_CTRL; word++) {
            uint32_t wanted = 0xA5A50000u | ~(i << 8 | word);
            if (word == TF_NIU_PACKET_TAG)
                wanted &= 0xFFFF;
            assert_int_equal(fx_load(niu, i * 0x800 + 4 * word), wanted);
        }
        assert_int_equal(fx_load(niu, CMD_CTRL(i)), 0);
    }
    fx_store(niu, CMD_CTRL(0), 0xFFFFFFFE); /* only bit 0 initiates */
    assert_int_equal(fx_load(niu, CMD_CTRL(0)), 0);
}

static void test_power_on(void **state)
{
    struct tf_niu *niu = fx_niu(*state, 4, 5, 0), *other = fx_niu(*state, 4, 5, 1);
    assert_int_equal(fx_load(niu, CONFIG(TF_NIU_CFG_0)), 1u << 14);
    assert_int_equal(fx_load(niu, CONFIG(TF_NIU_ROUTER_CFG_0)), 0);
    assert_int_equal(fx_load(niu, CONFIG(TF_NIU_ROUTER_CFG_1)), 0x301);
    assert_int_equal(fx_load(niu, CONFIG(TF_NIU_ROUTER_CFG_3)), 0x3);
    assert_int_equal(fx_load(other, CONFIG(TF_NIU_ROUTER_CFG_1)), 0x10180);
    assert_int_equal(fx_load(other, CONFIG(TF_NIU_ROUTER_CFG_3)), 0xC00);
    assert_int_equal(fx_load(niu, CONFIG(TF_NIU_ROW_MASK)), 3);
    assert_int_equal(fx_load(niu, CONFIG(TF_NIU_COL_MASK)), 0);
    assert_int_equal(fx_load(niu, CONFIG(TF_NIU_ID_LOGICAL)), FX_XY(4, 5));
    assert_int_equal(fx_load(other, CONFIG(TF_NIU_ID_LOGICAL)), FX_XY(4, 5));
    for (unsigned i = 0; i < TF_NIU_COUNTERS; i++)
        assert_int_equal(fx_counter(niu, i), 0);
    assert_int_equal(fx_load(niu, TF_NIU_FIFO_STATUS), 0);
    assert_int_equal(fx_load(niu, TF_NIU_FIFO_STATUS + 4), 0);
}

static void test_config_keeps(void **state)
{
    struct tf_niu *niu = fx_niu(*state, 4, 5, 0);
    for (unsigned word = 0; word < TF_NIU_RTZ_CLR; word++)
        fx_store(niu, CONFIG(word), 0xC0DE0000u + word * 0x101);
    for (unsigned word = 0; word < TF_NIU_RTZ_CLR; word++)
        assert_int_equal(fx_load(niu, CONFIG(word)), 0xC0DE0000u + word * 0x101);
    fx_store(niu, CONFIG(TF_NIU_RTZ_CLR), 0xFFFF);
    assert_int_equal(fx_load(niu, CONFIG(TF_NIU_RTZ_CLR)), 0);
}

static void test_read_only(void **state)
{
    struct tf_niu *niu = fx_niu(*state, 4, 5, 0);
    static const uint32_t offsets[] = {0x44, 0x48, 0x64, 0x68, 0x200, 0x2F4, 0x378, 0x37C, 0x844, 0x1048, 0x1864};
    for (unsigned i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        uint32_t before = fx_load(niu, offsets[i]);
        fx_store(niu, offsets[i], ~before);
        assert_int_equal(fx_load(niu, offsets[i]), before);
    }
}

static void test_absent_registers(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 4, 5, 0);
    static const uint32_t offsets[] = {0x4C,  0x5C,  0x6C,  0x300, 0x380,  0x400,
                                       0x500, 0x600, 0x860, 0x900, 0x2000, 0xFFFC};
    for (unsigned i = 0; i < sizeof offsets / sizeof *offsets; i++) {
        uint32_t value;
        bool pure;
        assert_int_equal(tf_niu_load(niu, offsets[i], &value, &pure), TF_ACCESS_FAULT);
        assert_int_equal(tf_niu_store(niu, offsets[i], 0, TF_CORE_T1, 4), TF_ACCESS_FAULT);
        assert_int_equal(fx->fault.core, TF_CORE_T1);
        fx_assert_fault(fx, "NIU 0, register 0x");
        assert_int_equal(tf_niu_store(niu, offsets[i], 0, TF_FROM_NOC, 0), TF_ACCESS_FAULT);
        assert_int_equal(fx->fault.count, 0);
    }
}

static void test_purity(void **state)
{
    struct tf_niu *niu = fx_niu(*state, 4, 5, 0);
    static const struct {
        uint32_t offset;
        bool pure;
    } loads[] = {{0x0, true},   {0x40, true},  {0x44, true},  {0x200, true},
                 {0x240, true}, {0x178, true}, {0x37C, true}, {0x378, false}};
    for (unsigned i = 0; i < sizeof loads / sizeof *loads; i++) {
        uint32_t value;
        bool pure;
        assert_int_equal(tf_niu_load(niu, loads[i].offset, &value, &pure), TF_ACCESS_OK);
        assert_int_equal(pure, loads[i].pure);
    }
}

static const struct fx_regs increment = {
    .targ = 0x100,
    .ret = 0x200,
    .targ_hi = FX_XY(7, 8),
    .ret_hi = FX_XY(4, 5),
    .ctrl = FX_ATOMIC | FX_RESP,
    .length = 0x107C,
    .data = 1,
};

static void test_narrow_counters(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 4, 5, 0);
    fx->fabric.rules.requests_max = 65536;
    for (unsigned i = 0; i < 255; i++)
        assert_int_equal(fx_command(niu, 0, &increment), TF_ACCESS_OK);
    assert_int_equal(fx_counter(niu, TF_MST_REQS_OUTSTANDING), 255);
    fx_command(niu, 0, &increment);
    assert_int_equal(fx_counter(niu, TF_MST_REQS_OUTSTANDING), 0);
    fx_command(niu, 0, &increment);
    assert_int_equal(fx_counter(niu, TF_MST_REQS_OUTSTANDING), 1);
    assert_int_equal(fx_counter(niu, TF_MST_NONPOSTED_ATOMIC_SENT), 257);
}

static void test_clear_tids(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 4, 5, 0);
    struct fx_regs regs = increment;
    fx_store(niu, TF_NIU_CLEAR_TIDS, 0xFFFF);
    assert_int_equal(fx_load(niu, TF_NIU_RTZ_SOURCE), 0); /* counts that were zero have not become zero */
    for (unsigned tid = 0; tid < 16; tid++) {
        regs.tag = tid << 10;
        fx_command(niu, tid % 4, &regs);
    }
    fx_store(niu, TF_NIU_CLEAR_TIDS, 0xFFFF00F1);
    for (unsigned tid = 0; tid < 16; tid++)
        assert_int_equal(fx_counter(niu, TF_MST_REQS_OUTSTANDING + tid), 0xF1 >> tid & 1 ? 0 : 1);
    assert_int_equal(fx_load(niu, TF_NIU_RTZ_SOURCE), 0xF1); /* they went from positive to zero */
    assert_int_equal(fx_load(niu, TF_NIU_CLEAR_TIDS), 0);
    fx_deliver(fx);
    for (unsigned tid = 0; tid < 16; tid++)
        assert_int_equal(fx_counter(niu, TF_MST_REQS_OUTSTANDING + tid), 0xF1 >> tid & 1 ? 0xFF : 0);
    assert_int_equal(fx_load(niu, TF_NIU_RTZ_SOURCE), 0xFFFF);
}

/* Interrupts.md, step by step, on both NOCs. */
static void test_interrupt(void **state)
{
    struct fx *fx = *state;
    struct tf_tile *tile = fx_node(fx, 4, 5)->tile;
    for (unsigned noc = 0; noc < 2; noc++) {
        struct tf_niu *niu = fx_niu(fx, 4, 5, noc);
        struct fx_regs regs = increment;
        regs.tag = 9u << 10;
        fx_store(niu, TF_NIU_CLEAR_TIDS, 1u << 9);
        fx_store(niu, CONFIG(TF_NIU_RTZ_CLR), 1u << 9);
        fx_store(niu, CONFIG(TF_NIU_RTZ_CFG), 1u << 9);
        fx_command(niu, 0, &regs);
        fx_command(niu, 1, &regs);
        fx_capture(fx);
        fx_act(fx);
        assert_int_equal(fx->responses, 2);
        tf_noc_land(&fx->fabric, fx->response[0]);
        assert_int_equal(fx_load(niu, TF_NIU_RTZ_SOURCE), 0);
        assert_int_equal(tile->irq_lines, 0);
        tf_noc_land(&fx->fabric, fx->response[1]);
        fx->responses = 0;
        assert_int_equal(fx_load(niu, TF_NIU_RTZ_SOURCE), 1u << 9);
        assert_int_equal(tile->irq_lines, 2u << noc);
        fx_store(niu, CONFIG(TF_NIU_RTZ_CFG), 0);
        assert_int_equal(tile->irq_lines, 0);
        fx_store(niu, CONFIG(TF_NIU_RTZ_CFG), 1u << 9 | 1u << 28);
        assert_int_equal(tile->irq_lines, 2u << noc);
        assert_int_equal(fx_load(niu, TF_NIU_RTZ_NUM), 9); /* bit 28: reading leaves the bit */
        assert_int_equal(tile->irq_lines, 2u << noc);
        fx_store(niu, CONFIG(TF_NIU_RTZ_CLR), 1u << 9);
        assert_int_equal(fx_load(niu, TF_NIU_RTZ_SOURCE), 0);
        assert_int_equal(tile->irq_lines, 0);
        assert_int_equal(fx_load(niu, TF_NIU_RTZ_NUM), 0);
    }
}

static void test_rtz_num_clears(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 4, 5, 0);
    struct fx_regs regs = increment;
    for (unsigned tid = 3; tid < 6; tid++) {
        regs.tag = tid << 10;
        fx_command(niu, 0, &regs);
    }
    fx_deliver(fx);
    assert_int_equal(fx_load(niu, TF_NIU_RTZ_SOURCE), 0x38);
    fx_store(niu, CONFIG(TF_NIU_RTZ_CFG), 0x30); /* 3 is not enabled */
    assert_int_equal(fx_load(niu, TF_NIU_RTZ_NUM), 4);
    assert_int_equal(fx_load(niu, TF_NIU_RTZ_NUM), 5);
    assert_int_equal(fx_node(fx, 4, 5)->tile->irq_lines, 0);
    assert_int_equal(fx_load(niu, TF_NIU_RTZ_NUM), 0);
    assert_int_equal(fx_load(niu, TF_NIU_RTZ_SOURCE), 0x08);
}

static void test_bound(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 4, 5, 0);
    fx->fabric.rules.requests_max = 2;
    struct fx_regs regs = increment;
    for (unsigned i = 0; i < 4; i++) {
        regs.targ = 0x100 + 16 * i;
        assert_int_equal(fx_command(niu, 3 - i, &regs), TF_ACCESS_OK);
    }
    assert_int_equal(fx->requests, 2);
    assert_true(tf_node_pending(niu->node));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(fx_load(niu, CMD_CTRL(3 - i)), i >= 2);
    assert_int_equal(fx_counter(niu, TF_MST_REQS_OUTSTANDING), 4); /* it moves as software writes it */
    assert_int_equal(fx_counter(niu, TF_MST_CMD_ACCEPTED), 2);
    fx_deliver(fx);
    assert_int_equal(fx_counter(niu, TF_MST_REQS_OUTSTANDING), 2);

    /* A store to a waiting initiator is an error of software. */
    assert_int_equal(tf_niu_store(niu, 0x0, 1, TF_CORE_NC, 8), TF_ACCESS_FAULT);
    fx_assert_fault(fx, "while NOC_CMD_CTRL of its initiator is 1");

    tf_node_epoch(niu->node, NULL);
    assert_int_equal(fx->requests, 0);
    assert_true(tf_node_pending(niu->node));
    tf_node_epoch(niu->node, &fx->sink);
    assert_false(tf_node_pending(niu->node));
    assert_int_equal(fx->requests, 2);
    assert_int_equal(fx->request[0]->address, 0x120); /* the oldest first */
    assert_int_equal(fx->request[1]->address, 0x130);
    assert_int_equal(fx->request[0]->pc, 0x1234);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(fx_load(niu, CMD_CTRL(i)), 0);
}

/* While others wait, a request waits after them. Without a sink all wait, and so do commands from the NOC. */
static void test_queue_order(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 4, 5, 0);
    struct fx_regs regs = increment;
    tf_node_epoch(niu->node, NULL);
    fx_command(niu, 2, &regs);
    tf_node_epoch(niu->node, &fx->sink);
    assert_int_equal(fx->requests, 1);
    regs.targ = 0x300;
    assert_int_equal(fx_command_from(niu, 1, &regs, TF_FROM_NOC), TF_ACCESS_OK);
    assert_int_equal(fx->requests, 1);
    regs.targ = 0x400;
    fx_command(niu, 0, &regs);
    assert_int_equal(fx->requests, 1);
    tf_node_epoch(niu->node, &fx->sink);
    assert_int_equal(fx->requests, 3);
    assert_int_equal(fx->request[1]->address, 0x300);
    assert_int_equal(fx->request[1]->core, TF_FROM_NOC);
    assert_int_equal(fx->request[2]->address, 0x400);
}

/* A waiting request is decoded again when it is issued: the translation may have changed. */
static void test_queue_fault(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 4, 5, 0);
    struct fx_regs regs = increment;
    tf_node_epoch(niu->node, NULL);
    regs.targ_hi = FX_XY(17, 12);
    regs.ctrl = FX_READ;
    regs.length = 64;
    assert_int_equal(fx_command(niu, 1, &regs), TF_ACCESS_OK);
    fx_store(niu, CONFIG(TF_NIU_CFG_0), 0);
    tf_node_epoch(niu->node, &fx->sink);
    fx_assert_fault(fx, "off the grid");
    assert_int_equal(fx->fault.pc, 0x1234);
    assert_int_equal(fx->fault.core, TF_CORE_B);
    assert_int_equal(fx->requests, 0);
    assert_int_equal(fx_load(niu, CMD_CTRL(1)), 0);
}

static void test_only_tensix_sends(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 1, 1, 0);
    assert_int_equal(tf_niu_store(niu, CMD_CTRL(0), 1, TF_FROM_NOC, 0), TF_ACCESS_FAULT);
    uint32_t value = 1;
    assert_int_equal(tf_node_write(&fx->fabric, fx_node(fx, 1, 1), NIU_AT(0, CMD_CTRL), &value, 4), TF_EACCESS);
}

static void test_no_memory(void **state)
{
    struct fx *fx = *state;
    fx->out_of_memory = true;
    assert_int_equal(fx_command(fx_niu(fx, 4, 5, 0), 0, &increment), TF_ACCESS_FAULT);
    assert_int_equal(fx->fault.category, TF_FAULT_HOST);
    fx_assert_fault(fx, "no memory");
    for (unsigned tid = 0; tid < TF_NOC_TIDS; tid++)
        assert_int_equal(fx_counter(fx_niu(fx, 4, 5, 0), TF_MST_REQS_OUTSTANDING + tid), 0);
}

/* A packet that is not issued for lack of memory moves no counter. It may be decoded, known, or known before the last
   one. */
static void test_no_memory_moves_nothing(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 2, 3, 0);
    static const struct fx_regs regs[] = {
        {.targ = 0x1000, .targ_hi = FX_XY(4, 4), .ret = 0x2000, .ret_hi = FX_XY(2, 3), .length = 64, .ctrl = FX_READ},
        {.targ_hi = FX_XY(2, 3), .ret_hi = FX_XY(4, 4), .length = 300, .tag = 3 << 10, .ctrl = FX_WRITE | FX_RESP},
        {.targ_hi = FX_XY(2, 3), .ret_hi = FX_XY(4, 4), .length = 4096, .ctrl = FX_WRITE | FX_RESP},
        {.targ_hi = FX_XY(2, 3), .ret_hi = FX_XY(4, 4), .length = 4096, .tag = 2 << 10, .ctrl = FX_WRITE},
        {.targ_hi = FX_XY(2, 3), .ret_hi = FX_XY(4, 4), .length = 0xF0F0F, .ctrl = FX_WRITE | FX_BE},
        {.targ = NIU_AT(0, NODE_ID),
         .targ_hi = FX_XY(2, 3),
         .ret = 0x4,
         .ret_hi = FX_XY(4, 4),
         .length = 4,
         .ctrl = FX_WRITE},
        {.targ = 0x3000,
         .targ_hi = FX_XY(4, 4),
         .ret = 0x40,
         .ret_hi = FX_XY(2, 3),
         .length = 0x107C,
         .ctrl = FX_ATOMIC | FX_RESP},
    };
    for (unsigned i = 0; i < sizeof regs / sizeof regs[0]; i++)
        for (unsigned known = 0; known < 3; known++) {
            uint32_t before[TF_NIU_COUNTERS];
            tf_niu_forget(niu);
            if (known > 0)
                assert_int_equal(fx_command(niu, 0, &regs[i]), TF_ACCESS_OK);
            if (known > 1)
                assert_int_equal(fx_command(niu, 0, &regs[regs[i].ctrl == FX_READ]), TF_ACCESS_OK);
            memcpy(before, niu->counter, sizeof before);
            const uint64_t statistics[] = {niu->requests, niu->bytes, niu->atomics};
            fx->out_of_memory = true;
            assert_int_equal(fx_command(niu, 0, &regs[i]), TF_ACCESS_FAULT);
            fx->out_of_memory = false;
            assert_int_equal(fx->fault.pc, 0x1234);
            assert_int_equal(fx->fault.cycle, 77);
            fx_assert_fault(fx, "no memory for a NOC request");
            assert_memory_equal(niu->counter, before, sizeof before);
            assert_memory_equal(((const uint64_t[]){niu->requests, niu->bytes, niu->atomics}), statistics,
                                sizeof statistics);
            fx_deliver(fx);
        }
}

/* Of three packets one is issued. No core waits for the others. */
static void test_no_memory_for_the_rest(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 2, 3, 0);
    const struct fx_regs regs = {
        .targ_hi = FX_XY(2, 3), .ret_hi = FX_XY(4, 4), .length = 40000, .tag = 5 << 10, .ctrl = FX_WRITE | FX_RESP};
    fx->memory_for = 1;
    assert_int_equal(fx_command(niu, 0, &regs), TF_ACCESS_FAULT);
    fx_assert_fault(fx, "no memory for a NOC request");
    assert_int_equal(fx->requests, 1);
    assert_int_equal(fx_counter(niu, TF_MST_CMD_ACCEPTED), 1);
    assert_int_equal(fx_counter(niu, TF_MST_REQS_OUTSTANDING + 5), 1);
    assert_int_equal(fx_counter(niu, TF_MST_WRITE_REQS_OUTGOING + 5), 1);
    fx->out_of_memory = false;
    fx_deliver(fx);
    assert_int_equal(fx_counter(niu, TF_MST_REQS_OUTSTANDING + 5), 0);
    assert_int_equal(fx_counter(niu, TF_MST_WRITE_REQS_OUTGOING + 5), 0);
}

static uint64_t hash_of(struct fx *fx)
{
    struct tf_hash hash = {.state = XXH3_createState()};
    XXH3_64bits_reset(hash.state);
    tf_fabric_hash(&fx->fabric, &hash);
    uint64_t value = XXH3_64bits_digest(hash.state);
    XXH3_freeState(hash.state);
    return value;
}

static void test_hash(void **state)
{
    struct fx *fx = *state;
    uint64_t seen = hash_of(fx);
    uint32_t *words[] = {
        &fx_niu(fx, 1, 2, 0)->initiator[3][2], &fx_niu(fx, 16, 11, 1)->counter[61],    &fx_niu(fx, 0, 0, 0)->config[29],
        &fx_niu(fx, 8, 0, 1)->rtz_source,      &fx_niu(fx, 16, 1, 1)->initiator[0][1],
    };
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        *words[i] ^= 0x40;
        assert_int_not_equal(hash_of(fx), seen);
        *words[i] ^= 0x40;
        assert_int_equal(hash_of(fx), seen);
    }
    uint8_t byte = 0;
    assert_int_equal(tf_node_write(&fx->fabric, fx_node(fx, 9, 4), 1ull << 31, &byte, 1), TF_OK);
    assert_int_equal(hash_of(fx), seen); /* a write of zeros is not noticed */
    byte = 1;
    assert_int_equal(tf_node_write(&fx->fabric, fx_node(fx, 9, 4), 1ull << 31, &byte, 1), TF_OK);
    assert_int_not_equal(hash_of(fx), seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_initiators_keep, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_power_on, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_config_keeps, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_read_only, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_absent_registers, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_purity, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_narrow_counters, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_clear_tids, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_interrupt, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_rtz_num_clears, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_bound, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_queue_order, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_queue_fault, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_only_tensix_sends, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_no_memory, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_no_memory_moves_nothing, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_no_memory_for_the_rest, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_hash, fx_setup, fx_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
