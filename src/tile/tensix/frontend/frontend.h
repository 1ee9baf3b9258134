/* SPDX-License-Identifier: Apache-2.0 */
/* The path of a pushed word to the gate: FIFOs, MOP expander, replay expander. next.h has the order of sources. */
#ifndef TILE_TENSIX_FRONTEND_FRONTEND_H
#define TILE_TENSIX_FRONTEND_FRONTEND_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/isa/isa.h"

struct tf_tensix;
struct tf_tensix_thread;
struct tf_tile;

/* May an instruction of the thread, at its gate or before it, occupy the scalar unit? This may return true in error. */
bool tf_frontend_may_occupy(struct tf_tensix_thread *thread);

/* The flags (isa.h) of all instructions that may pass the gate before the next push. Some of them may never pass. */
unsigned tf_frontend_flags(const struct tf_tensix_thread *thread);

/* tf_next_take() with `all`: moves the next instruction to the empty gate. Returns false if none arrives before
   `limit`. */
bool tf_frontend_take(struct tf_tile *tile, unsigned thread, uint64_t limit);

/*
 * Returns a number of cycles from the thread's clock. In these the thread takes nothing from the FIFO; with
 * `with_fifo`, it is not idle. Each instruction takes a cycle. Entries after a MOP, or after an instruction that
 * records, are not counted.
 */
uint32_t tf_frontend_cycles_left(const struct tf_tensix_thread *thread, bool with_fifo);

/*
 * Could the MOP expander become idle (ManualTTSync.md, MOPExpanderDoneCheck)? Returns true if the FIFO after it has
 * room for everything that its MOPs still emit. No side effects.
 */
bool tf_frontend_mops_done(const struct tf_tensix_thread *thread);

/* Before the MOP configuration changes: moves the rest of an expansion to the FIFO after the expander, if it fits. */
void tf_frontend_flush_mops(struct tf_tile *tile, unsigned thread);

/* Discards the contents of the MOP expander and of the T core's FIFO: the T core enters reset (SoftReset.md). */
void tf_frontend_discard(struct tf_tile *tile, unsigned thread);

#endif
