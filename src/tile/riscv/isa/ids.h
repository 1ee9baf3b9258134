/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of rv.def as numbers. A new row compiles the files again that include this header. */
#ifndef TILE_RISCV_ISA_IDS_H
#define TILE_RISCV_ISA_IDS_H

enum tf_rv_id {
#define RV(id, mnemonic, mask, match, format, extension, flags) TF_RV_##id,
#include "tile/riscv/isa/rv.def"
#undef RV
    TF_RV_TTINSN,  /* low two bits are not 3; imm is the Tensix word (the instruction rotated right by 2) */
    TF_RV_VECTOR,  /* an instruction of isa/v.def; imm is its enum tf_v_id */
    TF_RV_ILLEGAL, /* anything else */
    TF_RV_COUNT,
};

#define TF_RV_LISTED ((unsigned)TF_RV_TTINSN) /* number of instructions in rv.def */

#endif
