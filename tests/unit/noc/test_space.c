/* SPDX-License-Identifier: Apache-2.0 */
/* Address spaces of nodes, the host's accesses to them, and DRAM, which costs memory only where it is written. */
#include "fixture.h"
#include "noc/whole/host_access.h"
#include "noc/nodes/space.h"

#include <string.h>

#include "addresses.h"
#include "blackhole/tilefarm_family.h"

#define HIGH 0xFFFFFFFF00000000ull

static void test_host_memory(void **state)
{
    struct fx *fx = *state;
    struct tf_fabric *fabric = &fx->fabric;
    uint8_t data[100], got[100];
    fx_fill(data, sizeof data, 1);
    static const struct {
        unsigned x, y;
        uint64_t address;
    } places[] = {{1, 2, 3}, {16, 11, 0x17FF9C}, {1, 1, 0x7FF9C}, {10, 1, 1}, {0, 0, 7}, {9, 8, 0xFFFFFF9C}};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        struct tf_node *node = fx_node(fx, places[i].x, places[i].y);
        assert_int_equal(tf_node_write(fabric, node, places[i].address, data, 100), TF_OK);
        assert_int_equal(tf_node_read(fabric, node, places[i].address, got, 100), TF_OK);
        assert_memory_equal(got, data, 100);
        assert_int_equal(tf_node_write(fabric, node, places[i].address, NULL, 0), TF_OK);
        assert_int_equal(tf_node_read(fabric, node, places[i].address, NULL, 0), TF_OK);
    }
}

/* Registers of a tile begin at 0xFF000000, and end where addresses have more than 32 bits. */
static void test_first_register(void **state)
{
    struct fx *fx = *state;
    const struct tf_node *tiles[] = {fx_node(fx, 1, 2), fx_node(fx, 1, 1)};
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(tf_node_place(tiles[i], 0xFEFFFFFF), TF_PLACE_NOTHING);
        assert_int_equal(tf_node_place(tiles[i], 0xFF000000), TF_PLACE_REGISTER);
        assert_int_equal(tf_node_place(tiles[i], 0xFFFFFFFF), TF_PLACE_REGISTER);
        assert_int_equal(tf_node_place(tiles[i], 0x1FF000000), TF_PLACE_NOTHING);
    }
}

static void test_host_ranges(void **state)
{
    struct fx *fx = *state;
    struct tf_fabric *fabric = &fx->fabric;
    uint8_t data[64] = {1};
    static const struct {
        unsigned x, y;
        uint64_t address;
        unsigned bytes;
        int error;
    } accesses[] = {
        {1, 2, 0x17FFFF, 2, TF_ERANGE},
        {1, 2, 0x180000, 4, TF_ERANGE},
        {1, 2, 1ull << 32, 4, TF_ERANGE},
        {1, 2, TF_DEBUG_BASE + 0x1, 4, TF_EACCESS},
        {1, 2, TF_DEBUG_BASE, 8, TF_EACCESS},
        {1, 2, TF_TDMA_BASE, 4, TF_EACCESS},
        {1, 1, 0x7FFFF, 2, TF_ERANGE},
        {1, 1, TF_LOCAL_OF_B_BASE + 0x1000, 4, TF_EACCESS},
        {0, 0, 0xFFFFFFFF, 2, TF_ERANGE},
        {0, 0, 1ull << 32, 4, TF_ERANGE},
        {0, 0, TF_TDMA_BASE + 0xFFC, 8, TF_ERANGE},
        {0, 0, TF_NIU_BASE(0) + 0x300, 4, TF_EACCESS},
        {1, 0, 0, 4, TF_ERANGE},
        {8, 0, 0, 4, TF_EACCESS},
        {2, 0, 1ull << 60, 64, TF_EACCESS},
    };
    for (unsigned i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        struct tf_node *node = fx_node(fx, accesses[i].x, accesses[i].y);
        assert_int_equal(tf_node_write(fabric, node, accesses[i].address, data, accesses[i].bytes), accesses[i].error);
        assert_int_equal(tf_node_read(fabric, node, accesses[i].address, data, accesses[i].bytes), accesses[i].error);
    }
    assert_int_equal(fx_node(fx, 1, 2)->l1[0x17FFFF], 0); /* all or nothing */
}

