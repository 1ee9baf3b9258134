/* SPDX-License-Identifier: Apache-2.0 */
/* Sources: WormholeB0/NoC/Ordering.md; BlackholeA0/NoC/MemoryMap.md ("NOC_CTRL"), Counters.md. */
#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/order/deliver.h"
#include "farm/order/reach.h"
#include "host/extremes.h"
#include "noc/niu.h"
#include "noc/order.h"
#include "races/races.h"
#include "tile/explore/explore.h"
#include "tile/tensix/tensix.h"

/* The value of TF_FREE_PARTS in thousands: how much of each stream lands early (tilefarm_explore.h). */
#define PART_CUT 1000u
#define PART_EIGHTHS 8u

/* A packet may act many epochs after its issue. The race checker therefore sees all packets in one epoch. */
#define RACES_EPOCH 0u

/* A packet on its way to one node. Times are numbers of epochs. */
struct tf_flight {
    struct tf_flight *next;
    uint64_t due;             /* epoch in which the packet acts */
    uint64_t part;            /* epoch in which half of a write lands; UINT64_MAX: it lands whole */
    uint64_t capture;         /* epoch in which a write reads its source; UINT64_MAX: it has done so */
    struct tf_noc_part parts; /* the part that lands first */
    bool counted;             /* the NIU has counted the source as captured */
    bool read_delayed;
    uint16_t actor;
    uint32_t ordinal;
    uint32_t number; /* issue number at the source; the race checker identifies the packet by it */
    uint32_t ctrl;
    uint8_t act;      /* enum tf_noc_act */
    uint64_t channel; /* of tf_noc_channel() */
    unsigned answers; /* responses that have not landed, and 1 until it has acted */
    struct tf_noc_request request;
};

struct tf_flying_response {
    struct tf_flying_response *next;
    struct tf_flight *flight;
    uint64_t due;
    struct tf_noc_response response;
};

static uint64_t epoch_number(const struct tf_exploring *exploring)
{
    return exploring->epochs->number;
}

static void release(struct tf_flight *flight)
{
    if (--flight->answers == 0)
        free(flight);
}

static struct tf_decide_where at(const struct tf_flight *flight)
{
    const struct tf_noc_request *request = &flight->request;
    return (struct tf_decide_where){.pc = request->pc, .cycle = request->cycle, .address = request->address};
}

/* --- issue; called by the worker of the source --- */

static size_t data_bytes(const struct tf_noc_request *request, uint32_t payload_bytes)
{
    return request->kind == TF_NOC_WRITE ? request->length : payload_bytes;
}

static enum tf_access issue(struct tf_noc_sink *sink, const struct tf_noc_request *request, uint32_t payload_bytes,
                            unsigned core, uint32_t pc, uint64_t cycle)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    size_t bytes = data_bytes(request, payload_bytes);
    struct tf_flight *flight = malloc(sizeof *flight + bytes);
    if (flight == NULL)
        return tf_noc_unissued(worker->chip->fabric, request, core, pc, cycle);
    *flight = (struct tf_flight){.answers = 1, .capture = UINT64_MAX};
    tf_noc_request_copy(&flight->request, request, core, pc, cycle);
    unsigned sender = tf_noc_initiator_of(worker->chip->fabric, request, &flight->ctrl);
    flight->counted = request->kind != TF_NOC_WRITE || payload_bytes != 0;
    flight->number = worker->outbox.tile->explore->issued++;
    flight->request.entry.key = tf_deliver_key(worker);
    if (bytes != 0) {
        memcpy(flight->request.carried, request->data, bytes);
        flight->request.data = flight->request.carried;
    }
    flight->next = worker->outbox.flights;
    worker->outbox.flights = flight;
    if (worker->chip->observers.races != NULL && sender != TF_NIU_OVERLAY)
        tf_races_issued(worker->chip->observers.races, &flight->request, flight->ctrl, RACES_EPOCH);
    return TF_ACCESS_OK;
}

static struct tf_noc_response *make_response(struct tf_noc_sink *sink, uint32_t payload_bytes)
{
    (void)sink;
    struct tf_flying_response *flying = malloc(sizeof *flying + payload_bytes);
    return flying == NULL ? NULL : &flying->response;
}

