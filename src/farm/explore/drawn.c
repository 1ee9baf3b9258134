/* SPDX-License-Identifier: Apache-2.0 */
/* Sources: WormholeB0/NoC/Ordering.md; BlackholeA0/NoC/MemoryMap.md ("NOC_CTRL"), Counters.md. */
#include "farm/explore/drawn.h"

#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/explore/explore.h"
#include "farm/flight/flight.h"
#include "farm/order/reach.h"
#include "host/extremes.h"
#include "noc/coords.h"
#include "noc/requests/initiator.h"
#include "noc/requests/order.h"
#include "noc/nodes/space.h"
#include "tile/explore/state.h"

/* The value of TF_FREE_PARTS in thousands: how much of each stream lands early (tilefarm_explore.h). */
#define PART_CUT 1000u
#define PART_EIGHTHS 8u

static uint64_t epoch_number(const struct tf_exploring *exploring)
{
    return exploring->epochs->number;
}

static struct tf_decider *decider_of(const struct tf_exploring *exploring, const struct tf_noc_request *request)
{
    return &exploring->fabric->node[request->source].tile->explore->decider;
}

static struct tf_decide_where at(const struct tf_noc_request *request)
{
    return (struct tf_decide_where){.pc = request->pc, .cycle = request->cycle, .address = request->address};
}

/* Does the first of two requests act before the second? */
static bool acts_before(struct tf_flight *first, struct tf_flight *second)
{
    const struct tf_request_flight *a = tf_flight_whole(first), *b = tf_flight_whole(second);
    return a->drawn.channel != 0 && a->drawn.channel == b->drawn.channel && first->from == second->from &&
           first->to == second->to && tf_noc_rules[a->drawn.act][b->drawn.act] != TF_NOC_RULE_NONE;
}

/* --- observing accesses --- */

/* A request, or its response, has accessed bytes of a node. */
static void see(struct tf_exploring *exploring, const struct tf_noc_request *request, enum tf_noted_kind kind,
                unsigned node, uint64_t address, uint32_t bytes)
{
    struct tf_tile *tile = exploring->fabric->node[node].tile;
    if (tile == NULL || tile->explore->noted == NULL ||
        tf_node_place(&exploring->fabric->node[node], address) != TF_PLACE_L1)
        return;
    const struct tf_noted_access access = {.cycle = exploring->epochs->cycles,
                                           .address = (uint32_t)address,
                                           .pc = request->pc,
                                           .tile = exploring->fabric->node[request->source].tile->index,
                                           .core = request->core,
                                           .kind = (uint8_t)kind};
    tf_noted_add(tile, &access, bytes);
}

/* part: TF_NOC_WRITE_PART or TF_NOC_WRITE_END; else the whole request has acted. */
static void see_act(struct tf_exploring *exploring, const struct tf_noc_request *request, unsigned part)
{
    enum tf_noted_kind kind = request->kind == TF_NOC_READ     ? TF_NOTED_NOC_READ
                              : request->kind == TF_NOC_ATOMIC ? TF_NOTED_NOC_ATOMIC
                                                               : TF_NOTED_NOC_WRITE;
    struct tf_noc_range range = {request->address, request->length};
    if (kind == TF_NOTED_NOC_ATOMIC)
        range = tf_noc_atomic_range(request);
    if (part <= TF_NOC_ATOMIC) {
        see(exploring, request, kind, request->entry.node, range.address, (uint32_t)range.bytes);
        return;
    }
    for (uint32_t at = 0; tf_noc_next_granule(request, part == TF_NOC_WRITE_PART, &at, &range);)
        see(exploring, request, kind, request->entry.node, range.address, (uint32_t)range.bytes);
}

/* --- actions at sites; called by the thread of the run --- */

static void reach(struct tf_exploring *exploring, unsigned node)
{
    unsigned site = tf_site_of(exploring->fabric, node);
    tf_bring_up_to_date(&exploring->workers->worker[0], site);
    tf_sites_add(&exploring->touched, site);
}

