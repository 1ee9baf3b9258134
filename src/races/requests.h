/* SPDX-License-Identifier: Apache-2.0 */
/* NOC requests, which are actors of their own. */
#ifndef RACES_REQUESTS_H
#define RACES_REQUESTS_H

#include <stdint.h>

struct tf_noc_request;
struct tf_noc_response;
struct tf_races;

/* A request has been issued. On the worker of its source. ctrl: NOC_CTRL, or NULL for a packet of a stream; epoch: its
   number. Returns the number of the request among those of its source and epoch: later calls find it by the low half of
   its key. */
uint32_t tf_races_issued(struct tf_races *races, const struct tf_noc_request *request, const uint32_t *ctrl,
                         uint64_t epoch);

/* A request of this epoch is about to act at a node; the one that acted last has finished. On the node's worker. */
void tf_races_acts(struct tf_races *races, const struct tf_noc_request *request, uint16_t node, uint64_t epoch);
void tf_races_acted(struct tf_races *races, uint16_t node);

/* A response is about to land. On the worker of the source. epoch: that in which the request was issued. */
void tf_races_lands(struct tf_races *races, const struct tf_noc_response *response, uint64_t epoch);

/* A core has ended. Report each of its requests that no core of the tile has waited for, once. */
void tf_races_core_ended(struct tf_races *races, unsigned node, unsigned core);

/* Returns how many accesses of requests the checker has dropped because its records were full. */
uint64_t tf_races_forgotten(const struct tf_races *races);

#endif
