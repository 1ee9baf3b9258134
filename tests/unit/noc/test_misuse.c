/* SPDX-License-Identifier: Apache-2.0 */
/* Misuse that is a fault. The initiator finds it immediately, or the target finds it. */
#include "fixture.h"
#include "noc/whole/host_access.h"
#include "noc/nodes/space.h"

#include <string.h>

#include "addresses.h"

/* A request from tile (2,3) on NOC 0, where the tile's own translated coordinates are OWN. */
#define OWN FX_XY(2, 3)
#define TILE FX_XY(4, 4)
#define DRAM FX_XY(17, 12)

struct misuse {
    struct fx_regs regs;
    enum tf_fault_category category;
    const char *words;
};

#define U TF_FAULT_UNDEFINED

static const struct misuse at_issue[] = {
    {{.ctrl = 3, .targ_hi = TILE}, U, "request type 3"},
    {{.ctrl = FX_READ | 1u << 31, .targ_hi = TILE, .ret_hi = OWN, .length = 4}, U, "L1_ACC_AT_EN"},
    {{.ctrl = FX_WRITE | 1u << 31, .ret_hi = TILE, .length = 4}, U, "L1_ACC_AT_EN"},
    {{.ctrl = FX_ATOMIC | 1u << 31, .targ_hi = TILE, .length = 0x107C}, U, "L1_ACC_AT_EN"},
    {{.ctrl = FX_ATOMIC | 1u << 31 | FX_BRCST, .targ_hi = FX_RECT(1, 2, 3, 3), .length = 0x9000}, U, "L1_ACC_AT_EN"},
    {{.ctrl = FX_READ | FX_BRCST, .targ_hi = FX_RECT(1, 2, 3, 4), .ret_hi = OWN, .length = 4},
     U,
     "NOC 0 read to (3,4) 0x0: a read cannot be multicast"},
    /* Coordinates. */
    {{.ctrl = FX_READ, .targ_hi = FX_XY(17, 1), .ret_hi = OWN, .length = 4}, U, "off the grid"},
    {{.ctrl = FX_READ, .targ_hi = TILE, .ret_hi = FX_XY(40, 0), .length = 4}, U, "the response are off the grid"},
    {{.ctrl = FX_WRITE, .ret_hi = FX_XY(63, 1), .length = 4}, U, "off the grid"},
    {{.ctrl = FX_WRITE | FX_RESP, .ret_hi = TILE, .targ_hi = FX_XY(17, 0), .length = 4}, U, "the response"},
    {{.ctrl = FX_WRITE | FX_INLINE, .targ = TF_DEBUG_BASE, .targ_hi = FX_XY(17, 0)}, U, "off the grid"},
    {{.ctrl = FX_ATOMIC, .targ_hi = FX_XY(17, 0), .length = 0x107C}, U, "off the grid"},
    {{.ctrl = FX_ATOMIC | FX_RESP, .targ_hi = TILE, .ret_hi = FX_XY(17, 0), .length = 0x107C}, U, "the response"},
    {{.ctrl = FX_WRITE | FX_BRCST, .ret_hi = FX_RECT(17, 0, 3, 3), .length = 4}, U, "a corner"},
    {{.ctrl = FX_WRITE | FX_BRCST, .ret_hi = FX_RECT(1, 2, 3, 1) | 32, .length = 4}, U, "a corner"},
    {{.ctrl = FX_WRITE | FX_BRCST, .ret_hi = FX_RECT(3, 2, 1, 3), .length = 4, .exclude = 1 | 2 << 2},
     U,
     "power of two"},
    {{.ctrl = FX_WRITE | FX_BRCST, .ret_hi = FX_RECT(1, 3, 3, 2), .length = 4, .exclude = 3 << 4 | 2 << 6},
     U,
     "power of two"},
    /* Lengths. */
    {{.ctrl = FX_READ, .targ_hi = TILE, .ret_hi = OWN, .length = 0}, U, "length is 0"},
    {{.ctrl = FX_WRITE, .ret_hi = TILE, .length = 0}, U, "length is 0"},
    {{.ctrl = FX_WRITE, .targ = 0x20, .ret = 0x40, .ret_hi = TILE, .length = 16385}, U, "multiples of 64"},
    {{.ctrl = FX_READ, .targ = 0x40, .ret = 0x50, .targ_hi = TILE, .ret_hi = OWN, .length = 20000}, U, "of 64"},
    {{.ctrl = FX_WRITE, .targ = 0x40, .ret = 0x20, .ret_hi = TILE, .length = 16385}, U, "multiples of 64"},
    {{.ctrl = FX_WRITE, .targ = 0x20, .ret = 0x20, .ret_hi = TILE, .length = 16385}, U, "multiples of 64"},
    {{.ctrl = FX_READ, .targ = 0x10, .ret = 0x10, .targ_hi = TILE, .ret_hi = OWN, .length = 20000}, U, "of 64"},
    {{.ctrl = FX_WRITE, .ret_hi = TILE, .length = 1ull << 32}, U, "overruns L1"},
    /* Sources and returns. */
    {{.ctrl = FX_WRITE, .targ = 0x17FFFC, .ret = 0xC, .ret_hi = TILE, .length = 5}, U, "source overruns L1"},
    {{.ctrl = FX_WRITE, .targ = 0x180000, .ret_hi = TILE, .length = 4}, U, "neither in L1 nor a register"},
    {{.ctrl = FX_WRITE, .targ = 1ull << 32, .ret_hi = TILE, .length = 4}, U, "neither in L1 nor a register"},
    {{.ctrl = FX_WRITE | FX_BE, .targ = 0x17FFF0, .ret_hi = TILE, .length = 0x10000}, U, "source overruns L1"},
    {{.ctrl = FX_READ, .targ_hi = TILE, .ret = 0x17FFF0, .ret_hi = OWN, .length = 17}, U, "overrun the memory"},
    {{.ctrl = FX_READ, .targ_hi = TILE, .ret = 0x180000, .ret_hi = OWN, .length = 4}, U, "return address is neither"},
    {{.ctrl = FX_READ, .targ_hi = TILE, .ret_hi = FX_XY(8, 0), .length = 4}, U, "return address is neither"},
    {{.ctrl = FX_READ, .targ_hi = TILE, .ret = 0xFFFFFFF0, .ret_hi = DRAM, .length = 32}, U, "overrun the memory"},
    /* Alignment, Alignment.md; from DRAM 64 as in ttsim. */
    {{.ctrl = FX_WRITE, .targ = 8, .ret = 4, .ret_hi = TILE, .length = 4}, U, "modulo 16"},
    {{.ctrl = FX_WRITE, .targ = 8, .ret = 4, .ret_hi = DRAM, .length = 4}, U, "modulo 16"},
    {{.ctrl = FX_WRITE, .targ = 8, .ret = 0, .ret_hi = TILE, .length = 4}, U, "modulo 16"},
    {{.ctrl = FX_READ, .targ = 8, .ret = 4, .targ_hi = TILE, .ret_hi = OWN, .length = 4}, U, "modulo 16"},
    {{.ctrl = FX_READ, .targ = 8, .ret = 16, .targ_hi = TILE, .ret_hi = OWN, .length = 4}, U, "modulo 16"},
    {{.ctrl = FX_READ, .targ = 0x10, .ret = 0x30, .targ_hi = DRAM, .ret_hi = OWN, .length = 4}, U, "modulo 64"},
    {{.ctrl = FX_WRITE, .targ = 0, .ret = TF_DEBUG_BASE, .ret_hi = TILE, .length = 8}, U, "must be 4 bytes"},
    {{.ctrl = FX_WRITE, .targ = 2, .ret = TF_DEBUG_BASE + 0x2, .ret_hi = TILE, .length = 4}, U, "must be 4 bytes"},
    {{.ctrl = FX_WRITE, .targ = 4, .ret = TF_DEBUG_BASE, .ret_hi = TILE, .length = 4}, U, "modulo 16"},
    {{.ctrl = FX_WRITE | FX_BRCST, .ret = TF_DEBUG_BASE, .ret_hi = FX_RECT(1, 2, 3, 3), .length = 8},
     U,
     "must be 4 bytes"},
    {{.ctrl = FX_WRITE, .targ = TF_DEBUG_BASE + 0x1, .ret = 1, .ret_hi = TILE, .length = 4},
     U,
     "stay within its 4 bytes"},
    {{.ctrl = FX_WRITE, .targ = TF_DEBUG_BASE + 0x1, .ret = 2, .ret_hi = TILE, .length = 2}, U, "modulo 4"},
    {{.ctrl = FX_WRITE, .targ = TF_DEBUG_BASE + 0x1, .ret = TF_DEBUG_BASE + 0x4, .ret_hi = TILE, .length = 4},
     U,
     "must start at"},
    {{.ctrl = FX_READ, .targ = TF_DEBUG_BASE, .ret = 0, .targ_hi = TILE, .ret_hi = OWN, .length = 8},
     U,
     "stay within its 4"},
    {{.ctrl = FX_READ, .targ = 0x10, .ret = TF_DEBUG_BASE, .targ_hi = TILE, .ret_hi = OWN, .length = 8},
     U,
     "must be 4"},
    {{.ctrl = FX_WRITE | FX_BE, .targ = 0, .ret = TF_DEBUG_BASE + 0x2, .ret_hi = TILE, .length = 15},
     U,
     "multiple of 4"},
    {{.ctrl = FX_WRITE | FX_BE, .targ = 4, .ret = TF_DEBUG_BASE, .ret_hi = TILE, .length = 15}, U, "modulo 16"},
    {{.ctrl = FX_WRITE | FX_BE, .targ = 8, .ret = TF_DEBUG_BASE, .ret_hi = TILE, .length = 15}, U, "modulo 16"},
    {{.ctrl = FX_WRITE | FX_BE, .targ = TF_DEBUG_BASE + 0x2, .ret = 0, .ret_hi = TILE, .length = 15},
     U,
     "multiple of 4"},
    {{.ctrl = FX_WRITE, .ret_hi = TILE, .length = 4, .tag = 1 << 6}, TF_FAULT_UNIMPLEMENTED, "DeliverToReceiver"},
    /* Inline writes. */
    {{.ctrl = FX_WRITE | FX_INLINE, .targ = 0, .targ_hi = DRAM}, U, "Tensix or Ethernet"},
    {{.ctrl = FX_WRITE | FX_INLINE, .targ = TF_DEBUG_BASE + 0x2, .targ_hi = TILE}, U, "multiple of 4"},
    /* Atomics. */
    {{.ctrl = FX_ATOMIC, .targ_hi = DRAM, .length = 0x107C},
     U,
     "NOC 0 atomic to (17,12), which is (0,0), 0x0: atomics act only on L1"},
    {{.ctrl = FX_ATOMIC, .targ_hi = FX_XY(19, 24), .length = 0x107C}, U, "atomics act only on L1"},
    {{.ctrl = FX_ATOMIC, .targ = TF_NIU_BASE(0), .targ_hi = TILE, .length = 0x107C}, U, "cannot act on registers"},
    {{.ctrl = FX_ATOMIC, .targ = 0x180000, .targ_hi = TILE, .length = 0x107C}, U, "outside L1"},
    {{.ctrl = FX_ATOMIC, .targ = 0x80000, .targ_hi = FX_XY(20, 25), .length = 0x107C}, U, "outside L1"},
    {{.ctrl = FX_ATOMIC, .targ = 1ull << 32, .targ_hi = TILE, .length = 0x107C}, U, "outside L1"},
    {{.ctrl = FX_ATOMIC, .targ = 2, .targ_hi = TILE, .length = 0x107C}, U, "multiple of 4"},
    {{.ctrl = FX_ATOMIC, .targ_hi = TILE, .length = 0xF000}, U, "opcode"},
    {{.ctrl = FX_ATOMIC | FX_RESP, .targ_hi = TILE, .ret = 2, .ret_hi = OWN, .length = 0x107C}, U, "return address"},
    {{.ctrl = FX_ATOMIC | FX_RESP, .targ_hi = TILE, .ret = 0x180000, .ret_hi = OWN, .length = 0x107C}, U, "return"},
    {{.ctrl = FX_ATOMIC | FX_RESP, .targ_hi = TILE, .ret_hi = DRAM, .length = 0x107C}, U, "return address"},
    {{.ctrl = FX_ATOMIC | FX_BRCST, .targ = TF_DEBUG_BASE, .targ_hi = FX_RECT(1, 2, 3, 3), .length = 0x107C},
     U,
     "cannot act on registers"},
};

