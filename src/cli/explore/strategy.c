/* SPDX-License-Identifier: Apache-2.0 */
/* How seeds become decisions: drawn at every place by random, chaos and nops, chosen among the places of the usual
   order by pct, delay-one and nop-sites. The library does most of it (tilefarm_explore.h). */
#include <stdlib.h>

#include "cli/explore/hunt.h"
#include "cli/explore/strategy.h"
#include "farm/explore/places.h"

/* Delays of a site, in slices. Seeds try all sites with the first one before the next. */
static const uint8_t nop_lengths[] = {4, 16, 1, 64, 8, 2, 32};

#define NOP_LENGTHS (sizeof nop_lengths)

static bool is_same_site(const struct tf_decision *a, const struct tf_decision *b)
{
    return a->actor == b->actor && a->pc == b->pc;
}

static int by_site(const void *a, const void *b)
{
    const struct tf_decision *x = a, *y = b;
    const uint32_t of_x[] = {x->actor, x->pc, x->chip, x->tile, x->ordinal};
    const uint32_t of_y[] = {y->actor, y->pc, y->chip, y->tile, y->ordinal};
    for (unsigned i = 0; i < sizeof of_x / sizeof of_x[0]; i++)
        if (of_x[i] != of_y[i])
            return of_x[i] < of_y[i] ? -1 : 1;
    return 0;
}

/* Tiles run the same programs, so a site is a code place of all tiles. */
static bool find_sites(struct tf_sites_of_nops *nops, const struct tf_decision *place, size_t places)
{
    size_t count = 0;
    nops->place = calloc(places + 1, sizeof *nops->place);
    nops->first = calloc(places + 2, sizeof *nops->first);
    if (nops->place == NULL || nops->first == NULL)
        return false;
    for (size_t i = 0; i < places; i++)
        if (place[i].freedom == TF_FREE_THREAD)
            nops->place[count++] = place[i];
    qsort(nops->place, count, sizeof *nops->place, by_site);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !is_same_site(&nops->place[i - 1], &nops->place[i]))
            nops->first[nops->sites++] = i;
    nops->first[nops->sites] = count;
    return true;
}

void tf_hunt_free_places(struct tf_hunt *hunt)
{
    tf_places_destroy(hunt->places);
    free(hunt->nops.place);
    free(hunt->nops.first);
    hunt->places = NULL;
    hunt->nops = (struct tf_sites_of_nops){.place = NULL};
}

bool tf_hunt_take_places(struct tf_hunt *hunt, struct tf_decision *place, size_t places)
{
    size_t kept = 0;
    for (size_t i = 0; place != NULL && i < places; i++)
        if (place[i].cycle >= hunt->from)
            place[kept++] = place[i];
    hunt->places = tf_places_create(place, kept);
    return hunt->places != NULL && (hunt->strategy != TF_STRATEGY_NOP_SITES || find_sites(&hunt->nops, place, kept));
}

void tf_hunt_keep_conflicts(void *user, struct tf_subject *subject)
{
    struct tf_chip *chip[TF_CLUSTER_CHIPS_MAX];
    for (unsigned i = 0; i < subject->chips; i++)
        chip[i] = subject->session[i].chip;
    tf_places_keep_conflicts_of(((struct tf_hunt *)user)->places, chip, subject->chips);
}

uint64_t tf_hunt_seeds(const struct tf_hunt *hunt)
{
    struct tf_places_count count;
    tf_places_count(hunt->places, &count);
    if (hunt->strategy == TF_STRATEGY_NOP_SITES)
        return hunt->nops.sites != 0 ? (uint64_t)hunt->nops.sites * NOP_LENGTHS : 1;
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

/* All instructions of one site wait. */
static bool delay_site(const struct tf_sites_of_nops *nops, uint64_t seed, struct tf_explore *explore)
{
    if (nops->sites == 0)
        return true;
    const size_t site = (size_t)((seed - 1) % nops->sites);
    const size_t first = nops->first[site], count = nops->first[site + 1] - first;
    struct tf_decision *decision = calloc(count, sizeof *decision);
    if (decision == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        decision[i] = nops->place[first + i];
        decision[i].value = nop_lengths[(seed - 1) / nops->sites % NOP_LENGTHS];
    }
    explore->decision = decision;
    explore->decisions = count;
    return true;
}

/* The strategy of a seed, which becomes the seed under that strategy. */
static enum tf_strategy take_turn(const struct tf_hunt *hunt, uint64_t *seed)
{
    static const enum tf_strategy turns[] = {TF_STRATEGY_RANDOM, TF_STRATEGY_CHAOS, TF_STRATEGY_PCT};
    enum { TURNS = sizeof turns / sizeof *turns };
    if (hunt->strategy != TF_STRATEGY_EACH)
        return hunt->strategy;
    const enum tf_strategy strategy = turns[(*seed - 1) % TURNS];
    *seed = (*seed - 1) / TURNS + 1;
    return strategy;
}

bool tf_hunt_has_pct(const struct tf_hunt *hunt)
{
    return hunt->strategy == TF_STRATEGY_PCT || hunt->strategy == TF_STRATEGY_EACH;
}

bool tf_hunt_explore(const struct tf_hunt *hunt, uint64_t seed, struct tf_explore *explore)
{
    const enum tf_strategy strategy = take_turn(hunt, &seed);
    *explore = (struct tf_explore){.scheduled = true};
    if (strategy == TF_STRATEGY_RANDOM)
        tf_explore_random(explore, seed);
    if (strategy == TF_STRATEGY_CHAOS)
        tf_explore_chaos(explore, seed);
    if (strategy == TF_STRATEGY_NOPS)
        delay_only(explore, seed);
    if (!explore->scheduled)
        return true;
    if (strategy == TF_STRATEGY_NOP_SITES)
        return delay_site(&hunt->nops, seed, explore);
    struct tf_decision *decision = calloc(hunt->depth, sizeof *decision);
    if (decision == NULL)
        return false;
    explore->decision = decision;
    if (strategy == TF_STRATEGY_PCT)
        explore->decisions = tf_places_pct(hunt->places, seed, hunt->depth, decision);
    else
        explore->decisions = tf_places_delay_one(hunt->places, seed, decision);
    return true;
}
