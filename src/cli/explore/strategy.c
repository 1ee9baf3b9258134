/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How seeds become decisions. random and chaos draw at every place. pct is after Burckhardt, Kothari, Musuvathi and
 * Nagarakatte (MSR-TR-2010-3): one actor of n is slow from the start, and at d - 1 of the k places of the usual order
 * what comes is put off. A seed makes any such choice with a probability of 1 / (n k^(d-1)); lengths are drawn too.
 * delay-one puts off one packet, and then one response, until the others are done.
 */
#include <stdlib.h>

#include "cli/explore/hunt.h"

#define LAST 1024u /* epochs */

static bool is_core(const struct tf_decision *decision)
{
    return decision->freedom == TF_FREE_RESET || decision->freedom == TF_FREE_THREAD;
}

void tf_hunt_take_points(struct tf_hunt *hunt, struct tf_decision *point, size_t points)
{
    hunt->point = point;
    hunt->points = points;
    for (size_t i = 0; i < points; i++) {
        if (point[i].freedom == TF_FREE_REQUEST && hunt->requests++ == 0)
            hunt->first_request = i;
        hunt->actors += is_core(&point[i]) && point[i].ordinal == 0;
    }
}

uint64_t tf_hunt_seeds(const struct tf_hunt *hunt)
{
    return hunt->strategy == TF_STRATEGY_DELAY_ONE ? 2 * (uint64_t)hunt->requests : UINT64_MAX;
}

static uint64_t mixed(uint64_t value)
{
    value = (value ^ value >> 31) * 0x9E3779B97F4A7C15ull;
    value = (value ^ value >> 29) * 0xBF58476D1CE4E5B9ull;
    return value ^ value >> 32;
}

static bool is_same_place(const struct tf_decision *a, const struct tf_decision *b)
{
    return a->freedom == b->freedom && a->tile == b->tile && a->unit == b->unit && a->ordinal == b->ordinal;
}

/* Add a place with a value, unless it has one. */
static void put_off(struct tf_explore *explore, struct tf_decision *decision, const struct tf_decision *place,
                    uint32_t value)
{
    for (size_t i = 0; i < explore->decisions; i++)
        if (is_same_place(&decision[i], place))
            return;
    decision[explore->decisions] = *place;
    decision[explore->decisions++].value = value;
}

static void choose_by_pct(const struct tf_hunt *hunt, uint64_t seed, struct tf_explore *explore,
                          struct tf_decision *decision)
{
    uint64_t slow = hunt->actors == 0 ? 0 : mixed(seed) % hunt->actors;
    for (size_t i = 0; i < hunt->points && hunt->actors != 0; i++)
        if (is_core(&hunt->point[i]) && hunt->point[i].ordinal == 0 && slow-- == 0)
            put_off(explore, decision, &hunt->point[i], tf_explore_length(hunt->point[i].freedom, mixed(seed + 1)));
    for (unsigned i = 1; i < hunt->depth && hunt->points != 0; i++) {
        uint64_t hash = mixed(mixed(seed) + i);
        const struct tf_decision *place = &hunt->point[hash % hunt->points];
        put_off(explore, decision, place, tf_explore_length(place->freedom, hash));
    }
}

static void choose_one(const struct tf_hunt *hunt, uint64_t seed, struct tf_explore *explore,
                       struct tf_decision *decision)
{
    if (hunt->requests == 0)
        return;
    uint64_t number = (seed - 1) % (2 * (uint64_t)hunt->requests);
    struct tf_decision place = hunt->point[hunt->first_request + number % hunt->requests];
    if (number >= hunt->requests)
        place.freedom = TF_FREE_RESPONSE;
    put_off(explore, decision, &place, LAST);
}

bool tf_hunt_explore(const struct tf_hunt *hunt, uint64_t seed, struct tf_explore *explore)
{
    *explore = (struct tf_explore){.scheduled = true};
    if (hunt->strategy == TF_STRATEGY_RANDOM)
        tf_explore_random(explore, seed);
    if (hunt->strategy == TF_STRATEGY_CHAOS)
        tf_explore_chaos(explore, seed);
    if (!explore->scheduled)
        return true;
    struct tf_decision *decision = malloc((hunt->depth + 1) * sizeof *decision);
    if (decision == NULL)
        return false;
    explore->decision = decision;
    if (hunt->strategy == TF_STRATEGY_PCT)
        choose_by_pct(hunt, seed, explore, decision);
    else
        choose_one(hunt, seed, explore, decision);
    return true;
}
