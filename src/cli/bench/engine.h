/* SPDX-License-Identifier: Apache-2.0 */
/* What runs a row: this library, or another one. */
#ifndef CLI_BENCH_ENGINE_H
#define CLI_BENCH_ENGINE_H

#include <stdbool.h>

struct bench_engine;
struct bench_side;
struct tf_config;

/* The configuration of a side's chip. */
void bench_configure(const struct bench_side *side, struct tf_config *config);

/* Fill an engine for a side, and load its library if it has one. */
bool bench_engine_init(struct bench_engine *engine, const struct bench_side *side);

#endif
