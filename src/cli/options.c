/* SPDX-License-Identifier: Apache-2.0 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

#define OPTIONS_MAX 48u
#define CODE_BASE 256 /* codes of options lie above characters */
#define CODE_HELP (CODE_BASE + (int)OPTIONS_MAX)

static void print_help(const struct tf_usage *usage)
{
    printf("Usage: tilefarm %s\n\n%s", usage->synopsis, usage->text);
    if (usage->options > 0)
        printf("\nOptions:\n");
    for (unsigned i = 0; i < usage->options; i++) {
        const struct tf_option *option = &usage->option[i];
        char left[64];
        const char *argument = option->argument == NULL ? "" : option->argument;
        snprintf(left, sizeof left, "--%s%s%s%s", option->name,
                 option->optional ? "[=" : argument[0] != '\0' ? " " : "",
                 argument, option->optional ? "]" : "");
        printf("  %-30s%s%s\n", left, strlen(left) > 29 ? "\n                                " : "", option->help);
    }
}

static bool take(const struct tf_option *option, void *into, const char *value)
{
    char name[64];
    snprintf(name, sizeof name, "--%s", option->name);
    char *field = (char *)into + option->offset;
    uint64_t number;
    switch (option->kind) {
    case TF_OPTION_SET:
    case TF_OPTION_CLEAR:
        *(bool *)field = option->kind == TF_OPTION_SET;
        return true;
    case TF_OPTION_U32:
        if (!tf_cli_number(name, value, option->least, option->most, &number))
            return false;
        *(uint32_t *)field = (uint32_t)number;
        return true;
    case TF_OPTION_U64:
        return tf_cli_number(name, value, option->least, option->most, (uint64_t *)field);
    case TF_OPTION_TEXT:
        *(const char **)field = value;
        return true;
    case TF_OPTION_CALL:
        return option->call(into, name, value);
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

/* code: what getopt_long() returned, '?' or ':'. */
static int wrong_option(char **argv, int code)
{
    const char *word = argv[optind - 1];
    if (code == ':')
        tf_cli_error("%s: %s needs an argument; see 'tilefarm %s --help'", argv[0], word, argv[0]);
    else if (optopt >= CODE_BASE)
        tf_cli_error("%s: '%s': this option takes no argument", argv[0], word);
    else if (optopt > 0)
        tf_cli_error("%s: unknown option '-%c'; see 'tilefarm %s --help'", argv[0], optopt, argv[0]);
    else
        tf_cli_error("%s: unknown option '%s'; see 'tilefarm %s --help'", argv[0], word, argv[0]);
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
            print_help(usage);
            return tf_cli_finish(TF_EXIT_OK);
        }
        if (code == ':' || code == '?')
            return wrong_option(argv, code);
        if (!take(&usage->option[code - CODE_BASE], into, optarg))
            return TF_EXIT_USAGE;
    }
    unsigned operands = (unsigned)(argc - optind);
    if (operands < usage->operands_least || operands > usage->operands_most)
        return wrong_operands(argc, argv, usage);
    *first = optind;
    return -1;
}
