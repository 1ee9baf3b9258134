/* SPDX-License-Identifier: Apache-2.0 */
/* The phases of an epoch. A phase visits a set of sites. The calling thread alone does so, or all workers, if that
   pays. */
#ifndef FARM_PHASE_H
#define FARM_PHASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "farm/share/workers.h"
#include "pool/gain.h"
#include "pool/phase.h"
#include "pool/share.h"

enum tf_phase {
    TF_PHASE_RUN,     /* tiles run up to the epoch's end */
    TF_PHASE_PREPARE, /* long requests are checked before requests act; long reads land after */
    TF_PHASE_EXECUTE, /* requests act */
    TF_PHASE_CHAINS,  /* requests of chains act: each worker makes one visit */
    TF_PHASES,
};

/* Reading the clock takes as long as a visit or a request. The time of one of so many epochs stands for all, where
   visits and requests are few. Bench row: ping-pong-2. */
#define TF_TIMED_EPOCHS 16u

/* The length of a phase's visits, and the gain by sharing. This decides which worker visits a site, and no result. */
struct tf_pace {
    double visit_s; /* moving average of a visit's time, over all workers */
    struct tf_gain gain;
};

/* Fields of the calling thread. */
struct tf_pacing {
    struct tf_sharing *sharing;
    struct tf_workers *workers;
    struct tf_task task; /* the task of shared phases */
    struct tf_pace phase[TF_PHASES];
    bool spread;            /* the epoch's run was shared: sites lie in the caches of all workers */
    uint64_t chained;       /* requests in chains of the epoch, for TF_PHASE_CHAINS */
    double slept_through_s; /* sum of phases that would have gained by sharing, had the helpers not slept */
    double lost_s;          /* time that shared phases lost, compared with the caller alone, less later gains */
#ifdef TF_ASSERTS
    uint8_t claimed[TF_SITES_MAX]; /* sites that a worker is visiting */
#endif
};

/* A phase that is about to begin. */
struct tf_phase_plan {
    enum tf_phase phase;
    struct tf_sites any, callers; /* sites for any worker, and those for the calling thread alone */
    unsigned count;               /* number of sites for any worker */
    double remote_s;              /* extra time of the calling thread alone, since sites lie in other caches */
    bool shared;                  /* several workers visit them */
};

/* Prepare the phases of workers that share their sites. Once, before the first phase. */
void tf_phases_init(struct tf_pacing *pacing, struct tf_sharing *sharing, struct tf_workers *workers);

/* Plan a phase over a set of sites, and begin it: visit them all. It returns when all visits have ended. Calling thread
   only. */
void tf_phase_plan(struct tf_pacing *pacing, const struct tf_sites *sites, enum tf_phase phase,
                   struct tf_phase_plan *plan);
void tf_phase_begin(struct tf_pacing *pacing, const struct tf_phase_plan *plan, tf_visit *visit);

/* Between the two: visit one of the planned sites before the others, on the calling thread. */
void tf_phase_first(struct tf_pacing *pacing, struct tf_phase_plan *plan, unsigned site, tf_visit *visit);

/* Do both. */
void tf_visit_sites(struct tf_pacing *pacing, const struct tf_sites *sites, tf_visit *visit, enum tf_phase phase);

/* Visit a set of sites on the calling thread, in delivery order. */
void tf_visit_serial(struct tf_pacing *pacing, const struct tf_sites *sites, tf_visit *visit);

#endif
