/* SPDX-License-Identifier: Apache-2.0 */
/* Windows beyond what ttsim takes: NOC 1, all orderings, linked, static virtual channel, any rectangle. */
#include "rig.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

static void configure(unsigned window, uint32_t low, uint32_t middle, uint32_t high)
{
    const uint32_t word[3] = {low, middle, high};
    for (unsigned i = 0; i < 3; i++) {
        uint32_t got = ~word[i];
        lib.write(WINDOW_CONFIG + 12 * window + 4 * i, &word[i], 4);
        lib.read(WINDOW_CONFIG + 12 * window + 4 * i, &got, 4);
        assert_int_equal(got, word[i]);
    }
}

static uint32_t word_through(unsigned window, uint64_t offset)
{
    uint32_t value = 0;
    uint64_t base = window < 202 ? BAR0 + window * 0x200000ull : BAR4 + (uint64_t)(window - 202) * 0x100000000;
    lib.read(base + offset, &value, 4);
    return value;
}

/* A request reaches the NIU of the endpoint that belongs to the request's NOC. */
static void test_noc_select(void **state)
{
    (void)state;
    uint64_t page = 0xFFFFFFFFFFB20000ull >> 21;
    uint32_t offset = NIU_AT(0, NODE_ID) % 0x200000;
    configure(3, (uint32_t)page, (uint32_t)(page >> 32) | 8 << 11 | 3 << 17, 0);
    assert_int_equal(word_through(3, offset), 0x10000000 | 12 << 19 | 17 << 12 | 3 << 6 | 8);
    configure(3, (uint32_t)page, (uint32_t)(page >> 32) | 8 << 11 | 3 << 17, 1 << 3);
    assert_int_equal(word_through(3, offset), 12 << 19 | 17 << 12 | (11 - 3) << 6 | (16 - 8));
}

/* The host's coordinates name one tile on both NOCs. */
static void test_both_nocs(void **state)
{
    (void)state;
    static const struct {
        unsigned x, y;
    } tiles[] = {{1, 2}, {16, 11}, {17, 12}, {18, 23}, {20, 25}, {31, 25}};
    for (unsigned i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        configure(9, 0, tiles[i].x << 11 | tiles[i].y << 17, 0);
        uint32_t value = 0x5000 + i;
        lib.write(BAR0 + 9 * 0x200000 + 0x1234, &value, 4);
        configure(9, 0, tiles[i].x << 11 | tiles[i].y << 17, 1 << 3);
        assert_int_equal(word_through(9, 0x1234), value);
    }
    /* Translation uses five of the six bits of a coordinate. */
    uint32_t value = 0, last = 5;
    lib.tile_read(63, 25, 0x1234, &value, 4);
    assert_int_equal(value, 0x5000 + last);
    lib.tile_read(31, 57, 0x1234, &value, 4);
    assert_int_equal(value, 0x5000 + last);
    REFUSED(lib.tile_read(64, 25, 0x1234, &value, 4), "name no tile");
    REFUSED(lib.tile_read(31, 64, 0x1234, &value, 4), "name no tile");
}

/* In the two upper rows there are no names: a corner of a multicast must lie on the grid there, or it is refused. */
static void test_corners(void **state)
{
    (void)state;
    static const struct {
        unsigned x_start, y_start, x_end, y_end;
    } off[] = {{17, 1, 5, 5}, {3, 3, 17, 1}};
    for (unsigned i = 0; i < sizeof off / sizeof off[0]; i++) {
        uint32_t value = 1;
        configure(9, 0, off[i].x_end << 11 | off[i].y_end << 17 | off[i].x_start << 23 | off[i].y_start << 29,
                  off[i].y_start >> 3 | 1 << 5);
        REFUSED(lib.write(BAR0 + 9 * 0x200000 + 0x1234, &value, 4), "name no tile");
    }
}

static void test_attributes(void **state)
{
    (void)state;
    put32(&lib, 4, 5, 0x100, 0xCAFE);
    for (uint32_t ordering = 0; ordering < 4; ordering++)
        for (uint32_t rest = 0; rest < 32; rest++) {
            configure(60, 0, 4 << 11 | 5 << 17, ordering << 6 | (rest & 3) << 8 | (rest >> 2 & 7) << 11);
            assert_int_equal(word_through(60, 0x100), 0xCAFE);
            configure(205, 0, 4 | 5 << 6 | ordering << 27 | (rest & 3) << 29, rest >> 2 & 7);
            assert_int_equal(word_through(205, 0x100), 0xCAFE);
        }
    configure(60, 0, 4 << 11 | 5 << 17 | 9 << 23, 0); /* a start without multicast is ignored */
    assert_int_equal(word_through(60, 0x100), 0xCAFE);
}

