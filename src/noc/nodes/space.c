/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node's address space, as seen over the NOC. Sources: BlackholeA0/NoC/MemoryMap.md (where the NIUs of each kind of
 * tile are), README.md, WormholeB0/NoC/Alignment.md (what is L1 and what is a register). The addresses are the chip's
 * (arch.h).
 */
#include <string.h>

#include "host/copy.h"
#include "host/shared.h"
#include "noc/nodes/arc.h"
#include "noc/nodes/dram.h"
#include "noc/nodes/dram_core.h"
#include "noc/nodes/pcie.h"
#include "noc/nodes/space.h"
#include "tile/mmio/map/map.h"
#include "tile/why.h"
#include "tile/observe.h"

static bool in_window(uint64_t address, uint64_t first, uint64_t bytes)
{
    return address - first < bytes;
}

/* Is it a register of one of the two NIUs? They lie higher by `high` than in a tile with cores. */
static bool in_nius(const struct tf_space_arch *space, uint64_t address, uint64_t high)
{
    return in_window(address, space->niu_first + high, 2 * space->niu_bytes);
}

/*
 * Is it a copy of the NIU of the requesting NOC? Such copies fill the end of the address space of a node without cores
 * and memory. L2CPUTile/MemoryMap.md and PCIExpressTile/README.md name the whole block, NoC/MemoryMap.md two copies in
 * it.
 */
static bool in_niu_copies(const struct tf_node *node, uint64_t address)
{
    const struct tf_space_arch *space = node->space;
    bool is_empty = node->kind == TF_NODE_EMPTY;
    uint64_t first = is_empty ? space->niu_copies_first - space->niu_high + space->niu_high_of_empty
                              : space->niu_copies_first;
    return in_window(address, first, space->niu_copies_bytes);
}

/* The NIUs of all ports of a channel (DRAMTile/README.md of Wormhole, "APB Peripherals"). */
static bool in_dram_nius(const struct tf_node *node, uint64_t address)
{
    const struct tf_space_arch *space = node->space;
    uint64_t offset = address - space->dram_nius_first;
    return node->dram != NULL && space->dram_nius_stride != 0 &&
           offset / space->dram_nius_stride < 2u * space->dram_nius_ports &&
           offset % space->dram_nius_stride < space->niu_repeat_bytes;
}

/* Bits 63:32 have no effect on registers of a DRAM tile. */
static bool in_core_registers(const struct tf_node *node, uint64_t address)
{
    uint32_t first = node->space->core_registers;
    return node->core != NULL && (uint32_t)address - first < (uint32_t)node->space->niu_first - first;
}

/* The offset in L1 of a DRAM tile's core. */
static inline uint64_t core_l1_at(const struct tf_node *node, uint64_t address)
{
    return address - node->space->core_l1_first;
}

static bool in_core_l1(const struct tf_node *node, uint64_t address)
{
    return node->core != NULL && core_l1_at(node, address) < node->space->core_l1_bytes;
}

static enum tf_noc_place dram_place(const struct tf_node *node, uint64_t address)
{
    if (node->space->niu_repeat_bytes != 0)
        return in_dram_nius(node, address) || in_niu_copies(node, address) ? TF_PLACE_REGISTER
               : address < node->dram_bytes                                ? TF_PLACE_DRAM
                                                                           : TF_PLACE_NOTHING;
    if (in_core_l1(node, address))
        return TF_PLACE_CORE_L1;
    if (in_nius(node->space, (uint32_t)address, 0) || in_core_registers(node, address))
        return TF_PLACE_REGISTER;
    return address < node->dram_bytes ? TF_PLACE_DRAM : TF_PLACE_NOTHING;
}

static bool in_dbi(const struct tf_node *node, uint64_t address)
{
    return node->pcie != NULL && in_window(address, node->space->pcie_dbi_first, node->space->pcie_dbi_bytes);
}

static bool in_apb(const struct tf_node *node, uint64_t address)
{
    return node->arc != NULL && in_window(address, node->space->arc_apb_first, node->space->arc_apb_bytes);
}

