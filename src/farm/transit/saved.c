/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of packets in timing mode (host/saved.h). An answer brings its request along. */
#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/transit/depart.h"
#include "farm/transit/saved.h"
#include "farm/transit/transit.h"
#include "host/saved.h"
#include "tile/hash.h"

TF_SAVED_WHOLE(struct tf_flight, 64);
TF_SAVED_WHOLE(struct tf_noc_request, 128);
TF_SAVED_WHOLE(struct tf_noc_response, 64);
TF_SAVED_WHOLE(struct tf_flight_queue, 24);

#define WHY_BYTES_MAX 4096u
#define FLIGHTS_MOST (1u << 24)

static const char damaged[] = "it is damaged: a packet is invalid";

static bool has_data(const struct tf_noc_request *request)
{
    return tf_noc_is_write(request->kind) && request->data != NULL;
}

/* Have the data of a write left the L1 of its source? */
static bool is_captured(const struct tf_noc_request *request, const struct tf_noc_request *owner)
{
    return has_data(request) && (request->data == request->carried || request->data == owner->carried);
}

/* The request without what only this process knows. Zeros lie between its fields: equal states have equal files. */
static void make_plain(const struct tf_noc_request *request, struct tf_noc_request *plain)
{
    memset(plain, 0, sizeof *plain);
    plain->entry.node = request->entry.node;
    plain->kind = request->kind;
    plain->noc = request->noc;
    plain->answered = request->answered;
    plain->multicast = request->multicast;
    plain->header_store = request->header_store;
    plain->keeps_answer = request->keeps_answer;
    plain->core = request->core;
    plain->address = request->address;
    if (request->kind != TF_NOC_ATOMIC)
        plain->length = request->length;
    if (request->kind == TF_NOC_WRITE_BE || request->kind == TF_NOC_WRITE_INLINE)
        plain->byte_mask = request->byte_mask;
    if (request->multicast) {
        plain->x0 = request->x0;
        plain->y0 = request->y0;
        plain->x1 = request->x1;
        plain->y1 = request->y1;
        plain->exclude = request->exclude;
    }
    plain->return_address = request->return_address;
    plain->source_address = request->source_address;
    plain->source = request->source;
    plain->target = request->target;
    plain->answer = request->answer;
    plain->tid = request->tid;
    plain->source_include = request->source_include;
    plain->major_y = request->major_y;
    plain->to_overlay = request->to_overlay;
    plain->reserves = request->reserves;
    plain->at_len_be = request->at_len_be;
    plain->at_data = request->at_data;
    plain->pc = request->pc;
    plain->cycle = request->cycle;
}

static bool fits(const struct tf_transit *transit, const struct tf_noc_request *request)
{
    const struct tf_fabric *fabric = transit->fabric;
    const struct tf_node *source = &fabric->node[request->source % TF_NODES_MAX];
    const bool to_node = request->target < fabric->nodes || (request->multicast && request->target == TF_NO_NODE);
    const bool answered = !request->answered || request->answer < fabric->nodes;
    const bool inside = request->kind == TF_NOC_ATOMIC || request->length <= source->niu[0].packet_bytes;
    const bool from_l1 = request->kind != TF_NOC_WRITE || request->source_address >= source->l1_bytes ||
                         request->length <= source->l1_bytes - request->source_address;
    const bool corners = !request->multicast ||
                         (request->x0 < fabric->arch->grid_x && request->x1 < fabric->arch->grid_x &&
                          request->y0 < fabric->arch->grid_y && request->y1 < fabric->arch->grid_y);
    return request->kind <= TF_NOC_ATOMIC && request->noc < 2 && request->tid < TF_NOC_TIDS &&
           request->source < fabric->nodes && to_node && answered && inside && from_l1 && corners;
}

static void write_request(struct tf_saved *saved, const struct tf_flight *flight)
{
    const struct tf_request_flight *own = (const struct tf_request_flight *)flight;
    const struct tf_request_flight *of = (const struct tf_request_flight *)flight->of;
    struct tf_noc_request copy;
    make_plain(&own->request, &copy);
    const bool captured = is_captured(&own->request, of != NULL ? &of->request : &own->request);
    TF_SAVED(saved, copy);
    tf_saved_number(saved, captured);
    if (captured)
        tf_saved_bytes(saved, (void *)(uintptr_t)own->request.data, own->request.length);
}

