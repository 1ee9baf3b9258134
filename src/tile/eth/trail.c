/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/eth/trail.h"

#include "tile/eth/parts.h"
#include "tile/path/path.h"
#include "tile/timing.h"

static struct tf_path *path_at(const struct tf_tile *tile)
{
    return tile->timing != NULL ? tf_path_of(tile->timing) : NULL;
}

void tf_eth_trail_command(struct tf_tile *tile, unsigned from, struct tf_eth_load *load)
{
    struct tf_path *path = path_at(tile);
    if (path == NULL || from >= TF_PATH_CORES || path->core[from] == NULL)
        return;
    load->core = (uint8_t)from;
    load->pc = tile->hart[from].pc;
    load->path = tf_path_past(&path->core[from]);
    path->lost |= load->path == NULL;
}

void tf_eth_trail_sent(struct tf_tile *tile, const struct tf_eth_load *load, struct tf_eth_packet *packet,
                       uint64_t began, uint64_t ended)
{
    struct tf_path *path = path_at(tile);
    if (path == NULL || load->path == NULL)
        return;
    struct tf_path_node *node = tf_path_new_at(path, load->path, TF_PATH_AT_LINK, load->queue);
    packet->path = node;
    path->lost |= node == NULL;
    if (node == NULL)
        return;
    node->core = load->core;
    path->lost |= !tf_path_spend(node, load->again ? TF_PATH_AGAIN : TF_PATH_TURN, 0, load->pc, began) ||
                  !tf_path_spend(node, TF_PATH_WIRE, 0, load->pc, ended) ||
                  !tf_path_spend(node, TF_PATH_LATENCY, 0, load->pc, packet->arrives);
}

/* The instruction that sent it. */
static uint32_t pc_of(const struct tf_path_node *node)
{
    return node->count != 0 ? node->entry[0].pc : 0;
}

void tf_eth_trail_taken(struct tf_tile *tile, struct tf_eth_packet *packet)
{
    struct tf_path *path = path_at(tile);
    struct tf_path_node *node = packet->path;
    if (path == NULL || node == NULL)
        return;
    node->to = path->at;
    node->to_chip = path->start->chip;
    path->lost |= !tf_path_spend(node, TF_PATH_LATENCY, 0, pc_of(node), tile->cycle);
}

void tf_eth_trail_acted(struct tf_tile *tile, struct tf_eth_packet *packet)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    struct tf_path *path = path_at(tile);
    if (path == NULL || packet->path == NULL)
        return;
    struct tf_path_node **by = &packet->path;
    tf_path_wrote_registers(path, arch->rx_first, arch->tx.queues * arch->tx.stride, by);
    if (packet->kind == TF_ETH_RAW) /* somewhere in a buffer */
        tf_path_wrote_l1(path, tile->l1, TF_PATH_NO_CORE, 0, tile->arch->l1_bytes, by);
    if (packet->kind == TF_ETH_L1)
        tf_path_wrote_l1(path, tile->l1, TF_PATH_NO_CORE, packet->to, packet->bytes, by);
    if (packet->kind == TF_ETH_REGISTER) {
        tf_path_set(&path->released, tf_path_past(by));
        tf_path_wrote_window(path, TF_PATH_NO_CORE, TF_PATH_ALL_WINDOWS, by);
    }
}
