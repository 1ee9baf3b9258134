/* SPDX-License-Identifier: Apache-2.0 */
/* Packets leave their NIUs, and pass the links. Sources: WormholeB0/NoC/README.md, "Performance"; RoutingPaths.md. */
#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/order/noc_log.h"
#include "farm/transit/depart.h"
#include "farm/flight/path.h"
#include "farm/transit/transit.h"
#include "host/extremes.h"
#include "noc/coords.h"
#include "noc/niu_counters.h"
#include "tile/times.h"

static inline uint64_t duration(const struct tf_transit *transit, enum tf_time time)
{
    return (uint64_t)transit->times->value[time] * TF_CENTS;
}

/* --- the queues of NIUs: transit->waiting is a heap of those with packets, by the time at which the first one leaves.
   That time may rise while a queue waits: the link that its classes share is taken. The top is therefore asked again.
   --- */

static unsigned queue_of(const struct tf_flight *flight)
{
    const unsigned class = flight->what == TF_FLIGHT_ANSWER ? TF_FLIGHTS_ANSWERED : TF_FLIGHTS_ASKED;
    return (flight->from * 2u + flight->noc) * TF_FLIGHT_CLASSES + class;
}

/* When the first packet of a queue leaves the NIU. */
static uint64_t leaves(const struct tf_transit *transit, unsigned number)
{
    const struct tf_flight_queue *queue = &transit->queue[number];
    const struct tf_flight *first = queue->first;
    return tf_max(first->ready, tf_max(queue->free, transit->out[first->noc][first->from]));
}

static bool precedes(const struct tf_flights_waiting *a, const struct tf_flights_waiting *b)
{
    return a->leaves != b->leaves ? a->leaves < b->leaves : a->queue < b->queue;
}

