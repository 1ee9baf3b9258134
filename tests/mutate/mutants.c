/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutants of source files, by the rules of places.c.
 *
 *   mutants list FILE...                   "FILE LINE NUMBER OLD NEW" of each, with tabs between
 *   mutants weave FILE KEY:MUTANT...       prints the file with these mutants in it
 *
 * MUTANT is a number of the list. Or it is OFFSET,BYTES,TEXT, planted by hand: so many bytes of the file become TEXT.
 * A file's mutants are numbered in the order of its text. Comments, strings, directives and assertions have none.
 *
 * A woven expression E is (TF_WOVEN(KEY) ? mutant of E : E): see woven.h. E reaches as far as no operator binds less
 * than those that change. A statement that is left out is an expression whose value is not used. With the key 0 the
 * mutant takes the place of E for good.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "places.h"

static int list(void)
{
    for (const struct place *place = places; place < places + place_count; place++)
        printf("%s\t%u\t%u\t%s\t%s\n", place->file, place->line, place->number, place->old, place->new);
    return 0;
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
            fputs(place->text, stdout);
            i += place->bytes - 1;
        } else {
            putchar(text[i] == '\n' ? ' ' : text[i]);
        }
    }
}

/* Print mutants of one expression, and the expression. Those of a statement have no value. */
static void print_group(const char *text, const struct woven *woven, size_t count, size_t begin, size_t end)
{
    const char *cast = "";
    for (size_t i = 0; i < count; i++)
        if (woven[i].place->kind == PLACE_STATEMENT)
            cast = "(void)";
    putchar('(');
    for (size_t i = 0; i < count; i++) {
        if (woven[i].key != 0)
            printf("TF_WOVEN(%u) ? ", woven[i].key);
        printf("%s(", cast);
        print_mutant(text, begin, end, woven[i].place);
        if (woven[i].key == 0) {
            printf("))");
            return;
        }
        printf(") : ");
    }
    printf("%s(%.*s))", cast, (int)(end - begin), text + begin);
}

static void print_woven(const char *text, struct woven *woven, size_t count)
{
    size_t at = 0;
    qsort(woven, count, sizeof *woven, by_begin);
    for (size_t i = 0, next; i < count; i = next) {
        size_t begin = woven[i].begin, end = woven[i].end;
        for (next = i + 1; next < count && woven[next].begin < end; next++)
            end = woven[next].end > end ? woven[next].end : end;
        printf("%.*s", (int)(begin - at), text + at);
        print_group(text, woven + i, next - i, begin, end);
        at = end;
    }
    fputs(text + at, stdout);
}

/* Read KEY:MUTANT. Returns false if it names none. */
static bool read_mutant(const char *word, size_t bytes, struct woven *woven)
{
    struct place *planted = calloc(1, sizeof *planted);
    unsigned number;
    int length = 0;
    if (planted == NULL)
        return false;
    if (sscanf(word, "%u:%zu,%zu,%n", &woven->key, &planted->offset, &planted->bytes, &length) == 3 && length != 0) {
        snprintf(planted->text, sizeof planted->text, "%s", word + length);
        planted->kind = strcmp(planted->text, "(void)0") == 0 ? PLACE_STATEMENT : PLACE_PART;
        woven->place = planted;
        return planted->offset < bytes && planted->bytes <= bytes - planted->offset;
    }
    free(planted);
    if (sscanf(word, "%u:%u", &woven->key, &number) != 2 || number >= place_count)
        return false;
    woven->place = &places[number];
    return true;
}

static int weave(const char *file, int count, char **mutants)
{
    char *text = read_file(file);
    unsigned char *inert = text == NULL ? NULL : find_inert(text);
    struct woven *woven = calloc((size_t)count + 1, sizeof *woven);
    bool known = inert != NULL && woven != NULL;
    for (int i = 0; known && i < count; i++) {
        known = read_mutant(mutants[i], strlen(text), &woven[i]);
        if (known) {
            const struct place *place = woven[i].place;
            bool assigns = place->bytes == 4 && strchr("+-|&", text[place->offset + 1]) != NULL;
            woven[i].begin = begin_of_expression(text, inert, place->offset);
            woven[i].end = end_of_expression(text, inert, place->offset + place->bytes, assigns);
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
        fprintf(stderr, "usage: mutants list FILE...\n       mutants weave FILE KEY:MUTANT...\n");
        return 2;
    }
    for (int i = 2; i < (lists ? argc : 3); i++)
        if (!find_places(argv[i]))
            return 1;
    return lists ? list() : weave(argv[2], argc - 3, argv + 3);
}
