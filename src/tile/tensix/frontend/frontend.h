/* SPDX-License-Identifier: Apache-2.0 */
/* From a pushed word to the gate: the FIFOs and the two expanders of a thread. */
#ifndef TILE_TENSIX_FRONTEND_FRONTEND_H
#define TILE_TENSIX_FRONTEND_FRONTEND_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/frontend/isa.h"

struct tf_tile;
struct tf_tensix_thread;

/* Is the instruction one of the MOP expander's? */
static inline bool tf_frontend_is_mop(uint32_t word)
{
    return word >> 24 == TF_OP_MOP || word >> 24 == TF_OP_MOP_CFG;
}

/* Does an expander keep the instruction, so that it never comes to the gate? */
static inline bool tf_frontend_keeps(uint32_t word)
{
    return tf_frontend_is_mop(word) || word >> 24 == TF_OP_REPLAY;
}

/* Is there anything before the gate? */
bool tf_frontend_has_work(const struct tf_tensix_thread *thread);

/*
 * May an instruction of the thread, at its gate or behind it, come to occupy the scalar unit (tf_tensix_may_occupy())?
 * True when in doubt.
 */
bool tf_frontend_may_occupy(const struct tf_tensix_thread *thread);

/*
 * Bring the next instruction to the empty gate. Time passes (thread->cycle) while none has arrived, and for what the
 * expanders keep to themselves. False: none before cycle `limit`.
 */
bool tf_frontend_take(struct tf_tile *tile, unsigned thread, uint64_t limit);

/* Cycle in which the FIFOs' next instruction has arrived, UINT64_MAX: they are empty. */
uint64_t tf_frontend_next_arrival(const struct tf_tensix_thread *thread);

/* Would a MOP expander be idle if it were given the chance (ManualTTSync.md, MOPExpanderDoneCheck)? No side effects. */
bool tf_frontend_mops_done(const struct tf_tensix_thread *thread);

/* Let MOPs that are done in that sense leave the expander, as its configuration is about to change. */
void tf_frontend_flush_mops(struct tf_tile *tile, unsigned thread);

/* The T core goes into reset: what is in the MOP expander and the FIFO before it is discarded (SoftReset.md). */
void tf_frontend_discard(struct tf_tile *tile, unsigned thread);

#endif
