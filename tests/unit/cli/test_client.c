/* SPDX-License-Identifier: Apache-2.0 */
/* What a client of a library knows of its device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "abi/abi.h"
#include "cli/client.h"

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

/* It must not be taken for one of another family. */
static void test_unknown_device(void **state)
{
    struct tf_arch other = *tf_arch_find(NULL);
    struct tf_client client;
    (void)state;
    other.name = "other";
    assert_false(tf_client_set_arch(&client, &other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_families_have_windows),
        cmocka_unit_test(test_unknown_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
