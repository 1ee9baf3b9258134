/* SPDX-License-Identifier: Apache-2.0 */
/* Blackhole's device. Sources: BlackholeA0/PCIExpressTile/README.md ("bar 0"), ttsim's libttsim.cpp. */
#include <string.h>

#include "abi/abi.h"
#include "abi/families.h"
#include "abi/bar.h"
#include "abi/dma.h"
#include "abi/window.h"

#define WINDOWS_END (WINDOWS_SMALL * WINDOW_SMALL_BYTES)
#define CONFIG_WORDS (WINDOWS * WINDOW_WORDS + STRIDED)

/* Registers in BAR 2 of channel 0 of the DMA engine that reads host memory. */
enum dma_register {
    DMA_ENABLE = 0x100,
    DMA_DOORBELL = 0x104,
    DMA_SIZE = 0x11C,
    DMA_SOURCE_LOW = 0x120,
    DMA_SOURCE_HIGH = 0x124,
    DMA_TARGET_LOW = 0x128,
    DMA_TARGET_HIGH = 0x12C,
    DMA_INTERRUPT_SETUP = 0x188,
    DMA_DONE_LOW = 0x190,
    DMA_DONE_HIGH = 0x194,
    DMA_ABORT_LOW = 0x1A0,
    DMA_ABORT_HIGH = 0x1A4,
    DMA_MESSAGE = 0x1A8,
};

static const char *access_config(struct abi_device *device, uint32_t word, const struct abi_access *access)
{
    const uint32_t words = WINDOWS * WINDOW_WORDS;
    return abi_access_word(word < words ? &device->window[word] : &device->strided[word - words], access);
}

static const char *bar0(struct abi_device *device, uint64_t offset, const struct abi_access *access)
{
    if (offset < WINDOWS_END)
        return abi_window(device, (unsigned)(offset / WINDOW_SMALL_BYTES), offset % WINDOW_SMALL_BYTES, access);
    if (access->bytes != 4 || offset % 4 != 0)
        return abi_misaligned;
    if (offset >= WINDOW_CONFIG_FIRST && offset < WINDOW_CONFIG_FIRST + 4 * CONFIG_WORDS)
        return access_config(device, (uint32_t)(offset - WINDOW_CONFIG_FIRST) / 4, access);
    return abi_access_rest(device, offset, access);
}

static const char *bar2(struct abi_device *device, uint64_t offset, const struct abi_access *access)
{
    if (access->bytes != 4 || offset % 4 != 0)
        return abi_misaligned;
    if (offset < DMA_ENABLE || offset > DMA_MESSAGE)
        return abi_access_pcie(device, offset, access);
    return abi_access_dma(device, offset, access);
}

static const char *bar4(struct abi_device *device, uint64_t offset, const struct abi_access *access)
{
    return abi_window(device, WINDOWS_SMALL + (unsigned)(offset / WINDOW_LARGE_BYTES), offset % WINDOW_LARGE_BYTES,
                      access);
}

static const uint16_t dma_registers[] = {
    DMA_ENABLE,          DMA_DOORBELL, DMA_SIZE,      DMA_SOURCE_LOW, DMA_SOURCE_HIGH, DMA_TARGET_LOW, DMA_TARGET_HIGH,
    DMA_INTERRUPT_SETUP, DMA_DONE_LOW, DMA_DONE_HIGH, DMA_ABORT_LOW,  DMA_ABORT_HIGH,  DMA_MESSAGE,    0,
};

const struct abi_family abi_family_blackhole = {
    .arch = "blackhole",
    .vendor_device = 0x1E52u | 0xB140u << 16,
    .class_revision = 0x12000000, /* class: processing accelerator */
    .bar4_bytes = 0x800000000ull,
    .config_bytes = 4 * CONFIG_WORDS,
    .niu = {.first = 0x1FD04000, .stride = 0x10000, .bytes = 0x2000},
    .small = {.config_bytes = 4 * WINDOW_WORDS, .access_bytes = 4, .page_bits = 43, .multicast_bit = 69},
    .dram_is_translated = true,
    .dma = {{.doorbell = DMA_DOORBELL,
             .ring = 1,
             .size = DMA_SIZE,
             .source_low = DMA_SOURCE_LOW,
             .source_high = DMA_SOURCE_HIGH,
             .target_low = DMA_TARGET_LOW,
             .target_high = DMA_TARGET_HIGH}},
    .dma_register = dma_registers,
    .dma_channels = 1,
    .dma_first = DMA_ENABLE,
    .dma_stride = DMA_MESSAGE + 4 - DMA_ENABLE,
    .dma_space = bar0,
    .bar0 = bar0,
    .bar2 = bar2,
    .bar4 = bar4,
};
