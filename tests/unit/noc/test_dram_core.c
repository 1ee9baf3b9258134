/* SPDX-License-Identifier: Apache-2.0 */
/* The cores of Blackhole's DRAM tiles before they run: L1 and registers, by host and NOC (docs/dram-cores.md). */
#include "fixture.h"

#include <string.h>
#include <xxhash.h>

#include "noc/whole/fabric.h"
#include "noc/whole/host_access.h"
#include "noc/nodes/space.h"
#include "addresses.h"

#define L1 0x2000000000ull
#define L1_BYTES 0x20000u
#define REGISTERS 0x10000000000ull
#define SOFT_RESET_0 DEBUG_AT(SOFT_RESET_0)
#define RESET_PC TF_ETH_CONTROL_BASE
#define NIU_CFG_0 NIU_CONFIG(0, 0)

/* Two ports of channel 0 and one of another channel: raw coordinates. */
static const struct tf_coord ports[] = {{0, 0}, {0, 1}, {9, 0}};
#define PORTS (sizeof ports / sizeof ports[0])

static uint64_t hash_of(struct fx *fx)
{
    struct tf_hash hash = {.state = XXH3_createState()};
    XXH3_64bits_reset(hash.state);
    tf_fabric_hash(&fx->fabric, &hash);
    uint64_t digest = XXH3_64bits_digest(hash.state);
    XXH3_freeState(hash.state);
    return digest;
}

static uint32_t host_word(struct fx *fx, struct tf_coord at, uint64_t address)
{
    uint32_t value = 0;
    assert_int_equal(tf_node_read(&fx->fabric, fx_node(fx, at.x, at.y), address, &value, 4), TF_OK);
    return value;
}

static int host_stores(struct fx *fx, struct tf_coord at, uint64_t address, uint32_t value)
{
    return tf_node_write(&fx->fabric, fx_node(fx, at.x, at.y), address, &value, 4);
}

/* Each tile has L1 of its own, though tiles of a channel share its DRAM. */
static void each_tile_has_its_l1(void **state)
{
    struct fx *fx = *state;
    uint8_t data[256], got[256];
    uint64_t hash = hash_of(fx);
    for (unsigned i = 0; i < PORTS; i++) {
        struct tf_node *node = fx_node(fx, ports[i].x, ports[i].y);
        fx_fill(data, sizeof data, i);
        assert_int_equal(tf_node_write(&fx->fabric, node, L1 + L1_BYTES - sizeof data, data, sizeof data), TF_OK);
        assert_int_not_equal(hash_of(fx), hash);
        hash = hash_of(fx);
    }
    for (unsigned i = 0; i < PORTS; i++) {
        struct tf_node *node = fx_node(fx, ports[i].x, ports[i].y);
        fx_fill(data, sizeof data, i);
        assert_int_equal(tf_node_read(&fx->fabric, node, L1 + L1_BYTES - sizeof data, got, sizeof got), TF_OK);
        assert_memory_equal(got, data, sizeof data);
        assert_int_equal(tf_node_read(&fx->fabric, node, L1 + L1_BYTES - 4, got, 5), TF_ERANGE);
        assert_int_equal(tf_node_read(&fx->fabric, node, L1 + L1_BYTES, got, 4), TF_ERANGE);
        assert_int_equal(tf_node_read(&fx->fabric, node, L1 - 4, got, 4), TF_ERANGE);
        assert_int_equal(host_word(fx, ports[i], L1), 0);
        assert_int_equal(host_word(fx, ports[i], 0), 0); /* DRAM */
    }
}

static void registers_keep_values(void **state)
{
    struct fx *fx = *state;
    static const uint32_t control[] = {0x00, 0x04, 0x10, 0x1C, 0x20, 0x24, 0x40, 0x58, 0x60, 0x78};
    for (unsigned i = 0; i < PORTS; i++)
        for (unsigned word = 0; word < sizeof control / sizeof control[0]; word++) {
            uint32_t address = RESET_PC + control[word], value = 0x1000 * (i + 1) + word;
            assert_int_equal(host_word(fx, ports[i], address), 0);
            uint64_t hash = hash_of(fx);
            assert_int_equal(host_stores(fx, ports[i], REGISTERS + address, value), TF_OK);
            assert_int_equal(host_word(fx, ports[i], address), value); /* bits 63:32 have no effect */
            assert_int_not_equal(hash_of(fx), hash);
        }
    static const uint32_t none[] = {TF_DEBUG_BASE,
                                    TF_DEBUG_BASE + 0x1AC,
                                    PIC_AT(BRISC_SW_INT_EN),
                                    TF_ETH_CONTROL_BASE + 0x8,
                                    TF_ETH_CONTROL_BASE + 0x5C,
                                    TF_ETH_CONTROL_BASE + 0x80};
    for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++) {
        uint32_t value;
        struct tf_node *node = fx_node(fx, ports[0].x, ports[0].y);
        assert_int_equal(tf_node_read(&fx->fabric, node, REGISTERS + none[i], &value, 4), TF_EACCESS);
        assert_int_equal(host_stores(fx, ports[0], REGISTERS + none[i], 0), TF_EACCESS);
    }
}

