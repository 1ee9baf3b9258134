/* SPDX-License-Identifier: Apache-2.0 */
/* Blackhole's device. Sources: BlackholeA0/PCIExpressTile/README.md ("bar 0"), ttsim's libttsim.cpp. */
#include <string.h>

#include "abi/abi.h"

#define WINDOWS_END (WINDOWS_SMALL * WINDOW_SMALL_BYTES)
#define CONFIG_FIRST 0x1FC00000u
#define CONFIG_WORDS (WINDOWS * WINDOW_WORDS + STRIDED)
#define NIU_FIRST 0x1FD04000u
#define NIU_STRIDE 0x10000u
#define NIU_BYTES 0x2000u
#define NIU_ADDRESS 0xFFFFFFFFFFB20000ull
#define DMA_FIRST 0x100u
#define DMA_LAST 0x1A8u

static const char *access_config(struct abi *abi, uint32_t word, const struct abi_access *access)
{
    const uint32_t words = WINDOWS * WINDOW_WORDS;
    return abi_access_word(word < words ? &abi->window[word] : &abi->strided[word - words], access);
}

static const char *access_niu(struct abi *abi, unsigned noc, uint32_t offset, const struct abi_access *access)
{
    const char *why = NULL;
    if (access->into != NULL)
        tf_host_read(abi->chip, abi->chip->arch->pcie_node, noc, NIU_ADDRESS + offset, access->into, 4, &why);
    else
        tf_host_write(abi->chip, abi->chip->arch->pcie_node, noc, NIU_ADDRESS + offset, access->from, 4, &why);
    return why;
}

static const char *bar0(struct abi *abi, uint64_t offset, const struct abi_access *access)
{
    if (offset < WINDOWS_END)
        return abi_window(abi, (unsigned)(offset / WINDOW_SMALL_BYTES), offset % WINDOW_SMALL_BYTES, access);
    if (access->bytes != 4 || offset % 4 != 0)
        return abi_misaligned;
    if (offset >= CONFIG_FIRST && offset < CONFIG_FIRST + 4 * CONFIG_WORDS)
        return access_config(abi, (uint32_t)(offset - CONFIG_FIRST) / 4, access);
    for (unsigned noc = 0; noc < 2; noc++)
        if (offset - NIU_FIRST - noc * NIU_STRIDE < NIU_BYTES)
            return access_niu(abi, noc, (uint32_t)offset - NIU_FIRST - noc * NIU_STRIDE, access);
    if (offset - STATUS_FIRST < STATUS_BYTES)
        return abi_access_status(abi, offset, access);
    return "a reserved part of BAR 0";
}

static const char *bar2(struct abi *abi, uint64_t offset, const struct abi_access *access)
{
    if (access->bytes != 4 || offset % 4 != 0)
        return abi_misaligned;
    if (offset < DMA_FIRST || offset > DMA_LAST)
        return abi_access_pcie(abi, offset, access);
    return abi_access_dma(abi, offset, access);
}

static const char *bar4(struct abi *abi, uint64_t offset, const struct abi_access *access)
{
    return abi_window(abi, WINDOWS_SMALL + (unsigned)(offset / WINDOW_LARGE_BYTES), offset % WINDOW_LARGE_BYTES,
                      access);
}

/* Of channel 0 of the engine that reads host memory: enable, doorbell, size, addresses, interrupt set-up, addresses of
   done and abort, data of the message. */
static const uint16_t dma_registers[] = {
    0x100, 0x104, 0x11C, 0x120, 0x124, 0x128, 0x12C, 0x188, 0x190, 0x194, 0x1A0, 0x1A4, 0x1A8, 0,
};

const struct abi_family abi_family = {
    .arch = "blackhole",
    .vendor_device = 0x1E52u | 0xB140u << 16,
    .class_revision = 0x12000000, /* processing accelerator */
    .bar4_bytes = 0x800000000ull,
    .config_first = CONFIG_FIRST,
    .config_bytes = 4 * CONFIG_WORDS,
    .dma = {{.doorbell = 0x104,
             .ring = 1,
             .size = 0x11C,
             .source_low = 0x120,
             .source_high = 0x124,
             .target_low = 0x128,
             .target_high = 0x12C}},
    .dma_register = dma_registers,
    .bar0 = bar0,
    .bar2 = bar2,
    .bar4 = bar4,
};
