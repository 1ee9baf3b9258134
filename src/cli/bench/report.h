/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of results: printed, and as JSON. */
#ifndef CLI_BENCH_REPORT_H
#define CLI_BENCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/bench/bench.h"

struct bench_line {
    const struct bench_row *row;
    struct bench_side side;
    bool right;
    char why[BENCH_WHY_BYTES];
    double median, least, most;
    double busy;     /* median by processor time instead of wall time; 0: not known */
    double ratio;    /* to the peer; above 1 the peer is slower; 0: none */
    double speed_up; /* over one thread; 0: not known */
    uint32_t rounds, samples, quiet;
    double sample[BENCH_RUNS_MAX];
    struct bench_sample last;
};

struct bench_report {
    struct bench_line *line;
    size_t lines, room;
};

struct bench_line *bench_report_add(struct bench_report *report); /* NULL: no memory, after an error line */
void bench_report_head(void);
/* Print the lines of a row. */
void bench_report_print(const struct bench_line *line, unsigned sides);
/* Print how many samples were taken in quiet moments. */
void bench_report_quiet(const struct bench_report *report);
#define BENCH_FIGURE_BYTES 32
/* Write a figure with four digits into `text`. Returns `text`. */
char *bench_figure(double value, char text[BENCH_FIGURE_BYTES]);
json_t *bench_report_json(const struct bench_report *report, const struct bench_options *options);

#endif
