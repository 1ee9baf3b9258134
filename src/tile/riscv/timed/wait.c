/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/riscv/timed/wait.h"

#include "tile/state.h"

enum tf_spent tf_timed_wait_at(const struct tf_tile *tile, uint32_t address)
{
    if (address < tile->arch->l1_bytes)
        return TF_SPENT_MEMORY;
    switch (tf_map_find(tile->arch->map, address)) {
    case TF_AT_NIU0:
    case TF_AT_NIU1: return TF_SPENT_NOC;
    case TF_AT_PUSH0:
    case TF_AT_PUSH1:
    case TF_AT_PUSH2: return TF_SPENT_FIFO;
    case TF_AT_PCBUF0:
    case TF_AT_PCBUF1:
    case TF_AT_PCBUF2:
    case TF_AT_MAILBOX: return TF_SPENT_SYNC;
    default: return TF_SPENT_OTHER;
    }
}
