/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutants of source files: places where one operator becomes another.
 *
 *   mutants list FILE...                   "FILE LINE NUMBER OLD NEW" of each, with tabs between
 *   mutants weave FILE KEY:NUMBER...       prints the file with its mutants of these numbers in it
 *
 * A file's mutants are numbered in the order of its text. The layout of clang-format tells binary changes, which
 * have blanks on both sides, from unary ones. Comments, strings, directives and assertions have none.
 *
 * A woven expression E is (TF_WOVEN(KEY) ? mutant of E : E): see woven.h. E reaches as far as no operator binds less
 * than those that change. With the key 0 the mutant takes the place of E for good.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACES_MAX 200000u

static const struct change {
    const char *old, *new;
} changes[] = {
    {" == ", " != "}, {" != ", " == "}, {" < ", " <= "},  {" < ", " >= "},  {" <= ", " < "},  {" > ", " >= "},
    {" > ", " <= "},  {" >= ", " > "},  {" && ", " || "}, {" || ", " && "}, {" + ", " - "},   {" - ", " + "},
    {" << ", " >> "}, {" >> ", " << "}, {" & ", " | "},   {" | ", " & "},   {" |= ", " &= "}, {" &= ", " |= "},
    {" += ", " -= "}, {" -= ", " += "}, {"!", ""},
};

#define CHANGES (sizeof changes / sizeof changes[0])

struct place {
    const char *file;
    size_t offset;
    unsigned line, number;
    const struct change *change;
};

static struct place places[PLACES_MAX];
static size_t place_count;

static char *read_file(const char *path)
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

static bool stands_at(const char *at, const char *operator)
{
    if (*operator== '!')
        return *at == '!' && (isalnum((unsigned char)at[1]) || at[1] == '_' || at[1] == '(');
    return strncmp(at, operator, strlen(operator)) == 0;
}

static bool find_places(const char *file)
{
    char *text = read_file(file);
    unsigned line = 1, number = 0;
    bool begins_line = true;
    if (text == NULL)
        return false;
    for (const char *at = text; *at != '\0';) {
        const char *end = skip_inert(at, begins_line);
        if (end != at) {
            for (; at != end; at++)
                line += *at == '\n';
            continue;
        }
        for (size_t i = 0; i < CHANGES && place_count < PLACES_MAX; i++)
            if (stands_at(at, changes[i].old))
                places[place_count++] = (struct place){file, (size_t)(at - text), line, number++, &changes[i]};
        begins_line = *at == '\n' || (begins_line && (*at == ' ' || *at == '\t'));
        line += *at++ == '\n';
    }
    free(text);
    return true;
}

static const char *bare(const char *operator, char name[8])
{
    snprintf(name, 8, "%.*s", (int)strcspn(operator+(*operator== ' '), " "), operator+(*operator== ' '));
    return *name == '\0' ? "nothing" : name;
}

static int list(void)
{
    char old[8], new[8];
    for (const struct place *place = places; place < places + place_count; place++)
        printf("%s\t%u\t%u\t%s\t%s\n", place->file, place->line, place->number, bare(place->change->old, old),
               bare(place->change->new, new));
    return 0;
}

/* Text that is no code: 1 for comments, strings and assertions, 2 for directives. One byte for each of the text. */
static unsigned char *find_inert(const char *text)
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

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Does one of the words end before `end`? */
static bool ends_with(const char *text, size_t end, const char *const *words)
{
    for (; *words != NULL && !is_of_word(text[end]); words++) {
        size_t length = strlen(*words);
        if (end >= length && strncmp(text + end - length, *words, length) == 0 &&
            (end == length || !is_of_word(text[end - length - 1])))
            return true;
    }
    return false;
}

/* The character before `end` ends an assignment's operator. */
static bool is_assignment(const char *text, size_t end)
{
    char before = end > 1 ? text[end - 2] : ' ';
    return text[end - 1] == '=' && text[end] == ' ' && before != '=' && before != '!' &&
           ((before != '<' && before != '>') || (end > 2 && text[end - 3] == before));
}

/* Behind the bracket that closes what begins here. */
static size_t end_of_list(const char *text, const unsigned char *inert, size_t at)
{
    for (unsigned depth = 1; depth > 0 && text[at] != '\0'; at++)
        if (inert[at] == 0 && (text[at] == '(' || text[at] == ')'))
            depth += text[at] == '(' ? 1u : -1u;
    return at;
}

