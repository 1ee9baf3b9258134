/* SPDX-License-Identifier: Apache-2.0 */
/* Auto TTSync's state of a thread (BlackholeA0/TensixTile/BabyRISCV/AutoTTSync.md). */
#ifndef TILE_TENSIX_FRONTEND_DECLARED_H
#define TILE_TENSIX_FRONTEND_DECLARED_H

#include <stdint.h>

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

#endif
