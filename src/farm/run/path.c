/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of a run in timing mode. */
#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/flight/path.h"
#include "farm/run/path.h"
#include "farm/run/times.h"
#include "farm/transit/transit.h"
#include "host/extremes.h"
#include "tile/path/path.h"
#include "tile/timing.h"
#include "tile/tensix/isa/isa.h"
#include "tilefarm/tilefarm_times.h"

static struct tf_path *path_at(const struct tf_chip *chip, unsigned tile)
{
    const struct tf_timing *timing = chip->tiles.tile[tile].timing;
    return timing != NULL ? tf_path_of(timing) : NULL;
}

/* Does the chip record? A restored state has no record. */
static bool is_recorded(const struct tf_chip *chip)
{
    return chip != NULL && chip->observers.path != NULL && path_at(chip, 0) != NULL;
}

static int record_as(struct tf_chip *chip, unsigned number, bool of_system)
{
    if (chip == NULL || chip->transit == NULL || chip->rules.timing_coarse || is_recorded(chip))
        return TF_EINVAL;
    struct tf_path_record *record = calloc(1, sizeof *record);
    if (record == NULL)
        return TF_ENOMEM;
    record->of_system = of_system;
    record->start = tf_path_new(NULL, TF_PATH_AT_HOST, 0, 0, chip->epochs.cycles);
    record->lost = record->start == NULL;
    if (record->start != NULL)
        record->start->chip = record->start->to_chip = (uint8_t)number;
    for (unsigned i = 0; i < chip->tiles.count && !record->lost; i++) {
        struct tf_tile *tile = &chip->tiles.tile[i];
        struct tf_path *path = tf_path_create(record->start, tf_node_number(chip->arch, tile->coord));
        ((struct tf_timed_tile *)tile->timing)->path = path;
        record->lost |= path == NULL;
    }
    tf_flight_path_end(chip->observers.path);
    chip->observers.path = record;
    return record->lost ? TF_ENOMEM : TF_OK;
}

int tf_path_record(struct tf_chip *chip)
{
    return record_as(chip, 0, false);
}

int tf_path_record_chips(struct tf_chip *const *chip, unsigned chips)
{
    int error = TF_OK;
    for (unsigned i = 0; i < chips && error == TF_OK; i++)
        error = record_as(chip[i], i, true);
    return error;
}

/* --- the last event --- */

static void take_later(const struct tf_path_node **last, const struct tf_path_node *node)
{
    if (node != NULL && node->end > (*last)->end)
        *last = node;
}

/* The actor whose span ends last; of those that end together, the first one in an order that does not change. */
static void find_last(const struct tf_chip *chip, const struct tf_path_node **last)
{
    for (unsigned i = 0; i < chip->tiles.count; i++) {
        const struct tf_path *path = path_at(chip, i);
        for (unsigned core = 0; core < TF_PATH_CORES; core++)
            take_later(last, path->core[core]);
        for (unsigned t = 0; t < TF_PATH_THREADS; t++)
            take_later(last, path->thread[t]);
    }
    for (unsigned site = 0; site < chip->fabric->nodes; site++)
        take_later(last, chip->observers.path->arrived[site]);
}

static bool is_lost(const struct tf_chip *chip)
{
    bool lost = chip->observers.path->lost;
    for (unsigned i = 0; i < chip->tiles.count; i++)
        lost |= path_at(chip, i) == NULL || path_at(chip, i)->lost;
    return lost;
}

/* --- its parts --- */

static size_t count_parts(const struct tf_path_node *last)
{
    size_t count = 1; /* the end */
    for (const struct tf_path_node *node = last; node != NULL; node = node->parent)
        count += node->count;
    return count;
}

static struct tf_coord coord_of(const struct tf_chip *chip, unsigned node)
{
    return node < chip->fabric->nodes ? chip->fabric->node[node].coord : (struct tf_coord){0, 0};
}

