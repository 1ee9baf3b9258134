/* SPDX-License-Identifier: Apache-2.0 */
/* The host's CPUs and NUMA nodes, and where workers go. */
#ifndef FARM_TOPOLOGY_H
#define FARM_TOPOLOGY_H

#include <stdbool.h>

#include "tilefarm/tilefarm.h"

/* Find the CPUs that this process may use, and place the workers on them. threads: 0 for one worker a core, at most one
   a tile. pin: pin workers to CPUs, if the host permits. tiles: to spread over the workers. Any thread. */
void tf_topology_find(unsigned threads, bool pin, unsigned tiles, struct tf_topology *topology);

/* Bind the L1 of tiles to the NUMA node of their home worker. */
void tf_topology_bind(struct tf_chip *chip);

#endif
