/* SPDX-License-Identifier: Apache-2.0 */
/* Responses land: data first, then counters. Source: BlackholeA0/NoC/Counters.md. */
#ifndef NOC_REQUESTS_LAND_H
#define NOC_REQUESTS_LAND_H

struct tf_fabric;
struct tf_noc_request;
struct tf_noc_response;
struct tf_node;

/* Land the data of a long read in L1; its counters move in tf_noc_land(). Does nothing for any other response. By the
   worker of the response's node. */
void tf_noc_land_long_read(struct tf_fabric *fabric, struct tf_noc_response *response);

/* Land a response at its node: data, then the counters of its NIU. Touches that node only. */
void tf_noc_land(struct tf_fabric *fabric, const struct tf_noc_response *response);

/* Land the answers that a node's requests keep, in order of issue. Requests that are not settled have none. Returns the
   last read whose data it has copied, which is free now; NULL: there was none. */
const struct tf_noc_request *tf_noc_land_kept(struct tf_node *node, const struct tf_noc_request *first);

#endif
