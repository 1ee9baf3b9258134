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

struct tf_tile;
struct tf_tensix;

#define TF_SYNC_CLASSES 16u

/* Resources; bit n of a declaration says "reads", bit n + 8 "writes". */
enum tf_sync_resource {
    TF_RESOURCE_CFG0_UNPACK_0,
    TF_RESOURCE_CFG0_UNPACK_1,
    TF_RESOURCE_CFG0_REST,
    TF_RESOURCE_CFG1_UNPACK_0,
    TF_RESOURCE_CFG1_UNPACK_1,
    TF_RESOURCE_CFG1_REST,
    TF_RESOURCE_GPR,
    TF_RESOURCE_TDMA,
    TF_RESOURCES,
};

struct tf_ttsync {
    uint16_t declared[TF_SYNC_CLASSES];   /* as RESOURCEDECL has it */
    uint16_t in_flight[2 * TF_RESOURCES]; /* readers, then writers, that have not passed the gate */
    uint8_t state_id;                     /* CFG_STATE_ID as the last SETC16 that was pushed sets it */
};

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
