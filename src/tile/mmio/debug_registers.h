/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of the debug window by their offsets from TF_DEBUG_BASE (BlackholeA0/TensixTile/TileControlDebugStatus.md,
 * SoftReset.md). T0, T1 and T2 have reset PCs in consecutive words.
 */
#ifndef TILE_MMIO_DEBUG_REGISTERS_H
#define TILE_MMIO_DEBUG_REGISTERS_H

#include <stdint.h>

#include "tile/address.h"

enum tf_debug_register {
    TF_DEBUG_BUS_L1_FIRST = 0x48, /* DBG_L1_MEM_REG0..2 */
    TF_DEBUG_BUS_L1_LAST = 0x4C,
    TF_DEBUG_BUS_L1_CTRL = 0x50,
    TF_DEBUG_BUS_CTRL = 0x54,
    TF_DEBUG_CFG_READ = 0x58,
    TF_DEBUG_ARRAY_ENABLE = 0x60,
    TF_DEBUG_ARRAY_COMMAND = 0x64,
    TF_DEBUG_CFG_DATA = 0x78,
    TF_DEBUG_RISC_CNTL_0 = 0x80,
    TF_DEBUG_RISC_CNTL_1 = 0x84,
    TF_DEBUG_RISC_STATUS_0 = 0x88,
    TF_DEBUG_RISC_STATUS_1 = 0x8C,
    TF_DEBUG_PC_BUF_OVERRIDE = 0x90,
    TF_DEBUG_PUSH_CTRL0 = 0xA0,
    TF_DEBUG_PUSH_CTRL1 = 0xA4,
    TF_DEBUG_SOFT_RESET_0 = 0x1B0,
    TF_DEBUG_WATCHDOG = 0x1E0,
    TF_DEBUG_WATCHDOG_CNTL = 0x1E4,
    TF_DEBUG_WATCHDOG_STATUS = 0x1E8,
    TF_DEBUG_CLOCK_L = 0x1F0,
    TF_DEBUG_CLOCK_LIVE_H = 0x1F4,
    TF_DEBUG_CLOCK_H = 0x1F8,
    TF_DEBUG_TIMESTAMP = 0x1FC,
    TF_DEBUG_TIMESTAMP_CNTL = 0x200,
    TF_DEBUG_TIMESTAMP_STATUS = 0x204,
    TF_DEBUG_TIMESTAMP_BUFFERS = 0x208,
    TF_DEBUG_TIMESTAMP_END = 0x214,
    TF_DEBUG_DISABLE_RESET = 0x224,
    TF_DEBUG_TRISC0_RESET_PC = 0x228,
    TF_DEBUG_TRISC_RESET_PC_OVERRIDE = 0x234,
    TF_DEBUG_NCRISC_RESET_PC = 0x238,
    TF_DEBUG_NCRISC_RESET_PC_OVERRIDE = 0x23C,
};

/* How a core is put into reset and started (SoftReset.md). */
struct tf_core_reset {
    uint8_t bit;           /* of SOFT_RESET_0 */
    uint8_t keep_ram_bit;  /* of DISABLE_RESET; the next one keeps registers */
    uint16_t pc, override; /* reset PC and its enables; 0: there is none */
    uint8_t override_bit;  /* the core's bit of those */
    uint32_t fixed_pc;     /* where it starts without a reset PC */
};

/* Rows of struct tf_core_reset, by core of a Tensix tile. */
#define TF_TENSIX_RESETS                                                                                \
    [TF_CORE_B] = {11, 6, 0, 0, 0, 0}, [TF_CORE_NC] = {18,                                              \
                                                       8,                                               \
                                                       TF_DEBUG_NCRISC_RESET_PC,                        \
                                                       TF_DEBUG_NCRISC_RESET_PC_OVERRIDE,               \
                                                       0,                                               \
                                                       0x12000},                                        \
    [TF_CORE_T0] = {12, 0, TF_DEBUG_TRISC0_RESET_PC, TF_DEBUG_TRISC_RESET_PC_OVERRIDE, 0, 0x06000},     \
    [TF_CORE_T1] = {13, 2, TF_DEBUG_TRISC0_RESET_PC + 4, TF_DEBUG_TRISC_RESET_PC_OVERRIDE, 1, 0x0A000}, \
    [TF_CORE_T2] = {14, 4, TF_DEBUG_TRISC0_RESET_PC + 8, TF_DEBUG_TRISC_RESET_PC_OVERRIDE, 2, 0x0E000},

#define TF_DEBUG_ADDRESS(register) (TF_DEBUG_BASE + (register))

#endif
