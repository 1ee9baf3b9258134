/* SPDX-License-Identifier: Apache-2.0 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

#define OPTIONS_MAX 48u
#define CODE_BASE 256 /* codes of options lie above characters */
#define CODE_HELP (CODE_BASE + (int)OPTIONS_MAX)

#define HELP_COLUMN 32u
#define HELP_COLUMNS 100u

/* Name number `index` of "a|b|c"; false when there are fewer. */
static bool name_at(const char *names, uint64_t index, char *name, size_t bytes)
{
    for (; index > 0; index--) {
        names = strchr(names, '|');
        if (names == NULL)
            return false;
        names++;
    }
    snprintf(name, bytes, "%.*s", (int)strcspn(names, "|"), names);
    return true;
}

/* The index of a name in "a|b|c", or -1. */
static int index_of(const char *names, const char *name)
{
    char each[32];
    for (int i = 0; name_at(names, (uint64_t)i, each, sizeof each); i++)
        if (strcmp(name, each) == 0)
            return i;
    return -1;
}

/* The default of an option as text; "" when there is none to name. */
static void default_of(const struct tf_option *option, const void *into, char *text, size_t bytes)
{
    const char *field = (const char *)into + option->offset;
    uint32_t number = 0;
    text[0] = '\0';
    if (option->kind == TF_OPTION_U32 || option->kind == TF_OPTION_CHOICE || option->kind == TF_OPTION_THREADS)
        memcpy(&number, field, sizeof number);
    if (option->kind == TF_OPTION_U32 && number != 0)
        snprintf(text, bytes, "%u", number);
    else if (option->kind == TF_OPTION_U64 && *(const uint64_t *)field != 0)
        snprintf(text, bytes, "%llu", (unsigned long long)*(const uint64_t *)field);
    else if (option->kind == TF_OPTION_TEXT && *(const char *const *)field != NULL)
        snprintf(text, bytes, "%s", *(const char *const *)field);
    else if (option->kind == TF_OPTION_CHOICE && option->argument != NULL && number >= option->least)
        name_at(option->argument, number - option->least, text, bytes);
    else if (option->kind == TF_OPTION_EITHER)
        name_at(option->argument, *(const bool *)field, text, bytes);
    else if (option->kind == TF_OPTION_THREADS)
        snprintf(text, bytes, number == 0 ? "auto" : "%u", number);
}

/* Text in the column of help, from `column` on, broken between words. */
static void print_wrapped(const char *text, unsigned column)
{
    while (*text != '\0') {
        unsigned word = (unsigned)strcspn(text, " ");
        if (column > HELP_COLUMN && column + 1 + word > HELP_COLUMNS) {
            printf("\n%*s", (int)HELP_COLUMN, "");
            column = HELP_COLUMN;
        }
        column += (unsigned)printf("%s%.*s", column > HELP_COLUMN ? " " : "", (int)word, text);
        text += word;
        text += *text == ' ';
    }
    printf("\n");
}

static void print_option(const struct tf_option *option, const void *into)
{
    char left[64], text[400], preset[64];
    const char *argument = option->argument == NULL ? "" : option->argument;
    int length = snprintf(left, sizeof left, "  --%s%s%s%s", option->name,
                          option->optional      ? "[="
                          : argument[0] != '\0' ? " "
                                                : "",
                          argument, option->optional ? "]" : "");
    default_of(option, into, preset, sizeof preset);
    snprintf(text, sizeof text, "%s%s%s%s", option->help, preset[0] != '\0' ? " (default: " : "", preset,
             preset[0] != '\0' ? ")" : "");
    printf("%-*s", (int)HELP_COLUMN, left);
    if (length >= (int)HELP_COLUMN)
        printf("\n%*s", (int)HELP_COLUMN, "");
    print_wrapped(text, HELP_COLUMN);
}

static void print_help(const struct tf_usage *usage, const void *into)
{
    printf("Usage: tilefarm %s\n\n%s", usage->synopsis, usage->text);
    if (usage->options > 0)
        printf("\nOptions:\n");
    for (unsigned i = 0; i < usage->options; i++)
        print_option(&usage->option[i], into);
}

/* "'a', 'b' or 'c'", of "a|b|c". */
static void print_names(char *text, size_t bytes, const char *names)
{
    char name[32], next[32];
    size_t length = 0;
    for (uint64_t i = 0; name_at(names, i, name, sizeof name) && length < bytes; i++) {
        const char *between = i == 0 ? "" : name_at(names, i + 1, next, sizeof next) ? ", " : " or ";
        length += (size_t)snprintf(text + length, bytes - length, "%s'%s'", between, name);
    }
}

/* The index of a value among the names of an option's argument; -1 after an error line. */
static int choose(const struct tf_option *option, const char *name, const char *value)
{
    int index = option->argument == NULL || value == NULL ? 0 : index_of(option->argument, value);
    char names[128];
    if (index < 0) {
        print_names(names, sizeof names, option->argument);
        tf_cli_error("%s: '%s' is not %s", name, value, names);
    }
    return index;
}

