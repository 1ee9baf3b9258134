/* SPDX-License-Identifier: Apache-2.0 */
/* The host's CPUs and NUMA nodes, and where workers go. */
#ifndef FARM_TOPOLOGY_H
#define FARM_TOPOLOGY_H

#include <stdbool.h>

#include "tilefarm/tilefarm.h"

struct tf_tiles;

/* Find the CPUs that this process may use, and place the workers on them. threads: 0 for one worker per core, and at
   most one per tile. pin: pin workers to CPUs, if the host permits. yield: look for other threads that want a CPU.
   With 0 threads, leave CPUs to them, and do not pin then. With a number, do not pin if they lack CPUs. tiles: to
   spread over the workers. Any thread. */
void tf_topology_find(unsigned threads, bool pin, bool yield, unsigned tiles, struct tf_topology *topology);

/* The cores left for this process, at least 1, when this many other threads want a CPU. cores: the process may use
   them. online: CPUs of the host; other threads share those that the process may not use. */
unsigned tf_topology_free(unsigned cores, unsigned online, unsigned others);

/* The number of workers that may run at a time under a quota of CPUs, rounded up. */
unsigned tf_topology_whole(double quota);

/* A CPU that a worker may have. */
struct tf_cpu_place {
    int cpu, node; /* node: -1 if the host does not say */
    unsigned rank; /* its place among the CPUs of its core: 0 unless the host has hyperthreads */
};

/* Sort places into the order in which workers take them. All cores get a worker before a core gets a second one. Within
   that, workers fill a NUMA node before they begin the next one: they share memory with their neighbours. */
void tf_topology_order(struct tf_cpu_place *place, unsigned places);

/* The CPUs that control groups grant to a process; 0: no limit. membership: its groups, as in /proc/self/cgroup. root:
   where groups are, /sys/fs/cgroup. */
double tf_topology_quota(const char *membership, const char *root);

/* Which of the numbers below `count` a file of sysfs lists: "0-3,8". False: there is no such file. */
bool tf_topology_list(const char *path, bool *listed, unsigned count);

/* Bind the L1 of tiles to the NUMA node of their home worker. */
void tf_topology_bind(const struct tf_topology *topology, const struct tf_tiles *tiles);

#endif
