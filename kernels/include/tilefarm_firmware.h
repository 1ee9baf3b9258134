/* SPDX-License-Identifier: Apache-2.0 */
/* The mailboxes of kernels/firmware.c, for the core and the host. Fields have the offsets of the vendor's mailboxes_t,
   launch_msg_t and go_msg_t (firmware-upload.md). */
#ifndef TILEFARM_FIRMWARE_H
#define TILEFARM_FIRMWARE_H

#include <stdint.h>

#include "tilefarm_layout.h"

#define TF_MAILBOXES TF_K_SHARED
#define TF_LAUNCHES 8u

#define TF_GO_INIT 0x40u
#define TF_GO 0x80u
#define TF_GO_RESET_READ_POINTER 0xC0u

#define TF_SYNC_DONE 0x00u
#define TF_SYNC_INIT 0x40u
#define TF_SYNC_GO 0x80u

#define TF_DISPATCH_MODE_DEV 0u
#define TF_DISPATCH_MODE_HOST 1u

struct tf_launch {
    uint32_t kernel_config_base[3];
    uint16_t sem_offset[3], local_cb_offset, remote_cb_offset, rta_offset[10];
    uint8_t mode, pad;
    uint32_t kernel_text_offset[5];
    uint32_t local_cb_mask;
    uint8_t brisc_noc_id, brisc_noc_mode, min_remote_cb, exit_kernel;
    uint32_t host_assigned_id;
    uint32_t enables;
    uint16_t watcher_kernel_ids[5], ncrisc_kernel_size16;
    uint8_t origin_x, origin_y, pad3, preload;
};

struct tf_mailboxes {
    uint32_t ncrisc_halt[2];
    uint8_t sync[4]; /* NC, T0, T1, T2 */
    uint32_t launch_msg_rd_ptr;
    struct tf_launch launch[TF_LAUNCHES];
    uint32_t go[9]; /* dispatch message offset, master x, master y, signal */
    uint32_t unused[3];
    uint32_t go_index;
};

_Static_assert(sizeof(struct tf_launch) == 96, "size of a launch message");
_Static_assert(__builtin_offsetof(struct tf_mailboxes, go) == 0x310, "place of the go messages");
_Static_assert(__builtin_offsetof(struct tf_mailboxes, go_index) == 0x340, "place of their index");

#endif
