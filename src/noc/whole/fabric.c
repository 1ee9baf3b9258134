/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "host/zeroed.h"
#include "noc/nodes/arc.h"
#include "noc/coords.h"
#include "noc/nodes/dram.h"
#include "noc/nodes/dram_core.h"
#include "noc/whole/fabric.h"
#include "noc/requests/initiator.h"
#include "noc/requests/layout_registers.h"
#include "noc/niu.h"
#include "host/saved.h"
#include "noc/niu_layout.h"
#include "noc/nodes/pcie.h"
#include "noc/rules.h"
#include "noc/sent.h"

#define NOCS 2u

/* The functions of the NIUs of a family, without their NIUs. layout: NULL for Blackhole's. */
static struct tf_noc_port port_of(const struct tf_niu_arch *layout)
{
    if (layout == NULL)
        return (struct tf_noc_port){.load = tf_niu_load, .store = tf_niu_store};
    return (struct tf_noc_port){.load = tf_niu_layout_load, .store = tf_niu_layout_store};
}

/* The NIU is zero. */
static void init_niu(struct tf_fabric *fabric, struct tf_node *node, unsigned noc)
{
    struct tf_niu *niu = &node->niu[noc];
    niu->fabric = fabric;
    niu->node = node;
    niu->noc = (uint8_t)noc;
    niu->flit_log2 = fabric->arch->noc.flit_log2;
    niu->packet_bytes = fabric->arch->noc.packet_bytes;
    niu->cmd_ctrl = (uint8_t)tf_niu_layout_place(fabric->arch->niu, TF_NIU_CMD_CTRL);
    niu->writes_back = fabric->arch->niu != NULL && fabric->arch->niu->writes_back;
    if (node->tile != NULL)
        niu->sent = fabric->sent + (node->number * NOCS + noc) * TF_NIU_SENDERS;
    tf_niu_power_on(niu);
}

void tf_fabric_add_core(struct tf_fabric *fabric, struct tf_node *node, struct tf_tile *tile)
{
    struct tf_node *first = &fabric->node[node->site];
    tile->port = fabric->port;
    tile->fast = (struct tf_fast){.map = &fabric->fast, .words = (uint32_t *)(void *)node};
    for (unsigned noc = 0; noc < NOCS; noc++) {
        tile->port.niu[noc] = &node->niu[noc];
        node->niu[noc].sent = fabric->sent + (node->number * NOCS + noc) * TF_NIU_SENDERS;
    }
    node->tile = tile;
    first->ports_run |= node != first;
}

static void connect(struct tf_fabric *fabric, struct tf_node *node)
{
    const struct tf_arch *arch = fabric->arch;
    struct tf_tile *tile = node->tile;
    const bool enters = tile->index == 0; /* words of all tiles are at equal places */
    tile->port = fabric->port;
    tile->fast = (struct tf_fast){.map = &fabric->fast, .words = (uint32_t *)(void *)node};
    for (unsigned noc = 0; noc < NOCS; noc++) {
        tile->port.niu[noc] = &node->niu[noc];
        if (!enters)
            continue;
        if (arch->niu != NULL)
            tf_niu_layout_fast(&node->niu[noc], arch->niu, noc, &tile->fast, &fabric->fast);
        else
            tf_port_register(&tile->fast, &fabric->fast, noc, node->niu[noc].initiator[0], node->niu[noc].counter);
    }
}

/* The ports of a channel share its memory. The first port owns it. */
static bool attach_dram(struct tf_fabric *fabric, struct tf_node *node)
{
    node->dram_bytes = fabric->arch->dram.channel_bytes;
    if (node->space->core_l1_bytes != 0) {
        node->core = tf_dram_core_create(node);
        if (node->core == NULL)
            return false;
    }
    for (unsigned i = 0; i < node->number; i++) {
        const struct tf_node *other = &fabric->node[i];
        if (other->kind == TF_NODE_DRAM && other->index == node->index) { /* a port of the same channel */
            node->dram = other->dram;
            node->site = other->site;
            return true;
        }
    }
    node->dram = tf_channel_create(fabric->arch->dram.channel_bytes);
    if (node->dram == NULL)
        tf_dram_core_destroy(node->core); /* a node without memory is not part of the fabric */
    return node->dram != NULL;
}

/* The first port of channel 0 serves the ARC tile too, so that requests to both have one order. */
static void attach_behind(struct tf_fabric *fabric, struct tf_node *node)
{
    for (unsigned i = 0; i < node->number && fabric->arch->space.arc_dram_bytes != 0 && node->behind == NULL; i++)
        if (fabric->node[i].kind == TF_NODE_DRAM && fabric->node[i].index == 0) {
            node->behind = &fabric->node[i];
            node->site = node->behind->site;
        }
}

/* Returns false if the host has no memory. */
static bool attach_endpoint(const struct tf_arch *arch, struct tf_node *node)
{
    switch (node->kind) {
    case TF_NODE_PCIE:
        node->pcie = node->number == arch->pcie_node ? tf_pcie_create(&arch->pcie) : NULL;
        return node->pcie != NULL || node->number != arch->pcie_node;
    case TF_NODE_ARC:
        node->arc = arch->arc.telemetry != NULL ? tf_arc_create(arch) : NULL;
        return node->arc != NULL || arch->arc.telemetry == NULL;
    default: return true;
    }
}

/* Find the tile of a node. The table has the tiles of one kind after the other, each kind in the order of its nodes.
   Returns NULL for a node without cores. */
