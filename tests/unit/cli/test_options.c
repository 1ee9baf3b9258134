/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "cli/cli.h"
#include "cli/guess.h"
#include "cli/options/options.h"

struct wanted {
    bool on, off;
    uint32_t small;
    uint64_t large;
    const char *text;
    const char *called;
    unsigned calls;
    enum { RED = 3, GREEN, BLUE } colour;
    bool second;
    unsigned threads;
};

static bool take_call(void *into, const char *option, const char *value)
{
    struct wanted *wanted = into;
    assert_true(strcmp(option, "--call") == 0 || strcmp(option, "--maybe") == 0);
    wanted->called = value;
    wanted->calls++;
    return value == NULL || strcmp(value, "bad") != 0;
}

/* clang-format off */
static const struct tf_option options[] = {
    {.name = "on", .kind = TF_OPTION_SET, .offset = offsetof(struct wanted, on), .help = ""},
    {.name = "off", .kind = TF_OPTION_CLEAR, .offset = offsetof(struct wanted, off), .help = ""},
    {.name = "small", .argument = "N", .kind = TF_OPTION_U32, .offset = offsetof(struct wanted, small), .least = 2,
     .most = 9, .help = ""},
    {.name = "large", .argument = "N", .kind = TF_OPTION_U64, .offset = offsetof(struct wanted, large),
     .most = UINT64_MAX, .help = ""},
    {.name = "text", .argument = "TEXT", .kind = TF_OPTION_TEXT, .offset = offsetof(struct wanted, text), .help = ""},
    {.name = "call", .argument = "X", .kind = TF_OPTION_CALL, .call = take_call, .help = ""},
    {.name = "maybe", .argument = "X", .optional = true, .kind = TF_OPTION_CALL, .call = take_call, .help = ""},
    {.name = "colour", .argument = "red|green|blue", .optional = true, .kind = TF_OPTION_CHOICE,
     .offset = offsetof(struct wanted, colour), .least = RED, .help = ""},
    {.name = "blue", .kind = TF_OPTION_CHOICE, .offset = offsetof(struct wanted, colour), .least = BLUE, .help = ""},
    {.name = "which", .argument = "first|second", .kind = TF_OPTION_EITHER,
     .offset = offsetof(struct wanted, second), .help = ""},
    TF_OPTION_OF_THREADS(offsetof(struct wanted, threads)),
};
/* clang-format on */

static const struct tf_usage usage = {
    .synopsis = "thing [options] [ONE [TWO]]",
    .text = "",
    .option = options,
    .options = sizeof options / sizeof options[0],
    .operands_least = 1,
    .operands_most = 2,
};

static struct wanted wanted;
static int first;

static int with(const char *a, const char *b, const char *c, const char *d)
{
    char text[5][32] = {"thing"};
    const char *given[] = {a, b, c, d};
    char *argv[6] = {text[0]};
    int argc = 1;
    for (unsigned i = 0; i < 4 && given[i] != NULL; i++, argc++)
        argv[argc] = strcpy(text[argc], given[i]);
    wanted = (struct wanted){.off = true};
    int code = tf_cli_options(argc, argv, &usage, &wanted, &first);
    if (code < 0 && first < argc)
        assert_string_equal(argv[first], "one");
    return code;
}

static void test_kinds(void **state)
{
    (void)state;
    assert_int_equal(with("--on", "one", "--off", NULL), -1);
    assert_true(wanted.on);
    assert_false(wanted.off);
    assert_int_equal(first, 3);
    assert_int_equal(with("one", "--small", "9", "--large=0xffffffffffffffff"), -1);
    assert_int_equal(wanted.small, 9);
    assert_true(wanted.large == UINT64_MAX);
    assert_int_equal(with("--text=", "one", NULL, NULL), -1);
    assert_non_null(wanted.text);
    assert_int_equal(with("--call", "x", "one", NULL), -1);
    assert_int_equal(wanted.calls, 1);
    assert_int_equal(with("--maybe", "one", NULL, NULL), -1);
    assert_null(wanted.called);
    assert_int_equal(wanted.calls, 1);
    assert_int_equal(with("--maybe=x", "one", "two", NULL), -1);
    assert_non_null(wanted.called);
    assert_int_equal(with("one", "--", "--on", NULL), -1);
    assert_false(wanted.on);
}

static void test_names(void **state)
{
    (void)state;
    assert_int_equal(with("one", "--colour=green", "--which", "second"), -1);
    assert_int_equal(wanted.colour, GREEN);
    assert_true(wanted.second);
    assert_int_equal(with("one", "--colour", "--which", "first"), -1);
    assert_int_equal(wanted.colour, RED);
    assert_false(wanted.second);
    assert_int_equal(with("one", "--blue", NULL, NULL), -1);
    assert_int_equal(wanted.colour, BLUE);
    assert_int_equal(with("one", "--threads", "3", NULL), -1);
    assert_int_equal(wanted.threads, 3);
    assert_int_equal(with("one", "--threads", "auto", NULL), -1);
    assert_int_equal(wanted.threads, 0);
    assert_int_equal(with("one", "--colour=gree", NULL, NULL), TF_EXIT_USAGE);
    assert_int_equal(with("one", "--which", "third", NULL), TF_EXIT_USAGE);
    assert_int_equal(with("one", "--threads", "0", NULL), TF_EXIT_USAGE);
}

static const char *guess_of(const char *given)
{
    static char text[TF_GUESS_BYTES];
    struct tf_guess guess = {.given = given, .prefix = "--"};
    tf_guess_offer(&guess, "scale");
    tf_guess_offer(&guess, "slice");
    tf_guess_offer(&guess, "serial-delivery");
    return tf_guess_text(&guess, text);
}

static void test_guesses(void **state)
{
    (void)state;
    assert_string_equal(guess_of("scael"), " (did you mean '--scale'?)");
    assert_string_equal(guess_of("slices"), " (did you mean '--slice'?)");
    assert_string_equal(guess_of("lice"), " (did you mean '--slice'?)");
    assert_string_equal(guess_of("serial-delivrey"), " (did you mean '--serial-delivery'?)");
    assert_string_equal(guess_of("frob"), "");
    assert_string_equal(guess_of(""), "");
    assert_string_equal(guess_of("a name that is longer than any that is ever compared"), "");
}

static void test_refused(void **state)
{
    (void)state;
    assert_int_equal(with(NULL, NULL, NULL, NULL), TF_EXIT_USAGE);
    assert_int_equal(with("one", "two", "three", NULL), TF_EXIT_USAGE);
    assert_int_equal(with("one", "--none", NULL, NULL), TF_EXIT_USAGE);
    assert_int_equal(with("one", "-n", NULL, NULL), TF_EXIT_USAGE);
    assert_int_equal(with("one", "--on=3", NULL, NULL), TF_EXIT_USAGE);
    assert_int_equal(with("one", "--small", NULL, NULL), TF_EXIT_USAGE);
    assert_int_equal(with("one", "--small", "1", NULL), TF_EXIT_USAGE);
    assert_int_equal(with("one", "--small", "10", NULL), TF_EXIT_USAGE);
    assert_int_equal(with("one", "--call", "bad", NULL), TF_EXIT_USAGE);
    assert_int_equal(with("--o", "one", NULL, NULL), TF_EXIT_USAGE); /* on or off */
    assert_int_equal(with("--help", "--none", NULL, NULL), TF_EXIT_OK);
    assert_int_equal(with("-h", NULL, NULL, NULL), TF_EXIT_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_guesses),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
