/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses, by a seed, among the places of the usual order. pct is after Burckhardt, Kothari, Musuvathi and Nagarakatte
 * (MSR-TR-2010-3). It makes one of n actors slow from the start, and delays the action at d - 1 of the k places. A seed
 * makes a given choice with a probability of 1 / (n k^(d-1)). Lengths are drawn too. delay-one puts off one packet, and
 * then one response, until the others are done. A packet of a link has no response: then it is lost.
 */
#include <stdlib.h>
#include <string.h>

#include "farm/explore/places.h"
#include "host/mix.h"
#include "tile/arch.h"
#include "tile/explore/decide.h"
#include "tile/numbered.h"
#include "tilefarm/tilefarm_explore.h"

#define LAST 1024u /* number of epochs */
#define RACES_READ 1024u

struct tf_places {
    struct tf_decision *place;  /* sorted by freedom, tile, actor, ordinal */
    struct tf_decision *packet; /* places of packets, with those that are left out */
    struct tf_places_count count;
};

static bool is_start(const struct tf_decision *decision)
{
    return (decision->freedom == TF_FREE_RESET || decision->freedom == TF_FREE_THREAD) && decision->ordinal == 0;
}

static void count_actors(struct tf_places *places)
{
    places->count.actors = 0;
    for (size_t i = 0; i < places->count.places; i++)
        places->count.actors += is_start(&places->place[i]);
}

struct tf_places *tf_places_create(const struct tf_decision *decision, size_t decisions)
{
    struct tf_places *places = calloc(1, sizeof *places);
    if (places == NULL)
        return NULL;
    places->place = calloc(decisions + 1, sizeof *decision);
    places->packet = calloc(decisions + 1, sizeof *decision);
    if (places->place == NULL || places->packet == NULL) {
        tf_places_destroy(places);
        return NULL;
    }
    if (decisions != 0)
        memcpy(places->place, decision, decisions * sizeof *decision);
    for (size_t i = 0; i < decisions; i++)
        if (decision[i].freedom == TF_FREE_REQUEST || decision[i].freedom == TF_FREE_LINK)
            places->packet[places->count.packets++] = decision[i];
    places->count.places = places->count.all = decisions;
    count_actors(places);
    return places;
}

void tf_places_destroy(struct tf_places *places)
{
    if (places == NULL)
        return;
    free(places->place);
    free(places->packet);
    free(places);
}

void tf_places_count(const struct tf_places *places, struct tf_places_count *count)
{
    *count = places->count;
}

/* Does a decision belong to the places and the code of this core? Requests are no such decisions: their pc alone
   identifies them. */
static bool is_of_core(const struct tf_decision *place, unsigned core)
{
    bool of_thread = place->freedom == TF_FREE_THREAD || place->freedom == TF_FREE_PACK ||
                     place->freedom == TF_FREE_UNPACK || place->freedom == TF_FREE_SCALAR;
    if (place->freedom == TF_FREE_UNIT)
        return (unsigned)TF_CORE_T0 + place->actor % TF_DECIDE_THREADS == core;
    return (of_thread ? (unsigned)TF_CORE_T0 + place->actor : place->actor) == core;
}

/* Does a decision belong to a packet of a link? Its own chip and the other one may race by it. */
static bool is_of_link(const struct tf_decision *place)
{
    return place->freedom == TF_FREE_LINK || place->freedom == TF_FREE_LOSS || place->freedom == TF_FREE_STREAM;
}

/* The last place before an access of a core at which the core may stand still; SIZE_MAX if there is none. */
static size_t stand_before(const struct tf_places *places, unsigned chip, unsigned tile, unsigned core, uint64_t cycle)
{
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < places->count.places; i++) {
        const struct tf_decision *place = &places->place[i];
        if (place->freedom == TF_FREE_CORE && place->chip == chip && place->tile == tile && place->actor == core &&
            place->cycle <= cycle)
            last = i;
    }
    return last;
}

