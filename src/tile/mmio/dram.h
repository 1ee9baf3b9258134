/* SPDX-License-Identifier: Apache-2.0 */
/* The devices that only a DRAM tile's core has (docs/dram-cores.md): its control registers, and DMA. */
#ifndef TILE_MMIO_DRAM_H
#define TILE_MMIO_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"

struct tf_tile;

#define TF_DRAM_CONTROL_WORDS (0x80u / 4)
#define TF_DRAM_RESET_PC 0u /* its word of control registers */
#define TF_DMA_STREAMS 2u
#define TF_DMA_STREAM_WORDS (0x100u / 4)
#define TF_DMA_CONTROL_WORDS (0x18u / 4)

/* The words of the registers by offset / 4. The NOC reaches control registers while there is no tile, too. */
struct tf_dram_words {
    uint32_t control[TF_DRAM_CONTROL_WORDS];
    uint32_t stream[TF_DMA_STREAMS][TF_DMA_STREAM_WORDS];
    uint32_t dma_control[TF_DMA_CONTROL_WORDS];
};

/* RESET_PC_0, END_PC_0; SCRATCH; CLK_GATING, ECC_SCRUBBER; INTERRUPT_MODE and INTERRUPT_VECTOR, seven of each. */
static inline bool tf_dram_control_exists(uint32_t word)
{
    return word < TF_DRAM_CONTROL_WORDS && (3u | 0xFu << 4 | 3u << 8 | 0x7Fu << 16 | 0x7Fu << 24) >> word & 1;
}

/* What a DRAM tile's core reaches beside its tile. */
struct tf_dram_side {
    struct tf_dram_words *words;
    /* Copy bytes between GDDR and L1 of the tile. in: to L1. Returns NULL, or a sentence; then nothing has changed. */
    const char *(*copy)(void *node, uint64_t dram, uint32_t l1, uint32_t bytes, bool in);
    void *node;
};

enum tf_access tf_dram_control_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_dram_control_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);
enum tf_access tf_dram_dma_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure);
enum tf_access tf_dram_dma_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value);

#endif
