/* SPDX-License-Identifier: Apache-2.0 */
#include "system_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "tile/arch.h"
#include "tile/mmio/reset.h"

#define STRIDE (1ull << 36) /* of BARs, from device to device */
#define WINDOW_BYTES 0x200000u
#define CLOCK_CYCLES 2000u
#define TRIES 100000u

/* Where Blackhole's firmware takes a program for E0 (tt-metal, eth_fw_api.h), and names of its Ethernet tiles. */
#define MAILBOX 0x7D000u
#define RELEASE_CORE 0xCA110002u
#define ETH_X 20u
#define ETH_Y 25u

/* Queues of requests to chips without PCIe. They are in an Ethernet tile that has no link in the known systems, as
   programs of the others hold the firmware. */
#define GATEWAY_PORT 5u
#define REQUESTS 0x11080u
#define ANSWERS 0x11200u
#define WRITTEN 0x20u
#define TAKEN 0x30u
#define ENTRIES 0x40u
#define ENTRY_WORDS 8u
#define BUFFERS 0x12000u
#define BLOCK_BYTES 1024u
#define WR_REQ (1u << 0)
#define RD_REQ (1u << 2)
#define BLOCK (1u << 6)

static const struct tf_core_reset resets[TF_TILE_CORES] = {TF_TENSIX_RESETS};

struct peer peer;

static struct {
    struct api api;
    struct tf_system *system;
    const struct tf_cluster *cluster;
    unsigned device;                   /* that the calls of the driver reach */
    unsigned by[TF_CLUSTER_CHIPS_MAX]; /* the device next to a chip without PCIe */
    struct tf_coord gateway;
} library;

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

/* ---- Chips with PCIe ---- */

static void device_reads(uint64_t address, void *data, uint32_t bytes)
{
    library.api.read(address + library.device * STRIDE, data, bytes);
}

static void device_writes(uint64_t address, const void *data, uint32_t bytes)
{
    library.api.write(address + library.device * STRIDE, data, bytes);
}

static const struct api *device(unsigned chip)
{
    static struct api api;
    api = library.api;
    api.read = device_reads;
    api.write = device_writes;
    library.device = chip;
    return &api;
}

static uint32_t access_device(unsigned chip, struct tf_coord node, uint64_t address, void *data, uint32_t bytes,
                              bool writes)
{
    const uint32_t left = (uint32_t)(WINDOW_BYTES - address % WINDOW_BYTES), part = bytes < left ? bytes : left;
    if (writes)
        put(device(chip), node.x, node.y, address, data, part);
    else
        get(device(chip), node.x, node.y, address, data, part);
    return part;
}

/* ---- Chips without PCIe ---- */

static uint32_t queue_word(unsigned chip, uint32_t address)
{
    return get32(device(library.by[chip]), library.gateway.x, library.gateway.y, address);
}

static void await(unsigned chip, uint32_t address, uint32_t value)
{
    for (unsigned i = 0; queue_word(chip, address) != value; i++) {
        if (i == TRIES)
            fail("a request to a chip without PCIe is not served");
        peer_clock(CLOCK_CYCLES);
    }
}

/* Put a request into the queue, and wait until the tile takes it. Its data are in the entry, or in the buffer. */
static void request(unsigned chip, struct tf_coord node, uint64_t address, const void *data, uint32_t bytes,
                    bool writes)
{
    const struct api *by = device(library.by[chip]);
    const struct tf_coord at = library.gateway;
    const struct tf_cluster_chip *to = &library.cluster->chip[chip];
    const uint32_t written = queue_word(chip, REQUESTS + WRITTEN), slot = written & 3;
    const uint64_t target = address | (uint64_t)node.x << 36 | (uint64_t)node.y << 42 | (uint64_t)to->x << 48 |
                            (uint64_t)to->y << 54;
    uint32_t entry[ENTRY_WORDS] = {0};
    memcpy(entry, &target, sizeof target);
    entry[2] = bytes;
    entry[3] = (writes ? WR_REQ : RD_REQ) | (bytes > 4 ? BLOCK : 0);
    entry[4] = to->rack | (uint32_t)to->shelf << 8;
    if (writes && bytes > 4)
        put(by, at.x, at.y, BUFFERS + slot * BLOCK_BYTES, data, bytes);
    else if (writes)
        memcpy(&entry[2], data, sizeof entry[2]);
    put(by, at.x, at.y, REQUESTS + ENTRIES + slot * sizeof entry, entry, sizeof entry);
    put32(by, at.x, at.y, REQUESTS + WRITTEN, (written + 1) & 7);
    await(chip, REQUESTS + TAKEN, (written + 1) & 7);
}

static uint32_t access_remote(unsigned chip, struct tf_coord node, uint64_t address, void *data, uint32_t bytes,
                              bool writes)
{
    const uint32_t before = queue_word(chip, ANSWERS + WRITTEN), slot = before & 3;
    const uint32_t part = bytes < 32 || address % 32 != 0 ? 4 : bytes < BLOCK_BYTES ? bytes & ~31u : BLOCK_BYTES;
    request(chip, node, address, data, part, writes);
    if (writes)
        return part;
    await(chip, ANSWERS + WRITTEN, (before + 1) & 7);
    get(device(library.by[chip]), library.gateway.x, library.gateway.y,
        part > 4 ? BUFFERS + slot * BLOCK_BYTES : ANSWERS + ENTRIES + slot * ENTRY_WORDS * 4 + 8, data, part);
    put32(device(library.by[chip]), library.gateway.x, library.gateway.y, ANSWERS + TAKEN, (before + 1) & 7);
    return part;
}

