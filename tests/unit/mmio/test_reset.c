/* SPDX-License-Identifier: Apache-2.0 */
/* SoftReset.md: the register, reset PCs, local RAM, and what entering and leaving reset discards. */
#include "fixture.h"
#include "addresses.h"
#include "tile/mmio/reset.h"

#define DISABLE_RESET DEBUG_AT(DISABLE_RESET)
#define TRISC0_RESET_PC DEBUG_AT(TRISC0_RESET_PC)
#define TRISC_OVERRIDE DEBUG_AT(TRISC_RESET_PC_OVERRIDE)
#define NCRISC_RESET_PC DEBUG_AT(NCRISC_RESET_PC)
#define NCRISC_OVERRIDE DEBUG_AT(NCRISC_RESET_PC_OVERRIDE)
#define ALL_CORES 0x47800u

static const uint32_t bit_of[TF_TILE_CORES] = {1u << 11, 1u << 18, 1u << 12, 1u << 13, 1u << 14};

static void power_on_state(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        fixture->tile.hart[core].state = TF_CORE_RESET;
    assert_int_equal(load_pure(fixture, NOC, SOFT_RESET_0, true), ALL_CORES);
}

static void reset_bits_act_on_one_core_each(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        store(fixture, NOC, SOFT_RESET_0, bit_of[core]);
        for (unsigned other = 0; other < TF_TILE_CORES; other++) {
            assert_int_equal(fixture->tile.hart[other].state, other == core ? TF_CORE_RESET : TF_CORE_RUNNING);
            assert_int_equal(fixture->resets[other], other <= core);
        }
        assert_int_equal(load(fixture, TF_CORE_B, SOFT_RESET_0), bit_of[core]);
        store(fixture, NOC, SOFT_RESET_0, bit_of[core]); /* held already */
        assert_int_equal(fixture->resets[core], 1);
        assert_int_equal(fixture->releases[core], 0);
    }
    store(fixture, NOC, SOFT_RESET_0, 0);
    store(fixture, NOC, SOFT_RESET_0, 0);
    for (unsigned core = 0; core < TF_TILE_CORES; core++) {
        assert_int_equal(fixture->releases[core], 1);
        assert_int_equal(fixture->resets[core], 1);
    }
}

/* Host, B, then B for the others: the boot sequence of firmware. */
static void boot_sequence(void **state)
{
    struct fixture *fixture = *state;
    store(fixture, NOC, SOFT_RESET_0, ALL_CORES);
    fixture->tile.cycle = 500;
    store(fixture, NOC, SOFT_RESET_0, 0x47000);
    assert_int_equal(fixture->releases[TF_CORE_B], 1);
    assert_int_equal(fixture->release_pc[TF_CORE_B], 0);
    assert_int_equal(fixture->release_cycle[TF_CORE_B], 500);
    fixture->tile.cycle = 0x100000001;
    store(fixture, TF_CORE_B, TRISC_OVERRIDE, 7);
    store(fixture, TF_CORE_B, NCRISC_OVERRIDE, 1);
    for (unsigned i = 0; i < 3; i++)
        store(fixture, TF_CORE_B, TRISC0_RESET_PC + 4 * i, 0x5A40 + 0x600 * i);
    store(fixture, TF_CORE_B, NCRISC_RESET_PC, 0x5440);
    store(fixture, TF_CORE_B, SOFT_RESET_0, 0);
    assert_int_equal(fixture->releases[TF_CORE_B], 1);
    assert_int_equal(fixture->release_pc[TF_CORE_NC], 0x5440);
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(fixture->release_pc[TF_CORE_T0 + i], 0x5A40 + 0x600 * i);
        assert_int_equal(fixture->release_cycle[TF_CORE_T0 + i], 0x100000001);
    }
}

