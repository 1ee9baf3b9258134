/* SPDX-License-Identifier: Apache-2.0 */
/* The process that takes the samples of one side of a row. It reads numbers of rounds, and writes a sample for each. */
#ifndef CLI_BENCH_CHILD_H
#define CLI_BENCH_CHILD_H

#include <stdbool.h>

struct bench_child;

/* Take one sample. Returns false if that failed; child->last.why has the reason, and the process has ended. */
bool bench_child_sample(struct bench_child *child);
void bench_child_end(struct bench_child *child);

#endif
