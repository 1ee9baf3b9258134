/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Waits for quiet moments, in which the host gives this process all of its cores. On a shared host everything takes up
 * to twice as long for seconds at a time. To find out, all cores compute together for a moment, and each is compared
 * with its best rate.
 */
#ifndef CLI_BENCH_QUIET_H
#define CLI_BENCH_QUIET_H

#include <stdbool.h>
#include <stdint.h>

struct bench_quiet;

/* Divide patience_s among the samples. tiles: of the chip that is measured. */
void bench_quiet_begin(struct bench_quiet *quiet, unsigned tiles, uint32_t patience_s, unsigned samples);

/* Begin a sample, which may use twice its share. */
void bench_quiet_next(struct bench_quiet *quiet);

/* Wait for a quiet moment. Returns false if the sample has used up its patience. */
bool bench_quiet_await(struct bench_quiet *quiet);

/* Is the moment still quiet? If not, the time since began_s counts against the patience. */
bool bench_quiet_holds(struct bench_quiet *quiet, double began_s);

#endif
