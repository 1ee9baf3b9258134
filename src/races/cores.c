/* SPDX-License-Identifier: Apache-2.0 */
/* Actions of cores: loads, stores, fences, registers. Source: BlackholeA0/TensixTile/BabyRISCV/MemoryOrdering.md. */
#include <string.h>

#include "noc/niu_layout.h"
#include "races/ahead.h"
#include "races/buffers.h"
#include "races/commands.h"
#include "races/tensix/config.h"
#include "races/cores.h"
#include "races/counts.h"
#include "races/tensix/gprs.h"
#include "races/tensix/mops.h"
#include "races/state/exits.h"
#include "races/state/insn.h"
#include "races/state/records.h"
#include "races/tensix/registers.h"
#include "races/state/spin.h"
#include "races/streams.h"
#include "races/syncs.h"
#include "races/tensix/tdma.h"
#include "races/state/waits.h"
#include "races/state/words.h"
#include "races/state/state.h"
#include "races/state/unanswered.h"
#include "races/state/written.h"
#include "tilefarm_address.h"
#include "tile/niu_words.h"
#include "tile/riscv/hart/csr_words.h"
#include "tile/riscv/isa/ids.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/frontend/state.h"
#include "tile/run/tile.h"

#define COUNTER_WRAPS 256u /* Counters.md: counters of transaction ids have 8 bits */

static struct site *site_of(struct tf_check *check)
{
    return (struct site *)check;
}

static inline struct who core_who(struct site *site, unsigned core, uint32_t pc, uint64_t cycle, bool write)
{
    return (struct who){
        .view = known_at(site, core, pc),
        .answered = &site->core[core].view,
        .own = {(int)(SLOT_CORE + core), (int)(SLOT_STORES + core)},
        .trace = tf_trace_make((write ? SLOT_STORES : SLOT_CORE) + core, 0, pc, time_at(site, cycle)),
        .write = write,
    };
}

unsigned cores_of(const struct site *site)
{
    return site->tile == NULL ? 0 : site->tile->arch->cores;
}

uint32_t core_time(const struct site *site, unsigned core)
{
    return time_at(site, site->tile->hart[core].cycle);
}

struct tf_release core_release(struct site *site, unsigned core, uint32_t time, bool in_tile)
{
    struct race_core *of = &site->core[core];
    return (struct tf_release){
        .clock = tf_clock_hold(of->view.clock),
        .count = 2,
        .more = {{TF_ACTOR(site->number, SLOT_CORE + core), time},
                 {TF_ACTOR(site->number, SLOT_STORES + core), in_tile ? time : of->arrived}},
    };
}

static void grow(uint32_t *time, uint32_t to)
{
    if (*time < to)
        *time = to;
}

/* A store enters the queue at its end. A store that blocks is tried again. */
static void enqueue(const struct site *site, struct race_core *of, struct queued store)
{
    struct queued *last = &of->queued[of->last];
    if (last->address != store.address || last->attempt != store.attempt) {
        of->last = (uint8_t)((of->last + 1) % tf_stores_emit(site->tile->arch));
        last = &of->queued[of->last];
        grow(&of->emitted, last->time);
    }
    *last = store;
}

static bool overlaps(const struct queued *store, uint32_t address, unsigned bytes)
{
    return store->address < address + bytes && address < store->address + store->bytes;
}

/* A load of bytes in the middle of a store that is still in the queue may overtake it (Wormhole). */
static void miss_stores(struct site *site, const struct who *who, uint32_t address, unsigned bytes)
{
    const struct race_core *of = &site->core[who->own[0]];
    if (!site->tile->arch->no_l0 || of->queued[of->last].time <= of->emitted)
        return;
    for (unsigned i = 0; i < QUEUED_MOST; i++) {
        const struct queued *store = &of->queued[i];
        if (store->time > of->emitted && overlaps(store, address, bytes))
            found(site, TF_RACE_OVERTAKEN, address,
                  tf_trace_make((unsigned)who->own[1], TF_WORD_BYTES, store->attempt, store->time), who);
    }
}

/* All stores leave the queue. */
static void drain(struct race_core *of)
{
    grow(&of->emitted, of->queued[of->last].time);
}

