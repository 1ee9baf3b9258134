/* SPDX-License-Identifier: Apache-2.0 */
/* NOC requests: each is an actor of its own. Sources: WormholeB0/NoC/Ordering.md, BlackholeA0/NoC/Counters.md. */
#include "races/requests.h"

#include <stdlib.h>
#include <string.h>

#include "noc/requests/act.h"
#include "noc/coords.h"
#include "noc/nodes/space.h"
#include "races/state/copy.h"
#include "races/races.h"
#include "races/buffers.h"
#include "races/commands.h"
#include "races/cores.h"
#include "races/counts.h"
#include "races/found.h"
#include "races/paths.h"
#include "races/polls.h"
#include "races/state/records.h"
#include "races/streams.h"
#include "races/syncs.h"
#include "races/takes.h"
#include "races/state/waits.h"
#include "races/state/words.h"
#include "races/state/state.h"
#include "races/state/written.h"
#include "tilefarm_address.h"
#include "tile/run/tile.h"

static struct site *site_of(struct tf_races *races, uint16_t node)
{
    return &races->site[races->fabric->node[node].site];
}

static uint32_t caller_of(const struct site *site, unsigned core)
{
    return core < cores_of(site) ? site->tile->hart[core].x[1] : 0;
}

static enum request_class class_of(const struct tf_noc_request *request)
{
    if (!request->answered)
        return CLASS_POSTED;
    return request->kind == TF_NOC_READ ? CLASS_READ : request->kind == TF_NOC_ATOMIC ? CLASS_ATOMIC : CLASS_WRITE;
}

static struct issue *issue_add(struct site *site, uint64_t epoch)
{
    struct issues *issues = &site->issues[epoch & 1];
    if (issues->epoch != epoch) {
        for (uint32_t i = 0; i < issues->count; i++) {
            tf_release_drop(&issues->issue[i].record.release);
            tf_clock_drop(issues->issue[i].gained);
            tf_clock_drop(issues->issue[i].before);
        }
        issues->count = 0;
        issues->epoch = epoch;
    }
    if (issues->count == issues->room) {
        uint32_t room = issues->room == 0 ? 64 : issues->room * 2;
        struct issue *issue = realloc(issues->issue, room * sizeof *issue);
        if (issue == NULL)
            return NULL;
        issues->issue = issue;
        issues->room = room;
    }
    return &issues->issue[issues->count++];
}

static struct issue *issue_of(struct site *site, uint64_t key, uint64_t epoch)
{
    struct issues *issues = &site->issues[epoch & 1];
    uint32_t number = (uint32_t)key;
    bool known = issues->epoch == epoch && number < issues->count && !issues->issue[number].streamed;
    return known ? &issues->issue[number] : NULL;
}

static struct who accessor_of(const struct record *record, tf_trace trace, bool write)
{
    return (struct who){.release = &record->release, .record = record, .own = {-1, -1}, .trace = trace, .write = write};
}

/* Check a request's access to bytes from an address on: all up to its length, or those of its mask. */
static void access_bytes(struct site *site, const struct who *who, const struct tf_noc_request *request,
                         uint64_t address)
{
    if (request->kind != TF_NOC_WRITE_BE) {
        touch(site, who, address, request->length);
        return;
    }
    for (uint64_t mask = request->byte_mask; mask != 0;) {
        unsigned first, run = tf_noc_take_run(&mask, &first);
        touch(site, who, address + first, run);
    }
}

/*
 * A write reads its source, from now until it has left. A multicast may store it to the same place of its own tile:
 * each byte after it was read.
 */
static void read_source(struct site *site, const struct tf_noc_request *request, struct record *record)
{
    if ((request->kind != TF_NOC_WRITE && request->kind != TF_NOC_WRITE_BE) || site->tile == NULL ||
        request->source_address + request->length > site->tile->arch->l1_bytes)
        return;
    unsigned slot = SLOT_OF_CLASS(request->noc, request->tid, CLASS_SOURCE);
    struct record source = *record;
    source.actor = TF_ACTOR(site->number, slot);
    source.time = ++site->issued[slot - SLOT_CLASS];
    source.sort = CLASS_SOURCE;
    struct who who = accessor_of(&source, record_add(site, &source), false);
    access_bytes(site, &who, request, request->source_address);
    if (request->address == request->source_address)
        record_learn(record, (struct tf_stamp){source.actor, source.time});
}

