/* SPDX-License-Identifier: Apache-2.0 */
/* Why an engine cannot run. */
#ifndef CLI_BENCH_REFUSE_H
#define CLI_BENCH_REFUSE_H

#include <stdbool.h>

struct bench_engine;

/* Set engine->why. Returns false. */
bool bench_refuse(struct bench_engine *engine, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
