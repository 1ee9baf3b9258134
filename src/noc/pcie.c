/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The PCIe tile. On Blackhole the NOC sees 64 windows of 2^58 bytes. Windows 0..3 reach the host untranslated, 4..7
 * through the outbound iATU. Wormhole has one window, through the iATU. Sources: PCIExpressTile/README.md of each
 * family ("NoC to Host"); ttsim's libttsim.cpp and tile.cpp for the iATU's registers in BAR 2, and for addresses
 * outside its regions.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "noc/endpoints.h"
#include "noc/parts.h"

#define SUBWINDOW_BITS 58
#define SUBWINDOW_BYTES (1ull << SUBWINDOW_BITS)
#define DIRECT_WINDOWS 4u
#define HOST_WINDOWS 8u

#define DEVICE_CONTROL 0x78u
#define IATU_BYTES 0x2000u
#define IATU_STRIDE 0x100u /* outbound and inbound regions alternate */
#define INBOUND_SLOT 3u    /* inbound region 1 */

enum iatu_word { CTRL_1, CTRL_2, LOWER_BASE, UPPER_BASE, LOWER_LIMIT, LOWER_TARGET, UPPER_TARGET, CTRL_3, UPPER_LIMIT };

#define CTRL_1_INCREASE_REGION_SIZE (1u << 13)
#define CTRL_2_ENABLE (1u << 31)

/* A callback takes 32 bits of length. */
#define MOVE_BYTES (1u << 30)

struct tf_pcie *tf_pcie_create(const struct tf_pcie_arch *arch)
{
    struct tf_pcie *pcie = calloc(1, sizeof *pcie);
    if (pcie != NULL)
        pcie->arch = arch;
    return pcie;
}

void tf_pcie_hash(const struct tf_pcie *pcie, struct tf_hash *hash)
{
    tf_hash_bytes(hash, pcie, offsetof(struct tf_pcie, inbound));
    if (pcie->arch->inbound_control != 0)
        tf_hash_bytes(hash, pcie->inbound, sizeof pcie->inbound);
}

