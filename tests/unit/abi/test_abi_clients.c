/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of clients before they use a simulated chip: tt-umd (device/tt_device/tt_sim_tt_device.cpp,
 * device/pcie/tt_sim_tlb_handle.cpp) and tt-exalens on top of it (ttexalens/umd_api.py).
 */
#include "rig.h"

#include <stdbool.h>

#include "addresses.h"

#define SOFT_RESET DEBUG_AT(SOFT_RESET_0)
#define BRISC_RESET (1u << 11)
#define JUMP_TO_ITSELF 0x6Fu
#define LUI_A5_DEBUG 0xFFB127B7u                                                   /* lui a5, 0xFFB12 */
#define SW_ZERO(offset) (0x0007A023u | ((offset) >> 5) << 25 | ((offset)&31) << 7) /* sw zero, offset(a5) */

static void store(uint64_t address, uint32_t value)
{
    lib.write(address, &value, sizeof value);
}

static uint64_t bar(uint32_t offset)
{
    return (lib.config_read(0, offset) | (uint64_t)lib.config_read(0, offset + 4) << 32) & ~15ull;
}

/* Outbound regions in tt-umd's form: 1 GiB apart, without the limit's high word and the third control word. */
static void make_region(unsigned region, uint64_t target)
{
    uint64_t at = bar(0x18) + 0x1000 + 0x200 * region, base = (uint64_t)region << 30;
    store(at + 0x04, 0);
    store(at + 0x00, 0);
    store(at + 0x08, (uint32_t)base);
    store(at + 0x0C, (uint32_t)(base >> 32));
    store(at + 0x10, (uint32_t)(base + (1u << 30) - 1));
    store(at + 0x14, (uint32_t)target);
    store(at + 0x18, (uint32_t)(target >> 32));
    store(at + 0x04, 1u << 31);
}

static void host_is_found(void)
{
    uint32_t got = 0, pattern = 0x600DF00D;
    assert_int_equal(lib.config_read(0, 0), 0xB140u << 16 | 0x1E52);
    assert_int_equal(bar(0x10), BAR0);
    assert_int_equal(bar(0x20), BAR4);
    for (unsigned region = 0; region < 4; region++)
        make_region(region, (uint64_t)region * 0x1000);
    put(&lib, 19, 24, (4ull << 58) + 0x40, &pattern, sizeof pattern);
    get(&lib, 19, 24, (4ull << 58) + (1ull << 30) - 0x1000 + 0x40, &got, sizeof got);
    assert_int_not_equal(got, pattern);
    get(&lib, 19, 24, (4ull << 58) + 0x40, &got, sizeof got);
    assert_int_equal(got, pattern);
    put(&lib, 19, 24, (4ull << 58) + (2ull << 30) + 0x44, &pattern, sizeof pattern); /* the third region */
    get(&lib, 19, 24, (4ull << 58) + 0x2044, &got, sizeof got);
    assert_int_equal(got, pattern);
}

static void test_host_memory(void **state)
{
    (void)state;
    SILENT(host_is_found());
}

static bool is_tensix(unsigned x, unsigned y)
{
    return y >= 2 && y < 12 && x >= 1 && x < 17 && x != 8 && x != 9;
}

/* tt-exalens leaves B of every tile in a jump to itself. After that each read costs next to nothing. */
static void cores_are_parked(void)
{
    unsigned tiles = 0;
    for (unsigned x = 0; x < 17; x++)
        for (unsigned y = 0; y < 12; y++) {
            if (!is_tensix(x, y))
                continue;
            put32(&lib, x, y, 0, JUMP_TO_ITSELF);
            put32(&lib, x, y, SOFT_RESET, get32(&lib, x, y, SOFT_RESET) & ~BRISC_RESET);
            lib.clock(1);
            tiles++;
        }
    assert_int_equal(tiles, 140);
    for (unsigned i = 0; i < 20000; i++) {
        assert_int_equal(get32(&lib, 1, 2, 0), JUMP_TO_ITSELF);
        lib.clock(1);
    }
    assert_int_equal(get32(&lib, 16, 11, SOFT_RESET) & BRISC_RESET, 0);
}

static void test_parked_cores(void **state)
{
    (void)state;
    SILENT(cores_are_parked());
}

/* tt-umd's first program stores past the last debug register, and silicon takes that. */
static void first_program_runs(void)
{
    const uint32_t program[] = {LUI_A5_DEBUG,    SW_ZERO(0x278u), SW_ZERO(0x27Cu), SW_ZERO(0x280u), SW_ZERO(0x284u),
                                SW_ZERO(0x288u), SW_ZERO(0x28Cu), SW_ZERO(0x228u), JUMP_TO_ITSELF};
    put32(&lib, 7, 2, DEBUG_AT(TRISC0_RESET_PC), 0x1234);
    put(&lib, 7, 2, 0, program, sizeof program);
    put32(&lib, 7, 2, SOFT_RESET, get32(&lib, 7, 2, SOFT_RESET) & ~BRISC_RESET);
    lib.clock(1000);
    assert_int_equal(get32(&lib, 7, 2, DEBUG_AT(TRISC0_RESET_PC)), 0);
    put32(&lib, 7, 2, SOFT_RESET, get32(&lib, 7, 2, SOFT_RESET) | BRISC_RESET);
}

static void test_first_program(void **state)
{
    (void)state;
    SILENT(first_program_runs());
}

int main(void)
{
    if (api_load(&lib, TF_LIBTTSIM) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_host_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parked_cores, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_first_program, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
