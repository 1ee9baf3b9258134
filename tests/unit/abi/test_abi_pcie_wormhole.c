/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The PCIe controller of Wormhole: eight channels of each DMA engine, linked lists, and the inbound iATU. Sources:
 * WormholeB0/PCIExpressTile/README.md, "bar 2"; Linux's dw-edma-v0-regs.h and dw-edma-v0-core.c; tt-kmd's wormhole.c.
 */
#include "rig.h"

#define TO_HOST 0x200u
#define FROM_HOST 0x300u
#define CHANNEL(n) (0x200u * (n))
#define LIST 0x100000u /* window 1, in L1 */

static void set(uint32_t offset, uint32_t value)
{
    lib.write(BAR2 + offset, &value, sizeof value);
}

static uint32_t word(uint64_t address)
{
    uint32_t value = 0;
    lib.read(address, &value, sizeof value);
    return value;
}

/* Point a window of 1 MiB at L1 of (1, 1), from an address on. */
static void window(unsigned n, uint32_t address)
{
    uint64_t config = address >> 20 | 1ull << 16 | 1ull << 22;
    lib.write(WINDOW_CONFIG + 8 * n, &config, sizeof config);
}

static void transfer(uint32_t channel, uint32_t bytes, uint32_t from, uint32_t to)
{
    set(channel + 0x08, bytes);
    set(channel + 0x0C, from);
    set(channel + 0x10, 0);
    set(channel + 0x14, to);
    set(channel + 0x18, 0);
}

static uint32_t host(uint64_t address)
{
    uint32_t value;
    host_reads(address, &value, sizeof value);
    return value;
}

static void put_host(uint64_t address, uint32_t value)
{
    host_writes(address, &value, sizeof value);
}

/* An access may end where its window ends, but not beyond. */
static void test_end_of_window(void **state)
{
    (void)state;
    const uint64_t last = BAR0 + 0x100000 - 4;
    const uint32_t value = 0xC0FFEE;
    uint64_t more;
    window(0, 0);
    lib.write(last, &value, sizeof value);
    assert_int_equal(word(last), value);
    REFUSED(lib.read(last, &more, sizeof more), "past the end of its window");
    /* Registers are accessed as aligned words. */
    for (uint32_t i = 0; i < 4; i++)
        REFUSED(lib.read(BAR2 + i, &more, i == 0 ? 8 : 4), "4 bytes");
}

static void test_channels(void **state)
{
    (void)state;
    window(0, 0);
    assert_int_equal(word(BAR2 + 0x008), 0x00080008); /* channels */
    REFUSED(set(0x008, 1), "read-only");
    for (unsigned n = 0; n < 8; n++)
        put_host(0x3000 + 4 * n, 0xA0 + n);
    set(0x0CC, 0x5000);
    for (unsigned i = 0; i < 4; i++)
        set(0x0DC + 4 * i, 0x0201u * (2 * i + 1) | 0x0201u * (2 * i + 2) << 16);
    for (unsigned n = 0; n < 8; n++) {
        transfer(FROM_HOST + CHANNEL(n), 4, 0x3000 + 4 * n, 0x8000 + 16 * n);
        set(0x030, n);
        assert_int_equal(host(0x5000), 0x0201u * (n + 1));
        assert_int_equal(word(BAR0 + 0x8000 + 16 * n), 0xA0 + n);
        assert_int_equal(word(BAR2 + 0x0A0), (2u << n) - 1);
        assert_int_equal(word(BAR2 + FROM_HOST + CHANNEL(n)) & 0x60, 0x60); /* stopped */
    }
    set(0x0AC, 0x0F);
    assert_int_equal(word(BAR2 + 0x0A0), 0xF0);
    assert_int_equal(word(BAR2 + 0x04C), 0); /* the other engine */
    transfer(TO_HOST + CHANNEL(7), 128, 0x8000, 0x6000);
    set(0x010, 7);
    assert_int_equal(host(0x6000 + 16 * 7), 0xA7);
    assert_int_equal(word(BAR2 + 0x04C), 0x80);
    REFUSED(set(0x010, 8), "accepts the number of a channel");
    REFUSED(set(0x04C, 0), "read-only");
    REFUSED(word(BAR2 + 0x228), "no register at this");
    REFUSED(word(BAR2 + 0x204), "no register at this");
    SILENT(set(0x010, 1u << 31 | 7)); /* stop what has already ended */
}

static void element(uint32_t at, uint32_t control, uint32_t bytes, uint32_t from, uint32_t to)
{
    const uint32_t words[] = {control, bytes, from, 0, to, 0};
    lib.write(BAR0 + at, words, sizeof words);
}

/* Two elements, a link back that toggles the cycle, and two more elements of the next cycle, as Linux lets channels
   run. */