/* The hart stops at its store, nothing is sent and no counter moves. */
static void test_at_issue(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 2, 3, 0);
    for (unsigned i = 0; i < sizeof at_issue / sizeof *at_issue; i++) {
        const struct misuse *misuse = &at_issue[i];
        enum tf_access access = fx_command(niu, i % 4, &misuse->regs);
        if (access != TF_ACCESS_FAULT)
            fail_msg("request %u is no fault; it should say \"%s\"", i, misuse->words);
        assert_int_equal(fx->fault.core, TF_CORE_B);
        assert_int_equal(fx->fault.pc, 0x1234);
        assert_int_equal(fx->fault.cycle, 77);
        assert_int_equal(fx->fault.category, misuse->category);
        fx_assert_fault(fx, misuse->words);
        assert_int_equal(fx->requests, 0);
        assert_int_equal(fx_load(niu, i % 4 * TF_NIU_INITIATOR_STRIDE + 0x40), 0);
        for (unsigned k = 0; k < TF_NIU_COUNTERS; k++)
            assert_int_equal(fx_counter(niu, k), 0);
    }
    /* Over the NOC no core gets a fault here. The writer gets one. */
    assert_int_equal(fx_command_from(niu, 0, &at_issue[0].regs, TF_FROM_NOC), TF_ACCESS_FAULT);
    assert_int_equal(fx->fault.count, 0);
}

