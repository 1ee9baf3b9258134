/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "host/printable.h"

static void becomes(const char *text, const char *wanted)
{
    char got[200];
    assert_int_equal(tf_printable(text, strlen(text), got, sizeof got), strlen(wanted));
    assert_string_equal(got, wanted);
    assert_int_equal(tf_is_printable(text), strcmp(text, wanted) == 0);
}

static void test_kept(void **state)
{
    (void)state;
    becomes("", "");
    becomes("main+4 (sum.c:12)", "main+4 (sum.c:12)");
    becomes("gr\xC3\xBC\xC3\x9F \xE2\x86\x92 \xF0\x9F\x98\x80", "gr\xC3\xBC\xC3\x9F \xE2\x86\x92 \xF0\x9F\x98\x80");
}

static void test_escaped(void **state)
{
    (void)state;
    becomes("\x1B[2J", "\\x1b[2J");
    becomes("a\nb\rc\td\x7F", "a\\x0ab\\x0dc\td\\x7f");
    becomes("\x80", "\\x80");
    becomes("\xC2\x9B"
            "31m",
            "\\xc2\\x9b31m");                         /* CSI as one character */
    becomes("\xE2\x80\xAEtxt", "\\xe2\\x80\\xaetxt"); /* right to left */
}

static void test_no_utf8(void **state)
{
    (void)state;
    becomes("\xC3", "\\xc3");
    becomes("\xC3(", "\\xc3(");
    becomes("\xC0\x80", "\\xc0\\x80");
    becomes("\xE0\x80\x80", "\\xe0\\x80\\x80");
    becomes("\xED\xA0\x80", "\\xed\\xa0\\x80");
    becomes("\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80");
    becomes("\xF8\x88\x80\x80\x80", "\\xf8\\x88\\x80\\x80\\x80");
}

static void test_room(void **state)
{
    (void)state;
    char got[8];
    assert_int_equal(tf_printable("abcdefghij", 10, got, sizeof got), 7);
    assert_string_equal(got, "abcdefg");
    assert_int_equal(tf_printable("abcde\x1B", 6, got, sizeof got), 5);
    assert_string_equal(got, "abcde");
    assert_int_equal(tf_printable("abcdef\xC3\xBC", 8, got, sizeof got), 6);
    assert_string_equal(got, "abcdef");
    assert_int_equal(tf_printable("a", 1, got, 1), 0);
    assert_string_equal(got, "");
    assert_int_equal(tf_printable("a\0b", 3, got, sizeof got), 6);
    assert_string_equal(got, "a\\x00b");
}

static void test_cut(void **state)
{
    (void)state;
    assert_int_equal(tf_printable_cut("abc", 5), 3);
    assert_int_equal(tf_printable_cut("abc", 3), 3);
    assert_int_equal(tf_printable_cut("abc", 2), 2);
    assert_int_equal(tf_printable_cut("a\xC3\xBC", 2), 1);
    assert_int_equal(tf_printable_cut("a\xC3\xBC", 3), 3);
    assert_int_equal(tf_printable_cut("\xF0\x9F\x98\x80", 3), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept), cmocka_unit_test(test_escaped), cmocka_unit_test(test_no_utf8),
        cmocka_unit_test(test_room), cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