/* Note a request as the last one of its class, with the core that issued it. */
static void note_latest(struct site *site, unsigned slot, const struct record *record)
{
    if (site->latest == NULL) {
        site->latest = calloc(SLOTS - SLOT_CLASS, sizeof *site->latest);
        for (unsigned i = 0; i < SLOTS - SLOT_CLASS && site->latest != NULL; i++)
            site->latest[i].core = TF_TILE_CORES;
    }
    if (site->latest == NULL)
        return;
    site->latest[slot - SLOT_CLASS] = *record;
    site->latest[slot - SLOT_CLASS].release = (struct tf_release){.clock = NULL};
}

/* A core ends. Has it left a linked transaction open? */
static void doubt_linked(struct site *site, unsigned core)
{
    for (unsigned noc = 0; noc < 2; noc++) {
        struct record *record = &site->paths.linked[noc];
        const struct who who = {
            .record = record,
            .own = {-1, -1},
            .fix = "the last request of a linked transaction has no NOC_CMD_VC_LINKED: until there is one, no other "
                   "request uses its virtual channel",
        };
        if (record->time == 0 || record->core != core)
            continue;
        found(site, TF_RACE_UNFINISHED, record->address, 0, &who);
        record->time = 0;
    }
}

void tf_races_core_ended(struct tf_races *races, unsigned node, unsigned core)
{
    struct site *site = &races->site[races->fabric->node[node].site];
    doubt_linked(site, core);
    for (unsigned slot = 0; slot < SLOTS - SLOT_CLASS && site->latest != NULL; slot++) {
        struct record *record = &site->latest[slot];
        if (record->core != core)
            continue;
        bool known = record->sort == CLASS_POSTED;                             /* no core can wait for it */
        for (unsigned i = 0, cores = cores_of(site); i < cores && !known; i++) /* mostly the core itself does */
            known = tf_view_knows(&site->core[(core + i) % cores].view, record->actor, record->time);
        const struct who who = {.record = record, .own = {-1, -1}};
        if (!known && !is_in_race(races, record))
            found(site, TF_RACE_UNFINISHED, record->address, 0, &who);
        record->core = TF_TILE_CORES;
    }
}

uint64_t tf_races_forgotten(const struct tf_races *races)
{
    uint64_t count = is_copy(races) ? copied_forgotten(races->copy) : 0;
    for (unsigned i = 0; i < races->sites; i++)
        count += races->site[i].records.dropped;
    return count;
}

/* The number of responses to a request: each recipient of a multicast answers, or one of them (--atomics emu-spec). */
static uint32_t answers_to(const struct tf_races *races, const struct tf_noc_request *request)
{
    if (!request->multicast || !request->answered)
        return 1;
    if (races->fabric->rules.atomics != TF_ATOMICS_ISA)
        return request->target != TF_NO_NODE;
    const struct tf_niu *niu = &races->fabric->node[request->source].niu[request->noc];
    uint16_t node[TF_NODES_MAX];
    uint32_t answers = 0;
    for (unsigned count = tf_noc_recipients(races->fabric, request, node); count != 0; count--)
        answers += !tf_niu_masks_out(niu, races->fabric->node[node[count - 1]].niu[request->noc].node_id);
    return answers;
}

