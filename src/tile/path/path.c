/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/path/path.h"

#include <stdlib.h>
#include <string.h>

/* Nodes that tf_path_past() looks at when it merges, and how often it does: once in so many. */
#define MERGES 512u
#define MERGE_PERIOD 64u

struct tf_path_node *tf_path_ref(struct tf_path_node *node)
{
    if (node != NULL)
        __atomic_fetch_add(&node->refs, 1, __ATOMIC_RELAXED);
    return node;
}

void tf_path_unref(struct tf_path_node *node)
{
    while (node != NULL && __atomic_fetch_sub(&node->refs, 1, __ATOMIC_ACQ_REL) == 1) {
        struct tf_path_node *parent = node->parent;
        free(node->entry);
        free(node);
        node = parent;
    }
}

void tf_path_set(struct tf_path_node **at, struct tf_path_node *node)
{
    tf_path_unref(*at);
    *at = node;
}

struct tf_path_node *tf_path_new(struct tf_path_node *parent, enum tf_path_actor actor, unsigned number, uint16_t at,
                                 uint64_t begin)
{
    struct tf_path_node *node = calloc(1, sizeof *node);
    if (node == NULL)
        return NULL;
    node->parent = tf_path_ref(parent);
    node->refs = 1;
    node->actor = (uint8_t)actor;
    node->number = (uint8_t)number;
    node->at = node->to = node->code = at;
    node->core = (uint8_t)(actor == TF_PATH_AT_THREAD ? TF_CORE_T0 + number : number);
    node->begin = node->end = begin;
    return node;
}

/* The entry of a thing. Loops come to their entries in one order, so it mostly is the next one. NULL: no memory. */
static struct tf_path_entry *entry_of(struct tf_path_node *node, uint8_t what, uint16_t detail, uint32_t pc)
{
    for (uint32_t i = 0; i < node->count; i++) {
        const uint32_t at = node->last + i < node->count ? node->last + i : node->last + i - node->count;
        struct tf_path_entry *entry = &node->entry[at];
        if (entry->pc == pc && entry->what == what && entry->detail == detail) {
            node->last = at + 1 < node->count ? at + 1 : 0;
            return entry;
        }
    }
    if (node->count == node->room) {
        const uint32_t room = node->room != 0 ? 2 * node->room : 4;
        struct tf_path_entry *more = realloc(node->entry, room * sizeof *more);
        if (more == NULL)
            return NULL;
        node->entry = more;
        node->room = room;
    }
    node->entry[node->count] = (struct tf_path_entry){.pc = pc, .detail = detail, .what = what};
    node->last = 0;
    return &node->entry[node->count++];
}

bool tf_path_spend(struct tf_path_node *node, uint8_t what, uint16_t detail, uint32_t pc, uint64_t until)
{
    if (until <= node->end)
        return true;
    struct tf_path_entry *entry = entry_of(node, what, detail, pc);
    if (entry == NULL)
        return false;
    entry->cycles += until - node->end;
    node->end = until;
    return true;
}

struct tf_path_node *tf_path_new_at(const struct tf_path *path, struct tf_path_node *parent, enum tf_path_actor actor,
                                    unsigned number)
{
    struct tf_path_node *node = tf_path_new(parent, actor, number, path->at, parent->end);
    if (node != NULL)
        node->chip = node->to_chip = path->start->chip;
    return node;
}

bool tf_path_same_actor(const struct tf_path_node *a, const struct tf_path_node *b)
{
    return a->actor == b->actor && a->number == b->number && a->at == b->at && a->to == b->to && a->chip == b->chip &&
           a->to_chip == b->to_chip;
}

/* Merge a node with the parent that only it comes from. Returns false without memory. The parent's entries come
   first. */
static bool merge(struct tf_path_node *node)
{
    struct tf_path_node *parent = node->parent;
    for (uint32_t i = 0; i < node->count; i++) {
        struct tf_path_entry *entry = entry_of(parent, node->entry[i].what, node->entry[i].detail, node->entry[i].pc);
        if (entry == NULL)
            return false; /* entries that were added twice stay in a parent that is dropped with its cycles */
        entry->cycles += node->entry[i].cycles;
        node->entry[i].cycles = 0;
    }
    free(node->entry);
    node->entry = parent->entry;
    node->count = parent->count;
    node->room = parent->room;
    node->last = 0;
    node->begin = parent->begin;
    node->parent = parent->parent;
    free(parent);
    return true;
}

/* Merge spans of the actor that nothing but their next span comes from. */
static void merge_past(struct tf_path_node *node)
{
    for (unsigned i = 0; i < MERGES && node->parent != NULL && tf_path_same_actor(node, node->parent); i++) {
        if (__atomic_load_n(&node->parent->refs, __ATOMIC_ACQUIRE) != 1)
            node = node->parent;
        else if (!merge(node))
            return;
    }
}

static void keep_names(struct tf_path_node *next, const struct tf_path_node *node)
{
    next->to = node->to;
    next->code = node->code;
    next->core = node->core;
    next->chip = node->chip;
    next->to_chip = node->to_chip;
}

