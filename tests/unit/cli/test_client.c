/* SPDX-License-Identifier: Apache-2.0 */
/* What a client of a library knows of its device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "abi/abi.h"
#include "cli/peer/client.h"
#include "tile/mmio/reset.h"

static void test_families_have_windows(void **state)
{
    static const char *const names[] = {"blackhole", "wormhole"};
    (void)state;
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct tf_client client;
        assert_true(tf_client_set_arch(&client, tf_arch_find(names[i])));
        assert_string_equal(client.device->arch, names[i]);
        assert_true(client.device->small.config_bytes != 0 && client.device->small.access_bytes != 0);
    }
}

/* It must not be taken for a device of another family. */
static void test_unknown_device(void **state)
{
    struct tf_arch other = *tf_arch_find(NULL);
    struct tf_client client;
    (void)state;
    other.name = "other";
    assert_false(tf_client_set_arch(&client, &other));
}

/* The store that a library got last from a client, and the registers whose low halves it got. */
static struct {
    uint32_t value;
    bool soft_reset, trisc_pcs, ncrisc_pc;
} stored;

static void write_store(uint64_t address, const void *data, uint32_t bytes)
{
    if (bytes != sizeof stored.value)
        return;
    memcpy(&stored.value, data, bytes);
    stored.soft_reset |= address % 0x1000 == TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0) % 0x1000;
    stored.trisc_pcs |= address % 0x1000 == TF_DEBUG_ADDRESS(TF_DEBUG_TRISC_RESET_PC_OVERRIDE) % 0x1000;
    stored.ncrisc_pc |= address % 0x1000 == TF_DEBUG_ADDRESS(TF_DEBUG_NCRISC_RESET_PC_OVERRIDE) % 0x1000;
}

/* The family's table says which cores a client resets and starts. */
static void test_fewer_cores(void **state)
{
    static const struct tf_core_reset resets[] = {TF_TENSIX_RESETS};
    const uint32_t all = 1u << resets[TF_CORE_B].bit | 1u << resets[TF_CORE_NC].bit;
    struct tf_arch two = *tf_arch_find(NULL);
    struct tf_client client = {.library.write = write_store};
    uint32_t pc[2] = {0, 0x8000};
    (void)state;
    two.tile[TF_TILE_TENSIX].cores = 2;
    assert_true(tf_client_set_arch(&client, &two));
    tf_client_start(&client, (struct tf_client_target){.all = true}, 0);
    assert_true(stored.soft_reset);
    assert_int_equal(stored.value, all);
    tf_client_set_pcs(&client, (struct tf_client_target){.all = true}, 0x1F, pc);
    assert_true(stored.ncrisc_pc && !stored.trisc_pcs);
    tf_client_start(&client, (struct tf_client_target){.all = true}, 1u << TF_CORE_NC);
    assert_int_equal(stored.value, 1u << resets[TF_CORE_B].bit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families_have_windows),
        cmocka_unit_test(test_unknown_device),
        cmocka_unit_test(test_fewer_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