/* The requests of a linked transaction have one destination, also those that the NIU keeps decoded. */
static void test_linked(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 2, 3, 0);
    const struct fx_regs other = {.ctrl = FX_WRITE, .ret_hi = FX_XY(5, 4), .length = 4};
    const struct fx_regs last = {.ctrl = FX_WRITE, .ret_hi = TILE, .length = 4};
    const struct fx_regs linked = {.ctrl = FX_WRITE | TF_NOC_CTRL_LINKED, .ret_hi = TILE, .length = 4};
    const uint32_t channel = TF_NOC_CTRL_LINKED | TF_NOC_CTRL_STATIC;
    const struct fx_regs named = {.ctrl = FX_WRITE | channel, .ret_hi = TILE, .length = 4};
    const struct fx_regs renamed = {.ctrl = FX_WRITE | channel | 1 << 13, .ret_hi = TILE, .length = 4};
    for (unsigned round = 0; round < 3; round++) {
        assert_int_equal(fx_command(niu, 0, &other), TF_ACCESS_OK);
        assert_int_equal(fx_command(niu, 1, &linked), TF_ACCESS_OK);
        assert_int_equal(fx_command(niu, 1, &linked), TF_ACCESS_OK);
        assert_int_equal(fx_command(niu, 0, &last), TF_ACCESS_OK);
    }
    assert_int_equal(fx_command(niu, 1, &linked), TF_ACCESS_OK);
    assert_int_equal(fx_command(niu, 0, &other), TF_ACCESS_FAULT);
    fx_assert_fault(fx, "another destination");
    assert_int_equal(fx_command(niu, 0, &other), TF_ACCESS_OK); /* the fault has closed the transaction */
    assert_int_equal(fx_command(niu, 1, &named), TF_ACCESS_OK);
    assert_int_equal(fx_command(niu, 0, &renamed), TF_ACCESS_FAULT);
    fx_assert_fault(fx, "another virtual channel");
    /* Silicon does not take the command, and the NIU stays as it is. */
    niu->node->tile->mode.as_silicon = true;
    assert_int_equal(fx_command(niu, 1, &linked), TF_ACCESS_OK);
    assert_int_equal(fx_command(niu, 0, &other), TF_ACCESS_OK);
    assert_int_equal(fx_load(niu, 0x40), 1);
}

