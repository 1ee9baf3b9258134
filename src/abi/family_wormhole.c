/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Wormhole's device. Sources: WormholeB0/PCIExpressTile/README.md and TLBs.md; ttsim's libttsim.cpp. BAR 4 is the end
 * of BAR 0.
 */
#include <string.h>

#include "abi/abi.h"
#include "abi/families.h"
#include "abi/bar.h"
#include "abi/dma.h"
#include "abi/window.h"
#include "noc/nodes/pcie.h"

#define BAR4_BYTES_WORMHOLE (32u << 20)

/* The first window of 2 MiB, by number and by offset in BAR 0. */
#define WINDOW_2M 156u
#define WINDOW_2M_FIRST 0x09C00000u

/* Groups of windows. For each: the number of address bits that the offset in a window gives. */
static const struct {
    uint32_t first, end; /* offsets in BAR 0 */
    uint16_t window;     /* number of the first window */
    uint8_t bits;
} groups[] = {
    {0x00000000, WINDOW_2M_FIRST, 0, 20},
    {WINDOW_2M_FIRST, 0x0B000000, WINDOW_2M, 21},
    {0x0B000000, 0x1F000000, 166, 24},
};

#define WINDOWS_WORMHOLE 186u
#define ADDRESS_BITS 36u
#define CONFIG_BYTES (8 * WINDOWS_WORMHOLE)
#define CSM_FIRST 0x1FE80000u
#define APB_FIRST 0x1FF00000u
#define APB_BYTES 0x100000u
#define DMA_BYTES 0x1200u

/* Registers in BAR 2 of the two DMA engines: of the engine that writes host memory, and of the one that reads it. */
enum dma_register {
    DMA_CHANNELS = 0x008, /* bits for writing; those for reading begin at bit 16 */
    TO_HOST_ENABLE = 0x00C,
    TO_HOST_DOORBELL = 0x010,
    FROM_HOST_ENABLE = 0x02C,
    FROM_HOST_DOORBELL = 0x030,
    TO_HOST_STATUS = 0x04C, /* for interrupts */
    TO_HOST_MASK = 0x054,
    TO_HOST_CLEAR = 0x058,
    TO_HOST_ERRORS = 0x05C,
    TO_HOST_DONE_LOW = 0x060,
    TO_HOST_DONE_HIGH = 0x064,
    TO_HOST_ABORT_LOW = 0x068,
    TO_HOST_ABORT_HIGH = 0x06C,
    TO_HOST_DONE_DATA = 0x070, /* four words, each of two channels */
    TO_HOST_LIST_ERRORS = 0x090,
    FROM_HOST_STATUS = 0x0A0,
    FROM_HOST_MASK = 0x0A8,
    FROM_HOST_CLEAR = 0x0AC,
    FROM_HOST_ERRORS_LOW = 0x0B4,
    FROM_HOST_ERRORS_HIGH = 0x0B8,
    FROM_HOST_LIST_ERRORS = 0x0C4,
    FROM_HOST_DONE_LOW = 0x0CC,
    FROM_HOST_DONE_HIGH = 0x0D0,
    FROM_HOST_ABORT_LOW = 0x0D4,
    FROM_HOST_ABORT_HIGH = 0x0D8,
    FROM_HOST_DONE_DATA = 0x0DC,
};

/* Registers of channel 0. Those of channel n of an engine lie 0x200 * n higher. */
enum channel_register {
    CHANNEL_CONTROL = 0x00,
    CHANNEL_SIZE = 0x08,
    CHANNEL_SOURCE_LOW = 0x0C,
    CHANNEL_SOURCE_HIGH = 0x10,
    CHANNEL_TARGET_LOW = 0x14,
    CHANNEL_TARGET_HIGH = 0x18,
    CHANNEL_LIST_LOW = 0x1C,
    CHANNEL_LIST_HIGH = 0x20,
};

#define TO_HOST_CHANNEL 0x200
#define FROM_HOST_CHANNEL 0x300
#define CHANNEL_STRIDE 0x200
#define CHANNELS 8