/* The largest window shows a whole DRAM channel. */
static void test_large_window(void **state)
{
    (void)state;
    static uint8_t data[3 << 20], got[3 << 20];
    fill(data, sizeof data, 5);
    configure(209, 0, 17 | 12 << 6, 0);
    uint64_t at = BAR4 + 7 * 0x100000000ull + 0x12345677;
    lib.write(at, data, sizeof data);
    lib.read(at, got, sizeof got);
    assert_memory_equal(data, got, sizeof data);
}

static void test_multicast(void **state)
{
    (void)state;
    uint32_t value = 0xABCD;
    configure(40, 0, 16 << 11 | 11 << 17 | 1 << 23 | 2u << 29, 1 << 5);
    lib.write(BAR0 + 40 * 0x200000ull + 0x200, &value, 4);
    REFUSED(word_through(40, 0x200), "cannot be read");
    put32(&lib, 3, 3, 0x200, 1);
    for (unsigned y = 2; y < 12; y++)
        for (unsigned x = 1; x < 17; x++)
            if (x != 8 && x != 9)
                assert_int_equal(get32(&lib, x, y, 0x200), x == 3 && y == 3 ? 1 : 0xABCD);
    configure(40, 0, 7 << 11 | 4 << 17 | 7 << 23 | 4u << 29, 1 << 5);
    value = 0x47000;
    lib.write(BAR0 + 40 * 0x200000ull, &value, 4);
    assert_int_equal(get32(&lib, 7, 4, 0), 0x47000);
    assert_int_equal(get32(&lib, 6, 4, 0), 0);
    /* A register, through a multicast window; tiles that opted out keep theirs. */
    put32(&lib, 2, 2, NIU_CONFIG(0, 2), get32(&lib, 2, 2, NIU_CONFIG(0, 2)) | 1 << 2);
    uint64_t page = DEBUG_AT(SOFT_RESET_0) >> 21;
    configure(40, (uint32_t)page, 4 << 11 | 2 << 17 | 1 << 23 | 2u << 29, 1 << 5);
    value = 0x40800;
    lib.write(BAR0 + 40 * 0x200000ull + DEBUG_AT(SOFT_RESET_0) % 0x200000, &value, 4);
    assert_int_equal(get32(&lib, 1, 2, DEBUG_AT(SOFT_RESET_0)), 0x40800);
    assert_int_equal(get32(&lib, 2, 2, DEBUG_AT(SOFT_RESET_0)), 0x47800);
    assert_int_equal(get32(&lib, 4, 2, DEBUG_AT(SOFT_RESET_0)), 0x40800);
    configure(40, 0, 8 << 11 | 4 << 17 | 8 << 23 | 4u << 29, 1 << 5);
    REFUSED(lib.write(BAR0 + 40 * 0x200000ull, &value, 4), "no Tensix tile");
}

/* The tiles that a strided multicast of the whole grid reaches, as one bit for each column of a row. */
static uint32_t row_reached(unsigned y, uint32_t mark)
{
    uint32_t columns = 0;
    for (unsigned x = 1; x < 17; x++)
        if (x != 8 && x != 9 && get32(&lib, x, y, 0x300) == mark)
            columns |= 1u << x;
    return columns;
}

/* receivers: num_destinations_override, which may stay 0 where the whole rectangle receives. */
static void multicast_strided(uint32_t strided, unsigned receivers, uint32_t mark)
{
    strided |= receivers << 21;
    configure(2, 0, 16 << 11 | 11 << 17 | 1 << 23 | 2u << 29, 1 << 5);
    lib.write(WINDOW_CONFIG + 4 * (630 + 2), &strided, 4);
    lib.write(BAR0 + 2 * 0x200000ull + 0x300, &mark, 4);
}

static void test_strided(void **state)
{
    (void)state;
    const uint32_t all = 0x1FCFE;
    multicast_strided(0, 0, 1);
    assert_int_equal(row_reached(2, 1), all);
    multicast_strided(1 | 1 << 2, 70, 2); /* every other column, from the first */
    assert_int_equal(row_reached(2, 2), all & 0x0AAAA);
    multicast_strided(2 | 1 << 2 | 1 << 4 | 3 << 6, 30, 3); /* two of three columns; one of four rows */
    assert_int_equal(row_reached(2, 3), all & 0x1B6DB6);
    assert_int_equal(row_reached(3, 3), 0);
    assert_int_equal(row_reached(6, 3), all & 0x1B6DB6);
    multicast_strided(3, 0, 4); /* keep without skip */
    assert_int_equal(row_reached(2, 4), all);
    multicast_strided(12 << 8 | 6 << 13 | 1 << 17 | 1 << 18 | 1 << 19, 110, 5); /* not x >= 12 and y >= 6 */
    assert_int_equal(row_reached(5, 5), all);
    assert_int_equal(row_reached(6, 5), all & 0x0FFF);
    multicast_strided(12 << 8 | 6 << 13 | 1 << 19, 90, 6); /* not x <= 12 and y <= 6 */
    assert_int_equal(row_reached(6, 6), all & ~0x1FFFu);
    assert_int_equal(row_reached(7, 6), all);
    multicast_strided(12 << 8 | 6 << 13, 140, 7);
    assert_int_equal(row_reached(6, 7), all);
}

