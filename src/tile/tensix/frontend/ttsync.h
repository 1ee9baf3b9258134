/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Auto TTSync (BlackholeA0/TensixTile/BabyRISCV/AutoTTSync.md). Each instruction that a T core pushes declares what it
 * reads and writes; until it has passed the gate, accesses of that core which conflict wait. The other direction
 * needs nothing: an access of a hart is done before its next instruction, so no later push can overtake it.
 */
#ifndef TILE_TENSIX_FRONTEND_TTSYNC_H
#define TILE_TENSIX_FRONTEND_TTSYNC_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tensix;
struct tf_ttsync;

/* Class definitions after reset. */
void tf_ttsync_init(struct tf_ttsync *sync);

/* Counts what an instruction declares that a T core pushes while TrackTensixInstructions is set. Returns the value to
   give to tf_ttsync_passed(). */
uint16_t tf_ttsync_pushed(struct tf_tensix *tensix, unsigned thread, uint32_t word);

/* The instruction, or the last one of its expansion, has passed the gate, or was discarded: it counts no more. */
void tf_ttsync_passed(struct tf_tensix *tensix, unsigned thread, uint16_t resources);

/* RESOURCEDECL. */
void tf_ttsync_declare(struct tf_ttsync *sync, uint32_t word);

/* Must an access of core `from` to GPRs, configuration or TDMA-RISC wait? No side effects. */
bool tf_ttsync_conflicts(const struct tf_tensix *tensix, unsigned from, uint32_t address, bool store);

#endif