/* Without translation, the grid ends at 17 x 12. */
static void test_corners(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 2, 3, 0);
    static const struct {
        uint32_t rectangle;
        bool fits;
    } cases[] = {
        {FX_RECT(1, 2, 16, 11), true}, {FX_RECT(1, 2, 17, 11), false}, {FX_RECT(1, 2, 16, 12), false},
        {FX_RECT(17, 2, 3, 3), false}, {FX_RECT(1, 12, 3, 3), false},
    };
    uint32_t kept = niu->config[TF_NIU_CFG_0];
    niu->config[TF_NIU_CFG_0] &= ~TF_NIU_CFG_0_TRANSLATE;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct fx_regs regs = {.ctrl = FX_WRITE | FX_BRCST, .ret_hi = cases[i].rectangle, .length = 4};
        enum tf_access access = fx_command(niu, i % 4, &regs);
        assert_int_equal(access == TF_ACCESS_FAULT, !cases[i].fits);
        if (!cases[i].fits)
            assert_non_null(strstr(fx->fault.text, "a corner of the rectangle is off the grid"));
    }
    niu->config[TF_NIU_CFG_0] = kept;
}

static const struct misuse at_target[] = {
    {{.ctrl = FX_WRITE, .ret = 0x17FFFC, .targ = 0xC, .ret_hi = TILE, .length = 8},
     U,
     "NOC 0 write to (4,4) 0x17FFFC: the range overruns the memory of the target"},
    {{.ctrl = FX_WRITE, .ret = 0x17F800, .ret_hi = TILE, .length = 4096}, U, "overruns"},
    {{.ctrl = FX_WRITE | FX_RESP, .ret = 0x180000, .targ_hi = OWN, .ret_hi = TILE, .length = 8}, U, "unmapped"},
    {{.ctrl = FX_WRITE | FX_BE, .ret = 0x17FFF0, .ret_hi = TILE, .length = 0x10000}, U, "overruns"},
    {{.ctrl = FX_WRITE, .ret = 0x7FFF0, .ret_hi = FX_XY(20, 25), .length = 17}, U, "overruns"},
    {{.ctrl = FX_WRITE, .ret = 1ull << 32, .ret_hi = DRAM, .length = 16}, U, "unmapped"},
    {{.ctrl = FX_WRITE, .ret = 0xFFFFFFF0, .ret_hi = DRAM, .length = 17}, U, "overruns"},
    {{.ctrl = FX_READ, .targ = 0x17FFFC, .ret = 0xC, .targ_hi = TILE, .ret_hi = OWN, .length = 8}, U, "overruns"},
    {{.ctrl = FX_READ, .targ = 0x200000, .targ_hi = TILE, .ret_hi = OWN, .length = 8}, U, "unmapped"},
    {{.ctrl = FX_READ, .targ = TF_TDMA_BASE, .targ_hi = TILE, .ret_hi = OWN, .length = 4}, U, "the register refuses"},
    {{.ctrl = FX_WRITE | FX_INLINE, .targ = TF_TDMA_BASE, .targ_hi = TILE}, U, "inline write to (4,4) 0xFFB11000: the"},
    {{.ctrl = FX_READ, .targ = 0, .targ_hi = FX_XY(8, 0), .ret_hi = OWN, .length = 4}, TF_FAULT_UNSUPPORTED, "ARC"},
    {{.ctrl = FX_READ, .targ = 0, .targ_hi = FX_XY(8, 26), .ret_hi = OWN, .length = 4}, TF_FAULT_UNSUPPORTED, "L2CPU"},
    {{.ctrl = FX_READ, .targ = 0, .targ_hi = FX_XY(8, 30), .ret_hi = OWN, .length = 4},
     TF_FAULT_UNSUPPORTED,
     "security"},
    {{.ctrl = FX_WRITE, .ret = 1ull << 60, .ret_hi = FX_XY(19, 24), .length = 4}, TF_FAULT_UNSUPPORTED, "host memory"},
    {{.ctrl = FX_READ, .targ = 0, .targ_hi = FX_XY(1, 0), .ret_hi = OWN, .length = 4}, U, "unmapped"},
    {{.ctrl = FX_READ, .targ = TF_LOCAL_OF_B_BASE + 0x1000, .targ_hi = FX_XY(20, 25), .ret_hi = OWN, .length = 4},
     TF_FAULT_UNIMPLEMENTED,
     "the register refuses"},
    {{.ctrl = FX_WRITE, .ret = TF_NIU_BASE(0) + 0x300, .ret_hi = FX_XY(20, 25), .length = 4},
     TF_FAULT_UNIMPLEMENTED,
     "refuses"},
    {{.ctrl = FX_READ, .targ = TF_NIU_BASE(0) + 0x300, .targ_hi = DRAM, .ret_hi = OWN, .length = 4},
     TF_FAULT_UNIMPLEMENTED,
     "MemoryMap.md does not describe this register"},
};

