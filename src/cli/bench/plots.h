/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of results. */
#ifndef CLI_BENCH_PLOTS_H
#define CLI_BENCH_PLOTS_H

#include <stdbool.h>

struct bench_report;

/* Create a folder and write the plots of a run into it. Returns false after an error line. */
bool bench_plots(const struct bench_report *report, const char *folder);

/* Returns true if the folder can be written to, or created. Otherwise there is an error line. */
bool bench_plots_possible(const char *folder);

#endif
