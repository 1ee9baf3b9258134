/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tilefarm bench: measure this host. The sides of a row take turns. For each side the table shows the median, the least
 * and the most. Rates count executed instructions: struct tf_stats says which.
 */
#ifndef CLI_BENCH_COMMAND_H
#define CLI_BENCH_COMMAND_H

int tf_cli_bench(int argc, char **argv);

#endif
