/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/explore/noted.h"

#include <stdlib.h>
#include <string.h>

#include "tile/explore/state.h"
#include "tile/niu_words.h"
#include "tile/state.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"

#define NOTED_MAX 65536u
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
    tf_noted_order_matters((struct tf_noted_accesses *)check, cycle);
}

void tf_noted_passed(const struct tf_tile *tile, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle)
{
    struct tf_check *check = tile->check;
    struct tf_noted_accesses *noted = tile->explore == NULL ? NULL : tile->explore->noted;
    check->passed(check, thread, word, pc, cycle);
    if (noted != NULL && check != &noted->check)
        tf_noted_order_matters(noted, cycle);
}

/* Late lines of the packer arrive later, and are noted at their arrival. */
static void see_unit(struct tf_check *check, unsigned thread, enum tf_check_unit unit, uint32_t address, uint32_t bytes,
                     enum tf_check_use use)
{
    struct tf_tile *tile = ((struct tf_noted_accesses *)check)->tile;
    const struct tf_tensix_thread *at = &tile->tensix->thread[thread];
    (void)use;
    if (unit == TF_CHECK_PACKER && tile->explore->pack_due != 0)
        return;
    const struct tf_noted_access access = {.cycle = at->cycle,
                                           .address = address,
                                           .pc = at->gate.pc,
                                           .tile = tile->index,
                                           .core = (uint8_t)(TF_CORE_T0 + thread),
                                           .kind = unit == TF_CHECK_PACKER   ? TF_NOTED_PACK
                                                   : unit == TF_CHECK_SCALAR ? TF_NOTED_SCALAR
                                                                             : TF_NOTED_UNPACK};
    tf_noted_add(tile, &access, bytes);
}

/* The noted accesses of a tile; NULL if the host has no memory. */
static struct tf_noted_accesses *open_noted(struct tf_tile *tile)
{
    struct tf_noted_accesses *noted = tile->explore->noted;
    if (noted != NULL)
        return noted;
    noted = calloc(1, sizeof *noted);
    if (noted == NULL)
        return NULL;
    noted->check = (struct tf_check){.load = no_access,
                                     .store = no_access,
                                     .amo = no_access,
                                     .fence = no_core,
                                     .loaded = no_register,
                                     .storing = no_register,
                                     .unit = see_unit,
                                     .unit_register = no_unit_register,
                                     .passed = see_passed,
                                     .started = no_core};
    noted->tile = tile;
    noted->matters = UINT64_MAX;
    tile->explore->noted = noted;
    if (tile->check == NULL)
        tile->check = &noted->check;
    return noted;
}

bool tf_noted_record(struct tf_tile *tile, uint32_t address)
{
    struct tf_noted_accesses *noted = open_noted(tile);
    if (noted == NULL)
        return false;
    for (unsigned i = 0; i < noted->words; i++)
        if (noted->word[i] == (address & ~3u))
            return true;
    if (noted->words == TF_NOTED_WORDS)
        return false;
    noted->word[noted->words++] = address & ~3u;
    return true;
}

bool tf_noted_seek(struct tf_tile *tile)
{
    struct tf_noted_accesses *noted = open_noted(tile);
    if (noted != NULL && noted->first == NULL)
        noted->first = calloc(tile->arch->l1_bytes / 4, sizeof *noted->first);
    return noted != NULL && noted->first != NULL;
}

void tf_noted_free(struct tf_tile *tile)
{
    struct tf_noted_accesses *noted = tile->explore->noted;
    if (noted == NULL)
        return;
    if (tile->check == &noted->check)
        tile->check = NULL;
    free(noted->list);
    free(noted->first);
    free(noted);
    tile->explore->noted = NULL;
}

static bool is_equal(const struct tf_noted_access *a, const struct tf_noted_access *b)
{
    return a->address == b->address && a->pc == b->pc && a->value == b->value && a->tile == b->tile &&
           a->core == b->core && a->kind == b->kind;
}

