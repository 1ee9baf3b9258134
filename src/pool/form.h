/* SPDX-License-Identifier: Apache-2.0 */
/* Teams take helpers from a pool, and give them back. A function that takes a team is for its calling thread only. */
#ifndef POOL_FORM_H
#define POOL_FORM_H

#include <stdbool.h>

#include "pool/team.h"

struct tf_pool;

/* What a team is. */
struct tf_team_request {
    unsigned count; /* workers, including the calling thread: 1..TF_WORKERS_MAX */
    unsigned limit; /* helpers come only while the teams that run have fewer workers than this; 0: they always come */
    const int *cpu; /* the CPU to pin each worker to, or -1 for none; NULL: pin no worker */
    bool spin;      /* false where workers outnumber the CPUs */
};

/* Prepare a team. No thread is started. pool: NULL for the pool of the process. TF_OK, TF_ENOMEM. */
int tf_team_init(struct tf_team *team, struct tf_pool *pool, const struct tf_team_request *request);

/* Give the helpers back for good. */
void tf_team_fini(struct tf_team *team);

/* Take helpers, unless that has been done since the last rest. If there are fewer than the team asks for, those do all
   the work. TF_OK; TF_ESYS: none. */
int tf_team_form(struct tf_team *team);

/* Take more helpers, if some were missing and other teams have rested since. Returns true if some came. */
bool tf_team_grow(struct tf_team *team);

/* A run ends: other teams may take the helpers. The calling thread is where it was before it was pinned. */
void tf_team_rest(struct tf_team *team);

/* Let the host move all workers from now on. */
void tf_team_loosen(struct tf_team *team);

#endif