/* A load follows stores that conflict with it, and so all stores before them: they have left the queue. */
static void follow_stores(const struct site *site, struct race_core *of, uint32_t address, unsigned bytes)
{
    const bool first_bytes = site->tile->arch->no_l0; /* Wormhole compares only the first bytes */
    if (of->queued[of->last].time <= of->emitted)
        return;
    if ((site->tile->hart[of - site->core].csr.word[TF_CSR_CFG0] & TF_CFG0_LOADS_WAIT) != 0)
        drain(of);
    for (unsigned i = 0; i < QUEUED_MOST; i++)
        if (first_bytes ? of->queued[i].address == address : overlaps(&of->queued[i], address, bytes))
            grow(&of->emitted, of->queued[i].time);
}

/* A load from L1: stores to L1 that have left the queue have arrived, because L1 keeps the order of a port. A load that
   may hit L0, and conflicts with no store, may not reach L1. */
static void load_behind(const struct site *site, struct race_core *of, uint32_t address, unsigned bytes, bool may_hit)
{
    uint32_t emitted = of->emitted;
    follow_stores(site, of, address, bytes);
    if (!may_hit || of->emitted != emitted)
        grow(&of->arrived, of->emitted);
}

void mark_sync(struct site *site, uint64_t address, uint8_t *mark, tf_trace write)
{
    struct tf_view *view = sync_view(&site->syncs, (uint32_t)address & ~3u);
    unsigned slot = tf_trace_slot(write);
    *mark = MARK_SYNC;
    if (view == NULL || write == 0)
        return;
    if (slot == TF_SLOT_REQUEST) {
        const struct record *record = record_of(site, write);
        if (record != NULL)
            tf_view_acquire(view, &record->release);
    } else if (slot >= SLOT_STORES && slot < SLOT_STORES + TF_TILE_CORES) {
        struct tf_release release = core_release(site, slot - SLOT_STORES, tf_trace_time(write), true);
        tf_view_acquire(view, &release);
        tf_release_drop(&release);
    } else if (slot == TF_SLOT_HOST) {
        tf_view_join(view, site->all->host.clock);
        tf_view_learn(view, ACTOR_OF_HOST, tf_trace_time(write));
    }
}

void acquire_sync(struct site *site, struct tf_view *view, uint32_t key)
{
    struct tf_view *of = sync_find(&site->syncs, key);
    if (of != NULL)
        tf_view_join(view, of->clock);
}

void release_sync(struct site *site, const struct tf_release *release, uint32_t key, bool keep)
{
    struct tf_view *view = sync_view(&site->syncs, key);
    if (view == NULL)
        return;
    if (!keep)
        tf_view_clear(view);
    tf_view_acquire(view, release);
}

static void acquire(struct site *site, unsigned core, uint32_t key)
{
    acquire_sync(site, &site->core[core].view, key);
}

static void release(struct site *site, unsigned core, uint32_t key, uint32_t time, bool in_tile, bool keep)
{
    struct tf_release made = core_release(site, core, time, in_tile);
    release_sync(site, &made, key, keep);
    tf_release_drop(&made);
}

/* The line of an address, if it is in the L0 data cache. */
static struct line *line_of(struct race_core *of, uint32_t address)
{
    for (unsigned i = 0; i < LINES; i++)
        if (of->line[i].address == (address & ~(LINE_BYTES - 1)) + 1)
            return &of->line[i];
    return NULL;
}

static void flush(struct race_core *of)
{
    for (unsigned i = 0; i < LINES; i++)
        of->line[i].address = 0;
}

/* A line is fetched. first: the cell of its first word. */
static void note_line(struct line *line, const struct tf_cell *first)
{
    for (unsigned i = 0; i < 4; i++)
        line->write[i] = first[i].write;
}

/* A load fetches a line, or may hit one that others have written since. */
static void use_line(struct site *site, const struct who *who, const struct tf_cell *cell, struct line *line,
                     uint32_t address)
{
    struct race_core *of = &site->core[who->own[0]];
    unsigned word = address % LINE_BYTES / 4;
    if (line != NULL && cell->write != 0 && cell->write != line->write[word] &&
        (int)tf_trace_slot(cell->write) != who->own[1]) {
        if (!spins_anew(site->tile, (unsigned)who->own[0], tf_trace_pc(who->trace))) {
            found(site, TF_RACE_STALE_LINE, address, cell->write, who);
            line->write[word] = cell->write;
        } else {
            note_line(line, cell - word);
        }
    }
    if (line != NULL || site->tile->arch->no_l0 ||
        (site->tile->hart[who->own[0]].csr.word[TF_CSR_CFG0] & TF_CFG0_NO_L0) != 0)
        return;
    of->newest = (uint8_t)((of->newest + 1) % LINES);
    of->line[of->newest].address = (address & ~(LINE_BYTES - 1)) + 1;
    note_line(&of->line[of->newest], cell - word);
}