static bool take(const struct tf_option *option, void *into, const char *value)
{
    char name[64];
    snprintf(name, sizeof name, "--%s", option->name);
    char *field = (char *)into + option->offset;
    uint64_t number;
    int index = 0;
    switch (option->kind) {
    case TF_OPTION_SET:
    case TF_OPTION_CLEAR: *(bool *)field = option->kind == TF_OPTION_SET; return true;
    case TF_OPTION_U32:
        if (!tf_cli_number(name, value, option->least, option->most, &number))
            return false;
        *(uint32_t *)field = (uint32_t)number;
        return true;
    case TF_OPTION_U64: return tf_cli_number(name, value, option->least, option->most, (uint64_t *)field);
    case TF_OPTION_TEXT: *(const char **)field = value; return true;
    case TF_OPTION_CHOICE:
    case TF_OPTION_EITHER:
        index = choose(option, name, value);
        if (index >= 0 && option->kind == TF_OPTION_EITHER)
            *(bool *)field = index != 0;
        else if (index >= 0)
            memcpy(field, &(uint32_t){(uint32_t)option->least + (uint32_t)index}, sizeof(uint32_t));
        return index >= 0;
    case TF_OPTION_THREADS: return tf_cli_threads(name, value, (unsigned *)field);
    case TF_OPTION_CALL: return option->call(into, name, value);
    }
    return false;
}

static void make_long_options(const struct tf_usage *usage, struct option *list)
{
    unsigned count = usage->options < OPTIONS_MAX ? usage->options : OPTIONS_MAX;
    for (unsigned i = 0; i < count; i++) {
        const struct tf_option *option = &usage->option[i];
        int argument = option->argument == NULL ? no_argument
                       : option->optional       ? optional_argument
                                                : required_argument;
        list[i] = (struct option){.name = option->name, .has_arg = argument, .val = CODE_BASE + (int)i};
    }
    list[count] = (struct option){.name = "help", .has_arg = no_argument, .val = CODE_HELP};
}

/* An option that is none, or the beginning of several. */
static void unknown_option(char **argv, const struct tf_usage *usage, const char *word)
{
    char given[64], text[400] = "", meant[TF_GUESS_BYTES];
    snprintf(given, sizeof given, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    struct tf_guess guess = {.given = given, .prefix = "--"};
    unsigned begun = 0;
    for (unsigned i = 0; i < usage->options; i++) {
        size_t length = strlen(text);
        tf_guess_offer(&guess, usage->option[i].name);
        if (strncmp(usage->option[i].name, given, strlen(given)) != 0)
            continue;
        snprintf(text + length, sizeof text - length, "%s--%s", begun++ > 0 ? ", " : "", usage->option[i].name);
    }
    if (begun > 1) {
        tf_cli_error("%s: option '--%s' may be %s", argv[0], given, text);
        return;
    }
    tf_cli_error("%s: unknown option '%s'%s; see 'tilefarm %s --help'", argv[0], word, tf_guess_text(&guess, meant),
                 argv[0]);
}

/* code: what getopt_long() returned, '?' or ':'. */
static int wrong_option(char **argv, const struct tf_usage *usage, int code)
{
    const char *word = argv[optind - 1];
    if (code == ':')
        tf_cli_error("%s: %s needs an argument; see 'tilefarm %s --help'", argv[0], word, argv[0]);
    else if (optopt >= CODE_BASE)
        tf_cli_error("%s: '%s': this option takes no argument", argv[0], word);
    else if (optopt > 0)
        tf_cli_error("%s: unknown option '-%c'; see 'tilefarm %s --help'", argv[0], optopt, argv[0]);
    else
        unknown_option(argv, usage, word);
    return TF_EXIT_USAGE;
}

static int wrong_operands(int argc, char **argv, const struct tf_usage *usage)
{
    if ((unsigned)(argc - optind) > usage->operands_most)
        tf_cli_error("%s: '%s' is one argument too many; see 'tilefarm %s --help'", argv[0],
                     argv[optind + (int)usage->operands_most], argv[0]);
    else
        tf_cli_error("%s: an argument is missing: tilefarm %s", argv[0], usage->synopsis);
    return TF_EXIT_USAGE;
}

int tf_cli_options(int argc, char **argv, const struct tf_usage *usage, void *into, int *first)
{
    struct option list[OPTIONS_MAX + 2] = {{.name = NULL}};
    make_long_options(usage, list);
    optind = 0;
    opterr = 0;
    for (;;) {
        int code = getopt_long(argc, argv, ":h", list, NULL);
        if (code == -1)
            break;
        if (code == 'h' || code == CODE_HELP) {
            print_help(usage, into);
            return tf_cli_finish(TF_EXIT_OK);
        }
        if (code == ':' || code == '?')
            return wrong_option(argv, usage, code);
        if (!take(&usage->option[code - CODE_BASE], into, optarg))
            return TF_EXIT_USAGE;
    }
    unsigned operands = (unsigned)(argc - optind);
    if (operands < usage->operands_least || operands > usage->operands_most)
        return wrong_operands(argc, argv, usage);
    *first = optind;
    return -1;
}
