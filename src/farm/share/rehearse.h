/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rehearsal: shared phases without helpers, for `tilefarm bench --project`. The calling thread plays every worker. Each
 * worker has a clock, and the worker with the earliest clock takes the next site by the rules of share.c. The time of a
 * phase is the latest clock, plus the cost of meeting. All other code runs as with that many workers. The outcome is a
 * projection: it ignores that cores share memory and caches. Calling thread only.
 */
#ifndef FARM_REHEARSE_H
#define FARM_REHEARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "farm/share/workers.h"

struct tf_chip;
struct tf_sharing;

/* The cost of a barrier, in seconds. */
struct tf_meeting {
    double line_s; /* time to move a cache line between cores */
    double wake_s; /* time until a sleeping helper runs */
    double call_s; /* part of wake_s that the waking call takes */
    double spin_s; /* time for which a helper spins before it sleeps */
};

struct tf_rehearsal {
    double (*seconds)(void); /* of the calling thread */
    double look_s;           /* cost of reading that clock */
    struct tf_meeting meeting;
    double saved_s; /* time that passed, less the projected time */
    double met_s;   /* end of the last shared phase, in projected time */
    bool met;       /* met_s is valid */
    /* Sums over shared phases. */
    uint64_t phases, visits;
    double busy_s; /* all workers' visits */
    double span_s; /* the latest worker's clock */
    double meet_s; /* dealing and the barrier */
};

/* The projected time of tf_run(), and its parts, in seconds. */
struct tf_projection {
    uint64_t phases, visits; /* shared phases, and their visits */
    double passed_s;         /* wall time of all runs: the sum of the other parts */
    double work_s;           /* visits of shared phases, spread evenly over the workers */
    double imbalance_s;      /* waiting for the last worker */
    double meet_s;           /* waking workers, and the barrier */
    double unshared_s;       /* visits of phases that were not shared */
    double serial_s;         /* between phases */
};

/* Measure the cost of meeting on this host. If the host has one CPU, use typical figures. */
void tf_meeting_measure(struct tf_meeting *meeting);

/* Let a chip rehearse from now on. seconds: the clock of visits. It should be the thread's processor time, because
   other work on the host would make visits long, and phases uneven. Returns false if the host has no memory, or the
   chip has one worker, is in relaxed mode or has run before. */
bool tf_rehearse_begin(struct tf_chip *chip, const struct tf_meeting *meeting, double (*seconds)(void));

/* Seconds on the rehearsed host; NULL: on this host. Reading a rehearsed clock takes no projected time. */
double tf_seconds_on(struct tf_rehearsal *rehearsal);

/* Rehearse the shared phase that tf_deal() has dealt. */
void tf_rehearse_phase(struct tf_rehearsal *rehearsal, struct tf_sharing *sharing);

/* Would all helpers sleep now? */
bool tf_rehearse_asleep(struct tf_rehearsal *rehearsal);

/* passed_s: seconds of all runs, by tf_seconds_on(). All fields are 0 for NULL, if the chip does not rehearse. */
void tf_projection(const struct tf_rehearsal *rehearsal, const struct tf_workers *workers, double passed_s,
                   struct tf_projection *projection);

#endif
