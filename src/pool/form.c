/* SPDX-License-Identifier: Apache-2.0 */
#include "pool/form.h"

#include <stdlib.h>
#include <string.h>

#include "pool/pool.h"

int tf_team_init(struct tf_team *team, struct tf_pool *pool, const struct tf_team_request *request)
{
    memset(team, 0, sizeof *team);
    team->pool = pool != NULL ? pool : tf_pool_of_process();
    team->count = team->present = request->count;
    team->limit = request->limit;
    team->spin = request->spin;
    for (unsigned i = 0; i < team->count; i++)
        team->cpu[i] = request->cpu != NULL ? request->cpu[i] : -1;
    if (team->count == 1)
        return TF_OK;
    team->member = aligned_alloc(_Alignof(struct tf_member), team->count * sizeof *team->member);
    if (team->member == NULL)
        return TF_ENOMEM;
    memset(team->member, 0, team->count * sizeof *team->member);
    for (unsigned i = 1; i < team->count; i++) {
        team->member[i].team = team;
        team->member[i].number = i;
    }
    return TF_OK;
}

void tf_team_fini(struct tf_team *team)
{
    if (team->member == NULL)
        return;
    tf_pool_forget(team->pool, team);
    free(team->member);
    team->member = NULL;
}

int tf_team_form(struct tf_team *team)
{
    if (team->count == 1)
        return TF_OK;
    if (!team->formed)
        tf_pool_serve(team->pool, team);
    return team->present > 1 ? TF_OK : TF_ESYS;
}

bool tf_team_grow(struct tf_team *team)
{
    unsigned before = team->present;
    if (!team->formed || before == team->count ||
        team->looked == atomic_load_explicit(&team->pool->rests, memory_order_relaxed))
        return false;
    tf_pool_serve(team->pool, team);
    return team->present != before;
}

void tf_team_rest(struct tf_team *team)
{
    if (!team->formed)
        return;
    tf_team_unpin_caller(team);
    tf_pool_release(team->pool, team);
}

void tf_team_loosen(struct tf_team *team)
{
    if (team->binding == NULL)
        return;
    tf_pool_loosen(team->pool, team);
    tf_team_unpin_caller(team);
}
