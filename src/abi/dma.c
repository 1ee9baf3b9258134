/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory, through the program's callbacks, and the DMA engines that move bytes between host memory and a window of
 * BAR 0. The registers of BAR 2 work as in ttsim (libttsim.cpp): a doorbell starts a transfer. On Blackhole a transfer
 * size of 0 means that it is done. On Wormhole the engine writes a word to host memory.
 *
 * WormholeB0/PCIExpressTile/README.md has the addresses of eight channels, and no registers. ttsim's channel 0 has the
 * registers of Synopsys' eDMA, which Linux names (dw-edma-v0-regs.h, dw-edma-v0-core.c). The other channels and the
 * lists follow Linux.
 */
#include "abi/dma.h"

#include <string.h>

#include "abi/abi.h"
#include "abi/families.h"
#include "abi/bar.h"
#include "abi/past.h"
#include "abi/record.h"
#include "host/extremes.h"

#define CHUNK_BYTES 4096u

void abi_host_read(void *user, uint64_t address, void *data, uint32_t bytes)
{
    const struct abi_device *device = user;
    struct abi *abi = device->abi;
    const char *call = abi->call;
    abi->pace.shares = true;
    if (abi_past_host_read(abi, address, data, bytes))
        return;
    abi->in_callback = true;
    if (abi->adopted)
        device->chip->fabric->rules.host_read(device->chip->fabric->rules.user, address, data, bytes);
    else
        abi->dma_read(address, data, bytes);
    abi->in_callback = false;
    abi_record_host(abi, false, address, data, bytes);
    abi->call = call;
}

void abi_host_write(void *user, uint64_t address, const void *data, uint32_t bytes)
{
    const struct abi_device *device = user;
    struct abi *abi = device->abi;
    const char *call = abi->call;
    abi->pace.shares = true;
    if (abi_past_plays(abi))
        return; /* the client owns it */
    abi_record_host(abi, true, address, data, bytes);
    abi->in_callback = true;
    if (abi->adopted)
        device->chip->fabric->rules.host_write(device->chip->fabric->rules.user, address, data, bytes);
    else
        abi->dma_write(address, data, bytes);
    abi->in_callback = false;
    abi->call = call;
}

/* Bits of a channel's control word, and of an element's in a linked list. */
#define CYCLE (1u << 0)
#define LINK_TOGGLES (1u << 1)
#define LINK (1u << 2)
#define INTERRUPT_LOCAL (1u << 3)
#define INTERRUPT_REMOTE (1u << 4)
#define STOPPED (3u << 5) /* the channel's state: 1 means running, 2 failed, 3 stopped */
#define CHANNEL_CYCLE (1u << 8)
#define CHANNEL_HAS_LIST (1u << 9)

#define RING_CHANNEL 7u
#define RING_STOP (1u << 31)

#define ELEMENTS_MAX (1u << 20) /* most elements of one list, which may be a ring without an end */

/* An element of a list. In a link, `source` is the address of the next list, and the other fields but `control` are
   unused. */
struct element {
    uint32_t control, bytes;
    uint32_t source_low, source_high, target_low, target_high;
};

static uint32_t *word_at(struct abi_device *device, uint32_t offset)
{
    const struct abi_family *family = abi_family(device->abi);
    uint32_t channel = offset >= family->dma_first ? (offset - family->dma_first) / family->dma_stride : 0;
    uint32_t of_first = offset - channel * family->dma_stride;
    for (const uint16_t *known = family->dma_register; *known != 0 && channel < family->dma_channels; known++)
        if (*known == of_first)
            return &device->dma[offset / 4];
    return NULL;
}

/* Find a word of a channel by the offset that it has in channel 0. */
static uint32_t *channel_word(struct abi_device *device, uint32_t channel, uint32_t of_first)
{
    return &device->dma[(of_first + channel * abi_family(device->abi)->dma_stride) / 4];
}