static void reset_pcs_need_their_override(void **state)
{
    struct fixture *fixture = *state;
    static const uint32_t fixed[3] = {0x6000, 0xA000, 0xE000};
    assert_int_equal(tf_mmio_reset_pc(&fixture->tile, TF_CORE_NC), 0x12000);
    store(fixture, NOC, NCRISC_RESET_PC, 0x7700);
    assert_int_equal(tf_mmio_reset_pc(&fixture->tile, TF_CORE_NC), 0x12000);
    store(fixture, NOC, NCRISC_OVERRIDE, 0xFFFFFFFE); /* only bit 0 counts */
    assert_int_equal(tf_mmio_reset_pc(&fixture->tile, TF_CORE_NC), 0x12000);
    store(fixture, NOC, NCRISC_OVERRIDE, 1);
    assert_int_equal(tf_mmio_reset_pc(&fixture->tile, TF_CORE_NC), 0x7700);
    for (unsigned enabled = 0; enabled < 8; enabled++) {
        store(fixture, NOC, TRISC_OVERRIDE, enabled);
        for (unsigned i = 0; i < 3; i++) {
            store(fixture, NOC, TRISC0_RESET_PC + 4 * i, 0x1110 * (i + 1));
            assert_int_equal(load_pure(fixture, NOC, TRISC0_RESET_PC + 4 * i, true), 0x1110 * (i + 1));
            assert_int_equal(tf_mmio_reset_pc(&fixture->tile, TF_CORE_T0 + i),
                             enabled >> i & 1 ? 0x1110 * (i + 1) : fixed[i]);
        }
    }
    assert_int_equal(tf_mmio_reset_pc(&fixture->tile, TF_CORE_B), 0);
}

/* Host writes made during reset last until the core leaves it, or for good when DISABLE_RESET says so. */
static void local_ram_clears_on_leaving(void **state)
{
    struct fixture *fixture = *state;
    static const unsigned keep_bit[TF_TILE_CORES] = {6, 8, 0, 2, 4};
    for (unsigned keep = 0; keep < 2; keep++)
        for (unsigned core = 0; core < TF_TILE_CORES; core++) {
            struct tf_hart *hart = &fixture->tile.hart[core];
            memset(hart->local, 0x5A, hart->local_bytes);
            store(fixture, NOC, DISABLE_RESET, keep ? 1u << keep_bit[core] : ~(1u << keep_bit[core]));
            store(fixture, NOC, SOFT_RESET_0, bit_of[core]);
            assert_int_equal(hart->local[0], 0x5A);
            hart->local[8] = 0x77;
            store(fixture, NOC, SOFT_RESET_0, 0);
            assert_int_equal(hart->local[0], keep ? 0x5A : 0);
            assert_int_equal(hart->local[8], keep ? 0x77 : 0);
            assert_int_equal(hart->local[hart->local_bytes - 1], keep ? 0x5A : 0);
        }
}

/* The RAM of a new hart is zero, unless another actor has written to it. Later the hart itself may have. */
static void new_local_ram_clears_too(void **state)
{
    struct fixture *fixture = *state;
    struct tf_hart *hart = &fixture->tile.hart[TF_CORE_B];
    store(fixture, NOC, SOFT_RESET_0, bit_of[TF_CORE_B]);
    hart->local_zero = true;
    store(fixture, NOC, TF_LOCAL_OF_B_BASE + 0x10, 0x77);
    assert_int_equal(hart->local[0x10], 0x77);
    store(fixture, NOC, SOFT_RESET_0, 0);
    assert_int_equal(hart->local[0x10], 0);
    store(fixture, NOC, SOFT_RESET_0, bit_of[TF_CORE_B]);
    hart->local_zero = true;
    store(fixture, NOC, SOFT_RESET_0, 0);
    hart->local[0x20] = 0x77;
    store(fixture, NOC, SOFT_RESET_0, bit_of[TF_CORE_B]);
    store(fixture, NOC, SOFT_RESET_0, 0);
    assert_int_equal(hart->local[0x20], 0);
}

