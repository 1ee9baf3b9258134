/* SPDX-License-Identifier: Apache-2.0 */
/* One function for each kind of row. */
#ifndef CLI_BENCH_MEASURE_H
#define CLI_BENCH_MEASURE_H

#include <stdint.h>

struct bench_engine;
struct bench_row;
struct bench_sample;

/* Mark a sample as not right, with the reason in engine->why. */
void bench_fail(const struct bench_engine *engine, struct bench_sample *sample);

/* The figure of a sample in the row's unit. */
double bench_value(const struct bench_row *row, const struct bench_sample *sample);

/* The scale of a row's workload at so many percent. */
uint32_t bench_scale(const struct bench_row *row, uint32_t percent);

/* Memory of this process. */
double bench_resident_mb(void);

/* Read the figures of the engine's chip; subtract earlier ones from later ones. */
void bench_look(struct bench_engine *engine, struct bench_sample *figures);
void bench_subtract(struct bench_sample *sample, const struct bench_sample *before);

#endif
