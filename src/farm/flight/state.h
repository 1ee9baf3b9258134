/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a flight; flight.h says what it is. */
#ifndef FARM_FLIGHT_STATE_H
#define FARM_FLIGHT_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/noc.h"

struct tf_path_node;

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
    bool reserved;             /* a multicast has reserved its path, and leaves as soon as it is ready */
    struct tf_path_node *path; /* NULL: the critical path is not recorded; not state */
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

#endif
