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

#include "noc/noc.h"
#include "noc/nodes/pcie.h"
#include "noc/rules.h"
#include "tile/arch.h"
#include "tile/hash.h"

#define SUBWINDOW_BITS 58
#define SUBWINDOW_BYTES (1ull << SUBWINDOW_BITS)
#define DIRECT_WINDOWS 4u
#define HOST_WINDOWS 8u

#define DEVICE_CONTROL 0x78u
#define IATU_BYTES 0x2000u
#define IATU_STRIDE 0x100u /* outbound and inbound regions alternate */
#define INBOUND_HASHED 1u  /* the region that drivers configure */

enum iatu_word { CTRL_1, CTRL_2, LOWER_BASE, UPPER_BASE, LOWER_LIMIT, LOWER_TARGET, UPPER_TARGET, CTRL_3, UPPER_LIMIT };

#define CTRL_1_INCREASE_REGION_SIZE (1u << 13)
#define CTRL_2_ENABLE (1u << 31)

/* Inbound: a region matches the accesses to a BAR, or those between its base and its limit. It can also match the type
   of an access; every access here has the type "memory". */
#define CTRL_2_BAR_MATCH (1u << 30)
#define CTRL_2_FUZZY_TYPE (1u << 27)
#define CTRL_2_BAR(control) ((control) >> 8 & 7)
#define CTRL_2_INBOUND (CTRL_2_ENABLE | CTRL_2_BAR_MATCH | CTRL_2_FUZZY_TYPE | 7u << 8)

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
    static const uint32_t unset[TF_IATU_WORDS];
    tf_hash_bytes(hash, pcie, offsetof(struct tf_pcie, inbound));
    for (uint32_t i = 0; i < TF_IATU_REGIONS && pcie->arch->inbound; i++) {
        bool set = memcmp(pcie->inbound[i], unset, sizeof unset) != 0;
        if (set && i != INBOUND_HASHED)
            tf_hash_bytes(hash, &i, sizeof i);
        if (set || i == INBOUND_HASHED)
            tf_hash_bytes(hash, pcie->inbound[i], sizeof pcie->inbound[i]);
    }
}

static uint64_t pair(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

/* The word at an offset in BAR 2, or NULL if there is none. */
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
        return pcie->arch->inbound ? &pcie->inbound[slot / 2][word] : NULL;
    return &pcie->iatu[slot / 2][word];
}

const char *tf_pcie_load(const struct tf_pcie *pcie, uint64_t offset, uint32_t *value)
{
    const uint32_t *word = word_at(pcie, offset);
    if (word == NULL)
        return "the PCIe controller has no register at this address";
    *value = *word;
    return NULL;
}

/* The last address of a region. A region without an upper limit ends as its upper base says. */
static uint64_t limit_of(const struct tf_pcie_arch *arch, const uint32_t region[TF_IATU_WORDS])
{
    return pair(region[LOWER_LIMIT], region[arch->iatu_words > UPPER_LIMIT ? UPPER_LIMIT : UPPER_BASE]);
}

static uint64_t window_bytes(const struct tf_pcie_arch *arch)
{
    return arch->host_bytes != 0 ? arch->host_bytes : SUBWINDOW_BYTES;
}

/* A region cannot match BAR 2, which shows the registers of the controller. */
static const char *why_not_inbound(const uint32_t region[TF_IATU_WORDS])
{
    uint32_t control = region[CTRL_2];
    if (region[CTRL_1] != 0)
        return "inbound iATU region control 1: not implemented";
    if (control & ~CTRL_2_INBOUND)
        return "inbound iATU region control 2: only REGION_EN, BAR_MATCH_MODE, FUZZY_TYPE_MATCH and BAR_NUM are "
               "implemented";
    if (!(control & CTRL_2_ENABLE))
        return NULL;
    if (control & CTRL_2_BAR_MATCH)
        return CTRL_2_BAR(control) % 4 == 0 ? NULL : "an inbound iATU region matches BAR 0 or BAR 4";
    return region[LOWER_BASE] <= region[LOWER_LIMIT] ? NULL : "the base of an enabled iATU region lies above its limit";
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
        return "the PCIe controller has no register at this address";
    uint32_t before = *word;
    *word = value;
    if (offset == DEVICE_CONTROL)
        return NULL;
    uint64_t slot = (offset - pcie->arch->iatu_first) / IATU_STRIDE;
    const char *why = slot % 2 != 0 ? why_not_inbound(pcie->inbound[slot / 2])
                                    : why_no_region(pcie->arch, pcie->iatu[slot / 2]);
    if (why != NULL)
        *word = before;
    return why;
}

/* A region translates a request only if all its bytes lie in the region. An address outside all regions is not
   translated. */
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

/* As outbound: a region takes an access only if all its bytes lie in the region. */
uint64_t tf_pcie_inbound(const struct tf_pcie *pcie, const struct tf_inbound_access *access, uint64_t unmapped)
{
    uint64_t address = access->bar_first + access->offset;
    for (unsigned i = 0; i < TF_IATU_REGIONS; i++) {
        const uint32_t *region = pcie->inbound[i], control = region[CTRL_2];
        if (!(control & CTRL_2_ENABLE))
            continue;
        uint64_t target = pair(region[LOWER_TARGET], region[UPPER_TARGET]);
        uint64_t base = pair(region[LOWER_BASE], region[UPPER_BASE]);
        if (control & CTRL_2_BAR_MATCH) {
            if (CTRL_2_BAR(control) == access->bar)
                return target + access->offset;
        } else if (address >= base && address + access->bytes - 1 <= limit_of(pcie->arch, region)) {
            return target + (address - base);
        }
    }
    return unmapped;
}

uint64_t tf_pcie_room(const struct tf_node *node, uint64_t address)
{
    const struct tf_noc_rules *rules = &node->niu[0].fabric->rules;
    if (node->pcie == NULL || rules->host_read == NULL || rules->host_write == NULL)
        return 0;
    const struct tf_pcie_arch *arch = node->pcie->arch;
    if (arch->host_bytes != 0)
        return address - arch->host_first < arch->host_bytes ? arch->host_first + arch->host_bytes - address : 0;
    if (address >> SUBWINDOW_BITS >= HOST_WINDOWS)
        return 0;
    return SUBWINDOW_BYTES - address % SUBWINDOW_BYTES;
}

/* Copy bytes to or from host memory, in calls that the callbacks can take. */
static void move(const struct tf_node *node, uint64_t address, uint8_t *data, uint64_t bytes, bool to_host)
{
    const struct tf_noc_rules *rules = &node->niu[0].fabric->rules;
    uint64_t host_address = translate(node->pcie, address, bytes);
    for (uint64_t done = 0; done < bytes;) {
        uint32_t length = bytes - done < MOVE_BYTES ? (uint32_t)(bytes - done) : MOVE_BYTES;
        if (to_host)
            rules->host_write(rules->user, host_address + done, data + done, length);
        else
            rules->host_read(rules->user, host_address + done, data + done, length);
        done += length;
    }
}

void tf_pcie_put(const struct tf_node *node, uint64_t address, const void *data, uint64_t bytes)
{
    move(node, address, (uint8_t *)(uintptr_t)data, bytes, true);
}

void tf_pcie_get(const struct tf_node *node, uint64_t address, void *data, uint64_t bytes)
{
    move(node, address, data, bytes, false);
}
