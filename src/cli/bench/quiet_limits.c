/* SPDX-License-Identifier: Apache-2.0 */
/* What counts as quiet: cores and cache lines that are nearly as fast as they ever were. */
#include "cli/bench/bench.h"
#include "cli/bench/quiet_limits.h"

/* Limits relative to the best values. Shared hosts gave rates of 60, 82 and over 90 percent, and lines of 1 or 3. */
#define RATE_LEAST 0.9
#define LINE_MOST 2.0

bool bench_quiet_rates(struct bench_quiet *quiet, const double *rate)
{
    bool full = true;
    for (unsigned i = 0; i < quiet->cores; i++) {
        if (rate[i] > quiet->best_rate[i])
            quiet->best_rate[i] = rate[i];
        full = full && rate[i] >= RATE_LEAST * quiet->best_rate[i];
    }
    return full;
}

bool bench_quiet_line(struct bench_quiet *quiet, double line_s)
{
    if (quiet->best_line_s <= 0 || line_s < quiet->best_line_s)
        quiet->best_line_s = line_s;
    return line_s <= LINE_MOST * quiet->best_line_s;
}