static bool in_arc_telemetry(const struct tf_node *node, uint64_t address)
{
    return node->arc != NULL && in_window(address, node->space->arc_telemetry_first, node->space->arc_telemetry_bytes);
}

/* A PCIe tile shows its NIU of the requesting NOC at a second place. */
static bool in_pcie_niu(const struct tf_node *node, uint64_t address)
{
    return node->kind == TF_NODE_PCIE && in_window(address, node->space->pcie_niu_first, node->space->pcie_niu_bytes);
}

/* The node whose memory an address of this node reaches. An ARC tile routes some addresses to DRAM (ARCTile/README.md
   of Wormhole). */
#define LEADS_TO(node, address) \
    (((node)->behind != NULL && (address) < (node)->space->arc_dram_bytes) ? (node)->behind : (node))

enum tf_noc_place tf_node_place(const struct tf_node *node, uint64_t address)
{
    if (address < node->l1_bytes)
        return TF_PLACE_L1;
    const struct tf_space_arch *space = node->space;
    switch (node->kind) {
    case TF_NODE_TENSIX:
    case TF_NODE_ETH:
        return address >= space->registers_first && address >> 32 == 0 ? TF_PLACE_REGISTER : TF_PLACE_NOTHING;
    case TF_NODE_DRAM: return dram_place(node, address);
    case TF_NODE_EMPTY:
        /* tt-umd uses these registers without the high bits on Wormhole, too. */
        return in_nius(space, address, space->niu_high_of_empty) || in_nius(space, address, 0) ||
                       in_niu_copies(node, address)
                   ? TF_PLACE_REGISTER
                   : TF_PLACE_NOTHING;
    default:
        if (LEADS_TO(node, address) != node)
            return dram_place(node->behind, address);
        return in_nius(space, address, space->niu_high) || in_niu_copies(node, address) || in_pcie_niu(node, address) ||
                       in_dbi(node, address) || in_apb(node, address)
                   ? TF_PLACE_REGISTER
                   : TF_PLACE_HIDDEN;
    }
}

static uint8_t *csm_at(const struct tf_node *node, uint64_t address)
{
    const struct tf_space_arch *space = node->space;
    return tf_arc_csm(node->arc) + address -
           (in_arc_telemetry(node, address) ? space->arc_telemetry_first : space->arc_csm_first);
}

/* DRAM ends where registers begin, and goes on after them. */
static uint64_t dram_room(const struct tf_node *node, uint64_t address)
{
    uint64_t first = node->core != NULL ? node->space->core_registers : node->space->niu_first;
    return address < first && first < node->dram_bytes ? first - address : node->dram_bytes - address;
}

uint64_t tf_node_room(const struct tf_node *node, uint64_t address)
{
    node = LEADS_TO(node, address);
    switch (tf_node_place(node, address)) {
    case TF_PLACE_L1: return node->l1_bytes - address;
    case TF_PLACE_CORE_L1: return node->space->core_l1_bytes - core_l1_at(node, address);
    case TF_PLACE_DRAM: return dram_room(node, address);
    case TF_PLACE_HIDDEN:
        if (node->arc != NULL && in_window(address, node->space->arc_csm_first, node->space->arc_csm_bytes))
            return node->space->arc_csm_first + node->space->arc_csm_bytes - address;
        if (in_arc_telemetry(node, address))
            return node->space->arc_telemetry_first + node->space->arc_telemetry_bytes - address;
        return tf_pcie_room(node, address);
    default: return 0;
    }
}

uint64_t tf_node_address(const struct tf_node *node, unsigned noc, uint64_t address)
{
    if (!tf_node_shows_other_memory(node, noc) || address >= node->space->core_l1_bytes)
        return address;
    return node->space->core_l1_first + address;
}

