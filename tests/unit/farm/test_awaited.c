/* SPDX-License-Identifier: Apache-2.0 */
/* Which writes to the L1 of a quiet tile matter to it: writes that touch what it waits for, and in some states any
   write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "chip_wish.h"
#include "farm/chip/chip.h"
#include "tile/run/awaited.h"
#include "tile/run/awaited.h"
#include "tile/mmio/map/map.h"
#include "tile/mmio/mmio.h"
#include "tile/run/tile.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

static uint64_t pages_one_by_one(uint64_t address, uint64_t bytes)
{
    uint64_t pages = 0;
    for (uint64_t at = address; at < address + bytes; at++)
        pages |= 1ull << at / TF_AWAITED_PAGE_BYTES % 64;
    return pages;
}

static void test_pages(void **state)
{
    (void)state;
    static const uint64_t addresses[] = {0, 4, 0xFFC, 0x1000, 0x3F000, 0x3FFF0, 0x40000, 0x7EFFF, 0x17FFF0};
    static const uint64_t lengths[] = {1, 4, 16, 17, 4096, 4097, 16384, 62 * 4096, 63 * 4096 + 1, 80 * 4096};
    for (unsigned i = 0; i < sizeof addresses / sizeof *addresses; i++)
        for (unsigned k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            uint64_t wanted = pages_one_by_one(addresses[i], lengths[k]),
                     got = tf_awaited_pages(addresses[i], lengths[k]);
            assert_int_equal(got & wanted, wanted);
            if (lengths[k] <= 62 * 4096)
                assert_int_equal(got, wanted);
        }
}

/* A core loads words at up to three addresses, over and over. */
static void poll(struct tf_chip *chip, enum tf_core core, const uint32_t *addresses, unsigned count)
{
    struct tf_coord at;
    uint32_t code[16], pc = 0x10000 + 0x100 * (uint32_t)core;
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t rd = 5 + i; /* lui, addi, with the sign of the low part taken out */
        code[n++] = ((addresses[i] + 0x800) & 0xFFFFF000) | rd << 7 | 0x37;
        code[n++] = (addresses[i] & 0xFFF) << 20 | rd << 15 | rd << 7 | 0x13;
    }
    for (unsigned i = 0; i < count; i++)
        code[n++] = (5 + i) << 15 | 2 << 12 | (10 + i) << 7 | 0x03; /* lw */
    uint32_t offset = -4 * count;
    code[n++] = (offset >> 20 & 1) << 31 | (offset >> 1 & 0x3FF) << 21 | (offset >> 11 & 1) << 20 | (offset & 0xFF000) |
                0x6F;
    assert_int_equal(tf_tile_coord(NULL, 0, &at), TF_OK);
    assert_int_equal(tf_write(chip, at, pc, code, 4 * n), TF_OK);
    tf_core_stop(chip, 0, core);
    assert_int_equal(tf_core_set_pc(chip, 0, core, pc), TF_OK);
    assert_int_equal(tf_core_start(chip, 0, core), TF_OK);
}

#define POLL(chip, core, ...) \
    poll(chip, core, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static uint64_t awaited(struct tf_chip *chip)
{
    enum tf_end end;
    assert_int_equal(tf_run(chip, NULL, &end), TF_OK);
    assert_int_equal(end, TF_END_QUIET);
    return tf_tile_awaits(&chip->tiles.tile[0]);
}

static void test_tile(void **state)
{
    (void)state;
    struct chip_wish config;
    struct tf_chip *chip;
    chip_wish_init(&config);
    config.threads = 1;
    config.pin = false;
    assert_int_equal(chip_wish_create(&config, &chip, NULL), TF_OK);
    struct tf_tile *tile = &chip->tiles.tile[0];
    const uint64_t last = 1ull << (TF_L1_BYTES / TF_AWAITED_PAGE_BYTES - 1) % 64;
    const uint32_t local = TF_LOCAL_BASE + 0x8, mailbox = TF_MAILBOX_OF(3), stream = STREAM_AT(0, TF_STREAM_ACKED);
    assert_int_equal(awaited(chip), 0); /* all in reset */
    POLL(chip, TF_CORE_NC, 0x2008);
    assert_int_equal(awaited(chip), 1ull << 2);
    POLL(chip, TF_CORE_T1, 0x9000, TF_L1_BYTES - 4);
    assert_int_equal(awaited(chip), 1ull << 2 | 1ull << 9 | last);
    POLL(chip, TF_CORE_T1, 0x9000, TF_L1_BYTES - 4, local); /* its own RAM is not seen by others */
    assert_int_equal(awaited(chip), 1ull << 2 | 1ull << 9 | last);
    POLL(chip, TF_CORE_T1, 0x9000, stream);
    assert_int_equal(awaited(chip), TF_AWAITED_ALL);
    tf_core_stop(chip, 0, TF_CORE_T1);
    assert_int_equal(awaited(chip), 1ull << 2);
    POLL(chip, TF_CORE_T2, mailbox); /* blocked */
    assert_int_equal(awaited(chip), TF_AWAITED_ALL);
    tf_core_stop(chip, 0, TF_CORE_T2);
    assert_int_equal(awaited(chip), 1ull << 2);
    assert_int_equal(tf_mmio_store(tile, TF_CORE_T0, TF_INSTRN_BUF_BASE, 4, 0x02000000), TF_ACCESS_OK);
    assert_int_equal(tf_tile_awaits(tile), TF_AWAITED_ALL); /* the coprocessor has a NOP to execute */
    tf_core_stop(chip, 0, TF_CORE_T2);
    assert_int_equal(awaited(chip), 1ull << 2);
    POLL(chip, TF_CORE_B, 0x3000); /* not executed yet */
    assert_int_equal(tf_tile_awaits(tile), TF_AWAITED_ALL);
    tf_chip_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pages), cmocka_unit_test(test_tile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
