/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/help.h"
#include "cli/options/wrap.h"
#include "tile/arch.h"

#define HELP_COLUMN 32u
#define SYNOPSIS_COLUMN 7 /* behind "Usage: " */
#define HELP_COLUMNS 80u  /* where neither a terminal nor COLUMNS says another width */
#define HELP_COLUMNS_LEAST 60u
#define HELP_COLUMNS_MOST 120u

/* The width of help: that of the output, within limits. */
static unsigned help_columns(void)
{
    const unsigned columns = tf_wrap_columns();
    return columns == 0                   ? HELP_COLUMNS
           : columns < HELP_COLUMNS_LEAST ? HELP_COLUMNS_LEAST
           : columns > HELP_COLUMNS_MOST  ? HELP_COLUMNS_MOST
                                          : columns;
}

void tf_help_print_line(unsigned column, unsigned indent, const char *text)
{
    struct tf_wrap wrap = tf_wrap_begin(help_columns(), column, indent);
    tf_wrap_words(&wrap, text);
    putchar('\n');
}

bool tf_option_name_at(const char *names, uint64_t index, char *name, size_t bytes)
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

/* The default of an option as text; "" if it has none to print. */
static void default_of(const struct tf_option *option, const void *into, char *text, size_t bytes)
{
    const char *field = (const char *)into + option->offset;
    uint32_t number = 0;
    text[0] = '\0';
    if (strstr(option->help, "(default: ") != NULL) /* in words, since the default may depend on the host */
        return;
    if (option->kind == TF_OPTION_U32 || option->kind == TF_OPTION_CHOICE || option->kind == TF_OPTION_THREADS)
        memcpy(&number, field, sizeof number);
    if (option->kind == TF_OPTION_U32 && number != 0)
        snprintf(text, bytes, "%u", number);
    else if (option->kind == TF_OPTION_U64 && *(const uint64_t *)field != 0)
        snprintf(text, bytes, "%llu", (unsigned long long)*(const uint64_t *)field);
    else if (option->kind == TF_OPTION_TEXT && *(const char *const *)field != NULL)
        snprintf(text, bytes, "%s", *(const char *const *)field);
    else if (option->kind == TF_OPTION_CHOICE && option->argument != NULL && number >= option->least)
        tf_option_name_at(option->argument, number - option->least, text, bytes);
    else if (option->kind == TF_OPTION_EITHER)
        tf_option_name_at(option->argument, *(const bool *)field, text, bytes);
    else if (option->kind == TF_OPTION_THREADS)
        snprintf(text, bytes, number == 0 ? "auto" : "%u", number);
}

