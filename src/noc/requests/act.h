/* SPDX-License-Identifier: Apache-2.0 */
/* Requests act at their targets. Source: BlackholeA0/NoC/Counters.md. */
#ifndef NOC_REQUESTS_ACT_H
#define NOC_REQUESTS_ACT_H

#include <stdbool.h>
#include <stdint.h>

struct tf_fabric;
struct tf_niu;
struct tf_noc_entry;
struct tf_node;
struct tf_noc_request;
struct tf_noc_response;
struct tf_noc_sink;

/*
 * A request acts at one node. Its answer goes to the sink, or into a request that keeps it. Touches only the node
 * (memory, MMIO, slave counters of its NIU), and reads request->data. Deterministic mode: by the node's worker. Relaxed
 * mode: by any worker, with atomic operations of the host.
 */
void tf_noc_act(struct tf_fabric *fabric, struct tf_noc_request *request, uint16_t node, struct tf_noc_sink *sink);

/* Let the requests of a list with keys below end_key act, at the nodes of their entries. Returns their number. *first
   becomes the rest of the list. */
unsigned tf_noc_act_until(struct tf_fabric *fabric, struct tf_noc_entry **first, uint64_t end_key,
                          struct tf_noc_sink *sink);

/* Called before the first of some requests acts at a node, and before the first one that is not l1_only. */
typedef void tf_noc_arrive(struct tf_noc_sink *sink, struct tf_node *node, bool l1_only);

/* tf_noc_act_until() for requests with one target each, at any nodes. Row `atomic1-inc-spread` pays for it. */
unsigned tf_noc_act_chained(struct tf_fabric *fabric, struct tf_noc_entry **first, uint64_t end_key,
                            struct tf_noc_sink *sink, tf_noc_arrive *arrive);

/* Make the response of a settled request. */
void tf_noc_response_of(const struct tf_noc_request *request, struct tf_noc_response *response);

/* Prefetch the memory that a request will touch at a node. Row `multicast` in relaxed mode pays for it (19 %). */
void tf_noc_fetch(const struct tf_fabric *fabric, const struct tf_noc_request *request, uint16_t node);

/* Do the masks of the NIU keep multicasts from the node with this NOC_NODE_ID? */
bool tf_niu_masks_out(const struct tf_niu *niu, uint32_t node_id);

/* Has the NIU opted out of multicasts? */
bool tf_niu_opted_out(const struct tf_niu *niu);

#endif
