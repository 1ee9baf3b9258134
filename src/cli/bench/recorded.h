/* SPDX-License-Identifier: Apache-2.0 */
/* `tilefarm bench --from`: the report of a run that wrote its figures as JSON, as far as the plots need it. */
#ifndef CLI_BENCH_RECORDED_H
#define CLI_BENCH_RECORDED_H

#include <stdbool.h>

struct bench_options;
struct bench_report;

/* Read the chosen rows of the file of --from, for the plots. The file has no figures of tiles. Returns false after an
   error line. */
bool bench_recorded(const struct bench_options *options, const bool *chosen, struct bench_report *report);

#endif
