/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Auto TTSync (BlackholeA0/TensixTile/BabyRISCV/AutoTTSync.md). Each instruction that a T core pushes declares the
 * resources that it reads and writes. Conflicting accesses of that core wait until it has passed the gate. The other
 * direction needs no test. A hart's access is complete before its next instruction, so no later push overtakes it.
 */
#ifndef TILE_TENSIX_FRONTEND_TTSYNC_H
#define TILE_TENSIX_FRONTEND_TTSYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/config/state.h"
#include "tile/tensix/state.h"

struct tf_ttsync;

/* Class definitions after reset. */
void tf_ttsync_init(struct tf_ttsync *sync);

/* Does Auto TTSync count the instructions that a thread's T core pushes? (TrackTensixInstructions) */
static inline bool tf_ttsync_counts(const struct tf_tensix *tensix, unsigned thread)
{
    return (tensix->config->thread[thread][TF_THREAD_CFG_TRISC_SYNC] & TF_TRISC_SYNC_TRACK_INSTRUCTIONS) != 0;
}

/* Counts the declarations of an instruction that a T core pushes while Auto TTSync counts. Returns the value to give to
   tf_ttsync_passed(). */
uint16_t tf_ttsync_pushed(struct tf_tensix *tensix, unsigned thread, uint32_t word);

/* TRISC_SYNC has been written in a cycle: count anew the pushes that the T core has made ahead of the order, in later
   cycles. */
void tf_ttsync_configured(struct tf_tensix *tensix, unsigned thread, uint64_t cycle);

/* The instruction, or the last one of its expansion, has passed the gate or was discarded: stop counting it. */
void tf_ttsync_passed(struct tf_tensix *tensix, unsigned thread, uint16_t resources);

/* RESOURCEDECL. */
void tf_ttsync_declare(struct tf_ttsync *sync, uint32_t word);

/* Must an access of core `from` to GPRs, configuration or TDMA-RISC wait? No side effects. */
bool tf_ttsync_conflicts(const struct tf_tensix *tensix, unsigned from, uint32_t address, bool store);

#endif