static uint64_t pair(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

/* Copy a part that lies in one window. */
static const char *move(struct abi_device *device, const struct abi_dma *dma, uint64_t host, uint64_t offset,
                        uint32_t bytes)
{
    uint8_t buffer[CHUNK_BYTES];
    if (!dma->to_host) {
        abi_host_read(device, host, buffer, bytes);
        return abi_family(device->abi)->dma_space(device, offset, &(struct abi_access){.from = buffer, .bytes = bytes});
    }
    const char *why =
        abi_family(device->abi)->dma_space(device, offset, &(struct abi_access){.into = buffer, .bytes = bytes});
    if (why == NULL)
        abi_host_write(device, host, buffer, bytes);
    return why;
}

static const char *move_all(struct abi_device *device, const struct abi_dma *dma, uint32_t bytes, uint64_t from,
                            uint64_t to)
{
    uint64_t offset = dma->to_host ? from : to, host = dma->to_host ? to : from;
    if (bytes == 0 || bytes % 4 != 0 || offset % 4 != 0)
        return "the length and the chip address of a DMA transfer must be multiples of 4, and the length not 0";
    if (offset >= BAR0_BYTES || bytes > BAR0_BYTES - offset)
        return "the chip address of a DMA transfer must be an offset in BAR 0";
    if (device->chip->fabric->rules.host_read == NULL)
        return "no callback for host memory is installed";
    while (bytes != 0) {
        uint32_t length = tf_min(bytes, CHUNK_BYTES), room = (uint32_t)(CHUNK_BYTES - offset % CHUNK_BYTES);
        length = tf_min(length, room);
        const char *why = move(device, dma, host, offset, length);
        if (why != NULL)
            return why;
        bytes -= length;
        host += length;
        offset += length;
    }
    return NULL;
}

/* Two channels share a register with the words that they write. */
static void tell_done(struct abi_device *device, const struct abi_dma *dma, uint32_t channel)
{
    uint32_t word = device->dma[dma->done_data / 4 + channel / 2] >> (channel % 2 * 16) & 0xFFFF;
    abi_host_write(device, pair(device->dma[dma->done_low / 4], device->dma[dma->done_high / 4]), &word, sizeof word);
}

static const char *one_transfer(struct abi_device *device, const struct abi_dma *dma, uint32_t channel)
{
    uint32_t *size = channel_word(device, channel, dma->size);
    uint64_t from = pair(*channel_word(device, channel, dma->source_low),
                         *channel_word(device, channel, dma->source_high));
    uint64_t to = pair(*channel_word(device, channel, dma->target_low),
                       *channel_word(device, channel, dma->target_high));
    const char *why = move_all(device, dma, *size, from, to);
    if (why != NULL)
        return why;
    if (dma->done_data == 0)
        *size = 0;
    else
        tell_done(device, dma, channel);
    if (dma->status != 0)
        device->dma[dma->status / 4] |= 1u << channel;
    return NULL;
}

static const char *list_element(struct abi_device *device, const struct abi_dma *dma, uint32_t channel,
                                const struct element *element)
{
    const char *why = move_all(device, dma, element->bytes, pair(element->source_low, element->source_high),
                               pair(element->target_low, element->target_high));
    if (why != NULL)
        return why;
    if (element->control & (INTERRUPT_LOCAL | INTERRUPT_REMOTE))
        device->dma[dma->status / 4] |= 1u << channel;
    if (element->control & INTERRUPT_REMOTE && !(device->dma[dma->mask / 4] & 1u << channel))
        tell_done(device, dma, channel);
    return NULL;
}

/* A list lies in the chip. It ends at an element whose cycle bit differs from the channel's. A link is followed for any
   cycle bit. The next doorbell continues after the last element. */
static const char *list_transfer(struct abi_device *device, const struct abi_dma *dma, uint32_t channel)
{
    uint32_t *control = channel_word(device, channel, dma->control);
    uint32_t *low = channel_word(device, channel, dma->list_low), *high = channel_word(device, channel, dma->list_high);
    for (uint32_t i = 0; i < ELEMENTS_MAX; i++) {
        struct element element;
        uint64_t at = pair(*low, *high);
        if (at >= BAR0_BYTES || at % 4 != 0)
            return "a linked list of a DMA engine must lie at an offset in BAR 0 that is a multiple of 4";
        const char *why = abi_family(device->abi)
                              ->dma_space(device, at, &(struct abi_access){.into = &element, .bytes = sizeof element});
        if (why != NULL)
            return why;
        if (element.control & LINK) {
            *low = element.source_low;
            *high = element.source_high;
            *control ^= element.control & LINK_TOGGLES ? CHANNEL_CYCLE : 0;
            continue;
        }
        if (!(element.control & CYCLE) != !(*control & CHANNEL_CYCLE))
            return NULL;
        why = list_element(device, dma, channel, &element);
        if (why != NULL)
            return why;
        at += sizeof element;
        *low = (uint32_t)at;
        *high = (uint32_t)(at >> 32);
    }
    return "a linked list of a DMA engine has no end";
}

static const char *transfer(struct abi_device *device, const struct abi_dma *dma, uint32_t channel)
{
    if (dma->control == 0)
        return one_transfer(device, dma, channel);
    const char *why = *channel_word(device, channel, dma->control) & CHANNEL_HAS_LIST
                          ? list_transfer(device, dma, channel)
                          : one_transfer(device, dma, channel);
    if (why == NULL)
        *channel_word(device, channel, dma->control) |= STOPPED;
    return why;
}

/* Serve a doorbell. The write of a doorbell performs the whole transfer, so a stop finds no transfer under way. */
static const char *ring(struct abi_device *device, const struct abi_dma *dma, uint32_t value)
{
    uint32_t channel = value - dma->ring;
    if (dma->control != 0 && value & RING_STOP && (value & ~RING_STOP) <= RING_CHANNEL)
        return NULL;
    if (channel >= abi_family(device->abi)->dma_channels)
        return dma->ring != 0 ? "the DMA doorbell accepts only the value 1"
                              : "the DMA doorbell accepts the number of a channel, and bit 31, which stops it";
    return transfer(device, dma, channel);
}

const char *abi_access_dma(struct abi_device *device, uint64_t offset, const struct abi_access *access)
{
    uint32_t *word = word_at(device, (uint32_t)offset), value = 0;
    if (word == NULL)
        return "the DMA engine has no register at this offset";
    if (access->from == NULL)
        return abi_access_word(word, access);
    memcpy(&value, access->from, sizeof value);
    for (unsigned i = 0; i < 2; i++) {
        const struct abi_dma *dma = &abi_family(device->abi)->dma[i];
        if (dma->status != 0 && dma->status == offset)
            return "the status of the DMA engine's interrupts is read-only";
        if (dma->clear != 0 && dma->clear == offset) {
            device->dma[dma->status / 4] &= ~value;
            return NULL;
        }
        if (dma->doorbell != 0 && dma->doorbell == offset) {
            const char *why = ring(device, dma, value);
            return why == NULL ? abi_access_word(word, access) : why;
        }
    }
    return abi_access_word(word, access);
}
