/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Vector clocks. An actor is a core, the stores of a core, a unit, or a class of NOC requests of a tile. An actor's
 * time only grows: it is a cycle of a core, or a number of a request. A clock maps actors to times. If it maps an actor
 * to time t, then all that the actor did up to t has happened. An actor that is not in the clock has time 0.
 *
 * A clock is a tree with three levels: groups of sites, sites, and the actors of a site. Most clocks differ little, so
 * they share nodes. Each node keeps a hash of its contents, and hashes of nodes that it covers. A join therefore visits
 * only the nodes that differ.
 */
#ifndef RACES_CLOCKS_CLOCK_H
#define RACES_CLOCKS_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TF_RACE_SLOTS 256u /* actors of a site, at most */

/* The actor `slot` of a site. */
#define TF_ACTOR(site, slot) ((uint32_t)(site) << 8 | (uint32_t)(slot))

struct tf_saved;

struct tf_stamp {
    uint32_t actor, time;
};

/* Sites have numbers below this one. */
#define TF_CLOCK_SITES 256u

/* An immutable clock with a reference count. Several threads of the host may hold it. */
struct tf_clock;

/* Add a reference, or drop one; the last drop frees the clock. NULL is allowed. Any thread may call them. */
struct tf_clock *tf_clock_hold(struct tf_clock *clock);
void tf_clock_drop(struct tf_clock *clock);

/* The clock of an actor, which only grows. One thread of the host at a time may use it. */
struct tf_view {
    struct tf_clock *clock; /* NULL: an empty clock; the view holds it */
};

/* A snapshot of a view. It is the union of a shared clock and a few newer stamps, so it needs no copy of a node. */
#define TF_RELEASE_MORE 4u
struct tf_release {
    struct tf_clock *clock; /* NULL: an empty clock; the release holds it */
    uint32_t count;         /* number of stamps of `more` in use */
    struct tf_stamp more[TF_RELEASE_MORE];
};

/* Returns the part of a clock that has actors of this site and sites behind it: a multiple of 16. NULL: it is empty, or
   the host has no memory. The caller drops it. */
struct tf_clock *tf_clock_behind(struct tf_clock *clock, unsigned site);

/* Write a clock, or read one: *clock was NULL, and the caller drops it (host/saved.h). */
void tf_clock_state(struct tf_saved *saved, struct tf_clock **clock);

/* Does a view or a release have the actor at this time, or at a later one? */
bool tf_view_knows(const struct tf_view *view, uint32_t actor, uint32_t time);

/* A hash of what a view knows: views with equal sums are taken as equal. */
uint64_t tf_view_sum(const struct tf_view *view);

/* The time of an actor in a view; 0: the view does not have it. */
uint32_t tf_view_time(const struct tf_view *view, uint32_t actor);
bool tf_release_knows(const struct tf_release *release, uint32_t actor, uint32_t time);

/* Add to a view a stamp, a clock, or a release. Returns false if the host has no memory; a part is then missing. */
bool tf_view_learn(struct tf_view *view, uint32_t actor, uint32_t time);
bool tf_view_join(struct tf_view *view, struct tf_clock *clock);
bool tf_view_acquire(struct tf_view *view, const struct tf_release *release);

/* Make the view empty. */
void tf_view_clear(struct tf_view *view);

/* Returns a copy, which holds the clock too. */
struct tf_release tf_release_copy(const struct tf_release *release);

/* Drop the clock of a release, and make the release empty. */
void tf_release_drop(struct tf_release *release);

#endif