static void describe(const struct tf_chip *chip, const struct tf_path_entry *entry, struct tf_path_part *part)
{
    static const uint8_t way[] = {[TF_LINK_X] = 'x', [TF_LINK_Y] = 'y', [TF_LINK_OUT] = 'o', [TF_LINK_IN] = 'i'};
    const struct tf_times *times = chip->transit->times;
    part->cycles = entry->cycles;
    part->pc = entry->pc;
    if (entry->what >= TF_PATH_ROWS) {
        const unsigned row = entry->what - TF_PATH_ROWS;
        part->kind = (enum tf_path_kind)tf_spent_of(row);
        part->uncertain = times->source[row].word == TF_TIME_DERIVED || times->source[row].word == TF_TIME_UNKNOWN;
        return;
    }
    part->kind = (enum tf_path_kind)entry->what;
    if (part->kind == TF_PATH_LINK) {
        part->link = coord_of(chip, entry->detail / TF_LINKS);
        part->way = way[entry->detail % TF_LINKS];
    } else if (part->kind == TF_PATH_PASSED || part->kind == TF_PATH_UNIT || part->kind == TF_PATH_OPERAND) {
        part->unit = tf_tensix_unit_name((enum tf_tensix_unit)entry->detail);
    }
}

/* The nodes from the start on, since parents lead back. The caller frees the list. */
static const struct tf_path_node **list(const struct tf_path_node *last, size_t *count)
{
    *count = 0;
    for (const struct tf_path_node *node = last; node != NULL; node = node->parent)
        ++*count;
    const struct tf_path_node **nodes = malloc(*count * sizeof(const struct tf_path_node *));
    size_t i = *count;
    for (const struct tf_path_node *node = last; node != NULL && nodes != NULL; node = node->parent)
        nodes[--i] = node;
    return nodes;
}

/* Parts that are equal but for their cycles, in one step, become one. */
static void add_part(struct tf_system_path_part *parts, size_t first, size_t *count,
                     const struct tf_system_path_part *added)
{
    const struct tf_path_part *part = &added->part;
    for (size_t i = first; i < *count; i++) {
        struct tf_path_part *old = &parts[i].part;
        if (old->kind == part->kind && old->pc == part->pc && old->unit == part->unit && old->way == part->way &&
            old->link.x == part->link.x && old->link.y == part->link.y && old->uncertain == part->uncertain) {
            old->cycles += part->cycles;
            return;
        }
    }
    parts[(*count)++] = *added;
}

/* What the parts of a node have in common. */
static struct tf_system_path_part part_of(struct tf_chip *const *chip, const struct tf_path_node *node)
{
    const struct tf_chip *from = chip[node->chip];
    return (struct tf_system_path_part){.part = {.actor = (enum tf_path_actor)node->actor,
                                                 .begin = node->begin,
                                                 .at = coord_of(from, node->at),
                                                 .to = coord_of(chip[node->to_chip], node->to),
                                                 .code = coord_of(from, node->code),
                                                 .core = node->core,
                                                 .number = node->number},
                                        .chip = node->chip,
                                        .to_chip = node->to_chip};
}

static void fill(struct tf_chip *const *chip, const struct tf_path_node *const *nodes, size_t steps,
                 struct tf_system_path_part *parts, size_t *count)
{
    uint64_t step = 0;
    *count = 0;
    for (size_t i = 0, next; i < steps; i = next, step += *count != 0) {
        const size_t first = *count;
        for (next = i; next < steps && tf_path_same_actor(nodes[i], nodes[next]); next++)
            for (uint32_t e = 0; e < nodes[next]->count; e++) {
                struct tf_system_path_part added = part_of(chip, nodes[i]);
                added.part.step = step;
                describe(chip[nodes[i]->chip], &nodes[next]->entry[e], &added.part);
                if (added.part.cycles != 0)
                    add_part(parts, first, count, &added);
            }
        for (size_t p = first; p < *count; p++)
            parts[p].part.end = nodes[next - 1]->end;
    }
}

/* Make the parts add up to the chip's time. A run that is stopped may end before the last instruction's end. */
static void close_at(struct tf_system_path_part *parts, size_t *count, uint64_t begin, uint64_t last, uint64_t now)
{
    if (last < now) {
        const uint64_t step = *count != 0 ? parts[*count - 1].part.step + 1 : 0;
        parts[(*count)++] = (struct tf_system_path_part){
            .part = {.step = step, .begin = last, .end = now, .cycles = now - last, .kind = TF_PATH_END}};
    }
    for (uint64_t over = last > now ? last - now : 0; over != 0 && *count != 0; --*count) {
        struct tf_path_part *part = &parts[*count - 1].part;
        const uint64_t less = part->cycles < over ? part->cycles : over;
        over -= less;
        part->cycles -= less;
        if (part->cycles != 0)
            break;
    }
    for (size_t i = 0; i < *count; i++) {
        struct tf_path_part *part = &parts[i].part;
        part->end = tf_min(part->end, now);
        part->begin = tf_max(part->begin, begin);
    }
}