/* Returns NULL after a failure. */
static struct tf_request_flight *read_request(struct tf_saved *saved, struct tf_transit *transit)
{
    struct tf_noc_request copy = {.kind = 0};
    TF_SAVED(saved, copy);
    const bool captured = tf_saved_count(saved, 0, 1) != 0;
    tf_saved_demand(saved, fits(transit, &copy), damaged);
    if (saved->why != NULL)
        return NULL;
    const size_t bytes = tf_noc_is_write(copy.kind) ? copy.length : 0;
    struct tf_request_flight *own = tf_flight_new(bytes);
    if (own == NULL) {
        tf_saved_fail(saved, tf_saved_no_memory);
        return NULL;
    }
    memcpy(&own->request, &copy, sizeof copy);
    own->request.entry.key = TF_FLIGHT_UNKNOWN;
    if (copy.kind == TF_NOC_ATOMIC) {
        const char *why = tf_noc_atomic_decode(transit->fabric->rules.atomics, copy.at_len_be, copy.at_data,
                                               &own->request.op);
        tf_saved_demand(saved, why == NULL, damaged);
    }
    if (captured)
        tf_saved_bytes(saved, own->request.carried, bytes);
    if (captured)
        own->request.data = own->request.carried;
    else if (copy.kind == TF_NOC_WRITE)
        own->request.data = transit->fabric->node[copy.source].l1; /* it will be read when the packet leaves */
    return own;
}

static void write_answer(struct tf_saved *saved, struct tf_flight *flight)
{
    const struct tf_noc_response *response = tf_flight_response(flight);
    const bool fault = response->kind == TF_NOC_FAULT;
    struct tf_noc_response copy;
    const uint64_t bytes = fault ? strlen(response->why) + 1 : response->length;
    memset(&copy, 0, sizeof copy);
    copy.entry.node = response->entry.node;
    copy.node = response->node;
    copy.kind = response->kind;
    copy.noc = response->noc;
    copy.tid = response->tid;
    copy.core = response->core;
    copy.landed = response->landed;
    copy.category = response->category;
    copy.length = response->length;
    copy.address = response->address;
    TF_SAVED(saved, copy);
    tf_saved_number(saved, bytes);
    tf_saved_bytes(saved, (void *)(uintptr_t)response->data, bytes);
}

static struct tf_answer_flight *read_answer(struct tf_saved *saved, const struct tf_transit *transit)
{
    struct tf_noc_response copy = {.kind = 0};
    TF_SAVED(saved, copy);
    const uint64_t bytes = tf_saved_number(saved, 0);
    const bool fault = copy.kind == TF_NOC_FAULT;
    const struct tf_fabric *fabric = transit->fabric;
    tf_saved_demand(saved,
                    copy.kind <= TF_NOC_FAULT && copy.noc < 2 && copy.tid < TF_NOC_TIDS &&
                        copy.entry.node < fabric->nodes && copy.node < fabric->nodes && !copy.landed &&
                        (fault ? bytes != 0 && bytes <= WHY_BYTES_MAX
                               : bytes == copy.length && bytes <= fabric->node[0].niu[0].packet_bytes),
                    damaged);
    if (saved->why != NULL)
        return NULL;
    struct tf_answer_flight *own = malloc(sizeof *own + bytes);
    if (own == NULL) {
        tf_saved_fail(saved, tf_saved_no_memory);
        return NULL;
    }
    own->flight = (struct tf_flight){.uses = 1, .what = TF_FLIGHT_ANSWER};
    own->response = copy;
    tf_saved_bytes(saved, own->response.carried, bytes);
    own->response.data = own->response.carried;
    if (fault)
        own->response.carried[bytes - 1] = '\0';
    return own;
}

static void write_flight(struct tf_saved *saved, struct tf_flight *flight)
{
    struct tf_flight copy;
    memset(&copy, 0, sizeof copy);
    copy.ready = flight->ready;
    copy.stream = flight->stream;
    copy.due = flight->due;
    copy.uses = 1;
    copy.from = flight->from;
    copy.to = flight->to;
    copy.what = flight->what;
    copy.noc = flight->noc;
    copy.reserved = flight->reserved;
    TF_SAVED_SPAN(saved, &copy, next, path);
    write_request(saved, flight->what == TF_FLIGHT_REQUEST ? flight : flight->of);
    if (flight->what == TF_FLIGHT_ANSWER)
        write_answer(saved, flight);
}

/* An answer, or the note that a write has left, with its request. */
static struct tf_flight *read_with(struct tf_saved *saved, struct tf_transit *transit, unsigned what,
                                   struct tf_request_flight *request)
{
    struct tf_answer_flight *answer = what == TF_FLIGHT_ANSWER ? read_answer(saved, transit) : NULL;
    struct tf_flight *own = answer != NULL ? &answer->flight : NULL;
    if (what == TF_FLIGHT_SENT)
        own = malloc(sizeof *own);
    if (own == NULL) {
        tf_saved_fail(saved, tf_saved_no_memory);
        tf_flight_release(&request->flight);
        return NULL;
    }
    if (answer != NULL)
        answer->response.request = &request->request;
    *own = (struct tf_flight){.of = &request->flight};
    return own;
}

