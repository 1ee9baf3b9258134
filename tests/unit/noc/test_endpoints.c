/* SPDX-License-Identifier: Apache-2.0 */
/* The endpoints of PCIe, ARC and Ethernet tiles, as tiles reach them, and as the host reaches them. */
#include "fixture.h"
#include "noc/whole/host_access.h"
#include "noc/nodes/pcie.h"
#include "noc/nodes/space.h"

#include <string.h>

#include "tilefarm_address.h"

#define PCIE_XY FX_XY(19, 24)
#define ARC_XY FX_XY(8, 0)
#define ETH_XY FX_XY(20, 25)
#define OWN FX_XY(4, 4)
#define IATU_ENABLE (1u << 31)

static uint8_t host[4096 + 16384];
static uint64_t last_address;
static uint32_t last_bytes;

static void host_read(void *user, uint64_t address, void *data, uint32_t bytes)
{
    (void)user;
    last_address = address;
    last_bytes = bytes;
    memcpy(data, host + address % 4096, bytes);
}

static void host_write(void *user, uint64_t address, const void *data, uint32_t bytes)
{
    (void)user;
    last_address = address;
    last_bytes = bytes;
    memcpy(host + address % 4096, data, bytes);
}

static int setup(void **state)
{
    int error = fx_setup(state);
    struct fx *fx = *state;
    if (error == 0) {
        fx->fabric.rules.host_read = host_read;
        fx->fabric.rules.host_write = host_write;
    }
    return error;
}

static void set_region(struct tf_pcie *pcie, unsigned i, uint64_t base, uint64_t limit, uint64_t target)
{
    const uint32_t words[][2] = {
        {0x04, 0},
        {0x08, (uint32_t)base},
        {0x0C, (uint32_t)(base >> 32)},
        {0x10, (uint32_t)limit},
        {0x20, (uint32_t)(limit >> 32)},
        {0x14, (uint32_t)target},
        {0x18, (uint32_t)(target >> 32)},
        {0x04, IATU_ENABLE},
    };
    for (unsigned k = 0; k < sizeof words / sizeof words[0]; k++)
        assert_null(tf_pcie_store(pcie, 0x1000 + i * 0x200 + words[k][0], words[k][1]));
}

static void write_host(struct fx *fx, uint64_t address, uint32_t bytes)
{
    const struct fx_regs regs = {.ctrl = FX_WRITE | FX_RESP,
                                 .targ = address % 16,
                                 .targ_hi = OWN,
                                 .ret = address,
                                 .ret_hi = PCIE_XY,
                                 .length = bytes};
    fx->fault.count = 0;
    last_address = last_bytes = 0;
    fx_command(fx_niu(fx, 4, 4, 0), 0, &regs);
    fx_deliver(fx);
}

/* Windows 0..3 are not translated, 4..7 go through regions, and the others lead nowhere. */
static void test_windows(void **state)
{
    struct fx *fx = *state;
    struct tf_pcie *pcie = fx_node(fx, 2, 0)->pcie;
    set_region(pcie, 2, 0x1000, 0x1FFF, 0xAB000000000);
    for (uint64_t window = 0; window < 64; window++) {
        write_host(fx, window << 58 | 0x1230, 16);
        if (window < 8) {
            assert_int_equal(fx->fault.count, 0);
            assert_true(last_address == (window < 4 ? 0x1230 : 0xAB000000230));
            assert_int_equal(last_bytes, 16);
        } else {
            assert_int_equal(last_bytes, 0);
            assert_int_equal(fx->fault.count, 1);
        }
    }
    assert_int_equal(fx_counter(fx_niu(fx, 4, 4, 0), TF_MST_WR_ACK_RECEIVED), 8);
}

/* A request is translated when a region holds all of it. */
static void test_region_edges(void **state)
{
    struct fx *fx = *state;
    struct tf_pcie *pcie = fx_node(fx, 2, 0)->pcie;
    static const struct {
        uint64_t offset, bytes, reaches;
    } cases[] = {
        {0x1000, 16, 0x700000}, {0x1FF0, 16, 0x700FF0}, {0x1FF0, 17, 0x1FF0}, {0xFF0, 17, 0xFF0}, {0x2000, 16, 0x2000},
    };
    set_region(pcie, 15, 0x1000, 0x1FFF, 0x700000);
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_host(fx, 1ull << 60 | cases[i].offset, (uint32_t)cases[i].bytes);
        assert_true(last_address == cases[i].reaches);
    }
    assert_null(tf_pcie_store(pcie, 0x1000 + 15 * 0x200 + 4, 0));
    write_host(fx, 1ull << 60 | 0x1000, 16);
    assert_true(last_address == 0x1000);
}