static void respond(struct tf_noc_sink *sink, struct tf_noc_response *response)
{
    struct tf_exploring *exploring = ((struct tf_worker *)sink)->chip->exploring;
    struct tf_flying_response *flying = (struct tf_flying_response *)((uintptr_t)response -
                                                                      offsetof(struct tf_flying_response, response));
    struct tf_flight *flight = exploring->acting;
    struct tf_decider *decider = &exploring->fabric->node[flight->request.source].tile->explore->decider;
    flying->next = NULL;
    flying->flight = flight;
    flying->due = epoch_number(exploring) + 1 +
                  tf_decide_at(decider, TF_FREE_RESPONSE, flight->actor, flight->ordinal, at(flight));
    flight->answers++;
    *exploring->responses_end = flying;
    exploring->responses_end = &flying->next;
}

void tf_exploring_sink(struct tf_worker *worker)
{
    worker->sink = (struct tf_noc_sink){.issue = issue, .response = make_response, .respond = respond};
}

/* --- the order of two packets --- */

/* Does the first of two packets act before the second? */
static bool acts_before(const struct tf_flight *a, const struct tf_flight *b)
{
    return a->channel != 0 && a->channel == b->channel && a->request.source == b->request.source &&
           a->request.entry.node == b->request.entry.node && tf_noc_rules[a->act][b->act] != TF_NOC_RULE_NONE;
}

/* --- observing accesses --- */

/* A request, or its response, has accessed bytes of a node. */
static void see(struct tf_exploring *exploring, const struct tf_noc_request *request, enum tf_sight_kind kind,
                unsigned node, uint64_t address, uint32_t bytes)
{
    struct tf_tile *tile = exploring->fabric->node[node].tile;
    if (tile == NULL || tile->explore->sights == NULL ||
        tf_node_place(&exploring->fabric->node[node], address) != TF_PLACE_L1)
        return;
    const struct tf_sight sight = {.cycle = exploring->epochs->cycles,
                                   .address = (uint32_t)address,
                                   .pc = request->pc,
                                   .tile = exploring->fabric->node[request->source].tile->index,
                                   .core = request->core,
                                   .kind = (uint8_t)kind};
    tf_sights_note(tile, &sight, bytes);
}

