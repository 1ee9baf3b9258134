/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The three steps of a request, as the log of NOC requests and the race checker see them. All deterministic runs take
 * them here: requests that are due at the end of their epoch, and flights.
 *
 * epoch: the one of the request's issue, for the race checker. Thread: the worker of the site.
 */
#ifndef FARM_OBSERVED_H
#define FARM_OBSERVED_H

#include <stdint.h>

struct tf_noc_request;
struct tf_noc_response;
struct tf_worker;

/* The race checker sees that a request has been issued. as_sent: the request that the sink was given. Returns the
   number that the low half of the request's key must be. A chip with a race checker. */
uint32_t tf_observed_issue(struct tf_worker *worker, const struct tf_noc_request *as_sent,
                           const struct tf_noc_request *request, uint64_t epoch);

/* Let a request act at a node. */
void tf_observed_act(struct tf_worker *worker, struct tf_noc_request *request, uint16_t node, uint64_t epoch);

/* Let a response land at a site. */
void tf_observed_land(struct tf_worker *worker, unsigned site, const struct tf_noc_response *response, uint64_t epoch);

#endif