struct tf_path_node *tf_path_past(struct tf_path_node **present)
{
    struct tf_path_node *node = *present;
    if (node == NULL)
        return NULL;
    if (node->end == node->begin && node->parent != NULL)
        return tf_path_ref(node->parent);
    struct tf_path_node *next = tf_path_new(node, (enum tf_path_actor)node->actor, node->number, node->at, node->end);
    if (next == NULL)
        return NULL;
    keep_names(next, node);
    next->age = node->age + 1;
    if (next->age % MERGE_PERIOD == 0)
        merge_past(node);
    *present = next;
    return node; /* the reference that was the present one's */
}

bool tf_path_follow(struct tf_path_node **present, struct tf_path_node *cause, uint64_t began, uint64_t now)
{
    struct tf_path_node *node = *present;
    if (cause == NULL || cause->end < began || cause->end > now)
        return false;
    struct tf_path_node *next = tf_path_new(cause, (enum tf_path_actor)node->actor, node->number, node->at, cause->end);
    if (next == NULL)
        return false;
    keep_names(next, node);
    next->age = node->age;
    tf_path_set(present, next);
    return true;
}

struct tf_path *tf_path_create(struct tf_path_node *start, uint16_t at)
{
    struct tf_path *path = calloc(1, sizeof *path);
    if (path == NULL)
        return NULL;
    path->start = tf_path_ref(start);
    path->at = at;
    return path;
}

void tf_path_destroy(struct tf_path *path)
{
    if (path == NULL)
        return;
    tf_path_unref(path->start);
    tf_path_unref(path->released);
    for (unsigned core = 0; core < TF_PATH_CORES; core++) {
        tf_path_unref(path->core[core]);
        for (unsigned from = 0; from < TF_PATH_CORES; from++)
            tf_path_unref(path->mailed[core][from]);
        for (unsigned i = 0; i < TF_PATH_WATCHES; i++)
            tf_path_unref(path->watch[core][i].cause);
    }
    for (unsigned t = 0; t < TF_PATH_THREADS; t++) {
        tf_path_unref(path->thread[t]);
        tf_path_unref(path->held[t].cause);
        for (unsigned i = 0; i < TF_PATH_PUSHES; i++)
            tf_path_unref(path->push[t][i].by);
    }
    for (unsigned i = 0; i < TF_PATH_CHANGES; i++)
        tf_path_unref(path->changed[i]);
    for (unsigned i = 0; i < 4; i++)
        tf_path_unref(path->bank[i / 2][i % 2]);
    free(path);
}

/* --- what others do to a tile --- */

uint32_t tf_path_l1_value(const uint8_t *l1, uint32_t address, unsigned bytes)
{
    uint32_t value = 0;
    memcpy(&value, l1 + address, bytes);
    return value;
}

static void mark(struct tf_path *path, struct tf_path_watch *watch, struct tf_path_node **by)
{
    struct tf_path_node *past = tf_path_past(by);
    path->lost |= past == NULL;
    tf_path_set(&watch->cause, past);
}

void tf_path_wrote_l1(struct tf_path *path, const uint8_t *l1, unsigned writer, uint64_t address, uint64_t bytes,
                      struct tf_path_node **by)
{
    for (unsigned core = 0; core < TF_PATH_CORES && path->watching != 0; core++) {
        if ((path->watching >> core & 1) == 0 || core == writer)
            continue;
        for (unsigned i = 0; i < TF_PATH_WATCHES; i++) {
            struct tf_path_watch *watch = &path->watch[core][i];
            if (watch->bytes != 0 && watch->window == 0 && address < (uint64_t)watch->address + watch->bytes &&
                watch->address < address + bytes && tf_path_l1_value(l1, watch->address, watch->bytes) != watch->value)
                mark(path, watch, by);
        }
    }
}

void tf_path_wrote_window(struct tf_path *path, unsigned writer, unsigned window, struct tf_path_node **by)
{
    for (unsigned core = 0; core < TF_PATH_CORES && path->watching != 0; core++) {
        if ((path->watching >> core & 1) == 0 || core == writer)
            continue;
        for (unsigned i = 0; i < TF_PATH_WATCHES; i++) {
            struct tf_path_watch *watch = &path->watch[core][i];
            if (watch->bytes != 0 && watch->window != 0 && (window == TF_PATH_ALL_WINDOWS || window == watch->window))
                mark(path, watch, by);
        }
    }
}

void tf_path_wrote_registers(struct tf_path *path, uint32_t first, uint32_t bytes, struct tf_path_node **by)
{
    for (unsigned core = 0; core < TF_PATH_CORES && path->watching != 0; core++) {
        if ((path->watching >> core & 1) == 0)
            continue;
        for (unsigned i = 0; i < TF_PATH_WATCHES; i++) {
            struct tf_path_watch *watch = &path->watch[core][i];
            if (watch->bytes != 0 && watch->window != 0 && watch->address - first < bytes)
                mark(path, watch, by);
        }
    }
}
