/* SPDX-License-Identifier: Apache-2.0 */
/* Requests that only the owner of a node may perform, and code that other workers overwrite: R6 and R7 of
   docs/design.md. */
#include "noc/relaxed/owner.h"
#include "noc/nodes/space.h"
#include "tile/riscv/code/code.h"

bool tf_node_has_code(const struct tf_node *node, uint64_t address, uint64_t bytes)
{
    if (node->tile == NULL || bytes == 0 || address >= node->l1_bytes)
        return false;
    uint64_t room = node->l1_bytes - address;
    return tf_code_in(&node->tile->code, (uint32_t)address, (uint32_t)(bytes < room ? bytes : room));
}

static bool has_code(const struct tf_node *node, struct tf_noc_range range)
{
    return range.bytes != 0 && tf_node_has_code(node, range.address, range.bytes);
}

bool tf_noc_needs_owner(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint16_t node)
{
    const struct tf_node *at = &fabric->node[node];
    enum tf_noc_place place = tf_node_place(at, request->address);
    if (place == TF_PLACE_DRAM || place == TF_PLACE_CORE_L1)
        return false;
    if (place != TF_PLACE_L1 || request->to_overlay)
        return true;
    const struct tf_noc_changes changes = tf_noc_changes(request);
    return changes.indirect || has_code(at, changes.data) || has_code(at, changes.header);
}

/* Tell the tile to drop decoded code in a range. Returns false if there is none. */
static bool drop_code(struct tf_node *node, struct tf_noc_range range)
{
    if (!has_code(node, range))
        return false;
    tf_tile_l1_written(node->tile, (uint32_t)range.address, (uint32_t)range.bytes);
    return true;
}

bool tf_noc_met_code(struct tf_fabric *fabric, const struct tf_noc_request *request, uint16_t node)
{
    struct tf_node *at = &fabric->node[node];
    const struct tf_noc_changes changes = tf_noc_changes(request);
    bool met = drop_code(at, changes.data);
    return drop_code(at, changes.header) || met;
}