static void print_option(const struct tf_option *option, const void *into)
{
    char left[64], text[400], preset[64];
    const char letter[] = {'-', option->letter, ',', ' ', '\0'};
    const char *argument = option->argument == NULL ? "" : option->argument;
    int length = snprintf(left, sizeof left, "  %s--%s%s%s%s", option->letter != '\0' ? letter : "", option->name,
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
    struct tf_wrap wrap = {.columns = help_columns(), .indent = HELP_COLUMN, .column = HELP_COLUMN};
    tf_wrap_words(&wrap, text);
    printf("\n");
}

/* The title of the group that begins with option i; NULL: none begins there. */
static const char *group_at(const struct tf_usage *usage, unsigned i)
{
    for (unsigned group = 0; group < usage->groups; group++)
        if (strcmp(usage->group[group].first, usage->option[i].name) == 0)
            return usage->group[group].title;
    return NULL;
}

/* Print a text with its paragraphs filled anew. Items begin one, and so do indented lines outside items. */
static void print_text(const char *text, unsigned columns)
{
    struct tf_wrap wrap = {.columns = columns};
    while (*text != '\0') {
        char line[400];
        const size_t length = strcspn(text, "\n");
        const char *next = text + length + (text[length] == '\n');
        const bool item = wrap.column == 0 ? strncmp(text, "- ", 2) == 0 : wrap.indent == 2;
        const bool ends = length == 0 || *next == '\0' || *next == '\n' || strncmp(next, "- ", 2) == 0 ||
                          (*next == ' ' && !item);
        if (wrap.column == 0)
            wrap.indent = (unsigned)strspn(text, " -");
        snprintf(line, sizeof line, "%.*s%s", (int)length, text, ends ? "" : " ");
        tf_wrap_words(&wrap, line + (wrap.column > wrap.indent ? strspn(line, " ") : 0));
        text = next;
        if (!ends)
            continue;
        printf("\n");
        wrap.column = wrap.blanks = 0;
    }
}

/* The bytes of a synopsis up to a blank outside of brackets. */
static unsigned part_of(const char *text)
{
    unsigned bytes = 0;
    int depth = 0;
    for (; text[bytes] != '\0' && text[bytes] != '\n' && (text[bytes] != ' ' || depth > 0); bytes++)
        depth += (text[bytes] == '[') - (text[bytes] == ']');
    return bytes;
}

/* Print a synopsis. Brackets stay together, and each further line of the text begins below the first command. */
static void print_usage(const char *text, unsigned columns)
{
    unsigned column = (unsigned)printf("Usage: tilefarm");
    while (*text != '\0') {
        if (*text == '\n') {
            text += 1 + strspn(text + 1, " ");
            column = (unsigned)printf("\n%*s", SYNOPSIS_COLUMN - 1, "") - 1;
        }
        const unsigned bytes = part_of(text);
        if (column + 1 + bytes > columns)
            column = (unsigned)printf("\n%*s", SYNOPSIS_COLUMN + 3, "") - 1;
        column += (unsigned)printf(" %.*s", (int)bytes, text);
        text += bytes;
        text += *text == ' ';
    }
    printf("\n\n");
}

void tf_help_print(const struct tf_usage *usage, const void *into)
{
    print_usage(usage->synopsis, help_columns());
    print_text(usage->text, help_columns());
    if (usage->options > 0 && usage->groups == 0)
        printf("\nOptions:\n");
    for (unsigned i = 0; i < usage->options; i++) {
        const char *title = group_at(usage, i);
        if (title != NULL)
            printf("\n%s:\n", title);
        print_option(&usage->option[i], into);
    }
}

/* ---- Manual pages: the macros of man(7) ---- */

/* Text for the formatter: "-" must stay a hyphen that can be copied, and no line may begin with a macro. */
static void print_roff(const char *text)
{
    bool at_start = true;
    for (; *text != '\0'; text++) {
        if (at_start && (*text == '.' || *text == '\''))
            printf("\\&");
        if (*text == '-')
            printf("\\-");
        else if (*text == '\\')
            printf("\\e");
        else
            putchar(*text);
        at_start = *text == '\n';
    }
}

/* Print paragraphs in this form, with items that begin with "- ". */
static void print_paragraphs(const char *text)
{
    bool in_item = false;
    while (*text != '\0') {
        char line[400];
        size_t length = strcspn(text, "\n");
        bool item = strncmp(text, "- ", 2) == 0;
        unsigned indent = (unsigned)strspn(text, " ");
        snprintf(line, sizeof line, "%.*s", (int)(length - 2u * item - indent), text + 2 * item + indent);
        if (item)
            printf(".IP \\- 2\n");
        else if (length == 0)
            printf(in_item ? ".PP\n" : "\n");
        in_item = item || (in_item && length != 0);
        if (length != 0) {
            print_roff(line);
            printf("\n");
        }
        text += length + (text[length] == '\n');
    }
}

/* Print command lines unchanged. */
static void print_synopsis(const char *text)
{
    printf(".SH SYNOPSIS\n.nf\n\\fBtilefarm\\fR ");
    for (;;) {
        char line[200];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        print_roff(line);
        printf("\n");
        if (text[length] == '\0')
            break;
        text += length + 1;
        text += strspn(text, " ");
    }
    printf(".fi\n");
}

static void print_title(const char *page, const char *name, const char *summary)
{
    printf(".TH %s 1 \"\" \"tilefarm %s\" \"User Commands\"\n.ad l\n.SH NAME\n", page, tf_version());
    print_roff(name);
    printf(" \\- ");
    print_roff(summary);
    printf("\n");
}

static const char exit_status[] = ".SH EXIT STATUS\n"
                                  "0 success; 1 the run failed; 2 wrong usage or input; 3 deadlock; 4 the limit of\n"
                                  ".B \\-\\-limit\\-cycles\nor\n.B \\-\\-limit\\-seconds\n"
                                  "was reached; 130 interrupted; 143 terminated.\n";

static const char environment[] = ".SH ENVIRONMENT\n"
                                  ".TP\n.B TILEFARM_RISCV_CC\nthe compiler for device programs\n"
                                  ".TP\n.B TILEFARM_DEVICE\nthe folder with headers, start file and linker script of\n"
                                  "device programs\n"
                                  ".TP\n.BR NO_COLOR \", \" TERM \", \" COLORTERM\nthe colours of maps\n"
                                  ".TP\n.B COLUMNS\nthe width of lines of help and lists that no terminal shows\n"
                                  ".TP\n.B TMPDIR\nthe folder of temporary files\n";
static const char files[] =
    ".SH FILES\n"
    ".TP\n.I share/tilefarm/device\nheaders, start file and linker script for device programs\n"
    ".TP\n.I share/tilefarm/examples\nexamples in C and Python, and the programs of the tutorial\n"
    ".TP\n.I share/tilefarm/schemas\nschemas of JSON files\n"
    ".TP\n.I share/doc/tilefarm\nthe pages\n"
    ".PP\nPaths are below the prefix of the installation.\n";

static void print_manual_option(const struct tf_option *option, const void *into)
{
    char preset[64];
    printf(".TP\n");
    if (option->letter != '\0')
        printf("\\fB\\-%c\\fR, ", option->letter);
    printf("\\fB\\-\\-");
    print_roff(option->name);
    printf("\\fR");
    if (option->argument != NULL) {
        printf(option->optional ? "[=\\fI" : " \\fI");
        print_roff(option->argument);
        printf(option->optional ? "\\fR]" : "\\fR");
    }
    printf("\n");
    default_of(option, into, preset, sizeof preset);
    print_roff(option->help);
    if (preset[0] != '\0') {
        printf(" (default: ");
        print_roff(preset);
        printf(")");
    }
    printf("\n");
}

void tf_help_print_title(const struct tf_command *command)
{
    char page[64], name[64];
    snprintf(name, sizeof name, "tilefarm-%s", command->name);
    snprintf(page, sizeof page, "%s", name);
    for (char *at = page; *at != '\0'; at++)
        *at = (char)toupper((unsigned char)*at);
    print_title(page, name, command->summary);
}

/* The overview, the commands that most runs need, and the pages. */
static void print_see_also(const struct tf_usage *usage)
{
    static const char *const other[] = {"run", "cc", "explore", "disasm", "list"};
    const size_t own = strcspn(usage->synopsis, " ");
    printf(".SH SEE ALSO\n.BR tilefarm (1)");
    for (unsigned i = 0; i < sizeof other / sizeof other[0]; i++)
        if (strlen(other[i]) != own || strncmp(other[i], usage->synopsis, own) != 0)
            printf(",\n.BR tilefarm\\-%s (1)", other[i]);
    printf("\n.PP\nThe pages in\n.IR share/doc/tilefarm :\nrunning.md has all that runs can do, "
           "tutorial.md a first hour.\n");
}

void tf_help_print_manual(const struct tf_usage *usage, const void *into)
{
    print_synopsis(usage->synopsis);
    printf(".SH DESCRIPTION\n");
    print_paragraphs(usage->text);
    if (usage->options > 0)
        printf(".SH OPTIONS\n");
    for (unsigned i = 0; i < usage->options; i++) {
        const char *title = group_at(usage, i);
        if (title != NULL)
            printf(".SS %s\n", title);
        print_manual_option(&usage->option[i], into);
    }
    printf("%s%s%s", exit_status, environment, files);
    if (usage->examples != NULL) {
        printf(".SH EXAMPLES\n.nf\n");
        print_roff(usage->examples);
        printf(".fi\n");
    }
    print_see_also(usage);
}

void tf_help_print_overview(const struct tf_command *command, size_t commands)
{
    print_title("TILEFARM", "tilefarm", "a whole Tenstorrent chip in software");
    printf(".SH SYNOPSIS\n.B tilefarm\n.I COMMAND\n[options]\n.SH DESCRIPTION\n"
           "tilefarm executes the machine code of all cores of a " TF_CLI_FAMILY_TITLES " chip, with its NOCs and\n"
           "coprocessors. The outcome is the same, bit for bit, on any number of threads.\n.SH COMMANDS\n");
    for (size_t i = 0; i < commands; i++) {
        printf(".TP\n.BR tilefarm\\-%s (1)\n", command[i].name);
        print_roff(command[i].summary);
        printf("\n");
    }
    printf("%s%s%s.SH EXAMPLES\n.nf\ntilefarm run ring\ntilefarm cc \\-c B kernel.c\n"
           "tilefarm run \\-\\-load B=kernel.b.elf@all\n.fi\n.SH SEE ALSO\n",
           exit_status, environment, files);
    for (size_t i = 0; i < commands; i++)
        printf(".BR tilefarm\\-%s (1)%s\n", command[i].name, i + 1 < commands ? "," : "");
}

/* ---- Shells ---- */

void tf_help_print_words(const struct tf_usage *usage)
{
    for (unsigned i = 0; i < usage->options; i++) {
        const struct tf_option *option = &usage->option[i];
        const char *argument = option->argument == NULL ? "" : option->argument;
        printf("--%s\t%s\n", option->name, option->optional ? "" : argument);
        if (option->optional)
            printf("--%s=\t%s\n", option->name, argument);
        if (option->letter != '\0')
            printf("-%c\t%s\n", option->letter, argument);
    }
    printf("--help\t\n");
}