static size_t begin_of_expression(const char *text, const unsigned char *inert, size_t at)
{
    static const char *const heads[] = {"if", "for", "while", "switch", NULL};
    static const char *const leads[] = {"return", "else", "do", "case", "goto", NULL};
    size_t begin = at;
    unsigned depth = 0;
    for (; begin > 0 && inert[begin - 1] != 2; begin--) {
        char c = text[begin - 1];
        if (inert[begin - 1] != 0)
            continue;
        if (depth == 0 &&
            (strchr(";{},?:([", c) != NULL || is_assignment(text, begin) || ends_with(text, begin, leads)))
            break;
        depth += c == ')' || c == ']';
        depth -= c == '(' || c == '[';
        if (depth == 0 && c == '(' && begin > 1 && ends_with(text, begin - 1 - (text[begin - 2] == ' '), heads)) {
            begin = end_of_list(text, inert, begin);
            break;
        }
    }
    while (isspace((unsigned char)text[begin]))
        begin++;
    return begin;
}

static size_t end_of_expression(const char *text, const unsigned char *inert, size_t at, bool assigns)
{
    size_t end = at;
    for (unsigned depth = 0; text[end] != '\0' && inert[end] != 2; end++) {
        char c = text[end];
        if (inert[end] != 0)
            continue;
        if (depth == 0 && (strchr(";,)]}", c) != NULL || (!assigns && (c == '?' || c == ':'))))
            break;
        depth += c == '(' || c == '[' || c == '{';
        depth -= c == ')' || c == ']' || c == '}';
    }
    while (end > at && isspace((unsigned char)text[end - 1]))
        end--;
    return end;
}

struct woven {
    const struct place *place;
    unsigned key;
    size_t begin, end;
};

static int by_begin(const void *a, const void *b)
{
    const struct woven *left = a, *right = b;
    return left->begin != right->begin ? (left->begin > right->begin) - (left->begin < right->begin)
                                       : (left->end < right->end) - (left->end > right->end);
}

/* One line, so that later ones keep their numbers. */
static void print_mutant(const char *text, size_t begin, size_t end, const struct place *place)
{
    for (size_t i = begin; i < end; i++) {
        if (i == place->offset) {
            fputs(place->change->new, stdout);
            i += strlen(place->change->old) - 1;
        } else {
            putchar(text[i] == '\n' ? ' ' : text[i]);
        }
    }
}

static void print_woven(const char *text, struct woven *woven, size_t count)
{
    size_t at = 0;
    qsort(woven, count, sizeof *woven, by_begin);
    for (size_t i = 0, next; i < count; i = next) {
        size_t begin = woven[i].begin, end = woven[i].end;
        bool lasting = false;
        for (next = i + 1; next < count && woven[next].begin < end; next++)
            end = woven[next].end > end ? woven[next].end : end;
        printf("%.*s(", (int)(begin - at), text + at);
        for (size_t j = i; j < next && !lasting; j++) {
            lasting = woven[j].key == 0;
            if (!lasting)
                printf("TF_WOVEN(%u) ? (", woven[j].key);
            print_mutant(text, begin, end, woven[j].place);
            fputs(lasting ? "" : ") : ", stdout);
        }
        at = end;
        if (lasting)
            putchar(')');
        else
            printf("(%.*s))", (int)(end - begin), text + begin);
    }
    fputs(text + at, stdout);
}

static int weave(const char *file, int count, char **keys)
{
    char *text = read_file(file);
    unsigned char *inert = text == NULL ? NULL : find_inert(text);
    struct woven *woven = calloc((size_t)count + 1, sizeof *woven);
    bool known = inert != NULL && woven != NULL;
    for (int i = 0; known && i < count; i++) {
        unsigned key, number;
        known = sscanf(keys[i], "%u:%u", &key, &number) == 2 && number < place_count;
        if (known) {
            const struct place *place = &places[number];
            bool assigns = strlen(place->change->old) == 4 && strchr("+-|&", place->change->old[1]) != NULL;
            size_t end = end_of_expression(text, inert, place->offset + strlen(place->change->old), assigns);
            woven[i] = (struct woven){place, key, begin_of_expression(text, inert, place->offset), end};
        }
    }
    if (known)
        print_woven(text, woven, (size_t)count);
    free(text);
    free(inert);
    free(woven);
    return known ? 0 : 1;
}

int main(int argc, char **argv)
{
    bool lists = argc > 2 && strcmp(argv[1], "list") == 0, weaves = argc > 2 && strcmp(argv[1], "weave") == 0;
    if (!lists && !weaves) {
        fprintf(stderr, "usage: mutants list FILE...\n       mutants weave FILE KEY:NUMBER...\n");
        return 2;
    }
    for (int i = 2; i < (lists ? argc : 3); i++)
        if (!find_places(argv[i]))
            return 1;
    return lists ? list() : weave(argv[2], argc - 3, argv + 3);
}
