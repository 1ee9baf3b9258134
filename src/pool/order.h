/* SPDX-License-Identifier: Apache-2.0 */
/* The order in which workers take CPUs. Any thread. */
#ifndef POOL_ORDER_H
#define POOL_ORDER_H

#include "pool/cpus.h"

/* Sort CPUs into the order in which workers take them. All cores get a worker before a core gets a second one, and fast
   cores before slow ones. Within that, workers fill a NUMA node before they begin the nearest other one, and a cache
   before the next one: they share memory with their neighbours. Sets the fields turn. */
void tf_cpus_order(struct tf_cpus *cpus);

/* The distance of two NUMA nodes, given by the numbers of the operating system. Where the host does not say, nodes are
   as far from each other as from unknown ones. */
float tf_cpus_distance(const struct tf_cpus *cpus, int node_a, int node_b);

#endif