static unsigned bytes_of(struct tf_check_access access)
{
    return ((1u << access.bytes) - 1) << access.address % 4;
}

static void fence(struct tf_check *check, unsigned core)
{
    struct race_core *of = &site_of(check)->core[core];
    loads_answered(of);
    if (site_of(check)->tile->arch->no_l0)
        return;
    drain(of);
    flush(of);
}

/* Execute a fence before an access, if CSRs order all accesses. */
static void fence_before(struct site *site, unsigned core)
{
    if (tf_csr_strongly_ordered(&site->tile->hart[core].csr))
        fence(&site->check, core);
}

/* L1 begins at address 0, where core B starts: an access there goes through a null pointer. */
static void doubt_null(struct site *site, const struct who *who, uint32_t address)
{
    if (address < 4)
        found(site, TF_RACE_NULL, 0, 0, who);
}

/* A core reads a word to which the results of two atomics have landed in any order. */
static void doubt_result(struct site *site, struct who *who, tf_trace write, uint32_t address)
{
    const struct record *record = tf_trace_slot(write) == TF_SLOT_REQUEST ? record_of(site, write) : NULL;
    if (record == NULL || !record->mixed)
        return;
    who->fix = "two atomics on their way together return their results to this word: give each a word of its own, or "
               "wait between the two";
    found(site, TF_RACE_DATA, address, write, who);
    who->fix = NULL;
}

/* A core loads a word, not to wait for it. Does it know the last store of another core? */
static void note_blind(struct site *site, const struct who *who, tf_trace write, struct tf_check_access access)
{
    struct race_core *of = &site->core[access.core];
    of->blind.before = 0;
    const unsigned slot = tf_trace_slot(write);
    if (write == 0 || slot < SLOT_STORES || slot >= SLOT_STORES + TF_TILE_CORES || is_ordered(site, who, write) ||
        spins(site->tile, access.pc))
        return;
    of->blind = (struct blind_load){access.address, access.pc, write};
}

/* A core stores what it has made from a word that it has loaded just before, such as the next number. Nothing keeps
   others from doing so at the same time, and then one of the two stores is lost. touch() finds the race, unless it
   takes the word for one that synchronizes. */
static void doubt_update(struct site *site, struct who *who, struct tf_check_access access)
{
    struct blind_load *blind = &site->core[access.core].blind;
    if (blind->before == 0 || blind->address != access.address || !stores_loaded(site, blind->pc, access.pc))
        return;
    const struct tf_shadow_words *words = tf_shadow_words(&site->shadow, access.address);
    who->fix = lost_update;
    if (words != NULL && words->synchronizes[tf_shadow_word(access.address)]) {
        found(site, TF_RACE_DATA, access.address, blind->before, who);
        who->fix = NULL;
    }
    blind->before = 0;
}

/* A core has loaded a word that passes a clock on. */
static void pass_on(struct site *site, struct tf_check_access access)
{
    const uint32_t word = access.address & ~3u;
    struct race_core *of = &site->core[access.core];
    struct tf_view *views[2] = {&of->view, of->unanswered.valid ? &of->unanswered.view : NULL};
    const struct sync *sync = sync_at(&site->syncs, word);
    struct tf_view some = {NULL};
    const bool is_short = sync != NULL && sync->increments != NULL &&
                          count_is_short(site, sync, access.core, access.pc, &of->view, &some);
    for (unsigned i = 0; i < 2 && views[i] != NULL && sync != NULL; i++)
        tf_view_join(views[i], is_short ? some.clock : sync->view.clock);
    tf_view_clear(&some);
    note_wait(&of->waits, is_short ? "a count that fewer increments reach" : "a word of memory", word, access.pc,
              time_at(site, access.cycle));
}

