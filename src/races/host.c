/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host as an actor. Between runs it learns from the words that it reads. If a run ended because no work was left,
 * it learns everything. When the host writes to a tile's L1, the tile's cores learn what it knows of others; when it
 * starts a core, that core does.
 *
 * Its own accesses are checked once a run has begun. Its writes arrive in their order. A core knows of a write when it
 * was started later, or has waited for a word that the host wrote later, or if the host has stored to a register of the
 * tile later. A small read may be of a flag, which needs no order. It is one if the host has set the word before, or
 * reads it again and again, or if a later read is in order only because of what the first has shown. So it is if the
 * word has its writer's last store, and the host then writes to a tile or starts a core.
 */
#include "races/host.h"

#include <string.h>

#include "host/extremes.h"
#include "host/mix.h"
#include "noc/nodes/space.h"
#include "races/state/copy.h"
#include "races/races.h"
#include "races/ahead.h"
#include "races/cores.h"
#include "races/tensix/gprs.h"
#include "races/links.h"
#include "races/state/records.h"
#include "races/syncs.h"
#include "races/state/words.h"
#include "races/state/state.h"
#include "races/state/written.h"
#include "tile/run/tile.h"

/* A read of so many bytes may read a flag. */
#define FLAG_BYTES 64u
#define UNIT_BYTES 16u         /* that a read takes at once (NoC/Ordering.md) */
#define FLAG_BYTES_WRITTEN 16u /* and a write of so many may set one */

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

void host_forget(struct tf_races *races)
{
    for (unsigned i = 0; i < GLANCES; i++)
        tf_view_clear(&races->outside.glance[i].before);
    memset(races->outside.glance, 0, sizeof races->outside.glance);
}

void tf_races_paused(struct tf_races *races, bool quiet)
{
    struct outside *outside = &races->outside;
    races->hosted = true;
    races->quiet = quiet;
    outside->pauses++;
    outside->cycle[outside->pauses % PAUSES] = outside->epoch;
}

/* Nothing has run while the host was at work. So a core that it has started knows of all its writes since the last run,
   also of those after the start. */
void tf_races_resumed(struct tf_races *races)
{
    races->hosted = false;
    races->outside.begun = true;
    for (unsigned i = 0; i < races->sites; i++) {
        struct site *site = &races->site[i];
        for (unsigned core = 0; site->started >> core != 0; core++)
            if ((site->started >> core & 1) != 0)
                tf_view_learn(&site->core[core].view, ACTOR_OF_HOST, races->outside.written);
        site->started = 0;
    }
}

uint64_t host_cycle(const struct tf_races *races, tf_trace trace)
{
    const uint32_t pause = tf_trace_pc(trace) / 4, now = races->outside.pauses & (TF_TRACE_IRAM - 1);
    return now - pause < PAUSES ? races->outside.cycle[pause % PAUSES] : 0;
}

static struct who host_who(const struct tf_races *races, bool write)
{
    const uint32_t pause = races->outside.pauses & (TF_TRACE_IRAM - 1);
    return (struct who){
        .view = &races->host,
        .own = {(int)TF_SLOT_HOST, (int)TF_SLOT_HOST},
        .trace = tf_trace_make(TF_SLOT_HOST, TF_WORD_BYTES, pause * 4, races->outside.written),
        .write = write,
        .fix = write ? "a core or a request may still use the memory: before the write, wait for a word that the "
                       "device writes when it is done"
                     : "the device may not have written it yet, or in part: read a flag that it sets after it, until "
                       "the flag has its value, and then the data",
    };
}