static bool put_core_l1(struct tf_node *node, uint64_t address, const void *data, uint64_t bytes, bool shared)
{
    if (!tf_channel_put(tf_dram_core_l1(node->core), address, data, bytes, shared))
        return false;
    if (node->tile != NULL)
        tf_node_code_written(node, (uint32_t)address, (uint32_t)bytes);
    return true;
}

bool tf_node_put(struct tf_node *node, uint64_t address, const void *data, uint64_t bytes, bool shared)
{
    node = LEADS_TO(node, address);
    if (node->dram != NULL)
        return address < node->dram_bytes ? tf_channel_put(node->dram, address, data, bytes, shared)
                                          : put_core_l1(node, core_l1_at(node, address), data, bytes, shared);
    if (node->pcie != NULL) {
        tf_pcie_put(node, address, data, bytes);
        return true;
    }
    if (node->arc != NULL) {
        memcpy(csm_at(node, address), data, bytes);
        return true;
    }
    if (shared)
        tf_shared_put(node->l1 + address, data, bytes);
    else
        tf_copy_in(node->l1 + address, data, bytes);
    if (node->tile != NULL)
        tf_node_code_written(node, (uint32_t)address, (uint32_t)bytes);
    return true;
}

void tf_node_get(const struct tf_node *node, uint64_t address, void *data, uint64_t bytes, bool shared)
{
    node = LEADS_TO(node, address);
    if (node->dram != NULL && address >= node->dram_bytes)
        tf_channel_get(tf_dram_core_l1(node->core), core_l1_at(node, address), data, bytes, shared);
    else if (node->dram != NULL)
        tf_channel_get(node->dram, address, data, bytes, shared);
    else if (node->pcie != NULL)
        tf_pcie_get(node, address, data, bytes);
    else if (node->arc != NULL)
        memcpy(data, csm_at(node, address), bytes);
    else if (shared)
        tf_shared_get(data, node->l1 + address, bytes);
    else
        tf_copy_between(data, node->l1 + address, bytes);
}

static bool has_both_nius(const struct tf_node *node)
{
    return node->kind == TF_NODE_DRAM || node->kind == TF_NODE_ETH || node->off;
}

/* Find a NIU of a port of the node's channel. Returns NULL if the address is none. */
static struct tf_niu *dram_niu(struct tf_node *node, unsigned number)
{
    struct tf_fabric *fabric = node->niu[0].fabric;
    unsigned row = (number / 2 + node->space->dram_nius_row[node->index]) % node->space->dram_nius_ports;
    for (unsigned i = 0; i < fabric->nodes; i++)
        if (fabric->node[i].dram == node->dram && row-- == 0)
            return &fabric->node[i].niu[number % 2];
    return NULL;
}

/* Find the NIU that a register address of a tile without cores reaches. In most tiles each NOC reaches its own NIU, at
   both addresses. */
static struct tf_niu *niu_at(struct tf_node *node, unsigned noc, uint64_t address)
{
    const struct tf_space_arch *space = node->space;
    if (in_pcie_niu(node, address) || (space->niu_repeat_bytes != 0 && in_niu_copies(node, address)))
        return &node->niu[noc];
    if (in_dram_nius(node, address))
        return dram_niu(node, (uint32_t)((address - space->dram_nius_first) / space->dram_nius_stride));
    for (unsigned i = 0; node->arc != NULL && i < 2; i++)
        if (in_window(address, space->arc_niu_first + i * space->arc_niu_stride, space->arc_niu_bytes))
            return &node->niu[i];
    bool is_documented = in_nius(space, (uint32_t)address, 0) && !in_dbi(node, address);
    if (is_documented && has_both_nius(node))
        noc = (uint32_t)address >= space->niu_first + space->niu_bytes;
    return is_documented || in_niu_copies(node, address) ? &node->niu[noc] : NULL;
}

