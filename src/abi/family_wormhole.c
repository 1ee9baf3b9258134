/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wormhole's device. Sources: WormholeB0/PCIExpressTile/README.md and TLBs.md; ttsim's libttsim.cpp. BAR 4 is the end
 * of BAR 0.
 */
#include <string.h>

#include "abi/abi.h"

#define BAR4_BYTES_WORMHOLE (32u << 20)

/* Groups of windows, and the bits of an address that come from the offset in a window of each. */
static const struct {
    uint32_t first, end; /* offsets in BAR 0 */
    uint16_t window;     /* number of the first */
    uint8_t bits;
} groups[] = {
    {0x00000000, 0x09C00000, 0, 20},
    {0x09C00000, 0x0B000000, 156, 21},
    {0x0B000000, 0x1F000000, 166, 24},
};

#define WINDOWS_WORMHOLE 186u
#define ADDRESS_BITS 36u
#define CONFIG_FIRST 0x1FC00000u
#define CONFIG_BYTES (8 * WINDOWS_WORMHOLE)
#define CSM_FIRST 0x1FE80000u
#define CSM_BYTES 0x80000u
#define APB_FIRST 0x1FF00000u
#define APB_BYTES 0x100000u
#define NIU_FIRST 0x1FD20000u
#define NIU_STRIDE 0x80000u
#define NIU_BYTES 0x1000u
#define DMA_BYTES 0x1200u

static const char *access_window(struct abi *abi, unsigned group, uint32_t offset, const struct abi_access *access)
{
    unsigned bits = groups[group].bits, window = groups[group].window + ((offset - groups[group].first) >> bits);
    uint64_t config = abi->window[2 * window] | (uint64_t)abi->window[2 * window + 1] << 32;
    uint32_t inside = offset & ((1u << bits) - 1), n = ADDRESS_BITS - bits;
    const struct abi_target to = {
        .address = (config & ((1ull << n) - 1)) << bits,
        .x = config >> n & 63,
        .y = config >> (n + 6) & 63,
        .x_start = config >> (n + 12) & 63,
        .y_start = config >> (n + 18) & 63,
        .noc = config >> (n + 24) & 1,
        .multicast = config >> (n + 25) & 1,
    };
    if (access->bytes > (1u << bits) - inside)
        return "the access leaves its window";
    return abi_through(abi, &to, 0, inside, access);
}

/* Clients write 8 bytes at once. */
static const char *access_config(struct abi *abi, uint32_t offset, const struct abi_access *access)
{
    if ((access->bytes != 4 && access->bytes != 8) || offset % access->bytes != 0)
        return "the configuration of a window takes 4 or 8 bytes, aligned";
    uint8_t *at = (uint8_t *)abi->window + offset;
    if (access->into != NULL)
        memcpy(access->into, at, access->bytes);
    else
        memcpy(at, access->from, access->bytes);
    return NULL;
}

/* The ARC tile's memory and registers, which the host reaches without a window. */
static const char *access_arc(struct abi *abi, uint64_t address, const struct abi_access *access)
{
    const struct tf_arch *arch = abi->chip->arch;
    for (unsigned node = 0; node < tf_arch_nodes(arch); node++)
        if (arch->place[node].kind == TF_NODE_ARC)
            return abi_at(abi, node % arch->grid_x, node / arch->grid_x, address, access);
    return "the chip has no ARC tile";
}

static const char *access_niu(struct abi *abi, unsigned noc, uint32_t offset, const struct abi_access *access)
{
    const uint64_t address = abi->chip->arch->space.niu_first + abi->chip->arch->space.niu_high + offset;
    const char *why = NULL;
    if (access->into != NULL)
        tf_host_read(abi->chip, abi->chip->arch->pcie_node, noc, address, access->into, 4, &why);
    else
        tf_host_write(abi->chip, abi->chip->arch->pcie_node, noc, address, access->from, 4, &why);
    return why;
}

static const char *bar0(struct abi *abi, uint64_t offset, const struct abi_access *access)
{
    const struct tf_space_arch *space = &abi->chip->arch->space;
    for (unsigned i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (offset >= groups[i].first && offset < groups[i].end)
            return access_window(abi, i, (uint32_t)offset, access);
    if (offset >= CONFIG_FIRST && offset < CONFIG_FIRST + CONFIG_BYTES)
        return access_config(abi, (uint32_t)offset - CONFIG_FIRST, access);
    if (offset - CSM_FIRST < CSM_BYTES)
        return access_arc(abi, space->arc_csm_first + (offset - CSM_FIRST), access);
    if (access->bytes != 4 || offset % 4 != 0)
        return abi_misaligned;
    if (offset - APB_FIRST < APB_BYTES)
        return access_arc(abi, space->arc_apb_first + (offset - APB_FIRST), access);
    for (unsigned noc = 0; noc < 2; noc++)
        if (offset - (NIU_FIRST + noc * NIU_STRIDE) < NIU_BYTES)
            return access_niu(abi, noc, (uint32_t)offset - NIU_FIRST - noc * NIU_STRIDE, access);
    if (offset - STATUS_FIRST < STATUS_BYTES)
        return abi_access_status(abi, offset, access);
    return "a reserved part of BAR 0";
}

static const char *bar2(struct abi *abi, uint64_t offset, const struct abi_access *access)
{
    if (access->bytes != 4 || offset % 4 != 0)
        return abi_misaligned;
    if (offset >= DMA_BYTES)
        return abi_access_pcie(abi, offset, access);
    return abi_access_dma(abi, offset, access);
}

static const char *bar4(struct abi *abi, uint64_t offset, const struct abi_access *access)
{
    return bar0(abi, BAR0_BYTES - BAR4_BYTES_WORMHOLE + offset, access);
}

/* Of channel 0 of both engines: enable, doorbell, interrupt mask, addresses of done and abort, data of the message;
   control, size and addresses. */
static const uint16_t dma_registers[] = {
    0x00C, 0x010, 0x054, 0x060, 0x064, 0x068, 0x06C,
    0x070, 0x200, 0x208, 0x20C, 0x210, 0x214, 0x218, /* to the host */
    0x02C, 0x030, 0x0A8, 0x0CC, 0x0D0, 0x0D4, 0x0D8,
    0x0DC, 0x300, 0x308, 0x30C, 0x310, 0x314, 0x318, /* from the host */
    0,
};

const struct abi_family abi_family = {
    .arch = "wormhole",
    .vendor_device = 0x1E52u | 0x401Eu << 16,
    .class_revision = 0x12000001, /* processing accelerator */
    .bar4_bytes = BAR4_BYTES_WORMHOLE,
    .config_first = CONFIG_FIRST,
    .config_bytes = CONFIG_BYTES,
    .dma = {{.to_host = true,
             .doorbell = 0x010,
             .size = 0x208,
             .source_low = 0x20C,
             .source_high = 0x210,
             .target_low = 0x214,
             .target_high = 0x218,
             .done_low = 0x060,
             .done_high = 0x064,
             .done_data = 0x070},
            {.doorbell = 0x030,
             .size = 0x308,
             .source_low = 0x30C,
             .source_high = 0x310,
             .target_low = 0x314,
             .target_high = 0x318,
             .done_low = 0x0CC,
             .done_high = 0x0D0,
             .done_data = 0x0DC}},
    .dma_register = dma_registers,
    .bar0 = bar0,
    .bar2 = bar2,
    .bar4 = bar4,
};
