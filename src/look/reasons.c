/* SPDX-License-Identifier: Apache-2.0 */
#include "look/reasons.h"

#include "tilefarm_address.h"
#include "tile/mmio/mmio.h"

enum tf_reason tf_reason_of(const struct tf_tile *tile, unsigned core, uint32_t address)
{
    if (address < tile->arch->l1_bytes)
        return TF_REASON_L1;
    if (address - TF_LOCAL_BASE < tile->hart[core].local_bytes)
        return TF_REASON_LOCAL;
    switch (tf_map_find(tile->arch->map, address)) {
    case TF_AT_MAILBOX: return TF_REASON_MAILBOX;
    case TF_AT_PCBUF0:
    case TF_AT_PCBUF1:
    case TF_AT_PCBUF2: return TF_REASON_PCBUF;
    case TF_AT_PUSH0:
    case TF_AT_PUSH1:
    case TF_AT_PUSH2: return TF_REASON_PUSH;
    case TF_AT_OVERLAY: return TF_REASON_STREAM;
    case TF_AT_NIU0: return TF_REASON_NIU0;
    case TF_AT_NIU1: return TF_REASON_NIU1;
    default: return TF_REASON_REGISTER;
    }
}

const char *tf_reason_name(enum tf_reason reason)
{
    static const char *const names[TF_REASONS] = {
        "L1", "local RAM", "a mailbox", "a PCBuf", "room for instructions", "a stream", "NIU 0", "NIU 1", "a register",
    };
    return names[reason];
}
