/* SPDX-License-Identifier: Apache-2.0 */
/* The sites of a chip for its workers. */
#ifndef FARM_PLAN_H
#define FARM_PLAN_H

#include "noc/noc.h"
#include "pool/share.h"

struct tf_tiles;

/* Say which sites a chip has, and with which of them each worker begins. Borders enclose the tiles that the topology
   gives each worker. DRAM channels are spread, because they are neighbours and have much work. Only the calling thread
   may visit sites with access to the host. Sets all fields but cpus and turn. */
void tf_share_plan_make(struct tf_share_plan *plan, const struct tf_topology *topology, const struct tf_fabric *fabric,
                        const struct tf_tiles *tiles);

#endif
