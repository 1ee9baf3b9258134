/* SPDX-License-Identifier: Apache-2.0 */
/* PCI configuration space, type 0 header: the host reads it when it enumerates devices. */
#include "abi/pci.h"

#include "abi/abi.h"
#include "abi/families.h"

#define MEMORY_64 0x4u

enum {
    VENDOR = 0x00,
    COMMAND = 0x04,
    CLASS = 0x08,
    CACHE_LINE = 0x0C,
    BARS = 0x10,
    CARDBUS = 0x28,
    SUBSYSTEM = 0x2C,
    ROM = 0x30,
    CAPABILITIES = 0x34,
    RESERVED = 0x38,
    INTERRUPT = 0x3C,
};

/* Pairs of registers: BAR 0, 2 and 4 are 64 bits wide. */
static const uint64_t bar_first[] = {BAR0_FIRST, BAR2_FIRST, BAR4_FIRST};

static uint64_t bar_bytes(const struct abi_device *device, unsigned bar)
{
    return bar == 0 ? BAR0_BYTES : bar == 1 ? BAR2_BYTES : abi_family(device->abi)->bar4_bytes;
}

void abi_pci_reset(struct abi_device *device)
{
    struct abi_pci *pci = &device->pci;
    *pci = (struct abi_pci){.interrupt = 0xFF};
    for (unsigned i = 0; i < 3; i++) {
        const uint64_t first = bar_first[i] + device->number * DEVICE_STRIDE;
        pci->bar[2 * i] = (uint32_t)first | MEMORY_64;
        pci->bar[2 * i + 1] = (uint32_t)(first >> 32);
    }
}

bool abi_pci_read(const struct abi_device *device, uint32_t offset, uint32_t *value)
{
    const struct abi_pci *pci = &device->pci;
    *value = 0;
    switch (offset) {
    case VENDOR: *value = abi_family(device->abi)->vendor_device; return true;
    case COMMAND: *value = pci->command; return true;
    case CLASS: *value = abi_family(device->abi)->class_revision; return true;
    case CACHE_LINE: *value = pci->cache_line; return true;
    case CARDBUS:
    case SUBSYSTEM:
    case ROM:
    case CAPABILITIES:
    case RESERVED: return true;
    case INTERRUPT: *value = pci->interrupt; return true;
    default: break;
    }
    if (offset < BARS || offset >= CARDBUS || offset % 4 != 0)
        return false;
    *value = pci->bar[(offset - BARS) / 4];
    return true;
}

static void set(uint32_t *word, uint32_t mask, uint32_t value)
{
    *word = (*word & ~mask) | (value & mask);
}

bool abi_pci_write(struct abi_device *device, uint32_t offset, uint32_t value)
{
    struct abi_pci *pci = &device->pci;
    switch (offset) {
    case COMMAND: set(&pci->command, 0xFFFF, value); return true;
    case CACHE_LINE: set(&pci->cache_line, 0xFFFF, value); return true;
    case ROM: return true;
    case INTERRUPT: set(&pci->interrupt, 0xFF, value); return true;
    default: break;
    }
    if (offset < BARS || offset >= CARDBUS || offset % 4 != 0)
        return false;
    unsigned i = (offset - BARS) / 4;
    uint64_t mask = ~(bar_bytes(device, i / 2) - 1); /* the host finds the size by writing ones */
    set(&pci->bar[i], (uint32_t)(i % 2 ? mask >> 32 : mask), value);
    return true;
}
