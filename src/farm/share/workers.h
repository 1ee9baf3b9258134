/* SPDX-License-Identifier: Apache-2.0 */
/* The workers of a chip. Threads come from the pool of the process; struct tf_worker is what one of them needs for this
   chip. */
#ifndef FARM_WORKERS_H
#define FARM_WORKERS_H

#include "pool/team.h"

struct tf_workers {
    struct tf_worker *worker; /* by number; 0 is the calling thread */
    unsigned count;
    struct tf_team team; /* the threads */
};

#endif
