/* SPDX-License-Identifier: Apache-2.0 */
/* What workers find in their visits. */
#ifndef FARM_CHIP_FOUND_H
#define FARM_CHIP_FOUND_H

#include <stdbool.h>
#include <stdint.h>

#include "farm/chip/worker.h"
#include "noc/noc.h"

static inline bool tf_has_found(const struct tf_worker *worker, unsigned what)
{
    return (worker->found.what & what) != 0;
}

/* Add a site to a set of worker->more, which the bit `what` makes valid. */
static inline void tf_find_more(struct tf_worker *worker, unsigned what, struct tf_sites *set, unsigned site)
{
    if (!tf_has_found(worker, what))
        *set = (struct tf_sites){{0}};
    worker->found.what |= what;
    tf_sites_add(set, site);
}

/* Note a node whose tile has entries in its fault log. */
static inline void tf_find_faults(struct tf_worker *worker, const struct tf_node *node)
{
    if (node->tile != NULL && node->tile->faults.count != 0)
        tf_find_more(worker, TF_FOUND_FAULTED, &worker->more.faulted, node->number);
}

/* Did a worker take part in the epoch of this number, from 1? */
static inline bool tf_took_part(const struct tf_worker *worker, uint64_t epoch)
{
    return worker->found.epoch == epoch;
}

#endif
