/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/numbered.h"

bool tf_numbered_coord(const struct tf_arch *arch, unsigned number, struct tf_coord *coord)
{
    if (tf_tile_coord(arch, number, coord) == TF_OK)
        return true;
    for (unsigned i = 0; i < tf_arch_nodes(arch); i++) {
        *coord = (struct tf_coord){.x = (uint8_t)(i % arch->grid_x), .y = (uint8_t)(i / arch->grid_x)};
        if (arch->place[i].kind == TF_NODE_ETH && tf_numbered_tile(arch, *coord) == (int)number)
            return true;
    }
    return false;
}

int tf_numbered_tile(const struct tf_arch *arch, struct tf_coord coord)
{
    int number = (int)arch->tile[TF_TILE_TENSIX].tiles;
    if (tf_node_kind(arch, coord) != TF_NODE_ETH)
        return tf_tile_index(arch, coord) >= 0 ? tf_tile_index(arch, coord) : -1;
    for (unsigned i = 0; i < tf_node_number(arch, coord); i++)
        number += arch->place[i].kind == TF_NODE_ETH;
    return number;
}
