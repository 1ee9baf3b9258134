/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SYSTEM_STATE_H
#define SYSTEM_STATE_H

#include "farm/chip/rules.h"
#include "system/crew.h"
#include "system/lane.h"
#include "system/faults/link_faults.h"
#include "system/news.h"
#include "system/part.h"
#include "system/routes.h"
#include "tilefarm/tilefarm_system_run.h"

#define WINDOW_ENDLESS (UINT64_MAX / 2)

struct tf_led;
struct tf_ranks;
struct tf_system_relaxed;

struct tf_system {
    struct tf_cluster cluster;
    struct tf_config *config;          /* of its chips, as given */
    struct tf_rules rules;             /* as there */
    uint32_t latency_cycles, gbps;     /* of links */
    struct tf_link_faults faults;      /* of links */
    bool serial;                       /* chips have callbacks that the calling thread must make: it runs all of them */
    uint64_t window_ticks;             /* no packet takes less */
    unsigned hops;                     /* between the chips that are farthest apart; at least 1 */
    struct tf_news news;               /* of the run, as far as this process knows */
    struct tf_ranks *ranks;            /* NULL: no other process runs a part of the system */
    struct tf_led *led;                /* NULL: this process does not lead other ranks (lead.h) */
    struct tf_system_relaxed *relaxed; /* NULL: deterministic mode */
    double began_s;                    /* when the run began */
    double progress_s;                 /* when on_progress was last called */
    void (*on_progress)(void *user, uint64_t cycle, uint64_t instructions);
    void *user; /* of on_progress */
    struct tf_lane_listener listener;
    struct tf_system_part *part; /* by chip; NULL: not made */
    struct tf_lane *lane;        /* two for each link */
    struct tf_routes routes;
    struct tf_crew crew;
    _Alignas(64) atomic_bool stop; /* tf_system_stop() was called */
};

#endif
