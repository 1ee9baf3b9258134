/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Results of packers that instructions and cores read: SETDMAREG_Special.md, TDMA-RISC.md,
 * Packers/ExponentHistogram.md of WormholeB0. They are zero until a packer has run.
 */
#ifndef TILE_TENSIX_PACK_PACKERS_H
#define TILE_TENSIX_PACK_PACKERS_H

#include <stdint.h>

#define TF_PACKERS 4u

struct tf_tile;

struct tf_packer {
    uint32_t all_zero_flags;
    uint16_t acc_tile_size[3]; /* by thread */
    uint16_t last_tile_size;
    uint16_t l1_dest_offset; /* l1_dest_addr_offset */
    uint8_t last_thread;
    uint8_t max_exponent;
    uint8_t histogram[32];
};

/* LastTileSize as a thread sees it. */
static inline uint16_t tf_packer_last_tile_size(const struct tf_packer *packer, unsigned thread)
{
    return packer->last_thread == thread ? packer->last_tile_size : 0;
}

/* ResetAccTileSize of the packers in a mask. */
void tf_packers_reset_sizes(struct tf_packer *packers, uint32_t mask);

/* Resets packers as the bits of SOFT_RESET_0 that have become set, or clear, demand (SoftReset.md). */
void tf_packers_reset(struct tf_tile *tile, uint32_t entering, uint32_t leaving);

/* SETDMAREG with set_signals_mode. */
void tf_exec_SETDMAREG_special(struct tf_tile *tile, unsigned thread, uint32_t word);

void tf_exec_CLREXPHIST(struct tf_tile *tile, unsigned thread, uint32_t word);

#endif