static struct tf_tile *tile_at(const struct tf_arch *arch, unsigned number, struct tf_tile *tiles)
{
    struct tf_tile *first = tiles;
    for (unsigned kind = 0; kind < TF_TILE_KINDS; first += arch->tile[kind++].tiles) {
        if (arch->tile[kind].tiles == 0 || arch->tile[kind].node != arch->place[number].kind)
            continue;
        for (unsigned i = 0; i < number; i++)
            first += arch->place[i].kind == arch->place[number].kind;
        return first;
    }
    return NULL;
}

/*
 * The firmware of an Ethernet tile describes the tile and its board: struct chip_info_t in tt-umd's blackhole_eth.hpp.
 * From bundle 18.12 on, its logical number counts only tiles that are not fused off.
 */
static void tell_eth(const struct tf_arch *arch, const struct tf_node *node)
{
    uint8_t below = (uint8_t)__builtin_popcount(~arch->board.eth_off & ((1u << node->index) - 1));
    const struct {
        uint8_t board_type, location, number, logical_number;
        uint32_t board_high, board_low;
    } info = {0, 0, node->index, below, arch->board.product << 4, 1};
    if (arch->eth_info != 0)
        memcpy(node->l1 + arch->eth_info, &info, sizeof info);
}

static bool init_node(struct tf_fabric *fabric, unsigned number, struct tf_tile *tiles)
{
    const struct tf_arch *arch = fabric->arch;
    struct tf_node *node = &fabric->node[number];
    unsigned x = number % arch->grid_x, y = number / arch->grid_x;
    uint8_t kind = arch->place[number].kind;
    *node = (struct tf_node){
        .space = &arch->space,
        .coord = {(uint8_t)x, (uint8_t)y},
        .kind = kind,
        .off = arch->off[number],
        .index = arch->place[number].index,
        .number = (uint16_t)number,
        .site = (uint16_t)number,
    };
    node->tile = tile_at(arch, number, tiles);
    if (node->tile != NULL) {
        node->l1 = node->tile->l1;
        node->l1_bytes = node->tile->arch->l1_bytes;
    }
    if (kind == TF_NODE_TENSIX)
        fabric->tensix[y] |= 1u << x;
    if (kind == TF_NODE_ETH)
        tell_eth(arch, node);
    if (kind == TF_NODE_DRAM && !attach_dram(fabric, node))
        return false;
    if (!attach_endpoint(arch, node))
        return false;
    if (kind == TF_NODE_ARC)
        attach_behind(fabric, node);
    for (unsigned noc = 0; noc < NOCS; noc++)
        init_niu(fabric, node, noc);
    if (node->tile != NULL)
        connect(fabric, node);
    return true;
}

/* The size of the table with the packet that each initiator decoded last. */
size_t tf_fabric_sent_bytes(const struct tf_arch *arch)
{
    return tf_arch_nodes(arch) * NOCS * TF_NIU_SENDERS * sizeof(struct tf_noc_sent);
}

int tf_fabric_init(struct tf_fabric *fabric, const struct tf_arch *arch, const struct tf_noc_rules *rules,
                   struct tf_tile *tiles, void *sent)
{
    fabric->arch = arch;
    fabric->rules = *rules;
    fabric->port = port_of(arch->niu);
    unsigned nodes = tf_arch_nodes(arch);
    fabric->sent = sent;
    fabric->others = tf_zeroed_take(TF_NIU_OTHERS * tf_fabric_sent_bytes(arch)); /* few programs touch these */
    for (unsigned number = 0; number < nodes; number++) {
        if (!init_node(fabric, number, tiles)) {
            tf_fabric_fini(fabric);
            return TF_ENOMEM;
        }
        fabric->nodes++;
    }
    return TF_OK;
}

void tf_fabric_fini(struct tf_fabric *fabric)
{
    for (unsigned i = 0; i < fabric->nodes; i++) {
        struct tf_node *node = &fabric->node[i];
        if (node->site == i)
            tf_channel_destroy(node->dram);
        tf_dram_core_destroy(node->core);
        free(node->pcie);
        free(node->arc);
    }
    fabric->nodes = 0;
    if (fabric->others != NULL)
        tf_zeroed_give(fabric->others, TF_NIU_OTHERS * tf_fabric_sent_bytes(fabric->arch));
    fabric->sent = fabric->others = NULL;
}

void tf_fabric_hash(struct tf_fabric *fabric, struct tf_hash *hash)
{
    for (unsigned i = 0; i < fabric->nodes; i++) {
        const struct tf_node *node = &fabric->node[i];
        for (unsigned noc = 0; noc < NOCS; noc++)
            tf_niu_hash(&node->niu[noc], hash);
        if (node->dram != NULL && node->site == i)
            tf_channel_hash(node->dram, hash);
        if (node->core != NULL)
            tf_dram_core_hash(node->core, hash);
        if (node->pcie != NULL)
            tf_pcie_hash(node->pcie, hash);
        if (node->arc != NULL)
            tf_arc_hash(node->arc, hash);
    }
}

void tf_node_state(struct tf_saved *saved, struct tf_node *node)
{
    for (unsigned noc = 0; noc < NOCS; noc++)
        tf_niu_state(saved, &node->niu[noc]);
    if (node->dram != NULL && node->site == node->number)
        tf_channel_state(saved, node->dram);
    if (node->core != NULL)
        tf_dram_core_state(saved, node->core);
    if (node->pcie != NULL)
        TF_SAVED_SPAN(saved, node->pcie, iatu, arch);
    if (node->arc != NULL)
        tf_arc_state(saved, node->arc);
}