/* Let a write read its source, which may have changed since the issue. */
static void capture(struct tf_exploring *exploring, struct tf_request_flight *flight)
{
    struct tf_noc_request *request = &flight->request;
    struct tf_node *node = &exploring->fabric->node[request->source];
    reach(exploring, request->source);
    if (flight->drawn.read_delayed)
        memcpy(request->carried, node->l1 + request->source_address, request->length);
    see(exploring, request, TF_NOTED_NOC_SOURCE, request->source, request->source_address, request->length);
    tf_niu_captured(&node->niu[request->noc], request);
    flight->drawn.counted = true;
}

/* --- departure; called by the thread of the run --- */

static bool has_granules(const struct tf_fabric *fabric, const struct tf_noc_request *request)
{
    const struct tf_node *node = &fabric->node[request->entry.node];
    uint64_t last = request->address + request->length - 1;
    return request->kind == TF_NOC_WRITE && !request->header_store && !request->to_overlay &&
           tf_node_in_l1(node, request->address, request->length) &&
           request->address / TF_NOC_GRANULE_BYTES != last / TF_NOC_GRANULE_BYTES;
}

/* The part of a write that lands first. It is the stream of odd or of even granules, or some eighths of it. Or it is
   some eighths of that stream, and all of the other one. */
static struct tf_noc_part parts_of(const struct tf_noc_request *request, uint32_t value)
{
    const uint32_t cut = value / PART_CUT % (2 * PART_EIGHTHS), stream = value & 1;
    const uint64_t first = request->address / TF_NOC_GRANULE_BYTES,
                   granules = (request->address + request->length - 1) / TF_NOC_GRANULE_BYTES - first + 1;
    const uint64_t own = (granules + ((first & 1) == stream)) / 2, other = granules - own;
    struct tf_noc_part part = {{0, 0}};
    part.count[stream] = (uint16_t)(cut == 0 ? own : (own * (cut % PART_EIGHTHS) + PART_EIGHTHS - 1) / PART_EIGHTHS);
    part.count[!stream] = (uint16_t)(cut < PART_EIGHTHS ? 0 : other);
    return part;
}

/* Decide when a request acts, in how many parts, and when it reads its source. */
static void decide(struct tf_exploring *exploring, struct tf_request_flight *own)
{
    const struct tf_noc_request *request = &own->request;
    struct tf_drawn *drawn = &own->drawn;
    struct tf_decider *decider = decider_of(exploring, request);
    drawn->act = (uint8_t)tf_noc_act_of(&exploring->fabric->node[own->flight.to], request, drawn->ctrl);
    uint64_t delay = tf_decide_at(decider, TF_FREE_REQUEST, drawn->actor, drawn->ordinal, at(request));
    own->flight.due = epoch_number(exploring) + delay;
    drawn->part = UINT64_MAX;
    if (has_granules(exploring->fabric, request)) {
        uint32_t parts = tf_decide_at(decider, TF_FREE_PARTS, drawn->actor, drawn->ordinal, at(request));
        drawn->part = parts == 0 ? UINT64_MAX : own->flight.due;
        drawn->parts = parts_of(request, parts);
        own->flight.due += (parts % PART_CUT + 1) / 2;
    }
    if (!drawn->counted) {
        uint64_t wait = request->multicast
                            ? 0
                            : tf_decide_at(decider, TF_FREE_CAPTURE, drawn->actor, drawn->ordinal, at(request));
        drawn->read_delayed = wait != 0;
        drawn->capture = epoch_number(exploring) + tf_min(wait, delay);
    }
    for (struct tf_flight *before = exploring->first; before != NULL; before = before->next)
        if (acts_before(before, &own->flight)) {
            own->flight.due = tf_max(own->flight.due, before->due);
            drawn->part = tf_max(drawn->part, before->due);
        }
}