static const char *access_window(struct abi_device *device, unsigned group, uint32_t offset,
                                 const struct abi_access *access)
{
    unsigned bits = groups[group].bits, window = groups[group].window + ((offset - groups[group].first) >> bits);
    uint64_t config = device->window[2 * window] | (uint64_t)device->window[2 * window + 1] << 32;
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
        return "the access runs past the end of its window";
    return abi_through(device, &to, 0, inside, access);
}

/* Clients write 8 bytes at once. */
static const char *access_config(struct abi_device *device, uint32_t offset, const struct abi_access *access)
{
    if ((access->bytes != 4 && access->bytes != 8) || offset % access->bytes != 0)
        return "accesses to the configuration of a window must be 4 or 8 bytes, aligned";
    uint8_t *at = (uint8_t *)device->window + offset;
    if (access->into != NULL)
        memcpy(access->into, at, access->bytes);
    else
        memcpy(at, access->from, access->bytes);
    return NULL;
}

/* The ARC tile's memory and registers, which the host reaches without a window. */
static const char *access_arc(struct abi_device *device, uint64_t address, const struct abi_access *access)
{
    const struct tf_arch *arch = device->chip->arch;
    for (unsigned node = 0; node < tf_arch_nodes(arch); node++)
        if (arch->place[node].kind == TF_NODE_ARC)
            return abi_at(device, node % arch->grid_x, node / arch->grid_x, address, access);
    return "the chip has no ARC tile";
}

