/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm bench --scale-threads`: speed-up and efficiency of some rows, from one thread to all CPUs of the host. */
#ifndef CLI_BENCH_SCALE_H
#define CLI_BENCH_SCALE_H

#include <stdbool.h>

struct bench_line;
struct bench_options;
struct bench_side;

/* Choose the rows that --scale-threads measures without names. */
void bench_scale_rows(const struct bench_options *options, bool *chosen);

/* The sides of a row: one thread, powers of two, all cores of the first NUMA nodes, all cores, all CPUs that the host
   allows. Returns their number, at most `most`. */
unsigned bench_scale_sides(const struct bench_options *options, struct bench_side *side, unsigned most);

/* A speed-up by the cores of a side: hyperthreads of one core count once. */
double bench_efficiency(const struct bench_side *side, double speed_up);

void bench_scale_head(void);
/* Print the lines of a row. */
void bench_scale_print(const struct bench_line *line, unsigned sides);

#endif