static void load(struct tf_check *check, struct tf_check_access access)
{
    struct site *site = site_of(check);
    struct race_core *of = &site->core[access.core];
    struct tf_shadow_words *words = tf_shadow_words(&site->shadow, access.address);
    of->events++;
    fence_before(site, access.core);
    if (words == NULL)
        return;
    unsigned index = tf_shadow_word(access.address), bytes = bytes_of(access);
    struct tf_cell *cell = &words->cell[index];
    struct who who = core_who(site, access.core, access.pc, access.cycle, false);
    doubt_null(site, &who, access.address);
    if (!word_written(site, access.address) && !is_written(site, access.address & ~3u, 4) &&
        (site->all->strict || !polls(site->tile, access.core, access.pc, access.address)) &&
        !(is_written(site, access.address & ~(LINE_BYTES - 1), LINE_BYTES) &&
          copies_to_local(site, access.core, access.pc)))
        read_written(site, &who, access.address & ~3u, 4);
    struct line *line = line_of(of, access.address);
    load_behind(site, of, access.address, access.bytes, line != NULL);
    miss_stores(site, &who, access.address, access.bytes);
    use_line(site, &who, cell, line, access.address);
    if (!words->synchronizes[index] && (tf_trace_bytes(cell->write) & bytes) != 0 &&
        !is_ordered(site, &who, cell->write)) {
        const bool sent = tf_trace_slot(cell->write) == TF_SLOT_REQUEST;
        if (polls(site->tile, access.core, access.pc, access.address) ||
            (sent && signals_loop(site, record_of(site, cell->write), access.pc)))
            mark_sync(site, access.address, &words->synchronizes[index], cell->write);
        else {
            found(site, TF_RACE_DATA, access.address, cell->write, &who);
            note_blind(site, &who, cell->write, access);
        }
    }
    if (words->synchronizes[index]) {
        note_blind(site, &who, cell->write, access);
        polled(site, access.core, access.pc, access.address & ~3u);
        pass_on(site, access);
    }
    of->spin.address = access.address;
    of->spin.pc = access.pc;
    of->spin.event = of->events;
    of->spin.synchronizes = words->synchronizes[index] != 0;
    doubt_result(site, &who, cell->write, access.address);
    note_read(site, &who, cell, words->synchronizes[index], bytes);
}

/* A core is about to change a word that passes a clock on. Does it count up? An AMO learns what the word passes on only
   later: the order of increments is not that of this run alone. */
static void note_increment(struct site *site, struct tf_check_access access)
{
    const uint32_t word = access.address & ~3u;
    struct sync *sync = sync_view(&site->syncs, word) != NULL ? sync_at(&site->syncs, word) : NULL;
    struct tf_rv_insn insn;
    uint32_t before;
    if (sync == NULL || !insn_at(site->tile, access.pc, &insn))
        return;
    if (insn.id != TF_RV_AMOADD_W && insn.id != TF_RV_SW) {
        count_forget(sync);
        return;
    }
    const bool stores = insn.id == TF_RV_SW;
    const uint32_t value = site->tile->hart[access.core].x[insn.rs2];
    struct tf_release made = core_release(site, access.core, time_at(site, access.cycle), true);
    memcpy(&before, site->tile->l1 + word, sizeof before);
    count_adds(sync, before, stores ? value - before : value, stores, &made);
    tf_release_drop(&made);
}

static void store(struct tf_check *check, struct tf_check_access access)
{
    struct site *site = site_of(check);
    struct race_core *of = &site->core[access.core];
    struct who who = core_who(site, access.core, access.pc, access.cycle, true);
    of->events++;
    doubt_null(site, &who, access.address);
    fence_before(site, access.core);
    doubt_update(site, &who, access);
    doubt_taking(site, &who, access);
    touch(site, &who, access.address, access.bytes);
    of->stored = time_at(site, access.cycle);
    enqueue(site, of, (struct queued){access.address, access.bytes, access.pc, of->stored});
    struct line *line = line_of(of, access.address);
    if (line != NULL)
        line->address = 0;
    const struct tf_shadow_words *words = tf_shadow_words(&site->shadow, access.address);
    /* Bytes of one word may be flags of several cores. A store to one byte leaves the other bytes unchanged. */
    if (words != NULL && words->synchronizes[tf_shadow_word(access.address)]) {
        note_increment(site, access);
        release(site, access.core, access.address & ~3u, of->stored, true, access.bytes < 4);
    }
}

/* An AMO counts up a word that another core has set by a store. Had that core executed the store before, as far as this
   one knows? */
