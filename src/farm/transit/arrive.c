/* SPDX-License-Identifier: Apache-2.0 */
/* What workers do while sites run: packets arrive. */
#include "farm/chip/chip.h"
#include "farm/chip/found.h"
#include "farm/order/deliver.h"
#include "farm/order/noc_log.h"
#include "farm/transit/arrive.h"
#include "farm/flight/path.h"
#include "farm/transit/transit.h"
#include "host/extremes.h"
#include "noc/requests/act.h"
#include "noc/event.h"
#include "noc/requests/initiator.h"
#include "noc/requests/land.h"
#include "noc/nodes/space.h"
#include "tile/times.h"

#define DRAM_BYTES 64u /* of the rows DRAM_READ_64 and DRAM_WRITE_64 */

struct tf_flight *tf_transit_next(struct tf_transit *transit, unsigned site, uint64_t before)
{
    struct tf_flight *flight = transit->arriving[site];
    if (flight == NULL || flight->due >= before)
        return NULL;
    transit->arriving[site] = flight->next;
    return flight;
}

uint64_t tf_transit_arrives(const struct tf_transit *transit, unsigned node)
{
    for (unsigned noc = 0; noc < 2; noc++)
        if (transit->queue[(node * 2 + noc) * TF_FLIGHT_CLASSES + TF_FLIGHTS_ASKED].first != NULL)
            return 0;
    const struct tf_flight *flight = transit->arriving[node];
    return flight != NULL ? flight->due : UINT64_MAX;
}

/* Set when the answer of a request is ready, and how long its data take. A DRAM channel serves one after another. */
static void serve(struct tf_transit *transit, struct tf_flight *flight, const struct tf_node *node)
{
    const uint16_t *value = transit->times->value;
    const struct tf_noc_request *request = tf_flight_request(flight);
    const bool reads = request->kind == TF_NOC_READ;
    const enum tf_time row = reads                            ? TF_TIME_NOC_SERVE_READ
                             : request->kind == TF_NOC_ATOMIC ? TF_TIME_NOC_SERVE_ATOMIC
                                                              : TF_TIME_NOC_SERVE_WRITE;
    flight->ready = (flight->due + value[row]) * TF_CENTS;
    flight->stream = 0;
    if (flight->path != NULL)
        tf_flight_path_served(transit->observers->path, flight, TF_PATH_SERVE);
    if (request->kind == TF_NOC_ATOMIC || tf_node_place(node, request->address) != TF_PLACE_DRAM)
        return;
    const uint64_t bytes = transit->fabric->arch->dram.channel_bytes / value[TF_TIME_DRAM_CHANNELS];
    uint64_t *channel = &transit->channel[node->site][request->address / bytes % TF_TRANSIT_CHANNELS];
    const uint64_t takes = (uint64_t)request->length * value[reads ? TF_TIME_DRAM_READ_64 : TF_TIME_DRAM_WRITE_64] /
                           DRAM_BYTES;
    flight->ready += value[reads ? TF_TIME_DRAM_READ : TF_TIME_DRAM_WRITE] * TF_CENTS;
    if (flight->path != NULL)
        tf_flight_path_served(transit->observers->path, flight, TF_PATH_DRAM);
    flight->ready = tf_max(flight->ready, *channel);
    if (flight->path != NULL)
        tf_flight_path_served(transit->observers->path, flight, TF_PATH_CHANNEL);
    *channel = flight->ready + takes;
    transit->channel_busy[node->site] += takes;
    flight->stream = reads ? takes : 0;
}

void tf_transit_arrive(struct tf_worker *worker, struct tf_flight *flight)
{
    struct tf_node *node = &worker->chip->fabric->node[flight->to];
    worker->outbox.arrival = flight->due;
    struct tf_path_node *path = flight->path != NULL ? tf_flight_path_arrived(worker->chip->observers.path, flight)
                                                     : NULL;
    if (node->tile != NULL)
        node->tile->cycle = flight->due;
    switch ((enum tf_flight_what)flight->what) {
    case TF_FLIGHT_REQUEST:
        serve(worker->chip->transit, flight, node);
        tf_flight_act(worker, flight, true);
        break;
    case TF_FLIGHT_ANSWER: tf_flight_land(worker, flight); break;
    default: tf_niu_captured(&node->niu[flight->noc], tf_flight_request(flight->of)); break;
    }
    if (path != NULL)
        tf_flight_path_acted(worker->chip->observers.path, node, flight, path);
    flight->next = worker->outbox.arrived;
    worker->outbox.arrived = flight;
}
