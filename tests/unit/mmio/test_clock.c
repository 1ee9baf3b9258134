/* SPDX-License-Identifier: Apache-2.0 */
/* DebugTimestamper.md: the wall clock and its latch, event streams; the watchdog's counter. */
#include "fixture.h"
#include "addresses.h"
#include "tile/mmio/pic.h"

#define BASE TF_DEBUG_BASE
#define CLOCK_L (BASE + 0x1F0)
#define CLOCK_LIVE_H (BASE + 0x1F4)
#define CLOCK_H (BASE + 0x1F8)
#define STAMP (BASE + 0x1FC)
#define CNTL (BASE + 0x200)
#define STATUS (BASE + 0x204)
#define START(i) (BASE + 0x208 + 8 * (i))
#define END(i) (BASE + 0x20C + 8 * (i))
#define WDT (BASE + 0x1E0)
#define WDT_CNTL (BASE + 0x1E4)
#define WDT_STATUS (BASE + 0x1E8)
#define HW_EN(core) (PIC_AT(BRISC_HW_INT_EN) + 12 * (core))
#define HW_INT(i) (PIC_AT(HW_INT) + 4 * (i))
#define HW_INT_PC(i) (PIC_AT(HW_INT_PC) + 4 * (i))

static uint32_t l1_word(struct fixture *fixture, uint32_t unit, unsigned word)
{
    uint32_t value;
    memcpy(&value, fixture->tile.l1 + unit * 16 + word * 4, 4);
    return value;
}

static void expect_unit(struct fixture *fixture, uint32_t unit, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    assert_int_equal(l1_word(fixture, unit, 0), a);
    assert_int_equal(l1_word(fixture, unit, 1), b);
    assert_int_equal(l1_word(fixture, unit, 2), c);
    assert_int_equal(l1_word(fixture, unit, 3), d);
}

static void buffers(struct fixture *fixture, uint32_t start0, uint32_t end0, uint32_t start1, uint32_t end1)
{
    store(fixture, NOC, START(0), start0);
    store(fixture, NOC, END(0), end0);
    store(fixture, NOC, START(1), start1);
    store(fixture, NOC, END(1), end1);
}

static void the_high_half_is_latched(void **state)
{
    struct fixture *fixture = *state;
    fixture->tile.cycle = 0x1FFFFFFFF;
    assert_int_equal(load_pure(fixture, TF_CORE_T0, CLOCK_L, false), 0xFFFFFFFF);
    fixture->tile.cycle = 0x200000005;
    assert_int_equal(load_pure(fixture, TF_CORE_T0, CLOCK_H, true), 1);
    assert_int_equal(load_pure(fixture, NOC, CLOCK_LIVE_H, false), 2);
    assert_int_equal(load(fixture, TF_CORE_T0, CLOCK_H), 1);
    store(fixture, TF_CORE_B, CLOCK_L, 1234); /* latches too, and changes nothing else */
    assert_int_equal(load(fixture, TF_CORE_T0, CLOCK_H), 2);
    assert_int_equal(load(fixture, TF_CORE_T0, CLOCK_L), 5);
    store(fixture, TF_CORE_B, CLOCK_LIVE_H, 9);
    store(fixture, TF_CORE_B, CLOCK_H, 9);
    assert_int_equal(load(fixture, TF_CORE_T0, CLOCK_H), 2);
    assert_int_equal(load(fixture, TF_CORE_T0, CLOCK_LIVE_H), 2);
}

static void events_of_128_bits(void **state)
{
    struct fixture *fixture = *state;
    buffers(fixture, 0x100, 0x102, 0, 0);
    fixture->tile.cycle = 0x700000009;
    store(fixture, TF_CORE_NC, STAMP, 0xABCDE0);
    expect_unit(fixture, 0x100, 0xABCDE0, 9, 7, 0);
    assert_int_equal(fixture->l1_writes, 1);
    assert_int_equal(fixture->l1_written, 0x1000);
    assert_int_equal(fixture->l1_written_bytes, 16);
    assert_int_equal(load(fixture, NOC, STAMP), 0);
    assert_int_equal(load(fixture, NOC, STATUS), 1 << 14);
}

static void events_of_64_bits(void **state)
{
    struct fixture *fixture = *state;
    buffers(fixture, 0x200, 0x2FF, 0, 0);
    fixture->tile.cycle = 0x55;
    store(fixture, NOC, STAMP, 0x101);
    assert_int_equal(load(fixture, NOC, STATUS), 1 << 8);
    assert_int_equal(fixture->l1_writes, 0);
    fixture->tile.cycle = 0x66;
    store(fixture, NOC, STAMP, 0x201);
    expect_unit(fixture, 0x200, 0x101, 0x55, 0x201, 0x66);
    assert_int_equal(load(fixture, NOC, STATUS), 1 << 14);
    store(fixture, NOC, STAMP, 0x301);
    store(fixture, NOC, STAMP, 3); /* flush */
    expect_unit(fixture, 0x201, 0x301, 0x66, 0, 0);
    assert_int_equal(load(fixture, NOC, STATUS), 2 << 14);
}

