/* SPDX-License-Identifier: Apache-2.0 */
#include "races/clocks/clock.h"

#include <stdlib.h>
#include <string.h>

#include "host/mix.h"
#include "host/saved.h"

/* Levels of the tree. A clock is its root. */
#define LEVEL_ACTORS 0u
#define LEVEL_ROOT 2u
#define FAN_BITS 4u
#define FAN (1u << FAN_BITS)
#define OVERS 4u

_Static_assert(TF_CLOCK_SITES == 1u << LEVEL_ROOT * FAN_BITS, "a way to each site");

/* A node of any level. A node belongs to a view if it, and the nodes above it, are each held once. It may then grow. */
struct tf_clock {
    unsigned references;  /* changed by host atomics */
    uint32_t count, room; /* number of stamps */
    uint64_t sum;         /* sum of its stamps; nodes with equal sums are taken as equal */
    uint64_t over[OVERS]; /* sums of nodes that this one covers, or 0, indexed by low bits; changed by host atomics */
};

struct branch {
    struct tf_clock node;
    struct tf_clock *child[FAN];
};

struct leaf {
    struct tf_clock node;
    struct tf_stamp stamp[]; /* children, by actor */
};

static struct branch *branch_of(struct tf_clock *node)
{
    return (struct branch *)node;
}

static struct leaf *leaf_of(struct tf_clock *node)
{
    return (struct leaf *)node;
}

static unsigned child_of(uint32_t actor, unsigned level)
{
    return actor >> 8 >> (level - 1) * FAN_BITS & (FAN - 1);
}

/* Sums of stamps are equal only if the stamps are (SplitMix64). */
static uint64_t sum_of(struct tf_stamp stamp)
{
    return tf_mix_split(((uint64_t)stamp.actor << 32 | stamp.time) + 0x9E3779B97F4A7C15u);
}

struct tf_clock *tf_clock_hold(struct tf_clock *clock)
{
    if (clock != NULL)
        __atomic_fetch_add(&clock->references, 1, __ATOMIC_RELAXED);
    return clock;
}

static bool is_own(const struct tf_clock *node)
{
    return __atomic_load_n(&node->references, __ATOMIC_ACQUIRE) == 1;
}

static void drop(struct tf_clock *node, unsigned level)
{
    if (node == NULL || (!is_own(node) && __atomic_fetch_sub(&node->references, 1, __ATOMIC_ACQ_REL) != 1))
        return;
    for (unsigned i = 0; level != LEVEL_ACTORS && i < FAN; i++)
        drop(branch_of(node)->child[i], level - 1);
    free(node);
}

void tf_clock_drop(struct tf_clock *clock)
{
    drop(clock, LEVEL_ROOT);
}

struct tf_clock *tf_clock_behind(struct tf_clock *clock, unsigned site)
{
    struct branch *part = clock == NULL ? NULL : calloc(1, sizeof *part);
    if (part == NULL)
        return NULL;
    part->node.references = 1;
    for (unsigned i = site >> FAN_BITS; i < FAN; i++) {
        part->child[i] = tf_clock_hold(branch_of(clock)->child[i]);
        part->node.sum += part->child[i] == NULL ? 0 : part->child[i]->sum;
    }
    return &part->node;
}

/* --- the contents of a clock --- */

