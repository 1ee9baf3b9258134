/* SPDX-License-Identifier: Apache-2.0 */
/* The host's CPUs and NUMA nodes, and where workers go. */
#ifndef FARM_TOPOLOGY_H
#define FARM_TOPOLOGY_H

#include <stdbool.h>

#include "tilefarm/tilefarm.h"

struct tf_tiles;

/* Find the CPUs that this process may use, and place the workers on them. threads: 0 for one worker per core, and at
   most one per tile. pin: pin workers to CPUs, if the host permits. yield: look for other threads that want a CPU. With
   0 threads, leave CPUs to them, and do not pin. With another number, do not pin if the other threads lack CPUs. tiles:
   to spread over the workers. Any thread. */
void tf_topology_find(unsigned threads, bool pin, bool yield, unsigned tiles, struct tf_topology *topology);

/* The cores left for this process, at least 1, if this many other threads want a CPU. cores: those that the process may
   use. online: CPUs of the host. Other threads share the CPUs that the process may not use. */
unsigned tf_topology_free(unsigned cores, unsigned online, unsigned others);

/* Bind the L1 of tiles to the NUMA node of their home worker. */
void tf_topology_bind(const struct tf_topology *topology, const struct tf_tiles *tiles);

#endif
