/* SPDX-License-Identifier: Apache-2.0 */
/* DebugInterface.md: debug registers of B and T0..T2 through RISC_DBG_CNTL and RISC_DBG_STATUS. */
#include "fixture.h"
#include "tile/mmio/core_debug.h"
#include "tile/riscv/hart/observed.h"
#include "addresses.h"

#define CNTL_0 DEBUG_AT(RISC_CNTL_0)
#define CNTL_1 DEBUG_AT(RISC_CNTL_1)
#define STATUS_0 DEBUG_AT(RISC_STATUS_0)
#define STATUS_1 DEBUG_AT(RISC_STATUS_1)
#define SLOW (1u << 31)

static const unsigned core_of[4] = {TF_CORE_B, TF_CORE_T0, TF_CORE_T1, TF_CORE_T2};

static uint32_t control(unsigned which, unsigned index, bool write)
{
    return index | (uint32_t)write << 16 | which << 17 | 1u << 31;
}

static enum tf_access try_dr(struct fixture *fixture, unsigned which, unsigned index, uint32_t value)
{
    store(fixture, NOC, CNTL_1, value);
    store(fixture, NOC, CNTL_0, 0);
    return try_store(fixture, NOC, CNTL_0, 4, control(which, index, true));
}

static void set_dr(struct fixture *fixture, unsigned which, unsigned index, uint32_t value)
{
    assert_int_equal(try_dr(fixture, which, index, value), TF_ACCESS_OK);
}

static uint32_t get_dr(struct fixture *fixture, unsigned which, unsigned index)
{
    store(fixture, NOC, CNTL_0, 0);
    store(fixture, NOC, CNTL_0, control(which, index, false));
    assert_int_equal(load(fixture, NOC, STATUS_0), (control(which, index, false) & 0x800007FF) | 1u << 30);
    return load(fixture, NOC, STATUS_1);
}

static struct tf_hart *stopped(struct fixture *fixture, unsigned which)
{
    struct tf_hart *hart = &fixture->tile.hart[core_of[which]];
    hart->state = TF_CORE_PAUSED;
    return hart;
}

static void status_echoes_control(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned which = 0; which < 4; which++) {
        store(fixture, NOC, CNTL_0, control(which, 2, true));
        assert_int_equal(load_pure(fixture, NOC, STATUS_0, true), 1u << 31 | 2 | 1u << (13 + which));
        store(fixture, NOC, CNTL_0, 0x7FF | 1u << 16 | which << 17);
        assert_int_equal(load(fixture, NOC, STATUS_0), 0x7FF | 1u << (13 + which));
    }
}

static void registers_are_per_core(void **state)
{
    struct fixture *fixture = *state;
    static const unsigned index[] = {2, 3, 10, 13, 17};
    for (unsigned which = 0; which < 4; which++)
        for (unsigned i = 0; i < 5; i++)
            set_dr(fixture, which, index[i], 100 * which + index[i]);
    for (unsigned which = 0; which < 4; which++) {
        for (unsigned i = 0; i < 5; i++)
            assert_int_equal(get_dr(fixture, which, index[i]), 100 * which + index[i]);
        set_dr(fixture, which, 0, 1); /* DR(0) and DR(4) are read only */
        set_dr(fixture, which, 4, 1);
        set_dr(fixture, which, 6, 1); /* there is no DR(6) */
        set_dr(fixture, which, 2047, 1);
        assert_int_equal(get_dr(fixture, which, 0), 0);
        assert_int_equal(get_dr(fixture, which, 4), 0);
        assert_int_equal(get_dr(fixture, which, 2047), 0);
    }
}

static void only_a_rising_trigger_acts(void **state)
{
    struct fixture *fixture = *state;
    set_dr(fixture, 1, 2, 5);
    store(fixture, NOC, CNTL_1, 6);
    store(fixture, NOC, CNTL_0, control(1, 2, true));
    store(fixture, NOC, CNTL_0, control(1, 2, true) & 0x7FFFFFFF);
    assert_int_equal(get_dr(fixture, 1, 2), 5);
}

