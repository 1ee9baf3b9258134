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
#define CONFIG_BYTES (8 * WINDOWS_WORMHOLE)
#define CSM_FIRST 0x1FE80000u
#define CSM_BYTES 0x80000u
#define APB_FIRST 0x1FF00000u
#define APB_BYTES 0x100000u
#define DMA_BYTES 0x1200u

/* Registers in BAR 2 of channel 0 of the DMA engine that writes host memory; then of the one that reads it. */
enum dma_register {
    TO_HOST_ENABLE = 0x00C,
    TO_HOST_DOORBELL = 0x010,
    TO_HOST_MASK = 0x054, /* of interrupts */
    TO_HOST_DONE_LOW = 0x060,
    TO_HOST_DONE_HIGH = 0x064,
    TO_HOST_ABORT_LOW = 0x068,
    TO_HOST_ABORT_HIGH = 0x06C,
    TO_HOST_DONE_DATA = 0x070,
    TO_HOST_CONTROL = 0x200,
    TO_HOST_SIZE = 0x208,
    TO_HOST_SOURCE_LOW = 0x20C,
    TO_HOST_SOURCE_HIGH = 0x210,
    TO_HOST_TARGET_LOW = 0x214,
    TO_HOST_TARGET_HIGH = 0x218,
    FROM_HOST_ENABLE = 0x02C,
    FROM_HOST_DOORBELL = 0x030,
    FROM_HOST_MASK = 0x0A8,
    FROM_HOST_DONE_LOW = 0x0CC,
    FROM_HOST_DONE_HIGH = 0x0D0,
    FROM_HOST_ABORT_LOW = 0x0D4,
    FROM_HOST_ABORT_HIGH = 0x0D8,
    FROM_HOST_DONE_DATA = 0x0DC,
    FROM_HOST_CONTROL = 0x300,
    FROM_HOST_SIZE = 0x308,
    FROM_HOST_SOURCE_LOW = 0x30C,
    FROM_HOST_SOURCE_HIGH = 0x310,
    FROM_HOST_TARGET_LOW = 0x314,
    FROM_HOST_TARGET_HIGH = 0x318,
};

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

static const char *bar0(struct abi *abi, uint64_t offset, const struct abi_access *access)
{
    const struct tf_space_arch *space = &abi->chip->arch->space;
    for (unsigned i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (offset >= groups[i].first && offset < groups[i].end)
            return access_window(abi, i, (uint32_t)offset, access);
    if (offset >= WINDOW_CONFIG_FIRST && offset < WINDOW_CONFIG_FIRST + CONFIG_BYTES)
        return access_config(abi, (uint32_t)offset - WINDOW_CONFIG_FIRST, access);
    if (offset - CSM_FIRST < CSM_BYTES)
        return access_arc(abi, space->arc_csm_first + (offset - CSM_FIRST), access);
    if (access->bytes != 4 || offset % 4 != 0)
        return abi_misaligned;
    if (offset - APB_FIRST < APB_BYTES)
        return access_arc(abi, space->arc_apb_first + (offset - APB_FIRST), access);
    if (offset - STATUS_FIRST < STATUS_BYTES)
        return abi_access_status(abi, offset, access);
    return abi_access_niu(abi, offset, access);
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

static const uint16_t dma_registers[] = {
    TO_HOST_ENABLE,
    TO_HOST_DOORBELL,
    TO_HOST_MASK,
    TO_HOST_DONE_LOW,
    TO_HOST_DONE_HIGH,
    TO_HOST_ABORT_LOW,
    TO_HOST_ABORT_HIGH,
    TO_HOST_DONE_DATA,
    TO_HOST_CONTROL,
    TO_HOST_SIZE,
    TO_HOST_SOURCE_LOW,
    TO_HOST_SOURCE_HIGH,
    TO_HOST_TARGET_LOW,
    TO_HOST_TARGET_HIGH,
    FROM_HOST_ENABLE,
    FROM_HOST_DOORBELL,
    FROM_HOST_MASK,
    FROM_HOST_DONE_LOW,
    FROM_HOST_DONE_HIGH,
    FROM_HOST_ABORT_LOW,
    FROM_HOST_ABORT_HIGH,
    FROM_HOST_DONE_DATA,
    FROM_HOST_CONTROL,
    FROM_HOST_SIZE,
    FROM_HOST_SOURCE_LOW,
    FROM_HOST_SOURCE_HIGH,
    FROM_HOST_TARGET_LOW,
    FROM_HOST_TARGET_HIGH,
    0,
};

const struct abi_family abi_family_wormhole = {
    .arch = "wormhole",
    .vendor_device = 0x1E52u | 0x401Eu << 16,
    .class_revision = 0x12000001, /* processing accelerator */
    .bar4_bytes = BAR4_BYTES_WORMHOLE,
    .config_bytes = CONFIG_BYTES,
    .niu = {.first = 0x1FD20000, .stride = 0x80000, .bytes = 0x1000},
    .dma = {{.to_host = true,
             .doorbell = TO_HOST_DOORBELL,
             .size = TO_HOST_SIZE,
             .source_low = TO_HOST_SOURCE_LOW,
             .source_high = TO_HOST_SOURCE_HIGH,
             .target_low = TO_HOST_TARGET_LOW,
             .target_high = TO_HOST_TARGET_HIGH,
             .done_low = TO_HOST_DONE_LOW,
             .done_high = TO_HOST_DONE_HIGH,
             .done_data = TO_HOST_DONE_DATA},
            {.doorbell = FROM_HOST_DOORBELL,
             .size = FROM_HOST_SIZE,
             .source_low = FROM_HOST_SOURCE_LOW,
             .source_high = FROM_HOST_SOURCE_HIGH,
             .target_low = FROM_HOST_TARGET_LOW,
             .target_high = FROM_HOST_TARGET_HIGH,
             .done_low = FROM_HOST_DONE_LOW,
             .done_high = FROM_HOST_DONE_HIGH,
             .done_data = FROM_HOST_DONE_DATA}},
    .dma_register = dma_registers,
    .bar0 = bar0,
    .bar2 = bar2,
    .bar4 = bar4,
};