/* The initiator's hart faults when the response lands, at the pc of its store. There is no acknowledgement. */
static void test_at_target(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 2, 3, 0);
    for (unsigned i = 0; i < sizeof at_target / sizeof *at_target; i++) {
        const struct misuse *misuse = &at_target[i];
        fx_node(fx, 2, 3)->tile->cycle = 100 + i;
        if (fx_command(niu, i % 4, &misuse->regs) != TF_ACCESS_OK)
            fail_msg("request %u: %s", i, fx->fault.text);
        fx_node(fx, 2, 3)->tile->cycle = 5000;
        fx_deliver(fx);
        if (fx->fault.count != 1)
            fail_msg("request %u makes %u faults; it should say \"%s\"", i, fx->fault.count, misuse->words);
        assert_int_equal(fx->fault.core, TF_CORE_B);
        assert_int_equal(fx->fault.pc, 0x1234);
        assert_int_equal(fx->fault.cycle, 100 + i);
        assert_int_equal(fx->fault.category, misuse->category);
        fx_assert_fault(fx, misuse->words);
    }
    assert_int_equal(fx_counter(niu, TF_MST_WR_ACK_RECEIVED), 0);
    assert_int_equal(fx_counter(niu, TF_MST_RD_RESP_RECEIVED), 0);
    for (unsigned i = 0; i < 256; i++)
        assert_int_equal(fx_node(fx, 4, 4)->l1[0x17FF00 + i], 0);
}