static uint64_t pair(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

/* The word at an offset in BAR 2, or NULL. */
static const uint32_t *word_at(const struct tf_pcie *pcie, uint64_t offset)
{
    if (offset == DEVICE_CONTROL)
        return &pcie->device_control;
    offset -= pcie->arch->iatu_first;
    if (offset >= IATU_BYTES)
        return NULL;
    uint32_t slot = (uint32_t)offset / IATU_STRIDE, word = (uint32_t)offset % IATU_STRIDE / 4;
    if (word >= pcie->arch->iatu_words)
        return NULL;
    if (slot % 2 != 0)
        return slot == INBOUND_SLOT && pcie->arch->inbound_control != 0 ? &pcie->inbound[word] : NULL;
    return &pcie->iatu[slot / 2][word];
}

const char *tf_pcie_load(const struct tf_pcie *pcie, uint64_t offset, uint32_t *value)
{
    const uint32_t *word = word_at(pcie, offset);
    if (word == NULL)
        return "the PCIe controller has no such register here";
    *value = *word;
    return NULL;
}

/* The last address of a region. Where there is no upper limit, it is the upper base. */
static uint64_t limit_of(const struct tf_pcie_arch *arch, const uint32_t region[TF_IATU_WORDS])
{
    return pair(region[LOWER_LIMIT], region[arch->iatu_words > UPPER_LIMIT ? UPPER_LIMIT : UPPER_BASE]);
}

static uint64_t window_bytes(const struct tf_pcie_arch *arch)
{
    return arch->host_bytes != 0 ? arch->host_bytes : SUBWINDOW_BYTES;
}

/* ttsim: the inbound iATU always shows the end of BAR 0 as BAR 4. A host may write that setting, and no other. */
static const char *why_not_inbound(const struct tf_pcie *pcie)
{
    const uint32_t *region = pcie->inbound;
    if (region[CTRL_1] != 0 || ((region[CTRL_2] & CTRL_2_ENABLE) && region[CTRL_2] != pcie->arch->inbound_control) ||
        (region[LOWER_TARGET] != 0 && region[LOWER_TARGET] != pcie->arch->inbound_target) || region[UPPER_TARGET] != 0)
        return "region 1 of the inbound iATU can only show the end of BAR 0 as BAR 4";
    return NULL;
}

static const char *why_no_region(const struct tf_pcie_arch *arch, const uint32_t region[TF_IATU_WORDS])
{
    if (region[CTRL_1] & ~CTRL_1_INCREASE_REGION_SIZE)
        return "iATU region control 1: only INCREASE_REGION_SIZE is implemented";
    if (region[CTRL_2] & ~CTRL_2_ENABLE)
        return "iATU region control 2: only REGION_EN is implemented";
    if (region[CTRL_3] != 0)
        return "iATU region control 3 is not implemented";
    if (!(region[CTRL_2] & CTRL_2_ENABLE))
        return NULL;
    uint64_t base = pair(region[LOWER_BASE], region[UPPER_BASE]);
    uint64_t limit = limit_of(arch, region);
    if (base > limit)
        return "the base of an enabled iATU region lies above its limit";
    return limit < window_bytes(arch) ? NULL : "the limit of an enabled iATU region lies outside its window";
}

bool tf_pcie_set_region(struct tf_pcie *pcie, uint32_t region, uint32_t bytes, uint64_t target)
{
    uint64_t base = (uint64_t)region * bytes, limit = base + bytes - 1;
    if (region >= TF_IATU_REGIONS || bytes == 0)
        return false;
    const uint32_t words[TF_IATU_WORDS] = {
        [CTRL_2] = CTRL_2_ENABLE,        [LOWER_BASE] = (uint32_t)base,     [UPPER_BASE] = (uint32_t)(base >> 32),
        [LOWER_LIMIT] = (uint32_t)limit, [LOWER_TARGET] = (uint32_t)target, [UPPER_TARGET] = (uint32_t)(target >> 32),
    };
    if (base >> 32 != limit >> 32 || why_no_region(pcie->arch, words) != NULL)
        return false;
    memcpy(pcie->iatu[region], words, sizeof words);
    return true;
}

const char *tf_pcie_store(struct tf_pcie *pcie, uint64_t offset, uint32_t value)
{
    uint32_t *word = (uint32_t *)word_at(pcie, offset);
    if (word == NULL)
        return "the PCIe controller has no such register here";
    uint32_t before = *word;
    *word = value;
    if (offset == DEVICE_CONTROL)
        return NULL;
    uint64_t slot = (offset - pcie->arch->iatu_first) / IATU_STRIDE;
    const char *why = slot % 2 != 0 ? why_not_inbound(pcie) : why_no_region(pcie->arch, pcie->iatu[slot / 2]);
    if (why != NULL)
        *word = before;
    return why;
}

/* A region translates a request that lies within it whole. An address outside all regions is not translated. */
static uint64_t translate(const struct tf_pcie *pcie, uint64_t address, uint64_t bytes)
{
    bool one = pcie->arch->host_bytes != 0;
    uint64_t offset = one ? address - pcie->arch->host_first : address % SUBWINDOW_BYTES;
    if (!one && address >> SUBWINDOW_BITS < DIRECT_WINDOWS)
        return offset;
    for (unsigned i = 0; i < TF_IATU_REGIONS; i++) {
        const uint32_t *region = pcie->iatu[i];
        uint64_t base = pair(region[LOWER_BASE], region[UPPER_BASE]);
        uint64_t limit = limit_of(pcie->arch, region);
        if ((region[CTRL_2] & CTRL_2_ENABLE) && offset >= base && offset + bytes - 1 <= limit)
            return pair(region[LOWER_TARGET], region[UPPER_TARGET]) + (offset - base);
    }
    return offset;
}

uint64_t tf_pcie_room(const struct tf_node *node, uint64_t address)
{
    const struct tf_config *config = &node->niu[0].fabric->config;
    if (node->pcie == NULL || config->on_host_read == NULL || config->on_host_write == NULL)
        return 0;
    const struct tf_pcie_arch *arch = node->pcie->arch;
    if (arch->host_bytes != 0)
        return address - arch->host_first < arch->host_bytes ? arch->host_first + arch->host_bytes - address : 0;
    if (address >> SUBWINDOW_BITS >= HOST_WINDOWS)
        return 0;
    return SUBWINDOW_BYTES - address % SUBWINDOW_BYTES;
}

void tf_pcie_put(const struct tf_node *node, uint64_t address, const void *data, uint64_t bytes)
{
    const struct tf_config *config = &node->niu[0].fabric->config;
    uint64_t to = translate(node->pcie, address, bytes);
    for (uint64_t done = 0; done < bytes;) {
        uint32_t length = bytes - done < MOVE_BYTES ? (uint32_t)(bytes - done) : MOVE_BYTES;
        config->on_host_write(config->user, to + done, (const uint8_t *)data + done, length);
        done += length;
    }
}

void tf_pcie_get(const struct tf_node *node, uint64_t address, void *data, uint64_t bytes)
{
    const struct tf_config *config = &node->niu[0].fabric->config;
    uint64_t from = translate(node->pcie, address, bytes);
    for (uint64_t done = 0; done < bytes;) {
        uint32_t length = bytes - done < MOVE_BYTES ? (uint32_t)(bytes - done) : MOVE_BYTES;
        config->on_host_read(config->user, from + done, (uint8_t *)data + done, length);
        done += length;
    }
}