static void doubt_lost(struct site *site, struct who *who, tf_trace write, struct tf_check_access access)
{
    const unsigned slot = tf_trace_slot(write);
    struct tf_rv_insn insn;
    if (write == 0 || slot < SLOT_STORES || slot >= SLOT_STORES + TF_TILE_CORES || (int)slot == who->own[1] ||
        !insn_at(site->tile, access.pc, &insn) || insn.id != TF_RV_AMOADD_W ||
        site->tile->hart[access.core].x[insn.rs2] == 0 ||
        who_knows(who, TF_ACTOR(site->number, SLOT_CORE + slot - SLOT_STORES), tf_trace_time(write)))
        return;
    who->fix = lost_increment;
    found(site, TF_RACE_DATA, access.address, write, who);
    who->fix = NULL;
}

static void amo(struct tf_check *check, struct tf_check_access access)
{
    struct site *site = site_of(check);
    struct race_core *of = &site->core[access.core];
    struct tf_shadow_words *words = tf_shadow_words(&site->shadow, access.address);
    of->events++;
    fence(check, access.core);
    if (words == NULL)
        return;
    uint8_t *synchronizing = &words->synchronizes[tf_shadow_word(access.address)];
    struct tf_cell *cell = &words->cell[tf_shadow_word(access.address)];
    struct who who = core_who(site, access.core, access.pc, access.cycle, true);
    doubt_null(site, &who, access.address);
    read_first(site, &who, access.address);
    note_written(site, access.address, 4);
    if (*synchronizing == MARK_SYNC)
        doubt_lost(site, &who, cell->write, access);
    if (!*synchronizing)
        mark_sync(site, access.address, synchronizing, cell->write);
    note_increment(site, access);
    acquire(site, access.core, access.address & ~3u);
    note_wait(&of->waits, "an atomic", access.address & ~3u, access.pc, time_at(site, access.cycle));
    cell->write = tf_trace_of_bytes(who.trace, TF_WORD_BYTES);
    cell->read[0] = cell->read[1] = 0;
    *synchronizing = MARK_SYNC | MARK_ATOMIC;
    of->stored = time_at(site, access.cycle);
    grow(&of->arrived, of->stored);
    release(site, access.core, access.address & ~3u, of->stored, true, true);
}

/* A core learns that all requests of a class are answered. */
static void complete(struct site *site, unsigned core, unsigned slot)
{
    site->awaited[slot - SLOT_CLASS] = site->issued[slot - SLOT_CLASS];
    tf_view_learn(&site->core[core].view, TF_ACTOR(site->number, slot), site->issued[slot - SLOT_CLASS]);
}

static void answered(struct site *site, unsigned core, unsigned noc, unsigned tid, enum request_class sort)
{
    complete(site, core, SLOT_OF_CLASS(noc, tid, sort));
    if (sort == CLASS_WRITE)
        complete(site, core, SLOT_OF_CLASS(noc, tid, CLASS_SOURCE));
    if (site->gained[noc] != NULL)
        tf_view_join(&site->core[core].view, site->gained[noc][tid].clock);
}

/* The number of requests of some classes that the site has issued since it last knew that all of them were done. */
static uint32_t not_awaited(const struct site *site, unsigned noc, unsigned tid, enum request_class first,
                            enum request_class last)
{
    uint32_t count = 0;
    for (enum request_class sort = first; sort <= last; sort++) {
        unsigned slot = SLOT_OF_CLASS(noc, tid, sort);
        count += site->issued[slot - SLOT_CLASS] - site->awaited[slot - SLOT_CLASS];
    }
    return count;
}

/* A counter of a transaction id is 0. It has 8 bits: does 0 mean that all requests are done? */
static void counted_down(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t requests)
{
    const struct who who = core_who(site, core, pc, site->tile->hart[core].cycle, false);
    if (requests >= COUNTER_WRAPS)
        found(site, TF_RACE_WRAPPED, address, 0, &who);
}

/* A core has loaded 0 from NIU_MST_REQS_OUTSTANDING or NIU_MST_WRITE_REQS_OUTGOING. */
static void check_wrap(struct site *site, unsigned core, uint32_t pc, uint32_t address, unsigned counter)
{
    unsigned noc = address >> 16 & 1, tid = counter % TF_NOC_TIDS;
    if (counter >= TF_MST_REQS_OUTSTANDING && counter < TF_MST_WRITE_REQS_OUTGOING)
        counted_down(site, core, pc, address, not_awaited(site, noc, tid, CLASS_READ, CLASS_ATOMIC));
    else if (counter >= TF_MST_WRITE_REQS_OUTGOING && counter < TF_SLV_ATOMIC_RESP_SENT)
        counted_down(site, core, pc, address, not_awaited(site, noc, tid, CLASS_SOURCE, CLASS_SOURCE));
}