static void test_read_and_long_write(void **state)
{
    struct fx *fx = *state;
    struct tf_node *node = fx_node(fx, 4, 4);
    fx_fill(host, 4096, 9);
    const struct fx_regs read = {
        .ctrl = FX_READ, .targ = 1ull << 60 | 0x40, .targ_hi = PCIE_XY, .ret = 0x1000, .ret_hi = OWN, .length = 1000};
    assert_int_equal(fx_command(&node->niu[1], 2, &read), TF_ACCESS_OK);
    fx_deliver(fx);
    assert_memory_equal(node->l1 + 0x1000, host + 0x40, 1000);
    assert_int_equal(fx_counter(&node->niu[1], TF_MST_RD_RESP_RECEIVED), 1);
    fx_fill(node->l1 + 0x8000, 4000, 10);
    const struct fx_regs write = {
        .ctrl = FX_WRITE, .targ = 0x8000, .targ_hi = OWN, .ret = 1ull << 60, .ret_hi = PCIE_XY, .length = 4000};
    assert_int_equal(fx_command(&node->niu[0], 1, &write), TF_ACCESS_OK);
    fx_deliver(fx);
    assert_memory_equal(host, node->l1 + 0x8000, 4000);
}

/* The second packet goes to the rest of a 64-bit address, on either side. */
static void test_two_packets(void **state)
{
    struct fx *fx = *state;
    struct tf_node *node = fx_node(fx, 4, 4);
    const struct fx_regs write = {.ctrl = FX_WRITE,
                                  .targ = 0x8000,
                                  .targ_hi = OWN,
                                  .ret = 1ull << 60 | 0xFFFFF000,
                                  .ret_hi = PCIE_XY,
                                  .length = 16384 + 64};
    assert_int_equal(fx_command(&node->niu[0], 0, &write), TF_ACCESS_OK);
    fx_deliver(fx);
    assert_true(last_address == 0xFFFFF000 + 16384ull);
    assert_int_equal(last_bytes, 64);
    assert_int_equal(fx_load(&node->niu[0], 0x0C), 0x3000); /* NOC_RET_ADDR of the last packet */
    assert_int_equal(fx_load(&node->niu[0], 0x10), 0x10000001);
    const struct fx_regs read = {.ctrl = FX_READ,
                                 .targ = 1ull << 60 | 0xFFFFF000,
                                 .targ_hi = PCIE_XY,
                                 .ret = 0x8000,
                                 .ret_hi = OWN,
                                 .length = 16384 + 128};
    assert_int_equal(fx_command(&node->niu[0], 1, &read), TF_ACCESS_OK);
    fx_deliver(fx);
    assert_true(last_address == 0xFFFFF000 + 16384ull);
    assert_int_equal(last_bytes, 128);
}

static void test_registers(void **state)
{
    struct fx *fx = *state;
    struct tf_pcie *pcie = fx_node(fx, 2, 0)->pcie;
    uint32_t value = 7;
    assert_non_null(tf_pcie_load(pcie, 0x1100, &value)); /* inbound */
    assert_non_null(tf_pcie_load(pcie, 0x1024, &value));
    assert_non_null(tf_pcie_load(pcie, 0x3000, &value));
    assert_non_null(tf_pcie_store(pcie, 0x1000, 1));
    assert_non_null(tf_pcie_store(pcie, 0x101C, 1));
    assert_null(tf_pcie_store(pcie, 0x1000, 1 << 13));
    assert_null(tf_pcie_store(pcie, 0x1020, 0x04000000)); /* limit beyond 2^58, not enabled yet */
    assert_non_null(tf_pcie_store(pcie, 0x1004, IATU_ENABLE));
    assert_null(tf_pcie_load(pcie, 0x1004, &value));
    assert_int_equal(value, 0);
    /* The controller's registers over the NOC. */
    struct tf_node *node = fx_node(fx, 2, 0);
    value = 0x2810;
    assert_int_equal(tf_node_write(&fx->fabric, node, 0xF800000000000078, &value, 4), TF_OK);
    value = 0;
    assert_int_equal(tf_node_read(&fx->fabric, node, 0xF800000000000078, &value, 4), TF_OK);
    assert_int_equal(value, 0x2810);
    assert_int_equal(tf_node_read(&fx->fabric, node, 0xF8000000FFB20044, &value, 4), TF_EACCESS);
    assert_int_equal(tf_node_read(&fx->fabric, node, 0xFFFFFFFFFF000044, &value, 4), TF_OK);
    assert_int_equal(value, node->niu[0].node_id);
}

static uint32_t load(struct fx *fx, struct tf_node *node, uint64_t address)
{
    uint32_t value = 0;
    assert_int_equal(tf_node_read(&fx->fabric, node, address, &value, 4), TF_OK);
    return value;
}