static void events_of_32_bits(void **state)
{
    struct fixture *fixture = *state;
    buffers(fixture, 0x300, 0x3FF, 0, 0);
    uint32_t expected[4];
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(load(fixture, NOC, STATUS), i << 9);
        fixture->tile.cycle = 0x123456789ull * (i + 1);
        store(fixture, NOC, STAMP, 0xFFFF0002 + 8 * i);
        expected[i] = (0x0002 + 8 * i) + (uint32_t)((fixture->tile.cycle & 0x001FFFE0) << 11);
    }
    expect_unit(fixture, 0x300, expected[0], expected[1], expected[2], expected[3]);
}

static void events_of_96_bits(void **state)
{
    struct fixture *fixture = *state;
    buffers(fixture, 0x400, 0x4FF, 0, 0);
    fixture->tile.cycle = 0x300000002;
    store(fixture, NOC, STAMP, 0x14);
    assert_int_equal(load(fixture, NOC, STATUS), 1 << 11);
    store(fixture, NOC, STAMP, 0x24);
    expect_unit(fixture, 0x400, 0x14, 2, 3, 0x24);
    store(fixture, NOC, STAMP, 0x34);
    expect_unit(fixture, 0x401, 2, 3, 0x34, 2);
    store(fixture, NOC, STAMP, 7);
    expect_unit(fixture, 0x402, 3, 0, 0, 0);
}

static void sizes_do_not_mix(void **state)
{
    struct fixture *fixture = *state;
    buffers(fixture, 0x10, 0x20, 0, 0);
    store(fixture, NOC, STAMP, 1);
    static const uint32_t other[] = {0, 2, 4, 7};
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(try_store(fixture, TF_CORE_B, STAMP, 4, other[i]), TF_ACCESS_FAULT);
    store(fixture, NOC, STAMP, 3);
    for (unsigned i = 5; i <= 6; i++)
        assert_int_equal(try_store(fixture, NOC, STAMP, 4, i), TF_ACCESS_FAULT);
    store(fixture, NOC, STAMP, 2);
}

static void two_buffers_fill_then_overflow(void **state)
{
    struct fixture *fixture = *state;
    buffers(fixture, 0x10, 0x11, 0x20, 0x20);
    for (unsigned i = 0; i < 2; i++)
        store(fixture, NOC, STAMP, 8 * (i + 1));
    assert_int_equal(load(fixture, NOC, STATUS), 2 << 14 | 1);
    store(fixture, NOC, STAMP, 8 * 3);
    assert_int_equal(l1_word(fixture, 0x11, 0), 16);
    assert_int_equal(l1_word(fixture, 0x20, 0), 24);
    assert_int_equal(load(fixture, NOC, STATUS), 2 << 14 | 3);
    store(fixture, NOC, STAMP, 8 * 4);
    assert_int_equal(load(fixture, NOC, STATUS), 2 << 14 | 0x33);
    assert_int_equal(fixture->l1_writes, 3);
    store(fixture, NOC, STATUS, 0x21); /* buffer 0 is empty again, buffer 1 has not overflowed */
    assert_int_equal(load(fixture, NOC, STATUS), 0x12);
    store(fixture, NOC, STAMP, 8 * 5);
    assert_int_equal(l1_word(fixture, 0x10, 0), 40);
    store(fixture, NOC, STATUS, 0x12);
    assert_int_equal(load(fixture, NOC, STATUS), 1 << 14);
    assert_int_equal(load_pure(fixture, NOC, END(1), true), 0x20);
}

static void control_disables_buffers_and_resets(void **state)
{
    struct fixture *fixture = *state;
    buffers(fixture, 0x10, 0x10, 0x20, 0x2F);
    assert_int_equal(load(fixture, NOC, CNTL), 3);
    store(fixture, NOC, CNTL, 2);
    store(fixture, NOC, STAMP, 8);
    assert_int_equal(l1_word(fixture, 0x10, 0), 0);
    assert_int_equal(l1_word(fixture, 0x20, 0), 8);
    store(fixture, NOC, CNTL, 1);
    store(fixture, NOC, STAMP, 16);
    store(fixture, NOC, STAMP, 24);
    assert_int_equal(load(fixture, NOC, STATUS), 1 << 14 | 0x11);
    store(fixture, NOC, CNTL, 3);
    store(fixture, NOC, STAMP, 1); /* pending */
    store(fixture, NOC, CNTL, 0x80000003);
    assert_int_equal(load(fixture, NOC, STATUS), 1 << 14);
    store(fixture, NOC, STAMP, 1); /* forgotten as long as bit 31 is set */
    assert_int_equal(load(fixture, NOC, STATUS), 1 << 14);
    store(fixture, NOC, CNTL, 3);
    store(fixture, NOC, STAMP, 1);
    assert_int_equal(load(fixture, NOC, STATUS), 1 << 14 | 1 << 8);
}