static struct tf_flight *read_flight(struct tf_saved *saved, struct tf_transit *transit)
{
    struct tf_flight copy = {.uses = 0};
    TF_SAVED_SPAN(saved, &copy, next, path);
    const unsigned nodes = transit->fabric->nodes;
    tf_saved_demand(saved,
                    copy.what < TF_FLIGHTS && copy.noc < 2 && tf_saved_is_flag(&copy.reserved) && copy.from < nodes &&
                        (copy.to < nodes || (copy.what == TF_FLIGHT_REQUEST && copy.to == TF_NO_NODE)),
                    damaged);
    struct tf_request_flight *request = saved->why == NULL ? read_request(saved, transit) : NULL;
    if (request == NULL)
        return NULL;
    struct tf_flight *own = copy.what == TF_FLIGHT_REQUEST ? &request->flight
                                                           : read_with(saved, transit, copy.what, request);
    if (own == NULL)
        return NULL;
    struct tf_flight *of = own->of;
    *own = copy;
    own->of = of;
    own->next = NULL;
    own->uses = 1;
    return own;
}

static unsigned count_of(const struct tf_flight *flight)
{
    unsigned count = 0;
    for (; flight != NULL; flight = flight->next)
        count++;
    return count;
}

/* The lists of NIUs, or of sites. */
static void lists_state(struct tf_saved *saved, struct tf_transit *transit, unsigned lists, bool arriving)
{
    for (unsigned i = 0; i < lists && saved->why == NULL; i++) {
        struct tf_flight *first = arriving ? transit->arriving[i] : transit->queue[i].first;
        uint64_t left = tf_saved_count(saved, saved->reads ? 0 : count_of(first), FLIGHTS_MOST);
        for (struct tf_flight *flight = first; !saved->reads && flight != NULL; flight = flight->next)
            write_flight(saved, flight);
        for (; saved->reads && left != 0 && saved->why == NULL; left--) {
            struct tf_flight *flight = read_flight(saved, transit);
            if (flight == NULL)
                return;
            if (arriving && flight->to < transit->fabric->nodes)
                tf_transit_insert(transit, flight);
            else if (!arriving)
                tf_transit_append(transit, i, flight);
            else
                tf_flight_release(flight);
        }
    }
}

static void hash_list(struct tf_hash *hash, struct tf_flight *flight)
{
    for (; flight != NULL; flight = flight->next) {
        struct tf_flight *request = flight->what == TF_FLIGHT_REQUEST ? flight : flight->of;
        const struct tf_noc_request *of = tf_flight_request(request);
        tf_hash_u64(hash, flight->ready);
        tf_hash_u64(hash, flight->due);
        tf_hash_u32(hash, flight->from | (uint32_t)flight->to << 16);
        tf_hash_u32(hash, flight->what | flight->noc << 8 | of->kind << 16 | (uint32_t)of->tid << 24);
        tf_hash_u64(hash, of->address);
        if (flight->what == TF_FLIGHT_ANSWER && tf_flight_response(flight)->kind != TF_NOC_FAULT)
            tf_hash_bytes(hash, tf_flight_response(flight)->data, tf_flight_response(flight)->length);
    }
}

void tf_transit_hash(const struct tf_transit *transit, struct tf_hash *hash)
{
    for (unsigned i = 0; i < TF_TRANSIT_QUEUES; i++)
        hash_list(hash, transit->queue[i].first);
    for (unsigned site = 0; site < transit->fabric->nodes; site++)
        hash_list(hash, transit->arriving[site]);
}

void tf_transit_state(struct tf_saved *saved, struct tf_transit *transit)
{
    if (saved->reads)
        tf_transit_clear(transit);
    TF_SAVED_MEMORY(saved, transit->link);
    TF_SAVED_MEMORY(saved, transit->out);
    for (unsigned i = 0; i < TF_NODES_MAX * TF_LINKS; i++)
        tf_saved_demand(saved, transit->link[0][i].count <= TF_LINK_SPANS && transit->link[1][i].count <= TF_LINK_SPANS,
                        damaged);
    TF_SAVED_MEMORY(saved, transit->channel);
    TF_SAVED_MEMORY(saved, transit->busy);
    TF_SAVED_MEMORY(saved, transit->channel_busy);
    for (unsigned i = 0; i < TF_TRANSIT_QUEUES; i++)
        TF_SAVED(saved, transit->queue[i].free);
    lists_state(saved, transit, TF_TRANSIT_QUEUES, false);
    lists_state(saved, transit, TF_NODES_MAX, true);
}
