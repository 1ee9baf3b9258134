/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules: an operator becomes another one. A number becomes greater by 1. A condition of if or while becomes true or
 * false. An assignment, or a call whose value is not used, is left out. The last three apply to bodies of functions;
 * numbers of tables in .c files change, too.
 *
 * The layout of clang-format tells binary operators, which have blanks on both sides, from unary ones. It puts each
 * statement on a line of its own.
 */
#include "host/assert.h"
#include "places.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_MAX 400000u

static const struct change {
    const char *old, *new;
} changes[] = {
    {" == ", " != "}, {" != ", " == "}, {" < ", " <= "},  {" < ", " >= "},  {" <= ", " < "},  {" > ", " >= "},
    {" > ", " <= "},  {" >= ", " > "},  {" && ", " || "}, {" || ", " && "}, {" + ", " - "},   {" - ", " + "},
    {" << ", " >> "}, {" >> ", " << "}, {" & ", " | "},   {" | ", " & "},   {" |= ", " &= "}, {" &= ", " |= "},
    {" += ", " -= "}, {" -= ", " += "}, {"!", ""},
};

#define CHANGES (sizeof changes / sizeof changes[0])

struct place places[PLACES_MAX];
size_t place_count;

/* A file, read up to `at`. */
struct scan {
    const char *file, *text, *at;
    const unsigned char *inert;
    unsigned line, number, braces, brackets;
    bool in_function, in_header;
};

char *read_file(const char *path)
{
    FILE *in = fopen(path, "r");
    char *text = NULL;
    if (in != NULL && fseek(in, 0, SEEK_END) == 0) {
        long size = ftell(in);
        rewind(in);
        text = calloc(1, (size_t)size + 1);
        if (text != NULL && fread(text, 1, (size_t)size, in) != (size_t)size) {
            free(text);
            text = NULL;
        }
    }
    if (in != NULL)
        fclose(in);
    if (text == NULL)
        perror(path);
    return text;
}

/* The end of a comment, string, character, directive or assertion that begins here; else `at`. */
static const char *skip_inert(const char *at, bool begins_line)
{
    const char *end;
    if (strncmp(at, "/*", 2) == 0)
        return (end = strstr(at + 2, "*/")) != NULL ? end + 2 : at + strlen(at);
    if (*at == '"' || *at == '\'') {
        for (end = at + 1; *end != *at && *end != '\0'; end++)
            end += *end == '\\';
        return *end == '\0' ? end : end + 1;
    }
    if (begins_line && *at == '#') {
        end = at;
        while (*end != '\0' && (*end != '\n' || end[-1] == '\\'))
            end++;
        return end;
    }
    if (strncmp(at, "_Static_assert(", 15) == 0 || strncmp(at, "TF_ASSERT(", 10) == 0)
        return (end = strchr(at, ';')) != NULL ? end : at + strlen(at);
    return at;
}

unsigned char *find_inert(const char *text)
{
    unsigned char *inert = calloc(1, strlen(text) + 1);
    bool begins_line = true;
    for (const char *at = text; inert != NULL && *at != '\0';) {
        const char *end = skip_inert(at, begins_line);
        unsigned char kind = begins_line && *at == '#' ? 2 : 1;
        for (; at < end; at++)
            inert[at - text] = kind;
        begins_line = *at == '\n' || (begins_line && (*at == ' ' || *at == '\t'));
        at += *at != '\0';
    }
    return inert;
}

bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static struct place *add_place(struct scan *scan, size_t bytes, const char *old, const char *new, const char *text)
{
    static struct place dropped;
    struct place *place = place_count < PLACES_MAX ? &places[place_count++] : &dropped;
    *place = (struct place){.file = scan->file,
                            .offset = (size_t)(scan->at - scan->text),
                            .bytes = bytes,
                            .line = scan->line,
                            .number = scan->number++};
    snprintf(place->old, sizeof place->old, "%s", old);
    snprintf(place->new, sizeof place->new, "%s", new);
    snprintf(place->text, sizeof place->text, "%s", text);
    return place;
}

/* ---- Operators ---- */

static bool stands_at(const char *at, const char *operator)
{
    if (*operator== '!')
        return *at == '!' && (isalnum((unsigned char)at[1]) || at[1] == '_' || at[1] == '(');
    return strncmp(at, operator, strlen(operator)) == 0;
}

static const char *bare(const char *operator, char name[8])
{
    snprintf(name, 8, "%.*s", (int)strcspn(operator+(*operator== ' '), " "), operator+(*operator== ' '));
    return *name == '\0' ? "nothing" : name;
}

static void find_operators(struct scan *scan)
{
    char old[8], new[8];
    for (size_t i = 0; i < CHANGES; i++)
        if (stands_at(scan->at, changes[i].old))
            add_place(scan, strlen(changes[i].old), bare(changes[i].old, old), bare(changes[i].new, new),
                      changes[i].new);
}

/* ---- Numbers ---- */

static void find_number(struct scan *scan)
{
    const char *at = scan->at;
    char old[24], text[40];
    size_t bytes = 0;
    if (!isdigit((unsigned char)*at) || (at > scan->text && (is_of_word(at[-1]) || at[-1] == '.')) ||
        (!scan->in_function && (scan->in_header || scan->braces == 0)))
        return;
    while (is_of_word(at[bytes]))
        bytes++;
    if (at[bytes] == '.' || bytes >= sizeof old - 1 ||
        (at[1] != 'x' && strpbrk(at, "eE") != NULL && (size_t)(strpbrk(at, "eE") - at) < bytes))
        return;
    snprintf(old, sizeof old, "%.*s", (int)bytes, at);
    snprintf(text, sizeof text, "(%s + 1)", old);
    add_place(scan, bytes, old, text, text);
}