static void events_beyond_l1_fault(void **state)
{
    struct fixture *fixture = *state;
    buffers(fixture, 0x17FFF, 0x18000, 1, 0);
    store(fixture, NOC, STAMP, 8);
    assert_int_equal(l1_word(fixture, 0x17FFF, 0), 8);
    store_faults(fixture, TF_CORE_B, STAMP, 4, TF_FAULT_UNDEFINED, "beyond L1");
    assert_int_equal(fixture->l1_writes, 1);
}

static void the_watchdog_counts_down(void **state)
{
    struct fixture *fixture = *state;
    assert_int_equal(load_pure(fixture, NOC, WDT, true), 0xFFFFFFFF);
    store(fixture, NOC, WDT, 100);
    fixture->tile.cycle = 1000;
    assert_int_equal(load(fixture, NOC, WDT), 100);
    store(fixture, NOC, WDT_CNTL, 1);
    fixture->tile.cycle = 1030;
    assert_int_equal(load_pure(fixture, NOC, WDT, false), 70);
    store(fixture, NOC, WDT_CNTL, 0);
    fixture->tile.cycle = 2000;
    assert_int_equal(load(fixture, NOC, WDT), 70);
    store(fixture, NOC, WDT_CNTL, 1);
    fixture->tile.cycle = 2069;
    assert_int_equal(load_pure(fixture, NOC, WDT_STATUS, false), 0);
    assert_int_equal(load(fixture, NOC, WDT), 1);
    for (fixture->tile.cycle = 2070; fixture->tile.cycle < 2075; fixture->tile.cycle++)
        assert_int_equal(load(fixture, NOC, WDT), 0);
    fixture->tile.cycle = 3000;
    assert_int_equal(load_pure(fixture, NOC, WDT, true), 0);
    assert_int_equal(load_pure(fixture, NOC, WDT_STATUS, true), 1);
    store(fixture, NOC, WDT, 500);
    fixture->tile.cycle = 3100;
    assert_int_equal(load(fixture, NOC, WDT), 400);
    assert_int_equal(load(fixture, NOC, WDT_CNTL), 1);
    store(fixture, TF_CORE_B, WDT_CNTL, 0xFFFFFFF8); /* what means nothing reads back */
    assert_int_equal(load(fixture, NOC, WDT_CNTL), 0xFFFFFFF8);
    fixture->tile.cycle = 3200;
    assert_int_equal(load(fixture, NOC, WDT), 400);
}

/* Hardware IRQ 3 (PIC.md), while the counter is at zero, or by a bit of its own. */
static void the_watchdog_interrupts(void **state)
{
    struct fixture *fixture = *state;
    uint32_t pc = 0;
    store(fixture, NOC, HW_INT_PC(3), 0x4400);
    store(fixture, NOC, HW_EN(1), 8);
    store(fixture, NOC, WDT, 100);
    store(fixture, NOC, WDT_CNTL, 1);
    fixture->tile.cycle += 200;
    assert_int_equal(load_pure(fixture, NOC, HW_INT(3), true), 0); /* it only counts */
    store(fixture, NOC, WDT_CNTL, 3);
    assert_int_equal(load_pure(fixture, NOC, HW_INT(3), true), 1);
    assert_int_equal(tf_mmio_interrupt(&fixture->tile, TF_CORE_NC, &pc), 35);
    assert_int_equal(pc, 0x4400);
    assert_int_equal(tf_mmio_interrupt(&fixture->tile, TF_CORE_B, &pc), -1);
    store(fixture, NOC, WDT, 50); /* which clears it */
    assert_int_equal(load_pure(fixture, NOC, HW_INT(3), false), 0);
    assert_true(tf_mmio_interrupt_to_come(&fixture->tile, TF_CORE_NC));
    assert_false(tf_mmio_interrupt_to_come(&fixture->tile, TF_CORE_B));
    assert_false(tf_mmio_interrupt_to_come(&fixture->tile, TF_CORE_T0));
    fixture->tile.cycle += 49;
    assert_int_equal(tf_mmio_interrupt(&fixture->tile, TF_CORE_NC, &pc), -1);
    fixture->tile.cycle++;
    assert_int_equal(tf_mmio_interrupt(&fixture->tile, TF_CORE_NC, &pc), 35);
    assert_false(tf_mmio_interrupt_to_come(&fixture->tile, TF_CORE_NC)); /* it is there */
    store(fixture, NOC, WDT_CNTL, 0);
    assert_int_equal(load_pure(fixture, NOC, HW_INT(3), true), 0);
    store(fixture, NOC, WDT_CNTL, 4);
    assert_int_equal(load_pure(fixture, NOC, HW_INT(3), true), 1);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(the_high_half_is_latched),
        TEST(events_of_128_bits),
        TEST(events_of_64_bits),
        TEST(events_of_32_bits),
        TEST(events_of_96_bits),
        TEST(sizes_do_not_mix),
        TEST(two_buffers_fill_then_overflow),
        TEST(control_disables_buffers_and_resets),
        TEST(events_beyond_l1_fault),
        TEST(the_watchdog_counts_down),
        TEST(the_watchdog_interrupts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
