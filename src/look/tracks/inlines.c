/* SPDX-License-Identifier: Apache-2.0 */
#include "look/tracks/inlines.h"

#include <stdlib.h>

#include "look/tracks/table.h"

/* Addresses from `start` to the start of the next region have one node. */
struct region {
    uint32_t start, node;
};

struct tf_inline_map {
    struct tf_inline_map *next;
    uint64_t programs; /* tf_symbols_programs() of its cores */
    struct region *region;
    uint32_t regions, room;
    uint32_t *granule;       /* of each granule of addresses from `base` on: the region in which it begins */
    uint32_t base, granules; /* loops go to and fro between regions, so that a search would take half of the time */
    bool lost;
};

#define GRANULE_SHIFT 6u
#define GRANULES_MAX (1u << 16)

struct node {
    uint32_t parent, depth;
    const char *name;
};

struct tf_inline_maps {
    struct tf_symbols *symbols;
    struct tf_inline_map *first;
    struct tf_table nodes; /* by parent, and program and number of the call */
    struct node *node;
    uint32_t count, room;
};

struct tf_inline_maps *tf_inline_maps_create(struct tf_symbols *symbols)
{
    struct tf_inline_maps *maps = calloc(1, sizeof *maps);
    if (maps == NULL || !tf_array_room((void **)&maps->node, 0, &maps->room, sizeof *maps->node)) {
        free(maps);
        return NULL;
    }
    maps->symbols = symbols;
    maps->node[maps->count++] = (struct node){.name = ""};
    return maps;
}

static void free_map(struct tf_inline_map *map)
{
    free(map->region);
    free(map->granule);
    free(map);
}

void tf_inline_maps_free(struct tf_inline_maps *maps)
{
    if (maps == NULL)
        return;
    for (struct tf_inline_map *at = maps->first, *next; at != NULL; at = next) {
        next = at->next;
        free_map(at);
    }
    free(maps->nodes.slot);
    free(maps->node);
    free(maps);
}

static void add_region(struct tf_inline_map *map, uint32_t start)
{
    if (tf_array_room((void **)&map->region, map->regions, &map->room, sizeof *map->region))
        map->region[map->regions++] = (struct region){.start = start, .node = TF_INLINE_NONE};
    else
        map->lost = true;
}

static void add_call(void *user, uint32_t start, uint32_t end)
{
    add_region(user, start);
    add_region(user, end);
}

static int by_start(const void *a, const void *b)
{
    const struct region *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* The node of a call below another one. */
static uint32_t child_of(struct tf_inline_maps *maps, uint32_t parent, const struct tf_program *program,
                         const struct tf_inlined *call)
{
    bool made;
    const uint64_t key = tf_mix_pair((uintptr_t)program, call->number);
    const uint32_t at = tf_table_take(&maps->nodes, parent, key, maps->count, &made);
    if (at == UINT32_MAX ||
        (made && !tf_array_room((void **)&maps->node, maps->count, &maps->room, sizeof *maps->node)))
        return UINT32_MAX;
    if (made)
        maps->node[maps->count++] = (struct node){parent, maps->node[parent].depth + 1, call->name};
    return at;
}

static bool fill(struct tf_inline_maps *maps, struct tf_inline_map *map, unsigned tile, unsigned core)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < map->regions; i++) {
        struct tf_inlined calls[TF_INLINED_MAX];
        const struct tf_program *program = NULL;
        const uint32_t start = map->region[i].start;
        uint32_t node = TF_INLINE_NONE;
        unsigned count = tf_symbols_inlined_in(maps->symbols, tile, core, start, &program, calls);
        while (count-- > 0 && node != UINT32_MAX)
            node = child_of(maps, node, program, &calls[count]);
        if (node == UINT32_MAX)
            return false;
        if (kept == 0 || map->region[kept - 1].node != node)
            map->region[kept++] = (struct region){start, node};
    }
    map->regions = kept;
    return true;
}

/* Regions that span more than all granules are searched. */
static bool fill_granules(struct tf_inline_map *map)
{
    if (map->regions < 2)
        return true;
    const uint32_t last = map->region[map->regions - 1].start;
    map->base = map->region[1].start >> GRANULE_SHIFT << GRANULE_SHIFT;
    const uint32_t granules = ((last - map->base) >> GRANULE_SHIFT) + 1;
    if (granules > GRANULES_MAX)
        return true;
    map->granule = calloc(granules, sizeof *map->granule);
    map->granules = map->granule != NULL ? granules : 0;
    for (uint32_t i = 0, region = 0; i < map->granules; i++) {
        while (region + 1 < map->regions && map->region[region + 1].start <= map->base + (i << GRANULE_SHIFT))
            region++;
        map->granule[i] = region;
    }
    return map->granule != NULL;
}

const struct tf_inline_map *tf_inline_map_of(struct tf_inline_maps *maps, unsigned tile, unsigned core)
{
    const uint64_t programs = tf_symbols_programs(maps->symbols, tile, core);
    for (const struct tf_inline_map *at = maps->first; at != NULL; at = at->next)
        if (at->programs == programs)
            return at;
    struct tf_inline_map *map = calloc(1, sizeof *map);
    if (map == NULL)
        return NULL;
    map->programs = programs;
    add_region(map, 0);
    tf_symbols_each_inlined(maps->symbols, tile, core, add_call, map);
    if (map->regions != 0)
        qsort(map->region, map->regions, sizeof *map->region, by_start);
    if (map->lost || !fill(maps, map, tile, core) || !fill_granules(map)) {
        free_map(map);
        return NULL;
    }
    map->next = maps->first;
    maps->first = map;
    return map;
}

/* The region of an address among those from `from` to `to`, whose first one begins at the address or before. */
static uint32_t search(const struct tf_inline_map *map, uint32_t address, uint32_t from, uint32_t to)
{
    while (to - from > 1) {
        const uint32_t middle = from + (to - from) / 2;
        if (map->region[middle].start <= address)
            from = middle;
        else
            to = middle;
    }
    return from;
}

uint32_t tf_inline_at(const struct tf_inline_map *map, uint32_t address, uint32_t *low, uint32_t *high)
{
    const uint32_t granule = (address - map->base) >> GRANULE_SHIFT; /* an address below the base has a large one */
    uint32_t from = 0, to = map->regions;
    if (granule < map->granules) {
        from = map->granule[granule];
        to = granule + 1 < map->granules ? map->granule[granule + 1] + 1 : map->regions;
    }
    from = search(map, address, from, to);
    *low = map->region[from].start;
    *high = from + 1 == map->regions ? UINT32_MAX : map->region[from + 1].start;
    return map->region[from].node;
}

uint32_t tf_inline_parent(const struct tf_inline_maps *maps, uint32_t node)
{
    return maps->node[node].parent;
}

unsigned tf_inline_depth(const struct tf_inline_maps *maps, uint32_t node)
{
    return maps->node[node].depth;
}

const char *tf_inline_name(const struct tf_inline_maps *maps, uint32_t node)
{
    return maps->node[node].name;
}
