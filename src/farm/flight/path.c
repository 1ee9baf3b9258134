/* SPDX-License-Identifier: Apache-2.0 */
#include "farm/flight/path.h"

#include <stdlib.h>

#include "farm/chip/chip.h"
#include "farm/flight/state.h"
#include "farm/order/deliver.h"
#include "host/extremes.h"
#include "tile/path/path.h"
#include "tile/timing.h"

void tf_flight_path_end(struct tf_path_record *record)
{
    if (record == NULL)
        return;
    tf_path_unref(record->start);
    for (unsigned site = 0; site < TF_NODES_MAX; site++)
        tf_path_unref(record->arrived[site]);
    free(record);
}

/* The record of a node's tile, or NULL. */
static struct tf_path *path_at(const struct tf_tile *tile)
{
    return tile == NULL || tile->timing == NULL ? NULL : tf_path_of(tile->timing);
}

static uint32_t pc_of(struct tf_flight *flight)
{
    return tf_flight_request(flight->what == TF_FLIGHT_REQUEST ? flight : flight->of)->pc;
}

static void spend(struct tf_path_record *record, struct tf_flight *flight, enum tf_path_kind what, uint16_t detail,
                  uint64_t until)
{
    if (!tf_path_spend(flight->path, (uint8_t)what, detail, pc_of(flight), until))
        __atomic_store_n(&record->lost, true, __ATOMIC_RELAXED);
}

/* A new packet that comes from `parent`. */
static struct tf_path_node *packet(struct tf_path_record *record, struct tf_path_node *parent, struct tf_flight *flight)
{
    struct tf_path_node *node = tf_path_new(parent, TF_PATH_AT_PACKET, flight->noc, flight->from, parent->end);
    if (node != NULL) {
        const struct tf_noc_request *request = tf_flight_request(flight->what == TF_FLIGHT_REQUEST ? flight
                                                                                                   : flight->of);
        node->to = flight->to;
        node->chip = node->to_chip = record->start->chip;
        node->code = request->source;
        node->core = request->core < TF_PATH_CORES ? request->core : 0;
    } else
        __atomic_store_n(&record->lost, true, __ATOMIC_RELAXED);
    return node;
}

/* What the present packet comes from: a reference. */
static struct tf_path_node *issuer(struct tf_worker *worker, const struct tf_noc_request *request)
{
    struct tf_path *path = path_at(worker->outbox.tile);
    if (path != NULL && path->at == request->source && request->core < TF_PATH_CORES &&
        path->core[request->core] != NULL && worker->outbox.acting == NULL)
        return tf_path_past(&path->core[request->core]);
    if (worker->outbox.acting != NULL && worker->outbox.acting->path != NULL)
        return tf_path_past(&worker->outbox.acting->path);
    return tf_path_ref(worker->chip->observers.path->start);
}

void tf_flight_path_issued(struct tf_worker *worker, struct tf_flight *flight)
{
    struct tf_path_record *record = worker->chip->observers.path;
    struct tf_path_node *parent = issuer(worker, tf_flight_request(flight));
    flight->path = parent != NULL ? packet(record, parent, flight) : NULL;
    tf_path_unref(parent);
    if (flight->path != NULL)
        spend(record, flight, TF_PATH_NIU, 0, tf_flight_request(flight)->cycle);
}

void tf_flight_path_answered(struct tf_worker *worker, struct tf_flight *request, struct tf_flight *answer)
{
    struct tf_path_node *parent = tf_path_past(&request->path);
    answer->path = parent != NULL ? packet(worker->chip->observers.path, parent, answer) : NULL;
    tf_path_unref(parent);
}

void tf_flight_path_left(struct tf_path_record *record, struct tf_flight *flight, uint64_t left)
{
    spend(record, flight, TF_PATH_NIU, 0, left / TF_CENTS);
}

struct tf_path_node *tf_flight_path_sent(struct tf_path_record *record, struct tf_flight *flight)
{
    struct tf_path_node *parent = tf_path_past(&flight->path);
    struct tf_path_node *node = parent != NULL ? packet(record, parent, flight) : NULL;
    tf_path_unref(parent);
    return node;
}

void tf_flight_path_travelled(struct tf_path_record *record, struct tf_flight *flight, uint64_t delay, uint16_t at)
{
    if (flight->path == NULL)
        return;
    const uint64_t waited = tf_min(flight->path->end + delay / TF_CENTS, flight->due);
    spend(record, flight, TF_PATH_LINK, at, waited);
    spend(record, flight, TF_PATH_WAY, 0, flight->due);
}

void tf_flight_path_copied(struct tf_path_record *record, const struct tf_flight *multicast, struct tf_flight *copy,
                           uint64_t delay, uint16_t at)
{
    copy->path = packet(record, multicast->path, copy);
    tf_flight_path_travelled(record, copy, delay, at);
}

struct tf_path_node *tf_flight_path_arrived(struct tf_path_record *record, struct tf_flight *flight)
{
    if (flight->what == TF_FLIGHT_SENT)
        spend(record, flight, TF_PATH_NIU, 0, flight->due);
    return tf_path_past(&flight->path);
}

void tf_flight_path_served(struct tf_path_record *record, struct tf_flight *flight, enum tf_path_kind what)
{
    spend(record, flight, what, 0, flight->ready / TF_CENTS);
}

/* The bytes of L1 that it has changed, and others have changed registers. */
static void wrote(struct tf_path *path, const struct tf_tile *tile, struct tf_flight *flight,
                  struct tf_path_node **present)
{
    uint64_t address = 0, bytes = 0;
    if (flight->what == TF_FLIGHT_ANSWER) {
        address = tf_flight_response(flight)->address;
        bytes = tf_flight_response(flight)->length;
    } else if (flight->what == TF_FLIGHT_REQUEST) {
        const struct tf_noc_changes changes = tf_noc_changes(tf_flight_request(flight));
        address = changes.data.address;
        bytes = changes.data.bytes;
        if (changes.indirect || changes.header.bytes != 0) {
            address = 0;
            bytes = tile->arch->l1_bytes;
        }
    }
    if (bytes != 0 && address < tile->arch->l1_bytes)
        tf_path_wrote_l1(path, tile->l1, TF_PATH_NO_CORE, address, bytes, present);
    if (bytes != 0 && address >= tile->arch->l1_bytes) {
        tf_path_set(&path->released, tf_path_past(present));
        tf_path_wrote_window(path, TF_PATH_NO_CORE, TF_PATH_ALL_WINDOWS, present);
    } else {
        tf_path_wrote_window(path, TF_PATH_NO_CORE, flight->noc == 0 ? TF_AT_NIU0 : TF_AT_NIU1, present);
    }
}

void tf_flight_path_acted(struct tf_path_record *record, struct tf_node *node, struct tf_flight *flight,
                          struct tf_path_node *path)
{
    struct tf_path *of = path_at(node->tile);
    if (of != NULL)
        wrote(of, node->tile, flight, &path);
    tf_flight_path_last(record, node, path);
}

void tf_flight_path_last(struct tf_path_record *record, const struct tf_node *node, struct tf_path_node *path)
{
    struct tf_path_node **last = &record->arrived[node->site];
    if (*last == NULL || (*last)->end <= path->end)
        tf_path_set(last, path);
    else
        tf_path_unref(path);
}