static int store(struct fx *fx, struct tf_node *node, uint64_t address, uint32_t value)
{
    return tf_node_write(&fx->fabric, node, address, &value, 4);
}

/* SCRATCH_RAM_0 to SCRATCH_RAM_15 keep what is written. So do the eight scratch registers of the reset unit, and not
   the word after them. */
static void test_arc_scratch(void **state)
{
    struct fx *fx = *state;
    struct tf_node *arc = fx_node(fx, 8, 0);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(store(fx, arc, 0x80030400 + 4 * i, 0x11111111 * i + 1), TF_OK);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(load(fx, arc, 0x80030400 + 4 * i), 0x11111111 * i + 1);
    for (uint32_t i = 0; i <= 8; i++)
        store(fx, arc, 0x80030060 + 4 * i, 0x11111111 * i + 2);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(load(fx, arc, 0x80030060 + 4 * i), 0x11111111 * i + 2);
    uint32_t value = 0;
    assert_true(tf_node_read(&fx->fabric, arc, 0x80030080, &value, 4) != TF_OK || value != 0x11111111u * 8 + 2);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(load(fx, arc, 0x80030400 + 4 * i), 0x11111111 * i + 1);
}

/* Queues into which a client has written nonsense do no harm. */
static void test_arc_queues(void **state)
{
    struct fx *fx = *state;
    struct tf_node *arc = fx_node(fx, 8, 0);
    uint32_t control = load(fx, arc, 0x8003042C), queue = load(fx, arc, control);
    assert_int_equal(store(fx, arc, queue + 32, 0x33), TF_OK); /* no such message */
    assert_int_equal(store(fx, arc, queue, 1), TF_OK);
    assert_int_equal(store(fx, arc, 0x80030100, 1 << 16 | 5), TF_OK);
    assert_int_equal(load(fx, arc, 0x80030100), 5); /* the request bit becomes 0 */
    assert_int_equal(load(fx, arc, queue + 32 + 8 * 32), 0xFF);
    assert_int_equal(store(fx, arc, queue + 32 + 32, 0x33), TF_OK);
    assert_int_equal(store(fx, arc, queue, 2), TF_OK);
    assert_int_equal(store(fx, arc, 0x80030100, 4), TF_OK); /* without the request bit */
    assert_int_equal(load(fx, arc, 0x80030100), 4);
    assert_int_equal(load(fx, arc, queue + 0x10), 1);
    assert_int_equal(store(fx, arc, 0x80030100, 1 << 16), TF_OK);
    assert_int_equal(load(fx, arc, queue + 0x10), 2);
    assert_int_equal(load(fx, arc, queue + 0x14), 2);
    assert_int_equal(load(fx, arc, queue + 32 + 9 * 32), 0xFF);
    assert_int_equal(store(fx, arc, queue, 15), TF_OK); /* more than fits */
    assert_int_equal(store(fx, arc, 0x800B0000, 0), TF_EACCESS);
    assert_int_equal(store(fx, arc, control + 4, 0), TF_OK);
    assert_int_equal(store(fx, arc, 0x800B0000, 0), TF_EACCESS);
    assert_int_equal(store(fx, arc, control + 4, 0xFF), TF_OK);
    const uint32_t all = 4 * (32 + 2 * 8 * 32); /* bytes of four queues of eight entries */
    assert_int_equal(store(fx, arc, control + 4, 8), TF_OK);
    assert_int_equal(store(fx, arc, control, 0x10080000 - all), TF_OK);
    assert_int_equal(store(fx, arc, 0x800B0000, 0), TF_OK);
    assert_int_equal(store(fx, arc, control, 0x10080000 - all + 4), TF_OK);
    assert_int_equal(store(fx, arc, 0x800B0000, 0), TF_EACCESS);
    assert_int_equal(store(fx, arc, control + 4, 0xFF), TF_OK);
    assert_int_equal(store(fx, arc, control, 0x1007FFF0), TF_OK);
    assert_int_equal(store(fx, arc, 0x800B0000, 0), TF_EACCESS);
    assert_int_equal(store(fx, arc, control, 0), TF_OK);
    assert_int_equal(store(fx, arc, 0x800B0000, 0), TF_EACCESS);
    for (unsigned i = 0; i < 3; i++) {
        static const uint32_t bad[] = {0, 0x1007FFFC, 0xFFFFFFFF};
        assert_int_equal(store(fx, arc, 0x8003042C, bad[i]), TF_OK);
        assert_int_equal(store(fx, arc, 0x800B0000, 0), TF_EACCESS);
    }
}

