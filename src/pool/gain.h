/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a team gains by sharing a task that comes again and again. On a loaded host helpers may not run. All of it is
   for the calling thread only, and decides who works, never a result. */
#ifndef POOL_GAIN_H
#define POOL_GAIN_H

#include <stdbool.h>

struct tf_team;

/* The first pause of sharing that does not gain. */
#define TF_GAIN_HOLD_S 2e-3

/* Set next_s to TF_GAIN_HOLD_S before the first use. */
struct tf_gain {
    double wall_s;   /* time of the last shared tasks, */
    double alone_s;  /* and what the caller alone would have needed, with fetches from other caches */
    double hold_s;   /* tasks for this time run serially before sharing is tried again */
    double next_s;   /* the next hold: it doubles each time that sharing does not pay, */
    double shared_s; /* until sharing has lasted for this time */
};

/* Does sharing pause? task_s: the time of the task that comes now, which passes. */
static inline bool tf_gain_pauses(struct tf_gain *gain, double task_s)
{
    if (!(gain->hold_s > 0))
        return false;
    gain->hold_s -= task_s;
    return true;
}

/* A task was shared. It took wall_s; the caller alone would have needed alone_s. */
void tf_gain_note(struct tf_gain *gain, struct tf_team *team, double alone_s, double wall_s);

/* The same task, of any kind of those that add to lost_s: the time that sharing has lost, less later gains. */
void tf_gain_note_loss(struct tf_gain *gain, double *lost_s, double alone_s, double wall_s);

#endif
