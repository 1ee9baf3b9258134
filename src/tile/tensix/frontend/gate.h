/* SPDX-License-Identifier: Apache-2.0 */
/* The wait gate of a thread (TensixCoprocessor/WaitGate.md, STALLWAIT.md, SEMWAIT.md, STREAMWAIT.md). */
#ifndef TILE_TENSIX_FRONTEND_GATE_H
#define TILE_TENSIX_FRONTEND_GATE_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;
struct tf_tensix_op;

/* Does a block mask (enum tf_tensix_block) stall the instruction? */
bool tf_gate_catches(const struct tf_tensix_op *op, uint16_t block);

/* Are all conditions of the thread's latched wait met in `cycle`? A wait must be latched. No side effects. */
bool tf_gate_met(struct tf_tile *tile, unsigned thread, uint64_t cycle);

/* Does anything other than a latched wait stall the instruction (TensixCoprocessor/WaitGate.md)? No side effects. */
bool tf_gate_held(struct tf_tile *tile, unsigned thread, uint32_t word);

/* Does the instruction occupy the scalar unit while it stalls on its own condition (ScalarUnit.md)? */
bool tf_gate_occupies(struct tf_tile *tile, unsigned thread, uint32_t word);

/* Is a condition of a mask of STALLWAIT or FLUSHDMA not met in `cycle`? No side effects. */
bool tf_gate_waits(const struct tf_tile *tile, unsigned thread, uint32_t conditions, uint64_t cycle);

/* Clears the latched waits that are met at the end of `cycle`. */
void tf_gate_settle(struct tf_tile *tile, uint64_t cycle);

/*
 * Called before and after a semaphore, a mutex, a bank of SrcA or SrcB or a stream register changes in cycle tile->now.
 * Both clear the latched waits that are met; the second one lets stalled threads try again.
 */
void tf_gate_before_change(struct tf_tile *tile);
void tf_gate_reconsider(struct tf_tile *tile);

#endif