/* A tile reaches CSM and the reset unit too. */
static void test_arc_over_noc(void **state)
{
    struct fx *fx = *state;
    struct tf_node *node = fx_node(fx, 4, 4);
    fx_fill(node->l1, 256, 3);
    const struct fx_regs write = {
        .ctrl = FX_WRITE, .targ = 0, .targ_hi = OWN, .ret = 0x10020000, .ret_hi = ARC_XY, .length = 256};
    const struct fx_regs read = {
        .ctrl = FX_READ, .targ = 0x10020000, .targ_hi = ARC_XY, .ret = 0x1000, .ret_hi = OWN, .length = 256};
    const struct fx_regs scratch = {
        .ctrl = FX_READ, .targ = 0x80030408, .targ_hi = ARC_XY, .ret = 0x2000, .ret_hi = OWN, .length = 4};
    fx_command(&node->niu[0], 0, &write);
    fx_deliver(fx);
    fx_command(&node->niu[0], 0, &read);
    fx_command(&node->niu[0], 0, &scratch);
    fx_deliver(fx);
    assert_int_equal(fx->fault.count, 0);
    assert_memory_equal(node->l1, node->l1 + 0x1000, 256);
    assert_int_equal(node->l1[0x2000], 5);
}

/* An Ethernet tile is a tile with cores: its NIUs send, and its firmware reacts to the host's accesses to L1. */
static void test_ethernet(void **state)
{
    struct fx *fx = *state;
    struct tf_node *eth = fx_node(fx, 1, 1);
    assert_non_null(eth->tile);
    assert_int_equal(eth->l1_bytes, 0x80000);
    assert_int_equal(store(fx, eth, 0x7FFFC, 5), TF_OK);
    assert_int_equal(store(fx, eth, 0x80000, 5), TF_ERANGE);
    assert_int_equal(load(fx, eth, 0x7FFFC), 5);
    assert_int_equal(fx->firmware_writes, 1);
    assert_int_equal(fx->firmware_reads, 1);
    assert_true(tf_node_read_acts(eth, 0x7CC70));
    assert_false(tf_node_read_acts(eth, 0x7CC74));
    assert_true(tf_node_read_acts(eth, TF_DEBUG_BASE));
    assert_int_equal(fx->registers[0], 0);
    assert_int_equal(store(fx, eth, TF_DEBUG_BASE, 7), TF_OK);
    assert_int_equal(fx->registers[0], 7);

    const struct fx_regs add = {.targ = 0x100,
                                .targ_hi = FX_XY(3, 4),
                                .ret = 0x200,
                                .ret_hi = ETH_XY,
                                .ctrl = FX_ATOMIC | FX_RESP,
                                .length = 0x107C,
                                .data = 40};
    fx_node(fx, 3, 4)->l1[0x100] = 2;
    assert_int_equal(fx_command(&eth->niu[1], 0, &add), TF_ACCESS_OK);
    fx_deliver(fx);
    assert_int_equal(fx_node(fx, 3, 4)->l1[0x100], 42);
    assert_int_equal(eth->l1[0x200], 2);
}

/* Calls of one length after another. The data are not compared. */
struct moves {
    unsigned count;
    uint64_t address[8];
    uint32_t bytes[8];
};

static void note_read(void *user, uint64_t address, void *data, uint32_t bytes)
{
    struct moves *moves = user;
    (void)data;
    assert_true(moves->count < 8);
    moves->address[moves->count] = address;
    moves->bytes[moves->count++] = bytes;
}

static void note_write(void *user, uint64_t address, const void *data, uint32_t bytes)
{
    note_read(user, address, (void *)data, bytes);
}

/* A callback takes 32 bits of length, so more than 1 GiB goes in several calls, which cover it once. */
static void test_long_moves(void **state)
{
    struct fx *fx = *state;
    struct tf_node *node = fx_node(fx, 2, 0);
    const uint64_t gib = 1u << 30, sizes[] = {1, gib - 1, gib, gib + 1, 2 * gib + 5};
    for (unsigned i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
        struct moves moves = {0};
        uint64_t bytes = sizes[i / 2], covered = 0;
        fx->fabric.rules.host_read = note_read;
        fx->fabric.rules.host_write = note_write;
        fx->fabric.rules.user = &moves;
        if (i % 2 == 0)
            tf_pcie_put(node, 0x40, host, bytes);
        else
            tf_pcie_get(node, 0x40, host, bytes);
        for (unsigned k = 0; k < moves.count; k++) {
            assert_true(moves.address[k] == 0x40 + covered && moves.bytes[k] <= gib);
            covered += moves.bytes[k];
        }
        assert_true(covered == bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_windows, setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_region_edges, setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_read_and_long_write, setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_two_packets, setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_long_moves, setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_registers, setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_arc_scratch, setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_arc_queues, setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_arc_over_noc, setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_ethernet, setup, fx_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
