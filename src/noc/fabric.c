/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "noc/parts.h"

#define NOCS 2u

static void init_niu(struct tf_fabric *fabric, struct tf_node *node, unsigned noc)
{
    struct tf_niu *niu = &node->niu[noc];
    *niu = (struct tf_niu){.fabric = fabric, .node = node, .noc = (uint8_t)noc};
    tf_niu_power_on(niu);
}

static void connect(struct tf_node *node)
{
    struct tf_tile *tile = node->tile;
    tile->port = (struct tf_noc_port){
        .load = tf_niu_load, .store = tf_niu_store, .niu = {&node->niu[0], &node->niu[1]}};
}

/* The three ports of a channel share its memory; the first one made has it. */
static bool attach_dram(struct tf_fabric *fabric, struct tf_node *node)
{
    for (unsigned i = 0; i < node->number; i++) {
        const struct tf_node *other = &fabric->node[i];
        if (other->kind == TF_NODE_DRAM && other->index == node->index) {
            node->dram = other->dram;
            node->unit = other->unit;
            return true;
        }
    }
    node->dram = tf_channel_create();
    return node->dram != NULL;
}

/* False: no memory. */
static bool attach_endpoint(struct tf_node *node)
{
    switch (node->kind) {
    case TF_NODE_PCIE:
        node->pcie = node->coord.x == TF_PCIE_COLUMN ? tf_pcie_create() : NULL;
        return node->pcie != NULL || node->coord.x != TF_PCIE_COLUMN;
    case TF_NODE_ARC:
        node->arc = tf_arc_create();
        return node->arc != NULL;
    case TF_NODE_ETH:
        node->eth = tf_eth_create(node->l1);
        return node->eth != NULL;
    default:
        return true;
    }
}

static bool init_node(struct tf_fabric *fabric, unsigned number, struct tf_tile *tiles, uint8_t *eth_l1)
{
    const struct tf_arch *arch = fabric->arch;
    struct tf_node *node = &fabric->node[number];
    unsigned x = number % arch->grid_x, y = number / arch->grid_x;
    uint8_t kind = arch->kind[number];
    *node = (struct tf_node){
        .coord = {(uint8_t)x, (uint8_t)y},
        .kind = kind,
        .index = tf_node_index(kind, x, y),
        .number = (uint16_t)number,
        .unit = (uint16_t)number,
    };
    if (kind == TF_NODE_TENSIX) {
        node->tile = &tiles[node->index];
        node->l1 = node->tile->l1;
        node->l1_bytes = arch->l1_bytes;
        fabric->tensix[y] |= 1u << x;
        connect(node);
    } else if (kind == TF_NODE_ETH) {
        node->l1 = eth_l1 + (size_t)node->index * arch->eth_l1_bytes;
        node->l1_bytes = arch->eth_l1_bytes;
    } else if (kind == TF_NODE_DRAM && !attach_dram(fabric, node)) {
        return false;
    }
    if (!attach_endpoint(node))
        return false;
    for (unsigned noc = 0; noc < NOCS; noc++)
        init_niu(fabric, node, noc);
    return true;
}

int tf_fabric_init(struct tf_fabric *fabric, const struct tf_arch *arch, const struct tf_config *config,
                   struct tf_tile *tiles, uint8_t *eth_l1)
{
    *fabric = (struct tf_fabric){
        .arch = arch,
        .config = *config,
        .shared = config->mode == TF_MODE_RELAXED,
    };
    for (unsigned number = 0; number < (unsigned)arch->grid_x * arch->grid_y; number++) {
        if (!init_node(fabric, number, tiles, eth_l1)) {
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
        if (node->unit == i)
            tf_channel_destroy(node->dram);
        free(node->pcie);
        free(node->arc);
        free(node->eth);
    }
    fabric->nodes = 0;
}

void tf_fabric_hash(struct tf_fabric *fabric, struct tf_hash *hash)
{
    for (unsigned i = 0; i < fabric->nodes; i++) {
        const struct tf_node *node = &fabric->node[i];
        for (unsigned noc = 0; noc < NOCS; noc++)
            tf_niu_hash(&node->niu[noc], hash);
        if (node->kind == TF_NODE_ETH)
            tf_hash_memory(hash, node->l1, node->l1_bytes);
        if (node->dram != NULL && node->unit == i)
            tf_channel_hash(node->dram, hash);
        if (node->pcie != NULL)
            tf_hash_bytes(hash, node->pcie, sizeof *node->pcie);
        if (node->arc != NULL)
            tf_arc_hash(node->arc, hash);
        if (node->eth != NULL)
            tf_eth_hash(node->eth, hash);
    }
}
