/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The log of NOC requests, in deterministic mode: it gathers the notes of all sites in an epoch, and calls on_noc. A
 * note points to its request, which stays where it is until the epoch after the next one begins.
 */
#ifndef FARM_NOC_LOG_H
#define FARM_NOC_LOG_H

#include "noc/noc.h"

struct tf_epochs;
struct tf_noc_event;
struct tf_noc_log;
struct tf_worker;

typedef void tf_on_noc(void *user, const struct tf_noc_event *event);

/* A log without notes. on_noc: tf_config.on_noc, and its user. Returns NULL if the host has no memory. */
struct tf_noc_log *tf_noc_log_begin(unsigned sites, tf_on_noc *on_noc, void *user);
void tf_noc_log_end(struct tf_noc_log *log); /* or NULL */

/* A request has been issued at the worker's site. as_sent: the request that the sink was given. */
void tf_noc_log_issued(struct tf_worker *worker, const struct tf_noc_request *as_sent,
                       const struct tf_noc_request *request);

/* Let a request act at a node, and log it. */
void tf_noc_log_act(struct tf_worker *worker, struct tf_noc_request *request, uint16_t node);

/* Let a response land at a site, and log it. */
void tf_noc_log_land(struct tf_worker *worker, unsigned site, const struct tf_noc_response *response);

/* Let the data of a long read land, before all other responses. */
void tf_noc_log_land_long_read(struct tf_worker *worker, struct tf_noc_response *response);

/*
 * For a debugger of a chip with one worker: called before and after each request that acts and each response that
 * lands. The second call names the request and the node; of a landing they are NULL.
 */
struct tf_noc_witness {
    void (*begins)(struct tf_noc_witness *witness);
    void (*done)(struct tf_noc_witness *witness, const struct tf_noc_request *request, const struct tf_node *node);
};

/* The witness lives as long as the log. log: NULL: there is none, and nothing is called. */
void tf_noc_log_witness(struct tf_noc_log *log, struct tf_noc_witness *witness);

/* At the end of an epoch: report the answers that landed at its start, then the requests issued, then the acts. Calling
   thread. log: or NULL. */
void tf_noc_report_landed(struct tf_noc_log *log, const struct tf_fabric *fabric, const struct tf_epochs *epochs);
void tf_noc_report_rest(struct tf_noc_log *log, const struct tf_fabric *fabric, const struct tf_epochs *epochs);

/* The same for a chip with flights, at the end of an epoch, before it frees those that have arrived. The high half of a
   request's key is the number of the request from then on. */
void tf_noc_report_flights(struct tf_noc_log *log, const struct tf_fabric *fabric, const struct tf_epochs *epochs);

/* Had the host no memory for some of that, since the last call? */
bool tf_noc_log_lost(struct tf_noc_log *log);

#endif
