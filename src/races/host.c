/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host as an actor. Between runs it learns from the words that it reads. If a run ended because no work was left,
 * it learns everything. When the host writes to a tile's L1, the tile's cores learn what it knows; when it starts a
 * core, that core does. Its own accesses are not checked.
 */
#include "host/extremes.h"
#include "noc/space.h"
#include "races/races.h"
#include "races/state.h"
#include "tile/run/tile.h"

/* A read of so many bytes may read a flag. */
#define FLAG_BYTES 64u

static void learn_site(struct tf_view *host, const struct site *site)
{
    uint32_t time = site->tile == NULL ? 0 : time_at(site, site->tile->cycle);
    for (unsigned core = 0; core < cores_of(site); core++) {
        time = (uint32_t)tf_max(time, core_time(site, core));
        tf_view_learn(host, TF_ACTOR(site->number, SLOT_CORE + core), core_time(site, core));
        tf_view_learn(host, TF_ACTOR(site->number, SLOT_STORES + core), core_time(site, core));
    }
    for (unsigned slot = SLOT_UNIT; slot <= SLOT_OF_COMMANDS && site->tile != NULL; slot++)
        tf_view_learn(host, TF_ACTOR(site->number, slot), time);
    packets_learn(site, host);
    for (unsigned slot = SLOT_CLASS; slot < SLOTS; slot++)
        if (site->issued[slot - SLOT_CLASS] != 0)
            tf_view_learn(host, TF_ACTOR(site->number, slot), site->issued[slot - SLOT_CLASS]);
}

/* The clock of the host, now. */
static struct tf_clock *host_clock(struct tf_races *races)
{
    for (unsigned i = 0; i < races->sites && races->quiet; i++)
        learn_site(&races->host, &races->site[i]);
    races->quiet = false;
    return races->host.clock;
}

void tf_races_paused(struct tf_races *races, bool quiet)
{
    races->hosted = true;
    races->quiet = quiet;
}

void tf_races_resumed(struct tf_races *races)
{
    races->hosted = false;
}

void host_starts(struct site *site, unsigned core)
{
    tf_view_join(&site->core[core].view, host_clock(site->all));
}

static void learn_trace(struct site *site, struct tf_view *host, tf_trace trace)
{
    unsigned slot = tf_trace_slot(trace);
    if (slot == TF_SLOT_REQUEST) {
        const struct record *record = record_of(site, trace);
        if (record == NULL)
            return;
        tf_view_acquire(host, &record->release);
        tf_view_learn(host, record->actor, record->time);
    } else if (slot >= SLOT_STORES && slot < SLOT_STORES + TF_TILE_CORES) {
        struct tf_release release = core_release(site, slot - SLOT_STORES, tf_trace_time(trace), true);
        tf_view_acquire(host, &release);
        tf_release_drop(&release);
    } else {
        tf_view_learn(host, TF_ACTOR(site->number, slot), tf_trace_time(trace));
    }
}

void tf_races_host_read(struct tf_races *races, uint16_t node, uint64_t address, uint64_t bytes)
{
    struct site *site = &races->site[races->fabric->node[node].site];
    enum tf_noc_place place = tf_node_place(&races->fabric->node[node], address);
    if (place != TF_PLACE_L1 && place != TF_PLACE_DRAM)
        return;
    for (uint64_t at = address & ~3ull; at < address + bytes && bytes <= FLAG_BYTES; at += 4) {
        const struct tf_shadow_page *page = tf_shadow_page(&site->shadow, at);
        if (page == NULL)
            return;
        unsigned block = tf_shadow_block(at);
        const struct tf_shadow_words *words = page->words[block];
        const struct tf_cell *cell = words == NULL ? &page->whole[block] : &words->cell[tf_shadow_word(at)];
        struct tf_view *sync = words != NULL && words->synchronizes[tf_shadow_word(at)] != 0
                                   ? sync_find(&site->syncs, (uint32_t)at)
                                   : NULL;
        if (sync != NULL)
            tf_view_join(&races->host, sync->clock);
        if (cell->write != 0)
            learn_trace(site, &races->host, cell->write);
    }
}

void tf_races_forget(struct tf_races *races, uint16_t node, uint64_t address, uint64_t bytes)
{
    struct site *site = &races->site[races->fabric->node[node].site];
    tf_shadow_forget(&site->shadow, address, bytes);
    note_written(site, address, bytes);
    for (unsigned core = 0; core < cores_of(site); core++)
        host_starts(site, core);
    gprs_told(site);
}
