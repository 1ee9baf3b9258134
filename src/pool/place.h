/* SPDX-License-Identifier: Apache-2.0 */
/* How many workers a chip gets, and on which CPUs. */
#ifndef POOL_PLACE_H
#define POOL_PLACE_H

#include <stdbool.h>

#include "pool/cpus.h"
#include "tilefarm/tilefarm_chip.h"

/* What a chip asks for. */
struct tf_place_request {
    unsigned threads; /* 0: one worker per core, and at most one per tile */
    unsigned tiles;   /* to spread over the workers */
    bool pin;         /* pin workers to CPUs, if the host permits */
    bool yield; /* look for other threads that want a CPU. With 0 threads, leave CPUs to them, and do not pin. With
                         another number, do not pin if the other threads lack CPUs */
};

/* Place workers on the CPUs that this process may use. Any thread. */
void tf_place_workers(const struct tf_cpus *cpus, const struct tf_place_request *request, struct tf_topology *topology);

/* Find the CPUs, and place workers on them. Without memory there is one worker. Any thread. */
void tf_place_on_host(const struct tf_place_request *request, struct tf_topology *topology);

/* The most workers that chips may have together, if they leave the choice to the pool. */
unsigned tf_place_most(const struct tf_topology *topology);

/* The cores left for this process, at least 1, if this many other threads want a CPU. cores: those that the process may
   use. online: CPUs of the host. Other threads share the CPUs that the process may not use. */
unsigned tf_place_free(unsigned cores, unsigned online, unsigned others);

#endif
