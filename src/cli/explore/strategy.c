/* SPDX-License-Identifier: Apache-2.0 */
/* How seeds become decisions: drawn at every place by random, chaos and nops, chosen among the places of the usual
   order by pct and delay-one. The library does both (tilefarm_explore.h). */
#include <stdlib.h>

#include "cli/explore/hunt.h"
#include "cli/explore/strategy.h"

bool tf_hunt_take_places(struct tf_hunt *hunt, struct tf_decision *place, size_t places)
{
    size_t kept = 0;
    for (size_t i = 0; place != NULL && i < places; i++)
        if (place[i].cycle >= hunt->from)
            place[kept++] = place[i];
    hunt->places = tf_places_create(place, kept);
    return hunt->places != NULL;
}

void tf_hunt_keep_conflicts(void *user, struct tf_session *session)
{
    tf_places_keep_conflicts(((struct tf_hunt *)user)->places, session->chip);
}

uint64_t tf_hunt_seeds(const struct tf_hunt *hunt)
{
    struct tf_places_count count;
    tf_places_count(hunt->places, &count);
    if (hunt->strategy != TF_STRATEGY_DELAY_ONE)
        return UINT64_MAX;
    return count.packets != 0 ? 2 * (uint64_t)count.packets : 1; /* without packets: the usual order */
}

/* Delays alone, as NOPs between instructions would cause them: cores pause, and instructions of threads wait. */
static void delay_only(struct tf_explore *explore, uint64_t seed)
{
    tf_explore_random(explore, seed);
    for (unsigned freedom = 0; freedom < TF_FREEDOMS; freedom++)
        explore->rate[freedom] = 0;
    explore->rate[TF_FREE_CORE] = (uint16_t)(2048u >> seed % 4); /* a pause is four times as likely */
    explore->rate[TF_FREE_THREAD] = (uint16_t)(8192u >> seed / 4 % 4);
}

bool tf_hunt_explore(const struct tf_hunt *hunt, uint64_t seed, struct tf_explore *explore)
{
    *explore = (struct tf_explore){.scheduled = true};
    if (hunt->strategy == TF_STRATEGY_RANDOM)
        tf_explore_random(explore, seed);
    if (hunt->strategy == TF_STRATEGY_CHAOS)
        tf_explore_chaos(explore, seed);
    if (hunt->strategy == TF_STRATEGY_NOPS)
        delay_only(explore, seed);
    if (!explore->scheduled)
        return true;
    struct tf_decision *decision = calloc(hunt->depth, sizeof *decision);
    if (decision == NULL)
        return false;
    explore->decision = decision;
    if (hunt->strategy == TF_STRATEGY_PCT)
        explore->decisions = tf_places_pct(hunt->places, seed, hunt->depth, decision);
    else
        explore->decisions = tf_places_delay_one(hunt->places, seed, decision);
    return true;
}