/* Where the NIUs are, by kind of tile (the first table of MemoryMap.md). */
static void test_niu_bases(void **state)
{
    struct fx *fx = *state;
    static const struct {
        unsigned x, y;
        uint64_t address;
        unsigned noc;
    } places[] = {
        {3, 3, NIU_AT(0, NODE_ID), 0},        {3, 3, NIU_AT(1, NODE_ID), 1},
        {1, 1, NIU_AT(0, NODE_ID), 0},        {1, 1, NIU_AT(1, NODE_ID), 1},
        {0, 5, NIU_AT(0, NODE_ID), 0},        {0, 5, NIU_AT(1, NODE_ID), 1},
        {0, 5, HIGH | NIU_AT(1, NODE_ID), 1}, {1, 0, NIU_AT(0, NODE_ID), 0},
        {1, 0, NIU_AT(1, NODE_ID), 0},        {2, 0, HIGH | NIU_AT(0, NODE_ID), 0},
        {8, 0, HIGH | NIU_AT(1, NODE_ID), 0}, {8, 3, HIGH | NIU_AT(0, NODE_ID), 0},
        {8, 2, HIGH | NIU_AT(0, NODE_ID), 0},
    };
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        struct tf_node *node = fx_node(fx, places[i].x, places[i].y);
        uint32_t value;
        assert_int_equal(tf_node_read(&fx->fabric, node, places[i].address, &value, 4), TF_OK);
        assert_int_equal(value, node->niu[places[i].noc].node_id);
    }
    uint32_t value = 0;
    uint8_t category;
    assert_null(
        tf_node_load(fx_node(fx, 1, 0), 1, NIU_AT(0, NODE_ID), &value, &category)); /* through NOC 1: its own NIU */
    assert_int_equal(value, fx_niu(fx, 1, 0, 1)->node_id);
    assert_null(tf_node_load(fx_node(fx, 8, 0), 1, HIGH | NIU_AT(0, NODE_ID), &value, &category));
    assert_int_equal(value, fx_niu(fx, 8, 0, 1)->node_id);
    /* They can be configured too. */
    value = 0x55;
    assert_int_equal(tf_node_write(&fx->fabric, fx_node(fx, 8, 0), HIGH | NIU_CONFIG(0, 4), &value, 4), TF_OK);
    assert_int_equal(fx_niu(fx, 8, 0, 0)->config[TF_NIU_ROUTER_CFG_3], 0x55);
}

/* Copies of the NIU of the requesting NOC fill the last 16 MiB of a node without cores or memory. */
static void test_niu_copies(void **state)
{
    struct fx *fx = *state;
    static const struct {
        unsigned x, y;
        uint64_t first;
    } nodes[] = {{8, 0, HIGH}, {2, 0, HIGH}, {11, 0, HIGH}, {8, 2, HIGH}, {8, 3, HIGH}, {8, 9, HIGH},
                 {1, 0, 0},    {16, 0, 0},   {8, 1, 0},     {8, 11, 0},   {8, 10, 0}};
    static const uint64_t copies[] = {0xFF000000, 0xFF010000, TF_NIU_BASE(0), TF_NIU_BASE(1), 0xFFFF0000};
    for (unsigned i = 0; i < sizeof nodes / sizeof *nodes; i++)
        for (unsigned k = 0; k < sizeof copies / sizeof *copies; k++)
            for (unsigned noc = 0; noc < 2; noc++) {
                struct tf_node *node = fx_node(fx, nodes[i].x, nodes[i].y);
                uint64_t copy = nodes[i].first + copies[k];
                uint32_t value = 0;
                uint8_t category;
                assert_null(tf_node_load(node, noc, copy + 0x44, &value, &category));
                assert_int_equal(value, node->niu[noc].node_id);
                assert_null(tf_node_load(node, noc, copy + 0x148, &value, &category));
                assert_int_equal(value, node->niu[noc].config[TF_NIU_ID_LOGICAL]);
                assert_non_null(tf_node_load(node, noc, nodes[i].first + 0xFEFFFFFC, &value, &category));
                assert_null(tf_node_store(node, noc, copy + 0x110, 0x55 + k, &category));
                assert_int_equal(node->niu[noc].config[TF_NIU_ROUTER_CFG_3], 0x55 + k);
            }
}

