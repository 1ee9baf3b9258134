/* SPDX-License-Identifier: Apache-2.0 */
#include "debug/race_lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lines {
    struct tf_race_line *line;
    size_t count;
};

/* The line with that name. Returns NULL if the host has no memory. */
static struct tf_race_line *line_of(struct lines *lines, const char *place)
{
    for (size_t i = 0; i < lines->count; i++)
        if (strcmp(lines->line[i].place, place) == 0)
            return &lines->line[i];
    struct tf_race_line *grown = realloc(lines->line, (lines->count + 1) * sizeof *grown);
    if (grown == NULL)
        return NULL;
    lines->line = grown;
    struct tf_race_line *made = &grown[lines->count++];
    *made = (struct tf_race_line){.races = 0};
    snprintf(made->place, sizeof made->place, "%s", place);
    return made;
}

static void add(struct lines *lines, const char *place, size_t race, uint64_t times)
{
    struct tf_race_line *line = line_of(lines, place);
    if (line == NULL || (line->races != 0 && line->race[line->races - 1] == race))
        return;
    size_t *grown = realloc(line->race, (line->races + 1) * sizeof *grown);
    if (grown == NULL)
        return;
    line->race = grown;
    line->race[line->races++] = race;
    line->times += times;
}

static int by_races(const void *a, const void *b)
{
    const struct tf_race_line *x = a, *y = b;
    if (x->races != y->races)
        return x->races > y->races ? -1 : 1;
    return strverscmp(x->place, y->place);
}

size_t tf_race_lines(const struct tf_arch *arch, struct tf_symbols *symbols, const struct tf_race *races, size_t count,
                     struct tf_race_line **out)
{
    struct lines lines = {.line = NULL};
    for (size_t i = 0; i < count; i++) {
        struct tf_raced names;
        char place[TF_PLACE_BYTES];
        tf_raced_name(arch, symbols, &races[i], &names);
        for (unsigned side = 0; side < 2; side++)
            if (tf_raced_line_text(&races[i].side[side], &names.side[side], place, sizeof place))
                add(&lines, place, i, races[i].count);
    }
    if (lines.count != 0)
        qsort(lines.line, lines.count, sizeof *lines.line, by_races);
    *out = lines.line;
    return lines.count;
}

void tf_race_lines_free(struct tf_race_line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(lines[i].race);
    free(lines);
}