static void keep(struct tf_noted_accesses *noted, const struct tf_noted_access *access)
{
    if (noted->count != 0 && is_equal(&noted->list[noted->count - 1], access)) {
        noted->list[noted->count - 1].count++;
        return;
    }
    if (noted->count == noted->room) {
        unsigned room = noted->room == 0 ? 64 : noted->room * 2;
        struct tf_noted_access *list = room > NOTED_MAX ? NULL : realloc(noted->list, room * sizeof *list);
        if (list == NULL)
            return;
        noted->list = list;
        noted->room = room;
    }
    noted->list[noted->count] = *access;
    noted->list[noted->count++].count = 1;
}

/* The actor of an access: a core, a unit of the coprocessor, or the NOC. Each NOC request is an actor of its own. */
static uint8_t actor_of(const struct tf_noted_access *access)
{
    if (access->kind <= TF_NOTED_AMO)
        return access->core;
    if (access->kind <= TF_NOTED_NOC_DATA)
        return ACTOR_NOC;
    return (uint8_t)(TF_TILE_CORES + (access->kind == TF_NOTED_MOVER_READ ? TF_NOTED_MOVER : access->kind));
}

static bool is_write(const struct tf_noted_access *access)
{
    static const uint32_t reads = 1u << TF_NOTED_LOAD | 1u << TF_NOTED_NOC_READ | 1u << TF_NOTED_NOC_SOURCE |
                                  1u << TF_NOTED_UNPACK | 1u << TF_NOTED_MOVER_READ;
    return (reads >> access->kind & 1) == 0;
}

/* Note the cycle from which on the order matters: the first access to a word that a second actor accesses, too, if one
   of the two writes. */
static void seek_at(struct tf_noted_accesses *noted, struct tf_first_noted *first, uint64_t cycle, uint8_t actor,
                    bool writes)
{
    if (first->cycle == 0)
        *first = (struct tf_first_noted){.cycle = (uint32_t)cycle + 1, .actor = actor};
    else if ((actor != first->actor || actor == ACTOR_NOC) && (writes || first->written))
        tf_noted_order_matters(noted, first->cycle - 1);
    first->written |= writes;
}

static void seek(struct tf_noted_accesses *noted, const struct tf_noted_access *access, uint32_t bytes)
{
    uint32_t words = noted->tile->arch->l1_bytes / 4;
    for (uint32_t word = access->address / 4; word <= (access->address + bytes - 1) / 4 && word < words; word++)
        seek_at(noted, &noted->first[word], access->cycle, actor_of(access), is_write(access));
}

void tf_noted_niu(struct tf_noted_accesses *noted, uint64_t cycle, unsigned core, uint32_t address, bool store)
{
    uint32_t noc = address >= TF_NIU_BASE(1), offset = address - TF_NIU_BASE(noc);
    if (noted->first == NULL || cycle >= UINT32_MAX)
        return;
    if (store || offset < TF_NIU_CONFIG || offset >= TF_NIU_COUNTER) /* only stores change configuration */
        seek_at(noted, &noted->niu[noc], cycle, (uint8_t)core, store);
    if (!store && offset >= TF_NIU_COUNTER + 4 * COUNTERS_OF_OTHERS && offset < TF_NIU_INITIATOR_STRIDE)
        tf_noted_order_matters(noted, cycle);
}

void tf_noted_add(struct tf_tile *tile, const struct tf_noted_access *access, uint32_t bytes)
{
    struct tf_noted_accesses *noted = tile->explore->noted;
    if (noted->first != NULL && access->cycle < UINT32_MAX)
        seek(noted, access, bytes);
    for (unsigned i = 0; i < noted->words; i++) {
        uint32_t word = noted->word[i];
        if (access->address >= word + 4 || access->address + bytes <= word)
            continue;
        struct tf_noted_access own = *access;
        own.address = word;
        if (access->kind != TF_NOTED_LOAD)
            memcpy(&own.value, tile->l1 + word, sizeof own.value);
        keep(noted, &own);
    }
}
