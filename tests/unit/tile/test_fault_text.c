/* SPDX-License-Identifier: Apache-2.0 */
/* The sentence of a fault has 159 characters: a reader sees where it is cut off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tile/fault.h"
#include "tile/state.h"

static const char *text_of(unsigned length)
{
    static struct tf_tile tile;
    char letters[200];
    memset(letters, 'a', sizeof letters);
    tile.faults.count = 0;
    tf_tile_fault_record(&tile, TF_CORE_B, 0, 0, TF_FAULT_UNDEFINED, 1, 0, "%.*s", (int)length, letters);
    return tile.faults.entry[0].text;
}

static void long_texts_end_with_dots(void **state)
{
    (void)state;
    assert_int_equal(strspn(text_of(159), "a"), 159);
    assert_int_equal(strspn(text_of(160), "a"), 156);
    assert_string_equal(text_of(160) + 156, "...");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(long_texts_end_with_dots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