/*
 * A load that overtakes the store of a transaction id's last command sees only the requests before that one. A loop may
 * wait until a load sees as many requests under way as nobody has waited for: then the NIU has all their commands. Or
 * the core looks once, and waits for NOC_CMD_CTRL if it sees none.
 */
static void count_commands(struct site *site, unsigned core, uint32_t pc, uint32_t address, unsigned counter,
                           uint32_t value)
{
    const unsigned noc = address >> 16 & 1, tid = counter % TF_NOC_TIDS;
    struct race_core *of = &site->core[core];
    const uint32_t asked = not_awaited(site, noc, tid, CLASS_READ, CLASS_ATOMIC);
    if (counter < TF_MST_REQS_OUTSTANDING || counter >= TF_MST_WRITE_REQS_OUTGOING || value == 0 || value < asked ||
        !awaits_some(site->tile, core, pc, address))
        return;
    of->commanded[noc][tid] = 0;
    /* The NIU counts a command that it takes in a later epoch. */
    const struct commands queued = commands_queued(site, core, noc);
    if (value - asked >= queued.count)
        grow(&of->emitted, queued.last);
}

/* Returns false if the value does not show that any request is done. */
static bool load_counter(struct site *site, unsigned core, unsigned noc, unsigned counter, uint32_t value)
{
    static const uint8_t received[] = {CLASS_ATOMIC, CLASS_WRITE, CLASS_READ};
    unsigned tid = counter % TF_NOC_TIDS;
    if (counter <= TF_MST_RD_RESP_RECEIVED && value == site->asked[noc][received[counter]]) {
        for (tid = 0; tid < TF_NOC_TIDS; tid++)
            answered(site, core, noc, tid, (enum request_class)received[counter]);
    } else if (counter == TF_MST_NONPOSTED_WR_REQ_SENT || counter == TF_MST_POSTED_WR_REQ_SENT) {
        bool posted = counter == TF_MST_POSTED_WR_REQ_SENT;
        for (tid = 0; tid < TF_NOC_TIDS && value == site->writes[noc][posted]; tid++)
            complete(site, core, SLOT_OF_CLASS(noc, tid, CLASS_SOURCE));
    } else if (counter >= TF_MST_REQS_OUTSTANDING && counter < TF_MST_WRITE_REQS_OUTGOING) {
        for (enum request_class sort = CLASS_READ; sort <= CLASS_ATOMIC && value == 0; sort++)
            answered(site, core, noc, tid, sort);
    } else if (counter >= TF_MST_WRITE_REQS_OUTGOING && counter < TF_SLV_ATOMIC_RESP_SENT && value == 0) {
        complete(site, core, SLOT_OF_CLASS(noc, tid, CLASS_SOURCE));
    } else {
        return false;
    }
    return true;
}

static bool is_niu(uint32_t address)
{
    return address >= TF_NIU_BASE(0) && address < TF_NIU_BASE(2);
}

/* Blackhole's offset of a register of a NIU. */
static uint32_t niu_offset(const struct site *site, uint32_t address)
{
    return tf_niu_layout_common(site->all->fabric->arch->niu, address & 0xFFFF);
}

/* The register with the low bits of all NOC_CMD_CTRL, in families that have it. */
static bool is_pending(const struct site *site, uint32_t address)
{
    const struct tf_niu_arch *layout = site->all->fabric->arch->niu;
    return layout != NULL && layout->pending != 0 && (address & 0xFFFF) == layout->pending;
}

