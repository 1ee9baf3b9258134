/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/suppress.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line; `second` is NULL if it has one pattern. */
struct line {
    const char *first, *second;
};

struct tf_suppressions {
    struct line *line;
    size_t count, room;
    char text[]; /* with a NUL after each pattern */
};

/* --- patterns --- */

/* Does a set [...] at *pattern have a character? *pattern moves past it. A [ without an end stands for itself. */
static bool in_set(const char **pattern, char c)
{
    const unsigned char *at = (const unsigned char *)*pattern + 1, wanted = (unsigned char)c;
    bool inverted = *at == '!' || *at == '^', found = false;
    at += inverted;
    for (const unsigned char *first = at; *at != '\0' && (*at != ']' || at == first); at++) {
        at += *at == '\\' && at[1] != '\0';
        unsigned char low = *at, high = low;
        if (at[1] == '-' && at[2] != ']' && at[2] != '\0') {
            at += 2;
            at += *at == '\\' && at[1] != '\0';
            high = *at;
        }
        found |= wanted >= low && wanted <= high;
    }
    if (*at == '\0') {
        ++*pattern;
        return c == '[';
    }
    *pattern = (const char *)at + 1;
    return found != inverted;
}

/* Does one character fit the beginning of a pattern that is no *? *pattern moves past it. */
static bool fits_one(const char **pattern, char c)
{
    switch (**pattern) {
    case '\0': return false;
    case '?': ++*pattern; return true;
    case '[': return in_set(pattern, c);
    case '\\': *pattern += (*pattern)[1] != '\0'; break;
    default: break;
    }
    return *(*pattern)++ == c;
}

bool tf_pattern_fits(const char *pattern, const char *name)
{
    const char *star = NULL, *tried = NULL; /* the last *, and where the text after it begins */
    while (*name != '\0') {
        if (*pattern == '*') {
            star = ++pattern;
            tried = name;
            continue;
        }
        const char *next = pattern;
        if (fits_one(&next, *name)) {
            pattern = next;
            name++;
        } else if (star != NULL) {
            pattern = star;
            name = ++tried;
        } else {
            return false;
        }
    }
    return pattern[strspn(pattern, "*")] == '\0';
}

static bool is_in(const char *pattern, const char *place)
{
    char function[TF_PLACE_BYTES];
    if (place[0] == '\0')
        return strcmp(pattern, "-") == 0;
    snprintf(function, sizeof function, "%.*s", tf_raced_function_length(place), place);
    return tf_pattern_fits(pattern, function);
}

/* Is a side in a function that a pattern names, or called by it? */
static bool matches(const char *pattern, const struct tf_raced_side *names)
{
    return is_in(pattern, names->place) || (names->caller[0] != '\0' && is_in(pattern, names->caller));
}

bool tf_suppressions_match(const struct tf_suppressions *suppressions, const struct tf_raced_side side[2])
{
    for (size_t i = 0; suppressions != NULL && i < suppressions->count; i++) {
        const char *first = suppressions->line[i].first, *second = suppressions->line[i].second;
        bool fits = second == NULL ? matches(first, &side[0]) || matches(first, &side[1])
                                   : (matches(first, &side[0]) && matches(second, &side[1])) ||
                                         (matches(first, &side[1]) && matches(second, &side[0]));
        if (fits)
            return true;
    }
    return false;
}

/* --- reading --- */

static bool bad_line(struct tf_message *message, const char *why, unsigned line)
{
    if (line == 0)
        snprintf(message->text, sizeof message->text, "%s", why);
    else
        snprintf(message->text, sizeof message->text, "line %u %s", line, why);
    return false;
}

/* Does a text have no control characters except those of plain text? */
static bool is_text(const char *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if ((uint8_t)data[i] < ' ' && data[i] != '\t' && data[i] != '\n' && data[i] != '\r' && data[i] != '\f')
            return false;
    return true;
}

static bool add(struct tf_suppressions *suppressions, struct line line)
{
    if (suppressions->count == suppressions->room) {
        size_t room = suppressions->room == 0 ? 16 : 2 * suppressions->room;
        struct line *more = reallocarray(suppressions->line, room, sizeof *more);
        if (more == NULL)
            return false;
        suppressions->line = more;
        suppressions->room = room;
    }
    suppressions->line[suppressions->count++] = line;
    return true;
}

static bool read_lines(struct tf_suppressions *suppressions, struct tf_message *message)
{
    char *text = suppressions->text;
    for (unsigned number = 1; text != NULL; number++) {
        char *next = strchr(text, '\n'), *rest = NULL;
        if (next != NULL)
            *next++ = '\0';
        text[strcspn(text, "#\r")] = '\0';
        struct line line = {.first = strtok_r(text, " \t\f", &rest)};
        line.second = line.first == NULL ? NULL : strtok_r(NULL, " \t\f", &rest);
        if (line.second != NULL && strtok_r(NULL, " \t\f", &rest) != NULL)
            return bad_line(message, "has more than two patterns", number);
        if (line.first != NULL && !add(suppressions, line))
            return bad_line(message, "too little memory", 0);
        text = next;
    }
    return true;
}

struct tf_suppressions *tf_suppressions_read(const char *text, size_t bytes, struct tf_message *message)
{
    struct tf_suppressions *made = is_text(text, bytes) ? malloc(sizeof *made + bytes + 1) : NULL;
    if (made == NULL) {
        bad_line(message, is_text(text, bytes) ? "too little memory" : "it is not a text file of patterns", 0);
        return NULL;
    }
    *made = (struct tf_suppressions){.line = NULL};
    memcpy(made->text, text, bytes);
    made->text[bytes] = '\0';
    if (read_lines(made, message))
        return made;
    tf_suppressions_free(made);
    return NULL;
}

void tf_suppressions_free(struct tf_suppressions *suppressions)
{
    if (suppressions != NULL)
        free(suppressions->line);
    free(suppressions);
}
