/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of a DRAM tile's core. Sources: docs/dram-cores.md. A DMA command is complete at once, like all requests to
 * memory (docs/design.md). So a stream is always ready, and never has a command under way.
 */
#include "tile/mmio/dram.h"
#include "tile/state.h"
#include "tile/riscv/code/code.h"
#include "tile/riscv/hart/access_fault.h"

#define DMA_CONTROL (TF_DMA_BASE + 0x1000u)
#define UNIT_BYTES 16u

/* Words of a stream, by offset / 4. */
enum { STATUS = 0, OUT_L1 = 4, OUT_LOW, OUT_HIGH, IN_LOW = 12, IN_HIGH, IN_L1, COMMAND = 20 };
enum { READY_IN = 4, READY_OUT };     /* of DMA control */
enum { GO_IN = 0x83, GO_OUT = 0x10 }; /* bits 31:24 of a command; the number of units is in bits 15:0 */

enum tf_access tf_dram_control_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    uint32_t word = (address - TF_ETH_CONTROL_BASE) / 4;
    (void)pure;
    if (!tf_dram_control_exists(word))
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "no public source has this register");
    *value = tile->mmio.dram->words->control[word];
    return TF_ACCESS_OK;
}

enum tf_access tf_dram_control_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    uint32_t word = (address - TF_ETH_CONTROL_BASE) / 4;
    if (!tf_dram_control_exists(word))
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "no public source has this register");
    tile->mmio.dram->words->control[word] = value;
    return TF_ACCESS_OK;
}

/* Find the word of a DMA register. Returns NULL if no public source has it. */
static uint32_t *dma_word(const struct tf_tile *tile, uint32_t address)
{
    struct tf_dram_words *words = tile->mmio.dram->words;
    uint32_t word = (address - TF_DMA_BASE) / 4;
    if (word < TF_DMA_STREAMS * TF_DMA_STREAM_WORDS)
        return &words->stream[word / TF_DMA_STREAM_WORDS][word % TF_DMA_STREAM_WORDS];
    word = (address - DMA_CONTROL) / 4;
    return address >= DMA_CONTROL && word < TF_DMA_CONTROL_WORDS ? &words->dma_control[word] : NULL;
}

static const char *const no_register = "no public source has this register of the DMA";

enum tf_access tf_dram_dma_load(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t *value, bool *pure)
{
    const uint32_t *word = dma_word(tile, address), *control = tile->mmio.dram->words->dma_control;
    (void)pure;
    if (word == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, no_register);
    *value = word == &control[READY_IN] || word == &control[READY_OUT] ? *word | 1 : *word;
    return TF_ACCESS_OK;
}

/* Perform a command. Returns NULL, or a sentence. */
static const char *perform(struct tf_tile *tile, const uint32_t *stream, uint32_t command)
{
    const struct tf_dram_side *dram = tile->mmio.dram;
    const bool in = command >> 24 == GO_IN;
    const uint32_t bytes = (command & 0xFFFF) * UNIT_BYTES;
    const uint32_t l1 = in ? stream[IN_L1] : stream[OUT_L1];
    const uint64_t at = in ? stream[IN_LOW] | (uint64_t)stream[IN_HIGH] << 32
                           : stream[OUT_LOW] | (uint64_t)stream[OUT_HIGH] << 32;
    if ((!in && command >> 24 != GO_OUT) || (command & 0xFF0000) != 0)
        return "of commands to the DMA, public sources have only 0x8300'0000 and 0x1000'0000 with a number of units";
    if (bytes == 0 || ((l1 | at) & (UNIT_BYTES - 1)) != 0)
        return "the DMA moves units of 16 bytes, and at least one";
    if (!tf_in_l1(tile->arch, l1, bytes))
        return "the range of the DMA is not in L1";
    const char *why = dram->copy(dram->node, at, l1, bytes, in);
    if (why == NULL && in)
        tf_code_written(tile, l1, bytes, TF_WROTE_OTHER);
    return why;
}

enum tf_access tf_dram_dma_store(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t value)
{
    uint32_t *word = dma_word(tile, address);
    if (word == NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, no_register);
    const bool of_stream = address < DMA_CONTROL;
    const uint32_t offset = (address - TF_DMA_BASE) / 4 % TF_DMA_STREAM_WORDS;
    if (of_stream && offset == STATUS)
        return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, "no public source stores to this register");
    if (of_stream && offset == COMMAND) {
        const char *why = perform(tile, word - COMMAND, value);
        if (why != NULL)
            return tf_mmio_fault(tile, from, TF_FAULT_UNIMPLEMENTED, address, why);
    }
    *word = value;
    return TF_ACCESS_OK;
}