static void an_ebreak_pause_is_seen_and_ended(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned which = 0; which < 4; which++) {
        assert_int_equal(get_dr(fixture, which, 0), 0);
        stopped(fixture, which);
        assert_int_equal(get_dr(fixture, which, 0), 9);
        set_dr(fixture, which, 1, 1u << 2);
        assert_int_equal(fixture->resumes[core_of[which]], 1);
        assert_int_equal(get_dr(fixture, which, 0), 0);
        assert_int_equal(get_dr(fixture, which, 1), 1u << 2);
        set_dr(fixture, which, 1, 1u << 2); /* not paused: nothing */
        assert_int_equal(fixture->resumes[core_of[which]], 1);
    }
}

static void a_pause_can_be_asked_for(void **state)
{
    struct fixture *fixture = *state;
    static const uint8_t from[] = {TF_CORE_RUNNING, TF_CORE_BLOCKED, TF_CORE_PARKED};
    for (unsigned i = 0; i < 3; i++) {
        struct tf_hart *hart = &fixture->tile.hart[TF_CORE_T1];
        hart->state = from[i];
        set_dr(fixture, 2, 1, 1);
        assert_int_equal(fixture->pauses[TF_CORE_T1], i + 1);
        assert_int_equal(hart->state, TF_CORE_PAUSED);
        assert_int_equal(get_dr(fixture, 2, 0), 1);
        set_dr(fixture, 2, 1, 1 << 2);
        hart->state = TF_CORE_PAUSED; /* now by ebreak */
        assert_int_equal(get_dr(fixture, 2, 0), 9);
    }
    fixture->tile.hart[TF_CORE_B].state = TF_CORE_FAULTED;
    set_dr(fixture, 0, 1, 1);
    assert_int_equal(get_dr(fixture, 0, 0), 0);
    store(fixture, TF_CORE_T0, CNTL_0, 0);
    assert_int_equal(try_store(fixture, TF_CORE_T0, CNTL_0, 4, control(1, 1, true)), TF_ACCESS_FAULT);
    assert_int_equal(fixture->fault_category, TF_FAULT_UNSUPPORTED);
    assert_int_equal(fixture->tile.hart[TF_CORE_T0].state, TF_CORE_RUNNING);
}

static void registers_of_a_paused_core(void **state)
{
    struct fixture *fixture = *state;
    struct tf_hart *hart = stopped(fixture, 3);
    for (unsigned i = 0; i < 32; i++)
        hart->x[i] = 1000 + i;
    hart->x[0] = 0;
    for (unsigned i = 0; i <= 32; i++) {
        set_dr(fixture, 3, 2, i);
        set_dr(fixture, 3, 1, 1 << 3);
        assert_int_equal(get_dr(fixture, 3, 4), i == 0 ? 0 : i == 32 ? hart->pc : 1000 + i);
    }
    for (unsigned i = 1; i < 32; i++) {
        set_dr(fixture, 3, 2, i);
        set_dr(fixture, 3, 3, 2000 + i);
        set_dr(fixture, 3, 1, 1 << 4);
        assert_int_equal(hart->x[i], 2000 + i);
    }
    set_dr(fixture, 3, 2, 33);
    assert_int_equal(try_dr(fixture, 3, 1, 1 << 3), TF_ACCESS_FAULT);
    set_dr(fixture, 3, 2, 0);
    assert_int_equal(try_dr(fixture, 3, 1, 1 << 4), TF_ACCESS_FAULT);
    assert_int_equal(hart->x[0], 0);
    hart->x[32] = 4;
    set_dr(fixture, 3, 1, 1 << 7);
    for (unsigned i = 0; i < 32; i++)
        assert_int_equal(hart->x[i], 0);
    assert_int_equal(hart->x[32], 4);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
}