static void test_memory_pointer(void **state)
{
    struct fx *fx = *state;
    bool zero;
    struct tf_node *tile = fx_node(fx, 3, 3), *dram = fx_node(fx, 9, 0);
    assert_ptr_equal(tf_node_memory(tile, 0x100, 4, false, &zero), tile->l1 + 0x100);
    assert_null(tf_node_memory(tile, 0x17FFFE, 4, false, &zero));
    assert_false(zero);
    assert_null(tf_node_memory(tile, NIU_AT(0, NODE_ID), 4, false, &zero));
    assert_null(tf_node_memory(fx_node(fx, 8, 0), 0, 4, false, &zero));
    assert_null(tf_node_memory(dram, 0x1000, 4, false, &zero));
    assert_true(zero);
    uint8_t *memory = tf_node_memory(dram, 0x1000, 4, true, &zero);
    assert_non_null(memory);
    *memory = 9;
    assert_ptr_equal(tf_node_memory(fx_node(fx, 9, 11), 0x1000, 4, false, &zero), memory);
    uint8_t got;
    assert_int_equal(tf_node_read(&fx->fabric, dram, 0x1000, &got, 1), TF_OK);
    assert_int_equal(got, 9);
}

/* Random writes and reads of a channel against a plain array, across blocks and granules. */
static void test_dram_random(void **state)
{
    struct fx *fx = *state;
    enum { WINDOW = 5 << 20, ROUNDS = 2000 };
    const uint64_t base = (1ull << 31) - (3 << 20);
    uint64_t random = test_seed(4);
    uint8_t *model = test_calloc(WINDOW, 1), *data = test_calloc(1, 200000);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t r = test_random64(&random);
        uint32_t bytes = (r & 7) == 0 ? 1 + (uint32_t)(r >> 8) % 200000 : 1 + (uint32_t)(r >> 8) % 300;
        uint32_t at = (uint32_t)(r >> 32) % (WINDOW - bytes);
        struct tf_node *port = fx_node(fx, 0, (unsigned[]){2, 3, 10}[round % 3]);
        if (r & 8) {
            fx_fill(data, bytes, (uint32_t)r);
            memcpy(model + at, data, bytes);
            assert_int_equal(tf_node_write(&fx->fabric, port, base + at, data, bytes), TF_OK);
        } else {
            assert_int_equal(tf_node_read(&fx->fabric, port, base + at, data, bytes), TF_OK);
            assert_memory_equal(data, model + at, bytes);
        }
    }
    uint8_t other;
    assert_int_equal(tf_node_read(&fx->fabric, fx_node(fx, 0, 0), base + 100, &other, 1), TF_OK);
    assert_int_equal(other, 0); /* another channel */
    test_free(model);
    test_free(data);
}

/* A single byte at either end of the channel does not take 4 GiB, and the rest reads as zero. */
static void test_dram_ends(void **state)
{
    struct fx *fx = *state;
    uint8_t byte = 0x81, zeros[4096] = {0}, got[4096];
    struct tf_node *node = fx_node(fx, 9, 7);
    assert_int_equal(tf_node_write(&fx->fabric, node, 0, &byte, 1), TF_OK);
    assert_int_equal(tf_node_write(&fx->fabric, node, 0xFFFFFFFF, &byte, 1), TF_OK);
    assert_int_equal(tf_node_read(&fx->fabric, node, 1, got, sizeof got), TF_OK);
    assert_memory_equal(got, zeros, sizeof got);
    assert_int_equal(tf_node_read(&fx->fabric, node, 0xFFFFFFFF, got, 1), TF_OK);
    assert_int_equal(got[0], 0x81);
    assert_int_equal(tf_node_read(&fx->fabric, node, 0x1000000 - 5, got, sizeof got), TF_OK);
    assert_memory_equal(got, zeros, sizeof got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_host_memory, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_first_register, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_host_ranges, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_niu_bases, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_niu_copies, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_memory_pointer, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_dram_random, fx_setup, fx_teardown),
        cmocka_unit_test_setup_teardown(test_dram_ends, fx_setup, fx_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