/* Fill in a request of a core, and what the core knows. */
static void describe(struct tf_races *races, struct site *site, const struct tf_noc_request *request,
                     struct issue *issue)
{
    enum request_class sort = class_of(request);
    unsigned slot = SLOT_OF_CLASS(request->noc, request->tid, sort);
    *issue = (struct issue){.record =
                                {
                                    .actor = TF_ACTOR(site->number, slot),
                                    .time = ++site->issued[slot - SLOT_CLASS],
                                    .pc = request->pc,
                                    .caller = caller_of(site, request->core),
                                    .cycle = request->cycle,
                                    .source = request->source,
                                    .address = request->address,
                                    .core = request->core,
                                    .noc = request->noc,
                                    .tid = request->tid,
                                    .kind = request->kind,
                                    .sort = (uint8_t)sort,
                                },
                            .many = request->multicast};
    site->asked[request->noc][sort] += answers_to(races, request);
    if (tf_noc_is_write(request->kind))
        site->writes[request->noc][!request->answered]++;
    if (request->core < cores_of(site)) {
        /* While other orders are explored, stores may arrive late, and the core has gone on. */
        site->core[request->core].commanded[request->noc][request->tid] =
            commands_queued(site, request->core, request->noc).last;
        issue->record.waited = last_wait(&site->core[request->core].waits, time_at(site, request->cycle));
        issue->record.emitted = site->core[request->core].emitted;
        issue->record.release = core_release(site, request->core, time_at(site, request->cycle), false);
    }
    issue->record.polls = noc_polls(site, request, issue->record.caller);
    take_issued(site, request, issue);
    note_latest(site, slot, &issue->record);
}

uint32_t tf_races_issued(struct tf_races *races, const struct tf_noc_request *request, const uint32_t *ctrl,
                         uint64_t epoch)
{
    struct site *site = site_of(races, request->source);
    struct issue *issue = issue_add(site, epoch);
    if (issue == NULL) {
        site->lost = true;
        return UINT32_MAX;
    }
    *issue = (struct issue){.streamed = ctrl == NULL};
    if (ctrl != NULL) {
        describe(races, site, request, issue);
        follow(site, request, *ctrl, &issue->record);
        read_source(site, request, &issue->record);
    }
    return site->issues[epoch & 1].count - 1;
}

/* A request reaches a word that synchronizes, or a register. Their clocks are joined: the word gets the request's, and
   the request gets the word's. */
static void synchronize(struct site *site, const struct tf_noc_request *request, struct issue *issue, uint32_t key)
{
    bool changes = request->kind != TF_NOC_READ;
    struct tf_view *view = changes ? sync_view(&site->syncs, key) : sync_find(&site->syncs, key);
    if (view == NULL)
        return;
    if (request->kind != TF_NOC_ATOMIC && changes && key < TF_LOCAL_BASE) {
        tf_view_clear(view); /* the word is overwritten */
        count_forget(sync_at(&site->syncs, key));
    }
    if (!issue->many && !tf_noc_is_write(request->kind)) {
        struct tf_view gained = {issue->gained};
        tf_view_join(&gained, view->clock);
        issue->gained = gained.clock;
    }
    if (changes)
        tf_view_acquire(view, &issue->record.release);
}

/*
 * An increment of a semaphore comes after a core's plain store to it, such as a reset. If the core may store after it
 * has told the sender to go on, the increment may come first, and is lost. It counts that the core had executed the
 * store, not that the store had arrived.
 */
static void doubt_reset(struct site *site, const struct tf_noc_request *request, const struct who *who,
                        const struct tf_cell *cell, uint32_t word)
{
    const unsigned slot = tf_trace_slot(cell->write);
    struct who increment = *who;
    if (request->op.kind != TF_NOC_AT_INCREMENT || cell->write == 0 || slot < SLOT_STORES ||
        slot >= SLOT_STORES + TF_TILE_CORES ||
        who_knows(who, TF_ACTOR(site->number, SLOT_CORE + slot - SLOT_STORES), tf_trace_time(cell->write)))
        return;
    increment.fix = lost_increment;
    found(site, TF_RACE_DATA, word, cell->write, &increment);
}

/* An atomic is about to change a word of a tile. */
static void note_increment(struct site *site, const struct tf_noc_request *request, const struct issue *issue,
                           uint32_t word)
{
    struct sync *sync = site->tile != NULL && sync_view(&site->syncs, word) != NULL ? sync_at(&site->syncs, word)
                                                                                    : NULL;
    uint32_t before;
    if (sync == NULL)
        return;
    if (request->op.kind != TF_NOC_AT_INCREMENT) {
        count_forget(sync);
        return;
    }
    memcpy(&before, site->tile->l1 + word, sizeof before);
    count_adds(sync, before, tf_noc_atomic_word(&request->op, before) - before, false, &issue->record.release);
}

