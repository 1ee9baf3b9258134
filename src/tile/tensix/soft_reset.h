/* SPDX-License-Identifier: Apache-2.0 */
/* Bits of RISCV_DEBUG_REG_SOFT_RESET_0 for parts of the coprocessor (SoftReset.md). reset.h of mmio has those
   of cores. */
#ifndef TILE_TENSIX_SOFT_RESET_H
#define TILE_TENSIX_SOFT_RESET_H

enum tf_soft_reset {
    TF_RESET_UNPACKERS = 1 << 0 | 1 << 1 | 1 << 7,
    TF_RESET_PACKER_0 = 1 << 2, /* the only packer; on chips with four packers the bits above it belong to the others */
    TF_RESET_MOVER = 1 << 6,
    TF_RESET_TDMA = 1 << 8,    /* TDMA-RISC, and what connects units with it */
    TF_RESET_SCALAR = 1 << 9,  /* the scalar unit and the THCON configuration */
    TF_RESET_MATRIX = 1 << 10, /* matrix and vector unit, data of SrcA, generators of the matrix unit */
    TF_RESET_UNITS = 0x7FF,    /* all units: the gate holds their instructions */
    TF_RESET_SRCA_CLIENT = 1 << 15,
    TF_RESET_SRCB = 1 << 16,          /* client and data */
    TF_RESET_DST = 1 << 17,           /* ZEROACC, and what connects Dst with the packers */
    TF_RESET_SRCA_COLUMNS = 15 << 19, /* four columns of SrcA's data each */
    TF_RESET_TTSYNC = 1 << 23,
};

#endif