/* Mark the places of one side of a race: the access itself, the core before the access, and the core's start. */
static void mark_side(const struct tf_places *places, const struct tf_race_side *side, unsigned chip, unsigned tile,
                      bool *kept)
{
    if (side->core == TF_CORE_NONE)
        return;
    size_t stand = stand_before(places, chip, tile, side->core, side->cycle);
    if (stand != SIZE_MAX)
        kept[stand] = true;
    for (size_t i = 0; i < places->count.places; i++) {
        const struct tf_decision *place = &places->place[i];
        bool of_request = (place->freedom >= TF_FREE_REQUEST && place->freedom <= TF_FREE_RESPONSE) ||
                          place->freedom == TF_FREE_NIU;
        if (place->chip != chip || place->tile != tile || (!of_request && !is_of_core(place, side->core)))
            continue;
        kept[i] |= place->pc == side->pc && place->freedom != TF_FREE_CORE;
        kept[i] |= is_start(place);
    }
}

static void keep_marked(struct tf_places *places, const bool *kept)
{
    size_t count = 0;
    for (size_t i = 0; i < places->count.places; i++)
        if (kept[i])
            places->place[count++] = places->place[i];
    if (count != 0)
        places->count.places = count;
    count_actors(places);
}

/* Mark the places of a chip's conflicts. Returns whether it has any. */
static bool mark_chip(const struct tf_places *places, struct tf_chip *chip, unsigned number, bool *kept)
{
    const struct tf_arch *arch = tf_chip_arch(chip);
    struct tf_race *race = calloc(RACES_READ, sizeof *race);
    size_t races = race == NULL ? 0 : tf_races(chip, race, RACES_READ);
    for (size_t i = 0; i < races && i < RACES_READ; i++)
        for (unsigned side = 0; side < 2; side++) {
            int tile = tf_numbered_tile(arch, race[i].side[side].tile);
            if (tile >= 0)
                mark_side(places, &race[i].side[side], number, (unsigned)tile, kept);
        }
    free(race);
    return races != 0;
}

void tf_places_keep_conflicts_of(struct tf_places *places, struct tf_chip *const *chip, unsigned chips)
{
    bool *kept = calloc(places->count.places + 1, sizeof *kept), any = false;
    for (unsigned i = 0; kept != NULL && i < chips; i++)
        any |= mark_chip(places, chip[i], i, kept);
    for (size_t i = 0; any && i < places->count.places; i++)
        kept[i] |= is_of_link(&places->place[i]);
    if (any)
        keep_marked(places, kept);
    free(kept);
}

void tf_places_keep_conflicts(struct tf_places *places, struct tf_chip *chip)
{
    tf_places_keep_conflicts_of(places, &chip, 1);
}

/* Add a place with a value, unless it has one. */
static void put_off(struct tf_decision *decision, size_t *count, const struct tf_decision *place, uint32_t value)
{
    for (size_t i = 0; i < *count; i++)
        if (tf_decision_place(&decision[i]) == tf_decision_place(place))
            return;
    decision[*count] = *place;
    decision[(*count)++].value = value;
}

/* Cores may run far apart. So one seed of four draws long pauses, but for the first ones, which find most. */
static bool is_patient(uint64_t seed)
{
    return seed % 4 == 0 && seed > 4;
}

size_t tf_places_pct(const struct tf_places *places, uint64_t seed, unsigned depth, struct tf_decision *decision)
{
    const struct tf_places_count *of = &places->count;
    uint32_t (*length)(unsigned, uint64_t) = is_patient(seed) ? tf_explore_long : tf_explore_length;
    uint64_t slow = of->actors == 0 ? 0 : tf_mix(seed) % of->actors;
    size_t count = 0;
    for (size_t i = 0; i < of->places && of->actors != 0; i++)
        if (is_start(&places->place[i]) && slow-- == 0)
            put_off(decision, &count, &places->place[i], length(places->place[i].freedom, tf_mix(seed + 1)));
    for (unsigned i = 1; i < depth && of->places != 0; i++) {
        uint64_t hash = tf_mix(tf_mix(seed) + i);
        const struct tf_decision *place = &places->place[hash % of->places];
        put_off(decision, &count, place, length(place->freedom, hash));
    }
    return count;
}

size_t tf_places_delay_one(const struct tf_places *places, uint64_t seed, struct tf_decision *decision)
{
    size_t packets = places->count.packets, count = 0;
    if (packets == 0)
        return 0;
    uint64_t number = (seed - 1) % (2 * (uint64_t)packets);
    struct tf_decision place = places->packet[number % packets];
    const bool linked = place.freedom == TF_FREE_LINK;
    if (number >= packets)
        place.freedom = linked ? TF_FREE_LOSS : TF_FREE_RESPONSE;
    put_off(decision, &count, &place, place.freedom == TF_FREE_LOSS ? 1 : LAST);
    return count;
}
