/* SPDX-License-Identifier: Apache-2.0 */
/* What workers do while sites run: NIUs take requests, and packets arrive. */
#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/order/deliver.h"
#include "farm/order/noc_log.h"
#include "farm/transit/transit.h"
#include "host/extremes.h"
#include "noc/niu.h"
#include "races/races.h"
#include "tile/family/times.h"

/* A packet acts many epochs after its issue. The race checker therefore sees all packets in one epoch. */
#define RACES_EPOCH 0u

#define DRAM_BYTES 64u /* of the rows DRAM_READ_64 and DRAM_WRITE_64 */

static void post(struct tf_worker *worker, struct tf_parcel *parcel)
{
    parcel->next = NULL;
    *worker->outbox.parcels_end = parcel;
    worker->outbox.parcels_end = &parcel->next;
}

static enum tf_access issue(struct tf_noc_sink *sink, const struct tf_noc_request *request, uint32_t payload_bytes,
                            unsigned core, uint32_t pc, uint64_t cycle)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    struct tf_chip *chip = worker->chip;
    const size_t bytes = request->kind == TF_NOC_WRITE ? request->length : payload_bytes;
    struct tf_request_parcel *own = aligned_alloc(16, (sizeof *own + bytes + 15) & ~(size_t)15);
    if (own == NULL)
        return tf_noc_unissued(chip->fabric, request, core, pc, cycle);
    own->parcel = (struct tf_parcel){.ready = (cycle + chip->transit->times->value[TF_TIME_NOC_ISSUE]) * TF_CENTS,
                                     .uses = 1,
                                     .from = request->source,
                                     .to = request->target,
                                     .what = TF_PARCEL_REQUEST,
                                     .noc = request->noc};
    tf_noc_request_copy(&own->request, request, core, pc, cycle);
    own->request.entry.key = tf_deliver_key(worker); /* it counts requests */
    if (payload_bytes != 0) {
        memcpy(own->request.carried, request->data, payload_bytes);
        own->request.data = own->request.carried;
    }
    post(worker, &own->parcel);
    if (TF_HOOK(chip->observers.noc_log) != NULL)
        tf_noc_log_issued(worker, request, &own->request);
    uint32_t ctrl;
    if (TF_HOOK(chip->observers.races) != NULL && tf_noc_initiator_of(chip->fabric, request, &ctrl) != TF_NIU_OVERLAY)
        tf_races_issued(chip->observers.races, &own->request, ctrl, RACES_EPOCH);
    return TF_ACCESS_OK;
}

static struct tf_noc_response *make_response(struct tf_noc_sink *sink, uint32_t payload_bytes)
{
    (void)sink;
    struct tf_answer_parcel *own = malloc(sizeof *own + payload_bytes);
    return own == NULL ? NULL : &own->response;
}

static void respond(struct tf_noc_sink *sink, struct tf_noc_response *response)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    struct tf_parcel *acting = worker->outbox.acting;
    struct tf_answer_parcel *own = (struct tf_answer_parcel *)((uintptr_t)response -
                                                               offsetof(struct tf_answer_parcel, response));
    own->parcel = (struct tf_parcel){.ready = acting->ready,
                                     .stream = acting->stream,
                                     .uses = 1,
                                     .of = acting,
                                     .from = response->entry.node,
                                     .to = response->node,
                                     .what = TF_PARCEL_ANSWER,
                                     .noc = response->noc};
    worker->refused |= response->kind == TF_NOC_FAULT;
    acting->uses++;
    post(worker, &own->parcel);
}

void tf_transit_sink(struct tf_worker *worker)
{
    worker->outbox.parcels_end = &worker->outbox.parcels;
    worker->sink = (struct tf_noc_sink){.issue = issue, .response = make_response, .respond = respond};
}

struct tf_parcel *tf_transit_next(struct tf_transit *transit, unsigned site, uint64_t before)
{
    struct tf_parcel *parcel = transit->arriving[site];
    if (parcel == NULL || parcel->due >= before)
        return NULL;
    transit->arriving[site] = parcel->next;
    return parcel;
}

