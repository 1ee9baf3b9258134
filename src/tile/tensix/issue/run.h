/* SPDX-License-Identifier: Apache-2.0 */
/* The turn of the coprocessor: threads pass instructions through their gates, in the order of cycles. */
#ifndef TILE_TENSIX_ISSUE_RUN_H
#define TILE_TENSIX_ISSUE_RUN_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/* Runs the coprocessor's turn of a slice: each thread passes at most one instruction a cycle until `deadline`. Returns
   false if the coprocessor was asleep, and only time passed. */
bool tf_tensix_turn(struct tf_tile *tile, uint64_t deadline);

/*
 * Runs the part of that turn before `cycle` that has not run yet. All pushes of earlier cycles must have been made.
 * With `halts` it stops before an instruction that may store to a register, and returns false.
 */
bool tf_tensix_run_to(struct tf_tile *tile, uint64_t cycle, bool halts);

/* tf_tensix_run_to() for the case that all threads with work are stalled: only time passes. Returns false if nothing
   was done. */
bool tf_tensix_rest(struct tf_tile *tile, uint64_t cycle);

/* The cycle of the instruction before which tf_tensix_run_to() has halted. */
uint64_t tf_tensix_halted_at(const struct tf_tile *tile);

/* Returns the first cycle that some thread has not run. */
uint64_t tf_tensix_clock(const struct tf_tile *tile);

/* Sets the clocks of a coprocessor whose threads all stall. */
void tf_tensix_catch_up(struct tf_tile *tile, uint64_t deadline);

/* Wakes a coprocessor that is asleep: sets its threads' clocks. Call it before a push and before reading them. */
void tf_tensix_wake(struct tf_tile *tile);

/* Can the thread go on without a change from outside the coprocessor? No side effects. */
bool tf_tensix_can_act(struct tf_tile *tile, unsigned thread);

/* Does every thread need a change from outside the coprocessor before it can continue? No side effects. */
bool tf_tensix_waiting(struct tf_tile *tile);

/*
 * Has a thread no instruction in flight (PCBufs.md, ManualTTSync.md CoprocessorDoneCheck)? Its core may be ahead of the
 * caller's, so pushes in cycle `before` or later do not count.
 */
bool tf_tensix_thread_idle(const struct tf_tile *tile, unsigned thread, uint64_t before);

/*
 * Returns a cycle before which a core sees no change of a thread. idle false: the thread takes nothing from its full
 * FIFO. idle true: the thread does not become idle.
 */
uint64_t tf_tensix_not_before(const struct tf_tile *tile, unsigned thread, bool idle);

#endif
