/* SPDX-License-Identifier: Apache-2.0 */
/* How registers of the debug window put cores into reset and start them (SoftReset.md). */
#ifndef TILE_MMIO_RESET_H
#define TILE_MMIO_RESET_H

#include <stdbool.h>
#include <stdint.h>

#include "tilefarm_address.h"

struct tf_core_reset {
    uint8_t bit;           /* of SOFT_RESET_0 */
    uint8_t keep_ram_bit;  /* of DISABLE_RESET; the next one keeps registers */
    uint16_t pc, override; /* reset PC and its enables; 0: there is none */
    uint8_t override_bit;  /* the core's bit of those */
    uint32_t fixed_pc;     /* where it starts without a reset PC */
};

/* Rows of struct tf_core_reset, by core of a Tensix tile. */
/* clang-format off */
#define TF_TENSIX_RESETS                                                                                \
    [TF_CORE_B] = {11, 6, 0, 0, 0, 0x00000},                                                            \
    [TF_CORE_NC] = {18, 8, TF_DEBUG_NCRISC_RESET_PC, TF_DEBUG_NCRISC_RESET_PC_OVERRIDE, 0, 0x12000},    \
    [TF_CORE_T0] = {12, 0, TF_DEBUG_TRISC0_RESET_PC, TF_DEBUG_TRISC_RESET_PC_OVERRIDE, 0, 0x06000},     \
    [TF_CORE_T1] = {13, 2, TF_DEBUG_TRISC0_RESET_PC + 4, TF_DEBUG_TRISC_RESET_PC_OVERRIDE, 1, 0x0A000}, \
    [TF_CORE_T2] = {14, 4, TF_DEBUG_TRISC0_RESET_PC + 8, TF_DEBUG_TRISC_RESET_PC_OVERRIDE, 2, 0x0E000}
/* clang-format on */

struct tf_tile;

/* How the core is put into reset and started. An Ethernet core's reset PC is that of eth.c. */
const struct tf_core_reset *tf_debug_reset(const struct tf_tile *tile, unsigned core);

/* The core's bit of SOFT_RESET_0, in place. */
uint32_t tf_debug_reset_bit(const struct tf_tile *tile, unsigned core);

/* DISABLE_RESET: a reset of the core leaves its local RAM, or its debug registers, alone. */
bool tf_debug_keeps_ram(const struct tf_tile *tile, unsigned core);
bool tf_debug_keeps_registers(const struct tf_tile *tile, unsigned core);

/* Of an Ethernet tile with one core, in the word of SOFT_RESET_0 beside the bits that exist: software holds the core,
   and it runs no firmware. After power-on the core's own bit is set while it runs the firmware. Where there are
   two cores the firmware goes on: ttsim serves the mailboxes of a held E0 (step "Ethernet cores" of its recording). */
#define TF_DEBUG_HELD (1u << 31)

bool tf_debug_holds_firmware(const struct tf_tile *tile);

/* The pc of a core after SOFT_RESET_0 releases it (SoftReset.md). */
uint32_t tf_mmio_reset_pc(const struct tf_tile *tile, unsigned core);

#endif