/* The target space of the inbound iATU. BAR 0 shows it untranslated. */
static const char *dma_space(struct abi_device *device, uint64_t offset, const struct abi_access *access)
{
    const struct tf_space_arch *space = &device->chip->arch->space;
    for (unsigned i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (offset >= groups[i].first && offset < groups[i].end)
            return access_window(device, i, (uint32_t)offset, access);
    if (offset >= WINDOW_CONFIG_FIRST && offset < WINDOW_CONFIG_FIRST + CONFIG_BYTES)
        return access_config(device, (uint32_t)offset - WINDOW_CONFIG_FIRST, access);
    if (offset - CSM_FIRST < space->arc_csm_bytes)
        return access_arc(device, space->arc_csm_first + (offset - CSM_FIRST), access);
    if (access->bytes != 4 || offset % 4 != 0)
        return abi_misaligned;
    if (offset - APB_FIRST < APB_BYTES)
        return access_arc(device, space->arc_apb_first + (offset - APB_FIRST), access);
    return abi_access_rest(device, offset, access);
}

static const char *bar2(struct abi_device *device, uint64_t offset, const struct abi_access *access)
{
    if (access->bytes != 4 || offset % 4 != 0)
        return abi_misaligned;
    if (offset >= DMA_BYTES)
        return abi_access_pcie(device, offset, access);
    if (offset == DMA_CHANNELS)
        return access->into != NULL ? abi_access_word(&(uint32_t){CHANNELS | CHANNELS << 16}, access)
                                    : "the number of DMA channels is read-only";
    return abi_access_dma(device, offset, access);
}

/* Without a region of the inbound iATU, BAR 0 is not translated, and BAR 4 shows the space to which drivers map it. */
static const char *through_inbound(struct abi_device *device, const struct tf_inbound_access *in, uint64_t unmapped,
                                   const struct abi_access *access)
{
    const struct tf_pcie *pcie = device->chip->fabric->node[device->chip->arch->pcie_node].pcie;
    uint64_t offset = tf_pcie_inbound(pcie, in, unmapped);
    return offset < BAR0_BYTES ? dma_space(device, offset, access) : "the inbound iATU leads out of what BAR 0 shows";
}

static const char *bar0(struct abi_device *device, uint64_t offset, const struct abi_access *access)
{
    const struct tf_inbound_access in = {0, BAR0_FIRST, offset, access->bytes};
    return through_inbound(device, &in, offset, access);
}

static const char *bar4(struct abi_device *device, uint64_t offset, const struct abi_access *access)
{
    const struct tf_inbound_access in = {4, BAR4_FIRST, offset, access->bytes};
    return through_inbound(device, &in, BAR0_BYTES - BAR4_BYTES_WORMHOLE + offset, access);
}

#define CHANNEL_REGISTERS(first)                                                                                    \
    (first) + CHANNEL_CONTROL, (first) + CHANNEL_SIZE, (first) + CHANNEL_SOURCE_LOW, (first) + CHANNEL_SOURCE_HIGH, \
        (first) + CHANNEL_TARGET_LOW, (first) + CHANNEL_TARGET_HIGH, (first) + CHANNEL_LIST_LOW,                    \
        (first) + CHANNEL_LIST_HIGH

static const uint16_t dma_registers[] = {
    TO_HOST_ENABLE,
    TO_HOST_DOORBELL,
    TO_HOST_STATUS,
    TO_HOST_MASK,
    TO_HOST_CLEAR,
    TO_HOST_ERRORS,
    TO_HOST_DONE_LOW,
    TO_HOST_DONE_HIGH,
    TO_HOST_ABORT_LOW,
    TO_HOST_ABORT_HIGH,
    TO_HOST_DONE_DATA,
    TO_HOST_DONE_DATA + 4,
    TO_HOST_DONE_DATA + 8,
    TO_HOST_DONE_DATA + 12,
    TO_HOST_LIST_ERRORS,
    FROM_HOST_ENABLE,
    FROM_HOST_DOORBELL,
    FROM_HOST_STATUS,
    FROM_HOST_MASK,
    FROM_HOST_CLEAR,
    FROM_HOST_ERRORS_LOW,
    FROM_HOST_ERRORS_HIGH,
    FROM_HOST_LIST_ERRORS,
    FROM_HOST_DONE_LOW,
    FROM_HOST_DONE_HIGH,
    FROM_HOST_ABORT_LOW,
    FROM_HOST_ABORT_HIGH,
    FROM_HOST_DONE_DATA,
    FROM_HOST_DONE_DATA + 4,
    FROM_HOST_DONE_DATA + 8,
    FROM_HOST_DONE_DATA + 12,
    CHANNEL_REGISTERS(TO_HOST_CHANNEL),
    CHANNEL_REGISTERS(FROM_HOST_CHANNEL),
    0,
};

#define ENGINE(name)                                                                                        \
    .doorbell = name##_DOORBELL, .size = name##_CHANNEL + CHANNEL_SIZE,                                     \
    .source_low = name##_CHANNEL + CHANNEL_SOURCE_LOW, .source_high = name##_CHANNEL + CHANNEL_SOURCE_HIGH, \
    .target_low = name##_CHANNEL + CHANNEL_TARGET_LOW, .target_high = name##_CHANNEL + CHANNEL_TARGET_HIGH, \
    .done_low = name##_DONE_LOW, .done_high = name##_DONE_HIGH, .done_data = name##_DONE_DATA,              \
    .control = name##_CHANNEL + CHANNEL_CONTROL, .list_low = name##_CHANNEL + CHANNEL_LIST_LOW,             \
    .list_high = name##_CHANNEL + CHANNEL_LIST_HIGH, .status = name##_STATUS, .mask = name##_MASK,          \
    .clear = name##_CLEAR

const struct abi_family abi_family_wormhole = {
    .arch = "wormhole",
    .vendor_device = 0x1E52u | 0x401Eu << 16,
    .class_revision = 0x12000001, /* class: processing accelerator */
    .bar4_bytes = BAR4_BYTES_WORMHOLE,
    .config_bytes = CONFIG_BYTES,
    .niu = {.first = 0x1FD20000, .stride = 0x80000, .bytes = 0x1000},
    .small = {.window = WINDOW_2M,
              .first = WINDOW_2M_FIRST,
              .config_bytes = 8,
              .access_bytes = 8,
              .page_bits = 15,
              .multicast_bit = 40},
    .reset_pcs_in_config = true,
    .dma = {{.to_host = true, ENGINE(TO_HOST)}, {ENGINE(FROM_HOST)}},
    .dma_register = dma_registers,
    .dma_channels = CHANNELS,
    .dma_first = TO_HOST_CHANNEL,
    .dma_stride = CHANNEL_STRIDE,
    .dma_space = dma_space,
    .bar0 = bar0,
    .bar2 = bar2,
    .bar4 = bar4,
};
