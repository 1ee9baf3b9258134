/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How seeds become decisions. random and chaos draw at every place. pct is after Burckhardt, Kothari, Musuvathi and
 * Nagarakatte (MSR-TR-2010-3): one actor of n is slow from the start, and at d - 1 of the k places of the usual order
 * what comes is put off. A seed makes any such choice with a probability of 1 / (n k^(d-1)); lengths are drawn too.
 * Places and actors are those of accesses that `check` finds in conflict, where it finds any.
 * delay-one puts off one packet, and then one response, until the others are done.
 */
#include <stdlib.h>

#include "cli/explore/hunt.h"

#define LAST 1024u /* epochs */

static bool is_core(const struct tf_decision *decision)
{
    return decision->freedom == TF_FREE_RESET || decision->freedom == TF_FREE_THREAD;
}

static void count_actors(struct tf_hunt *hunt)
{
    hunt->actors = 0;
    for (size_t i = 0; i < hunt->points; i++)
        hunt->actors += is_core(&hunt->point[i]) && hunt->point[i].ordinal == 0;
}

void tf_hunt_take_points(struct tf_hunt *hunt, struct tf_decision *point, size_t points)
{
    size_t all = points;
    points = 0;
    for (size_t i = 0; i < all; i++)
        if (point[i].cycle >= hunt->from)
            point[points++] = point[i];
    hunt->point = point;
    hunt->points = points;
    hunt->all_points = points;
    for (size_t i = 0; i < points; i++)
        if (point[i].freedom == TF_FREE_REQUEST && hunt->requests++ == 0)
            hunt->first_request = i;
    count_actors(hunt);
}

/* The core whose places and code a decision belongs to. Requests are told by their pc alone. */
static bool is_of_core(const struct tf_decision *point, unsigned core)
{
    bool of_thread = point->freedom == TF_FREE_THREAD || point->freedom == TF_FREE_PACK;
    return (of_thread ? (unsigned)TF_CORE_T0 + point->unit : point->unit) == core;
}

/* The last place before a core's access at which the core may stand still; SIZE_MAX: none. */
static size_t stand_before(const struct tf_hunt *hunt, unsigned tile, unsigned core, uint64_t cycle)
{
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < hunt->points; i++) {
        const struct tf_decision *point = &hunt->point[i];
        if (point->freedom == TF_FREE_CORE && point->tile == tile && point->unit == core && point->cycle <= cycle)
            last = i;
    }
    return last;
}

/* Mark the places of one side of a race: of the access itself, of its core before it, and of its core's start. */
static void mark_side(const struct tf_hunt *hunt, const struct tf_race_side *side, unsigned tile, bool *kept)
{
    if (side->core == TF_CORE_NONE)
        return;
    size_t stand = stand_before(hunt, tile, side->core, side->cycle);
    if (stand != SIZE_MAX)
        kept[stand] = true;
    for (size_t i = 0; i < hunt->points; i++) {
        const struct tf_decision *point = &hunt->point[i];
        bool of_request = point->freedom >= TF_FREE_REQUEST;
        if (point->tile != tile || (!of_request && !is_of_core(point, side->core)))
            continue;
        kept[i] |= point->pc == side->pc && point->freedom != TF_FREE_CORE;
        kept[i] |= is_core(point) && point->ordinal == 0;
    }
}

static void keep_marked(struct tf_hunt *hunt, const bool *kept)
{
    size_t count = 0;
    for (size_t i = 0; i < hunt->points; i++)
        if (kept[i])
            hunt->point[count++] = hunt->point[i];
    if (count != 0)
        hunt->points = count;
    count_actors(hunt);
}

#define RACES_READ 1024u

void tf_hunt_keep_conflicts(void *user, struct tf_session *session)
{
    struct tf_hunt *hunt = user;
    const struct tf_arch *arch = tf_chip_arch(session->chip);
    struct tf_race *race = calloc(RACES_READ, sizeof *race);
    bool *kept = calloc(hunt->points + 1, sizeof *kept);
    size_t races = race == NULL || kept == NULL ? 0 : tf_races(session->chip, race, RACES_READ);
    for (size_t i = 0; i < races && i < RACES_READ; i++)
        for (unsigned side = 0; side < 2; side++) {
            int tile = tf_tile_index(arch, race[i].side[side].tile);
            if (tile >= 0)
                mark_side(hunt, &race[i].side[side], (unsigned)tile, kept);
        }
    if (races != 0)
        keep_marked(hunt, kept);
    free(kept);
    free(race);
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
