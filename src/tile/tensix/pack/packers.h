/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results of packers that instructions and cores read: SETDMAREG_Special.md, TDMA-RISC.md, Packers/ExponentHistogram.md
 * of WormholeB0. They are zero before the first PACR.
 */
#ifndef TILE_TENSIX_PACK_PACKERS_H
#define TILE_TENSIX_PACK_PACKERS_H

#include <stdint.h>

struct tf_tile;

/* Resets packers as the bits of SOFT_RESET_0 that have become set, or clear, demand (SoftReset.md). */
void tf_packers_reset(struct tf_tile *tile, uint32_t entering, uint32_t leaving);

/* SETDMAREG with set_signals_mode. */
void tf_exec_SETDMAREG_special(struct tf_tile *tile, unsigned thread, uint32_t word);

#endif
