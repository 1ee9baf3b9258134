/* SPDX-License-Identifier: Apache-2.0 */
/* A packet of timing mode (transit.h). */
#ifndef FARM_PARCEL_H
#define FARM_PARCEL_H

#include <stdint.h>

#include "noc/noc.h"

enum tf_parcel_what {
    TF_PARCEL_REQUEST,
    TF_PARCEL_ANSWER,
    TF_PARCEL_SENT, /* no packet: the last flit of a write leaves its NIU, and the counters of that say so */
    TF_PARCELS
};

struct tf_parcel {
    struct tf_parcel *next;
    uint64_t ready;       /* from when on it may leave its NIU, in hundredths of a cycle */
    uint64_t stream;      /* the time that its source needs for its data, if longer than that of a link; likewise */
    uint64_t due;         /* the cycle in which it arrives */
    struct tf_parcel *of; /* of an answer, or of TF_PARCEL_SENT: the request. Of a copy: the multicast. */
    uint32_t uses;        /* parcels that need this one, itself included */
    uint16_t from, to;    /* nodes */
    uint8_t what;         /* enum tf_parcel_what */
    uint8_t noc;
};

struct tf_request_parcel {
    struct tf_parcel parcel;
    struct tf_noc_request request; /* last: its data follow */
};

struct tf_answer_parcel {
    struct tf_parcel parcel;
    struct tf_noc_response response; /* likewise */
};

static inline struct tf_noc_request *tf_parcel_request(struct tf_parcel *parcel)
{
    return &((struct tf_request_parcel *)parcel)->request;
}

static inline struct tf_noc_response *tf_parcel_response(struct tf_parcel *parcel)
{
    return &((struct tf_answer_parcel *)parcel)->response;
}

#endif