static void entering_discards_what_a_core_mailed(void **state)
{
    struct fixture *fixture = *state;
    store(fixture, TF_CORE_T1, TF_MAILBOX_BASE, 1);  /* T1 to B */
    store(fixture, TF_CORE_T1, TF_MAILBOX_OF(3), 2); /* T1 to T2 */
    store(fixture, TF_CORE_B, TF_MAILBOX_OF(2), 3);  /* B to T1 stays */
    store(fixture, NOC, SOFT_RESET_0, bit_of[TF_CORE_T1]);
    assert_int_equal(load(fixture, TF_CORE_B, TF_MAILBOX_OF(2) + 0x4), 0);
    assert_int_equal(load(fixture, TF_CORE_T2, TF_MAILBOX_OF(2) + 0x4), 0);
    store(fixture, NOC, SOFT_RESET_0, 0);
    assert_int_equal(load(fixture, TF_CORE_T1, TF_MAILBOX_BASE), 3);
}

static void leaving_discards_the_pcbuf(void **state)
{
    struct fixture *fixture = *state;
    for (unsigned i = 0; i < 3; i++)
        store(fixture, TF_CORE_B, TF_PC_BUF_BASE + 0x10000 * i, 40 + i);
    store(fixture, NOC, SOFT_RESET_0, bit_of[TF_CORE_T1]);
    assert_int_equal(fixture->tile.mmio.pcbuf[1].count, 1);
    store(fixture, NOC, SOFT_RESET_0, 0);
    assert_int_equal(fixture->tile.mmio.pcbuf[1].count, 0);
    assert_int_equal(load(fixture, TF_CORE_T0, TF_PC_BUF_BASE), 40);
    assert_int_equal(load(fixture, TF_CORE_T2, TF_PC_BUF_BASE), 42);
}

static void the_coprocessor_is_told(void **state)
{
    struct fixture *fixture = *state;
    store(fixture, NOC, SOFT_RESET_0, 0xFFFFFFFF & ~ALL_CORES);
    assert_int_equal(fixture->tensix_resets, 1);
    assert_int_equal(fixture->reset_seen, 0x00FFFFFF & ~ALL_CORES);
    assert_int_equal(load(fixture, NOC, SOFT_RESET_0), 0x00FFFFFF & ~ALL_CORES);
    for (unsigned core = 0; core < TF_TILE_CORES; core++)
        assert_int_equal(fixture->resets[core], 0);
    store(fixture, NOC, SOFT_RESET_0, bit_of[TF_CORE_T2] | 1u << 8);
    assert_int_equal(fixture->reset_seen, bit_of[TF_CORE_T2] | 1u << 8);
    fixture->tile.tensix = NULL;
    store(fixture, NOC, SOFT_RESET_0, 1u << 9);
    assert_int_equal(fixture->tensix_resets, 2);
    assert_int_equal(load(fixture, NOC, SOFT_RESET_0), 1u << 9);
}

static void a_hart_reset_by_the_host_shows(void **state)
{
    struct fixture *fixture = *state;
    fixture->tile.hart[TF_CORE_NC].state = TF_CORE_RESET;
    assert_int_equal(load(fixture, TF_CORE_B, SOFT_RESET_0), bit_of[TF_CORE_NC]);
    fixture->tile.hart[TF_CORE_NC].state = TF_CORE_FAULTED;
    assert_int_equal(load(fixture, TF_CORE_B, SOFT_RESET_0), 0);
    store(fixture, TF_CORE_B, SOFT_RESET_0, bit_of[TF_CORE_NC]);
    assert_int_equal(fixture->resets[TF_CORE_NC], 1);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, fixture_setup, fixture_teardown)
    const struct CMUnitTest tests[] = {
        TEST(power_on_state),
        TEST(reset_bits_act_on_one_core_each),
        TEST(boot_sequence),
        TEST(reset_pcs_need_their_override),
        TEST(local_ram_clears_on_leaving),
        TEST(new_local_ram_clears_too),
        TEST(entering_discards_what_a_core_mailed),
        TEST(leaving_discards_the_pcbuf),
        TEST(the_coprocessor_is_told),
        TEST(a_hart_reset_by_the_host_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
