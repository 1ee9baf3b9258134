/* SPDX-License-Identifier: Apache-2.0 */
/* PCBufs.md: both sides, the three conditions of B's load, the override bits. */
#include "fixture.h"
#include "addresses.h"
#include "tile/mmio/map/map.h"

#define OVERRIDE DEBUG_AT(PC_BUF_OVERRIDE)
#define T_SIDE TF_PC_BUF_BASE

static uint32_t b_side(unsigned thread)
{
    return TF_PC_BUF_BASE + 0x10000 * thread;
}

/* Let a T core be blocked in its load, as its hart would be. */
static void wait_to_read(struct fixture *fixture, unsigned thread)
{
    struct tf_hart *hart = &fixture->tile.hart[TF_CORE_T0 + thread];
    uint32_t value;
    assert_int_equal(try_load(fixture, TF_CORE_T0 + thread, T_SIDE, 4, &value), TF_ACCESS_BLOCK);
    hart->state = TF_CORE_BLOCKED;
    hart->wait_address = T_SIDE;
    hart->wait_store = false;
}

static void expect_b(struct fixture *fixture, unsigned thread, bool waits)
{
    uint32_t value = 1;
    assert_int_equal(tf_mmio_would_block(&fixture->tile, TF_CORE_B, b_side(thread), false), waits);
    assert_int_equal(try_load(fixture, TF_CORE_B, b_side(thread), 4, &value), waits ? TF_ACCESS_BLOCK : TF_ACCESS_OK);
    if (!waits)
        assert_int_equal(value, 0);
}

static void sixteen_values_in_order(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned thread = 0; thread < 3; thread++) {
        for (unsigned i = 0; i < 16; i++) {
            assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_B, b_side(thread), true));
            store(fixture, TF_CORE_B, b_side(thread) + 4 * i * 0x111, 1000 * thread + i);
        }
        assert_int_equal(try_store(fixture, TF_CORE_B, b_side(thread), 4, 99), TF_ACCESS_BLOCK);
        assert_true(tf_mmio_would_block(&fixture->tile, TF_CORE_B, b_side(thread), true));
    }
    for (unsigned thread = 0; thread < 3; thread++) {
        assert_int_equal(load(fixture, TF_CORE_T0 + thread, T_SIDE), 1000 * thread);
        store(fixture, TF_CORE_B, b_side(thread), 1000 * thread + 16);
        for (unsigned i = 1; i <= 16; i++) {
            assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_T0 + thread, T_SIDE, false));
            assert_int_equal(load_pure(fixture, TF_CORE_T0 + thread, T_SIDE, false), 1000 * thread + i);
        }
        assert_true(tf_mmio_would_block(&fixture->tile, TF_CORE_T0 + thread, T_SIDE, false));
    }
}

static void a_t_cores_store_is_lost(void **state)
{
    struct fixture *fixture = *state;
    uint32_t value;
    for (unsigned i = 0; i < 40; i++)
        store(fixture, TF_CORE_T1, T_SIDE, i);
    assert_false(tf_mmio_would_block(&fixture->tile, TF_CORE_T1, T_SIDE, true));
    assert_int_equal(try_load(fixture, TF_CORE_T1, T_SIDE, 4, &value), TF_ACCESS_BLOCK);
}

static void b_waits_for_three_conditions(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned thread = 0; thread < 3; thread++) {
        struct tf_hart *hart = &fixture->tile.hart[TF_CORE_T0 + thread];
        expect_b(fixture, thread, true); /* the core does not wait */
        wait_to_read(fixture, thread);
        expect_b(fixture, thread, false);
        fixture->idle[thread] = false;
        expect_b(fixture, thread, true);
        fixture->idle[thread] = true;
        store(fixture, TF_CORE_B, b_side(thread), 1);
        expect_b(fixture, thread, true);
        assert_int_equal(load(fixture, TF_CORE_T0 + thread, T_SIDE), 1);
        expect_b(fixture, thread, false);
        hart->wait_store = true;
        expect_b(fixture, thread, true);
        hart->wait_store = false;
        hart->wait_address = T_SIDE + 4;
        expect_b(fixture, thread, true);
        hart->wait_address = T_SIDE;
        hart->state = TF_CORE_RUNNING;
        expect_b(fixture, thread, true);
    }
}

static void without_a_coprocessor_threads_are_idle(void **state)
{
    struct fixture *fixture = *state;
    fixture->idle[2] = false;
    wait_to_read(fixture, 2);
    expect_b(fixture, 2, true);
    fixture->tile.tensix = NULL;
    expect_b(fixture, 2, false);
}

static void override_busy_lets_b_go(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned thread = 0; thread < 3; thread++) {
        store(fixture, NOC, OVERRIDE, 1u << (10 * thread));
        expect_b(fixture, thread, true);
        store(fixture, NOC, OVERRIDE, 2u << (10 * thread));
        expect_b(fixture, thread, true);
        store(fixture, NOC, OVERRIDE, 3u << (10 * thread));
        for (unsigned other = 0; other < 3; other++) {
            expect_b(fixture, other, other != thread);
            assert_int_equal(tf_mmio_override_busy(&fixture->tile.mmio, other), other == thread);
        }
        assert_int_equal(load_pure(fixture, TF_CORE_NC, OVERRIDE, true), 3u << (10 * thread));
    }
}

static void override_gives_t_cores_a_value(void **state)
{
    struct fixture *fixture = *state;
    uint32_t value;
    for (unsigned thread = 0; thread < 3; thread++) {
        unsigned core = TF_CORE_T0 + thread;
        store(fixture, NOC, OVERRIDE, (0xA5u + thread) << (2 + 10 * thread));
        assert_int_equal(try_load(fixture, core, T_SIDE, 4, &value), TF_ACCESS_BLOCK);
        store(fixture, NOC, OVERRIDE, 1u << (10 * thread) | (0xA5u + thread) << (2 + 10 * thread));
        assert_false(tf_mmio_would_block(&fixture->tile, core, T_SIDE, false));
        assert_int_equal(load(fixture, core, T_SIDE), 0xA5 + thread);
        store(fixture, TF_CORE_B, b_side(thread), 1234); /* what was pushed comes first */
        assert_int_equal(load(fixture, core, T_SIDE), 1234);
        assert_int_equal(load(fixture, core, T_SIDE), 0xA5 + thread);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(sixteen_values_in_order),      TEST(a_t_cores_store_is_lost),
        TEST(b_waits_for_three_conditions), TEST(without_a_coprocessor_threads_are_idle),
        TEST(override_busy_lets_b_go),      TEST(override_gives_t_cores_a_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
