/* SPDX-License-Identifier: Apache-2.0 */
/* Why a core waits, by the address of its access. */
#ifndef LOOK_REASONS_H
#define LOOK_REASONS_H

#include "look/cores.h"

enum tf_reason {
    TF_REASON_L1,
    TF_REASON_LOCAL,
    TF_REASON_MAILBOX,
    TF_REASON_PCBUF,
    TF_REASON_PUSH,
    TF_REASON_STREAM,
    TF_REASON_NIU0,
    TF_REASON_NIU1,
    TF_REASON_REGISTER,
    TF_REASONS,
};

/* The reason for which a core of a tile waits in an access to this address. */
enum tf_reason tf_reason_of(const struct tf_tile *tile, unsigned core, uint32_t address);

/* Its name in files, such as "L1" or "a mailbox". */
const char *tf_reason_name(enum tf_reason reason);

#endif