static void test_lists(void **state)
{
    (void)state;
    window(0, 0);
    window(1, 0x100000);
    for (unsigned i = 0; i < 8; i++)
        put_host(0x3000 + 4 * i, 0xB0 + i);
    element(LIST + 0x00, 1, 4, 0x3000, 0x9000);
    element(LIST + 0x18, 1 | 3 << 3, 8, 0x3004, 0x9100); /* with both interrupts */
    element(LIST + 0x30, 2 | 4, 0, LIST, 0);
    set(0x0D4 - 8, 0x5000);
    set(0x0E0, 0x7777);
    put_host(0x5000, 0);
    set(FROM_HOST + CHANNEL(2), 3 << 8);
    set(FROM_HOST + CHANNEL(2) + 0x1C, LIST);
    set(FROM_HOST + CHANNEL(2) + 0x20, 0);
    set(0x030, 2);
    assert_int_equal(word(BAR0 + 0x9000), 0xB0);
    assert_int_equal(word(BAR0 + 0x9104), 0xB2);
    assert_int_equal(host(0x5000), 0x7777);
    assert_int_equal(word(BAR2 + 0x0A0), 1 << 2);
    assert_int_equal(word(BAR2 + FROM_HOST + CHANNEL(2)), 2 << 8 | 0x60); /* the other cycle */
    assert_int_equal(word(BAR2 + FROM_HOST + CHANNEL(2) + 0x1C), LIST);

    put_host(0x5000, 0);
    set(0x0AC, 0xFF);
    set(0x0A8, 1 << 2); /* masked: nothing is written at the end */
    element(LIST + 0x00, 0 | 3 << 3, 4, 0x300C, 0x9200);
    set(0x030, 2);
    assert_int_equal(word(BAR0 + 0x9200), 0xB3);
    assert_int_equal(word(BAR0 + 0x9000), 0xB0);
    assert_int_equal(host(0x5000), 0);
    assert_int_equal(word(BAR2 + 0x0A0), 1 << 2);
    assert_int_equal(word(BAR2 + FROM_HOST + CHANNEL(2) + 0x1C), LIST + 0x18); /* an element of the other cycle */
}

static void test_bad_lists(void **state)
{
    (void)state;
    window(1, 0x100000);
    element(LIST, 4, 0, LIST, 0);
    set(TO_HOST, 3 << 8);
    set(TO_HOST + 0x1C, LIST);
    REFUSED(set(0x010, 0), "has no end");
    set(TO_HOST + 0x1C, LIST + 2);
    REFUSED(set(0x010, 0), "multiple of 4");
    set(TO_HOST + 0x20, 1);
    REFUSED(set(0x010, 0), "offset in BAR 0");
}

static void region(unsigned n, uint32_t base, uint32_t limit, uint32_t target, uint32_t control)
{
    uint32_t at = 0x1300 + 0x200 * n;
    set(at + 0x04, 0);
    set(at + 0x08, base);
    set(at + 0x0C, (uint32_t)(BAR0 >> 32));
    set(at + 0x10, limit);
    set(at + 0x14, target);
    set(at + 0x18, 0);
    set(at + 0x04, control);
}

static void test_inbound(void **state)
{
    (void)state;
    const uint32_t driver = 1u << 31 | 1 << 30 | 1 << 27 | 4 << 8;
    window(0, 0);
    window(2, 0);
    uint32_t value = 0xC0FFEE;
    lib.write(BAR0 + 0x9004, &value, 4);
    assert_int_equal(word(BAR4 + 0x1C00000), word(BAR0 + 0x1FC00000)); /* without a region: the end of BAR 0 */
    region(5, 0, 0, 0x1E000000, driver);
    assert_int_equal(word(BAR4 + 0x1C00000), word(BAR0 + 0x1FC00000));
    region(5, 0, 0, 0x200000, driver);
    assert_int_equal(word(BAR4 + 0x9004), 0xC0FFEE); /* window 2 */
    /* By addresses. The first region that contains an address is used. */
    region(1, 0x300000, 0x300FFF, 0x9000, 1u << 31);
    assert_int_equal(word(BAR0 + 0x300004), 0xC0FFEE);
    region(0, 0x300000, 0x300FFF, 0x1FC00000, 1u << 31);
    assert_int_equal(word(BAR0 + 0x300004), word(BAR0 + 0x1FC00004));
    region(0, 0x300000, 0x300FFF, 0x20000000, 1u << 31);
    REFUSED(word(BAR0 + 0x300004), "leads out");
    REFUSED(set(0x1304, 1u << 31 | 1 << 30 | 2 << 8), "BAR 0 or BAR 4");
    REFUSED(set(0x1304, 1u << 29), "are implemented");
    REFUSED(region(0, 0x300000, 0x2FFFFF, 0, 1u << 31), "above its limit");
    REFUSED(set(0x1300, 1), "control 1");
}

/* The engines see the target space of the iATU. */
static void test_dma_behind_inbound(void **state)
{
    (void)state;
    window(0, 0);
    window(4, 0x100000);
    region(0, 0, 0xFFFFF, 0x400000, 1u << 31);
    put_host(0x3000, 0xD1);
    transfer(FROM_HOST, 4, 0x3000, 0x9000);
    set(0x030, 0);
    set(0x1304, 0);
    assert_int_equal(word(BAR0 + 0x9000), 0xD1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_end_of_window, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_channels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_lists, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_inbound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_dma_behind_inbound, set_up, tear_down),
    };
    if (api_load(&lib, TF_LIBTTSIM) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
