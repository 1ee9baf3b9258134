/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the mover: registers of TDMA-RISC (WormholeB0/TensixTile/TDMA-RISC.md). */
#ifndef TILE_TENSIX_TDMA_H
#define TILE_TENSIX_TDMA_H

#include <stdint.h>

struct tf_tdma {
    uint32_t param[4];        /* CmdParams */
    uint32_t base[4];         /* MovCmdBase: B, T0, T1, T2 */
    uint32_t unpack_reg_addr; /* RISCV_TDMA_REG_CLK_GATE_EN */
    uint32_t scaler2;         /* RISCV_TDMA_REG_CLK_GATE_HYST */
    uint32_t pack_reg_addr;   /* RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS */
    uint16_t set_reg_scaler[4];
    uint32_t set_reg_base[2];
};

/* The address, from TF_REGISTERS_BASE on, that a packer or an unpacker stores to: `value` holds two of them. */
static inline uint32_t tf_tdma_set_reg_base(uint32_t value, unsigned select)
{
    return (value >> (20 + 2 * select) & 3) << 18 | (value >> 10 * select & 0x3FF) << 2;
}

#endif
