/* SPDX-License-Identifier: Apache-2.0 */
/* Other work on the host: processes that compute while samples are taken. */
#ifndef CLI_BENCH_BUSY_H
#define CLI_BENCH_BUSY_H

#include <stdbool.h>
#include <stdint.h>

struct bench_busy;

/* Begin processes that compute until the end. Returns false if none are left. */
bool bench_busy_begin(struct bench_busy *busy, uint32_t processes);
void bench_busy_end(struct bench_busy *busy);

#endif
