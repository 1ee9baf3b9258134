/* SPDX-License-Identifier: Apache-2.0 */
/* What counts as quiet: cores and cache lines that are nearly as fast as they ever were. */
#ifndef CLI_BENCH_QUIET_LIMITS_H
#define CLI_BENCH_QUIET_LIMITS_H

#include <stdbool.h>

struct bench_quiet;

/* Does each core compute nearly as fast as it ever did? rate: rounds a second, one for each core. */
bool bench_quiet_rates(struct bench_quiet *quiet, const double *rate);

/* Does a cache line cross from core to core nearly as fast as it ever did? line_s: time of one transfer. */
bool bench_quiet_line(struct bench_quiet *quiet, double line_s);

#endif