static void a_running_cores_registers_stay(void **state)
{
    struct fixture *fixture = *state;
    fixture->tile.hart[TF_CORE_T0].x[7] = 70;
    set_dr(fixture, 1, 2, 7);
    set_dr(fixture, 1, 3, 71);
    set_dr(fixture, 1, 1, 1 << 3 | 1 << 4 | 1 << 7 | 1 << 8);
    assert_int_equal(fixture->tile.hart[TF_CORE_T0].x[7], 70);
    assert_int_equal(get_dr(fixture, 1, 4), 0);
}

static void memory_as_the_core_sees_it(void **state)
{
    struct fixture *fixture = *state;
    struct tf_hart *hart = stopped(fixture, 1);
    static const uint32_t address[] = {0x0, 0x17FFFC, TF_LOCAL_BASE, TF_LOCAL_BASE + 0xFFC};
    for (unsigned i = 0; i < 4; i++) {
        set_dr(fixture, 1, 2, address[i]);
        set_dr(fixture, 1, 3, 0xABC00 + i);
        set_dr(fixture, 1, 1, 1 << 6);
        set_dr(fixture, 1, 1, 1 << 5);
        assert_int_equal(get_dr(fixture, 1, 4), 0xABC00 + i);
    }
    assert_int_equal(fixture->l1_writes, 2);
    assert_int_equal(fixture->l1_written, 0x17FFFC);
    assert_memory_equal(hart->local, "\x02\xBC\x0A\0", 4);
    /* T0's own window of the coprocessor, from the map. */
    fixture->tensix_value = 0x321;
    set_dr(fixture, 1, 2, TF_GPR_BASE + 4 * 1);
    set_dr(fixture, 1, 1, 1 << 5);
    assert_int_equal(get_dr(fixture, 1, 4), 0x321);
    assert_int_equal(fixture->tensix_from, TF_CORE_T0);
    /* Waiting is not for the debugger; a fault is the core's. */
    set_dr(fixture, 1, 2, TF_PC_BUF_BASE);
    assert_int_equal(try_dr(fixture, 1, 1, 1 << 5), TF_ACCESS_FAULT);
    set_dr(fixture, 1, 2, 0x200000);
    set_dr(fixture, 1, 1, 1 << 5);
    assert_int_equal(fixture->fault_core, TF_CORE_T0);
    set_dr(fixture, 1, 2, 0x1002);
    assert_int_equal(try_dr(fixture, 1, 1, 1 << 6), TF_ACCESS_FAULT);
}

static void a_new_pc(void **state)
{
    struct fixture *fixture = *state;
    struct tf_hart *hart = stopped(fixture, 2);
    set_dr(fixture, 2, 3, 0x4440);
    set_dr(fixture, 2, 1, SLOW | 1 << 8 | 1 << 1);
    assert_int_equal(hart->pc, 0x4440);
    assert_int_equal(hart->state, TF_CORE_PAUSED);
    set_dr(fixture, 2, 1, 1 << 8 | 1 << 2 | 1 << 1);
    assert_int_equal(hart->pc, 0xA000); /* else as after a soft reset */
    assert_int_equal(fixture->resumes[TF_CORE_T1], 1);
}

/* As the core's turn would, after an instruction. */
static void retire(struct fixture *fixture, unsigned core, struct tf_retired retired)
{
    tf_core_debug_retired(&fixture->tile, core, &retired);
}