static void rise(struct tf_transit *transit, unsigned i)
{
    struct tf_flights_waiting *heap = transit->waiting, own = heap[i];
    for (; i != 0 && precedes(&own, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = own;
}

static void sink(struct tf_transit *transit)
{
    struct tf_flights_waiting *heap = transit->waiting, own = heap[0];
    unsigned i = 0;
    for (unsigned child; (child = 2 * i + 1) < transit->waits; i = child) {
        child += child + 1 < transit->waits && precedes(&heap[child + 1], &heap[child]);
        if (!precedes(&heap[child], &own))
            break;
        heap[i] = heap[child];
    }
    heap[i] = own;
}

void tf_transit_append(struct tf_transit *transit, unsigned number, struct tf_flight *flight)
{
    struct tf_flight_queue *queue = &transit->queue[number];
    const bool first = queue->first == NULL;
    flight->next = NULL;
    if (first)
        queue->end = &queue->first;
    *queue->end = flight;
    queue->end = &flight->next;
    if (!first)
        return;
    transit->waiting[transit->waits] = (struct tf_flights_waiting){leaves(transit, number), number};
    rise(transit, transit->waits++);
}

/* The queue whose packet leaves next, which is at the top of the heap then. There is one. */
static struct tf_flights_waiting first_queue(struct tf_transit *transit)
{
    for (;;) {
        struct tf_flights_waiting *top = &transit->waiting[0];
        const uint64_t now = leaves(transit, top->queue);
        if (now == top->leaves)
            return *top;
        top->leaves = now;
        sink(transit);
    }
}

/* Take the packet of the queue at the top. */
static struct tf_flight *take_first(struct tf_transit *transit, unsigned number)
{
    struct tf_flight_queue *queue = &transit->queue[number];
    struct tf_flight *flight = queue->first;
    queue->first = flight->next;
    if (queue->first == NULL) {
        transit->waiting[0] = transit->waiting[--transit->waits];
        sink(transit);
    }
    return flight;
}

/* --- the way --- */

/* Flits of a packet: a header, and the data that it carries. Atomics and words need no more than the header
   (MemoryMap.md, NOC_CMD_CTRL). */
static uint64_t flits_of(const struct tf_transit *transit, struct tf_flight *flight)
{
    const struct tf_niu *niu = &transit->fabric->node[flight->from].niu[flight->noc];
    uint64_t address, length;
    if (flight->what == TF_FLIGHT_ANSWER) {
        const struct tf_noc_response *response = tf_flight_response(flight);
        if (response->kind != TF_NOC_READ_DATA)
            return 1;
        address = response->address;
        length = response->length;
    } else {
        const struct tf_noc_request *request = tf_flight_request(flight);
        if (request->kind != TF_NOC_WRITE && request->kind != TF_NOC_WRITE_BE)
            return 1;
        address = request->address;
        length = request->length;
    }
    return 1 + tf_noc_flits(niu, address % (1u << niu->flit_log2) + length);
}

/* Forget the spans of a link that have ended. */
static void prune(struct tf_link_times *link, uint64_t now)
{
    unsigned past = 0;
    while (past < link->count && link->end[past] <= now)
        past++;
    link->count -= past;
    memmove(link->begin, link->begin + past, link->count * sizeof *link->begin);
    memmove(link->end, link->end + past, link->count * sizeof *link->end);
}

/* Close the gap after a span. */
static void unite(struct tf_link_times *link, unsigned i)
{
    link->end[i] = link->end[i + 1];
    link->count--;
    memmove(link->begin + i + 1, link->begin + i + 2, (link->count - i - 1) * sizeof *link->begin);
    memmove(link->end + i + 1, link->end + i + 2, (link->count - i - 1) * sizeof *link->end);
}

/* Take a link for a time, from `head` on or as soon as it has room. Returns when. */
static uint64_t take_link(struct tf_link_times *link, uint64_t head, uint64_t takes)
{
    unsigned i = 0;
    if (link->count == TF_LINK_SPANS)
        unite(link, 0);
    for (; i < link->count && head + takes > link->begin[i]; i++)
        head = tf_max(head, link->end[i]);
    memmove(link->begin + i + 1, link->begin + i, (link->count - i) * sizeof *link->begin);
    memmove(link->end + i + 1, link->end + i, (link->count - i) * sizeof *link->end);
    link->begin[i] = head;
    link->end[i] = head + takes;
    link->count++;
    if (i + 1 < link->count && link->begin[i + 1] == link->end[i])
        unite(link, i);
    if (i > 0 && link->begin[i] == link->end[i - 1])
        unite(link, i - 1);
    return head;
}

/* The head of a packet comes to a link at *head, and passes it. The link is taken for `takes`. A multicast passes each
   link once. now: no packet comes to a link earlier. */
static void pass(struct tf_transit *transit, unsigned noc, unsigned link, bool in_tree, uint64_t now, uint64_t takes,
                 uint64_t *head)
{
    if (in_tree && transit->passed[link] == transit->tree) {
        *head = transit->head[link];
        return;
    }
    prune(&transit->link[noc][link], now);
    const uint64_t came = *head;
    *head = take_link(&transit->link[noc][link], *head, takes);
    if (*head - came > transit->longest) {
        transit->longest = *head - came;
        transit->longest_at = (uint16_t)link;
    }
    transit->passed[link] = in_tree ? transit->tree : 0;
    transit->head[link] = *head;
}

/* The way of a packet to one node. left: when its head leaves the NIU. Returns when its last flit arrives. *delay: how
   long the head had to wait for links. */
static uint64_t travel(struct tf_transit *transit, const struct tf_flight *flight,
                       const struct tf_noc_request *multicast, uint64_t left, uint64_t takes, uint64_t *delay)
{
    struct tf_route route;
    const uint64_t hop = duration(transit, TF_TIME_NOC_HOP);
    uint64_t head = left + duration(transit, TF_TIME_NOC_OUT);
    tf_route_find(transit->fabric->arch, flight->noc, flight->from, flight->to, multicast, &route);
    const uint64_t alone = head + route.count * hop;
    transit->longest = 0;
    for (unsigned i = 0; i < route.count; i++) {
        pass(transit, flight->noc, route.link[i], multicast != NULL, left, takes, &head);
        head += hop;
    }
    pass(transit, flight->noc, tf_link_of(flight->to, TF_LINK_IN), false, left, takes, &head);
    transit->busy[flight->noc][flight->to][1] += takes;
    *delay = head - alone;
    return head + duration(transit, TF_TIME_NOC_IN) + tf_max(takes, flight->stream);
}

static void arrives(struct tf_transit *transit, struct tf_flight *flight, uint64_t at)
{
    if (flight->what == TF_FLIGHT_ANSWER)
        at += duration(transit, TF_TIME_NOC_LAND);
    flight->due = tf_max((at + TF_CENTS - 1) / TF_CENTS, transit->epochs->cycles);
    tf_transit_insert(transit, flight);
}

void tf_transit_insert(struct tf_transit *transit, struct tf_flight *flight)
{
    const unsigned site = tf_site_of(transit->fabric, flight->to);
    struct tf_flight **link = &transit->arriving[site];
    if (*link != NULL && transit->last[site]->due <= flight->due)
        link = &transit->last[site]->next;
    else
        while (*link != NULL && (*link)->due <= flight->due)
            link = &(*link)->next;
    flight->next = *link;
    *link = flight;
    if (flight->next == NULL)
        transit->last[site] = flight;
    tf_sites_add(&transit->expecting, site);
}

/* The NIU reads the data of a write while they leave. A program that changes them before the counters say that they
   have left has a race. */
static void read_source(struct tf_transit *transit, struct tf_noc_request *request)
{
    const struct tf_node *node = &transit->fabric->node[request->source];
    memcpy(request->carried, node->l1 + request->source_address, request->length);
    request->data = request->carried;
}

/* The counters of sent data move when the last flit has left. */
static void note_sent(struct tf_transit *transit, struct tf_flight *flight, uint64_t at)
{
    struct tf_flight *sent = malloc(sizeof *sent);
    if (sent == NULL) {
        transit->workers->worker[0].sink.out_of_memory = true;
        return;
    }
    *sent = (struct tf_flight){.path = flight->path != NULL ? tf_flight_path_sent(transit->observers->path, flight)
                                                            : NULL,
                               .of = flight,
                               .uses = 1,
                               .from = flight->from,
                               .to = flight->from,
                               .what = TF_FLIGHT_SENT,
                               .noc = flight->noc};
    flight->uses++;
    arrives(transit, sent, at);
}

static void travel_in_tree(struct tf_transit *transit, struct tf_flight *flight, uint64_t left, uint64_t takes,
                           uint64_t *delay)
{
    uint16_t node[TF_NODES_MAX];
    const struct tf_noc_request *request = tf_flight_request(flight);
    const unsigned count = tf_noc_recipients(transit->fabric, request, node);
    transit->tree++;
    for (unsigned i = 0; i < count; i++) {
        struct tf_flight *copy = tf_flight_copy(flight, node[i]);
        uint64_t own = 0;
        if (copy == NULL) {
            transit->workers->worker[0].sink.out_of_memory = true;
            continue;
        }
        arrives(transit, copy, travel(transit, copy, request, left, takes, &own));
        if (flight->path != NULL)
            tf_flight_path_copied(transit->observers->path, flight, copy, own, transit->longest_at);
        *delay = tf_max(*delay, own);
    }
}

/* The time in which a multicast reserves its path: to its farthest recipient and back. The NIU sends none of its other
   requests meanwhile. */
static uint64_t reservation(const struct tf_transit *transit, const struct tf_flight *flight,
                            const struct tf_noc_request *request)
{
    uint16_t node[TF_NODES_MAX];
    const unsigned count = tf_noc_recipients(transit->fabric, request, node);
    unsigned links = 0;
    for (unsigned i = 0; i < count; i++) {
        struct tf_route route;
        tf_route_find(transit->fabric->arch, flight->noc, flight->from, node[i], request, &route);
        links = (unsigned)tf_max(links, route.count);
    }
    return duration(transit, TF_TIME_NOC_RESERVE) + links * duration(transit, TF_TIME_NOC_RESERVE_HOP);
}

/* The packet of a queue that leaves next. Does it reserve its path first? It becomes ready later then. */
static bool reserves(struct tf_transit *transit, unsigned number)
{
    struct tf_flight *flight = transit->queue[number].first;
    if (flight->what != TF_FLIGHT_REQUEST || flight->reserved || !tf_flight_request(flight)->multicast ||
        !tf_flight_request(flight)->reserves)
        return false;
    flight->ready = leaves(transit, number) + reservation(transit, flight, tf_flight_request(flight));
    flight->reserved = true;
    return true;
}

/* A packet leaves its NIU, which sends the next one when the last flit of this one has found its way. */
static void leave(struct tf_transit *transit, unsigned number)
{
    if (reserves(transit, number))
        return;
    const uint64_t left = leaves(transit, number);
    struct tf_flight_queue *queue = &transit->queue[number];
    struct tf_flight *flight = take_first(transit, number);
    struct tf_noc_request *request = flight->what == TF_FLIGHT_REQUEST ? tf_flight_request(flight) : NULL;
    const uint64_t flits = flits_of(transit, flight), takes = flits * transit->times->value[TF_TIME_NOC_FLIT];
    flight->stream = tf_max(flight->stream, flits * transit->times->value[TF_TIME_NOC_SOURCE]);
    const bool reads_source = request != NULL && request->kind == TF_NOC_WRITE && request->data != request->carried;
    uint64_t delay = 0;
    transit->out[flight->noc][flight->from] = left + takes;
    transit->busy[flight->noc][flight->from][0] += takes;
    if (flight->path != NULL)
        tf_flight_path_left(transit->observers->path, flight, left);
    if (reads_source)
        read_source(transit, request);
    if (request != NULL && request->multicast) {
        travel_in_tree(transit, flight, left, takes, &delay);
    } else {
        if (request != NULL)
            request->entry.node = flight->to;
        arrives(transit, flight, travel(transit, flight, NULL, left, takes, &delay));
        if (flight->path != NULL)
            tf_flight_path_travelled(transit->observers->path, flight, delay, transit->longest_at);
    }
    queue->free = left + tf_max(takes, flight->stream) + delay;
    if (reads_source)
        note_sent(transit, flight, queue->free);
    if (request != NULL && request->multicast)
        tf_flight_release(flight); /* its copies arrive in its place */
}

/* --- the end of an epoch --- */

/* Take what workers have posted. The flights of a node come from one worker, in their order. */
static void gather(struct tf_transit *transit)
{
    for (unsigned i = 0; i < transit->workers->count; i++) {
        struct tf_outbox *outbox = &transit->workers->worker[i].outbox;
        tf_flights_release(outbox->arrived);
        outbox->arrived = NULL;
        for (struct tf_flight *flight = outbox->flights, *next; flight != NULL; flight = next) {
            next = flight->next;
            if (flight->what == TF_FLIGHT_REQUEST)
                flight->ready = tf_flight_request(flight)->cycle * TF_CENTS + duration(transit, TF_TIME_NOC_ISSUE);
            tf_transit_append(transit, queue_of(flight), flight);
        }
        outbox->flights = NULL;
        outbox->flights_end = &outbox->flights;
    }
}

void tf_transit_depart(struct tf_transit *transit)
{
    if (TF_HOOK(transit->observers->noc_log) != NULL)
        tf_noc_report_flights(transit->observers->noc_log, transit->fabric, transit->epochs);
    gather(transit);
    while (transit->waits != 0) {
        const struct tf_flights_waiting first = first_queue(transit);
        if (first.leaves >= transit->epochs->cycles * TF_CENTS)
            break;
        leave(transit, first.queue);
    }
}

/* The cycle of the earliest arrival. Packets that leave before it do so: no tile runs until then. */
static uint64_t next_arrival(struct tf_transit *transit)
{
    for (;;) {
        uint64_t next = UINT64_MAX;
        for (unsigned site = 0; site < transit->fabric->nodes; site++)
            if (transit->arriving[site] != NULL)
                next = tf_min(next, transit->arriving[site]->due);
        if (transit->waits == 0)
            return next;
        const struct tf_flights_waiting first = first_queue(transit);
        if (next != UINT64_MAX && first.leaves >= next * TF_CENTS)
            return next;
        leave(transit, first.queue);
    }
}

/* Let time pass to the tick of a cycle. */
static void pass_to(struct tf_transit *transit, uint64_t cycle, uint64_t tick_limit)
{
    const struct tf_schedule *schedule = transit->schedule;
    uint64_t tick = tf_max(cycle / schedule->tick_cycles, transit->epochs->tick);
    while (tick > transit->epochs->tick && tf_tick_begin(schedule, tick) > cycle)
        tick--;
    while (tf_tick_end(schedule, tick) <= cycle)
        tick++;
    tick = tf_min(tick, tick_limit);
    if (tick > transit->epochs->tick)
        tf_epochs_pass(transit->epochs, transit->schedule, tick);
}

bool tf_transit_activate(struct tf_transit *transit, struct tf_sites *active, uint64_t tick_limit)
{
    const bool idle = tf_sites_none(active);
    const uint64_t next = idle ? next_arrival(transit) : 0;
    if (idle && next != UINT64_MAX)
        pass_to(transit, next, tick_limit);
    const uint64_t end = tf_tick_end(transit->schedule, transit->epochs->tick);
    bool none = transit->waits == 0;
    for (unsigned site = 0; site < transit->fabric->nodes; site++) {
        const struct tf_flight *first = transit->arriving[site];
        if (first == NULL)
            tf_sites_remove(&transit->expecting, site);
        if (first != NULL && (first->due < end || (idle && first->due == next)))
            tf_sites_add(active, site);
        none = none && first == NULL;
    }
    return none;
}

uint32_t tf_transit_unites(const struct tf_transit *transit)
{
    if (transit->schedule->slice_ticks != 1 || transit->waits != 0 || !tf_sites_none(&transit->expecting))
        return 0;
    const uint16_t *value = transit->times->value;
    const uint64_t tick = transit->epochs->tick, begin = tf_tick_begin(transit->schedule, tick);
    const uint64_t leaves = begin + value[TF_TIME_NOC_ISSUE];
    const uint64_t arrives = leaves + value[TF_TIME_NOC_OUT] + value[TF_TIME_NOC_HOP] + value[TF_TIME_NOC_IN];
    return tf_tick_end(transit->schedule, tick) <= leaves && tf_tick_end(transit->schedule, tick + 1) <= arrives;
}

/* --- the chip --- */

static void join(struct tf_chip *chip)
{
    struct tf_transit *transit = chip->transit;
    transit->fabric = chip->fabric;
    transit->workers = &chip->workers;
    transit->epochs = &chip->epochs;
    transit->schedule = &chip->schedule;
    transit->observers = &chip->observers;
    transit->times = chip->arch->tile[TF_TILE_TENSIX].times;
    chip->fabric->delays_captures = true; /* NIUs read the data of writes when these leave */
}

bool tf_transit_begin(struct tf_chip *chip)
{
    chip->transit = calloc(1, sizeof *chip->transit);
    if (chip->transit != NULL)
        join(chip);
    return chip->transit != NULL;
}

void tf_transit_exchange(struct tf_chip *chip, struct tf_chip *twin)
{
    struct tf_transit *transit = chip->transit;
    chip->transit = twin->transit;
    twin->transit = transit;
    join(chip);
    join(twin);
}

void tf_transit_clear(struct tf_transit *transit)
{
    for (unsigned i = 0; i < TF_TRANSIT_QUEUES; i++)
        tf_flights_release(transit->queue[i].first);
    for (unsigned site = 0; site < TF_NODES_MAX; site++)
        tf_flights_release(transit->arriving[site]);
    memset(transit->queue, 0, sizeof transit->queue);
    memset(transit->arriving, 0, sizeof transit->arriving);
    memset(transit->link, 0, sizeof transit->link);
    memset(transit->out, 0, sizeof transit->out);
    memset(transit->channel, 0, sizeof transit->channel);
    memset(transit->busy, 0, sizeof transit->busy);
    memset(transit->channel_busy, 0, sizeof transit->channel_busy);
    transit->waits = 0;
}

void tf_transit_end(struct tf_transit *transit)
{
    if (transit == NULL)
        return;
    gather(transit);
    tf_transit_clear(transit);
    free(transit);
}
