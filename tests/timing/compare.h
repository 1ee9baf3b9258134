/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that compare timing mode with figures of a card. A row of times.def may be fitted only to half of them. */
#ifndef TIMING_COMPARE_H
#define TIMING_COMPARE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tilefarm/tilefarm_base.h"

enum { ROWS_MAX = 512 };

struct table {
    const char *family;
    bool coarse;                            /* of coarse timing mode: only a summary */
    int digits;                             /* after the point */
    double median_limit, most_limit;        /* percent; the second for nine points in ten */
    const char *const *read;                /* FAMILY/PROBE of held out ones that a row was read from; NULL: none */
    double error[ROWS_MAX], held[ROWS_MAX]; /* of all rows; of those that fit nothing */
    unsigned errors, helds;
};

static inline void die(const char *what, const char *which)
{
    fprintf(stderr, "timing: %s: %s\n", what, which);
    exit(2);
}

/* May the figures of a probe fit a row? Half of them may, by a hash (FNV-1a) of family and name. */
static inline bool may_fit(const struct table *table, const char *name)
{
    char text[64];
    uint32_t hash = 2166136261u;
    snprintf(text, sizeof text, "%s/%s", table->family, name);
    for (const char *c = text; *c != '\0'; c++)
        hash = (hash ^ (uint8_t)*c) * 16777619u;
    return (hash >> 16 & 1) != 0;
}

/* Is the last argument `coarse`? Then it is taken. */
static inline bool takes_coarse(int *argc, char **argv)
{
    const bool coarse = *argc > 1 && strcmp(argv[*argc - 1], "coarse") == 0;
    *argc -= coarse;
    return coarse;
}

static inline void head(const struct table *table, const char *what)
{
    if (!table->coarse)
        printf("| probe | %s | timing mode | error | data |\n|---|---|---|---|---|\n", what);
}

/* Was a row of times.def read directly from the probe, so that it is not held out? */
static inline bool was_read(const struct table *table, const char *name)
{
    char text[64];
    snprintf(text, sizeof text, "%s/%s", table->family, name);
    for (const char *const *read = table->read; read != NULL && *read != NULL; read++)
        if (strcmp(*read, text) == 0)
            return true;
    return false;
}

/* Print a row, and note its error. */
static inline void row(struct table *table, const char *name, const char *point, double card, double mode)
{
    const double error = 100 * (mode - card) / card;
    const bool fit = may_fit(table, name), read = !fit && was_read(table, name);
    if (table->errors == ROWS_MAX)
        die("too many rows", name);
    table->error[table->errors++] = fabs(error);
    if (!fit && !read)
        table->held[table->helds++] = fabs(error);
    if (table->coarse)
        return;
    printf("| %s%s | %.*f | %.*f | %+.1f %% | %s |\n", name, point, table->digits, card, table->digits, mode, error,
           fit    ? "may fit"
           : read ? "read"
                  : "held out");
}

static inline int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Print median and 90th percentile, in percent. Returns true if both are within the limits. */
static inline bool summary(const struct table *table, const char *what, double *error, unsigned count)
{
    if (count == 0)
        return false;
    qsort(error, count, sizeof *error, by_size);
    const double median = error[count / 2], most = error[(count * 9 + 9) / 10 - 1];
    printf("\n%s: %u points, median error %.1f %%, nine in ten within %.1f %%, the largest %.1f %%.\n", what, count,
           median, most, error[count - 1]);
    return median <= table->median_limit && most <= table->most_limit;
}

/* The summaries. Returns the exit status. */
static inline int finish(struct table *table)
{
    if (table->coarse)
        return summary(table, "Coarse", table->error, table->errors) ? 0 : 1;
    const bool all = summary(table, "All", table->error, table->errors);
    const bool held = summary(table, "Held out", table->held, table->helds);
    return all && held ? 0 : 1;
}

#endif
