/* SPDX-License-Identifier: Apache-2.0 */
#include "races/clock.h"

#include <stdlib.h>
#include <string.h>

struct tf_clock *tf_clock_hold(struct tf_clock *clock)
{
    if (clock != NULL)
        __atomic_fetch_add(&clock->references, 1, __ATOMIC_RELAXED);
    return clock;
}

void tf_clock_drop(struct tf_clock *clock)
{
    if (clock != NULL && __atomic_fetch_sub(&clock->references, 1, __ATOMIC_ACQ_REL) == 1)
        free(clock);
}

/* The index of the first stamp whose actor is not below `actor`. */
static uint32_t place_of(const struct tf_stamp *stamp, uint32_t count, uint32_t actor)
{
    uint32_t first = 0;
    while (count != 0) {
        uint32_t half = count / 2;
        if (stamp[first + half].actor < actor) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

static bool knows(const struct tf_stamp *stamp, uint32_t count, uint32_t actor, uint32_t time)
{
    uint32_t at = place_of(stamp, count, actor);
    return at < count && stamp[at].actor == actor && stamp[at].time >= time;
}

bool tf_view_knows(const struct tf_view *view, uint32_t actor, uint32_t time)
{
    return knows(view->stamp, view->count, actor, time);
}

bool tf_release_knows(const struct tf_release *release, uint32_t actor, uint32_t time)
{
    for (uint32_t i = 0; i < release->count; i++)
        if (release->more[i].actor == actor && release->more[i].time >= time)
            return true;
    return release->clock != NULL && knows(release->clock->stamp, release->clock->count, actor, time);
}

static void changed(struct tf_view *view)
{
    tf_clock_drop(view->kept);
    view->kept = NULL;
}

static bool make_room(struct tf_view *view, uint32_t count)
{
    if (count <= view->room)
        return true;
    uint32_t room = view->room == 0 ? 16 : view->room * 2;
    while (room < count)
        room *= 2;
    struct tf_stamp *stamp = realloc(view->stamp, room * sizeof *stamp);
    if (stamp == NULL)
        return false;
    view->stamp = stamp;
    view->room = room;
    return true;
}

bool tf_view_learn(struct tf_view *view, uint32_t actor, uint32_t time)
{
    uint32_t at = place_of(view->stamp, view->count, actor);
    bool present = at < view->count && view->stamp[at].actor == actor;
    if (time == 0 || (present && view->stamp[at].time >= time))
        return true;
    if (!present) {
        if (!make_room(view, view->count + 1))
            return false;
        memmove(view->stamp + at + 1, view->stamp + at, (view->count - at) * sizeof *view->stamp);
        view->stamp[at].actor = actor;
        view->count++;
    }
    view->stamp[at].time = time;
    changed(view);
    return true;
}

/* How many actors of a clock the view does not know at all. *later: actors that it knows at an earlier time. */
static uint32_t count_new(const struct tf_view *view, const struct tf_clock *clock, uint32_t *later)
{
    uint32_t missing = 0, i = 0;
    *later = 0;
    for (uint32_t j = 0; j < clock->count; j++) {
        while (i < view->count && view->stamp[i].actor < clock->stamp[j].actor)
            i++;
        if (i == view->count || view->stamp[i].actor != clock->stamp[j].actor)
            missing++;
        else
            *later += view->stamp[i].time < clock->stamp[j].time;
    }
    return missing;
}

/* From the back, so that stamps move once. */
static void merge(struct tf_view *view, const struct tf_clock *clock, uint32_t missing)
{
    uint32_t to = view->count + missing, i = view->count, j = clock->count;
    view->count = to;
    while (j != 0) {
        if (i != 0 && view->stamp[i - 1].actor > clock->stamp[j - 1].actor) {
            view->stamp[--to] = view->stamp[--i];
        } else if (i != 0 && view->stamp[i - 1].actor == clock->stamp[j - 1].actor) {
            uint32_t time = clock->stamp[--j].time;
            view->stamp[--to] = view->stamp[--i];
            if (view->stamp[to].time < time)
                view->stamp[to].time = time;
        } else {
            view->stamp[--to] = clock->stamp[--j];
        }
    }
}

/* Mostly both know the same actors. False: they do not, and nothing has happened. */
static bool join_equal(struct tf_view *view, const struct tf_clock *clock)
{
    uint32_t differ = view->count ^ clock->count, later = 0;
    for (uint32_t i = 0; differ == 0 && i < clock->count; i++)
        differ = view->stamp[i].actor ^ clock->stamp[i].actor;
    for (uint32_t i = 0; differ == 0 && i < clock->count; i++) {
        uint32_t time = view->stamp[i].time, other = clock->stamp[i].time;
        later |= (uint32_t)(other > time);
        view->stamp[i].time = other > time ? other : time;
    }
    if (later != 0)
        changed(view);
    return differ == 0;
}

bool tf_view_join(struct tf_view *view, struct tf_clock *clock)
{
    uint32_t later;
    if (clock == NULL || clock == view->kept)
        return true;
    for (unsigned i = 0; i < TF_VIEW_JOINED; i++)
        if (view->joined[i] == clock)
            return true;
    bool joined = join_equal(view, clock);
    uint32_t missing = joined ? 0 : count_new(view, clock, &later);
    if (!joined && (missing != 0 || later != 0)) {
        if (!make_room(view, view->count + missing))
            return false;
        merge(view, clock, missing);
        changed(view);
    }
    tf_clock_drop(view->joined[view->oldest]);
    view->joined[view->oldest] = tf_clock_hold(clock);
    view->oldest = (view->oldest + 1) % TF_VIEW_JOINED;
    return true;
}

bool tf_view_acquire(struct tf_view *view, const struct tf_release *release)
{
    bool learned = tf_view_join(view, release->clock);
    for (uint32_t i = 0; i < release->count; i++)
        learned &= tf_view_learn(view, release->more[i].actor, release->more[i].time);
    return learned;
}

struct tf_clock *tf_view_clock(struct tf_view *view)
{
    if (view->kept != NULL || view->count == 0)
        return view->kept;
    struct tf_clock *clock = malloc(sizeof *clock + view->count * sizeof *clock->stamp);
    if (clock == NULL)
        return NULL;
    clock->references = 1;
    clock->count = view->count;
    memcpy(clock->stamp, view->stamp, view->count * sizeof *clock->stamp);
    view->kept = clock;
    return clock;
}

void tf_view_clear(struct tf_view *view)
{
    view->count = 0;
    changed(view);
    for (unsigned i = 0; i < TF_VIEW_JOINED; i++) {
        tf_clock_drop(view->joined[i]);
        view->joined[i] = NULL;
    }
}

void tf_view_free(struct tf_view *view)
{
    tf_view_clear(view);
    free(view->stamp);
    *view = (struct tf_view){.count = 0};
}

struct tf_release tf_release_copy(const struct tf_release *release)
{
    tf_clock_hold(release->clock);
    return *release;
}

void tf_release_drop(struct tf_release *release)
{
    tf_clock_drop(release->clock);
    release->clock = NULL;
    release->count = 0;
}
