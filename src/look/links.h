/* SPDX-License-Identifier: Apache-2.0 */
/* For how long each direction of the links of a system was busy, over time: for the report. */
#ifndef LOOK_LINKS_H
#define LOOK_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/arch.h"
#include "tilefarm/tilefarm_system_run.h"

struct tf_packet_event;
struct tf_saved;

#define TF_PAGE_SPANS 96u

/* A direction of a link. */
struct tf_page_link {
    struct tf_link_stats stats;
    uint64_t busy;                /* cycles in which it has carried frames */
    uint64_t span[TF_PAGE_SPANS]; /* those of each span of the run */
};

/* All zero: there are none. */
struct tf_page_links {
    struct tf_page_link *link; /* by direction; NULL: none */
    unsigned links;
    uint64_t span_cycles;                                       /* a power of two; grows with the run */
    uint16_t direction[TF_CLUSTER_CHIPS_MAX][TF_ETH_TILES_MAX]; /* of what a port sends */
};

/* Begin, before the run. Returns false if the host has no memory. */
bool tf_page_links_create(struct tf_page_links *links, const struct tf_cluster *cluster);
void tf_page_links_free(struct tf_page_links *links);

/* Count a packet. */
void tf_page_links_packet(struct tf_page_links *links, const struct tf_packet_event *event);

/* Write what was counted, or add it to what another process has counted (host/saved.h). */
void tf_page_links_state(struct tf_saved *saved, struct tf_page_links *links);

/* After the run: get the traffic. */
void tf_page_links_settle(struct tf_page_links *links, const struct tf_system *system);

#endif