/* part: TF_NOC_WRITE_PART or TF_NOC_WRITE_END; else the whole request has acted. */
static void see_act(struct tf_exploring *exploring, const struct tf_noc_request *request, unsigned part)
{
    enum tf_sight_kind kind = request->kind == TF_NOC_READ     ? TF_SIGHT_NOC_READ
                              : request->kind == TF_NOC_ATOMIC ? TF_SIGHT_NOC_ATOMIC
                                                               : TF_SIGHT_NOC_WRITE;
    struct tf_noc_range range = {request->address, request->length};
    if (kind == TF_SIGHT_NOC_ATOMIC)
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
static void capture(struct tf_exploring *exploring, struct tf_flight *flight)
{
    struct tf_noc_request *request = &flight->request;
    struct tf_node *node = &exploring->fabric->node[request->source];
    reach(exploring, request->source);
    if (flight->read_delayed)
        memcpy(request->carried, node->l1 + request->source_address, request->length);
    see(exploring, request, TF_SIGHT_NOC_SOURCE, request->source, request->source_address, request->length);
    tf_niu_captured(&node->niu[request->noc], request);
    flight->counted = true;
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

static void decide(struct tf_exploring *exploring, struct tf_flight *flight)
{
    const struct tf_noc_request *request = &flight->request;
    struct tf_decider *decider = &exploring->fabric->node[request->source].tile->explore->decider;
    flight->act = (uint8_t)tf_noc_act_of(&exploring->fabric->node[request->entry.node], request, flight->ctrl);
    uint64_t delay = tf_decide_at(decider, TF_FREE_REQUEST, flight->actor, flight->ordinal, at(flight));
    flight->due = epoch_number(exploring) + delay;
    flight->part = UINT64_MAX;
    if (has_granules(exploring->fabric, request)) {
        uint32_t parts = tf_decide_at(decider, TF_FREE_PARTS, flight->actor, flight->ordinal, at(flight));
        flight->part = parts == 0 ? UINT64_MAX : flight->due;
        flight->parts = parts_of(request, parts);
        flight->due += (parts % PART_CUT + 1) / 2;
    }
    if (!flight->counted) {
        uint64_t wait = request->multicast
                            ? 0
                            : tf_decide_at(decider, TF_FREE_CAPTURE, flight->actor, flight->ordinal, at(flight));
        flight->read_delayed = wait != 0;
        flight->capture = epoch_number(exploring) + tf_min(wait, delay);
    }
    for (const struct tf_flight *before = exploring->first; before != NULL; before = before->next)
        if (acts_before(before, flight)) {
            flight->due = tf_max(flight->due, before->due);
            flight->part = tf_max(flight->part, before->due);
        }
}

static void append(struct tf_exploring *exploring, struct tf_flight *flight)
{
    flight->next = NULL;
    *exploring->end = flight;
    exploring->end = &flight->next;
}

/* Make a copy of a multicast packet for one recipient. Only the last copy reads the source. */
static struct tf_flight *copy_of(const struct tf_flight *flight)
{
    bool has_data = tf_noc_is_write(flight->request.kind) &&
                    flight->request.data != NULL; /* an atomic has its `op` there */
    size_t bytes = has_data ? flight->request.length : 0;
    struct tf_flight *copy = malloc(sizeof *copy + bytes);
    if (copy == NULL)
        return NULL;
    memcpy(copy, flight, sizeof *copy + bytes);
    if (has_data)
        copy->request.data = copy->request.carried;
    copy->counted = true;
    return copy;
}

static void depart_to_many(struct tf_exploring *exploring, struct tf_flight *flight)
{
    uint16_t node[TF_NODES_MAX];
    unsigned count = tf_noc_recipients(exploring->fabric, &flight->request, node), actor = flight->actor;
    for (unsigned i = 0; i < count; i++) {
        struct tf_flight *own = i + 1 == count ? flight : copy_of(flight);
        if (own == NULL) {
            exploring->workers->worker[0].sink.out_of_memory = true;
            continue;
        }
        own->actor = (uint16_t)(actor + 2 * i);
        own->request.entry.node = node[i];
        decide(exploring, own);
        append(exploring, own);
    }
    if (count == 0) { /* it has no recipient */
        capture(exploring, flight);
        release(flight);
    }
}

static void depart(struct tf_exploring *exploring, struct tf_flight *flight)
{
    struct tf_node *node = &exploring->fabric->node[flight->request.source];
    flight->actor = flight->request.noc;
    flight->request.entry.key = flight->number;
    flight->ordinal = node->tile->explore->decider.ordinal[TF_FREE_REQUEST][flight->actor]++;
    if (node->tile->explore->sights != NULL)
        tf_sights_matter(node->tile->explore->sights, flight->request.cycle);
    flight->channel = tf_noc_channel(&exploring->transaction[flight->request.source][flight->request.noc],
                                     &flight->request, flight->ctrl);
    if (flight->request.multicast) {
        depart_to_many(exploring, flight);
        return;
    }
    flight->request.entry.node = flight->request.target;
    decide(exploring, flight);
    append(exploring, flight);
}

static int by_key(const void *a, const void *b)
{
    const struct tf_flight *const *x = a, *const *y = b;
    return (*x)->request.entry.key < (*y)->request.entry.key ? -1 : (*x)->request.entry.key > (*y)->request.entry.key;
}

/* Let the packets of the epoch depart in delivery order. */
static void depart_all(struct tf_exploring *exploring)
{
    size_t count = 0, room = 0;
    struct tf_flight **all = NULL;
    for (unsigned i = 0; i < exploring->workers->count; i++)
        for (struct tf_flight *flight = exploring->workers->worker[i].outbox.flights; flight != NULL;
             flight = flight->next)
            room++;
    all = room == 0 ? NULL : malloc(room * sizeof(struct tf_flight *));
    for (unsigned i = 0; i < exploring->workers->count; i++) {
        for (struct tf_flight *flight = exploring->workers->worker[i].outbox.flights, *next; flight != NULL;
             flight = next) {
            next = flight->next;
            if (all != NULL)
                all[count++] = flight;
            else
                free(flight);
        }
        exploring->workers->worker[i].outbox.flights = NULL;
    }
    if (room != 0 && all == NULL)
        exploring->workers->worker[0].sink.out_of_memory = true;
    if (count != 0)
        qsort(all, count, sizeof(struct tf_flight *), by_key);
    for (size_t i = 0; i < count; i++)
        depart(exploring, all[i]);
    free(all);
}

/* --- arrival --- */

static void act_as(struct tf_exploring *exploring, struct tf_flight *flight, unsigned kind)
{
    struct tf_noc_request *request = &flight->request;
    struct tf_worker *worker = &exploring->workers->worker[0];
    reach(exploring, request->entry.node);
    exploring->acting = flight;
    bool told = exploring->observers->races != NULL && kind != TF_NOC_WRITE_PART;
    if (told)
        tf_races_acts(exploring->observers->races, request, request->entry.node, RACES_EPOCH);
    request->kind = (uint8_t)kind;
    if (kind > TF_NOC_ATOMIC)
        request->part = flight->parts;
    tf_noc_act(exploring->fabric, request, request->entry.node, &worker->sink);
    if (kind > TF_NOC_ATOMIC)
        request->kind = TF_NOC_WRITE;
    see_act(exploring, request, kind);
    if (told)
        tf_races_acted(exploring->observers->races, request->entry.node);
    exploring->acting = NULL;
    tf_find_faults(worker, &exploring->fabric->node[request->entry.node]);
    worker->figures.deliveries += kind != TF_NOC_WRITE_PART;
}

/* Returns true if the packet has acted. */
static bool fly(struct tf_exploring *exploring, struct tf_flight *flight)
{
    bool in_parts = flight->part != UINT64_MAX;
    if (!flight->counted && flight->capture <= epoch_number(exploring))
        capture(exploring, flight);
    if (in_parts && flight->part <= epoch_number(exploring) && flight->due > epoch_number(exploring)) {
        act_as(exploring, flight, TF_NOC_WRITE_PART);
        flight->part = UINT64_MAX - 1; /* the other parts land when the packet is due */
    }
    if (flight->due > epoch_number(exploring))
        return false;
    if (flight->part == UINT64_MAX - 1)
        act_as(exploring, flight, TF_NOC_WRITE_END);
    else
        act_as(exploring, flight, flight->request.kind);
    return true;
}

uint64_t tf_exploring_matters(const struct tf_exploring *exploring)
{
    uint64_t cycle = exploring == NULL ? UINT64_MAX : exploring->matters;
    for (unsigned i = 0; exploring != NULL && i < exploring->tiles->count; i++) {
        const struct tf_sights *sights = exploring->tiles->tile[i].explore->sights;
        if (sights != NULL && sights->matters < cycle)
            cycle = sights->matters;
    }
    return cycle;
}

/* Stop looking at tiles once the cycle is found: looking takes as long as the rest of the run. */
static void end_seeking(struct tf_exploring *exploring)
{
    if (exploring->seeks_down_to == 0)
        return;
    uint64_t matters = tf_exploring_matters(exploring);
    if (matters >= exploring->seeks_down_to)
        return;
    exploring->seeks_down_to = 0;
    exploring->matters = matters;
    for (unsigned i = 0; i < exploring->tiles->count; i++)
        tf_sights_free(&exploring->tiles->tile[i]);
}

void tf_exploring_deliver(struct tf_exploring *exploring)
{
    end_seeking(exploring);
    depart_all(exploring);
    struct tf_flight **link = &exploring->first;
    while (*link != NULL) {
        struct tf_flight *flight = *link;
        if (!fly(exploring, flight)) {
            link = &flight->next;
            continue;
        }
        *link = flight->next;
        release(flight);
    }
    exploring->end = link;
}

void tf_exploring_land(struct tf_exploring *exploring)
{
    struct tf_flying_response **link = &exploring->responses;
    while (*link != NULL) {
        struct tf_flying_response *flying = *link;
        if (flying->due > epoch_number(exploring)) {
            link = &flying->next;
            continue;
        }
        reach(exploring, flying->response.node);
        if (exploring->observers->races != NULL)
            tf_races_lands(exploring->observers->races, &flying->response, RACES_EPOCH);
        tf_noc_land(exploring->fabric, &flying->response);
        if (flying->response.kind != TF_NOC_FAULT && flying->response.length != 0)
            see(exploring, flying->response.request, TF_SIGHT_NOC_DATA, flying->response.node, flying->response.address,
                flying->response.length);
        *link = flying->next;
        release(flying->flight);
        free(flying);
    }
    exploring->responses_end = link;
}

void tf_exploring_activate(struct tf_exploring *exploring, struct tf_sites *active)
{
    tf_sites_join(active, &exploring->touched);
    exploring->touched = (struct tf_sites){{0}};
    for (const struct tf_flight *flight = exploring->first; flight != NULL; flight = flight->next)
        tf_sites_add(active, tf_site_of(exploring->fabric, flight->request.source));
    for (const struct tf_flying_response *flying = exploring->responses; flying != NULL; flying = flying->next)
        tf_sites_add(active, tf_site_of(exploring->fabric, flying->response.node));
}

/* --- the chip --- */

static const struct tf_noc_orders orders = {.holds_command = tf_explored_holds_command,
                                            .is_held = tf_explored_niu_held};

static bool attach(struct tf_exploring *exploring, const struct tf_config *config)
{
    for (unsigned i = 0; i < exploring->tiles->count; i++) {
        struct tf_tile *tile = &exploring->tiles->tile[i];
        if (!tf_explore_attach(tile, &exploring->plan, config->slice_cycles))
            return false;
        if (tile->tensix != NULL && config->late_cycles == 0) /* units then finish late, so waits for them matter */
            tf_tensix_delay(tile, 1);
    }
    return true;
}

struct tf_exploring *tf_exploring_begin(const struct tf_config *config, struct tf_fabric *fabric,
                                        struct tf_tiles *tiles)
{
    struct tf_exploring *exploring = calloc(1, sizeof *exploring);
    if (exploring == NULL)
        return NULL;
    exploring->fabric = fabric;
    exploring->tiles = tiles;
    exploring->end = &exploring->first;
    exploring->responses_end = &exploring->responses;
    exploring->matters = UINT64_MAX;
    fabric->delays_captures = true;
    fabric->orders = &orders;
    tf_code_cache_explore(tiles->code);
    if (!tf_plan_init(&exploring->plan, config->explore) || !attach(exploring, config)) {
        tf_exploring_end(exploring);
        return NULL;
    }
    return exploring;
}

static void free_flights(struct tf_flight *flight)
{
    for (struct tf_flight *next; flight != NULL; flight = next) {
        next = flight->next;
        free(flight);
    }
}

void tf_exploring_end(struct tf_exploring *exploring)
{
    if (exploring == NULL)
        return;
    free_flights(exploring->first);
    while (exploring->responses != NULL) {
        struct tf_flying_response *flying = exploring->responses;
        exploring->responses = flying->next;
        release(flying->flight);
        free(flying);
    }
    tf_plan_fini(&exploring->plan);
    free(exploring);
}

int tf_chip_explore(struct tf_chip *chip, const struct tf_explore *explore)
{
    struct tf_plan plan;
    if (chip == NULL || explore == NULL || chip->exploring == NULL)
        return TF_EINVAL;
    if (!tf_plan_init(&plan, explore))
        return TF_ENOMEM;
    tf_plan_fini(&chip->exploring->plan);
    chip->exploring->plan = plan;
    chip->config.explore = explore;
    chip->host.progress_s = tf_seconds(); /* on_progress brings all tiles up to date, so a short run makes no call */
    return TF_OK;
}

static int by_place(const void *a, const void *b)
{
    const struct tf_decision *x = a, *y = b;
    if (x->freedom != y->freedom)
        return x->freedom < y->freedom ? -1 : 1;
    if (x->tile != y->tile)
        return x->tile < y->tile ? -1 : 1;
    if (x->actor != y->actor)
        return x->actor < y->actor ? -1 : 1;
    return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

size_t tf_chip_decisions(struct tf_chip *chip, struct tf_decision *decision, size_t room)
{
    size_t count = 0;
    for (unsigned i = 0; i < chip->tiles.count && chip->exploring != NULL; i++) {
        const struct tf_decider *decider = &chip->tiles.tile[i].explore->decider;
        for (size_t made = 0; made < decider->count; made++, count++)
            if (count < room)
                decision[count] = decider->made[made];
    }
    if (count != 0 && room != 0)
        qsort(decision, tf_min(count, room), sizeof *decision, by_place);
    return count;
}

uint64_t tf_chip_places(struct tf_chip *chip, unsigned freedom)
{
    uint64_t places = 0;
    for (unsigned i = 0; i < chip->tiles.count && chip->exploring != NULL && freedom < TF_FREEDOMS; i++)
        places += chip->tiles.tile[i].explore->decider.places[freedom];
    return places;
}

bool tf_exploring_record(struct tf_exploring *exploring, unsigned tile, uint64_t address)
{
    return exploring != NULL && tile < exploring->tiles->count &&
           address < exploring->tiles->tile[tile].arch->l1_bytes &&
           tf_sights_record(&exploring->tiles->tile[tile], (uint32_t)address);
}

const struct tf_sights *tf_exploring_sights(const struct tf_exploring *exploring, unsigned tile)
{
    return exploring != NULL && tile < exploring->tiles->count ? exploring->tiles->tile[tile].explore->sights : NULL;
}

bool tf_exploring_seek(struct tf_exploring *exploring, uint64_t down_to)
{
    for (unsigned i = 0; exploring != NULL && i < exploring->tiles->count; i++)
        if (!tf_sights_seek(&exploring->tiles->tile[i]))
            return false;
    if (exploring != NULL)
        exploring->seeks_down_to = down_to;
    return exploring != NULL;
}
