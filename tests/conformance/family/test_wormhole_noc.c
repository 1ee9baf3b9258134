/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wormhole's NOC, as WormholeB0/NoC/MemoryMap.md, RoutingPaths.md and ARCTile/README.md have it: what the ARC tile
 * leads to.
 */
#include <string.h>

#include "wormhole_chip.h"

#define NIU0 0xFFB20000u
#define INITIATOR_1 0x400u
#define AT(x, y, address) ((uint64_t)((x) | (y) << 6) << 36 | (address))

static const struct tf_coord tensix = {1, 1}, arc = {0, 10}, dram = {0, 0}, other_port = {0, 11};
static struct tf_chip *chip;

static int setup(void **state)
{
    (void)state;
    chip = wormhole_chip();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    tf_chip_destroy(chip);
    return 0;
}

static uint32_t word(struct tf_coord at, uint64_t address)
{
    uint32_t value;
    assert_int_equal(tf_read(chip, at, address, &value, sizeof value), TF_OK);
    return value;
}

static void put(struct tf_coord at, uint64_t address, uint32_t value)
{
    assert_int_equal(tf_write(chip, at, address, &value, sizeof value), TF_OK);
}

/* A request by initiator 1 of NIU 0 in the first Tensix tile, and its end. */
static void request(uint64_t target, uint64_t back, uint32_t ctrl, uint32_t at_len_be)
{
    const uint32_t words[][2] = {{0x00, (uint32_t)target},
                                 {0x04, (uint32_t)(target >> 32)},
                                 {0x0C, (uint32_t)back},
                                 {0x10, (uint32_t)(back >> 32)},
                                 {0x18, 0},
                                 {0x1C, ctrl},
                                 {0x20, at_len_be},
                                 {0x28, 1}};
    for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
        put(tensix, NIU0 + INITIATOR_1 + words[i][0], words[i][1]);
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(tf_fault_count(chip), 0);
}

#define READ 0u
#define WRITE 0x12u /* with an answer */

/* ARCTile/README.md, "NoC to ARC tile": below 32 GiB it is DRAM D0, at the same addresses. */
static void test_dram_through_arc(void **state)
{
    (void)state;
    put(arc, 0x7FFFFFFC, 77);
    assert_int_equal(word(dram, 0x7FFFFFFC), 77);
    put(other_port, 0x40000000, 78);
    assert_int_equal(word(arc, 0x40000000), 78);
    assert_int_equal(word(arc, 0x10008002C), word(dram, 0x10008002C)); /* a NIU of D0's ports */
    assert_int_equal(word(arc, 0x10008002C) & 63, 0);
    uint32_t value = 0;
    assert_int_equal(tf_write(chip, arc, 0x80000000, &value, 4), TF_ERANGE); /* D0 has nothing there */
    assert_int_equal(word(arc, 0x880030060), 0xC0DE0001);                    /* the reset unit */

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_dram_through_arc, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
