/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/chip/found.h"
#include "farm/flight/flight.h"

#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/order/deliver.h"
#include "farm/order/noc_log.h"
#include "farm/order/observed.h"
#include "farm/flight/path.h"
#include "noc/event.h"
#include "noc/requests/initiator.h"
#include "races/races.h"
#include "tile/path/path.h"

/* A flight acts many epochs after its issue. The race checker therefore sees all of them in one epoch. */
#define RACES_EPOCH 0u

struct tf_request_flight *tf_flight_new(size_t bytes)
{
    struct tf_request_flight *own = aligned_alloc(16, (sizeof *own + bytes + 15) & ~(size_t)15);
    if (own != NULL) {
        own->flight = (struct tf_flight){.uses = 1, .what = TF_FLIGHT_REQUEST};
        own->drawn = (struct tf_drawn){.capture = UINT64_MAX};
    }
    return own;
}

static void post(struct tf_worker *worker, struct tf_flight *flight)
{
    flight->next = NULL;
    *worker->outbox.flights_end = flight;
    worker->outbox.flights_end = &flight->next;
}

/* payload_bytes: 0 for data that stay in L1. A chip that explores copies those too: it decides later whether its NIU
   reads the source later. */
static enum tf_access issue(struct tf_noc_sink *sink, const struct tf_noc_request *request, uint32_t payload_bytes,
                            unsigned core, uint32_t pc, uint64_t cycle)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    struct tf_chip *chip = worker->chip;
    const uint32_t bytes = request->kind == TF_NOC_WRITE ? request->length : payload_bytes;
    const uint32_t copied = TF_HOOK(chip->exploring) != NULL ? bytes : payload_bytes;
    struct tf_request_flight *own = tf_flight_new(bytes);
    if (own == NULL)
        return tf_noc_unissued(chip->fabric, request, core, pc, cycle);
    own->flight.from = request->source;
    own->flight.to = request->target;
    own->flight.noc = request->noc;
    own->flight.ready = tf_deliver_key(worker);
    tf_noc_initiator_of(chip->fabric, request, &own->drawn.ctrl);
    own->drawn.counted = request->kind != TF_NOC_WRITE || payload_bytes != 0;
    tf_noc_request_copy(&own->request, request, core, pc, cycle);
    own->request.entry.key = own->flight.ready;
    if (copied != 0)
        own->request.data = memcpy(own->request.carried, request->data, copied);
    if (TF_HOOK(chip->observers.path) != NULL)
        tf_flight_path_issued(worker, &own->flight);
    post(worker, &own->flight);
    if (TF_HOOK(chip->observers.noc_log) != NULL)
        tf_noc_log_issued(worker, request, &own->request);
    own->request.entry.key = TF_FLIGHT_UNKNOWN;
    if (TF_HOOK(chip->observers.races) != NULL)
        own->request.entry.key = tf_observed_issue(worker, request, &own->request, RACES_EPOCH);
    return TF_ACCESS_OK;
}

static struct tf_noc_response *make_response(struct tf_noc_sink *sink, uint32_t payload_bytes)
{
    (void)sink;
    struct tf_answer_flight *own = malloc(sizeof *own + payload_bytes);
    return own == NULL ? NULL : &own->response;
}

static void respond(struct tf_noc_sink *sink, struct tf_noc_response *response)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    struct tf_flight *acting = worker->outbox.acting;
    struct tf_answer_flight *own = (struct tf_answer_flight *)((uintptr_t)response -
                                                               offsetof(struct tf_answer_flight, response));
    own->flight = (struct tf_flight){.ready = acting->ready,
                                     .stream = acting->stream,
                                     .uses = 1,
                                     .of = acting,
                                     .from = response->entry.node,
                                     .to = response->node,
                                     .what = TF_FLIGHT_ANSWER,
                                     .noc = response->noc};
    worker->refused |= response->kind == TF_NOC_FAULT;
    acting->uses++;
    if (acting->path != NULL)
        tf_flight_path_answered(worker, acting, &own->flight);
    post(worker, &own->flight);
}

void tf_flight_sink(struct tf_worker *worker)
{
    worker->outbox.flights_end = &worker->outbox.flights;
    worker->sink = (struct tf_noc_sink){.issue = issue, .response = make_response, .respond = respond};
}

struct tf_flight *tf_flight_copy(struct tf_flight *multicast, uint16_t to)
{
    struct tf_request_flight *copy = tf_flight_new(0);
    if (copy == NULL)
        return NULL;
    memcpy(copy, multicast, sizeof *copy);
    copy->flight.of = multicast;
    copy->flight.uses = 1;
    copy->flight.to = to;
    copy->flight.path = NULL;
    copy->request.entry.node = to;
    multicast->uses++;
    return &copy->flight;
}

void tf_flight_act(struct tf_worker *worker, struct tf_flight *flight, bool observed)
{
    struct tf_chip *chip = worker->chip;
    struct tf_noc_request *request = tf_flight_request(flight);
    worker->outbox.acting = flight;
    if (observed)
        tf_observed_act(worker, request, flight->to, RACES_EPOCH);
    else
        tf_noc_act(chip->fabric, request, flight->to, &worker->sink);
    worker->outbox.acting = NULL;
    tf_find_faults(worker, &chip->fabric->node[flight->to]);
    worker->figures.deliveries += observed;
}

void tf_flight_land(struct tf_worker *worker, struct tf_flight *flight)
{
    tf_observed_land(worker, tf_site_of(worker->chip->fabric, flight->to), tf_flight_response(flight), RACES_EPOCH);
}

void tf_flight_release(struct tf_flight *flight)
{
    while (flight != NULL && --flight->uses == 0) {
        struct tf_flight *of = flight->of;
        if (flight->path != NULL)
            tf_path_unref(flight->path);
        free(flight);
        flight = of;
    }
}

void tf_flights_release(struct tf_flight *list)
{
    for (struct tf_flight *next; list != NULL; list = next) {
        next = list->next;
        tf_flight_release(list);
    }
}
