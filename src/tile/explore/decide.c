/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/explore/decide.h"
#include "host/extremes.h"
#include "host/mix.h"

#include <stdlib.h>

#define STARVING 16384u
#define PAUSING 8192u /* with `starves`; else PAUSES times the rate at which cores stand still, and this at most */
#define PAUSES 4u
#define PAUSE_ACCESSES 32u
#define PAUSE_SLICES 8u
#define LONGER 8u       /* a long pause, in the longest draws at places */
#define FEW_ACCESSES 4u /* before a long pause */
/* After so many random seeds, one in four has long draws for stores: a core loses an update that comes far later. */
#define LATE_FROM 256u
#define LATE_STORES 4u
#define NOTES_MAX (1u << 20)

/* Seeds hash this number. So each part has the bits that it has had since there is one. */
static uint64_t place_of(unsigned freedom, unsigned chip, unsigned tile, unsigned actor, uint32_t ordinal)
{
    _Static_assert(TF_FREEDOMS <= 32, "five bits");
    return (uint64_t)(freedom & 15) << 60 | (uint64_t)(freedom >> 4) << 59 |
           (uint64_t)(tile & TF_DECIDE_TILE_MAX) << 48 | (uint64_t)(chip & TF_DECIDE_CHIP_MAX) << 42 |
           (uint64_t)(actor & TF_DECIDE_ACTOR_MAX) << 32 | ordinal;
}

uint64_t tf_decision_place(const struct tf_decision *decision)
{
    return place_of(decision->freedom, decision->chip, decision->tile, decision->actor, decision->ordinal);
}

bool tf_plan_init(struct tf_plan *plan, const struct tf_explore *explore)
{
    *plan = (struct tf_plan){.explore = explore};
    if (!explore->scheduled || explore->decisions == 0)
        return true;
    for (plan->slots = 16; plan->slots < explore->decisions * 2; plan->slots *= 2)
        continue;
    plan->slot = calloc(plan->slots, sizeof *plan->slot);
    if (plan->slot == NULL)
        return false;
    for (size_t i = 0; i < explore->decisions; i++) {
        size_t at = tf_mix_split(tf_decision_place(&explore->decision[i])) & (plan->slots - 1);
        while (plan->slot[at] != 0)
            at = (at + 1) & (plan->slots - 1);
        plan->slot[at] = (uint32_t)i + 1;
    }
    return true;
}

void tf_plan_fini(struct tf_plan *plan)
{
    free(plan->slot);
    plan->slot = NULL;
    plan->slots = 0;
}

static uint32_t scheduled(const struct tf_plan *plan, uint64_t place)
{
    if (plan->slots == 0)
        return 0;
    for (size_t at = tf_mix_split(place) & (plan->slots - 1); plan->slot[at] != 0; at = (at + 1) & (plan->slots - 1)) {
        const struct tf_decision *decision = &plan->explore->decision[plan->slot[at] - 1];
        if (tf_decision_place(decision) == place)
            return decision->value;
    }
    return 0;
}

/* Every octave up to the longest is equally likely. */
static uint32_t length_of(uint32_t longest, uint64_t hash)
{
    if (longest == 0)
        return 0;
    uint32_t base = 1u << hash % (32u - (unsigned)__builtin_clz(longest));
    uint32_t value = base + (uint32_t)(hash >> 16) % base;
    return tf_min(value, longest);
}

/* The rate of a place. With `starves`, about every eighth core stands still often. */
static uint32_t rate_of(const struct tf_explore *explore, enum tf_freedom freedom, uint64_t place)
{
    bool starves = explore->starves && freedom == TF_FREE_CORE && tf_mix_split(explore->seed ^ place >> 32) % 8 == 0;
    return starves ? STARVING : explore->rate[freedom];
}

static uint32_t drawn_pause(uint32_t longest, uint64_t hash)
{
    return TF_EXPLORE_PAUSE * length_of(PAUSE_ACCESSES, hash) + length_of(longest, hash >> 32);
}

