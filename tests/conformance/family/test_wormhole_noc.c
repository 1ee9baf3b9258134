/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wormhole's NOC, as WormholeB0/NoC/MemoryMap.md, RoutingPaths.md and ARCTile/README.md have it: what the ARC tile
 * leads to, and what the hardware writes to an initiator.
 */
#include <stdlib.h>
#include <string.h>

#include "conformance/family/wormhole_fixture.h"
#include "tilefarm_address.h"

#define NIU0 TF_NIU_BASE(0)
#define INITIATOR_1 0x400u
#define AT(x, y, address) ((uint64_t)((x) | (y) << 6) << 36 | (address))

static const struct tf_coord tensix = {1, 1}, arc = {0, 10}, dram = {0, 0}, other_port = {0, 11};

static void put(struct tf_coord at, uint64_t address, uint32_t value)
{
    assert_int_equal(put_word(at, address, value), TF_OK);
}

/* A request by initiator 1 of a NIU in the first Tensix tile, and its end. */
static void request_on(unsigned noc, uint64_t target, uint64_t return_address, uint32_t ctrl, uint32_t at_len_be)
{
    const uint32_t words[][2] = {{0x00, (uint32_t)target},
                                 {0x04, (uint32_t)(target >> 32)},
                                 {0x0C, (uint32_t)return_address},
                                 {0x10, (uint32_t)(return_address >> 32)},
                                 {0x18, 0},
                                 {0x1C, ctrl},
                                 {0x20, at_len_be},
                                 {0x28, 1}};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        put(tensix, NIU0 + 0x10000 * noc + INITIATOR_1 + words[i][0], words[i][1]);
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(tf_fault_count(chip), 0);
}

static void request(uint64_t target, uint64_t return_address, uint32_t ctrl, uint32_t at_len_be)
{
    request_on(0, target, return_address, ctrl, at_len_be);
}

#define READ 0u
#define POSTED 0x2u
#define MULTICAST (1u << 5)
#define WRITE 0x12u /* with an answer */

/* ARCTile/README.md, "NoC to ARC tile": below 32 GiB it is DRAM D0, at the same addresses. */
static void test_dram_through_arc(void **state)
{
    (void)state;
    put(arc, 0x7FFFFFFC, 77);
    assert_int_equal(word_at(dram, 0x7FFFFFFC), 77);
    put(other_port, 0x40000000, 78);
    assert_int_equal(word_at(arc, 0x40000000), 78);
    assert_int_equal(word_at(arc, 0x10008002C), word_at(dram, 0x10008002C)); /* a NIU of D0's ports */
    assert_int_equal(word_at(arc, 0x10008002C) & 63, 0);
    uint32_t value = 0;
    assert_int_equal(tf_write(chip, arc, 0x80000000, &value, 4), TF_ERANGE); /* D0 has nothing there */
    assert_int_equal(word_at(arc, 0x880030060), 0xC0DE0001);                 /* the reset unit */

    uint8_t data[4096], got[sizeof data];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 11);
    assert_int_equal(tf_write(chip, tensix, 0x20000, data, sizeof data), TF_OK);
    request(AT(1, 1, 0x20000), AT(0, 10, 0x123000), WRITE, sizeof data);
    assert_int_equal(tf_read(chip, dram, 0x123000, got, sizeof got), TF_OK);
    assert_memory_equal(got, data, sizeof data);
    request(AT(0, 10, 0x123000), AT(1, 1, 0x30000), READ, sizeof data);
    assert_int_equal(tf_read(chip, tensix, 0x30000, got, sizeof got), TF_OK);
    assert_memory_equal(got, data, sizeof data);
    request(AT(1, 1, 0x20000), AT(0, 10, 0x5550000), READ, sizeof data); /* data of L1 land there */
    assert_int_equal(tf_read(chip, dram, 0x5550000, got, sizeof got), TF_OK);
    assert_memory_equal(got, data, sizeof data);
}

