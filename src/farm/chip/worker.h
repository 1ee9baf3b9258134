/* SPDX-License-Identifier: Apache-2.0 */
/* The state of each site of a chip, and of each worker of a chip. */
#ifndef FARM_WORKER_H
#define FARM_WORKER_H

#include "farm/chip/arena.h"
#include "farm/chip/figures.h"
#include "farm/order/deliver.h"
#include "farm/epoch/epoch.h"
#include "farm/relaxed/state.h"

struct tf_site {
    /* Deterministic mode. Lists are of one epoch. */
    struct tf_inbox inbox;
    struct tf_noc_request *kept; /* issued here, keeping their answers; in order of issue */
    struct tf_bulk *long_writes; /* issued here; their sources are in this site's L1 */
    struct tf_bulk *long_reads;  /* issued here; their data return to this site's L1 */
    struct tf_bulk *uncaptured;  /* long_writes until the tile has reached the epoch's end, then NULL */
    struct tf_relaxed_site relaxed;
};

/* A worker of a chip: what a thread needs to visit sites of this one chip. A thread of the pool has one for each chip
   that it runs, and owns it while it works there. Aligned against false sharing. */
struct tf_worker {
    _Alignas(128) struct tf_noc_sink sink; /* first: the sink's functions find the worker by it */
    struct tf_chip *chip;
    struct tf_scratch *scratch; /* for the tile that it runs; NULL: none */
    unsigned number;
    unsigned next_site; /* the site that it visits next, if it knows; else TF_NO_SITE */
    bool trace_lost;    /* the host had no memory for some of the trace */
    bool refused;       /* the request that acts now was refused; set while requests are logged */
    struct tf_found found;
    struct tf_found_more more;
    _Alignas(64) struct tf_arena arena[2]; /* requests and responses, by the epoch's parity; relaxed mode: the first */
    struct tf_outbox outbox;
    struct tf_worker_figures figures;
    struct tf_relaxed_worker relaxed;
};

#endif
