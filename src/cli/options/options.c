/* SPDX-License-Identifier: Apache-2.0 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/guess.h"
#include "cli/options/help.h"
#include "cli/options/options.h"
#include "cli/text.h"

#define OPTIONS_MAX 96u
#define CODE_BASE 256 /* codes of options begin above the characters */
#define CODE_HELP (CODE_BASE + (int)OPTIONS_MAX)

/* The index of a name in "a|b|c", or -1. */
static int index_of(const char *names, const char *name)
{
    char each[32];
    for (int i = 0; tf_option_name_at(names, (uint64_t)i, each, sizeof each); i++)
        if (strcmp(name, each) == 0)
            return i;
    return -1;
}

/* Convert "a|b|c" to "'a', 'b' or 'c'". */
static void print_names(char *text, size_t bytes, const char *names)
{
    char name[32], next[32];
    size_t length = 0;
    for (uint64_t i = 0; tf_option_name_at(names, i, name, sizeof name) && length < bytes; i++) {
        const char *between = i == 0 ? "" : tf_option_name_at(names, i + 1, next, sizeof next) ? ", " : " or ";
        length += (size_t)snprintf(text + length, bytes - length, "%s'%s'", between, name);
    }
}

/* Find the index of a value among the names of an option's argument. Returns -1 after an error line. */
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
    case TF_OPTION_SECONDS: return tf_cli_seconds(name, value, option->most, (double *)field);
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
    case TF_OPTION_ARCH: return tf_cli_arch(name, value, (const struct tf_arch **)field);
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

/* The short names of options, for getopt. */
static void make_letters(const struct tf_usage *usage, char *letters)
{
    *letters++ = ':';
    *letters++ = 'h';
    for (unsigned i = 0; i < usage->options && i < OPTIONS_MAX; i++) {
        if (usage->option[i].letter == '\0')
            continue;
        *letters++ = usage->option[i].letter;
        if (usage->option[i].argument != NULL)
            *letters++ = ':';
    }
    *letters = '\0';
}

static int index_of_letter(const struct tf_usage *usage, int letter)
{
    int i = 0;
    while (usage->option[i].letter != letter)
        i++;
    return i;
}

/* Option i of a table. The options of the table that it passes on come last. */
static const struct tf_option *option_at(const struct tf_usage *usage, unsigned i)
{
    return i < usage->options ? &usage->option[i] : &usage->more[i - usage->options];
}

/* Words of drivers for what an option here does. */
static const struct {
    const char *given, *option, *meant;
} others[] = {{"cluster", "system", "system ./FILE"}};

static void offer(struct tf_guess *guess, const char *name)
{
    tf_guess_offer(guess, name);
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcmp(guess->given, others[i].given) == 0 && strcmp(name, others[i].option) == 0)
            guess->best = others[i].meant;
}

/* Report an option that does not exist, or that is the beginning of several. */
static void unknown_option(char **argv, const struct tf_usage *usage, const char *word)
{
    char given[64], text[400] = "", meant[TF_GUESS_BYTES];
    snprintf(given, sizeof given, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    struct tf_guess guess = {.given = given, .prefix = "--"};
    unsigned begun = 0;
    for (unsigned i = 0; i < usage->options + usage->mores; i++) {
        size_t length = strlen(text);
        const char *name = option_at(usage, i)->name;
        offer(&guess, name);
        if (strncmp(name, given, strlen(given)) != 0)
            continue;
        snprintf(text + length, sizeof text - length, "%s--%s", begun++ > 0 ? ", " : "", name);
    }
    if (begun > 1) {
        tf_cli_error("%s: option '--%s' is ambiguous: %s", argv[0], given, text);
        return;
    }
    tf_cli_error("%s: unknown option '%s'%s; see 'tilefarm %s --help'", argv[0], word, tf_guess_text(&guess, meant),
                 argv[0]);
}

/* code is what getopt_long() returned: '?' or ':'. */
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
        tf_cli_error("%s: unexpected argument '%s'; see 'tilefarm %s --help'", argv[0],
                     argv[optind + (int)usage->operands_most], argv[0]);
    else
        tf_cli_error("%s: an argument is missing: tilefarm %s", argv[0], usage->synopsis);
    return TF_EXIT_USAGE;
}

/* Print a manual page, or the words for shells, if `tilefarm help` asks for them. Returns true if it does; the command
   then ends. */
static bool print_for_help(int argc, char **argv, const struct tf_usage *usage, const void *into)
{
    if (argc != 2)
        return false;
    if (strcmp(argv[1], TF_HELP_MANUAL) == 0)
        tf_help_print_manual(usage, into);
    else if (strcmp(argv[1], TF_HELP_WORDS) == 0)
        tf_help_print_words(usage);
    else
        return false;
    return true;
}

