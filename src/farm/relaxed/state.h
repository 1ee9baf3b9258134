/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of relaxed mode: of a run, a site and a worker.
 *
 * Relaxed mode has no epochs. A worker visits a site that has work, runs its tile for some slices, and leaves it. A
 * request acts when it is issued, on the worker that runs its tile, by atomic operations of the host.
 *
 * The worker that visits a site owns it until the visit ends. docs/design.md ("Relaxed mode") states the memory model
 * as invariants R1 to R10. R1 rests on noc/atomic.h and the host atomics in tile/, R2 on tf_relaxed_site.held. A test
 * that names an invariant fails when the code breaks that invariant.
 */
#ifndef FARM_RELAXED_STATE_H
#define FARM_RELAXED_STATE_H

#include <stdatomic.h>

#include "pool/claim.h"
#include "pool/queue.h"
#include "pool/wait.h"
#include "noc/noc.h"
#include "tilefarm/tilefarm_chip.h"

struct tf_chip;
struct tf_eth_packet;
struct tf_host_statistics;
struct tf_relaxed_sent;
struct tf_site;
struct tf_team;
struct tf_worker;

/* What a site's owner must perform: a request, a response, or what a link has handed over. All NULL: a barrier (R7). */
struct tf_inbound {
    _Alignas(16) struct ck_stack_entry entry;
    struct tf_noc_request *request;
    struct tf_noc_response *response;
    struct tf_relaxed_sent *sent;
    uint16_t node;   /* where the request acts */
    uint16_t source; /* node whose later requests wait for this one (R2); TF_NO_NODE: none */
};

_Static_assert(sizeof(struct tf_inbound) % _Alignof(struct tf_noc_request) == 0, "a request follows it");

/* An Ethernet tile's end of a link (R10). The owner of its site uses all but the last member. */
struct tf_relaxed_port {
    struct tf_chip *chip; /* where it is */
    unsigned site;
    struct tf_relaxed_port *peer;
    uint64_t packets, bytes; /* that it has handed over; data of these */
    uint64_t arrived;        /* packets that it has received */
    uint32_t taken;          /* of these, in the present visit */
    uint64_t until;          /* tick up to which time passes for its tile, though that is quiet */
    /* Packets that it has handed over, and that the peer has not answered. The peer's owner lowers it. */
    _Alignas(64) _Atomic uint32_t under_way;
};

struct tf_relaxed_site {
    struct tf_queue handed; /* requests and responses that only the owner may perform */
    atomic_bool woken;
    struct tf_claim claim;                                /* of the worker that visits the site */
    atomic_bool quiet;                                    /* its tile is quiet */
    _Atomic uint64_t visited_slice, visited_instructions; /* of the tile when the last visit ended, for progress */
    struct tf_relaxed_port *port;                         /* NULL: no link ends here. Constant in a run */
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

/* State of one run, of one chip or of all chips of a system. */
struct tf_relaxed {
    /* Of whoever runs it. */
    struct tf_chip *const *chip;
    unsigned chips;
    const struct tf_callbacks *call; /* for on_progress */
    struct tf_host_statistics *host; /* times of the run and of on_progress */
    struct tf_team *team;
    atomic_bool *stop; /* the run is to end */
    const struct tf_run_options *options;
    unsigned until_chip; /* which has the word of the options */
    uint64_t limit;      /* the slice at which tiles stop */
    /* Of the run. */
    bool reports;                      /* worker 0 reports the progress, or checks the limit of time */
    unsigned workers;                  /* how many take part */
    atomic_int end;                    /* enum tf_end; -1: running */
    _Alignas(64) atomic_uint talkers;  /* workers whose tiles sent requests, in this round or the last one */
    _Alignas(64) atomic_uint idle;     /* workers that found nothing to do */
    struct tf_claim passing;           /* of the idle worker that lets time pass, or ends the run as quiet */
    _Alignas(64) struct tf_count bell; /* it advances when a site is woken while a worker is idle */
};

#endif
