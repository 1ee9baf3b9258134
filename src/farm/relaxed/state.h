/* SPDX-License-Identifier: Apache-2.0 */
/* The state of relaxed mode: of a chip, a site and a worker. docs/design.md states the memory model: invariants
   R1 to R9. */
#ifndef FARM_RELAXED_STATE_H
#define FARM_RELAXED_STATE_H

#include <stdatomic.h>

#include "pool/claim.h"
#include "pool/queue.h"
#include "pool/wait.h"
#include "noc/noc.h"
#include "tilefarm/tilefarm_chip.h"

struct tf_site;
struct tf_worker;

/* A request or a response that a site's owner must perform. Both NULL: a barrier (R7). */
struct tf_inbound {
    struct ck_stack_entry entry;
    struct tf_noc_request *request;
    struct tf_noc_response *response;
    uint16_t node;   /* where the request acts */
    uint16_t source; /* node whose later requests wait for this one (R2); TF_NO_NODE: none */
};

_Static_assert(sizeof(struct tf_inbound) % _Alignof(struct tf_noc_request) == 0, "a request follows it");

struct tf_relaxed_site {
    struct tf_queue handed; /* requests and responses that only the owner may perform */
    atomic_bool woken;
    struct tf_claim claim;                                /* of the worker that visits the site */
    atomic_bool quiet;                                    /* its tile is quiet */
    _Atomic uint64_t visited_slice, visited_instructions; /* of the tile when the last visit ended, for progress */
    /* The pages of L1 whose writes may end the quiet tile's wait (tf_tile_awaits()); 0 while the tile is not quiet. It
       has a cache line of its own, because workers that look for woken sites read the fields before it. */
    _Alignas(128) _Atomic uint64_t awaited;
    /* Requests of this site's tile that were handed to other owners and have not acted yet (R2). */
    _Atomic uint32_t held;
    uint16_t held_at; /* the one site that they wait at; TF_NO_NODE: several */
};

struct tf_relaxed_worker {
    struct tf_atomic_event *event;   /* for on_atomic: of the atomic that acts now */
    struct tf_noc_gathered gathered; /* counters to move (R8); empty between visits */
    unsigned owned;                  /* the site that it visits; TF_NO_NODE: none */
    uint32_t visit_slices;           /* the most slices of a visit */
    bool sent;                       /* in this round it has visited a tile that sent a request */
    bool talks;                      /* tf_relaxed.talkers includes it */
    uint64_t idle_spins, idle_sleeps;
    unsigned share_count;
    uint16_t share[TF_NODES_MAX]; /* the sites whose home worker it is */
};

/* State of one run. */
struct tf_relaxed {
    const struct tf_run_options *options;
    bool reports;                      /* worker 0 reports the progress, or checks the limit of time */
    uint64_t limit;                    /* the slice at which tiles stop */
    unsigned workers;                  /* how many take part */
    atomic_int end;                    /* enum tf_end; -1: running */
    _Alignas(64) atomic_uint talkers;  /* workers whose tiles sent requests, in this round or the last one */
    _Alignas(64) atomic_uint idle;     /* workers that found nothing to do */
    _Alignas(64) struct tf_count bell; /* it advances when a site is woken while a worker is idle */
};

/* Set the sink of a worker, once: requests act when they are issued. */
void tf_relaxed_sink(struct tf_worker *worker);

/* Free the requests and responses that were handed to a site and not performed before the run ended. */
void tf_relaxed_drop(struct tf_site *site);

/* Run a chip in relaxed mode until something ends the run. Calling thread only. */
enum tf_end tf_run_relaxed(struct tf_chip *chip, const struct tf_run_options *options);

#endif
