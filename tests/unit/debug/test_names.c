/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions and variables as reports print them: those of C++, and those with control characters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "debug/names.h"

static void test_mangled(void **state)
{
    static const char *const pairs[][2] = {
        {"main", "main"},
        {"_Z9", "_Z9"},
        {"_ZN3app4pokeEj", "app::poke(unsigned int)"},
        {"_ZN3app4pokeEj.isra.0", "app::poke(unsigned int) [clone .isra.0]"},
        {"_ZN3app4spinILi4EEEvPVjj", "void app::spin<4>(unsigned int volatile*, unsigned int)"},
        {"_ZN3app5countE", "app::count"},
        {"a\x1B[2J", "a\\x1b[2J"},
        {"_Z3a\x1B[v", "a\\x1b[()"},
    };
    struct tf_demangler demangler = {0};
    struct tf_names names = {0};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        tf_demangler_load(&demangler, pairs[i][0]);
        const char *shown = tf_names_shown(&names, &demangler, pairs[i][0]);
        assert_string_equal(shown, pairs[i][1]);
        assert_ptr_equal(tf_names_shown(&names, &demangler, pairs[i][0]), shown);
    }
    assert_null(tf_names_shown(&names, &demangler, NULL));
    tf_names_free(&names);
    tf_demangler_unload(&demangler);
}

/* Each level of this name's parameters stands for two of the level before: at 60 levels, for 10^18 bytes. */
static void test_hostile(void **state)
{
    struct tf_demangler demangler = {0};
    struct tf_names names = {0};
    char name[2000] = "_Z1fPFivE";
    (void)state;
    for (unsigned i = 0; i < 60; i++) {
        static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
        const unsigned last = 2 * i; /* a function type and a pointer for each level */
        char reference[8];
        if (last <= 36)
            snprintf(reference, sizeof reference, "%.1s_", digits + last);
        else
            snprintf(reference, sizeof reference, "%.1s%.1s_", digits + last / 36, digits + last % 36);
        snprintf(name + strlen(name), sizeof name - strlen(name), "PFvS%sS%sE", reference, reference);
    }
    tf_demangler_load(&demangler, name);
    assert_string_equal(tf_names_shown(&names, &demangler, name), name);
    tf_names_free(&names);
    tf_demangler_unload(&demangler);
}

static void test_without_library(void **state)
{
    const struct tf_demangler none = {0};
    struct tf_names names = {0};
    (void)state;
    assert_string_equal(tf_names_shown(&names, &none, "_ZN3app4pokeEj"), "_ZN3app4pokeEj");
    tf_names_free(&names);
}

static void test_wanted(void **state)
{
    static const char spin[] = "void app::spin<4>(unsigned int volatile*, unsigned int)";
    (void)state;
    assert_true(tf_name_is("main", "main"));
    assert_true(tf_name_is("app::poke(unsigned int)", "app::poke"));
    assert_true(tf_name_is("app::poke(unsigned int)", "app::poke(unsigned int)"));
    assert_true(tf_name_is(spin, "app::spin<4>"));
    assert_true(tf_name_is(spin, spin));
    assert_false(tf_name_is(spin, "spin<4>"));
    assert_false(tf_name_is(spin, "app::spin"));
    assert_false(tf_name_is("app::poke(unsigned int)", "poke"));
    assert_false(tf_name_is("main", ""));
    assert_false(tf_name_is("main", "mai"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mangled),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_without_library),
        cmocka_unit_test(test_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
