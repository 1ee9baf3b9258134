/* SPDX-License-Identifier: Apache-2.0 */
/* Which GPRs of its thread an instruction reads and writes. Made from tensix.def. */
#ifndef TILE_TENSIX_SCALAR_OPERANDS_H
#define TILE_TENSIX_SCALAR_OPERANDS_H

#include <stdint.h>

/* Masks of GPRs. */
struct tf_gpr_uses {
    uint64_t reads;  /* the first of several that make up an operand */
    uint64_t others; /* the others of such an operand, which are read, too */
    uint64_t writes; /* it may keep some bits of them */
    uint64_t late;   /* those of `writes` whose values may arrive after the instruction */
};

struct tf_gpr_uses tf_gpr_uses(uint32_t word);

#endif