/* A core that does not stand still at the start of a slice may pause in it. */
static uint32_t maybe_pause(const struct tf_explore *explore, uint64_t hash)
{
    uint32_t rate = explore->starves ? PAUSING : tf_min(explore->rate[TF_FREE_CORE] * PAUSES, PAUSING);
    hash = tf_mix_split(hash);
    return (hash & 0xFFFF) < rate ? drawn_pause(PAUSE_SLICES, tf_mix_split(hash)) : 0;
}

static uint32_t drawn(const struct tf_explore *explore, enum tf_freedom freedom, uint64_t place)
{
    uint32_t rate = rate_of(explore, freedom, place);
    if (rate == 0)
        return 0; /* without a hash: seeds leave out half of all freedoms */
    uint64_t hash = tf_mix_split(place + tf_mix_split(explore->seed + 0x9E3779B97F4A7C15ull));
    if ((hash & 0xFFFF) >= rate)
        return freedom == TF_FREE_CORE ? maybe_pause(explore, hash) : 0;
    uint32_t value = length_of(explore->longest[freedom], hash >> 16);
    /* One in four writes that land in parts has a stream that is cut. */
    return freedom == TF_FREE_PARTS && hash >> 62 == 0 ? value + 1000 * (1 + (uint32_t)(hash >> 57 & 31) % 15) : value;
}

static void keep(struct tf_decider *decider, struct tf_decision decision)
{
    if (decider->count == decider->room) {
        size_t room = decider->room == 0 ? 64 : decider->room * 2;
        struct tf_decision *made = realloc(decider->made, room * sizeof *made);
        if (made == NULL) {
            decider->lost = true;
            return;
        }
        decider->made = made;
        decider->room = room;
    }
    decider->made[decider->count++] = decision;
}

static uint32_t value_of(const struct tf_plan *plan, enum tf_freedom freedom, uint64_t place)
{
    return plan->explore->scheduled ? scheduled(plan, place) : drawn(plan->explore, freedom, place);
}

bool tf_decide_default(struct tf_decider *decider, enum tf_freedom freedom, unsigned actor)
{
    uint64_t place = place_of(freedom, decider->chip, decider->tile, actor, decider->ordinal[freedom][actor]);
    if (decider->plan->explore->notes || value_of(decider->plan, freedom, place) != 0)
        return false;
    decider->ordinal[freedom][actor]++;
    decider->places[freedom]++;
    return true;
}

uint32_t tf_decide_at(struct tf_decider *decider, enum tf_freedom freedom, unsigned actor, uint32_t ordinal,
                      struct tf_decide_where where)
{
    const struct tf_plan *plan = decider->plan;
    uint64_t place = place_of(freedom, decider->chip, decider->tile, actor, ordinal);
    uint32_t value = value_of(plan, freedom, place);
    decider->places[freedom]++;
    if (value != 0 || (plan->explore->notes && decider->count < NOTES_MAX))
        keep(decider, (struct tf_decision){.freedom = (uint8_t)freedom,
                                           .chip = decider->chip,
                                           .tile = decider->tile,
                                           .actor = (uint16_t)actor,
                                           .ordinal = ordinal,
                                           .value = value,
                                           .pc = where.pc,
                                           .cycle = where.cycle,
                                           .address = where.address});
    return value;
}

const char *tf_freedom_name(unsigned freedom)
{
    static const char *const name[TF_FREEDOMS] = {
        [TF_FREE_STORE] = "store",       [TF_FREE_STALE] = "stale",     [TF_FREE_CORE] = "core",
        [TF_FREE_RESET] = "reset",       [TF_FREE_THREAD] = "thread",   [TF_FREE_PACK] = "pack",
        [TF_FREE_REQUEST] = "request",   [TF_FREE_CAPTURE] = "capture", [TF_FREE_PARTS] = "parts",
        [TF_FREE_RESPONSE] = "response", [TF_FREE_LOAD] = "load",       [TF_FREE_UNPACK] = "unpack",
        [TF_FREE_MOVE] = "move",         [TF_FREE_SCALAR] = "scalar",   [TF_FREE_NIU] = "niu",
        [TF_FREE_UNIT] = "unit",         [TF_FREE_LINK] = "link",       [TF_FREE_LOSS] = "loss",
        [TF_FREE_STREAM] = "stream",
    };
    return freedom < TF_FREEDOMS ? name[freedom] : "unknown";
}

