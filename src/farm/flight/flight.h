/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flight: a packet on its way, with the time at which it is due. A request acts then, and its answer, a flight of its
 * own, lands. Who sends flights decides when they are due: src/farm/transit computes it from a table of durations,
 * src/farm/explore draws it. What is equal for both is here. Usual runs need no flights: all packets of an epoch are
 * due at its end (order/deliver.c), and act and land by the same functions (order/observed.h).
 */
#ifndef FARM_FLIGHT_H
#define FARM_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/noc.h"

struct tf_worker;

enum tf_flight_what {
    TF_FLIGHT_REQUEST,
    TF_FLIGHT_ANSWER,
    TF_FLIGHT_SENT, /* no packet: the last flit of a write leaves its NIU, and the counters of that say so */
    TF_FLIGHTS
};

struct tf_flight {
    struct tf_flight *next;
    uint64_t ready;       /* when it may leave its NIU: hundredths of a cycle, or a key of delivery order */
    uint64_t stream;      /* hundredths of a cycle that its source needs for its data, if longer than a link's */
    uint64_t due;         /* the cycle in which it arrives, or the epoch */
    struct tf_flight *of; /* of an answer, or of TF_FLIGHT_SENT: the request. Of a copy: the multicast. */
    uint32_t uses;        /* flights that need this one, itself included */
    uint16_t from, to;    /* nodes */
    uint8_t what;         /* enum tf_flight_what */
    uint8_t noc;
};

/* What a chip that explores has drawn for a request. Times are numbers of epochs. */
struct tf_drawn {
    uint64_t part;            /* when half of a write lands; UINT64_MAX: it lands whole */
    uint64_t capture;         /* when a write reads its source */
    uint64_t channel;         /* of tf_noc_channel() */
    struct tf_noc_part parts; /* the part that lands first */
    uint32_t ordinal;
    uint32_t ctrl;
    uint16_t actor;
    uint8_t act;       /* enum tf_noc_act */
    bool counted;      /* the NIU has counted the source as captured */
    bool read_delayed; /* the source is read again at `capture` */
};

struct tf_request_flight {
    struct tf_flight flight;
    struct tf_drawn drawn;
    struct tf_noc_request request; /* last: its data follow */
};

struct tf_answer_flight {
    struct tf_flight flight;
    struct tf_noc_response response; /* likewise */
};

static inline struct tf_request_flight *tf_flight_whole(struct tf_flight *flight)
{
    return (struct tf_request_flight *)flight;
}

static inline struct tf_noc_request *tf_flight_request(struct tf_flight *flight)
{
    return &tf_flight_whole(flight)->request;
}

static inline struct tf_noc_response *tf_flight_response(struct tf_flight *flight)
{
    return &((struct tf_answer_flight *)flight)->response;
}

/* The key of a request that the race checker does not know: it was issued before the checker began. */
#define TF_FLIGHT_UNKNOWN UINT32_MAX

/* A new flight for a request with room for so many bytes. Its request is undefined. NULL: the host has no memory. */
struct tf_request_flight *tf_flight_new(size_t bytes);

/* Set the sink of a worker: requests and answers become flights of worker->outbox, in order. The present worker. */
void tf_flight_sink(struct tf_worker *worker);

/* The packet for one recipient of a multicast. It needs the data of the multicast. NULL: the host has no memory. */
struct tf_flight *tf_flight_copy(struct tf_flight *multicast, uint16_t to);

/* A request acts at flight->to. observed: it has arrived whole, and the log and the race checker see it. The worker of
   the target's site; so below. */
void tf_flight_act(struct tf_worker *worker, struct tf_flight *flight, bool observed);

/* An answer lands at flight->to. */
void tf_flight_land(struct tf_worker *worker, struct tf_flight *flight);

/* One of the flights that need a flight does not need it now. The last one frees it, and releases what it needs. */
void tf_flight_release(struct tf_flight *flight);

/* tf_flight_release() for each of a list. */
void tf_flights_release(struct tf_flight *list);

#endif
