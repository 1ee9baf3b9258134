/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of the tile as instructions of the coprocessor reach them: LOADREG, STOREREG, STOREIND, UNPACR_NOP and
 * PACR_SETREG. They reach the registers that the NOC reaches, and TDMA-RISC (BabyRISCV/README.md, "Memory map").
 */
#ifndef TILE_TENSIX_DATA_REGISTERS_H
#define TILE_TENSIX_DATA_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

struct tf_tile;

/* Load or store a word; `thread` is that of the instruction, address a multiple of 4 from TF_REGISTERS_BASE on. A
   register that does not exist is a fault of the thread, and load returns false. */
bool tf_register_load(struct tf_tile *tile, unsigned thread, uint32_t address, uint32_t *value);
void tf_register_store(struct tf_tile *tile, unsigned thread, uint32_t address, uint32_t value);

#endif
