/* SPDX-License-Identifier: Apache-2.0 */
#include "races/tensix/semaphores.h"

#include <stdlib.h>

#include "tile/tensix/frontend/state.h"

#define EVENTS 16u /* a power of two; older posts and gets of an actor count as known */
#define ACTORS (THREADS + TF_TILE_CORES)

/* The last posts and gets of a thread or of a core. */
struct semaphore_events {
    uint32_t time[EVENTS];  /* a ring */
    int32_t before[EVENTS]; /* posts less gets of the actor before that one */
    int32_t sum;            /* and after all */
    uint32_t count;
};

struct semaphore {
    int32_t initial, now; /* at SEMINIT, and in the order of this run */
    struct semaphore_events by[ACTORS];
};

/* Threads come before cores. */
static unsigned slot_of(unsigned actor)
{
    return actor < THREADS ? SLOT_OF_PUSHED(actor) : SLOT_CORE + actor - THREADS;
}

/* What an actor knows that another one has added to a semaphore. */
static int32_t known_sum(const struct site *site, const struct tf_view *view, const struct semaphore_events *events,
                         unsigned other)
{
    int32_t sum = events->sum;
    for (uint32_t i = 0; i < EVENTS && i < events->count; i++) {
        const uint32_t at = (events->count - 1 - i) % EVENTS;
        if (tf_view_knows(view, TF_ACTOR(site->number, slot_of(other)), events->time[at]))
            return sum;
        sum = events->before[at];
    }
    return sum;
}

static int32_t known_value(const struct site *site, const struct tf_view *view, const struct semaphore *semaphore,
                           unsigned actor)
{
    int32_t value = semaphore->initial;
    for (unsigned other = 0; other < ACTORS; other++)
        value += other == actor ? semaphore->by[other].sum : known_sum(site, view, &semaphore->by[other], other);
    return value;
}

/* Does a post or a get change the value in this run? */
static bool acts(struct semaphore *semaphore, bool post)
{
    if (post ? semaphore->now >= (int32_t)TF_SEMAPHORE_LIMIT : semaphore->now <= 0)
        return false;
    semaphore->now += post ? 1 : -1;
    return true;
}

static void add_event(struct semaphore_events *events, uint32_t time, int32_t by)
{
    const uint32_t at = events->count++ % EVENTS;
    events->time[at] = time;
    events->before[at] = events->sum;
    events->sum += by;
}

/* The state of a semaphore; NULL: the host has no memory. */
static struct semaphore *semaphore_of(struct site *site, unsigned number)
{
    if (site->semaphore[number] == NULL)
        site->semaphore[number] = calloc(1, sizeof *site->semaphore[number]);
    site->lost |= site->semaphore[number] == NULL;
    return site->semaphore[number];
}

void semaphores_begin(struct site *site, uint32_t mask, int32_t value)
{
    for (; mask != 0; mask &= mask - 1) {
        struct semaphore *semaphore = semaphore_of(site, (unsigned)__builtin_ctz(mask));
        for (unsigned actor = 0; semaphore != NULL && actor < ACTORS; actor++) {
            semaphore->initial = semaphore->now = value;
            semaphore->by[actor].sum = 0;
            semaphore->by[actor].count = 0;
        }
    }
}

void semaphores_free(struct site *site)
{
    for (unsigned i = 0; i < TF_SEMAPHORES; i++)
        free(site->semaphore[i]);
}

uint32_t semaphores_change(struct site *site, const struct semaphore_user *user, uint32_t mask, bool post)
{
    const unsigned actor = user->slot < SLOT_CORE + TF_TILE_CORES ? THREADS + user->slot - SLOT_CORE
                                                                  : user->slot - SLOT_OF_PUSHED(0);
    uint32_t unchanged = 0;
    for (; mask != 0; mask &= mask - 1) {
        const unsigned number = (unsigned)__builtin_ctz(mask);
        struct semaphore *semaphore = semaphore_of(site, number);
        if (semaphore == NULL)
            continue;
        const int32_t value = known_value(site, user->view, semaphore, actor);
        const bool sure = post ? value < (int32_t)TF_SEMAPHORE_LIMIT : value > 0;
        unchanged |= (uint32_t)!sure << number;
        if (acts(semaphore, post))
            add_event(&semaphore->by[actor], user->time, post ? 1 : -1);
    }
    return unchanged;
}