static void load_niu(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t value)
{
    struct race_core *of = &site->core[core];
    unsigned noc = address >> 16 & 1;
    uint32_t offset = niu_offset(site, address);
    if (is_pending(site, address)) {
        memset(of->commanded[noc], 0, sizeof of->commanded[noc]);
        if (value == 0)
            commands_taken(site, core, noc);
    }
    command_loaded(site, core, address, offset, value);
    if (offset < TF_NIU_COUNTER || offset >= TF_NIU_RTZ_NUM)
        return;
    unsigned counter = (offset - TF_NIU_COUNTER) / 4;
    count_commands(site, core, pc, address, counter, value);
    /* A load that overtakes the last command of the transaction id may see 0; the counters of all requests would lack
       that one. */
    if (counter >= TF_MST_REQS_OUTSTANDING && counter < TF_SLV_ATOMIC_RESP_SENT &&
        of->commanded[noc][counter % TF_NOC_TIDS] > of->emitted)
        return;
    if (value == 0)
        check_wrap(site, core, pc, address, counter);
    if (!load_counter(site, core, noc, counter, value))
        return;
    commands_taken(site, core, noc);
    note_wait(&of->waits, register_waited(address), address, pc, core_time(site, core));
}

static bool is_gpr(uint32_t address)
{
    return address >= TF_GPR_BASE && address < TF_INSTRN_BUF_BASE;
}

static bool is_tdma(uint32_t address)
{
    return address >= TF_TDMA_BASE && address < TF_TDMA_BASE + TF_TDMA_BYTES;
}

static bool is_stream(uint32_t address)
{
    return address >= TF_STREAM_BASE && address < TF_STREAM_BASE + TF_STREAMS_BYTES;
}

/* A load from GPRs: stores to them that have left the queue have arrived. */
static void gprs_arrive(struct race_core *of)
{
    for (unsigned gpr = 0; gpr < 64 && of->gprs != 0; gpr++)
        if (of->gpr_time[gpr] <= of->emitted)
            of->gprs &= ~(1ull << gpr);
}

static void learn_by_load(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t value)
{
    struct race_core *of = &site->core[core];
    follow_stores(site, of, address, 4);
    if (is_niu(address)) {
        load_niu(site, core, pc, address, value);
        return;
    }
    register_loaded(site, core, pc, address);
    if (is_gpr(address)) {
        gprs_arrive(of);
        gpr_loaded(site, core, pc, address);
    }
    if (address >= TF_CFG_BASE)
        config_loaded(site, core);
    if (is_tdma(address))
        tdma_loaded(site, core, address, value);
    if (address == TF_MOP_DONE_CHECK)
        of->mops_done = site->tile->hart[core].cycle;
    if (address == TF_DONE_CHECK && core >= TF_CORE_T0)
        thread_idle(site, core, core - TF_CORE_T0);
    if (is_stream(address)) {
        buffer_loaded(site, core, address);
        stream_loaded(site, core, pc, address);
    }
    uint32_t key = sync_key(site, core, address, false);
    if (key == 0)
        return;
    acquire(site, core, key);
    note_wait(&site->core[core].waits, register_waited(address), address, pc, core_time(site, core));
    /* B waits until a T core has taken all values and waits for more (PCBufs.md). */
    if (core == TF_CORE_B && key >= TF_PC_BUF_BASE && key < TF_MAILBOX_BASE) {
        unsigned reader = TF_CORE_T0 + (key >> 16 & 3);
        struct tf_release made = core_release(site, reader, core_time(site, reader), false);
        tf_view_acquire(&site->core[core].view, &made);
        tf_release_drop(&made);
        thread_idle(site, core, reader - TF_CORE_T0);
    }
}

static void loaded(struct tf_check *check, unsigned core, uint32_t pc, uint32_t address, uint32_t value)
{
    struct site *site = site_of(check);
    site->core[core].events++;
    fence_before(site, core);
    /* A clock that is held cannot grow in place. Polls mostly need no clock from before (row check-matmul of bench). */
    if (needed_next(site, core, pc)) {
        learn_by_load(site, core, pc, address, value);
        return;
    }
    struct tf_clock *before = tf_clock_hold(site->core[core].view.clock);
    learn_by_load(site, core, pc, address, value);
    loaded_register(site, core, pc, before);
}

/* A push, or a store to a place that pushed instructions read. */
static bool store_coprocessor(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t value)
{
    struct race_core *of = &site->core[core];
    if (address >= TF_INSTRN_BUF_BASE && address < TF_PC_BUF_BASE) {
        if (core == TF_CORE_B)
            site->thread[(address >> 16) % 4].from_b = true;
        return true;
    }
    if (address >= TF_CFG_BASE)
        store_config(site, core, pc, address, value);
    if (is_tdma(address))
        tdma_stored(site, core, pc, address);
    if (address >= TF_MOP_CFG_BASE && address < TF_MOP_CFG_BASE + TF_MOP_CFG_BYTES)
        mop_configured(site, core, pc, address);
    if (is_gpr(address)) {
        gpr_written(site, core, address);
        gpr_stored(site, core, pc, address);
    }
    if (!is_gpr(address) || core < TF_CORE_T0)
        return address >= TF_CFG_BASE;
    if (stores_synchronized(site, core, TF_TRISC_SYNC_TRACK_GPR))
        return true;
    unsigned gpr = address / 4 % 64;
    of->gprs |= 1ull << gpr;
    of->gpr_pc[gpr] = pc;
    of->gpr_time[gpr] = core_time(site, core);
    return true;
}

