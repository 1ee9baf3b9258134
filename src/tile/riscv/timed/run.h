/* SPDX-License-Identifier: Apache-2.0 */
/* The loop of timing mode for cores that nobody observes. */
#ifndef TILE_RISCV_TIMED_RUN_H
#define TILE_RISCV_TIMED_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;
struct tf_hart;

/* May the core run in this loop? Else tf_observed_run() is needed. */
bool tf_timed_runs(const struct tf_tile *tile, const struct tf_hart *hart);

/* tf_interp() in timing mode: with the effects, and the times, of tf_observed_run(). */
void tf_timed_run(struct tf_tile *tile, struct tf_hart *hart, uint64_t limit);

#endif