static void append(struct tf_exploring *exploring, struct tf_flight *flight)
{
    flight->next = NULL;
    *exploring->end = flight;
    exploring->end = &flight->next;
}

/* Each recipient has a flight of its own. Only the last one reads the source. */
static void depart_to_many(struct tf_exploring *exploring, struct tf_flight *flight)
{
    uint16_t node[TF_NODES_MAX];
    struct tf_request_flight *whole = tf_flight_whole(flight);
    unsigned count = tf_noc_recipients(exploring->fabric, &whole->request, node), actor = whole->drawn.actor;
    const bool counted = whole->drawn.counted;
    whole->drawn.counted = true;
    for (unsigned i = 0; i < count; i++) {
        const bool last = i + 1 == count;
        struct tf_flight *own = last ? flight : tf_flight_copy(flight, node[i]);
        if (own == NULL) {
            exploring->workers->worker[0].sink.out_of_memory = true;
            continue;
        }
        own->to = node[i];
        tf_flight_whole(own)->drawn.counted = !last || counted;
        tf_flight_whole(own)->drawn.actor = (uint16_t)(actor + 2 * i);
        tf_flight_request(own)->entry.node = node[i];
        decide(exploring, tf_flight_whole(own));
        append(exploring, own);
    }
    if (count == 0) { /* it has no recipient */
        capture(exploring, whole);
        tf_flight_release(flight);
    }
}

static void depart(struct tf_exploring *exploring, struct tf_flight *flight)
{
    struct tf_request_flight *own = tf_flight_whole(flight);
    struct tf_node *node = &exploring->fabric->node[flight->from];
    own->drawn.actor = flight->noc;
    own->drawn.ordinal = node->tile->explore->decider.ordinal[TF_FREE_REQUEST][flight->noc]++;
    if (node->tile->explore->noted != NULL)
        tf_noted_order_matters(node->tile->explore->noted, own->request.cycle);
    own->drawn.channel = tf_noc_channel(&exploring->transaction[flight->from][flight->noc], &own->request,
                                        own->drawn.ctrl);
    if (own->request.multicast) {
        depart_to_many(exploring, flight);
        return;
    }
    own->request.entry.node = flight->to;
    decide(exploring, own);
    append(exploring, flight);
}

static int by_order(const void *a, const void *b)
{
    const struct tf_flight *const *x = a, *const *y = b;
    return (*x)->ready < (*y)->ready ? -1 : (*x)->ready > (*y)->ready;
}

static size_t count_issued(const struct tf_workers *workers)
{
    size_t count = 0;
    for (unsigned i = 0; i < workers->count; i++)
        for (const struct tf_flight *flight = workers->worker[i].outbox.flights; flight != NULL; flight = flight->next)
            count++;
    return count;
}

/* Take what a worker has issued, or answered. */
static struct tf_flight *take_posted(struct tf_worker *worker)
{
    struct tf_flight *first = worker->outbox.flights;
    worker->outbox.flights = NULL;
    worker->outbox.flights_end = &worker->outbox.flights;
    return first;
}

/* Let the requests of the epoch depart in delivery order. */
static void depart_all(struct tf_exploring *exploring)
{
    const size_t room = count_issued(exploring->workers);
    size_t count = 0;
    if (room == 0)
        return;
    struct tf_flight **all = malloc(room * sizeof(struct tf_flight *));
    if (all == NULL)
        exploring->workers->worker[0].sink.out_of_memory = true;
    for (unsigned i = 0; i < exploring->workers->count; i++) {
        struct tf_flight *posted = take_posted(&exploring->workers->worker[i]);
        if (all == NULL)
            tf_flights_release(posted);
        for (; all != NULL && posted != NULL; posted = posted->next)
            all[count++] = posted;
    }
    if (count != 0)
        qsort(all, count, sizeof(struct tf_flight *), by_order);
    for (size_t i = 0; i < count; i++)
        depart(exploring, all[i]);
    free(all);
}

/* --- arrival --- */

