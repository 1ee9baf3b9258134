/* SPDX-License-Identifier: Apache-2.0 */
/* PIC.md: every register, raising and clearing, arbitration. */
#include "fixture.h"
#include "addresses.h"
#include "tile/mmio/pic.h"

#define BASE PIC_AT(BRISC_SW_INT_EN)
#define SW_INT(i) (BASE + 0x18 + 4 * (i))
#define HW_INT(i) (BASE + 0x98 + 4 * (i))
#define SW_INT_PC(i) (BASE + 0xA8 + 4 * (i))
#define HW_INT_PC(i) (BASE + 0x128 + 4 * (i))
#define SW_EN(core) (BASE + 12 * (core))
#define HW_EN(core) (BASE + 4 + 12 * (core))
#define INT_NO(core) (BASE + 8 + 12 * (core))

static void a_software_irq_is_a_slot(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < 32; i++) {
        unsigned from = i % 6;
        assert_int_equal(load_pure(fixture, from, SW_INT(i), true), 0);
        store(fixture, from, SW_INT(i), 0xABC0 + i);
        store(fixture, 5 - from, SW_INT(i), 0x1230 + i); /* the latest counts */
        for (unsigned other = 0; other < 32; other++)
            assert_int_equal(fixture->tile.mmio.pic.sw_raised >> other & 1, other == i);
        assert_int_equal(load_pure(fixture, from, SW_INT(i), false), 0x1230 + i);
        assert_int_equal(load(fixture, from, SW_INT(i)), 0);
        store(fixture, from, SW_INT(i), 5);
        store(fixture, from, SW_INT(i), 0); /* zero clears */
        assert_int_equal(load(fixture, from, SW_INT(i)), 0);
    }
}

static void a_hardware_irq_is_its_line(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < 4; i++) {
        fixture->tile.irq_lines = 1u << i;
        for (unsigned other = 0; other < 4; other++)
            assert_int_equal(load_pure(fixture, NOC, HW_INT(other), true), other == i);
        store(fixture, TF_CORE_B, HW_INT(i), 0);
        assert_int_equal(load(fixture, TF_CORE_B, HW_INT(i)), 1);
    }
}

static void registers_read_back(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < 36; i++)
        store(fixture, NOC, SW_INT_PC(i), 0x4000 + 16 * i);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(load_pure(fixture, TF_CORE_T2, SW_INT_PC(i), true), 0x4000 + 16 * i);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(load(fixture, TF_CORE_T2, HW_INT_PC(i)), 0x4200 + 16 * i);
    for (unsigned core = 0; core < 2; core++) {
        store(fixture, NOC, SW_EN(core), 0x80000001 + core);
        store(fixture, NOC, HW_EN(core), 0x9 + core);
        store(fixture, NOC, INT_NO(core), 77); /* read only */
    }
    for (unsigned core = 0; core < 2; core++) {
        assert_int_equal(load_pure(fixture, NOC, SW_EN(core), true), 0x80000001 + core);
        assert_int_equal(load_pure(fixture, NOC, HW_EN(core), true), 0x9 + core);
        assert_int_equal(load_pure(fixture, NOC, INT_NO(core), true), 0);
    }
}

static void only_enabled_irqs_interrupt_only_b_and_nc(void **state)
{
    struct fixture *fixture = *state;
    uint32_t pc = 0;
    for (unsigned i = 0; i < 36; i++)
        store(fixture, NOC, SW_INT_PC(i), 0x100 * (i + 1));
    for (unsigned core = 0; core < 2; core++)
        for (unsigned i = 0; i < 36; i++) {
            if (i < 32)
                store(fixture, NOC, SW_INT(i), 1);
            else
                fixture->tile.irq_lines = 1u << (i - 32);
            assert_int_equal(tf_mmio_interrupt(&fixture->tile, core, &pc), -1);
            uint32_t enable = i < 32 ? SW_EN(core) : HW_EN(core);
            store(fixture, NOC, enable, 1u << (i % 32));
            assert_int_equal(tf_mmio_interrupt(&fixture->tile, core, &pc), i);
            assert_int_equal(pc, 0x100 * (i + 1));
            for (unsigned other = 0; other < TF_TILE_CORES; other++)
                if (other != core)
                    assert_int_equal(tf_mmio_interrupt(&fixture->tile, other, &pc), -1);
            store(fixture, NOC, enable, 0);
            fixture->tile.irq_lines = 0;
            if (i < 32)
                store(fixture, NOC, SW_INT(i), 0);
        }
}

static void a_claimed_irq_interrupts_no_core(void **state)
{
    struct fixture *fixture = *state;
    uint32_t pc;
    for (unsigned core = 0; core < 2; core++) {
        store(fixture, NOC, SW_EN(core), ~0u);
        store(fixture, NOC, HW_EN(core), 0xF);
    }
    store(fixture, NOC, SW_INT(2), 9);
    assert_int_equal(tf_mmio_interrupt(&fixture->tile, TF_CORE_B, &pc), 2);
    assert_int_equal(tf_mmio_interrupt(&fixture->tile, TF_CORE_NC, &pc), 2);
    for (unsigned core = TF_CORE_T0; core <= TF_CORE_T2; core++)
        assert_int_equal(tf_mmio_interrupt(&fixture->tile, core, &pc), -1);
    assert_int_equal(load(fixture, TF_CORE_NC, SW_INT(2)), 9);
    assert_int_equal(tf_mmio_interrupt(&fixture->tile, TF_CORE_B, &pc), -1);
    assert_int_equal(tf_mmio_interrupt(&fixture->tile, TF_CORE_NC, &pc), -1);
}

static void asking_changes_nothing(void **state)
{
    struct fixture *fixture = *state;
    uint32_t pc;
    store(fixture, NOC, SW_EN(1), ~0u);
    store(fixture, NOC, SW_INT(3), 1);
    store(fixture, NOC, SW_INT(4), 1);
    uint64_t before = hash_of(fixture);
    for (unsigned i = 0; i < 5; i++)
        assert_int_equal(tf_mmio_interrupt(&fixture->tile, TF_CORE_NC, &pc), 3);
    assert_int_equal(hash_of(fixture), before);
}

static void arbitration_is_round_robin(void **state)
{
    struct fixture *fixture = *state;
    static const unsigned raised[] = {2, 17, 31, 33, 35};
    uint32_t pc;
    fixture->tile.irq_lines = 0xA;
    for (unsigned core = 0; core < 2; core++) {
        store(fixture, NOC, SW_EN(core), ~0u);
        store(fixture, NOC, HW_EN(core), 0xF);
    }
    for (unsigned i = 0; i < 3; i++)
        store(fixture, NOC, SW_INT(raised[i]), 1);
    for (unsigned i = 0; i < 20; i++)
        for (unsigned core = 0; core < 2; core++) {
            if (core == 1 && i % 3 != 0)
                continue; /* each core has a turn of its own */
            unsigned turn = core == 0 ? i : i / 3;
            int number = tf_mmio_interrupt(&fixture->tile, core, &pc);
            assert_int_equal(number, raised[turn % 5]);
            tf_mmio_interrupt_taken(&fixture->tile, core, (unsigned)number);
            assert_int_equal(load(fixture, core, INT_NO(core)), number);
        }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_software_irq_is_a_slot),
        TEST(a_hardware_irq_is_its_line),
        TEST(registers_read_back),
        TEST(only_enabled_irqs_interrupt_only_b_and_nc),
        TEST(a_claimed_irq_interrupts_no_core),
        TEST(asking_changes_nothing),
        TEST(arbitration_is_round_robin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