/* Beyond L1 in the memory map of a DRAM tile's core, which a bit of NIU_CFG_0 selects when it is 0. */
static void test_axi_subordinate(void **state)
{
    struct fx *fx = *state;
    uint32_t value = 0;
    struct fx_regs regs = {.ctrl = FX_READ, .targ = 0x20000, .targ_hi = DRAM, .ret_hi = OWN, .length = 4};
    assert_int_equal(tf_node_write(&fx->fabric, fx_node(fx, 0, 0), NIU_CONFIG(0, 0), &value, 4), TF_OK);
    assert_int_equal(fx_command(fx_niu(fx, 2, 3, 0), 0, &regs), TF_ACCESS_OK);
    fx_deliver(fx);
    assert_int_equal(fx->fault.category, TF_FAULT_UNDEFINED);
    fx_assert_fault(fx, "reaches only L1 of the tile's core");
}

/* Data that a register at the return address refuses. The hart faults only if this is its own tile. */
static void test_landing_refused(void **state)
{
    struct fx *fx = *state;
    struct fx_regs regs = {.ctrl = FX_READ, .targ_hi = TILE, .ret = TF_TDMA_BASE, .ret_hi = OWN, .length = 4};
    fx_command(fx_niu(fx, 2, 3, 0), 0, &regs);
    fx_deliver(fx);
    assert_int_equal(fx->fault.core, TF_CORE_B);
    fx_assert_fault(fx, "the register refuses");
    assert_int_equal(fx_counter(fx_niu(fx, 2, 3, 0), TF_MST_RD_RESP_RECEIVED), 0);
    regs.ret_hi = FX_XY(5, 5);
    fx_command(fx_niu(fx, 2, 3, 0), 0, &regs);
    fx_deliver(fx);
    assert_int_equal(fx->fault.core, TF_CORE_NONE);
    fx_assert_fault(fx, "the register refuses");
}