/* Demands of HostToDeviceTLBs.md on strided words. They give the number of receivers. They do not skip across an edge
   by a pattern that does not repeat after a power of two. */
static void test_bad_stride(void **state)
{
    (void)state;
    const uint64_t window = BAR0 + 2 * 0x200000 + 0x300;
    const uint32_t all = 0x1FCFE, mark = 2;
    uint32_t word;
    multicast_strided(0, 0, 1);
    REFUSED(multicast_strided(1 | 1 << 2, 0, mark), "num_destinations_override");
    REFUSED(multicast_strided(1 | 1 << 2, 71, mark), "num_destinations_override");
    REFUSED(multicast_strided(0, 139, mark), "num_destinations_override");
    assert_int_equal(row_reached(2, 1), all);
    configure(2, 0, 3 << 11 | 2 << 17 | 14 << 23 | 2u << 29, 1 << 5); /* columns 14 to 3, across the edge */
    word = 2 | 1 << 2 | 4 << 21;
    lib.write(WINDOW_CONFIG + 4 * (630 + 2), &word, 4);
    REFUSED(lib.write(window, &mark, 4), "is not a power of two");
    word = 1 | 3 << 2 | 2 << 21;
    lib.write(WINDOW_CONFIG + 4 * (630 + 2), &word, 4);
    SILENT(lib.write(window, &mark, 4));
    assert_int_equal(row_reached(2, 2), 1 << 14 | 1 << 2);
    configure(2, 0, 3 << 11 | 3 << 17 | 3 << 23 | 11u << 29, 11 >> 3 | 1 << 5); /* rows 11 to 3, across the edge */
    word = 1 << 4 | 2 << 6 | 2 << 21;
    lib.write(WINDOW_CONFIG + 4 * (630 + 2), &word, 4);
    REFUSED(lib.write(window, &mark, 4), "is not a power of two");
}

static void test_tile_functions(void **state)
{
    (void)state;
    uint8_t data[1000], got[1000];
    fill(data, sizeof data, 3);
    lib.tile_write(31, 25, 0x7000, data, sizeof data);
    get(&lib, 11, 1, 0x7000, got, sizeof got); /* channel 11 */
    lib.tile_read(31, 25, 0x7000, got, sizeof got);
    assert_memory_equal(data, got, sizeof data);
    uint32_t held = 0;
    lib.tile_read(16, 11, DEBUG_AT(SOFT_RESET_0), &held, 4);
    assert_int_equal(held, 0x47800);
    uint32_t pair[2];
    lib.tile_read(16, 11, NIU_AT(0, NODE_ID), pair, 8); /* registers in a row */
    assert_int_equal(pair[0] & 0xFFF, 16 | 11 << 6);
    assert_int_equal(pair[1] >> 16 & 0xFF, 0x01);
}

/* Tiles that have only NIUs. */
static void test_identification(void **state)
{
    (void)state;
    for (unsigned noc = 0; noc < 2; noc++)
        for (unsigned i = 0; i < 4; i++) {
            static const unsigned at[][2] = {{8, 2}, {8, 3}, {8, 9}, {8, 0}};
            uint64_t page = 0xFFFFFFFFFFB20000ull >> 21;
            configure(3, (uint32_t)page, (uint32_t)(page >> 32) | at[i][0] << 11 | at[i][1] << 17, noc << 3);
            uint32_t id = word_through(3, NIU_AT(0, NODE_ID) % 0x200000) & 0xFFF;
            assert_int_equal(id, noc ? (16 - at[i][0]) | (11 - at[i][1]) << 6 : at[i][0] | at[i][1] << 6);
        }
    assert_int_equal(get32(&lib, 3, 0, NIU_AT(0, NODE_ID)) & 0xFFF, 3);
    for (unsigned x = 2; x <= 11; x += 9) { /* the PCIe tile that is connected, and the other one */
        assert_int_equal(get32(&lib, x, 0, 0xFFFFFFFFFF000044) & 0xFFF, x);
        assert_int_equal(get32(&lib, x, 0, 0xFFFFFFFFFF000048) >> 8 & 0xFFFF, 0x0300);
    }
}

int main(void)
{
    if (api_load(&lib, TF_LIBTTSIM) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_noc_select, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_both_nocs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_corners, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_attributes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_large_window, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_multicast, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_strided, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_stride, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tile_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_identification, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
