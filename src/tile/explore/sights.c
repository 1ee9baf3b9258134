/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/explore/sights.h"

#include <stdlib.h>
#include <string.h>

#include "tile/explore/state.h"
#include "tile/niu_words.h"
#include "tile/state.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"

#define SIGHTS_MAX 65536u
#define ACTOR_NOC 255u
#define COUNTERS_OF_OTHERS 48u /* from this one on they count what has come to a NIU */

static void no_access(struct tf_check *check, struct tf_check_access access)
{
    (void)check;
    (void)access;
}

static void no_core(struct tf_check *check, unsigned core)
{
    (void)check;
    (void)core;
}

static void no_register(struct tf_check *check, unsigned core, uint32_t pc, uint32_t address, uint32_t value)
{
    (void)check;
    (void)core;
    (void)pc;
    (void)address;
    (void)value;
}

static void no_unit_register(struct tf_check *check, unsigned thread, uint32_t address, bool store)
{
    (void)check;
    (void)thread;
    (void)address;
    (void)store;
}

static void see_passed(struct tf_check *check, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle)
{
    (void)thread;
    (void)word;
    (void)pc;
    tf_sights_matter((struct tf_sights *)check, cycle);
}

/* Late lines of the packer arrive later, and are noted at their arrival. */
static void see_unit(struct tf_check *check, unsigned thread, enum tf_check_unit unit, uint32_t address, uint32_t bytes,
                     enum tf_check_use use)
{
    struct tf_tile *tile = ((struct tf_sights *)check)->tile;
    const struct tf_tensix_thread *at = &tile->tensix->thread[thread];
    (void)use;
    if (unit == TF_CHECK_PACKER && tile->explore->pack_due != 0)
        return;
    const struct tf_sight sight = {.cycle = at->cycle,
                                   .address = address,
                                   .pc = at->gate.pc,
                                   .tile = tile->index,
                                   .core = (uint8_t)(TF_CORE_T0 + thread),
                                   .kind = unit == TF_CHECK_PACKER   ? TF_SIGHT_PACK
                                           : unit == TF_CHECK_SCALAR ? TF_SIGHT_SCALAR
                                                                     : TF_SIGHT_UNPACK};
    tf_sights_note(tile, &sight, bytes);
}

/* The sights of a tile; NULL if the host has no memory. */
static struct tf_sights *open_sights(struct tf_tile *tile)
{
    struct tf_sights *sights = tile->explore->sights;
    if (sights != NULL)
        return sights;
    sights = calloc(1, sizeof *sights);
    if (sights == NULL)
        return NULL;
    sights->check = (struct tf_check){.load = no_access,
                                      .store = no_access,
                                      .amo = no_access,
                                      .fence = no_core,
                                      .loaded = no_register,
                                      .storing = no_register,
                                      .unit = see_unit,
                                      .unit_register = no_unit_register,
                                      .passed = see_passed,
                                      .started = no_core};
    sights->tile = tile;
    sights->matters = UINT64_MAX;
    tile->explore->sights = sights;
    if (tile->check == NULL)
        tile->check = &sights->check;
    return sights;
}

bool tf_sights_record(struct tf_tile *tile, uint32_t address)
{
    struct tf_sights *sights = open_sights(tile);
    if (sights == NULL)
        return false;
    for (unsigned i = 0; i < sights->words; i++)
        if (sights->word[i] == (address & ~3u))
            return true;
    if (sights->words == TF_SIGHT_WORDS)
        return false;
    sights->word[sights->words++] = address & ~3u;
    return true;
}

bool tf_sights_seek(struct tf_tile *tile)
{
    struct tf_sights *sights = open_sights(tile);
    if (sights != NULL && sights->first == NULL)
        sights->first = calloc(tile->arch->l1_bytes / 4, sizeof *sights->first);
    return sights != NULL && sights->first != NULL;
}

void tf_sights_free(struct tf_tile *tile)
{
    struct tf_sights *sights = tile->explore->sights;
    if (sights == NULL)
        return;
    if (tile->check == &sights->check)
        tile->check = NULL;
    free(sights->list);
    free(sights->first);
    free(sights);
    tile->explore->sights = NULL;
}

