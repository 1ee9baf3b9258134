/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of any size goes through a stream and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/sanitizer.h"
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

#define PAGE TF_ZEROED_PAGE_BYTES
#define PAGES 8u

/* Memory that was looked at: parts on untouched pages stay untouched, others are cleared. */
static void test_looked_at(void **state)
{
    (void)state;
    static uint8_t buffer[ROOM];
    uint8_t *from = tf_zeroed_take(PAGES * PAGE), *to = tf_zeroed_take(PAGES * PAGE);
    bool touched[PAGES];
    assert_true(from != NULL && to != NULL);
    from[5 * PAGE + 17] = 1;
    to[2 * PAGE + 100] = 2;
    struct tf_saved saved = {.buffer = buffer, .room = sizeof buffer, .refill = no_more};
    tf_looked_begin(&saved.looked, from, PAGES * PAGE);
    for (unsigned part = 0; part < 2 * PAGES; part++)
        tf_saved_memory(&saved, from + part * PAGE / 2, PAGE / 2);
    tf_looked_end(&saved.looked);
    saved =
        (struct tf_saved){.reads = true, .buffer = buffer, .bytes = saved.at, .room = sizeof buffer, .refill = no_more};
    tf_looked_begin(&saved.looked, to, PAGES * PAGE);
    for (unsigned part = 0; part < 2 * PAGES; part++)
        tf_saved_memory(&saved, to + part * PAGE / 2, PAGE / 2);
    tf_looked_end(&saved.looked);
    tf_zeroed_look(to, PAGES, touched);
    assert_true(saved.why == NULL && touched[2] && touched[5]);
    for (unsigned page = 6; page < PAGES && !TF_WITH_ASAN; page++)
        assert_false(touched[page]);
    assert_memory_equal(from, to, PAGES * PAGE);
    tf_zeroed_give(from, PAGES * PAGE);
    tf_zeroed_give(to, PAGES * PAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