/* Cores and threads come to far more places than requests do, so their rates are lower. */
static const struct {
    uint16_t rate, longest;
} most[TF_FREEDOMS] = {
    [TF_FREE_STORE] = {8192, 64},      [TF_FREE_STALE] = {49152, 8191}, [TF_FREE_CORE] = {2048, 64},
    [TF_FREE_RESET] = {32768, 64},     [TF_FREE_THREAD] = {4096, 64},   [TF_FREE_PACK] = {16384, 64},
    [TF_FREE_REQUEST] = {32768, 128},  [TF_FREE_CAPTURE] = {32768, 32}, [TF_FREE_PARTS] = {32768, 64},
    [TF_FREE_RESPONSE] = {32768, 128}, [TF_FREE_LOAD] = {8192, 64 * 7}, [TF_FREE_UNPACK] = {16384, 64},
    [TF_FREE_MOVE] = {16384, 64},      [TF_FREE_SCALAR] = {16384, 64},  [TF_FREE_NIU] = {8192, 32},
    [TF_FREE_UNIT] = {8192, 64},       [TF_FREE_LINK] = {32768, 128},   [TF_FREE_LOSS] = {16384, 1},
    [TF_FREE_STREAM] = {32768, 64},
};

void tf_explore_random(struct tf_explore *explore, uint64_t seed)
{
    explore->scheduled = explore->starves = false;
    explore->seed = seed;
    for (unsigned freedom = 0; freedom < TF_FREEDOMS; freedom++) {
        uint64_t hash = tf_mix_split(tf_mix_split(seed) + freedom);
        explore->longest[freedom] = most[freedom].longest;
        explore->rate[freedom] = hash & 1 ? (uint16_t)(most[freedom].rate >> (hash >> 1) % 5) : 0;
    }
    if (seed > LATE_FROM && seed % LATE_STORES == 0) {
        explore->rate[TF_FREE_STORE] = most[TF_FREE_STORE].rate;
        explore->longest[TF_FREE_STORE] = (uint16_t)(most[TF_FREE_STORE].longest * LONGER);
    }
}

void tf_explore_chaos(struct tf_explore *explore, uint64_t seed)
{
    explore->scheduled = false;
    explore->starves = true;
    explore->seed = seed;
    for (unsigned freedom = 0; freedom < TF_FREEDOMS; freedom++) {
        explore->longest[freedom] = (uint16_t)(freedom == TF_FREE_STALE  ? 8191
                                               : freedom == TF_FREE_LOSS ? 1
                                                                         : most[freedom].longest * 8);
        explore->rate[freedom] = (uint16_t)(most[freedom].rate >> (4 + tf_mix_split(tf_mix_split(seed) + freedom) % 5));
    }
}

uint32_t tf_explore_length(unsigned freedom, uint64_t seed)
{
    const uint64_t hash = tf_mix_split(seed);
    if (freedom == TF_FREE_CORE)
        return drawn_pause(most[freedom].longest, hash);
    return freedom < TF_FREEDOMS ? length_of(most[freedom].longest, hash) : 0;
}

uint32_t tf_explore_long(unsigned freedom, uint64_t seed)
{
    const uint32_t drawn = tf_explore_length(freedom, seed);
    const uint64_t hash = tf_mix_split(tf_mix_split(seed));
    if (freedom != TF_FREE_CORE && freedom != TF_FREE_RESET && freedom != TF_FREE_THREAD)
        return drawn;
    const uint32_t slices = most[freedom].longest * length_of(LONGER - 1, hash);
    if (freedom != TF_FREE_CORE)
        return drawn + slices;
    return TF_EXPLORE_PAUSE * length_of(FEW_ACCESSES, hash >> 8) + drawn % TF_EXPLORE_PAUSE + slices;
}
