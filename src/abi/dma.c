/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory, through the program's callbacks, and the channel of the DMA engine that reads host memory and writes to
 * a window of BAR 0. The registers of BAR 2 work as in ttsim (libttsim.cpp): a doorbell of 1 starts a transfer, and a
 * transfer size of 0 means that it is done.
 */
#include "abi/abi.h"

enum {
    ENABLE = 0x100,
    DOORBELL = 0x104,
    SIZE = 0x11C,
    SOURCE_LOW = 0x120,
    SOURCE_HIGH = 0x124,
    TARGET_LOW = 0x128,
    TARGET_HIGH = 0x12C,
    INTERRUPT_SETUP = 0x188,
    STOP_LOW = 0x190,
    STOP_HIGH = 0x194,
    ABORT_LOW = 0x1A0,
    ABORT_HIGH = 0x1A4,
    MESSAGE = 0x1A8,
};

#define CHUNK_BYTES 4096u

void abi_host_read(void *user, uint64_t address, void *data, uint32_t bytes)
{
    struct abi *abi = user;
    const char *call = abi->call;
    abi->in_callback = true;
    abi->dma_read(address, data, bytes);
    abi->in_callback = false;
    abi->call = call;
}

void abi_host_write(void *user, uint64_t address, const void *data, uint32_t bytes)
{
    struct abi *abi = user;
    const char *call = abi->call;
    abi->in_callback = true;
    abi->dma_write(address, data, bytes);
    abi->in_callback = false;
    abi->call = call;
}

static uint32_t *word_at(struct abi *abi, uint32_t offset)
{
    switch (offset) {
    case ENABLE:
    case DOORBELL:
    case SIZE:
    case SOURCE_LOW:
    case SOURCE_HIGH:
    case TARGET_LOW:
    case TARGET_HIGH:
    case INTERRUPT_SETUP:
    case STOP_LOW:
    case STOP_HIGH:
    case ABORT_LOW:
    case ABORT_HIGH:
    case MESSAGE: return &abi->dma[(offset - DMA_FIRST) / 4];
    default: return NULL;
    }
}

static uint32_t dma(const struct abi *abi, uint32_t offset)
{
    return abi->dma[(offset - DMA_FIRST) / 4];
}

static const char *transfer(struct abi *abi)
{
    uint32_t bytes = dma(abi, SIZE), to = dma(abi, TARGET_LOW);
    uint64_t from = dma(abi, SOURCE_LOW) | (uint64_t)dma(abi, SOURCE_HIGH) << 32;
    uint8_t buffer[CHUNK_BYTES];
    if (bytes == 0 || bytes % 4 != 0 || to % 4 != 0)
        return "a DMA transfer needs a length above 0 and an address that are multiples of 4";
    if (dma(abi, TARGET_HIGH) != 0 || to >= BAR0_BYTES || bytes > BAR0_BYTES - to)
        return "the target of a DMA transfer must be an offset in BAR 0";
    if (abi->dma_read == NULL)
        return "no callback for host memory is installed";
    while (bytes != 0) {
        uint32_t length = bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
        uint32_t room = CHUNK_BYTES - to % CHUNK_BYTES; /* a part never leaves its window */
        length = length < room ? length : room;
        abi_host_read(abi, from, buffer, length);
        const char *why = abi_bar0(abi, to, &(struct abi_access){.from = buffer, .bytes = length});
        if (why != NULL)
            return why;
        bytes -= length;
        from += length;
        to += length;
    }
    *word_at(abi, SIZE) = 0;
    return NULL;
}

const char *abi_dma_read(const struct abi *abi, uint32_t offset, uint32_t *value)
{
    const uint32_t *word = word_at((struct abi *)abi, offset);
    if (word == NULL)
        return "the DMA engine has no such register here";
    *value = *word;
    return NULL;
}

const char *abi_dma_write(struct abi *abi, uint32_t offset, uint32_t value)
{
    uint32_t *word = word_at(abi, offset);
    if (word == NULL)
        return "the DMA engine has no such register here";
    if (offset == DOORBELL && value != 1)
        return "the DMA doorbell takes 1";
    *word = value;
    return offset == DOORBELL ? transfer(abi) : NULL;
}
