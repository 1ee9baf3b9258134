/* SPDX-License-Identifier: Apache-2.0 */
/* Files that show all chips of a run of a system: timeline, report, profile, coverage, NOC requests. */
#ifndef CLI_COMMANDS_SYSTEMS_LOOK_H
#define CLI_COMMANDS_SYSTEMS_LOOK_H

#include "cli/commands/systems/spread.h"
#include "look/tracks/packets.h"
#include "system/processes/letters.h"
#include "tile/arch.h"
#include "tilefarm/tilefarm_system_run.h"

struct tf_outcome;
struct tf_recording;

/* Over ranks, each has the looks of the chips that it runs, and a recording of its part of the timeline. Rank 0 has
   looks of all chips, but the timeline. All zero: no file is asked for. */
struct tf_system_look {
    const struct tf_cluster *cluster;
    const struct tf_spread *spread;
    struct tf_system *const *system;
    FILE *file;                    /* for the timeline; NULL: none */
    struct tf_recording *recorded; /* of this rank, which `timeline` has; NULL: of one process */
    FILE *of_rank[TF_RANKS_MAX];   /* recordings: of this rank, and at rank 0 those of others */
    bool compressed, lost;         /* lost: a rank had no memory for some of the timeline */
    struct tf_session *session;    /* by chip */
    struct tf_packets *timeline;   /* of all chips that run here; NULL: none */
    struct tf_page_links links;    /* for the report */
};

/* Begin the files that a job asks for. session: by chip. system: where the system will be. Returns false if the host
   has no memory. */
bool tf_system_look_begin(struct tf_system_look *look, const struct tf_job *job, const struct tf_cluster *cluster,
                          const struct tf_spread *spread, struct tf_session *session, struct tf_system *const *system);

/* Before the observers of a chip are made: what this rank is to see of it. */
void tf_system_look_choose(const struct tf_system_look *look, unsigned chip, struct tf_look_wish *wish);

/* A packet of a link, if a file needs packets. */
bool tf_system_look_wants_packets(const struct tf_system_look *look);
void tf_system_look_packet(struct tf_system_look *look, const struct tf_packet_event *event);

/* After a run over ranks: let rank 0 have what all ranks have seen. Returns false if a rank has failed. */
bool tf_system_look_collect(struct tf_system_look *look);

/* After the run: write what is left. name: of the run. Returns false after an error line. */
bool tf_system_look_write(struct tf_system_look *look, struct tf_system *system, const char *name,
                          const struct tf_outcome *outcome);

void tf_system_look_end(struct tf_system_look *look);

#endif
