/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SYSTEM_STATE_H
#define SYSTEM_STATE_H

#include "system/crew.h"
#include "system/lane.h"
#include "system/link_faults.h"
#include "system/news.h"
#include "system/part.h"
#include "system/routes.h"
#include "tilefarm/tilefarm_system.h"

#define WINDOW_ENDLESS (UINT64_MAX / 2)

struct tf_ranks;

struct tf_system {
    struct tf_cluster cluster;
    struct tf_config config;       /* of its chips, as given */
    uint32_t latency_cycles, gbps; /* of links */
    struct tf_link_faults faults;  /* of links */
    bool serial;                   /* chips have callbacks that the calling thread must make: it runs all of them */
    uint64_t window_ticks;         /* no packet takes less */
    unsigned hops;                 /* between the chips that are farthest apart; at least 1 */
    struct tf_news news;           /* of the run, as far as this process knows */
    struct tf_ranks *ranks;        /* NULL: no other process runs a part of the system */
    double began_s;                /* when the run began */
    double progress_s;             /* when on_progress was last called */
    void (*on_progress)(void *user, uint64_t cycle, uint64_t instructions);
    void *user; /* of on_progress */
    struct tf_lane_listener listener;
    struct tf_system_part *part; /* by chip; NULL: not made */
    struct tf_lane *lane;        /* two for each link */
    struct tf_routes routes;
    struct tf_crew crew;
    _Alignas(64) atomic_bool stop; /* tf_system_stop() was called */
};

/* Between runs: would a run end as quiet at once? */
bool tf_system_is_quiet(const struct tf_system *system);

/* tf_system_create(). like: NULL, or a system whose chips' tables the new chips share; it must outlive them. */
int tf_system_create_like(const struct tf_system_config *config, const struct tf_system *like, struct tf_system **out,
                          struct tf_message *message);

/* Make a system like this one, which has not run. It must be destroyed before this one. Its chips have no observers:
   those of this system's chips stay. */
int tf_system_twin(const struct tf_system *system, struct tf_system **twin, struct tf_message *message);

/* Take the state of these chips, as bits, and what is under way to them, from a twin. */
void tf_system_take(struct tf_system *system, struct tf_system *twin, uint32_t chips);

#endif
