/* SPDX-License-Identifier: Apache-2.0 */
/* The threads of a system. In a window, each of them takes one chip after another until all have run. */
#ifndef SYSTEM_CREW_H
#define SYSTEM_CREW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "pool/gain.h"
#include "pool/team.h"
#include "tilefarm/tilefarm_cluster.h"

struct tf_system_part;

struct tf_crew {
    struct tf_team team;
    struct tf_task task;
    struct tf_system_part *part[TF_CLUSTER_CHIPS_MAX]; /* that run in the present window */
    unsigned parts;
    uint64_t tick;                 /* up to which they run */
    uint64_t hold;                 /* for all of them: tf_part_hold() */
    double chip_s;                 /* moving average of the time that a chip's window takes */
    struct tf_gain gain;           /* by sharing windows */
    double lost_s;                 /* by sharing windows, less later gains */
    _Alignas(64) atomic_uint next; /* the first of them that nobody has begun */
};

/* Prepare a crew. No thread is started. threads: as in struct tf_config. TF_OK, TF_ENOMEM, TF_ESYS. */
int tf_crew_init(struct tf_crew *crew, unsigned threads, unsigned chips, bool pin);
void tf_crew_fini(struct tf_crew *crew);

/* Run crew->part up to crew->tick. alone: by the calling thread. */
void tf_crew_run(struct tf_crew *crew, bool alone);

/* The parts of a window have taken busy_s, the sum over all threads. A thread may have been stopped within its part. */
void tf_crew_note(struct tf_crew *crew, double busy_s);

/* A run of the system ends. */
void tf_crew_rest(struct tf_crew *crew);

#endif