static void one_step(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned which = 0; which < 4; which++) {
        struct tf_hart *hart = stopped(fixture, which);
        for (unsigned ebreak = 0; ebreak < 2; ebreak++) {
            set_dr(fixture, which, 1, SLOW | 1 << 1); /* half a step */
            assert_int_equal(hart->state, TF_CORE_PAUSED);
            set_dr(fixture, which, 1, SLOW | 1 << 1);
            assert_int_equal(hart->state, TF_CORE_RUNNING);
            assert_true(hart->watched);
            assert_int_equal(get_dr(fixture, which, 0), 0);
            if (ebreak)
                hart->state = TF_CORE_PAUSED;
            retire(fixture, core_of[which], (struct tf_retired){.pc = 0x100});
            assert_int_equal(hart->state, TF_CORE_PAUSED);
            assert_false(hart->watched);
            assert_int_equal(get_dr(fixture, which, 0), ebreak ? 9 : 1);
        }
        set_dr(fixture, which, 1, 1 << 1 | 1 << 2); /* with both, it goes on */
        assert_int_equal(hart->state, TF_CORE_RUNNING);
        assert_false(hart->watched);
        /* A pause ends a step that waits, too. */
        set_dr(fixture, which, 1, 1);
        set_dr(fixture, which, 1, 1 << 1);
        set_dr(fixture, which, 1, 1 << 2); /* half steps are forgotten */
        set_dr(fixture, which, 1, 1);
        set_dr(fixture, which, 1, 1 << 1);
        assert_int_equal(hart->state, TF_CORE_PAUSED);
        set_dr(fixture, which, 1, 1 << 1);
        hart->state = TF_CORE_BLOCKED;
        set_dr(fixture, which, 1, 1);
        assert_int_equal(get_dr(fixture, which, 0), 1);
        assert_false(hart->watched);
    }
}

/* Points 0, 2, 5 and 7, all with other modes; then each retired instruction, and what DR(0) says of it. */
static void points(void **state)
{
    struct fixture *fixture = *state;
    static const struct {
        struct tf_retired retired;
        uint32_t status; /* 0: goes on */
    } line[] = {
        {{.pc = 0xFFC}, 0},
        {{.pc = 0x1000}, 1 | 2 | 1 << 8},
        {{.pc = 0x1004, .address = 0x1000, .bytes = 4, .loads = true, .stores = true}, 0},
        {{.address = 0x2000, .bytes = 4, .loads = true}, 1 | 4 | 1 << 10},
        {{.address = 0x2000, .bytes = 4, .stores = true}, 0},
        {{.address = 0x2001, .bytes = 1, .loads = true}, 0},
        {{.address = 0x1FFF, .bytes = 1, .loads = true}, 0},
        {{.address = 0x3000, .bytes = 4, .loads = true}, 0},
        {{.address = 0x3000, .bytes = 4, .stores = true}, 1 | 4 | 1 << 13}, /* 0x3002 is one of its bytes */
        {{.address = 0x3000, .bytes = 2, .stores = true}, 0},
        {{.address = 0x3002, .bytes = 1, .stores = true}, 1 | 4 | 1 << 13},
        {{.address = 0x4000, .bytes = 4, .loads = true}, 1 | 4 | 1 << 15},
        {{.address = 0x4000, .bytes = 4, .stores = true}, 1 | 4 | 1 << 15},
        {{.pc = 0x1000, .address = 0x2000, .bytes = 4, .loads = true}, 1 | 2 | 4 | 1 << 8 | 1 << 10},
    };
    for (unsigned which = 0; which < 4; which++) {
        struct tf_hart *hart = &fixture->tile.hart[core_of[which]];
        set_dr(fixture, which, 10, 0x1000);
        set_dr(fixture, which, 12, 0x2000);
        set_dr(fixture, which, 15, 0x3002);
        set_dr(fixture, which, 17, 0x4000);
        set_dr(fixture, which, 5, 8 | 9u << 8 | 10u << 20 | 11u << 28);
        assert_true(hart->watched);
        for (unsigned i = 0; i < sizeof line / sizeof line[0]; i++) {
            retire(fixture, core_of[which], line[i].retired);
            assert_int_equal(get_dr(fixture, which, 0), line[i].status);
            assert_int_equal(hart->state, line[i].status ? TF_CORE_PAUSED : TF_CORE_RUNNING);
            set_dr(fixture, which, 1, 1 << 2);
            assert_true(hart->watched);
        }
        set_dr(fixture, which, 5, 0x07CDEF10); /* none of these is a point */
        assert_false(hart->watched);
        assert_int_equal(get_dr(fixture, which, 5), 0x07CDEF10);
    }
}