/* The index of the first stamp whose actor is not below `actor`. */
static uint32_t place_of(const struct leaf *leaf, uint32_t actor)
{
    uint32_t first = 0, count = leaf->node.count;
    while (count != 0) {
        uint32_t half = count / 2;
        if (leaf->stamp[first + half].actor < actor) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

static uint32_t time_in(const struct tf_clock *clock, uint32_t actor)
{
    for (unsigned level = LEVEL_ROOT; clock != NULL && level != LEVEL_ACTORS; level--)
        clock = ((const struct branch *)clock)->child[child_of(actor, level)];
    if (clock == NULL)
        return 0;
    const struct leaf *leaf = (const struct leaf *)clock;
    uint32_t at = place_of(leaf, actor);
    return at < clock->count && leaf->stamp[at].actor == actor ? leaf->stamp[at].time : 0;
}

uint64_t tf_view_sum(const struct tf_view *view)
{
    return view->clock == NULL ? 0 : view->clock->sum;
}

uint32_t tf_view_time(const struct tf_view *view, uint32_t actor)
{
    return time_in(view->clock, actor);
}

bool tf_view_knows(const struct tf_view *view, uint32_t actor, uint32_t time)
{
    return time_in(view->clock, actor) >= time;
}

bool tf_release_knows(const struct tf_release *release, uint32_t actor, uint32_t time)
{
    for (uint32_t i = 0; i < release->count; i++)
        if (release->more[i].actor == actor && release->more[i].time >= time)
            return true;
    return time_in(release->clock, actor) >= time;
}

/* --- nodes that grow --- */

/* Copy the fields that a node and its copy share. Other workers hold the node at the same time, and note what it
   covers. */
static void copy_node(struct tf_clock *to, const struct tf_clock *from)
{
    to->count = from->count;
    to->sum = from->sum;
    for (unsigned i = 0; i < OVERS; i++)
        to->over[i] = __atomic_load_n(&from->over[i], __ATOMIC_RELAXED);
}

/* Copy a branch; NULL gives an empty one. */
static struct tf_clock *copy_branch(struct tf_clock *from)
{
    static const struct branch none;
    struct branch *copy = malloc(sizeof *copy);
    if (copy == NULL)
        return NULL;
    copy_node(&copy->node, from == NULL ? &none.node : from);
    memcpy(copy->child, from == NULL ? none.child : branch_of(from)->child, sizeof copy->child);
    copy->node.references = 1;
    copy->node.room = 0;
    for (unsigned i = 0; i < FAN; i++)
        tf_clock_hold(copy->child[i]);
    return &copy->node;
}

/* A copy of a leaf, with room for more stamps. */
static struct tf_clock *copy_leaf(struct tf_clock *from, uint32_t more)
{
    static const struct tf_clock none;
    uint32_t count = from == NULL ? 0 : from->count, room = (count + more + 3) & ~3u;
    struct leaf *copy = malloc(sizeof *copy + room * sizeof *copy->stamp);
    if (copy == NULL)
        return NULL;
    copy_node(&copy->node, from == NULL ? &none : from);
    if (from != NULL)
        memcpy(copy->stamp, leaf_of(from)->stamp, count * sizeof *copy->stamp);
    copy->node.references = 1;
    copy->node.room = room;
    return &copy->node;
}

/* Make the node at a place that belongs to a view its own, with room for one more stamp. Returns NULL if the host has
   no memory. */
static struct tf_clock *make_own(struct tf_clock **at, unsigned level)
{
    struct tf_clock *node = *at;
    if (node != NULL && is_own(node) && (level != LEVEL_ACTORS || node->count < node->room))
        return node;
    struct tf_clock *copy = level == LEVEL_ACTORS ? copy_leaf(node, 1) : copy_branch(node);
    if (copy == NULL)
        return NULL;
    drop(node, level);
    return *at = copy;
}

bool tf_view_learn(struct tf_view *view, uint32_t actor, uint32_t time)
{
    struct tf_clock *path[LEVEL_ROOT + 1], **at = &view->clock;
    const struct tf_stamp stamp = {actor, time};
    if (tf_view_knows(view, actor, time))
        return true;
    for (unsigned level = LEVEL_ROOT;; level--) {
        path[level] = make_own(at, level);
        if (path[level] == NULL)
            return false;
        if (level == LEVEL_ACTORS)
            break;
        at = &branch_of(path[level])->child[child_of(actor, level)];
    }
    struct leaf *leaf = leaf_of(path[LEVEL_ACTORS]);
    uint32_t place = place_of(leaf, actor);
    uint64_t added = sum_of(stamp);
    if (place < leaf->node.count && leaf->stamp[place].actor == actor) {
        added -= sum_of(leaf->stamp[place]);
    } else {
        memmove(leaf->stamp + place + 1, leaf->stamp + place, (leaf->node.count - place) * sizeof *leaf->stamp);
        leaf->node.count++;
    }
    leaf->stamp[place] = stamp;
    for (unsigned level = LEVEL_ACTORS; level <= LEVEL_ROOT; level++)
        path[level]->sum += added;
    return true;
}

/* --- joining --- */

/* The result of joining a node ("mine") with another one ("theirs"). */
enum joined {
    JOINED_SAME,    /* mine and theirs are equal */
    JOINED_MINE,    /* mine covers theirs */
    JOINED_THEIRS,  /* theirs covers mine */
    JOINED_CHANGED, /* neither covers the other: a new node */
};

struct join {
    bool failed; /* the host had no memory for a part */
};

static bool is_over(const struct tf_clock *node, const struct tf_clock *other)
{
    return __atomic_load_n(&node->over[other->sum % OVERS], __ATOMIC_RELAXED) == other->sum;
}

static void note_over(struct tf_clock *node, const struct tf_clock *other)
{
    __atomic_store_n(&node->over[other->sum % OVERS], other->sum, __ATOMIC_RELAXED);
}

static enum joined compare_leaves(const struct leaf *mine, const struct leaf *theirs, uint32_t *missing)
{
    bool mine_more = false, theirs_more = false;
    uint32_t i = 0, j = 0;
    *missing = 0;
    while (i < mine->node.count && j < theirs->node.count) {
        const struct tf_stamp *a = &mine->stamp[i], *b = &theirs->stamp[j];
        mine_more |= a->actor < b->actor || (a->actor == b->actor && a->time > b->time);
        theirs_more |= a->actor == b->actor && a->time < b->time;
        *missing += a->actor > b->actor;
        i += a->actor <= b->actor;
        j += a->actor >= b->actor;
    }
    *missing += theirs->node.count - j;
    mine_more |= i < mine->node.count;
    theirs_more |= *missing != 0;
    return mine_more ? (theirs_more ? JOINED_CHANGED : JOINED_MINE) : theirs_more ? JOINED_THEIRS : JOINED_SAME;
}

/* This goes from the back, so that stamps move once. */
static void merge(struct leaf *mine, const struct leaf *theirs, uint32_t missing)
{
    uint32_t to = mine->node.count + missing, i = mine->node.count, j = theirs->node.count;
    mine->node.count = to;
    while (j != 0) {
        struct tf_stamp b = theirs->stamp[j - 1];
        if (i != 0 && mine->stamp[i - 1].actor > b.actor) {
            mine->stamp[--to] = mine->stamp[--i];
            continue;
        }
        j--;
        if (i != 0 && mine->stamp[i - 1].actor == b.actor) {
            struct tf_stamp a = mine->stamp[--i];
            b = a.time < b.time ? b : a;
        }
        mine->stamp[--to] = b;
    }
    mine->node.sum = 0;
    for (i = 0; i < mine->node.count; i++)
        mine->node.sum += sum_of(mine->stamp[i]);
}

static enum joined join_leaf(struct join *join, struct tf_clock *mine, struct tf_clock *theirs, bool own,
                             struct tf_clock **made)
{
    uint32_t missing;
    enum joined how = compare_leaves(leaf_of(mine), leaf_of(theirs), &missing);
    if (how != JOINED_CHANGED)
        return how;
    *made = own && mine->count + missing <= mine->room ? mine : copy_leaf(mine, missing);
    if (*made == NULL) {
        *made = tf_clock_hold(mine);
        join->failed = true;
        return JOINED_CHANGED;
    }
    merge(leaf_of(*made), leaf_of(theirs), missing);
    return JOINED_CHANGED;
}

static enum joined join_nodes(struct join *join, unsigned level, struct tf_clock *mine, struct tf_clock *theirs,
                              bool own, struct tf_clock **made);

/* Replace the children of a branch by the results of joining them. */
static void take_children(struct branch *to, const enum joined *how, struct tf_clock *const *made,
                          const struct branch *theirs, unsigned level)
{
    to->node.sum = 0;
    for (unsigned i = 0; i < FAN; i++) {
        struct tf_clock *old = to->child[i];
        if (how[i] == JOINED_THEIRS)
            to->child[i] = tf_clock_hold(theirs->child[i]);
        else if (how[i] == JOINED_CHANGED)
            to->child[i] = made[i];
        if (to->child[i] != old)
            drop(old, level - 1);
        to->node.sum += to->child[i] == NULL ? 0 : to->child[i]->sum;
    }
}

static enum joined join_branch(struct join *join, unsigned level, struct tf_clock *mine, struct tf_clock *theirs,
                               bool own, struct tf_clock **made)
{
    const struct branch *a = branch_of(mine), *b = branch_of(theirs);
    struct tf_clock *child[FAN] = {NULL};
    enum joined how[FAN];
    bool all_mine = true, all_theirs = true;
    for (unsigned i = 0; i < FAN; i++) {
        how[i] = join_nodes(join, level - 1, a->child[i], b->child[i], own, &child[i]);
        all_mine &= how[i] == JOINED_SAME || how[i] == JOINED_MINE;
        all_theirs &= how[i] == JOINED_SAME || how[i] == JOINED_THEIRS;
    }
    if (all_mine || all_theirs)
        return !all_theirs ? JOINED_MINE : all_mine ? JOINED_SAME : JOINED_THEIRS;
    *made = own ? mine : copy_branch(mine);
    if (*made != NULL) {
        take_children(branch_of(*made), how, child, b, level);
        return JOINED_CHANGED;
    }
    for (unsigned i = 0; i < FAN; i++)
        if (how[i] == JOINED_CHANGED)
            drop(child[i], level - 1);
    *made = tf_clock_hold(mine);
    join->failed = true;
    return JOINED_CHANGED;
}

/* own: all nodes above belong to the view. *made: flags JOINED_*. The result is held, unless it is `mine` and has
   grown. */
static enum joined join_nodes(struct join *join, unsigned level, struct tf_clock *mine, struct tf_clock *theirs,
                              bool own, struct tf_clock **made)
{
    if (mine == theirs)
        return JOINED_SAME;
    if (mine == NULL || theirs == NULL)
        return mine == NULL ? JOINED_THEIRS : JOINED_MINE;
    if (mine->sum == theirs->sum)
        return JOINED_SAME;
    if (is_over(mine, theirs))
        return JOINED_MINE;
    if (is_over(theirs, mine))
        return JOINED_THEIRS;
    own = own && is_own(mine);
    enum joined how = level == LEVEL_ACTORS ? join_leaf(join, mine, theirs, own, made)
                                            : join_branch(join, level, mine, theirs, own, made);
    if (how == JOINED_MINE)
        note_over(mine, theirs);
    else if (how == JOINED_THEIRS)
        note_over(theirs, mine);
    else if (how == JOINED_CHANGED && !join->failed)
        note_over(*made, theirs);
    return how;
}

bool tf_view_join(struct tf_view *view, struct tf_clock *clock)
{
    struct join join = {.failed = false};
    struct tf_clock *made = NULL, *old = view->clock;
    enum joined how = join_nodes(&join, LEVEL_ROOT, old, clock, true, &made);
    if (how == JOINED_THEIRS)
        view->clock = tf_clock_hold(clock);
    else if (how == JOINED_CHANGED)
        view->clock = made;
    if (how == JOINED_THEIRS || (how == JOINED_CHANGED && made != old))
        tf_clock_drop(old);
    return !join.failed;
}

bool tf_view_acquire(struct tf_view *view, const struct tf_release *release)
{
    bool learned = tf_view_join(view, release->clock);
    for (uint32_t i = 0; i < release->count; i++)
        learned &= tf_view_learn(view, release->more[i].actor, release->more[i].time);
    return learned;
}

void tf_view_clear(struct tf_view *view)
{
    tf_clock_drop(view->clock);
    view->clock = NULL;
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

/* --- between processes --- */

static uint32_t stamps_in(const struct tf_clock *node, unsigned level)
{
    uint32_t count = level == LEVEL_ACTORS && node != NULL ? node->count : 0;
    for (unsigned i = 0; node != NULL && level != LEVEL_ACTORS && i < FAN; i++)
        count += stamps_in(((const struct branch *)node)->child[i], level - 1);
    return count;
}

static void write_stamps(struct tf_saved *saved, struct tf_clock *node, unsigned level)
{
    if (node == NULL)
        return;
    if (level == LEVEL_ACTORS)
        tf_saved_bytes(saved, leaf_of(node)->stamp, node->count * sizeof(struct tf_stamp));
    for (unsigned i = 0; level != LEVEL_ACTORS && i < FAN; i++)
        write_stamps(saved, branch_of(node)->child[i], level - 1);
}

void tf_clock_state(struct tf_saved *saved, struct tf_clock **clock)
{
    struct tf_view view = {.clock = NULL};
    const uint64_t count = tf_saved_count(saved, saved->reads ? 0 : stamps_in(*clock, LEVEL_ROOT),
                                          TF_CLOCK_SITES * TF_RACE_SLOTS);
    if (!saved->reads) {
        write_stamps(saved, *clock, LEVEL_ROOT);
        return;
    }
    for (uint64_t i = 0; i < count && saved->why == NULL; i++) {
        struct tf_stamp stamp = {0, 0};
        TF_SAVED(saved, stamp);
        tf_saved_demand(saved, stamp.actor < TF_ACTOR(TF_CLOCK_SITES, 0), "a clock has an actor that does not exist");
        if (saved->why == NULL && !tf_view_learn(&view, stamp.actor, stamp.time))
            tf_saved_fail(saved, tf_saved_no_memory);
    }
    *clock = view.clock;
}
