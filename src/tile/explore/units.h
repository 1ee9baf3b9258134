/* SPDX-License-Identifier: Apache-2.0 */
/* Units of the coprocessor that complete late. */
#ifndef TILE_EXPLORE_UNITS_H
#define TILE_EXPLORE_UNITS_H

#include <stdbool.h>
#include <stdint.h>

struct tf_hart;
struct tf_tile;
struct tf_unpack_job;

/* A T core's store to GPRs or to the configuration is late by a number of slices. STALLWAIT's C10 waits for
   it. */
void tf_explored_delay_register(struct tf_tile *tile, const struct tf_hart *hart, uint64_t slices);

/* Cycles that a thread waits before the instruction at its gate, by a decision or for a unit that lags. 0: it has
   waited already. */
uint64_t tf_explored_thread(struct tf_tile *tile, unsigned thread);

/* A unit begins an instruction. Returns the cycle up to which the unit may be at work for the thread; 0: it is not
   late. tf_explored_lags() (lag.h) then tells whether the instruction executes later. */
uint64_t tf_explored_unit(struct tf_tile *tile, unsigned thread, uint32_t word);

/* It is about to move the data of its job. Returns true if that comes later. */
bool tf_explored_unpacks(struct tf_tile *tile, const struct tf_unpack_job *job, uint32_t word);

/* Has an unpacker not moved the data of its last instruction yet? Then others wait at the gate. */
bool tf_explored_unpacking(const struct tf_tile *tile, unsigned unpacker);

/* Unpackers move the data that are due. */
void tf_explored_unpack_due(struct tf_tile *tile);

/* The packer writes lines to L1. Returns true if they come later. */
bool tf_explored_lines(struct tf_tile *tile, uint32_t address, const uint8_t *bytes, unsigned count);

#endif
