/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of any size goes through a stream and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/saved.h"

#define ROOM 16384u

static bool no_more(struct tf_saved *saved)
{
    tf_saved_fail(saved, "the buffer ends");
    return false;
}

/* Save memory whose last byte alone is not 0, and read it into other memory. */
static void check(size_t bytes)
{
    static uint8_t buffer[ROOM];
    uint8_t *from = calloc(1, bytes), *to = malloc(bytes);
    assert_non_null(from);
    assert_non_null(to);
    from[bytes - 1] = 0xA5;
    memset(to, 0x5A, bytes);
    struct tf_saved saved = {.buffer = buffer, .room = sizeof buffer, .refill = no_more};
    tf_saved_memory(&saved, from, bytes);
    saved =
        (struct tf_saved){.reads = true, .buffer = buffer, .bytes = saved.at, .room = sizeof buffer, .refill = no_more};
    tf_saved_memory(&saved, to, bytes);
    assert_null(saved.why);
    assert_int_equal(saved.at, saved.bytes);
    assert_memory_equal(from, to, bytes);
    free(from);
    free(to);
}

static void test_sizes(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 63, 64, 65, 4032, 4033, 4095, 4096, 4097, 8190};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        check(sizes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
