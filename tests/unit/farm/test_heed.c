/* SPDX-License-Identifier: Apache-2.0 */
/* Which writes to the L1 of a quiet tile concern it: all that touch what it waits for, and for some states any. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "host/zeroed.h"
#include "tile/heed.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tile/tile.h"

static uint64_t pages_one_by_one(uint64_t address, uint64_t bytes)
{
    uint64_t pages = 0;
    for (uint64_t at = address; at < address + bytes; at++)
        pages |= 1ull << at / TF_HEED_PAGE_BYTES % 64;
    return pages;
}

static void test_pages(void **state)
{
    (void)state;
    static const uint64_t addresses[] = {0, 4, 0xFFC, 0x1000, 0x3F000, 0x3FFF0, 0x40000, 0x7EFFF, 0x17FFF0};
    static const uint64_t lengths[] = {1, 4, 16, 17, 4096, 4097, 16384, 62 * 4096, 63 * 4096 + 1, 80 * 4096};
    for (unsigned i = 0; i < sizeof addresses / sizeof *addresses; i++)
        for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            uint64_t wanted = pages_one_by_one(addresses[i], lengths[k]), got = tf_heed_pages(addresses[i], lengths[k]);
            assert_int_equal(got & wanted, wanted);
            if (lengths[k] <= 62 * 4096)
                assert_int_equal(got, wanted);
        }
}

static struct tf_tile *new_tile(void)
{
    struct tf_tile *tile = tf_zeroed_lines(sizeof *tile);
    assert_non_null(tile);
    tile->arch = &tf_arch_blackhole.tile[TF_TILE_TENSIX];
    tile->l1 = calloc(1, tile->arch->l1_bytes);
    tile->tensix = calloc(1, sizeof *tile->tensix);
    assert_true(tile->l1 != NULL && tile->tensix != NULL);
    tile->tensix->frontend = calloc(1, sizeof *tile->tensix->frontend);
    assert_non_null(tile->tensix->frontend);
    tile->tensix->frontend->asleep = true;
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        tile->hart[core].core = (uint8_t)core;
    return tile;
}

static void free_tile(struct tf_tile *tile)
{
    free(tile->l1);
    free(tile->tensix->frontend);
    free(tile->tensix);
    free(tile);
}

static void park(struct tf_hart *hart, const void *at)
{
    static struct tf_input input[TF_TILE_CORES][TF_PARK_INPUTS];
    hart->state = TF_CORE_PARKED;
    hart->park.input = input[hart->core];
    input[hart->core][hart->park.inputs++] = (struct tf_input){.at = at, .size = 4};
}

static void test_tile(void **state)
{
    (void)state;
    struct tf_tile *tile = new_tile();
    _Alignas(16) uint8_t local[64];
    assert_int_equal(tf_tile_heeds(tile), 0); /* all in reset */
    tile->hart[0].state = TF_CORE_FAULTED;
    assert_int_equal(tf_tile_heeds(tile), 0);
    park(&tile->hart[1], tile->l1 + 0x2008);
    park(&tile->hart[3], tile->l1 + 0x9000);
    park(&tile->hart[3], tile->l1 + tile->arch->l1_bytes - 4);
    uint64_t last = tile->arch->l1_bytes / TF_HEED_PAGE_BYTES - 1;
    assert_int_equal(tf_tile_heeds(tile), 1ull << 2 | 1ull << 9 | 1ull << last % 64);
    tile->hart[3].local = local;
    tile->hart[3].local_bytes = sizeof local;
    park(&tile->hart[3], local + 8);
    assert_int_equal(tf_tile_heeds(tile), 1ull << 2 | 1ull << 9 | 1ull << last % 64);
    park(&tile->hart[3], NULL); /* a register */
    assert_int_equal(tf_tile_heeds(tile), TF_HEED_ALL);
    tile->hart[3].state = TF_CORE_RESET;
    assert_int_equal(tf_tile_heeds(tile), 1ull << 2);
    park(&tile->hart[1], local); /* another's */
    assert_int_equal(tf_tile_heeds(tile), TF_HEED_ALL);
    tile->hart[1].state = TF_CORE_RESET;
    tile->tensix->frontend->asleep = false;
    assert_int_equal(tf_tile_heeds(tile), TF_HEED_ALL);
    tile->tensix->frontend->asleep = true;
    tile->hart[4].state = TF_CORE_RUNNING;
    assert_int_equal(tf_tile_heeds(tile), TF_HEED_ALL);
    free_tile(tile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pages), cmocka_unit_test(test_tile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
