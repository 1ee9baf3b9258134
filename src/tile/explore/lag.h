/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units of the coprocessor that lag, and lines of the packer that come late. An instruction of the matrix unit, the
 * vector unit or the packer has passed the gate, and the unit executes it some slices later. Until then the unit is
 * at work for the thread: STALLWAIT on it and waits for the thread last as long. Later instructions of the thread for
 * the unit wait behind it, in their order. A semaphore or a mutex of the thread does not: SEMPOST, SEMGET, ATRELM,
 * and waits that are latched, overtake it. All other instructions of the thread wait, so that they change nothing
 * that the late one reads. A unit serves one thread after the other.
 *
 * Source: BlackholeA0/TensixTile/TensixCoprocessor/STALLWAIT.md, C3, C4 and C11: "the current thread has an instruction
 * in any stage of the pipeline". An instruction that has started has read its configuration (BackendConfiguration.md,
 * "Danger two"), so a late one executes with that of its start.
 */
#ifndef TILE_EXPLORE_LAG_H
#define TILE_EXPLORE_LAG_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/* An instruction with a delayed completion passes the gate of a thread. Returns the cycle up to which its unit lags; 0:
   it does not, and the instruction executes now. */
uint64_t tf_explored_lag(struct tf_tile *tile, unsigned thread, uint32_t word);

/* The packer begins to execute a PACR. Returns the cycle up to which its lines may be on their way. */
uint64_t tf_explored_pack(struct tf_tile *tile, unsigned thread);

/* Does a unit execute the instruction that has just passed later? Asked once after tf_explored_lag(). */
bool tf_explored_lags(struct tf_tile *tile);

/* Cycles that the instruction at the gate of a thread waits for units that lag. */
uint64_t tf_explored_behind(const struct tf_tile *tile, unsigned thread);

/* Units execute the instructions that are due. */
void tf_explored_lag_due(struct tf_tile *tile);

/* Has a unit instructions to execute? */
bool tf_explored_lagging(const struct tf_tile *tile);

void tf_explored_lag_free(struct tf_tile *tile);

#endif