/* An atomic changes a word, or only reads it. It meets other atomics, and polls, in any order. */
static void act_on_word(struct site *site, const struct tf_noc_request *request, struct issue *issue,
                        const struct who *who, uint32_t word)
{
    struct tf_shadow_words *words = tf_shadow_words(&site->shadow, word);
    if (words == NULL)
        return;
    uint8_t *mark = &words->synchronizes[tf_shadow_word(word)];
    if (request->op.kind != TF_NOC_AT_SWAP && request->op.kind != TF_NOC_AT_SWAP_MASK)
        read_first(site, who, word);
    note_written(site, word, 4);
    if (!*mark)
        touch(site, who, word, 4);
    else if ((*mark & MARK_ATOMIC) == 0)
        doubt_reset(site, request, who, &words->cell[tf_shadow_word(word)], word);
    *mark = MARK_SYNC | MARK_ATOMIC;
    words->cell[tf_shadow_word(word)] = (struct tf_cell){.write = tf_trace_of_bytes(who->trace, TF_WORD_BYTES)};
    note_increment(site, request, issue, word);
    synchronize(site, request, issue, word);
}

/* Does the mask of an atomic leave a word of its line as it is? Masks have a bit for each 16 bits of the line. */
static bool is_masked_out(const struct tf_noc_atomic *op, uint32_t word)
{
    return op->kind == TF_NOC_AT_SWAP_MASK && (op->mask >> word / 4 % 4 * 2 & 3) == 0;
}

static void act_atomic(struct site *site, const struct tf_noc_request *request, struct issue *issue,
                       const struct who *who)
{
    const struct tf_noc_range range = tf_noc_atomic_range(request);
    for (uint32_t at = 0; at < range.bytes; at += 4)
        if (!is_masked_out(&request->op, (uint32_t)range.address + at))
            act_on_word(site, request, issue, who, (uint32_t)range.address + at);
}

/* A read that polls gets the clocks of the words that others write. */
static void act_poll(struct site *site, const struct tf_noc_request *request, struct issue *issue,
                     const struct who *who)
{
    for (uint64_t word = request->address & ~3ull; word < request->address + request->length; word += 4)
        if (noc_polled(site, who, word))
            synchronize(site, request, issue, (uint32_t)word);
}

static void act_memory(struct site *site, const struct tf_noc_request *request, struct issue *issue)
{
    struct who who = accessor_of(&issue->record, record_add(site, &issue->record), request->kind != TF_NOC_READ);
    if (request->kind == TF_NOC_ATOMIC) {
        act_atomic(site, request, issue, &who);
        return;
    }
    if (issue->record.polls) {
        act_poll(site, request, issue, &who);
        return;
    }
    take_acts(site, issue, &who, (uint32_t)request->address);
    access_bytes(site, &who, request, request->address);
    uint64_t end = request->address + request->length;
    for (uint64_t word = request->address & ~3ull; word < end; word += 4) {
        const struct tf_shadow_page *page = tf_shadow_page(&site->shadow, word);
        const struct tf_shadow_words *words = page == NULL ? NULL : page->words[tf_shadow_block(word)];
        if (words == NULL)
            word |= TF_SHADOW_BLOCK_BYTES - 4; /* continue with the next block */
        else if (words->synchronizes[tf_shadow_word(word)])
            synchronize(site, request, issue, (uint32_t)word);
    }
}

/* A request writes a register of a stream. */
static void write_stream(struct site *site, uint32_t address, struct issue *issue)
{
    unsigned number;
    stream_forget(site, address);
    if (!counts_pages(site, address, &number))
        return;
    const struct who who = accessor_of(&issue->record, record_add(site, &issue->record), true);
    buffer_sent(site, &who, address, number);
}

