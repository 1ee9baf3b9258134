/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of a site. */
#include "farm/saved/site.h"

#include "farm/chip/tiles.h"
#include "host/saved.h"
#include "noc/nodes/dram_core.h"
#include "noc/whole/fabric.h"
#include "noc/noc.h"
#include "tile/run/saved.h"

void tf_site_node_state(struct tf_saved *saved, const struct tf_fabric *fabric, struct tf_node *node)
{
    tf_node_state(saved, node);
    if (node->core == NULL || !tf_dram_core_has_tile(node->core) || saved->why != NULL)
        return;
    const char *why = node->tile == NULL ? fabric->cores->make(fabric->cores->user, node) : NULL;
    if (why != NULL)
        tf_saved_fail(saved, why);
    else
        tf_tile_state(saved, node->tile);
}

void tf_site_state(struct tf_saved *saved, struct tf_fabric *fabric, unsigned site)
{
    for (unsigned i = site; i < fabric->nodes; i++) /* a site has the number of its first node */
        if (tf_site_of(fabric, i) == site)
            tf_site_node_state(saved, fabric, &fabric->node[i]);
    struct tf_tile *tile = fabric->node[site].tile;
    if (tile != NULL && tf_dram_tile(&fabric->node[site]) == NULL)
        tf_tile_state(saved, tile);
}