/* Find the one option that a word is or begins. Returns NULL if it begins several options, or none. */
static const struct tf_option *begun_by(const struct tf_usage *usage, const char *word)
{
    const struct tf_option *found = NULL;
    size_t length = strcspn(word + 2, "=");
    unsigned begun = 0;
    for (unsigned i = 0; i < usage->options + usage->mores; i++) {
        const struct tf_option *option = option_at(usage, i);
        if (strncmp(option->name, word + 2, length) != 0)
            continue;
        if (option->name[length] == '\0')
            return option;
        found = option;
        begun++;
    }
    return begun == 1 ? found : NULL;
}

/* Find the option of the table that a word names; NULL if there is none. */
static const struct tf_option *named_by(const struct tf_usage *usage, const char *word)
{
    for (unsigned i = 0; i < usage->options; i++) {
        const struct tf_option *option = &usage->option[i];
        const char letter[3] = {'-', option->letter, '\0'};
        size_t length = strlen(option->name);
        if ((option->letter != '\0' && strcmp(word, letter) == 0) ||
            (strncmp(word, "--", 2) == 0 && strncmp(word + 2, option->name, length) == 0 &&
             (word[2 + length] == '\0' || word[2 + length] == '=')))
            return option;
    }
    return NULL;
}

/* Returns true after an error line, if the word after an option is another option: its argument was forgotten. */
static bool lacks_argument(const char *command, const struct tf_usage *usage, const char *option, const char *value)
{
    if (strncmp(value, "--", 2) != 0 || named_by(usage, value) == NULL)
        return false;
    tf_cli_error("%s: %s needs an argument, and '%s' is an option; see 'tilefarm %s --help'", command, option, value,
                 command);
    return true;
}

int tf_cli_option_take(int argc, char **argv, const struct tf_usage *usage, void *into, int *at)
{
    const char *word = argv[*at], *value = strchr(word, '=');
    bool is_long = strncmp(word, "--", 2) == 0 && word[2] != '\0';
    const struct tf_option *option = named_by(usage, word);
    if (option == NULL && is_long && usage->mores != 0 && strcmp(word, "--help") != 0) {
        option = begun_by(usage, word);
        if (option == NULL) {
            unknown_option(argv, usage, word);
            return -1;
        }
    }
    if (option == NULL || option < usage->option || option >= usage->option + usage->options)
        return 0;
    value = is_long && value != NULL ? value + 1 : NULL;
    if (value != NULL && option->argument == NULL) {
        tf_cli_error("%s: '%s': this option takes no argument", argv[0], word);
        return -1;
    }
    if (value == NULL && option->argument != NULL && *at + 1 == argc) {
        tf_cli_error("%s: %s needs an argument; see 'tilefarm %s --help'", argv[0], word, argv[0]);
        return -1;
    }
    if (value == NULL && option->argument != NULL) {
        value = argv[++*at];
        if (lacks_argument(argv[0], usage, word, value))
            return -1;
    }
    return take(option, into, value) ? 1 : -1;
}

int tf_cli_options(int argc, char **argv, const struct tf_usage *usage, void *into, int *first)
{
    if (print_for_help(argc, argv, usage, into))
        return tf_cli_finish(TF_EXIT_OK);
    struct option list[OPTIONS_MAX + 2] = {{.name = NULL}};
    char letters[2 + 2 * OPTIONS_MAX + 1];
    make_long_options(usage, list);
    make_letters(usage, letters);
    optind = 0;
    opterr = 0;
    for (;;) {
        int code = getopt_long(argc, argv, letters, list, NULL);
        if (code == -1)
            break;
        if (code == 'h' || code == CODE_HELP) {
            tf_help_print(usage, into);
            return tf_cli_finish(TF_EXIT_OK);
        }
        if (code == ':' || code == '?')
            return wrong_option(argv, usage, code);
        if (optarg != NULL && optarg == argv[optind - 1] && lacks_argument(argv[0], usage, argv[optind - 2], optarg))
            return TF_EXIT_USAGE;
        if (!take(&usage->option[code < CODE_BASE ? index_of_letter(usage, code) : code - CODE_BASE], into, optarg))
            return TF_EXIT_USAGE;
    }
    unsigned operands = (unsigned)(argc - optind);
    if (operands < usage->operands_least || operands > usage->operands_most)
        return wrong_operands(argc, argv, usage);
    *first = optind;
    return -1;
}
