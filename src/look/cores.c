/* SPDX-License-Identifier: Apache-2.0 */
#include "look/cores.h"
#include "tile/riscv/code/code.h"

#include <stdlib.h>

#include "host/saved.h"

#define NO_PC 1u /* no pc: the first stretch of a core follows no other stretch */

static const struct tf_follower *follower_of(const struct tf_cores_tile *tile, unsigned core)
{
    static const struct tf_follower nobody = {.user = NULL};
    return (tile->follows >> core & 1) != 0 ? &tile->all->follower : &nobody;
}

/* Note that the core has waited: it does not continue in the cycle after its last stretch. */
static void wait(struct tf_cores_tile *tile, unsigned core, uint64_t until)
{
    struct tf_core_of *of = &tile->core[core];
    const struct tf_follower *follower = follower_of(tile, core);
    if ((tile->counts >> core & 1) != 0 && !of->wait.idle)
        tf_paths_count(&of->paths, of->paths.pc, 0, until - of->paths.cycle);
    if (follower->waited != NULL)
        follower->waited(follower->user, tile->tile, core, of, of->paths.cycle, until);
}

static void call(struct tf_cores_tile *tile, unsigned core, uint32_t entry, uint32_t return_to, bool interrupt,
                 uint64_t cycle)
{
    struct tf_core_of *of = &tile->core[core];
    const struct tf_follower *follower = follower_of(tile, core);
    if (tf_paths_call(&of->paths, entry, return_to, interrupt) && follower->called != NULL)
        follower->called(follower->user, tile->tile, core, of, cycle);
}

static void return_from_call(struct tf_cores_tile *tile, unsigned core, uint32_t to, uint64_t cycle)
{
    const struct tf_follower *follower = follower_of(tile, core);
    unsigned ended = tf_paths_return(&tile->core[core].paths, to);
    if (ended != 0 && follower->returned != NULL)
        follower->returned(follower->user, tile->tile, core, ended, cycle);
}

static void begin(struct tf_cores_tile *tile, unsigned core, uint32_t pc, uint64_t cycle)
{
    struct tf_core_of *of = &tile->core[core];
    const struct tf_follower *follower = follower_of(tile, core);
    unsigned open = of->paths.began;
    for (uint32_t i = of->paths.current; i != 0; i = of->paths.path[i].parent)
        open++;
    if (open != 0 && follower->returned != NULL)
        follower->returned(follower->user, tile->tile, core, open, cycle);
    if (tf_paths_begin(&of->paths, pc) && follower->called != NULL)
        follower->called(follower->user, tile->tile, core, of, cycle);
}

/* Record a stretch that does not begin where the last one ended. A wait, a reset or an interrupt came between. */
static __attribute__((noinline)) bool resume(struct tf_cores_tile *tile, unsigned core, uint32_t pc, uint64_t cycle)
{
    struct tf_paths *paths = &tile->core[core].paths;
    bool began = paths->began;
    if (began && cycle > paths->cycle)
        wait(tile, core, cycle);
    if (!began || (pc != paths->pc && pc == paths->path[0].entry))
        begin(tile, core, pc, cycle);
    else if (pc != paths->pc && tile->core[core].wait.state != TF_CORE_PARKED)
        call(tile, core, pc, paths->pc, true, cycle);
    return paths->began;
}

static void ran(struct tf_counter *counter, unsigned core, uint32_t first, uint32_t end, uint32_t next, uint64_t cycle)
{
    struct tf_cores_tile *tile = (struct tf_cores_tile *)counter;
    struct tf_paths *paths = &tile->core[core].paths;
    uint64_t start = cycle - (end - first) / 4;
    if (__builtin_expect(start != paths->cycle || first != paths->pc, 0) && !resume(tile, core, first, start))
        return;
    if ((tile->counts >> core & 1) != 0)
        tf_paths_count(paths, first, end, 1);
    const struct tf_follower *follower = follower_of(tile, core);
    if (follower->ran != NULL)
        follower->ran(follower->user, tile->tile, core, &tile->core[core], first, end, start);
    paths->pc = TF_STRETCH_NEXT(next);
    paths->cycle = cycle;
    tile->core[core].wait = (struct tf_wait_of){.state = TF_CORE_RUNNING};
    if (TF_STRETCH_END(next) == TF_STRETCH_CALLS)
        call(tile, core, paths->pc, end, false, cycle);
    else if (TF_STRETCH_END(next) == TF_STRETCH_RETURNS)
        return_from_call(tile, core, paths->pc, cycle);
}