static void a_reset_ends_steps_and_points(void **state)
{
    struct fixture *fixture = *state;
    struct tf_hart *hart = stopped(fixture, 0);
    set_dr(fixture, 0, 1, 1 << 1);
    set_dr(fixture, 0, 1, 1 << 1);
    set_dr(fixture, 0, 5, 8);
    store(fixture, NOC, SOFT_RESET_0, 1u << 11);
    assert_false(hart->watched);
    store(fixture, NOC, SOFT_RESET_0, 0);
    retire(fixture, TF_CORE_B, (struct tf_retired){.pc = 0});
    assert_int_equal(hart->state, TF_CORE_RUNNING);
    store(fixture, NOC, DEBUG_AT(DISABLE_RESET), 1u << 7); /* DISABLE_RESET of B's debug registers */
    set_dr(fixture, 0, 5, 8);
    store(fixture, NOC, SOFT_RESET_0, 1u << 11);
    store(fixture, NOC, SOFT_RESET_0, 0);
    assert_true(hart->watched);
}

/* E0 and E1 of an Ethernet tile, as cores 0 and 1; there are no others. */
static void ethernet_cores_have_it(void **state)
{
    (void)state;
    struct fixture *fixture = fixture_create_kind(TF_TILE_ETH);
    for (unsigned which = 0; which < 4; which++) {
        set_dr(fixture, which, 3, 5);
        assert_int_equal(get_dr(fixture, which, 3), which < 2 ? 5 : 0);
        set_dr(fixture, which, 1, 1);
        assert_int_equal(get_dr(fixture, which, 0), which < 2 ? 1 : 0);
        if (which < 2)
            assert_int_equal(fixture->tile.hart[which].state, TF_CORE_PAUSED);
    }
    store(fixture, NOC, SOFT_RESET_0, 3u << 11);
    for (unsigned which = 0; which < 2; which++)
        assert_int_equal(get_dr(fixture, which, 3), 0);
    fixture_destroy(fixture);
}

static void reset_clears_the_registers(void **state)
{
    struct fixture *fixture = *state;
    static const uint32_t bit_of[4] = {1u << 11, 1u << 12, 1u << 13, 1u << 14};
    static const uint32_t keep_of[4] = {1u << 7, 1u << 1, 1u << 3, 1u << 5};
    for (unsigned keep = 0; keep < 2; keep++)
        for (unsigned which = 0; which < 4; which++) {
            store(fixture, NOC, DEBUG_AT(DISABLE_RESET), keep ? keep_of[which] : ~keep_of[which]);
            set_dr(fixture, which, 3, 77);
            store(fixture, NOC, SOFT_RESET_0, bit_of[which]);
            assert_int_equal(get_dr(fixture, which, 3), keep ? 77 : 0);
            set_dr(fixture, which, 3, 88);
            assert_int_equal(get_dr(fixture, which, 3), keep ? 88 : 0);
            store(fixture, NOC, SOFT_RESET_0, 0);
            assert_int_equal(get_dr(fixture, which, 3), keep ? 88 : 0);
        }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(status_echoes_control),
        TEST(registers_are_per_core),
        TEST(only_a_rising_trigger_acts),
        TEST(an_ebreak_pause_is_seen_and_ended),
        TEST(a_pause_can_be_asked_for),
        TEST(registers_of_a_paused_core),
        TEST(a_running_cores_registers_stay),
        TEST(memory_as_the_core_sees_it),
        TEST(a_new_pc),
        TEST(one_step),
        TEST(points),
        TEST(a_reset_ends_steps_and_points),
        cmocka_unit_test(ethernet_cores_have_it),
        TEST(reset_clears_the_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
