/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What tt-umd reads to discover the chips of a host, and their links: topology_discovery.cpp and its parts by family,
 * wait_arc_core_start() and ArcTelemetryReader. With a simulator it takes devices 0 to 31 of bus 0 (its issue 3353).
 */
#include "rig.h"

#include <stdbool.h>

#include "addresses.h"

#define DEVICES 32u

/* Where the readers of a family find things. */
static const struct family {
    uint32_t device;
    unsigned arc_x, arc_y, eth_x, eth_y; /* Ethernet tiles lie side by side, by translated coordinates */
    uint64_t arc;                        /* of the ARC tile on the NOC */
    uint64_t status, ready_mask, ready;  /* of the ARC's firmware */
    uint64_t table, values;              /* words with the addresses of telemetry */
    unsigned eth_tiles;
    uint32_t trained, untrained; /* a word of an Ethernet tile, and its value without a partner */
    uint32_t reset_bit;
} families[] = {
    {0xB140, 8, 0, 20, 25, 0, 0x80030408, 7, 5, 0x80030434, 0x80030430, 12, 0x7CC04, 2, 1u << 11},
    {0x401E, 0, 10, 18, 16, 0x800000000, 0x880030060, 0xFFFFFF80, 0xC0DE0000, 0x8800301D0, 0x8800301D4, 8, 0x1104, 3,
     1u << 11},
};

static const struct family *family_of(void)
{
    uint32_t device = lib.config_read(0, 0) >> 16;
    lib.wormhole = device == 0x401E;
    for (unsigned i = 0; i < sizeof families / sizeof families[0]; i++)
        if (families[i].device == device)
            return &families[i];
    fail_msg("no family has the device 0x%x", device);
    return NULL;
}

static void one_device_is_there(void **state)
{
    (void)state;
    unsigned devices = 0;
    for (uint32_t device = 0; device < DEVICES; device++) {
        uint32_t id = 0;
        SILENT(id = lib.config_read(device << 3, 0));
        devices += id != UINT32_MAX;
        assert_int_equal((id & 0xFFFF) == 0x1E52, device == 0);
    }
    assert_int_equal(devices, 1);
}

static uint32_t arc_word(const struct family *family, uint64_t address)
{
    uint32_t word = 0;
    SILENT(word = get32(&lib, family->arc_x, family->arc_y, address));
    return word;
}

/* The entry of a tag, through the tables to which the firmware points. */
static uint32_t telemetry(const struct family *family, uint32_t tag)
{
    uint64_t table = family->arc + arc_word(family, family->table),
             values = family->arc + arc_word(family, family->values);
    uint32_t count = arc_word(family, table + 4);
    assert_in_range(count, 1, 200);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t entry = arc_word(family, table + 8 + 4 * i);
        assert_true(entry >> 16 < count);
        if ((entry & 0xFFFF) == tag)
            return arc_word(family, values + 4 * (entry >> 16));
    }
    fail_msg("telemetry has no tag %u", tag);
    return 0;
}

enum { BOARD_HIGH = 1, BOARD_LOW = 2, BUNDLE = 28, ASIC_LOCATION = 52 };

static void firmware_is_up(void **state)
{
    (void)state;
    const struct family *family = family_of();
    assert_int_equal(arc_word(family, family->status) & family->ready_mask, family->ready);
    assert_true(telemetry(family, BUNDLE) >> 24 >= 18); /* the version from which tt-umd takes this telemetry */
    uint64_t board = (uint64_t)telemetry(family, BOARD_HIGH) << 32 | telemetry(family, BOARD_LOW);
    assert_true(board != 0);
}

/* A tile without a partner: its link is not trained, or its core is in reset, which ends its discovery. */
static void ethernet_tiles_have_no_partner(void **state)
{
    (void)state;
    const struct family *family = family_of();
    for (unsigned i = 0; i < family->eth_tiles; i++) {
        uint32_t link = 0, reset = 0;
        SILENT(link = get32(&lib, family->eth_x + i, family->eth_y, family->trained));
        SILENT(reset = get32(&lib, family->eth_x + i, family->eth_y, DEBUG_AT(SOFT_RESET_0)));
        assert_int_equal(link, family->untrained);
        assert_true(reset != UINT32_MAX);
    }
}

/* Blackhole: each Ethernet tile names its board and its place on it, and telemetry says the same. */
static void ethernet_tiles_name_their_board(void **state)
{
    (void)state;
    const struct family *family = family_of();
    if (family->device != 0xB140) {
        uint32_t disabled = 0;
        SILENT(disabled = get32(&lib, family->eth_x, family->eth_y, 0x1008)); /* Wormhole: mask of disabled ports */
        assert_int_equal(disabled, 0);
        return;
    }
    for (unsigned i = 0; i < family->eth_tiles; i++) {
        unsigned x = family->eth_x + i, y = family->eth_y;
        assert_int_equal(get32(&lib, x, y, 0x7CFC4), telemetry(family, BOARD_HIGH));
        assert_int_equal(get32(&lib, x, y, 0x7CFC8), telemetry(family, BOARD_LOW));
        assert_int_equal(get32(&lib, x, y, 0x7CFC0) >> 8 & 0xFF, telemetry(family, ASIC_LOCATION));
        assert_int_equal(get32(&lib, x, y, 0x7CFC0) >> 24, i); /* the logical number */
        assert_int_equal(get32(&lib, x, y, 0x7CFBC), 0x00010600);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_device_is_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(firmware_is_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ethernet_tiles_have_no_partner, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ethernet_tiles_name_their_board, set_up, tear_down),
    };
    if (api_load(&lib, TF_LIBTTSIM) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
