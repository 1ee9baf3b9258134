/* SPDX-License-Identifier: Apache-2.0 */
/* tf_mmio_peek(): what a debugger sees of the registers that a core can load. */
#include "farm/chip/chip.h"
#include "one_chip.h"
#include "tile/mmio/map/map.h"
#include "tile/mmio/mmio.h"
#include "tile/mmio/map/peek.h"
#include "tile/run/tile.h"
#include "tilefarm_address.h"

static struct tf_tile *tile;

static int setup(void **state)
{
    int result = setup_one_worker(state);
    tile = result == 0 ? &chip->tiles.tile[0] : NULL;
    return result;
}

static void store(unsigned core, uint32_t address, uint32_t value)
{
    assert_int_equal(tf_mmio_store(tile, core, address, 4, value), TF_ACCESS_OK);
}

static void sees(unsigned core, uint32_t address, uint32_t value)
{
    uint32_t seen = ~value;
    assert_true(tf_mmio_peek(tile, core, address, &seen));
    assert_int_equal(seen, value);
}

static void sees_nothing(unsigned core, uint32_t address)
{
    uint32_t seen = 1;
    assert_false(tf_mmio_peek(tile, core, address, &seen));
    assert_int_equal(seen, 0);
    assert_int_equal(tile->faults.count, 0);
}

/* A T core has the GPRs of its thread, B those of all threads. What lies behind them is no fault. */
static void gprs(void **state)
{
    (void)state;
    for (unsigned thread = 0; thread < 3; thread++)
        store(TF_CORE_T0 + thread, TF_GPR_BASE + 4 * 5, 0x1234 + thread);
    for (unsigned thread = 0; thread < 3; thread++) {
        sees(TF_CORE_T0 + thread, TF_GPR_BASE + 4 * 5, 0x1234 + thread);
        sees(TF_CORE_B, TF_GPR_BASE + 0x100 * thread + 4 * 5, 0x1234 + thread);
        sees_nothing(TF_CORE_T0 + thread, TF_GPR_BASE + 0x100);
    }
    sees_nothing(TF_CORE_NC, TF_GPR_BASE + 4 * 5);
    sees_nothing(TF_CORE_B, TF_GPR_BASE + 0x300);
}

static void others(void **state)
{
    (void)state;
    const uint32_t config = TF_CFG_BASE + 4 * 20, stream = TF_STREAM_BASE + 4 * 4, unknown = 0xFFD00000;
    store(TF_CORE_B, config, 0xABCD);
    sees(TF_CORE_T2, config, 0xABCD);
    store(TF_CORE_B, stream, 0x77);
    sees(TF_CORE_NC, stream, 0x77);
    sees_nothing(TF_CORE_B, unknown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(gprs, setup, teardown),
        cmocka_unit_test_setup_teardown(others, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
