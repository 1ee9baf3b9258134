/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that know hwloc share. */
#ifndef POOL_CPUS_HWLOC_H
#define POOL_CPUS_HWLOC_H

#include <hwloc.h>

#include "pool/cpus.h"

/* Load the topology of the host, or the one that HWLOC_XMLFILE or HWLOC_SYNTHETIC describes. The caller destroys it.
   NULL: no memory, or a description that hwloc cannot read. Any thread. */
hwloc_topology_t tf_hwloc_load(void);

/* Find the CPUs of a topology, as tf_cpus_find() does. Any thread. */
int tf_cpus_find_in(hwloc_topology_t topology, struct tf_cpus *cpus);

/* The topology of the host that the process shares; NULL as above. It must not be changed. Any thread. */
hwloc_topology_t tf_hwloc_host(void);

#endif