/* Are the host's accesses checked now? */
static bool is_checked(const struct tf_races *races)
{
    return races->hosted && races->outside.begun && !races->outside.connected;
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

/* The cell of a word that a run has accessed; NULL: none has. */
static const struct tf_cell *cell_at(struct site *site, uint64_t address, bool *sync)
{
    const struct tf_shadow_page *page = tf_shadow_page(&site->shadow, address);
    if (page == NULL)
        return NULL;
    const unsigned block = tf_shadow_block(address);
    const struct tf_shadow_words *words = page->words[block];
    *sync = words != NULL && words->synchronizes[tf_shadow_word(address)] != 0;
    return words == NULL ? &page->whole[block] : &words->cell[tf_shadow_word(address)];
}

/* The glance was of a flag. So were words of the same 16 bytes that the same read has shown: these are read at once. */
static void confirm(struct outside *outside, const struct glance *flag)
{
    for (unsigned i = 0; i < GLANCES; i++) {
        struct glance *glance = &outside->glance[i];
        if (!glance->reported || glance->site != flag->site || glance->read != flag->read ||
            glance->word / UNIT_BYTES != flag->word / UNIT_BYTES)
            continue;
        withdraw_glance(glance->site, glance->word);
        glance->reported = false;
    }
}

/* A read of a word is in order. Is it only so because of what an earlier glance has shown? Then that was of a flag. */
static void confirm_by_read(struct tf_races *races, const struct site *site, tf_trace write)
{
    struct who who = host_who(races, false);
    for (unsigned i = 0; i < GLANCES && write != 0; i++) {
        const struct glance *glance = &races->outside.glance[i];
        who.view = &glance->before;
        if (glance->reported && !is_ordered(site, &who, tf_trace_of_bytes(write, 0)))
            confirm(&races->outside, glance);
    }
}

/* The host writes or starts something. It may do so because of a glance at the last word that a core has stored. If the
   core has stored more since, the word is not what tells that it is done. */
static void confirm_by_act(struct outside *outside)
{
    outside->acts++;
    for (unsigned i = 0; i < GLANCES; i++)
        if (outside->glance[i].reported && outside->glance[i].last)
            confirm(outside, &outside->glance[i]);
}

static uint64_t *set_at(struct outside *outside, const struct site *site, uint64_t word, uint64_t *key)
{
    *key = tf_mix_split((uint64_t)site->number << 48 | (word + 1));
    return &outside->set[*key % WORDS_SET];
}

/* Has the writer of a word stored nothing later? Of requests that is not known. */
static bool is_last_store(const struct site *site, tf_trace write)
{
    const unsigned slot = tf_trace_slot(write);
    return slot < SLOT_STORES || slot >= SLOT_STORES + TF_TILE_CORES ||
           site->core[slot - SLOT_STORES].stored <= tf_trace_time(write);
}

/* A small read of a word. late: nothing orders it and the last write. */
static void glance_at(struct tf_races *races, struct site *site, uint64_t word, const struct tf_cell *cell, bool late)
{
    struct outside *outside = &races->outside;
    uint64_t key;
    for (unsigned i = 0; i < GLANCES; i++) {
        struct glance *glance = &outside->glance[i];
        if (glance->site != site || glance->word != word)
            continue;
        if (glance->acts == outside->acts) /* it reads the word again, and does nothing else: it waits */
            confirm(outside, glance);
        glance->acts = outside->acts;
        glance->read = outside->reads;
        return;
    }
    struct glance *glance = &outside->glance[outside->oldest++ % GLANCES];
    if (glance->site != NULL)
        confirm(outside, glance); /* too many to remember */
    tf_view_clear(&glance->before);
    *glance = (struct glance){.site = site, .word = word, .read = outside->reads, .acts = outside->acts};
    glance->reported = late && *set_at(outside, site, word, &key) != key;
    if (!glance->reported)
        return;
    glance->last = is_last_store(site, cell->write);
    tf_view_join(&glance->before, races->host.clock);
    const struct who who = host_who(races, false);
    found(site, TF_RACE_DATA, word, cell->write, &who);
}

/* Does nothing order a read of a word by the host and the last write? */
static bool is_late(const struct tf_races *races, const struct site *site, const struct tf_cell *cell)
{
    const struct who who = host_who(races, false);
    return cell->write != 0 && !is_ordered(site, &who, tf_trace_of_bytes(cell->write, 0));
}

/* The host reads a word: check it. */
static void check_read(struct tf_races *races, struct site *site, uint64_t word, bool small)
{
    bool sync = false;
    const struct tf_cell *cell = cell_at(site, word, &sync);
    if (cell == NULL)
        return;
    const struct who who = host_who(races, false);
    const bool late = is_late(races, site, cell);
    if (small)
        glance_at(races, site, word, cell, late && !sync);
    else if (late)
        found(site, TF_RACE_DATA, word, cell->write, &who);
    if (!late)
        confirm_by_read(races, site, cell->write);
}

/* The host learns from a word that it reads, which may be a flag. */
static void learn_word(struct tf_races *races, struct site *site, uint64_t word)
{
    bool sync = false;
    const struct tf_cell *cell = cell_at(site, word, &sync);
    if (cell == NULL)
        return;
    const bool late = is_late(races, site, cell);
    struct tf_view *passed = sync ? sync_find(&site->syncs, (uint32_t)word) : NULL;
    if (passed != NULL)
        tf_view_join(&races->host, passed->clock);
    if (cell->write != 0 && (late || !is_checked(races))) /* else it knows what the writer knew */
        learn_trace(site, &races->host, cell->write);
}

void tf_races_host_read(struct tf_races *races, uint16_t node, uint64_t address, uint64_t bytes)
{
    struct site *site = &races->site[races->fabric->node[node].site];
    enum tf_noc_place place = tf_node_place(&races->fabric->node[node], address);
    const bool small = bytes <= FLAG_BYTES;
    if (is_copy(races) || (place != TF_PLACE_L1 && place != TF_PLACE_DRAM) || (!small && !is_checked(races)))
        return;
    host_clock(races);
    races->outside.reads++;
    /* The parts of a read act in any order: a word tells nothing of another one. */
    for (uint64_t at = address & ~3ull; is_checked(races) && at < address + bytes; at += 4)
        check_read(races, site, at, small);
    for (uint64_t at = address & ~3ull; small && at < address + bytes; at += 4)
        learn_word(races, site, at);
}

/* The words of a range that cores poll, or atomics change, pass on the host's clock. */
static void release_words(struct tf_races *races, struct site *site, uint64_t address, uint64_t bytes)
{
    for (uint64_t word = address & ~3ull; word < address + bytes; word += 4) {
        const struct tf_shadow_page *page = tf_shadow_page(&site->shadow, word);
        const struct tf_shadow_words *words = page == NULL ? NULL : page->words[tf_shadow_block(word)];
        if (words == NULL) {
            word |= TF_SHADOW_BLOCK_BYTES - 4; /* continue with the next block */
            continue;
        }
        struct tf_view *view = words->synchronizes[tf_shadow_word(word)] != 0 ? sync_view(&site->syncs, (uint32_t)word)
                                                                              : NULL;
        if (view == NULL)
            continue;
        if (bytes >= 4)
            tf_view_clear(view);
        tf_view_join(view, races->host.clock);
        tf_view_learn(view, ACTOR_OF_HOST, races->outside.written);
    }
}

/*
 * Words that a core has read in a loop before the host writes them are flags, if the host writes few of them. The loop
 * may be that of a firmware, which runs a program when the flag says so: larger than one that polls.
 */
static void mark_flags(struct site *site, uint64_t address, uint64_t bytes)
{
    for (uint64_t word = address & ~3ull; site->tile != NULL && word < address + bytes; word += 4) {
        bool sync = false;
        const struct tf_cell *cell = cell_at(site, word, &sync);
        bool flag = false;
        for (unsigned i = 0; cell != NULL && i < 2 && !sync; i++)
            flag |= cell->read[i] != 0 && tf_trace_slot(cell->read[i]) < SLOT_STORES &&
                    comes_back(site->tile, tf_trace_pc(cell->read[i]));
        struct tf_shadow_words *words = flag ? tf_shadow_words(&site->shadow, word) : NULL;
        if (words != NULL)
            mark_sync(site, word, &words->synchronizes[tf_shadow_word(word)], cell->write);
    }
}

/* A small write sets words that may be flags. */
static void note_set(struct outside *outside, const struct site *site, uint64_t address, uint64_t bytes)
{
    for (uint64_t word = address & ~3ull; bytes <= FLAG_BYTES_WRITTEN && word < address + bytes; word += 4) {
        uint64_t key;
        uint64_t *place = set_at(outside, site, word, &key);
        *place = key;
    }
}

/* The host writes to memory between runs. */
static void write_memory(struct tf_races *races, struct site *site, uint64_t address, uint64_t bytes)
{
    host_clock(races);
    races->outside.written++;
    const struct who who = host_who(races, true);
    if (bytes <= FLAG_BYTES_WRITTEN)
        mark_flags(site, address, bytes);
    touch(site, &who, address, bytes);
    release_words(races, site, address, bytes);
}

void tf_races_forget(struct tf_races *races, uint16_t node, uint64_t address, uint64_t bytes)
{
    struct site *site = &races->site[races->fabric->node[node].site];
    const enum tf_noc_place place = tf_node_place(&races->fabric->node[node], address);
    const bool memory = place == TF_PLACE_L1 || place == TF_PLACE_DRAM;
    confirm_by_act(&races->outside);
    if (memory)
        note_set(&races->outside, site, address, bytes);
    if (is_checked(races) && memory && bytes != 0)
        write_memory(races, site, address, bytes);
    else
        tf_shadow_forget(&site->shadow, address, bytes);
    note_written(site, address, bytes);
    for (unsigned core = 0; core < cores_of(site); core++) {
        host_starts(site, core);
        if (!memory)
            tf_view_learn(&site->core[core].view, ACTOR_OF_HOST, races->outside.written);
    }
    gprs_told(site);
}
