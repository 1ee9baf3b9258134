/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared phases without helpers: the calling thread plays every worker, each with a clock of its own, and the worker
 * whose clock is behind takes the next site by the rules of share.c. What a phase would take on so many cores is the
 * latest clock and the cost of meeting; all else runs as it does with that many workers. The outcome is a projection:
 * cores that work at once share memory and caches, which one thread does not show.
 */
#ifndef FARM_REHEARSE_H
#define FARM_REHEARSE_H

#include <stdbool.h>
#include <stdint.h>

#include "farm/share/phase.h"

/* What it costs workers to meet. */
struct tf_meeting {
    double line_s;  /* a cache line from one core to another */
    double wake_s;  /* until a sleeping helper runs */
    double call_s;  /* of that, the call that wakes it */
    double spin_s;  /* that a helper spins before it sleeps */
};

struct tf_rehearsal {
    double (*seconds)(void); /* of the calling thread */
    double look_s;      /* what it takes to look at the clock */
    struct tf_meeting meeting;
    double saved_s;     /* time that passed, less what would have passed */
    double met_s;       /* end of the last shared phase, in projected time */
    bool met;
    /* Sums over shared phases. */
    uint64_t phases, visits;
    double busy_s;      /* all workers' visits */
    double span_s;      /* the latest worker's clock */
    double meet_s;      /* dealing and the barrier */
};

/* What would have passed in tf_run(), and where it goes: seconds. */
struct tf_projection {
    uint64_t phases, visits;    /* that were shared */
    double passed_s;           /* wall time of all runs: the sum of the other parts */
    double work_s;             /* visits of shared phases, spread evenly over the workers */
    double imbalance_s;        /* until the last worker was done with them */
    double meet_s;             /* until all knew that */
    double alone_s;            /* phases that were not shared */
    double serial_s;           /* between phases */
};

/* Measure this host, or take usual figures where there is no second core. */
void tf_meeting_measure(struct tf_meeting *meeting);

/* From now on a chip rehearses what its workers would do. False: no memory; or it has one worker, is in relaxed mode or
   has run. */
bool tf_rehearse_begin(struct tf_chip *chip, const struct tf_meeting *meeting);

/* Time on the rehearsed host, on which looking at the clock costs nothing. */
double tf_rehearsed_seconds(struct tf_rehearsal *rehearsal);

/* A shared phase whose sites have been dealt. */
void tf_rehearse_phase(struct tf_chip *chip, tf_visit *visit, enum tf_phase phase);

/* Would all helpers be asleep now? */
bool tf_rehearse_asleep(const struct tf_chip *chip);

/* All zero for a chip that does not rehearse. */
void tf_projection(const struct tf_chip *chip, struct tf_projection *projection);

#endif
