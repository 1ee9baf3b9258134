/* SPDX-License-Identifier: Apache-2.0 */
/* Files that show all chips of a run of a system: timeline, report, profile, coverage, NOC requests. */
#ifndef CLI_COMMANDS_SYSTEM_LOOK_H
#define CLI_COMMANDS_SYSTEM_LOOK_H

#include "cli/session.h"
#include "look/tracks/packets.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_system_run.h"

/* All zero: no file is asked for. */
struct tf_system_look {
    const struct tf_cluster *cluster;
    struct tf_session *session;                                 /* by chip */
    struct tf_packets *timeline;                                /* of all chips; NULL: none */
    struct tf_page_link *link;                                  /* by direction, for the report; NULL: none */
    uint16_t direction[TF_CLUSTER_CHIPS_MAX][TF_ETH_TILES_MAX]; /* of what a port sends */
};

/* Begin the files that a job asks for. session: by chip. Returns false if the host has no memory. */
bool tf_system_look_begin(struct tf_system_look *look, const struct tf_job *job, const struct tf_cluster *cluster,
                          struct tf_session *session);

/* A packet of a link, if a file needs packets. */
bool tf_system_look_wants_packets(const struct tf_system_look *look);
void tf_system_look_packet(struct tf_system_look *look, const struct tf_packet_event *event);

/* After the run: write what is left. name: of the run. Returns false after an error line. */
bool tf_system_look_write(struct tf_system_look *look, struct tf_system *system, const char *name,
                          const struct tf_outcome *outcome);

void tf_system_look_end(struct tf_system_look *look);

#endif