void tf_races_acts(struct tf_races *races, const struct tf_noc_request *request, uint16_t number, uint64_t epoch)
{
    const struct tf_node *node = &races->fabric->node[number];
    struct site *site = &races->site[node->site];
    struct issue *issue = issue_of(site_of(races, request->source), request->entry.key, epoch);
    if (issue == NULL || (request->multicast && tf_niu_opted_out(&node->niu[request->noc])))
        return;
    site->acting = issue;
    enum tf_noc_place place = tf_node_place(node, request->address);
    if (place == TF_PLACE_REGISTER && request->kind != TF_NOC_ATOMIC) {
        uint32_t key = sync_key(site, TF_FROM_NOC, (uint32_t)request->address, request->kind != TF_NOC_READ);
        if (key != 0)
            synchronize(site, request, issue, key);
        if (request->kind != TF_NOC_READ && key >= TF_STREAM_BASE && key < TF_STREAM_BASE + TF_STREAMS_BYTES)
            write_stream(site, (uint32_t)request->address, issue);
    } else if (place == TF_PLACE_L1 || place == TF_PLACE_DRAM) {
        act_memory(site, request, issue);
    }
}

void tf_races_acted(struct tf_races *races, uint16_t node)
{
    site_of(races, node)->acting = NULL;
}

/* The clock that answers bring to the cores which wait for them. Returns NULL if the host has no memory. */
static struct tf_view *gained_by(struct site *site, const struct record *record)
{
    if (site->gained[record->noc] == NULL)
        site->gained[record->noc] = calloc(TF_NOC_TIDS, sizeof *site->gained[0]);
    return site->gained[record->noc] == NULL ? NULL : &site->gained[record->noc][record->tid];
}

/* Add the clock of an answer. */
static void gain(struct site *site, const struct record *record, struct tf_clock *gained)
{
    struct tf_view *view = gained == NULL ? NULL : gained_by(site, record);
    if (view != NULL)
        tf_view_join(view, gained);
}

/* An answered request has acted after those before it on its path, so its answer tells that these have acted, too. */
static void gain_path(struct site *site, const struct record *record)
{
    struct tf_view *view = record->on_path.time == 0 ? NULL : gained_by(site, record);
    if (view != NULL)
        tf_view_acquire(view, &record->release);
}

/* May the result of another atomic of its class, which is under way as well, land on the same word? */
static bool is_mixed(struct site *site, const struct record *record, uint64_t address)
{
    const struct tf_shadow_words *words = tf_shadow_words(&site->shadow, address);
    const tf_trace write = words == NULL ? 0 : words->cell[tf_shadow_word(address)].write;
    const struct record *before = tf_trace_slot(write) == TF_SLOT_REQUEST ? record_of(site, write) : NULL;
    return before != NULL && before->sort == CLASS_ATOMIC && before->actor == record->actor &&
           !tf_release_knows(&record->release, before->actor, before->time);
}

/*
 * What an answer knows when it lands at the NIU that has asked. A round trip takes much longer than a store (a few
 * cycles, MemoryOrdering.md): those that had left the queue of the request's core have arrived. The caller does not
 * drop the result.
 */
static struct tf_release known_to_answer(const struct site *site, const struct record *record)
{
    struct tf_release known = record->release;
    for (uint32_t i = 0; i < known.count; i++)
        if (known.more[i].actor == TF_ACTOR(site->number, SLOT_STORES + record->core) &&
            known.more[i].time < record->emitted)
            known.more[i].time = record->emitted;
    return known;
}

void tf_races_lands(struct tf_races *races, const struct tf_noc_response *response, uint64_t epoch)
{
    const struct tf_noc_request *request = response->request;
    const struct tf_node *node = &races->fabric->node[response->node];
    struct site *site = &races->site[node->site];
    struct issue *issue = issue_of(site_of(races, request->source), request->entry.key, epoch);
    if (issue == NULL || response->kind == TF_NOC_FAULT)
        return;
    site->landed[response->noc][issue->record.sort]++;
    if (response->node == request->source)
        gain(site, &issue->record, issue->gained);
    if (response->node == request->source && !issue->many)
        gain_path(site, &issue->record);
    if (response->kind == TF_NOC_WRITE_ACK || response->length == 0)
        return;
    enum tf_noc_place place = tf_node_place(node, response->address);
    if (place != TF_PLACE_L1 && place != TF_PLACE_DRAM)
        return;
    if (issue->record.sort == CLASS_ATOMIC)
        issue->record.mixed = is_mixed(site, &issue->record, response->address);
    struct who who = accessor_of(&issue->record, record_add(site, &issue->record), true);
    const struct tf_release known = known_to_answer(site, &issue->record);
    who.release = &known;
    touch(site, &who, response->address, response->length);
}