/* DRAM ends at the first register. */
static void dram_ends_at_registers(void **state)
{
    struct fx *fx = *state;
    uint8_t data[8] = {1};
    struct tf_node *node = fx_node(fx, ports[0].x, ports[0].y);
    assert_int_equal(tf_node_write(&fx->fabric, node, TF_TDMA_BASE + 0xFF8, data, 8), TF_OK);
    assert_int_equal(tf_node_write(&fx->fabric, node, TF_TDMA_BASE + 0xFFC, data, 8), TF_ERANGE);
    assert_int_equal(tf_node_write(&fx->fabric, node, TF_STREAM_BASE, data, 8), TF_OK);
}

static void core_stays_in_reset(void **state)
{
    struct fx *fx = *state;
    const char *why;
    uint8_t category;
    for (unsigned i = 0; i < PORTS; i++) {
        assert_int_equal(host_word(fx, ports[i], REGISTERS + SOFT_RESET_0), 0x800);
        assert_int_equal(host_stores(fx, ports[i], SOFT_RESET_0, 0x47800), TF_OK);
        assert_int_equal(host_word(fx, ports[i], SOFT_RESET_0), 0x47800);
        assert_int_equal(host_stores(fx, ports[i], SOFT_RESET_0, 0x47000), TF_EACCESS);
        assert_int_equal(host_word(fx, ports[i], SOFT_RESET_0), 0x47800);
        why = tf_node_store(fx_node(fx, ports[i].x, ports[i].y), 0, SOFT_RESET_0, 0, &category);
        assert_non_null(strstr(why, "runs no programs here"));
        assert_int_equal(category, TF_FAULT_UNIMPLEMENTED);
    }
}

/* Writes and reads of a tile, with the alignment of L1. They reach L1 in both modes of a NIU. In one of them, addresses
   from 0 on are DRAM; in the other one they are L1, too. */
static void requests_reach_l1(void **state)
{
    struct fx *fx = *state;
    struct tf_niu *niu = fx_niu(fx, 2, 3, 0);
    const uint32_t own = FX_XY(2, 3), to = FX_XY(17, 12);
    for (unsigned mode = 0; mode < 2; mode++) {
        struct fx_regs regs = {.targ = 0x1010, .targ_hi = own, .ret = L1 + 0x30, .ret_hi = to, .length = 48};
        fx_fill(niu->node->l1 + 0x1010, 48, mode);
        regs.ctrl = FX_WRITE | FX_RESP;
        assert_int_equal(fx_command(niu, 0, &regs), TF_ACCESS_OK);
        fx_deliver(fx);
        regs = (struct fx_regs){.targ = L1 + 0x30, .targ_hi = to, .ret = 0x2000, .ret_hi = own, .length = 48};
        assert_int_equal(fx_command(niu, 0, &regs), TF_ACCESS_OK);
        fx_deliver(fx);
        assert_memory_equal(niu->node->l1 + 0x2000, niu->node->l1 + 0x1010, 48);
        assert_int_equal(fx->fault.count, 0);
        for (unsigned i = 0; i < fx->fabric.nodes; i++)
            if (fx->fabric.node[i].kind == TF_NODE_DRAM)
                fx->fabric.node[i].niu[0].config[TF_NIU_CFG_0] &= ~TF_NIU_CFG_0_AXI_SUBORDINATE;
    }
    const struct fx_regs plain = {.targ = 0x30, .targ_hi = to, .ret = 0x3030, .ret_hi = own, .length = 16};
    assert_int_equal(fx_command(niu, 0, &plain), TF_ACCESS_OK);
    fx_deliver(fx);
    assert_memory_equal(niu->node->l1 + 0x3030, niu->node->l1 + 0x1010, 16);
    assert_int_equal(fx->fault.count, 0);
    const struct fx_regs beyond = {.targ = L1_BYTES, .targ_hi = to, .ret_hi = own, .length = 16};
    assert_int_equal(fx_command(niu, 0, &beyond), TF_ACCESS_OK);
    fx_deliver(fx);
    fx_assert_fault(fx, "bit 15 of NIU_CFG_0");
}

static void wormhole_has_none(void **state)
{
    (void)state;
    struct fx *fx = fx_new_of(&tf_arch_wormhole, TF_MODE_DETERMINISTIC, TF_ATOMICS_ISA);
    for (unsigned i = 0; i < fx->fabric.nodes; i++) {
        struct tf_node *node = &fx->fabric.node[i];
        assert_null(node->core);
        if (node->kind == TF_NODE_DRAM)
            assert_int_equal(tf_node_place(node, L1), TF_PLACE_NOTHING);
    }
    fx_free(fx);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_tile_has_its_l1, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(registers_keep_values, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(dram_ends_at_registers, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(core_stays_in_reset, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(requests_reach_l1, fx_setup, fx_teardown),
        cmocka_unit_test(wormhole_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