void peer_access(unsigned chip, struct tf_coord node, uint64_t address, void *data, size_t bytes, bool writes)
{
    uint8_t *here = data;
    for (size_t done = 0; done < bytes;) {
        const uint32_t left = (uint32_t)(bytes - done);
        done += library.cluster->chip[chip].pcie ? access_device(chip, node, address + done, here + done, left, writes)
                                                 : access_remote(chip, node, address + done, here + done, left, writes);
    }
}

void peer_put32(unsigned chip, struct tf_coord node, uint64_t address, uint32_t value)
{
    peer_access(chip, node, address, &value, sizeof value, true);
}

/* ---- Names ---- */

unsigned peer_chip(const struct tf_chip *chip)
{
    unsigned number = 0;
    while (tf_system_chip(library.system, number) != chip)
        number++;
    return number;
}

static uint8_t name_of(const uint8_t *table, unsigned first, unsigned raw)
{
    unsigned name = first;
    while (name + 1 < TF_TRANSLATE_ENTRIES && table[name] != raw)
        name++;
    return (uint8_t)name;
}

struct tf_coord peer_tensix(const struct tf_chip *chip, struct tf_coord raw)
{
    const struct tf_coords_arch *coords = &tf_chip_arch(chip)->coords;
    if (library.api.wormhole)
        return raw;
    return (struct tf_coord){name_of(coords->x, coords->name[TF_NODE_TENSIX].x_first, raw.x),
                             name_of(coords->y, coords->name[TF_NODE_TENSIX].y_first, raw.y)};
}

struct tf_coord peer_eth(unsigned port, struct tf_coord raw)
{
    return library.api.wormhole ? raw : (struct tf_coord){(uint8_t)(ETH_X + port), ETH_Y};
}

/* ---- Cores ---- */

static uint32_t jump(uint32_t from, uint32_t to)
{
    const uint32_t by = to - from;
    return 0x6Fu | (by & 0xFF000u) | (by >> 11 & 1) << 20 | (by >> 1 & 0x3FF) << 21 | (by >> 20 & 1) << 31;
}

/* Wormhole's other cores have their reset PCs in the coprocessor's configuration; a jump does as well. */
void peer_start_tensix(unsigned chip, struct tf_coord node, unsigned core, unsigned cores, uint32_t pc)
{
    uint32_t held = 0;
    if (resets[core].pc != 0 && !library.api.wormhole)
        peer_put32(chip, node, TF_DEBUG_ADDRESS(resets[core].pc), pc);
    else if (pc != resets[core].fixed_pc)
        peer_put32(chip, node, resets[core].fixed_pc, jump(resets[core].fixed_pc, pc));
    if (!library.api.wormhole) {
        peer_put32(chip, node, TF_DEBUG_ADDRESS(TF_DEBUG_TRISC_RESET_PC_OVERRIDE), cores >> TF_CORE_T0 & 7);
        peer_put32(chip, node, TF_DEBUG_ADDRESS(TF_DEBUG_NCRISC_RESET_PC_OVERRIDE), cores >> TF_CORE_NC & 1);
    }
    for (unsigned i = 0; i <= TF_CORE_T2; i++)
        if ((cores >> i & 1) == 0)
            held |= 1u << resets[i].bit;
    peer_put32(chip, node, TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0), held);
}

/* A core of Wormhole begins at 0, Blackhole's firmware has a mailbox for programs. */
void peer_start_eth(unsigned chip, struct tf_coord node, uint32_t pc)
{
    if (library.api.wormhole) {
        peer_put32(chip, node, TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0), 1u << resets[TF_CORE_B].bit);
        peer_put32(chip, node, 0, jump(0, pc));
        peer_put32(chip, node, TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0), 0);
        return;
    }
    peer_put32(chip, node, MAILBOX + 4, pc);
    peer_put32(chip, node, MAILBOX, RELEASE_CORE);
}

/* ---- Runs ---- */

void peer_load(const char *path, struct tf_system *system)
{
    library.system = system;
    library.cluster = tf_system_cluster(system);
    for (unsigned i = 0; i < 2 * library.cluster->links; i++) {
        const struct tf_cluster_end *end = library.cluster->link[i / 2].end;
        if (library.cluster->chip[end[i % 2].chip].pcie)
            library.by[end[1 - i % 2].chip] = end[i % 2].chip;
    }
    tf_port_coord(library.cluster->arch, GATEWAY_PORT, &library.gateway);
    if (api_load(&library.api, path) != 0)
        exit(1);
}

void peer_begin(void)
{
    api_begin(&library.api);
    peer.count = 0;
    peer.begun = true;
}

void peer_end(void)
{
    peer.begun = false;
    library.api.exit();
}

void peer_clock(uint32_t cycles)
{
    library.api.clock(cycles);
}
