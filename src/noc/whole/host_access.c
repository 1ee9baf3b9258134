/* SPDX-License-Identifier: Apache-2.0 */
#include "noc/whole/eth_service.h"
#include "noc/whole/host_access.h"
#include "noc/nodes/space.h"
#include "tile/eth/eth.h"

bool tf_node_read_acts(const struct tf_node *node, uint64_t address)
{
    if (node->tile == NULL)
        return false;
    if (node->core != NULL)
        return tf_node_place(node, address) == TF_PLACE_REGISTER;
    return address >= node->l1_bytes || (node->kind == TF_NODE_ETH && tf_eth_read_acts(node->tile, address));
}

static bool is_written(const struct tf_node *node, uint32_t page)
{
    return node->host_wrote[page / 64] >> page % 64 & 1;
}

/*
 * The host is about to write to a range of L1. Programs come to a chip in this way, in many short pieces, and a page
 * fault costs as much time as dozens of them (row `recorded-calls`).
 */
static void map_l1(struct tf_node *node, uint32_t address, uint32_t bytes)
{
    uint32_t first = address / TF_ZEROED_PAGE_BYTES, end = (address + bytes - 1) / TF_ZEROED_PAGE_BYTES + 1;
    while (first != end && is_written(node, first))
        first++;
    while (first != end && is_written(node, end - 1))
        end--;
    if (first == end)
        return;
    tf_zeroed_touch(node->l1 + first * TF_ZEROED_PAGE_BYTES, (size_t)(end - first) * TF_ZEROED_PAGE_BYTES);
    for (uint32_t page = first; page != end; page++)
        node->host_wrote[page / 64] |= 1ull << page % 64;
}

/* Does a range lie in L1, and is it not empty? */
static bool is_l1(const struct tf_node *node, uint64_t address, uint64_t bytes)
{
    return bytes != 0 && tf_node_in_l1(node, address, bytes);
}

int tf_node_write(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, const void *data, uint64_t bytes)
{
    const bool to_l1 = is_l1(node, address, bytes);
    if (to_l1)
        map_l1(node, (uint32_t)address, (uint32_t)bytes);
    int error = tf_node_put_range(fabric, node, address, data, bytes);
    if (to_l1 && node->kind == TF_NODE_ETH) {
        tf_eth_host_wrote(node->tile, address, bytes);
        tf_eth_serve(fabric, node, address, bytes);
    }
    return error;
}

int tf_node_read(struct tf_fabric *fabric, struct tf_node *node, uint64_t address, void *data, uint64_t bytes)
{
    int error = tf_node_get_range(fabric, node, address, data, bytes);
    if (node->kind == TF_NODE_ETH && is_l1(node, address, bytes))
        tf_eth_host_read(node->tile, address);
    return error;
}
