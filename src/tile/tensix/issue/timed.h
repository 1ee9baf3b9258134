/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Timing of the coprocessor: when an instruction may pass its gate, for how long it occupies its unit, and when it has
 * completed, by the durations of the family (tile/times.def). Threads share units. A unit serves the thread that has
 * waited longest. Results are those of usual runs: an instruction acts in the cycle in which it passes.
 */
#ifndef TILE_TENSIX_ISSUE_TIMED_H
#define TILE_TENSIX_ISSUE_TIMED_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;
struct tf_tensix_op;

/* May thread t pass the instruction at its gate, which nothing else holds, in the thread's cycle? If not, the thread's
   clock has advanced, but not past `limit`. If so, the unit is occupied. */
bool tf_timed_passes(struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op, uint64_t limit);

/* Cycles after its own for which the instruction at thread t's gate will be under way in its unit. */
uint64_t tf_timed_under_way(const struct tf_tile *tile, unsigned t, const struct tf_tensix_op *op);

#endif
