/* SPDX-License-Identifier: Apache-2.0 */
#include "races/counts.h"

#include <stdlib.h>
#include <string.h>

#include "races/state/exits.h"
#include "tile/run/tile.h"

#define COUNT_MOST 64u /* increments that are told apart, one for each bit of a mask */
#define ROOM_FIRST 4u

/* The last increments of a word, all of one amount: by atomics, or by stores of one core. */
struct count {
    struct tf_view before; /* what the word passes on without them */
    uint32_t first, by;    /* the value before them; the amount */
    unsigned made, room;
    bool stored;                /* one core stores the values */
    struct tf_release *release; /* of each */
};

static void clear(struct count *count)
{
    for (unsigned i = 0; i < count->made; i++)
        tf_release_drop(&count->release[i]);
    count->made = 0;
    tf_view_clear(&count->before);
}

void count_forget(struct sync *sync)
{
    if (sync == NULL || sync->increments == NULL)
        return;
    clear(sync->increments);
    free(sync->increments->release);
    free(sync->increments);
    sync->increments = NULL;
}

static bool has_room(struct count *count)
{
    if (count->made < count->room)
        return true;
    const unsigned room = count->room == 0 ? ROOM_FIRST : count->room * 2;
    struct tf_release *release = realloc(count->release, room * sizeof *release);
    if (release == NULL)
        return false;
    count->release = release;
    count->room = room;
    return true;
}

/* Does an increment go on with those that are kept? */
static bool goes_on(const struct count *count, uint32_t before, uint32_t by, bool stored,
                    const struct tf_release *release)
{
    return count->made != 0 && count->made < COUNT_MOST && count->by == by && count->stored == stored &&
           before == count->first + count->made * count->by &&
           (!stored || count->release[0].more[0].actor == release->more[0].actor);
}

void count_adds(struct sync *sync, uint32_t before, uint32_t by, bool stored, const struct tf_release *release)
{
    struct count *count = sync->increments;
    if (by == 0 || release->count == 0) {
        count_forget(sync);
        return;
    }
    if (count == NULL) {
        sync->increments = count = calloc(1, sizeof *count);
        if (count == NULL)
            return;
    }
    if (!goes_on(count, before, by, stored, release)) {
        clear(count);
        count->before.clock = tf_clock_hold(sync->view.clock);
        count->first = before;
        count->by = by;
        count->stored = stored;
    }
    if (has_room(count))
        count->release[count->made++] = tf_release_copy(release);
    else
        count_forget(sync);
}

/* Those of the increments that the core knew before, as bits. */
static uint64_t known_of(const struct count *count, uint32_t own, const struct tf_view *known)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < count->made; i++) {
        const struct tf_stamp by = count->release[i].more[0];
        mask |= (uint64_t)(by.actor == own || tf_view_knows(known, by.actor, by.time)) << i;
    }
    return mask;
}

/* How many increments can have happened without one of them? All but those whose actors knew what its actor knew. */
static unsigned most_without(const struct count *count, unsigned one)
{
    const struct tf_stamp by = count->release[one].more[0];
    unsigned others = 0;
    for (unsigned i = 0; i < count->made; i++)
        others += i != one && !tf_release_knows(&count->release[i], by.actor, by.time);
    return others;
}

/* The least number of increments, from `least` on, that ends a wait. Without a least one, from which on each number
   ends it, the others may act in other ways then: all. */
static unsigned least_that_ends(const struct tf_tile *tile, const struct count *count, unsigned core, uint32_t pc,
                                uint32_t word, unsigned least)
{
    unsigned enough = count->made;
    bool later = false; /* a lower number ends the wait, and this one does not */
    for (unsigned made = count->made; made-- > least;) {
        const enum wait_end end = wait_ends(tile, core, pc, word, count->first + made * count->by);
        if (end == WAIT_UNSURE || (end == WAIT_ENDS && later))
            return count->made;
        later = end == WAIT_GOES_ON;
        enough = later ? enough : made;
    }
    return enough;
}

bool count_is_short(const struct site *site, const struct sync *sync, unsigned core, uint32_t pc,
                    const struct tf_view *known, struct tf_view *view)
{
    const struct count *count = sync->increments;
    const struct tf_tile *tile = site->tile;
    uint32_t value;
    memcpy(&value, tile->l1 + sync->key, sizeof value);
    if (count == NULL || count->made == 0 || value != count->first + count->made * count->by ||
        wait_ends(tile, core, pc, sync->key, value - count->by) != WAIT_ENDS ||
        wait_ends(tile, core, pc, sync->key, value) != WAIT_ENDS || value_is_used(tile, core, pc, sync->key, value))
        return false;
    const uint64_t mask = known_of(count, TF_ACTOR(site->number, SLOT_CORE + core), known);
    const unsigned enough = least_that_ends(tile, count, core, pc, sync->key, (unsigned)__builtin_popcountll(mask));
    if (enough == count->made)
        return false;
    bool some = false;
    for (unsigned i = 0; i < count->made; i++)
        some |= (mask >> i & 1) == 0 && most_without(count, i) >= enough;
    if (!some)
        return false;
    tf_view_join(view, count->before.clock);
    for (unsigned i = 0; i < count->made; i++)
        if ((mask >> i & 1) != 0 || most_without(count, i) < enough)
            tf_view_acquire(view, &count->release[i]);
    return true;
}
