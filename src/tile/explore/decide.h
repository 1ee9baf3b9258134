/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decisions of a chip that explores other orders (tilefarm_explore.h). A tile draws its decisions from the plan and the
 * place alone. So they do not depend on threads of the host.
 */
#ifndef TILE_EXPLORE_DECIDE_H
#define TILE_EXPLORE_DECIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tilefarm/tilefarm_explore.h"

/* Actors of a tile whose places are counted here: cores, threads, NOCs, units of threads. */
#define TF_DECIDE_ACTORS 9u

/* Threads of a coprocessor. The actor of TF_FREE_UNIT is a thread, plus so many for each unit before. */
#define TF_DECIDE_THREADS 3u

/* Shared by all tiles of a chip: the plan, and its schedule by place. */
struct tf_plan {
    const struct tf_explore *explore;
    uint32_t *slot; /* a hash table of 1 + index into explore->decision; 0: empty */
    size_t slots;   /* a power of two, or 0 */
    bool running;   /* false between runs, when the host may give the chip another plan */
};

/* The decisions of a tile. */
struct tf_decider {
    const struct tf_plan *plan;
    uint8_t chip; /* of a system */
    uint16_t tile;
    uint32_t ordinal[TF_FREEDOMS][TF_DECIDE_ACTORS];
    uint64_t places[TF_FREEDOMS];
    struct tf_decision *made; /* those that are not 0 */
    size_t count, room;
    bool lost; /* the host had no memory for one */
};

/* Returns false if the host has no memory. */
bool tf_plan_init(struct tf_plan *plan, const struct tf_explore *explore);
void tf_plan_fini(struct tf_plan *plan);

/* The largest parts of a place (tf_decision_place()). */
#define TF_DECIDE_CHIP_MAX 31u
#define TF_DECIDE_TILE_MAX 2047u
#define TF_DECIDE_ACTOR_MAX 1023u

/* The place of a decision, as a number: freedom, chip, tile, actor and ordinal. */
uint64_t tf_decision_place(const struct tf_decision *decision);

/* Where a decision is made, for reports. */
struct tf_decide_where {
    uint32_t pc;
    uint64_t cycle, address;
};

/* The decision at a place. */
uint32_t tf_decide_at(struct tf_decider *decider, enum tf_freedom freedom, unsigned actor, uint32_t ordinal,
                      struct tf_decide_where where);

/* Is the decision at the next place of an actor 0, with no record to make? Then count that place as passed. */
bool tf_decide_default(struct tf_decider *decider, enum tf_freedom freedom, unsigned actor);

/* The decision at the next place of an actor. */
static inline uint32_t tf_decide(struct tf_decider *decider, enum tf_freedom freedom, unsigned actor,
                                 struct tf_decide_where where)
{
    return tf_decide_at(decider, freedom, actor, decider->ordinal[freedom][actor]++, where);
}

/* As tf_explore_length(), but a pause or a late start is up to eight times as long: an actor far behind the others. */
uint32_t tf_explore_long(unsigned freedom, uint64_t seed);

#endif
