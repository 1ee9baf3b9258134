/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel says of CPUs, in control groups and in lists of sysfs, and their order. Any thread. */
#ifndef FARM_HOST_CPUS_H
#define FARM_HOST_CPUS_H

#include <stdbool.h>

/* The number of workers that may run at a time under a quota of CPUs, rounded up. */
unsigned tf_cpus_whole(double quota);

/* A CPU that a worker may have. */
struct tf_cpu_place {
    int cpu, node; /* node: -1 if the host does not say */
    unsigned rank; /* its place among the CPUs of its core: 0 unless the host has hyperthreads */
};

/* Sort places into the order in which workers take them. All cores get a worker before a core gets a second one. Within
   that, workers fill a NUMA node before they begin the next one: they share memory with their neighbours. */
void tf_cpus_order(struct tf_cpu_place *place, unsigned places);

/* The CPUs that control groups grant to a process; 0: no limit. membership: its groups, as in /proc/self/cgroup. root:
   where groups are, /sys/fs/cgroup. */
double tf_cpus_quota(const char *membership, const char *root);

/* Which of the numbers below `count` a file of sysfs lists: "0-3,8". Returns false if there is no such file. */
bool tf_cpus_listed(const char *path, bool *listed, unsigned count);

#endif
