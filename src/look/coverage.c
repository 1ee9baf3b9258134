/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Coverage in lcov's format (geninfo(1), "FILES"). A line begins at one instruction or several. Its count is that of
 * the most frequent one. Counts of programs that share a file are added up.
 */
#include <stdlib.h>
#include <string.h>

#include "look/coverage.h"
#include "look/profile.h"
#include "look/tracks/table.h"

/* A line of a program. With a name, it is a function that begins there. */
struct row {
    const char *file, *name;
    unsigned line, program;
    uint64_t count;
};

struct rows {
    struct tf_profile *profile;
    struct tf_symbols *symbols; /* that have the program */
    const struct tf_program *program;
    unsigned number;
    struct row *row;
    uint32_t count, room;
    bool lost;
};

static void add(struct rows *rows, struct row row)
{
    if (tf_array_room((void **)&rows->row, rows->count, &rows->room, sizeof *rows->row))
        rows->row[rows->count++] = row;
    else
        rows->lost = true;
}

static void add_line(void *user, uint32_t address, const char *file, unsigned line)
{
    struct rows *rows = user;
    uint64_t count = tf_profile_executed(rows->profile, rows->program, address);
    add(rows, (struct row){.file = file, .name = "", .line = line, .program = rows->number, .count = count});
}

static void add_function(void *user, const char *name, uint32_t start, uint32_t end)
{
    struct rows *rows = user;
    const char *file;
    unsigned line;
    (void)end;
    if (tf_symbols_line(rows->symbols, rows->program, start, &file, &line))
        add(rows, (struct row){.file = file,
                               .name = name,
                               .line = line,
                               .program = rows->number,
                               .count = tf_profile_executed(rows->profile, rows->program, start)});
}

static int compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order == 0)
        order = (x->name[0] == '\0') - (y->name[0] == '\0'); /* functions come first */
    if (order == 0 && x->line != y->line)
        order = x->line < y->line ? -1 : 1;
    if (order == 0)
        order = strcmp(x->name, y->name);
    return order != 0 ? order : (int)x->program - (int)y->program;
}

static bool same(const struct row *a, const struct row *b)
{
    return strcmp(a->file, b->file) == 0 && a->line == b->line && strcmp(a->name, b->name) == 0;
}

/* Merge rows for one thing into one. Its count is the largest of each program, added up over programs. */
static void join(struct rows *rows)
{
    uint32_t kept = 0;
    for (uint32_t i = 0, next; i < rows->count; i = next) {
        uint64_t sum = 0;
        for (next = i; next < rows->count && same(&rows->row[i], &rows->row[next]);) {
            uint64_t most = 0;
            unsigned program = rows->row[next].program;
            for (; next < rows->count && same(&rows->row[i], &rows->row[next]) && rows->row[next].program == program;
                 next++)
                most = rows->row[next].count > most ? rows->row[next].count : most;
            sum += most;
        }
        rows->row[kept] = rows->row[i];
        rows->row[kept++].count = sum;
    }
    rows->count = kept;
}

/* Write the rows of one file, from `first` on. Returns the number after them. */
static uint32_t write_file(const struct rows *rows, uint32_t first, FILE *file)
{
    unsigned found[2] = {0, 0}, hit[2] = {0, 0};
    uint32_t i = first;
    fprintf(file, "TN:tilefarm\nSF:%s\n", rows->row[first].file);
    for (; i < rows->count && strcmp(rows->row[i].file, rows->row[first].file) == 0; i++) {
        const struct row *row = &rows->row[i];
        bool is_line = row->name[0] == '\0';
        found[is_line]++;
        hit[is_line] += row->count != 0;
        if (is_line)
            fprintf(file, "DA:%u,%llu\n", row->line, (unsigned long long)row->count);
        else
            fprintf(file, "FN:%u,%s\nFNDA:%llu,%s\n", row->line, row->name, (unsigned long long)row->count, row->name);
    }
    fprintf(file, "FNF:%u\nFNH:%u\nLF:%u\nLH:%u\nend_of_record\n", found[0], hit[0], found[1], hit[1]);
    return i;
}

static void add_programs(struct rows *rows, struct tf_symbols *symbols)
{
    rows->symbols = symbols;
    for (const struct tf_program *at = tf_symbols_next(symbols, NULL); at != NULL; at = tf_symbols_next(symbols, at)) {
        rows->program = at;
        rows->number++;
        tf_symbols_each_line(symbols, at, add_line, rows);
        tf_symbols_each_function(at, add_function, rows);
    }
}

bool tf_profile_coverage(struct tf_profile *profile, FILE *file)
{
    struct rows rows = {.profile = profile};
    for (unsigned i = 0; i < profile->parts; i++)
        add_programs(&rows, profile->part[i].symbols);
    if (rows.count != 0)
        qsort(rows.row, rows.count, sizeof *rows.row, compare);
    join(&rows);
    for (uint32_t i = 0; i < rows.count;)
        i = write_file(&rows, i, file);
    free(rows.row);
    return !rows.lost;
}
