/* SPDX-License-Identifier: Apache-2.0 */
/* Which unit owns each bank of SrcA and SrcB (TensixCoprocessor/SrcASrcB.md). */
#ifndef TILE_TENSIX_SRCBANKS_H
#define TILE_TENSIX_SRCBANKS_H

#include <stdbool.h>
#include <stdint.h>

enum { TF_SRC_A, TF_SRC_B };

struct tf_src_banks {
    bool to_matrix[2][2];   /* [SrcA, SrcB][bank]: AllowedClient is the matrix unit, else the unpackers */
    uint8_t unpack_bank[2]; /* of unpacker 0 for SrcA, of unpacker 1 for SrcB */
    uint8_t matrix_bank[2];
    uint8_t format[2][2]; /* [SrcA, SrcB][bank]: data format that the unpacker left with the bank */
};

/* Do the unpackers wait for their next bank of a side? */
static inline bool tf_src_unpack_waits(const struct tf_src_banks *banks, unsigned side)
{
    return banks->to_matrix[side][banks->unpack_bank[side]];
}

/* Does the matrix unit wait for its next bank of a side? */
static inline bool tf_src_matrix_waits(const struct tf_src_banks *banks, unsigned side)
{
    return !banks->to_matrix[side][banks->matrix_bank[side]];
}

#endif
