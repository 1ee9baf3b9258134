/* SPDX-License-Identifier: Apache-2.0 */
/* The table of rows. Its texts have names in place of the numbers of a chip, which family.c puts there. */
#ifndef CLI_BENCH_ROWS_H
#define CLI_BENCH_ROWS_H

#include "cli/bench/bench.h"

/* The table of all rows, with Blackhole's numbers of tiles. */
extern const struct bench_row bench_rows[];
extern const unsigned bench_row_count;

#endif