static void stopped(struct tf_counter *counter, struct tf_tile *tile, const struct tf_hart *hart)
{
    struct tf_core_of *of = &((struct tf_cores_tile *)counter)->core[hart->core];
    (void)tile;
    of->wait = (struct tf_wait_of){.state = hart->state};
    of->wait.idle = hart->state == TF_CORE_PARKED ? hart->park.inputs == 0 : hart->state != TF_CORE_BLOCKED;
    if (hart->state == TF_CORE_BLOCKED) {
        of->wait.address = hart->wait_address;
        of->wait.store = hart->wait_store;
    } else if (hart->state == TF_CORE_PARKED && hart->park.inputs != 0 && hart->park.input[0].size != 0) {
        of->wait.address = hart->park.input[0].address;
    }
}

static void attach(void *user, struct tf_tile *tile)
{
    tf_code_drop(tile);
    tf_counter_attach(tile, &((struct tf_cores *)user)->tile[tile->index].counter);
}

struct tf_cores *tf_cores_attach(struct tf_chip *chip, const uint8_t *counts, const uint8_t *follows,
                                 const struct tf_follower *follower)
{
    const unsigned tiles = tf_chip_tiles(chip);
    struct tf_cores *cores = calloc(1, sizeof *cores + tiles * sizeof cores->tile[0]);
    if (cores == NULL)
        return NULL;
    tf_forks_settle_all(&chip->forks, chip->fabric);
    cores->chip = chip;
    if (follower != NULL)
        cores->follower = *follower;
    cores->tiles = tiles;
    tf_code_cache_count(chip->tiles.code);
    for (unsigned i = 0; i < cores->tiles; i++) {
        struct tf_cores_tile *tile = &cores->tile[i];
        tile->all = cores;
        tile->tile = i;
        tile->counts = counts != NULL ? counts[i] : 0;
        tile->follows = follows != NULL ? follows[i] : 0;
        tile->counter = (struct tf_counter){.cores = tile->counts | tile->follows, .ran = ran, .stopped = stopped};
        for (unsigned core = 0; core < TF_TILE_CORES; core++)
            tile->core[core].paths.pc = NO_PC;
        if (i < chip->tiles.count)
            attach(cores, &chip->tiles.tile[i]);
    }
    cores->dram_tiles = (struct tf_dram_watch){.made = attach, .user = cores};
    tf_dram_watch_begin(chip, &cores->dram_tiles);
    return cores;
}

void tf_cores_settle(struct tf_cores *cores)
{
    for (unsigned i = 0; i < cores->tiles; i++)
        for (unsigned core = 0; core < tf_chip_tile_arch(cores->chip, i)->cores; core++) {
            struct tf_core_view view;
            struct tf_paths *paths = &cores->tile[i].core[core].paths;
            if (!paths->began || tf_core_view(cores->chip, i, (enum tf_core)core, &view) != TF_OK ||
                view.cycle <= paths->cycle)
                continue;
            wait(&cores->tile[i], core, view.cycle);
            paths->cycle = view.cycle;
        }
}

void tf_cores_state(struct tf_saved *saved, struct tf_cores *cores)
{
    tf_saved_demand(saved, tf_saved_number(saved, cores->tiles) == cores->tiles, "counters are of another chip");
    for (unsigned i = 0; i < cores->tiles && saved->why == NULL; i++)
        for (unsigned core = 0; core < TF_TILE_CORES; core++) {
            struct tf_paths *paths = &cores->tile[i].core[core].paths;
            if (saved->reads)
                tf_paths_free(paths);
            tf_paths_state(saved, paths);
        }
}

bool tf_cores_lost(const struct tf_cores *cores)
{
    for (unsigned i = 0; i < cores->tiles; i++)
        for (unsigned core = 0; core < TF_TILE_CORES; core++)
            if (cores->tile[i].core[core].paths.lost)
                return true;
    return false;
}

void tf_cores_free(struct tf_cores *cores)
{
    if (cores == NULL)
        return;
    for (unsigned i = 0; i < cores->tiles; i++)
        for (unsigned core = 0; core < TF_TILE_CORES; core++)
            tf_paths_free(&cores->tile[i].core[core].paths);
    free(cores);
}
