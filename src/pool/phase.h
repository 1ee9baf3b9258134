/* SPDX-License-Identifier: Apache-2.0 */
/* A phase that several workers share: which sites they visit. */
#ifndef POOL_PHASE_H
#define POOL_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#include "pool/sites.h"

struct tf_worker; /* what a worker needs for its visits; the pool does not look into it */

/* Visit one site. The worker owns the site until the function returns. */
typedef void tf_visit(struct tf_worker *worker, unsigned site);

/* A shared phase, as the calling thread describes it. Workers read it on the line that wakes them. */
struct tf_shared_phase {
    struct tf_sites sites;
    tf_visit *visit;
    uint8_t kind;     /* the caller's */
    uint8_t sequence; /* number of the shared phase, modulo 256 */
    uint8_t first;    /* site at which the order of visits begins */
    uint8_t reserved; /* last sites of a share, which only its owner takes */
    uint8_t chunk;    /* sites that the owner takes from its share in one chunk */
    bool cpu_time;    /* workers report processor time, not wall time */
};

_Static_assert(sizeof(struct tf_shared_phase) <= 48 && TF_SITES_MAX <= 256, "it fits its line, a site a byte");

#endif