static bool is_equal(const struct tf_sight *a, const struct tf_sight *b)
{
    return a->address == b->address && a->pc == b->pc && a->value == b->value && a->tile == b->tile &&
           a->core == b->core && a->kind == b->kind;
}

static void keep(struct tf_sights *sights, const struct tf_sight *sight)
{
    if (sights->count != 0 && is_equal(&sights->list[sights->count - 1], sight)) {
        sights->list[sights->count - 1].count++;
        return;
    }
    if (sights->count == sights->room) {
        unsigned room = sights->room == 0 ? 64 : sights->room * 2;
        struct tf_sight *list = room > SIGHTS_MAX ? NULL : realloc(sights->list, room * sizeof *list);
        if (list == NULL)
            return;
        sights->list = list;
        sights->room = room;
    }
    sights->list[sights->count] = *sight;
    sights->list[sights->count++].count = 1;
}

/* The actor of an access: a core, a unit of the coprocessor, or the NOC. Each NOC request is an actor of its own. */
static uint8_t actor_of(const struct tf_sight *sight)
{
    if (sight->kind <= TF_SIGHT_AMO)
        return sight->core;
    if (sight->kind <= TF_SIGHT_NOC_DATA)
        return ACTOR_NOC;
    return (uint8_t)(TF_TILE_CORES + (sight->kind == TF_SIGHT_MOVER_READ ? TF_SIGHT_MOVER : sight->kind));
}

static bool is_write(const struct tf_sight *sight)
{
    static const uint32_t reads = 1u << TF_SIGHT_LOAD | 1u << TF_SIGHT_NOC_READ | 1u << TF_SIGHT_NOC_SOURCE |
                                  1u << TF_SIGHT_UNPACK | 1u << TF_SIGHT_MOVER_READ;
    return (reads >> sight->kind & 1) == 0;
}

/* Note the cycle from which on the order matters: the first access to a word that a second actor accesses, too, if one
   of the two writes. */
static void seek_at(struct tf_sights *sights, struct tf_first_sight *first, uint64_t cycle, uint8_t actor, bool writes)
{
    if (first->cycle == 0)
        *first = (struct tf_first_sight){.cycle = (uint32_t)cycle + 1, .actor = actor};
    else if ((actor != first->actor || actor == ACTOR_NOC) && (writes || first->written))
        tf_sights_matter(sights, first->cycle - 1);
    first->written |= writes;
}

static void seek(struct tf_sights *sights, const struct tf_sight *sight, uint32_t bytes)
{
    uint32_t words = sights->tile->arch->l1_bytes / 4;
    for (uint32_t word = sight->address / 4; word <= (sight->address + bytes - 1) / 4 && word < words; word++)
        seek_at(sights, &sights->first[word], sight->cycle, actor_of(sight), is_write(sight));
}

void tf_sights_niu(struct tf_sights *sights, uint64_t cycle, unsigned core, uint32_t address, bool store)
{
    uint32_t noc = address >= TF_NIU_BASE(1), offset = address - TF_NIU_BASE(noc);
    if (sights->first == NULL || cycle >= UINT32_MAX)
        return;
    if (store || offset < TF_NIU_CONFIG || offset >= TF_NIU_COUNTER) /* only stores change configuration */
        seek_at(sights, &sights->niu[noc], cycle, (uint8_t)core, store);
    if (!store && offset >= TF_NIU_COUNTER + 4 * COUNTERS_OF_OTHERS && offset < TF_NIU_INITIATOR_STRIDE)
        tf_sights_matter(sights, cycle);
}

void tf_sights_note(struct tf_tile *tile, const struct tf_sight *sight, uint32_t bytes)
{
    struct tf_sights *sights = tile->explore->sights;
    if (sights->first != NULL && sight->cycle < UINT32_MAX)
        seek(sights, sight, bytes);
    for (unsigned i = 0; i < sights->words; i++) {
        uint32_t word = sights->word[i];
        if (sight->address >= word + 4 || sight->address + bytes <= word)
            continue;
        struct tf_sight own = *sight;
        own.address = word;
        if (sight->kind != TF_SIGHT_LOAD)
            memcpy(&own.value, tile->l1 + word, sizeof own.value);
        keep(sights, &own);
    }
}
