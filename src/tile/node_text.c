/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/node_text.h"
#include "tile/numbered.h"
#include "tilefarm/tilefarm_chip.h"

#include <stdio.h>

char *tf_node_text(const struct tf_arch *arch, struct tf_coord node, char text[TF_NODE_TEXT_BYTES])
{
    static const char *const kinds[] = {
        [TF_NODE_EMPTY] = "node", [TF_NODE_TENSIX] = "tile", [TF_NODE_ETH] = "port",    [TF_NODE_DRAM] = "DRAM",
        [TF_NODE_PCIE] = "PCIe",  [TF_NODE_ARC] = "ARC",     [TF_NODE_L2CPU] = "L2CPU", [TF_NODE_SECURITY] = "security",
    };
    const struct tf_place *place = node.x < arch->grid_x && node.y < arch->grid_y
                                       ? &arch->place[node.y * arch->grid_x + node.x]
                                       : NULL;
    enum tf_node_kind kind = place != NULL ? (enum tf_node_kind)place->kind : TF_NODE_EMPTY;
    if (kind == TF_NODE_TENSIX || kind == TF_NODE_ETH || kind == TF_NODE_DRAM || kind == TF_NODE_L2CPU)
        snprintf(text, TF_NODE_TEXT_BYTES, "%s %u (%u,%u)", kinds[kind],
                 kind == TF_NODE_ETH ? tf_arch_port(arch, node) : place->index, node.x, node.y);
    else
        snprintf(text, TF_NODE_TEXT_BYTES, "%s (%u,%u)", kinds[kind], node.x, node.y);
    return text;
}

char *tf_tile_text(const struct tf_arch *arch, unsigned tile, char text[TF_NODE_TEXT_BYTES])
{
    struct tf_coord node;
    if (tf_numbered_coord(tf_arch_or_default(arch), tile, &node))
        return tf_node_text(arch, node, text);
    snprintf(text, TF_NODE_TEXT_BYTES, "tile %u", tile);
    return text;
}
