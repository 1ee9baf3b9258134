/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory, through the program's callbacks, and the DMA engines that move bytes between host memory and a window of
 * BAR 0. The registers of BAR 2 work as in ttsim (libttsim.cpp): a doorbell starts a transfer. On Blackhole a transfer
 * size of 0 means that it is done. On Wormhole the engine writes a word to host memory.
 */
#include <string.h>

#include "abi/abi.h"
#include "host/extremes.h"

#define CHUNK_BYTES 4096u

void abi_host_read(void *user, uint64_t address, void *data, uint32_t bytes)
{
    struct abi *abi = user;
    const char *call = abi->call;
    if (abi_past_host_read(abi, address, data, bytes))
        return;
    abi->in_callback = true;
    if (abi->adopted)
        abi->chip->config.on_host_read(abi->chip->config.user, address, data, bytes);
    else
        abi->dma_read(address, data, bytes);
    abi->in_callback = false;
    abi_record_host(abi, false, address, data, bytes);
    abi->call = call;
}

void abi_host_write(void *user, uint64_t address, const void *data, uint32_t bytes)
{
    struct abi *abi = user;
    const char *call = abi->call;
    if (abi_past_plays(abi))
        return; /* the client has it */
    abi_record_host(abi, true, address, data, bytes);
    abi->in_callback = true;
    if (abi->adopted)
        abi->chip->config.on_host_write(abi->chip->config.user, address, data, bytes);
    else
        abi->dma_write(address, data, bytes);
    abi->in_callback = false;
    abi->call = call;
}

static uint32_t *word_at(struct abi *abi, uint32_t offset)
{
    for (const uint16_t *known = abi_family()->dma_register; *known != 0; known++)
        if (*known == offset)
            return &abi->dma[offset / 4];
    return NULL;
}

static uint64_t address_at(const struct abi *abi, uint32_t low, uint32_t high)
{
    return abi->dma[low / 4] | (uint64_t)abi->dma[high / 4] << 32;
}

/* Move a part, which never leaves its window. */
static const char *move(struct abi *abi, const struct abi_dma *dma, uint64_t host, uint64_t device, uint32_t bytes)
{
    uint8_t buffer[CHUNK_BYTES];
    if (!dma->to_host) {
        abi_host_read(abi, host, buffer, bytes);
        return abi_family()->bar0(abi, device, &(struct abi_access){.from = buffer, .bytes = bytes});
    }
    const char *why = abi_family()->bar0(abi, device, &(struct abi_access){.into = buffer, .bytes = bytes});
    if (why == NULL)
        abi_host_write(abi, host, buffer, bytes);
    return why;
}

static const char *transfer(struct abi *abi, const struct abi_dma *dma)
{
    uint32_t bytes = abi->dma[dma->size / 4];
    uint64_t from = address_at(abi, dma->source_low, dma->source_high);
    uint64_t to = address_at(abi, dma->target_low, dma->target_high);
    uint64_t device = dma->to_host ? from : to, host = dma->to_host ? to : from;
    if (bytes == 0 || bytes % 4 != 0 || device % 4 != 0)
        return "a DMA transfer needs a length above 0 and an address that are multiples of 4";
    if (device >= BAR0_BYTES || bytes > BAR0_BYTES - device)
        return "the chip's side of a DMA transfer must be an offset in BAR 0";
    if (abi->chip->config.on_host_read == NULL)
        return "no callback for host memory is installed";
    while (bytes != 0) {
        uint32_t length = tf_min(bytes, CHUNK_BYTES), room = (uint32_t)(CHUNK_BYTES - device % CHUNK_BYTES);
        length = tf_min(length, room);
        const char *why = move(abi, dma, host, device, length);
        if (why != NULL)
            return why;
        bytes -= length;
        host += length;
        device += length;
    }
    if (dma->done_data != 0)
        abi_host_write(abi, address_at(abi, dma->done_low, dma->done_high), &abi->dma[dma->done_data / 4], 4);
    else
        abi->dma[dma->size / 4] = 0;
    return NULL;
}

const char *abi_access_dma(struct abi *abi, uint64_t offset, const struct abi_access *access)
{
    const struct abi_dma *rung = NULL;
    uint32_t *word = word_at(abi, (uint32_t)offset);
    if (word == NULL)
        return "the DMA engine has no such register here";
    for (unsigned i = 0; access->from != NULL && i < 2; i++)
        if (abi_family()->dma[i].doorbell == offset)
            rung = &abi_family()->dma[i];
    if (rung != NULL && memcmp(access->from, &rung->ring, sizeof rung->ring) != 0)
        return rung->ring != 0 ? "the DMA doorbell takes 1" : "the DMA doorbell takes 0: channel 0";
    const char *why = abi_access_word(word, access);
    return why == NULL && rung != NULL ? transfer(abi, rung) : why;
}
