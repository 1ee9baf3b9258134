/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/share/plan.h"

#include "farm/chip/tiles.h"

_Static_assert(TF_NODES_MAX <= TF_SITES_MAX, "each node may be a site");

/* Find the home worker of a node's site. tensix: Tensix tiles of the chip. */
static void find_home(struct tf_share_plan *plan, const struct tf_node *node, unsigned tensix)
{
    const struct tf_topology *topology = plan->topology;
    const struct tf_tile *tile = node->tile;
    uint16_t *home = &plan->home[node->number];
    *home = (uint16_t)((node->dram != NULL ? node->index : node->number) % topology->workers);
    if (node->dram != NULL && node->site == node->number) /* the first port of a channel */
        tf_sites_add(&plan->spread, node->number);
    if (node->pcie != NULL) {
        tf_sites_add(&plan->callers, node->number);
        *home = 0;
    }
    for (unsigned i = 0; tile != NULL && tile->index < tensix && i < topology->workers; i++)
        if (tile->index >= topology->worker[i].tile_first)
            *home = (uint16_t)i;
}

void tf_share_plan_make(struct tf_share_plan *plan, const struct tf_topology *topology, const struct tf_fabric *fabric,
                        const struct tf_tiles *tiles)
{
    *plan = (struct tf_share_plan){.topology = topology, .sites = fabric->nodes, .nodes = fabric->nodes};
    for (unsigned i = 0; i < fabric->nodes; i++) {
        plan->site_of[i] = (uint16_t)tf_site_of(fabric, i);
        find_home(plan, &fabric->node[i], tiles->tensix);
    }
    for (unsigned i = 1; i < topology->workers; i++)
        plan->border[i] = tf_node_number(fabric->arch, tiles->tile[topology->worker[i].tile_first].coord);
}