/* Decide when the answers to a request that has acted land. */
static void answer(struct tf_exploring *exploring, struct tf_request_flight *acted)
{
    for (struct tf_flight *flight = take_posted(&exploring->workers->worker[0]), *next; flight != NULL; flight = next) {
        next = flight->next;
        flight->next = NULL;
        flight->due = epoch_number(exploring) + 1 +
                      tf_decide_at(decider_of(exploring, &acted->request), TF_FREE_RESPONSE, acted->drawn.actor,
                                   acted->drawn.ordinal, at(&acted->request));
        *exploring->answers_end = flight;
        exploring->answers_end = &flight->next;
    }
}

static void act_as(struct tf_exploring *exploring, struct tf_flight *flight, unsigned kind)
{
    struct tf_request_flight *own = tf_flight_whole(flight);
    struct tf_noc_request *request = &own->request;
    reach(exploring, flight->to);
    request->kind = (uint8_t)kind;
    if (kind > TF_NOC_ATOMIC)
        request->part = own->drawn.parts;
    tf_flight_act(&exploring->workers->worker[0], flight, kind != TF_NOC_WRITE_PART);
    if (kind > TF_NOC_ATOMIC)
        request->kind = TF_NOC_WRITE;
    see_act(exploring, request, kind);
    answer(exploring, own);
}

/* Returns true if the request has acted. */
static bool fly(struct tf_exploring *exploring, struct tf_flight *flight)
{
    struct tf_drawn *drawn = &tf_flight_whole(flight)->drawn;
    bool in_parts = drawn->part != UINT64_MAX;
    if (!drawn->counted && drawn->capture <= epoch_number(exploring))
        capture(exploring, tf_flight_whole(flight));
    if (in_parts && drawn->part <= epoch_number(exploring) && flight->due > epoch_number(exploring)) {
        act_as(exploring, flight, TF_NOC_WRITE_PART);
        drawn->part = UINT64_MAX - 1; /* the other parts land when the packet is due */
    }
    if (flight->due > epoch_number(exploring))
        return false;
    act_as(exploring, flight,
           drawn->part == UINT64_MAX - 1 ? TF_NOC_WRITE_END : (unsigned)tf_flight_request(flight)->kind);
    return true;
}

void tf_exploring_deliver(struct tf_exploring *exploring)
{
    tf_exploring_end_seeking(exploring);
    depart_all(exploring);
    struct tf_flight **link = &exploring->first;
    while (*link != NULL) {
        struct tf_flight *flight = *link;
        if (!fly(exploring, flight)) {
            link = &flight->next;
            continue;
        }
        *link = flight->next;
        tf_flight_release(flight);
    }
    exploring->end = link;
}

void tf_exploring_land(struct tf_exploring *exploring)
{
    struct tf_flight **link = &exploring->answers;
    while (*link != NULL) {
        struct tf_flight *flight = *link;
        const struct tf_noc_response *response = tf_flight_response(flight);
        if (flight->due > epoch_number(exploring)) {
            link = &flight->next;
            continue;
        }
        reach(exploring, flight->to);
        tf_flight_land(&exploring->workers->worker[0], flight);
        if (response->kind != TF_NOC_FAULT && response->length != 0)
            see(exploring, response->request, TF_NOTED_NOC_DATA, flight->to, response->address, response->length);
        *link = flight->next;
        tf_flight_release(flight);
    }
    exploring->answers_end = link;
}

void tf_exploring_activate(struct tf_exploring *exploring, struct tf_sites *active)
{
    tf_sites_join(active, &exploring->touched);
    exploring->touched = (struct tf_sites){{0}};
    for (const struct tf_flight *flight = exploring->first; flight != NULL; flight = flight->next)
        tf_sites_add(active, tf_site_of(exploring->fabric, flight->from));
    for (const struct tf_flight *flight = exploring->answers; flight != NULL; flight = flight->next)
        tf_sites_add(active, tf_site_of(exploring->fabric, flight->to));
}
