/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delivery of an epoch's requests and responses in deterministic mode. deliver.c says what the order is.
 * A function that takes a worker runs on that worker; worker_0, and functions without one, on the calling thread.
 */
#ifndef FARM_DELIVER_H
#define FARM_DELIVER_H

#include "farm/order/mail.h"
#include "pool/sites.h"
#include "noc/noc.h"

struct tf_epochs;
struct tf_flight;
struct tf_sharing;
struct tf_site;
struct tf_worker;
struct tf_workers;

/* The requests that came in at a site in an epoch, in delivery order. */
struct tf_inbox {
    struct tf_noc_entry *oldest;
    bool gathered; /* false: they still lie in the workers' mail */
};

/* A long request of a site. */
struct tf_bulk {
    struct tf_bulk *next;
    struct tf_noc_request *request;
};

/* A worker's mail for a site: sent by this worker, taken by the worker that visits the site. */
enum tf_mail_kind {
    TF_MAIL_REQUESTS,
    TF_MAIL_RESPONSES,   /* of even epochs */
    TF_MAIL_RESPONSES_1, /* of odd epochs */
    TF_MAILS,
};

/*
 * A worker's requests of an epoch of at most one longest slice, while all requests have one target and short data.
 * Each worker that lets requests act has a list. So no worker sorts requests by target, and no phase visits the
 * targets. Rows `atomic1-inc-spread` and `ping-pong` pay for it.
 */
struct tf_chains {
    bool may_open;                  /* constant: no observer follows each request, and none acts serially */
    bool open;                      /* requests join them in this epoch */
    bool disordered;                /* a tile came after a later one */
    const struct tf_node *acted_at; /* node of the chained request that has acted last on this worker */
    uint64_t requests;              /* the worker's figure when they were opened */
    const uint16_t *owner;          /* tf_epochs.owner */
    struct tf_chain {
        struct tf_noc_entry *first, **end;
    } to[TF_WORKERS_MAX]; /* by owner */
};

/* The requests and responses that a worker sends. */
struct tf_outbox {
    struct tf_arena *arena;                                   /* memory for this epoch */
    struct tf_mail *answers;                                  /* this epoch's responses, by site */
    _Alignas(64) struct tf_mail mail[TF_MAILS][TF_NODES_MAX]; /* by target site */
    /* Of the tile that runs. */
    struct tf_site *site;
    struct tf_tile *tile;
    uint64_t next_key;                                 /* key of the next request, without the slice's part */
    unsigned first;                                    /* the site whose requests act first in this epoch */
    const struct tf_noc_request *copied;               /* a read whose data have landed in this visit; see carry() */
    struct tf_noc_request **kept_end;                  /* where to link the next request that keeps its answer */
    struct tf_multicast *multicasts, **multicasts_end; /* of all its tiles in this epoch, in order of issue */
    struct tf_chains chains; /* it is long, and the fields that a visit touches stay in few lines */
    /* Of a chip with flights (flight/flight.h): what has been issued and has arrived in this epoch, and the request
       that acts now. */
    struct tf_flight *flights, **flights_end, *arrived, *acting;
    uint64_t arrival; /* the cycle in which the present one has arrived */
};

/* Let the requests of a worker's tiles wait for the end of the epoch. Once. */
void tf_deliver_sink(struct tf_worker *worker);

/* Begin an epoch. Forget the requests that the worker sent in the last epoch but one. */
void tf_deliver_begin(struct tf_worker *worker);

/* The tiles of an epoch are about to run. slice_ticks: in the longest slice. owner: by node, the worker that lets
   chained requests act; NULL: worker 0 runs all tiles. */
void tf_deliver_run(struct tf_epochs *epochs, const struct tf_workers *workers, uint32_t slice_ticks,
                    const uint16_t *owner);

/* After the run phase: the number of the epoch's requests, if all are in chains. 0: they are in mail now, or there are
   none. */
uint64_t tf_deliver_chained(struct tf_epochs *epochs, const struct tf_workers *workers);

/* The sites at which tf_execute_chains() lets all chained requests act: one site of each owner. */
struct tf_sites tf_chain_sites(const struct tf_sharing *sharing);

/* Let the chained requests act whose targets have the owner of this site. A tf_visit. */
void tf_execute_chains(struct tf_worker *worker, unsigned site);

/* A key: longest slices since the epoch began (20 bits), rotated site (12 bits), order of issue (32 bits). */
static inline uint64_t tf_key_of_slice(uint64_t slice)
{
    return slice << 44;
}

static inline uint64_t tf_key_of_site(uint64_t rotated)
{
    return rotated << 32;
}

/* The key of the next request of the tile that a worker runs. */
uint64_t tf_deliver_key(struct tf_worker *worker);

/* The mail with the responses of epoch number `epoch`. */
static inline enum tf_mail_kind tf_responses_of(uint64_t epoch)
{
    return epoch & 1 ? TF_MAIL_RESPONSES_1 : TF_MAIL_RESPONSES;
}

/* The responses that are to land at a site, as two sorted lists. */
struct tf_due {
    struct tf_noc_entry *mailed;       /* sent by other sites */
    const struct tf_noc_request *kept; /* requests of this site that keep their answers */
};

/* Look at the responses of the last epoch for a site. They stay where they are. While no worker runs. */
struct tf_due tf_responses_due(struct tf_worker *worker_0, unsigned site);

/* Take the next response in delivery order. *made: room for one that is made from its request. Returns NULL if there
   are no more. */
const struct tf_noc_response *tf_due_next(struct tf_due *due, struct tf_noc_response *made);

/* The number of them. */
static inline uint32_t tf_due_count(struct tf_due due)
{
    struct tf_noc_response made;
    uint32_t count = 0;
    while (tf_due_next(&due, &made) != NULL)
        count++;
    return count;
}

/* Look at the responses that other sites have sent to a site in this epoch. */
struct tf_noc_entry *tf_answers_due(struct tf_worker *worker, unsigned site);

/* Collect the multicasts of all workers, after the run phase. */
void tf_deliver_gather(struct tf_epochs *epochs, const struct tf_workers *workers);

/* Gather the requests for a site into its inbox, in delivery order. */
void tf_inbox_fill(struct tf_worker *worker, unsigned site);

/* Land the last epoch's responses at a site: responses that its requests keep, and responses in mail. They are reported
   to the log and the race checker. */
void tf_land_merged(struct tf_worker *worker, unsigned site);

/* Let all requests for a site act. A tf_visit. */
void tf_execute_site(struct tf_worker *worker, unsigned site);

/* The delivery order taken literally: all requests act, or all responses land, one after another.
   sources: sites with long writes. */
void tf_execute_serial(struct tf_worker *worker_0, const struct tf_sites *sources);
void tf_land_serial(struct tf_worker *worker_0);

#endif