/* A register passes on what the core knows. Stores to registers of streams arrive there in order. */
static void release_register(struct site *site, unsigned core, uint32_t key, uint32_t time)
{
    struct tf_release made = core_release(site, core, time, false);
    if (is_stream(key))
        made.more[made.count++] = (struct tf_stamp){TF_ACTOR(site->number, SLOT_STREAMS + core), time};
    release_sync(site, &made, key, true);
    tf_release_drop(&made);
}

static void storing(struct tf_check *check, unsigned core, uint32_t pc, uint32_t address, uint32_t value)
{
    struct site *site = site_of(check);
    site->actor = (int)core;
    site->core[core].events++;
    fence_before(site, core);
    uint32_t time = core_time(site, core), attempt = (uint32_t)site->tile->hart[core].instret;
    enqueue(site, &site->core[core], (struct queued){address, 4, attempt, time});
    if (store_coprocessor(site, core, pc, address, value))
        return;
    if (is_stream(address)) {
        buffer_stored(site, core, pc, address, value);
        stream_stored(site, core, pc, address);
    }
    if (core >= TF_CORE_T0 && address >= TF_SEMAPHORE_BASE && address < TF_SEMAPHORE_BASE + 4 * TF_SEMAPHORES)
        semaphore_stored(site, core, pc, address, value);
    if (is_niu(address)) {
        command_stored(site, core, pc, address, niu_offset(site, address));
    } else {
        uint32_t key = sync_key(site, core, address, true);
        if (key != 0)
            release_register(site, core, key, time);
    }
}

static void started(struct tf_check *check, unsigned core)
{
    struct site *site = site_of(check);
    struct race_core *of = &site->core[core];
    if (site->all->hosted) {
        host_starts(site, core);
        site->started |= (uint8_t)(1u << core);
    } else if (site->acting != NULL) {
        tf_view_acquire(&of->view, &site->acting->record.release);
    } else if (site->actor >= 0 && site->actor != (int)core) {
        const unsigned actor = (unsigned)site->actor;
        const uint32_t time = core_time(site, actor);
        struct tf_release made = core_release(site, actor, time, true);
        made.more[made.count++] = (struct tf_stamp){TF_ACTOR(site->number, SLOT_CONFIG + actor), time};
        if (actor == TF_CORE_B)
            made.more[made.count++] = (struct tf_stamp){TF_ACTOR(site->number, SLOT_GPRS_OF_B), time};
        tf_view_acquire(&of->view, &made);
        tf_release_drop(&made);
    }
}

/*
 * A core is held in reset, so it starts no more accesses. Its loads are complete. Its stores may still be in its queue,
 * or on their way: no page says that a reset stops them (SoftReset.md). An actor learns of the reset when it loads the
 * register. It also does when it waits for the answer of the request that stored to the register.
 */
static void held(struct tf_check *check, unsigned core)
{
    struct site *site = site_of(check);
    struct tf_release made = core_release(site, core, core_time(site, core), false);
    release_sync(site, &made, TF_DEBUG_ADDRESS(TF_DEBUG_SOFT_RESET_0), true);
    if (site->all->hosted)
        tf_view_acquire(&site->all->host, &made);
    if (site->acting != NULL && !site->acting->many) {
        struct tf_view gained = {site->acting->gained};
        tf_view_acquire(&gained, &made);
        site->acting->gained = gained.clock;
    }
    tf_release_drop(&made);
}

void cores_attach(struct site *site)
{
    site->check.load = load;
    site->check.store = store;
    site->check.amo = amo;
    site->check.fence = fence;
    site->check.loaded = loaded;
    site->check.storing = storing;
    site->check.started = started;
    site->check.held = held;
    site->check.observer.next = site->tile->observer;
    site->tile->observer = &site->check.observer;
    site->tile->check = &site->check;
}
