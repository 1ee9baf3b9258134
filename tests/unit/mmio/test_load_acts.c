/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tf_mmio_load_acts() knows each register whose load has an effect: a load of any register, by any core or the NOC,
 * changes the state of the tile exactly if it says so. Where it does, no load is an input of parking.
 */
#include "digest.h"
#include "farm/chip/chip.h"
#include "one_chip.h"
#include "tile/mmio/map/acts.h"
#include "tile/mmio/map/map.h"
#include "tile/run/tile.h"
#include "tilefarm_address.h"
#include "addresses.h"

static struct tf_tile *tile;

static void store(unsigned from, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_mmio_store(tile, from, address, 4, value), TF_ACCESS_OK);
}

/* Give each register that a load may change something to change, and others a value. */
static void fill_tensix(bool wormhole)
{
    for (unsigned to = 0; to < 4; to++)
        store(TF_CORE_B, TF_MAILBOX_BASE + 0x1000 * to, 0x70 + to); /* mailboxes */
    for (unsigned thread = 0; thread < 3; thread++)
        store(TF_CORE_B, TF_PC_BUF_BASE + 0x10000 * thread, 7 + thread); /* PCBufs */
    store(TF_CORE_T1, TF_GPR_BASE, 5);
    if (!wormhole)
        for (unsigned irq = 0; irq < 32; irq += 2)
            store(TF_FROM_NOC, PIC_AT(SW_INT) + 4 * irq, 1); /* SW_INT */
}

/* Wormhole's interrupts, and finished streams. */
static void fill_wormhole(void)
{
    store(TF_CORE_B, PIC_AT(BRISC_INT_NO), 0x7FFFF);
    for (unsigned irq = 0; irq < 8; irq++)
        store(TF_CORE_B, PIC_AT(NCRISC_INT_NO) + 4 * irq, 3);
    for (unsigned stream = 8; stream < 24; stream += 8) {
        const uint32_t at = TF_STREAM_BASE + 0x1000 * stream;
        store(TF_CORE_B, at + 4 * 10, 1 << 4 | 1 << 6);
        store(TF_CORE_B, at + 4 * 36, 1);
        store(TF_CORE_B, at + 4 * 27, 1);
    }
}

/* The registers that act in this state. */
static unsigned found;

static void check(unsigned from, uint32_t address)
{
    const enum tf_window_id window = tf_map_find(tile->arch->map, address);
    uint32_t value;
    bool pure = false;
    if (!(tile->arch->map->window[window].reached_by >> from & 1))
        return;
    const uint64_t before = test_digest(tile, tf_tile_hash);
    const unsigned faults = tile->faults.count;
    const bool acts = tf_mmio_load_acts(tile, from, window, address);
    if (test_digest(tile, tf_tile_hash) != before)
        fail_msg("tf_mmio_load_acts() changes something at 0x%08x", address);
    if (tf_mmio_load(tile, from, address, 4, &value, &pure) != TF_ACCESS_OK) {
        tile->faults.count = faults;
        if (from < TF_TILE_CORES)
            tile->hart[from].state = TF_CORE_RESET;
        return;
    }
    if ((test_digest(tile, tf_tile_hash) != before) != acts)
        fail_msg("a load from 0x%08x by %u does%s change something", address, from, acts ? " not" : "");
    if (acts && pure)
        fail_msg("a load from 0x%08x by %u has an effect, and is called pure", address, from);
    found += acts;
}

static void check_span(uint32_t first, uint32_t bytes)
{
    for (uint32_t address = first; address < first + bytes; address += 4)
        for (unsigned from = 0; from <= TF_FROM_NOC; from++)
            if (from == TF_FROM_NOC || from < tile->arch->cores)
                check(from, address);
}

/* Each word of each window, but of the overlay a few streams, and what repeats. */
static void check_all(void)
{
    check_span(TF_TDMA_BASE, 0x4000); /* TDMA-RISC, debug registers, PIC, pc snapshots */
    check_span(TF_STREAM_BASE, 0x1000);
    check_span(STREAM_AT(5, 0), 0x1000);
    check_span(STREAM_AT(63, 0), 0x1000);
    check_span(TF_GPR_BASE, 0x300);
    for (unsigned thread = 0; thread < 3; thread++)
        check_span(TF_PC_BUF_BASE + 0x10000 * thread, 0x80);
    for (unsigned reader = 0; reader < 4; reader++)
        check_span(TF_MAILBOX_BASE + 0x1000 * reader, 8);
    check_span(TF_CFG_BASE, 0x100);
}

static void make(const char *arch)
{
    struct chip_wish config = one_worker();
    config.arch = tf_arch_find(arch);
    config.go_on_after_fault = true;
    assert_int_equal(create_chip(&config), 0);
}

/* Loads of the clock latch its upper half: later than 2^32 cycles that shows. */
static void blackhole(void **state)
{
    (void)state;
    make("blackhole");
    tile = &chip->tiles.tile[0];
    fill_tensix(false);
    tile->cycle = 1ull << 33;
    check_all();
    assert_int_equal(found, 4 + 3 + 16 + 1);
}

static void wormhole(void **state)
{
    (void)state;
    make("wormhole");
    tile = &chip->tiles.tile[0];
    fill_tensix(true);
    fill_wormhole();
    tile->cycle = 1ull << 33;
    check_all();
    assert_true(found > 4 + 3 + 1 + 2);
}

static int reset(void **state)
{
    (void)state;
    found = 0;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(blackhole, reset, teardown),
        cmocka_unit_test_setup_teardown(wormhole, reset, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