static void test_store_ind_fault(void **state)
{
    (void)state;
    struct fx *fx = fx_new(TF_MODE_DETERMINISTIC, TF_ATOMICS_EMU_SPEC);
    struct fx_regs regs = {
        .ctrl = FX_ATOMIC | FX_RESP, .targ = 0x100, .targ_hi = TILE, .ret = 0x200, .ret_hi = OWN, .length = 0x6000};
    memcpy(fx_node(fx, 4, 4)->l1 + 0x100, &(uint32_t){0x180000}, 4);
    assert_int_equal(fx_command(fx_niu(fx, 2, 3, 0), 0, &regs), TF_ACCESS_OK);
    fx_deliver(fx);
    fx_assert_fault(fx, "STORE_IND");
    assert_int_equal(fx_counter(fx_niu(fx, 2, 3, 0), TF_MST_ATOMIC_RESP_RECEIVED), 0);
    fx_free(fx);
}

/* niu.md, 13: another register defines the atomic. It is read at each request. */
static void test_l1_acc(void **state)
{
    (void)state;
    struct fx *fx = fx_new(TF_MODE_DETERMINISTIC, TF_ATOMICS_EMU_SPEC);
    struct tf_niu *niu = fx_niu(fx, 2, 3, 0);
    struct fx_regs regs = {
        .ctrl = FX_ATOMIC | 1u << 31, .targ = 0x100, .targ_hi = TILE, .length = 0x107C, .data = 0x01010101};
    uint32_t *word = (uint32_t *)(void *)(fx_node(fx, 4, 4)->l1 + 0x100);
    static const uint32_t steps[][2] = {/* NOC_L1_ACC_AT_INSTRN, and what the four words become */
                                        {0x9004, 0x000000FF + 0x01010101},
                                        {0x9007, 0x020202FF + 0},
                                        {0x900F, 0x03030300},
                                        {0x900F, 0x04040401}};
    for (unsigned i = 0; i < 4; i++)
        word[i] = 0xFF;
    for (unsigned step = 0; step < sizeof steps / sizeof *steps; step++) {
        fx_store(niu, 4 * TF_NIU_L1_ACC_AT_INSTRN, steps[step][0]);
        if (step == 1)
            for (unsigned i = 0; i < 4; i++)
                word[i] = 0x010101FF;
        assert_int_equal(fx_command(niu, 0, &regs), TF_ACCESS_OK);
        fx_deliver(fx);
        for (unsigned i = 0; i < 4; i++)
            assert_int_equal(word[i], steps[step][1]);
    }
    fx_store(niu, 4 * TF_NIU_L1_ACC_AT_INSTRN, 0x107C);
    assert_int_equal(fx_command(niu, 0, &regs), TF_ACCESS_FAULT);
    fx_assert_fault(fx, "NOC_L1_ACC_AT_INSTRN");
    fx_free(fx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_at_issue, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_corners, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_at_target, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_axi_subordinate, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_landing_refused, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_linked, fx_setup, fx_teardown),
        cmocka_unit_test(test_store_ind_fault),
        cmocka_unit_test(test_l1_acc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
