/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as text: tables for people, folded stacks, coverage for lcov. */
#include <stdlib.h>
#include <string.h>

#include "look/pprof.h"
#include "look/flame.h"
#include "look/profile_text.h"
#include "look/tracks/table.h"

#define ROWS_MAX 40u

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), bytes = strlen(end);
    return length >= bytes && strcmp(text + length - bytes, end) == 0;
}

enum tf_profile_form tf_profile_form_of(const char *path)
{
    if (ends_with(path, ".folded"))
        return TF_PROFILE_FOLDED;
    if (ends_with(path, ".pb.gz") || ends_with(path, ".pprof.gz"))
        return TF_PROFILE_PPROF_GZ;
    if (ends_with(path, ".pb") || ends_with(path, ".pprof"))
        return TF_PROFILE_PPROF;
    return ends_with(path, ".svg") ? TF_PROFILE_SVG : TF_PROFILE_TEXT;
}

static void put_stack(const struct tf_profile *profile, uint32_t call, FILE *file)
{
    if (profile->call[call].parent != 0) {
        put_stack(profile, profile->call[call].parent, file);
        fputc(';', file);
    }
    fputs(profile->function[profile->call[call].function].name, file);
}

/* Write "B;main;send 120", and "B;main;send;[waiting] 80". */
static void write_folded(const struct tf_profile *profile, FILE *file)
{
    for (uint32_t i = 1; i < profile->calls; i++) {
        const struct tf_call *call = &profile->call[i];
        if (call->executed != 0) {
            put_stack(profile, i, file);
            fprintf(file, " %llu\n", (unsigned long long)call->executed);
        }
        if (call->waited != 0) {
            put_stack(profile, i, file);
            fprintf(file, ";[waiting] %llu\n", (unsigned long long)call->waited);
        }
    }
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100.0 * (double)part / (double)whole;
}

static void write_functions(const struct tf_profile *profile, FILE *file)
{
    uint32_t *order, count = tf_profile_functions(profile, &order);
    uint64_t cycles = profile->executed + profile->waited;
    fprintf(file, "\nFunctions, without callees\n%16s %16s %7s  %s\n", "instructions", "waiting cycles", "cycles",
            "function");
    for (uint32_t i = 0; i < count && i < ROWS_MAX; i++) {
        const struct tf_function *function = &profile->function[order[i]];
        if (function->executed + function->waited == 0)
            break;
        fprintf(file, "%16llu %16llu %6.2f%%  %s", (unsigned long long)function->executed,
                (unsigned long long)function->waited, percent(function->executed + function->waited, cycles),
                function->name);
        if (function->file != NULL)
            fprintf(file, " (%s:%u)", function->file, function->line);
        fputc('\n', file);
    }
    free(order);
}

/* Instructions and waits of a source line. */
struct line {
    const char *file;
    const char *function;
    unsigned number;
    uint64_t executed, waited;
};

static int lines_by_cycles(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    uint64_t of_x = x->executed + x->waited, of_y = y->executed + y->waited;
    if (of_x != of_y)
        return of_x > of_y ? -1 : 1;
    int files = strcmp(x->file, y->file);
    return files != 0 ? files : (int)x->number - (int)y->number;
}

static void write_lines(const struct tf_profile *profile, FILE *file)
{
    struct tf_table table = {.room = 0};
    struct line *line = NULL;
    uint32_t lines = 0, room = 0;
    for (uint32_t i = 0; i < profile->places; i++) {
        const struct tf_code_place *place = &profile->place[i];
        bool made;
        if (place->file == NULL || place->executed + place->waited == 0)
            continue;
        uint32_t at = tf_table_take(&table, tf_table_key(place->file), place->line, lines, &made);
        if (at == UINT32_MAX || (made && !tf_array_room((void **)&line, lines, &room, sizeof *line)))
            break;
        if (made)
            line[lines++] = (struct line){place->file, profile->function[tf_place_function(profile, place)].name,
                                          place->line, 0, 0};
        line[at].executed += place->executed;
        line[at].waited += place->waited;
    }
    if (lines != 0) {
        qsort(line, lines, sizeof *line, lines_by_cycles);
        fprintf(file, "\nLines\n%16s %16s %7s  %s\n", "instructions", "waiting cycles", "cycles", "line");
    }
    for (uint32_t i = 0; i < lines && i < ROWS_MAX; i++)
        fprintf(file, "%16llu %16llu %6.2f%%  %s:%u (%s)\n", (unsigned long long)line[i].executed,
                (unsigned long long)line[i].waited,
                percent(line[i].executed + line[i].waited, profile->executed + profile->waited), line[i].file,
                line[i].number, line[i].function);
    free(line);
    free(table.slot);
}

static void write_tree(const struct tf_profile *profile, uint32_t call, unsigned depth, FILE *file)
{
    const uint64_t cycles = profile->executed + profile->waited;
    uint32_t *order, count = tf_profile_callees(profile, call, &order);
    for (uint32_t i = 0; i < count; i++) {
        const struct tf_call *at = &profile->call[order[i]];
        if (percent(tf_call_cycles(at), cycles) < 0.05)
            break;
        fprintf(file, "%16llu %16llu %6.2f%%  %*s%s\n", (unsigned long long)at->executed_total,
                (unsigned long long)at->waited_total, percent(tf_call_cycles(at), cycles), (int)depth * 2, "",
                profile->function[at->function].name);
        if (depth < 60)
            write_tree(profile, order[i], depth + 1, file);
    }
    free(order);
}

static void write_text(const struct tf_profile *profile, FILE *file)
{
    fprintf(file, "%llu instructions, %llu cycles of waiting\n\nCalls, with callees\n%16s %16s %7s  %s\n",
            (unsigned long long)profile->executed, (unsigned long long)profile->waited, "instructions",
            "waiting cycles", "cycles", "function");
    write_tree(profile, 0, 0, file);
    write_functions(profile, file);
    write_lines(profile, file);
    fprintf(file, "\nMix of instructions\n");
    for (uint32_t i = 0; i < profile->mixes; i++)
        fprintf(file, "%16llu %6.2f%%  %s\n", (unsigned long long)profile->mix[i].executed,
                percent(profile->mix[i].executed, profile->executed), profile->mix[i].name);
}

bool tf_profile_write(const struct tf_profile *profile, enum tf_profile_form form, FILE *file)
{
    switch (form) {
    case TF_PROFILE_FOLDED: write_folded(profile, file); return true;
    case TF_PROFILE_PPROF: return tf_profile_write_pprof(profile, file, false);
    case TF_PROFILE_PPROF_GZ: return tf_profile_write_pprof(profile, file, true);
    case TF_PROFILE_SVG: return tf_profile_write_flame(profile, file);
    default: write_text(profile, file); return true;
    }
}
