/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of packets (tile/path/path.h): what is noted while it is recorded. */
#ifndef FARM_FLIGHT_PATH_H
#define FARM_FLIGHT_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/noc.h"
#include "tilefarm/tilefarm_times.h"

struct tf_flight;
struct tf_node;
struct tf_path_node;
struct tf_worker;

/* The record of a chip. */
struct tf_path_record {
    struct tf_path_node *start;                 /* where it began */
    struct tf_path_node *arrived[TF_NODES_MAX]; /* by site: the last packet; by the worker of the site in a phase */
    bool lost;                                  /* the host had no memory */
    bool of_system;                             /* it is a part of the record of a system */
};

/* Free a record. NULL is allowed. */
void tf_flight_path_end(struct tf_path_record *record);

/* A request has been issued by a core of the tile that runs, or because of the request that acts. */
void tf_flight_path_issued(struct tf_worker *worker, struct tf_flight *flight);

/* A request that acts is answered. */
void tf_flight_path_answered(struct tf_worker *worker, struct tf_flight *request, struct tf_flight *answer);

/* A packet leaves its NIU, at a time in hundredths of a cycle. */
void tf_flight_path_left(struct tf_path_record *record, struct tf_flight *flight, uint64_t left);

/* The node of the note that the data of a write have left. Returns a reference. */
struct tf_path_node *tf_flight_path_sent(struct tf_path_record *record, struct tf_flight *flight);

/* It will arrive at flight->due, after waits for links of so many hundredths of a cycle, the longest at link `at`;
   likewise a copy of it. */
void tf_flight_path_travelled(struct tf_path_record *record, struct tf_flight *flight, uint64_t delay, uint16_t at);
void tf_flight_path_copied(struct tf_path_record *record, const struct tf_flight *multicast, struct tf_flight *copy,
                           uint64_t delay, uint16_t at);

/* It arrives. Returns a reference to its path up to there. */
struct tf_path_node *tf_flight_path_arrived(struct tf_path_record *record, struct tf_flight *flight);

/* The answer will be ready at flight->ready: the time up to there was for `what`. */
void tf_flight_path_served(struct tf_path_record *record, struct tf_flight *flight, enum tf_path_kind what);

/* It has acted, or landed. path: the reference. */
void tf_flight_path_acted(struct tf_path_record *record, struct tf_node *node, struct tf_flight *flight,
                          struct tf_path_node *path);

/* A packet has arrived at a node: it may be the last event there. path: a reference, which is given up. */
void tf_flight_path_last(struct tf_path_record *record, const struct tf_node *node, struct tf_path_node *path);

#endif
