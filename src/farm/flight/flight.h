/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flight: a packet on its way, with the time at which it is due. A request acts then, and its answer, a flight of its
 * own, lands. Who sends flights decides when they are due: src/farm/transit computes it from a table of durations,
 * src/farm/explore draws it. What is equal for both is here. Usual runs need no flights: all packets of an epoch are
 * due at its end (order/deliver.c), and act and land by the same functions (order/observed.h).
 */
#ifndef FARM_FLIGHT_H
#define FARM_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "farm/flight/state.h"

struct tf_worker;

/* The key of a request that the race checker does not know: it was issued before the checker began. */
#define TF_FLIGHT_UNKNOWN UINT32_MAX

/* A new flight for a request with room for so many bytes. Its request is undefined. NULL: the host has no memory. */
struct tf_request_flight *tf_flight_new(size_t bytes);

/* Set the sink of a worker: requests and answers become flights of worker->outbox, in order. The present worker. */
void tf_flight_sink(struct tf_worker *worker);

/* The packet for one recipient of a multicast. It needs the data of the multicast. NULL: the host has no memory. */
struct tf_flight *tf_flight_copy(struct tf_flight *multicast, uint16_t to);

/* A request acts at flight->to. observed: it has arrived whole, and the log and the race checker see it. The worker of
   the target's site; so below. */
void tf_flight_act(struct tf_worker *worker, struct tf_flight *flight, bool observed);

/* An answer lands at flight->to. */
void tf_flight_land(struct tf_worker *worker, struct tf_flight *flight);

/* One of the flights that need a flight does not need it now. The last one frees it, and releases what it needs. */
void tf_flight_release(struct tf_flight *flight);

/* tf_flight_release() for each of a list. */
void tf_flights_release(struct tf_flight *list);

#endif
