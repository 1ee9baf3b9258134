/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mutants of source files: places where one operator becomes another.
 *
 *   mutants choose SEED COUNT FILE...      COUNT different ones: "FILE LINE NUMBER OLD NEW" with tabs between
 *   mutants apply FILE NUMBER              writes the file with its mutant of this number
 *
 * A file's mutants are numbered in the order of its text. The layout of clang-format tells binary changes, which
 * have blanks on both sides, from unary ones. Comments, strings, directives and static assertions have none.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

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

/* The end of a comment, string, character, directive or static assertion that begins here; else `at`. */
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
    if (strncmp(at, "_Static_assert", 14) == 0)
        return (end = strchr(at, ';')) != NULL ? end : at + strlen(at);
    return at;
}

static bool is_there(const char *at, const char *operator)
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
            if (is_there(at, changes[i].old))
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

static int choose(uint64_t seed, size_t count)
{
    char old[8], new[8];
    for (size_t i = 0; i < count && i < place_count; i++) {
        size_t other = i + test_random_below(&seed, (uint32_t)(place_count - i));
        struct place place = places[other];
        places[other] = places[i];
        printf("%s\t%u\t%u\t%s\t%s\n", place.file, place.line, place.number, bare(place.change->old, old),
               bare(place.change->new, new));
    }
    return 0;
}

static int apply(const char *file, unsigned number)
{
    char *text = read_file(file);
    if (text == NULL || number >= place_count) {
        free(text);
        return 1;
    }
    const struct place *place = &places[number];
    FILE *out = fopen(file, "w");
    if (out != NULL) {
        fwrite(text, 1, place->offset, out);
        fprintf(out, "%s%s", place->change->new, text + place->offset + strlen(place->change->old));
    }
    free(text);
    return out == NULL || fclose(out) != 0 ? 1 : 0;
}

int main(int argc, char **argv)
{
    bool chooses = argc > 4 && strcmp(argv[1], "choose") == 0, applies = argc == 4 && strcmp(argv[1], "apply") == 0;
    if (!chooses && !applies) {
        fprintf(stderr, "usage: mutants choose SEED COUNT FILE...\n       mutants apply FILE NUMBER\n");
        return 2;
    }
    for (int i = chooses ? 4 : 2; i < (chooses ? argc : 3); i++)
        if (!find_places(argv[i]))
            return 1;
    return chooses ? choose(strtoull(argv[2], NULL, 0), strtoul(argv[3], NULL, 0))
                   : apply(argv[2], (unsigned)strtoul(argv[3], NULL, 0));
}
