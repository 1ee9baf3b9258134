/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions under way in the pipelines of the units. An instruction completes in its cycle unless completion is
 * delayed (tf_tensix_delay()). Then it counts as under way until the cycle noted here.
 */
#ifndef TILE_TENSIX_FRONTEND_BUSY_H
#define TILE_TENSIX_FRONTEND_BUSY_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/isa/isa.h"

/* In the order of STALLWAIT's conditions. */
enum tf_busy_kind {
    TF_BUSY_SCALAR, /* memory requests */
    TF_BUSY_UNPACK_0,
    TF_BUSY_UNPACK_1,
    TF_BUSY_PACK,
    TF_BUSY_MATRIX,
    TF_BUSY_MOVER,
    TF_BUSY_RISCV, /* accesses of the T core to GPRs, configuration, TDMA-RISC */
    TF_BUSY_VECTOR,
    TF_BUSY_CONFIG,
    TF_BUSY_KINDS,
};

struct tf_busy {
    uint64_t until[TF_BUSY_KINDS][3]; /* by thread; under way in the cycles before this one */
};

/* Is an instruction of any thread under way in `cycle`? */
static inline bool tf_busy_of_any(const struct tf_busy *busy, enum tf_busy_kind kind, uint64_t cycle)
{
    const uint64_t *until = busy->until[kind];
    return until[0] > cycle || until[1] > cycle || until[2] > cycle;
}

#define TF_BUSY_PACKERS 4u

/* TF_BUSY_PACK by packer, where there are four. */
struct tf_busy_packers {
    uint64_t until[TF_BUSY_PACKERS][3];
};

/* The packers that a PACR or PACR_SETREG occupies, as a mask, where there are four. */
static inline unsigned tf_busy_packers(uint32_t word)
{
    unsigned mask = word >> 24 == TF_OP_PACR ? TF_FIELD(word, PACR, read_intf_sel) : (1u << TF_BUSY_PACKERS) - 1;
    return mask != 0 ? mask : 1;
}

#endif
