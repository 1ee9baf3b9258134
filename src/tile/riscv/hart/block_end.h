/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TILE_RISCV_HART_BLOCK_END_H
#define TILE_RISCV_HART_BLOCK_END_H

#include <stdint.h>

#include "host/extremes.h"
#include "tile/riscv/hart/state.h"

/* The limit of cycles for one call of the interpreter. */
#define TF_INTERP_CYCLES_MAX (UINT64_C(1) << 32)

/* The end of the block that a hart may run before its next probe. After a failed probe the cycle may be past this
   limit: the interpreter ends the block in any case. */
static inline uint64_t tf_hart_block_end(const struct tf_hart *hart, uint64_t deadline)
{
    return tf_min(tf_min(deadline, hart->park.probe_at), hart->cycle + TF_INTERP_CYCLES_MAX);
}

#endif