/* MemoryMap.md, "NOC_CMD_CTRL", with the tables that firmware sets up: (20, 21) is (3, 4), and (6, 7) on NOC 1. */
static void test_coordinates_are_written_back(void **state)
{
    (void)state;
    request(AT(20, 21, 0x20000), AT(18, 18, 0x30000), READ, 64);
    assert_int_equal(word_at(tensix, NIU0 + INITIATOR_1 + 0x04), 3 << 4 | 4 << 10);
    assert_int_equal(word_at(tensix, NIU0 + INITIATOR_1 + 0x10), 1 << 4 | 1 << 10);
    request(AT(16, 16, 0x10008002C), AT(1, 1, 0x3000C), READ, 4); /* high bits of the address stay */
    assert_int_equal(word_at(tensix, NIU0 + INITIATOR_1 + 0x04), 1);
    /* The start of a rectangle, too: of (18..21, 18..19). */
    request(AT(18, 18, 0x20000), AT(21, 19, 0x30000) | (uint64_t)(18 | 18 << 6) << 48, WRITE | MULTICAST, 32);
    assert_int_equal(word_at(tensix, NIU0 + INITIATOR_1 + 0x10), 4 << 4 | 2 << 10 | 1 << 16 | 1 << 22);
    request(AT(18, 18, 0x20000), AT(20, 21, 0x30000), POSTED, 32);
    assert_int_equal(word_at(tensix, NIU0 + INITIATOR_1 + 0x04), 1 << 4 | 1 << 10);
    assert_int_equal(word_at(tensix, NIU0 + INITIATOR_1 + 0x10), 3 << 4 | 4 << 10);
    /* Bits without meaning for a single node stay. */
    request(AT(20, 21, 0x20000) | 0x555ull << 48, AT(1, 1, 0x30000), READ, 64);
    assert_int_equal(word_at(tensix, NIU0 + INITIATOR_1 + 0x04), 3 << 4 | 4 << 10 | 0x555 << 16);
}

/* MemoryMap.md, "NOC_CTRL", bits 10 to 12: the NIU, y, x. RoutingPaths.md: NOC 0 moves along x first, NOC 1 along y. */
static void test_ports_of_first_router(void **state)
{
    (void)state;
    enum { NIU = 1, Y = 2, X = 4, MAJOR_Y = 1 << 16, SOURCE = 1 << 17 };
    static const struct {
        uint8_t x, y, x_start, y_start; /* x_start 0: one node */
        uint32_t flags, ports[2];       /* by NOC; the coordinates are those of NOC 0 */
    } cases[] = {
        {1, 1, 0, 0, 0, {NIU, NIU}},
        {4, 1, 0, 0, 0, {X, X}},
        {1, 9, 0, 0, 0, {Y, Y}},
        {4, 9, 0, 0, 0, {X, Y}},
        {4, 5, 2, 3, 0, {X, X}}, /* from outside, along the major axis */
        {4, 5, 2, 3, MAJOR_Y, {Y, Y}},
        {4, 5, 1, 3, 0, {Y, Y}}, /* in a column of the rectangle, or in a row */
        {4, 5, 2, 1, 0, {X, X}},
        {4, 5, 2, 1, MAJOR_Y, {X, X}},
        {4, 5, 1, 1, 0, {X | Y, X | Y}}, /* within */
        {4, 5, 1, 1, SOURCE, {NIU | X | Y, NIU | X | Y}},
        {4, 1, 1, 1, 0, {X, X}},
        {1, 5, 1, 1, 0, {Y, Y}},
        {1, 5, 1, 1, MAJOR_Y | SOURCE, {NIU | Y, NIU | Y}},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (unsigned noc = 0; noc < 2; noc++) {
            unsigned flip_x = noc == 0 ? 0 : 9, flip_y = noc == 0 ? 0 : 11, end = cases[i].x_start != 0 && noc == 1;
            uint64_t a = AT((unsigned)abs((int)flip_x - cases[i].x), (unsigned)abs((int)flip_y - cases[i].y), 0ull);
            uint64_t b = AT((unsigned)abs((int)flip_x - cases[i].x_start),
                            (unsigned)abs((int)flip_y - cases[i].y_start), 0ull);
            uint64_t own = AT(noc == 0 ? 1u : 8u, noc == 0 ? 1u : 10u, 0x20000ull);
            uint64_t to = (end ? b : a) | 0x30000;
            if (cases[i].x_start != 0)
                to |= (end ? a : b) >> 36 << 48;
            request_on(noc, own, to, WRITE | (cases[i].x_start != 0 ? MULTICAST : 0) | cases[i].flags | 7u << 10, 32);
            uint32_t ctrl = word_at(tensix, NIU0 + 0x10000 * noc + INITIATOR_1 + 0x1C);
            if ((ctrl >> 10 & 7) != cases[i].ports[noc])
                fail_msg("case %u on NOC %u: ports %u", i, noc, ctrl >> 10 & 7);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_dram_through_arc, setup, teardown),
        cmocka_unit_test_setup_teardown(test_coordinates_are_written_back, setup, teardown),
        cmocka_unit_test_setup_teardown(test_ports_of_first_router, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
