/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The unpackers (WormholeB0 TensixCoprocessor/Unpackers/README.md, UNPACR.md, UNPACR_NOP.md and the pages of their
 * forms; Blackhole's own fields of UNPACR_NOP are those of tt_llk_blackhole's assembly.yaml).
 */
#ifndef TILE_TENSIX_UNPACK_UNPACK_H
#define TILE_TENSIX_UNPACK_UNPACK_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/tensix/matrix/matrix.h"

struct tf_tile;
struct tf_unpack_isa;

struct tf_unpack {
    uint32_t set_reg_acc[2];         /* SetRegAcc of unpackers 0 and 1, 17 bits */
    const struct tf_unpack_isa *isa; /* how the host computes; not part of the state. NULL: the best that it has */
    bool by_datum;                   /* for tests: never by rows */
};

/* The kernels for a choice of host vectors: NULL if this host lacks them; TF_FPU_BEST is never NULL. */
const struct tf_unpack_isa *tf_unpack_isa(enum tf_fpu_choice choice);

/* From now on use these kernels. False: not on this host. */
bool tf_unpack_choose(struct tf_tile *tile, enum tf_fpu_choice choice);

/* Does UNPACR or UNPACR_NOP wait for the bank? No side effects. */
bool tf_unpack_waits(const struct tf_tile *tile, unsigned thread, uint32_t word);

void tf_exec_UNPACR(struct tf_tile *tile, unsigned thread, uint32_t word);
void tf_exec_UNPACR_NOP(struct tf_tile *tile, unsigned thread, uint32_t word);

#endif