const char *tf_node_why_nothing(const struct tf_node *node, uint8_t *category)
{
    *category = TF_FAULT_UNSUPPORTED;
    switch (node->kind) {
    case TF_NODE_PCIE:
        return node->pcie == NULL ? "nothing is connected to this PCIe tile"
                                  : "no host memory at this address: it is outside the eight windows, or no callback "
                                    "provides it";
    case TF_NODE_ARC: return "of the ARC tile, tilefarm has only CSM, the reset unit, the NIUs and the path to DRAM";
    case TF_NODE_L2CPU: return "of an L2CPU tile, tilefarm has only the NIU";
    case TF_NODE_SECURITY: return "of the security tile, tilefarm has only the NIU";
    default:
        *category = TF_FAULT_UNDEFINED;
        return node->off != 0 ? "the tile is fused off on this board; only its NIUs work" : "unmapped address";
    }
}

static const char *why_refused(struct tf_tile *tile, enum tf_access access, uint8_t *category)
{
    *category = TF_FAULT_UNDEFINED;
    if (access == TF_ACCESS_BLOCK)
        return "the access would have to wait, and NOC requests cannot wait";
    *category = (uint8_t)tf_mmio_why_category(tile);
    const char *why = tf_mmio_why(tile);
    return why != NULL ? why : "the register refuses the access";
}

/* Report an access over the NOC to a register of a tile with cores to its observer. Returns the outcome. */
static inline const char *outcome(struct tf_tile *tile, uint32_t address, enum tf_access access, uint8_t *category)
{
    if (__builtin_expect(access != TF_ACCESS_OK, 0))
        return why_refused(tile, access, category);
    if (TF_HOOK(tile->observer) != NULL)
        tf_observe_written(tile, address, 4, TF_WROTE_OTHER);
    return NULL;
}

static uint32_t niu_offset(const struct tf_node *node, uint64_t address)
{
    if (node->space->niu_repeat_bytes != 0)
        return (uint32_t)(address % node->space->niu_repeat_bytes);
    return (uint32_t)(address % (in_apb(node, address) ? node->space->arc_niu_bytes : node->space->niu_bytes));
}

static const char *const no_register = "the tile has no register at this address";

static const char *load_endpoint(struct tf_node *node, uint64_t address, uint32_t *value)
{
    if (in_dbi(node, address))
        return tf_pcie_load(node->pcie, address - node->space->pcie_dbi_first, value);
    if (node->core != NULL)
        return tf_dram_core_load(node, (uint32_t)address - node->space->core_registers, value);
    if (node->arc != NULL)
        return tf_arc_load(node->arc, (uint32_t)(address - node->space->arc_apb_first), value);
    return no_register;
}

static const char *store_endpoint(struct tf_node *node, uint64_t address, uint32_t value)
{
    if (in_dbi(node, address))
        return tf_pcie_store(node->pcie, address - node->space->pcie_dbi_first, value);
    if (node->core != NULL)
        return tf_dram_core_store(node, (uint32_t)address - node->space->core_registers, value);
    if (node->arc != NULL)
        return tf_arc_store(node->arc, (uint32_t)(address - node->space->arc_apb_first), value);
    return no_register;
}

static const char *load_from_tile(struct tf_tile *tile, uint64_t address, uint32_t *value, uint8_t *category)
{
    bool pure;
    enum tf_access access = tf_mmio_load(tile, TF_FROM_NOC, (uint32_t)address, 4, value, &pure);
    return outcome(tile, (uint32_t)address, access, category);
}

const char *tf_node_load(struct tf_node *node, unsigned noc, uint64_t address, uint32_t *value, uint8_t *category)
{
    bool pure;
    *value = 0;
    node = LEADS_TO(node, address);
    if (tf_node_place(node, address) != TF_PLACE_REGISTER)
        return tf_node_why_nothing(node, category);
    if (node->tile != NULL)
        return load_from_tile(node->tile, address, value, category);
    struct tf_niu *niu = niu_at(node, noc, address);
    *category = TF_FAULT_UNIMPLEMENTED;
    if (niu == NULL) {
        const char *why = load_endpoint(node, address, value);
        return why == NULL && node->tile != NULL ? load_from_tile(node->tile, address, value, category) : why;
    }
    if (niu->fabric->port.load(niu, niu_offset(node, address), value, &pure) != TF_ACCESS_OK)
        return "NoC/MemoryMap.md does not describe this register of a NIU";
    return NULL;
}

