/* SPDX-License-Identifier: Apache-2.0 */
/* Files of suppressions: their patterns, and hostile ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "debug/suppress.h"

static void test_patterns(void **state)
{
    static const struct {
        const char *pattern, *name;
        bool fits;
    } cases[] = {
        {"main", "main", true},
        {"main", "mains", false},
        {"main", "mai", false},
        {"", "", true},
        {"*", "", true},
        {"*", "anything", true},
        {"m*n", "main", true},
        {"m*n", "made", false},
        {"*_*", "a_b", true},
        {"*_*", "ab", false},
        {"m?in", "main", true},
        {"m?in", "min", false},
        {"[a-c]x", "bx", true},
        {"[a-c]x", "dx", false},
        {"[!a-c]x", "dx", true},
        {"[^a-c]x", "ax", false},
        {"[]x]y", "]y", true},
        {"[]x]y", "ay", false},
        {"[a-]y", "-y", true},
        {"a\\*b", "a*b", true},
        {"a\\*b", "axb", false},
        {"[\\]]y", "]y", true},
        {"[ab", "[ab", true},
        {"[ab", "a", false},
        {"a**b", "ab", true},
        {"*a*b*c*", "xaybzcw", true},
        {"*a*b*c*", "xcybza", false},
        {"\\", "\\", true},
        {"*::send<*>", "n::send<int>", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (tf_pattern_fits(cases[i].pattern, cases[i].name) != cases[i].fits)
            fail_msg("'%s' and '%s'", cases[i].pattern, cases[i].name);
}

/* The time of a pattern with many stars grows as the product of the lengths. */
static void test_many_stars(void **state)
{
    char pattern[2001], name[2001];
    (void)state;
    for (unsigned i = 0; i < 1000; i++)
        memcpy(pattern + 2 * i, "*a", 2);
    memset(name, 'a', sizeof name - 1);
    pattern[2000] = name[2000] = '\0';
    pattern[1999] = 'b';
    assert_false(tf_pattern_fits(pattern, name));
}

static struct tf_suppressions *read(const char *text, const char *why)
{
    struct tf_message message = {.text = ""};
    struct tf_suppressions *made = tf_suppressions_read(text, strlen(text), &message);
    assert_string_equal(message.text, why);
    return made;
}

static bool accepts(const char *text, const char *first, const char *second)
{
    struct tf_raced names = {0};
    struct tf_suppressions *made = read(text, "");
    assert_non_null(made);
    strcpy(names.side[0].place, first);
    strcpy(names.side[1].place, second);
    bool result = tf_suppressions_match(made, names.side);
    tf_suppressions_free(made);
    return result;
}

static void test_files(void **state)
{
    (void)state;
    assert_false(tf_suppressions_match(NULL, NULL));
    assert_true(accepts("send\n", "send+4 (send.c:9)", "main+8"));
    assert_true(accepts("# first\r\n\tsend  main # why\r\n", "main+4", "send+8"));
    assert_false(accepts("send other\n", "send+4", "main+8"));
    assert_true(accepts("- main", "main+4", ""));
    assert_false(accepts("", "main+4", "send+4"));
    assert_null(read("a\na b c\n", "line 2 has more than two patterns"));
    assert_null(read("a\x1B\n", "it is not a text file of patterns"));
}

/* A line of any length is one line. */
static void test_long_line(void **state)
{
    (void)state;
    char text[5000];
    memset(text, 'x', sizeof text);
    text[0] = '#';
    memcpy(text + 1023, "main", 4);
    text[sizeof text - 1] = '\0';
    assert_false(accepts(text, "main+4", "xxx"));
    assert_false(accepts(text, "xxx", "x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_many_stars),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_long_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