/* All parts; the caller frees them. */
static int read_all(struct tf_chip *const *chip, unsigned chips, struct tf_system_path_part **parts, size_t *count)
{
    const struct tf_path_node *last = chip[0]->observers.path->start;
    uint64_t now = 0;
    size_t steps;
    for (unsigned i = 0; i < chips; i++) {
        if (is_lost(chip[i]))
            return TF_ENOMEM;
        find_last(chip[i], &last);
        now = tf_max(now, chip[i]->epochs.cycles);
    }
    const struct tf_path_node **nodes = list(last, &steps);
    *parts = malloc(count_parts(last) * sizeof **parts);
    if (nodes != NULL && *parts != NULL) {
        fill(chip, nodes, steps, *parts, count);
        close_at(*parts, count, chip[0]->observers.path->start->begin, last->end, now);
    }
    const bool fine = nodes != NULL && *parts != NULL;
    free(nodes);
    if (!fine)
        free(*parts);
    return fine ? TF_OK : TF_ENOMEM;
}

int tf_path_read_chips(struct tf_chip *const *chip, unsigned chips, struct tf_system_path_part *parts, size_t room,
                       size_t *count)
{
    struct tf_system_path_part *all;
    const int error = read_all(chip, chips, &all, count);
    if (error != TF_OK)
        return error;
    if (room != 0)
        memcpy(parts, all, tf_min(*count, room) * sizeof *all);
    free(all);
    return TF_OK;
}

bool tf_path_is_recorded(const struct tf_chip *chip, bool of_system)
{
    return is_recorded(chip) && chip->observers.path->of_system == of_system;
}

int tf_path_read(struct tf_chip *chip, struct tf_path_part *parts, size_t room, size_t *count)
{
    struct tf_system_path_part *all;
    if (!tf_path_is_recorded(chip, false) || (parts == NULL && room != 0) || count == NULL)
        return TF_EINVAL;
    const int error = read_all(&chip, 1, &all, count);
    if (error != TF_OK)
        return error;
    for (size_t i = 0; i < tf_min(*count, room); i++)
        parts[i] = all[i].part;
    free(all);
    return TF_OK;
}

const char *tf_path_kind_name(unsigned kind)
{
    static const char *const name[TF_PATH_KINDS_OF_SYSTEM] = {
        [TF_SPENT_ISSUED] = "issued",  [TF_SPENT_RESULT] = "result",  [TF_SPENT_LOAD_L1] = "load_l1",
        [TF_SPENT_LOAD] = "load",      [TF_SPENT_STORE] = "store",    [TF_SPENT_BRANCH] = "branch",
        [TF_SPENT_FETCH] = "fetch",    [TF_SPENT_FIFO] = "fifo",      [TF_SPENT_SYNC] = "sync",
        [TF_SPENT_NOC] = "noc",        [TF_SPENT_MEMORY] = "memory",  [TF_SPENT_OTHER] = "other",
        [TF_PATH_PASSED] = "passed",   [TF_PATH_FEED] = "feed",       [TF_PATH_UNIT] = "unit",
        [TF_PATH_OPERAND] = "operand", [TF_PATH_GATE] = "gate",       [TF_PATH_NIU] = "niu",
        [TF_PATH_WAY] = "way",         [TF_PATH_LINK] = "link",       [TF_PATH_SERVE] = "serve",
        [TF_PATH_DRAM] = "dram",       [TF_PATH_CHANNEL] = "channel", [TF_PATH_START] = "start",
        [TF_PATH_END] = "end",         [TF_PATH_TURN] = "turn",       [TF_PATH_AGAIN] = "again",
        [TF_PATH_WIRE] = "wire",       [TF_PATH_LATENCY] = "latency",
    };
    return kind < TF_PATH_KINDS_OF_SYSTEM ? name[kind] : NULL;
}