/* Set when the answer of a request is ready, and how long its data take. A DRAM channel serves one after another. */
static void serve(struct tf_transit *transit, struct tf_parcel *parcel, const struct tf_node *node)
{
    const uint16_t *value = transit->times->value;
    const struct tf_noc_request *request = tf_parcel_request(parcel);
    const bool reads = request->kind == TF_NOC_READ;
    const enum tf_time row = reads                            ? TF_TIME_NOC_SERVE_READ
                             : request->kind == TF_NOC_ATOMIC ? TF_TIME_NOC_SERVE_ATOMIC
                                                              : TF_TIME_NOC_SERVE_WRITE;
    parcel->ready = (parcel->due + value[row]) * TF_CENTS;
    parcel->stream = 0;
    if (request->kind == TF_NOC_ATOMIC || tf_node_place(node, request->address) != TF_PLACE_DRAM)
        return;
    const uint64_t bytes = transit->fabric->arch->dram.channel_bytes / value[TF_TIME_DRAM_CHANNELS];
    uint64_t *channel = &transit->channel[node->site][request->address / bytes % TF_TRANSIT_CHANNELS];
    const uint64_t takes = (uint64_t)request->length * value[reads ? TF_TIME_DRAM_READ_64 : TF_TIME_DRAM_WRITE_64] /
                           DRAM_BYTES;
    parcel->ready += value[reads ? TF_TIME_DRAM_READ : TF_TIME_DRAM_WRITE] * TF_CENTS;
    parcel->ready = tf_max(parcel->ready, *channel);
    *channel = parcel->ready + takes;
    transit->channel_busy[node->site] += takes;
    parcel->stream = reads ? takes : 0;
}

static void act(struct tf_worker *worker, struct tf_parcel *parcel)
{
    struct tf_chip *chip = worker->chip;
    struct tf_node *node = &chip->fabric->node[parcel->to];
    struct tf_races *races = TF_HOOK(chip->observers.races);
    struct tf_noc_request *request = tf_parcel_request(parcel);
    serve(chip->transit, parcel, node);
    worker->outbox.acting = parcel;
    if (races != NULL)
        tf_races_acts(races, request, parcel->to, RACES_EPOCH);
    if (TF_HOOK(chip->observers.noc_log) != NULL)
        tf_noc_log_act(worker, request, parcel->to);
    else
        tf_noc_act(chip->fabric, request, parcel->to, &worker->sink);
    if (races != NULL)
        tf_races_acted(races, parcel->to);
    worker->outbox.acting = NULL;
    tf_find_faults(worker, node);
    worker->figures.deliveries++;
}

static void land(struct tf_worker *worker, struct tf_parcel *parcel)
{
    struct tf_chip *chip = worker->chip;
    const struct tf_noc_response *response = tf_parcel_response(parcel);
    if (TF_HOOK(chip->observers.races) != NULL)
        tf_races_lands(chip->observers.races, response, RACES_EPOCH);
    if (TF_HOOK(chip->observers.noc_log) != NULL)
        tf_noc_log_land(worker, tf_site_of(chip->fabric, parcel->to), response);
    else
        tf_noc_land(chip->fabric, response);
}

void tf_transit_arrive(struct tf_worker *worker, struct tf_parcel *parcel)
{
    struct tf_node *node = &worker->chip->fabric->node[parcel->to];
    worker->outbox.arrival = parcel->due;
    if (node->tile != NULL)
        node->tile->cycle = parcel->due;
    switch ((enum tf_parcel_what)parcel->what) {
    case TF_PARCEL_REQUEST: act(worker, parcel); break;
    case TF_PARCEL_ANSWER: land(worker, parcel); break;
    default: tf_niu_captured(&node->niu[parcel->noc], tf_parcel_request(parcel->of)); break;
    }
    parcel->next = worker->outbox.arrived;
    worker->outbox.arrived = parcel;
}
