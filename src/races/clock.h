/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector clocks. An actor is a core, the stores of a core, a unit, or a class of NOC requests of a tile. The times of
 * an actor grow: cycles of a core, numbers of requests. A clock has an actor at time t: everything that the actor did
 * up to t has happened.
 *
 * A clock is a tree: of groups of sites, sites, and actors of a site. Most actors know nearly the same, so clocks share
 * nodes. A node has a sum of its contents, and remembers sums of nodes that it covers. A join therefore visits only
 * nodes that differ.
 */
#ifndef RACES_CLOCK_H
#define RACES_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TF_RACE_SLOTS 256u /* actors of a site, at most */

/* The actor `slot` of a site. */
#define TF_ACTOR(site, slot) ((uint32_t)(site) << 8 | (uint32_t)(slot))

struct tf_stamp {
    uint32_t actor, time;
};

/* Sites have numbers below this one. */
#define TF_CLOCK_SITES 256u

/* A clock that does not change. Several threads may hold it. */
struct tf_clock;

struct tf_clock *tf_clock_hold(struct tf_clock *clock);
void tf_clock_drop(struct tf_clock *clock);

/* What an actor knows, which grows. One thread at a time. */
struct tf_view {
    struct tf_clock *clock; /* NULL: nothing */
};

/* What was known at a moment: a clock, and the actors that have moved since it was made. */
#define TF_RELEASE_MORE 4u
struct tf_release {
    struct tf_clock *clock; /* NULL: nothing; the release holds it */
    uint32_t count;
    struct tf_stamp more[TF_RELEASE_MORE];
};

/* Does a view or a release know an actor at a time? */
bool tf_view_knows(const struct tf_view *view, uint32_t actor, uint32_t time);
bool tf_release_knows(const struct tf_release *release, uint32_t actor, uint32_t time);

/* The view learns. False: the host has no memory, and nothing is learned. */
bool tf_view_learn(struct tf_view *view, uint32_t actor, uint32_t time);
bool tf_view_join(struct tf_view *view, struct tf_clock *clock);
bool tf_view_acquire(struct tf_view *view, const struct tf_release *release);

/* Forget everything. */
void tf_view_clear(struct tf_view *view);

/* A copy holds its clock. */
struct tf_release tf_release_copy(const struct tf_release *release);
void tf_release_drop(struct tf_release *release);

#endif