static const char *store_to_tile(struct tf_tile *tile, uint64_t address, uint32_t value, uint8_t *category)
{
    enum tf_access access = tf_mmio_store(tile, TF_FROM_NOC, (uint32_t)address, 4, value);
    return outcome(tile, (uint32_t)address, access, category);
}

const char *tf_node_store(struct tf_node *node, unsigned noc, uint64_t address, uint32_t value, uint8_t *category)
{
    node = LEADS_TO(node, address);
    if (tf_node_place(node, address) != TF_PLACE_REGISTER)
        return tf_node_why_nothing(node, category);
    if (node->tile != NULL)
        return store_to_tile(node->tile, address, value, category);
    struct tf_niu *niu = niu_at(node, noc, address);
    *category = TF_FAULT_UNIMPLEMENTED;
    if (niu == NULL) {
        const char *why = store_endpoint(node, address, value);
        return why == NULL && node->tile != NULL ? store_to_tile(node->tile, address, value, category) : why;
    }
    if (niu->fabric->port.store(niu, niu_offset(node, address), value, TF_FROM_NOC, 0) != TF_ACCESS_OK)
        return "the NIU refuses the store";
    return NULL;
}

uint8_t *tf_node_memory(struct tf_node *node, uint64_t address, uint64_t bytes, bool write, bool *zero)
{
    *zero = false;
    node = LEADS_TO(node, address);
    if (bytes == 0 || bytes > tf_node_room(node, address) || node->pcie != NULL || node->arc != NULL)
        return NULL;
    if (node->dram != NULL && address >= node->dram_bytes)
        return tf_channel_memory(tf_dram_core_l1(node->core), core_l1_at(node, address), bytes, write, zero);
    if (node->dram != NULL)
        return tf_channel_memory(node->dram, address, bytes, write, zero);
    return node->l1 + address;
}

/* The kind of place that holds a range. */
enum range { RANGE_EMPTY, RANGE_MEMORY, RANGE_WORD, RANGE_END, RANGE_REFUSED };

/* Read the answer of an access that has no further effect. */
static const int range_error[] = {[RANGE_EMPTY] = TF_OK, [RANGE_END] = TF_ERANGE, [RANGE_REFUSED] = TF_EACCESS};

static enum range classify(const struct tf_node *node, uint64_t address, uint64_t bytes)
{
    if (bytes == 0)
        return RANGE_EMPTY;
    uint64_t room = tf_node_room(node, address);
    if (room != 0)
        return bytes <= room ? RANGE_MEMORY : RANGE_END;
    if (tf_node_place(node, address) == TF_PLACE_NOTHING)
        return RANGE_END;
    return tf_noc_is_word(address, bytes) ? RANGE_WORD : RANGE_REFUSED;
}

int tf_node_put_range(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, const void *data,
                      uint64_t bytes)
{
    enum range range = classify(node, address, bytes);
    if (range == RANGE_MEMORY)
        return tf_node_put(node, address, data, bytes, fabric->rules.shared) ? TF_OK : TF_ENOMEM;
    if (range != RANGE_WORD)
        return range_error[range];
    uint32_t value;
    uint8_t category;
    memcpy(&value, data, sizeof value);
    return tf_node_store(node, 0, address, value, &category) == NULL ? TF_OK : TF_EACCESS;
}

int tf_node_get_range(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, void *data, uint64_t bytes)
{
    enum range range = classify(node, address, bytes);
    if (range == RANGE_MEMORY) {
        tf_node_get(node, address, data, bytes, fabric->rules.shared);
        return TF_OK;
    }
    if (range != RANGE_WORD)
        return range_error[range];
    uint32_t value;
    uint8_t category;
    if (tf_node_load(node, 0, address, &value, &category) != NULL)
        return TF_EACCESS;
    memcpy(data, &value, sizeof value);
    return TF_OK;
}
