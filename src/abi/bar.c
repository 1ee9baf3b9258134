/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of the BARs. Sources: BlackholeA0/PCIExpressTile/README.md ("bar 0"), ttsim's libttsim.cpp. */
#include <string.h>

#include "abi/abi.h"

#define WINDOWS_END (WINDOWS_SMALL * WINDOW_SMALL_BYTES)
#define CONFIG_FIRST 0x1FC00000u
#define CONFIG_WORDS (WINDOWS * WINDOW_WORDS + STRIDED)
#define NIU_FIRST 0x1FD04000u
#define NIU_STRIDE 0x10000u
#define NIU_BYTES 0x2000u
#define NIU_ADDRESS 0xFFFFFFFFFFB20000ull

static const char *const misaligned = "a register takes 4 bytes at a multiple of 4";

bool abi_is_window_config(uint64_t address)
{
    return address - BAR0_FIRST - CONFIG_FIRST < 4 * CONFIG_WORDS;
}

static const char *access_word(uint32_t *word, const struct abi_access *access)
{
    if (access->into != NULL)
        memcpy(access->into, word, sizeof *word);
    else
        memcpy(word, access->from, sizeof *word);
    return NULL;
}

static const char *access_config(struct abi *abi, uint32_t word, const struct abi_access *access)
{
    const uint32_t words = WINDOWS * WINDOW_WORDS;
    return access_word(word < words ? &abi->window[word] : &abi->strided[word - words], access);
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

const char *abi_bar0(struct abi *abi, uint64_t offset, const struct abi_access *access)
{
    if (offset < WINDOWS_END)
        return abi_window(abi, (unsigned)(offset / WINDOW_SMALL_BYTES), offset % WINDOW_SMALL_BYTES, access);
    if (access->bytes != 4 || offset % 4 != 0)
        return misaligned;
    if (offset >= CONFIG_FIRST && offset < CONFIG_FIRST + 4 * CONFIG_WORDS)
        return access_config(abi, (uint32_t)(offset - CONFIG_FIRST) / 4, access);
    for (unsigned noc = 0; noc < 2; noc++)
        if (offset - NIU_FIRST - noc * NIU_STRIDE < NIU_BYTES)
            return access_niu(abi, noc, (uint32_t)offset - NIU_FIRST - noc * NIU_STRIDE, access);
    if (offset - STATUS_FIRST < STATUS_BYTES) {
        uint32_t word = abi_status_word(abi, (uint32_t)offset - STATUS_FIRST);
        return access->into != NULL ? access_word(&word, access) : "the status page is read-only";
    }
    return "a reserved part of BAR 0";
}

const char *abi_bar2(struct abi *abi, uint64_t offset, const struct abi_access *access)
{
    struct tf_pcie *pcie = abi->chip->fabric->node[abi->chip->arch->pcie_node].pcie;
    uint32_t value = 0;
    bool is_dma = offset >= DMA_FIRST && offset < DMA_FIRST + 4 * DMA_WORDS;
    if (access->bytes != 4 || offset % 4 != 0)
        return misaligned;
    if (access->into == NULL) {
        memcpy(&value, access->from, sizeof value);
        return is_dma ? abi_dma_write(abi, (uint32_t)offset, value) : tf_pcie_store(pcie, offset, value);
    }
    const char *why = is_dma ? abi_dma_read(abi, (uint32_t)offset, &value) : tf_pcie_load(pcie, offset, &value);
    if (why == NULL)
        memcpy(access->into, &value, sizeof value);
    return why;
}

const char *abi_bar4(struct abi *abi, uint64_t offset, const struct abi_access *access)
{
    return abi_window(abi, WINDOWS_SMALL + (unsigned)(offset / WINDOW_LARGE_BYTES), offset % WINDOW_LARGE_BYTES,
                      access);
}