/* ---- Conditions and statements ---- */

/* Behind the bracket that closes what begins before `at`; NULL if there is none. */
static const char *behind_bracket(const struct scan *scan, const char *at)
{
    for (unsigned depth = 1; *at != '\0'; at++)
        if (scan->inert[at - scan->text] == 0 && (*at == '(' || *at == ')')) {
            depth += *at == '(' ? 1u : -1u;
            if (depth == 0)
                return at + 1;
        }
    return NULL;
}

static bool has_word(const char *at, const char *word)
{
    size_t length = strlen(word);
    return strncmp(at, word, length) == 0 && !is_of_word(at[length]);
}

static void find_condition(struct scan *scan)
{
    const char *at = scan->at;
    if (at == scan->text || at[-1] != '(' || at - scan->text < 6)
        return;
    bool is_if = strncmp(at - 4, "if (", 4) == 0 && !is_of_word(at[-5]);
    bool is_while = strncmp(at - 7 + (at - scan->text < 7), "while (", 7) == 0;
    const char *end = is_if || is_while ? behind_bracket(scan, at) : NULL;
    if (end == NULL)
        return;
    if (is_if)
        add_place(scan, (size_t)(end - 1 - at), "condition", "1", "1");
    add_place(scan, (size_t)(end - 1 - at), "condition", "0", "0");
}

/* May a statement begin here? It is the first on its line, after another one or a head. */
static bool begins_statement(const struct scan *scan)
{
    const char *at = scan->at;
    while (at > scan->text && at[-1] == ' ')
        at--;
    if (at == scan->text || at == scan->at || at[-1] != '\n')
        return false;
    do
        at--;
    while (at > scan->text && (isspace((unsigned char)*at) || scan->inert[at - scan->text] != 0));
    return strchr(";{})", *at) != NULL || (at - scan->text > 3 && strncmp(at - 3, "else", 4) == 0);
}

static bool begins_otherwise(const char *at)
{
    static const char *const words[] = {"return", "break", "continue", "goto", "if",      "for",      "while",
                                        "switch", "do",    "else",     "case", "static",  "const",    "enum",
                                        "struct", "union", "unsigned", "bool", "default", "_Alignas", NULL};
    for (const char *const *word = words; *word != NULL; word++)
        if (has_word(at, *word))
            return true;
    return strncmp(at, "(void)", 6) == 0;
}

/* After its first word a statement continues in another way than a declaration, which has a second word. */
static bool continues_as_statement(const char *at)
{
    if (!is_of_word(*at))
        return strchr("*(+-", *at) != NULL;
    while (is_of_word(*at))
        at++;
    if (*at == '(' || *at == '[' || *at == '.' || strncmp(at, "->", 2) == 0 || strncmp(at, "++", 2) == 0 ||
        strncmp(at, "--", 2) == 0)
        return true;
    return *at == ' ' && strcspn(at + 1, "=") < strcspn(at + 1, " ;");
}

static void find_statement(struct scan *scan)
{
    const char *end = scan->at;
    if (!begins_statement(scan) || begins_otherwise(scan->at) || !continues_as_statement(scan->at))
        return;
    for (unsigned depth = 0; *end != '\0' && (depth != 0 || *end != ';'); end++) {
        if (scan->inert[end - scan->text] != 0)
            continue;
        if (depth == 0 && strchr("{}:", *end) != NULL && *end != ':')
            return;
        depth += strchr("([", *end) != NULL;
        depth -= strchr(")]", *end) != NULL;
    }
    add_place(scan, (size_t)(end - scan->at), "statement", "nothing", "(void)0")->kind = PLACE_STATEMENT;
}

/* ---- A file ---- */

static void count_brackets(struct scan *scan)
{
    const char *before = scan->at;
    scan->brackets += strchr("([", *scan->at) != NULL;
    scan->brackets -= strchr(")]", *scan->at) != NULL;
    if (*scan->at == '{' && scan->braces++ == 0) {
        do
            before--;
        while (before > scan->text && (isspace((unsigned char)*before) || scan->inert[before - scan->text] != 0));
        scan->in_function = *before == ')';
    }
    if (*scan->at == '}' && scan->braces != 0 && --scan->braces == 0)
        scan->in_function = false;
}

static void find_at(struct scan *scan)
{
    find_operators(scan);
    find_number(scan);
    if (scan->in_function) {
        find_condition(scan);
        if (scan->brackets == 0)
            find_statement(scan);
    }
    count_brackets(scan);
}

bool find_places(const char *file)
{
    char *text = read_file(file);
    unsigned char *inert = text == NULL ? NULL : find_inert(text);
    struct scan scan = {.file = file, .text = text, .at = text, .inert = inert, .line = 1};
    scan.in_header = strcmp(file + strlen(file) - 2, ".h") == 0;
    for (; inert != NULL && *scan.at != '\0'; scan.at++) {
        if (inert[scan.at - text] == 0)
            find_at(&scan);
        scan.line += *scan.at == '\n';
    }
    free(text);
    free(inert);
    return inert != NULL;
}
