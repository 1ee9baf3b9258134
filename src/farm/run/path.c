/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path of a run in timing mode. */
#include <stdlib.h>
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/flight/path.h"
#include "farm/run/times.h"
#include "farm/transit/transit.h"
#include "tile/path/path.h"
#include "tile/timing.h"
#include "tile/tensix/isa/isa.h"
#include "tilefarm/tilefarm_config.h"
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

int tf_path_record(struct tf_chip *chip)
{
    if (chip == NULL || chip->transit == NULL || chip->config->timing_coarse || is_recorded(chip))
        return TF_EINVAL;
    struct tf_path_record *record = calloc(1, sizeof *record);
    if (record == NULL)
        return TF_ENOMEM;
    record->start = tf_path_new(NULL, TF_PATH_AT_HOST, 0, 0, chip->epochs.cycles);
    record->lost = record->start == NULL;
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

/* --- the last event --- */

static void take_later(const struct tf_path_node **last, const struct tf_path_node *node)
{
    if (node != NULL && node->end > (*last)->end)
        *last = node;
}

/* The actor whose span ends last; of those that end together, the first one in an order that does not change. */
static const struct tf_path_node *find_last(const struct tf_chip *chip)
{
    const struct tf_path_node *last = chip->observers.path->start;
    for (unsigned i = 0; i < chip->tiles.count; i++) {
        const struct tf_path *path = path_at(chip, i);
        for (unsigned core = 0; core < TF_PATH_CORES; core++)
            take_later(&last, path->core[core]);
        for (unsigned t = 0; t < TF_PATH_THREADS; t++)
            take_later(&last, path->thread[t]);
    }
    for (unsigned site = 0; site < chip->fabric->nodes; site++)
        take_later(&last, chip->observers.path->arrived[site]);
    return last;
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

static bool same_actor(const struct tf_path_node *a, const struct tf_path_node *b)
{
    return a->actor == b->actor && a->number == b->number && a->at == b->at && a->to == b->to;
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
static void add_part(struct tf_path_part *parts, size_t first, size_t *count, const struct tf_path_part *part)
{
    for (size_t i = first; i < *count; i++) {
        struct tf_path_part *old = &parts[i];
        if (old->kind == part->kind && old->pc == part->pc && old->unit == part->unit && old->way == part->way &&
            old->link.x == part->link.x && old->link.y == part->link.y && old->uncertain == part->uncertain) {
            old->cycles += part->cycles;
            return;
        }
    }
    parts[(*count)++] = *part;
}

static void fill(const struct tf_chip *chip, const struct tf_path_node *const *nodes, size_t steps,
                 struct tf_path_part *parts, size_t *count)
{
    uint64_t step = 0;
    *count = 0;
    for (size_t i = 0, next; i < steps; i = next, step += *count != 0) {
        const size_t first = *count;
        for (next = i; next < steps && same_actor(nodes[i], nodes[next]); next++)
            for (uint32_t e = 0; e < nodes[next]->count; e++) {
                struct tf_path_part part = {.step = step,
                                            .begin = nodes[i]->begin,
                                            .actor = (enum tf_path_actor)nodes[i]->actor,
                                            .at = coord_of(chip, nodes[i]->at),
                                            .to = coord_of(chip, nodes[i]->to),
                                            .code = coord_of(chip, nodes[i]->code),
                                            .core = nodes[i]->core,
                                            .number = nodes[i]->number};
                describe(chip, &nodes[next]->entry[e], &part);
                if (part.cycles != 0)
                    add_part(parts, first, count, &part);
            }
        for (size_t p = first; p < *count; p++)
            parts[p].end = nodes[next - 1]->end;
    }
}

/* Make the parts add up to the chip's time. A run that is stopped may end before the last instruction's end. */
static void close_at(struct tf_path_part *parts, size_t *count, uint64_t begin, uint64_t last, uint64_t now)
{
    if (last < now) {
        const uint64_t step = *count != 0 ? parts[*count - 1].step + 1 : 0;
        parts[(*count)++] =
            (struct tf_path_part){.step = step, .begin = last, .end = now, .cycles = now - last, .kind = TF_PATH_END};
    }
    for (uint64_t over = last > now ? last - now : 0; over != 0 && *count != 0; --*count) {
        struct tf_path_part *part = &parts[*count - 1];
        const uint64_t less = part->cycles < over ? part->cycles : over;
        over -= less;
        part->cycles -= less;
        if (part->cycles != 0)
            break;
    }
    for (size_t i = 0; i < *count; i++) {
        parts[i].end = parts[i].end < now ? parts[i].end : now;
        parts[i].begin = parts[i].begin > begin ? parts[i].begin : begin;
    }
}

int tf_path_read(struct tf_chip *chip, struct tf_path_part *parts, size_t room, size_t *count)
{
    if (!is_recorded(chip) || (parts == NULL && room != 0) || count == NULL)
        return TF_EINVAL;
    if (is_lost(chip))
        return TF_ENOMEM;
    size_t steps;
    const struct tf_path_node *last = find_last(chip);
    const struct tf_path_node **nodes = list(last, &steps);
    struct tf_path_part *all = malloc(count_parts(last) * sizeof *all);
    if (nodes == NULL || all == NULL) {
        free(nodes);
        free(all);
        return TF_ENOMEM;
    }
    fill(chip, nodes, steps, all, count);
    close_at(all, count, chip->observers.path->start->begin, last->end, chip->epochs.cycles);
    if (room != 0)
        memcpy(parts, all, (*count < room ? *count : room) * sizeof *all);
    free(nodes);
    free(all);
    return TF_OK;
}

const char *tf_path_kind_name(unsigned kind)
{
    static const char *const name[TF_PATH_KINDS] = {
        [TF_SPENT_ISSUED] = "issued",  [TF_SPENT_RESULT] = "result",  [TF_SPENT_LOAD_L1] = "load_l1",
        [TF_SPENT_LOAD] = "load",      [TF_SPENT_STORE] = "store",    [TF_SPENT_BRANCH] = "branch",
        [TF_SPENT_FETCH] = "fetch",    [TF_SPENT_FIFO] = "fifo",      [TF_SPENT_SYNC] = "sync",
        [TF_SPENT_NOC] = "noc",        [TF_SPENT_MEMORY] = "memory",  [TF_SPENT_OTHER] = "other",
        [TF_PATH_PASSED] = "passed",   [TF_PATH_FEED] = "feed",       [TF_PATH_UNIT] = "unit",
        [TF_PATH_OPERAND] = "operand", [TF_PATH_GATE] = "gate",       [TF_PATH_NIU] = "niu",
        [TF_PATH_WAY] = "way",         [TF_PATH_LINK] = "link",       [TF_PATH_SERVE] = "serve",
        [TF_PATH_DRAM] = "dram",       [TF_PATH_CHANNEL] = "channel", [TF_PATH_START] = "start",
        [TF_PATH_END] = "end",
    };
    return kind < TF_PATH_KINDS ? name[kind] : NULL;
}
