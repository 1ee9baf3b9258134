/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delivery in deterministic mode. When all harts have stopped at the end of an epoch:
 *   1. the sources of long writes are captured;
 *   2. the epoch's requests act one after another in delivery order: by slice, then by tile (rotated by the epoch's
 *      number), then in order of issue;
 *   3. the data of long reads land in this order;
 *   4. all other responses land in this order. Harts see them from the next epoch on.
 * tf_execute_serial(), tf_land_long_reads() and tf_land_serial() are this definition.
 *
 * The other functions work site by site, so that workers can share the sites. The result is equal, because requests at
 * different sites commute. Most requests keep their answers, and their source lands these in order of issue. Other
 * responses for the source (faults, answers that other sites requested) are merged in by key.
 */
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/chip/found.h"
#include "farm/order/long.h"
#include "farm/order/deliver.h"
#include "farm/order/noc_log.h"
#include "farm/order/observed.h"
#include "farm/order/reach.h"
#include "host/extremes.h"
#include "noc/requests/act.h"
#include "noc/coords.h"
#include "noc/event.h"
#include "noc/requests/initiator.h"
#include "noc/requests/land.h"
#include "races/races.h"
#include "tile/riscv/hart/observed.h"

/* After an epoch with a request that cannot be chained, this many epochs have no chains. If that epoch had few
   requests, turning its chains into mail was cheap, and chains go on: row `barrier-700`, with a multicast in each third
   epoch. */
#define UNCHAINED_EPOCHS 16u
#define FEW_REQUESTS 8u

/* The owners if worker 0 runs all tiles. */
static const uint16_t worker_0[TF_NODES_MAX];

static struct tf_noc_response *take_response(struct tf_noc_sink *sink, uint32_t payload_bytes)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    return tf_arena_take(worker->outbox.arena, sizeof(struct tf_noc_response) + payload_bytes);
}

static uint64_t next_key(struct tf_worker *worker)
{
    return tf_key_of_slice(worker->outbox.tile->place) + worker->outbox.next_key++;
}

uint64_t tf_deliver_key(struct tf_worker *worker)
{
    return next_key(worker);
}

/* Append a request that keeps its answer to the list of its source. */
static inline void append_kept(struct tf_worker *worker, struct tf_noc_request *request)
{
    if (!request->keeps_answer)
        return;
    *worker->outbox.kept_end = request;
    worker->outbox.kept_end = &request->next_kept;
}

static inline __attribute__((always_inline)) void send(struct tf_worker *worker, struct tf_noc_entry *entry)
{
    unsigned site = tf_site_of(worker->chip->fabric, entry->node);
    if (tf_mail_put(&worker->outbox.mail[TF_MAIL_REQUESTS][site], entry))
        tf_sites_add(&worker->found.sent_to, site);
}

static __attribute__((noinline)) void append_bulk(struct tf_worker *worker, struct tf_noc_request *request,
                                                  struct tf_bulk **list)
{
    struct tf_bulk *bulk = tf_arena_take(worker->outbox.arena, sizeof *bulk);
    if (bulk == NULL) {
        worker->sink.out_of_memory = true;
        return;
    }
    bulk->request = request;
    bulk->next = *list;
    *list = bulk;
}

static void note_bulk(struct tf_worker *worker, struct tf_noc_request *request)
{
    if (request->kind == TF_NOC_WRITE)
        append_bulk(worker, request, &worker->outbox.site->long_writes);
    else if (request->answer == request->source)
        append_bulk(worker, request, &worker->outbox.site->long_reads);
    else
        worker->found.what |= TF_FOUND_READS_FOR_OTHERS;
}

static struct tf_sites reach_of(const struct tf_fabric *fabric, const struct tf_noc_request *request)
{
    struct tf_sites sites = {{0}};
    uint32_t columns[TF_GRID_Y_MAX];
    tf_noc_reach(fabric, request, columns);
    const unsigned wide = fabric->arch->grid_x, high = fabric->arch->grid_y;
    for (unsigned y = 0, first = 0; y < high; y++, first += wide) {
        sites.word[first / 64] |= (uint64_t)columns[y] << first % 64;
        if (first % 64 + wide > 64)
            sites.word[first / 64 + 1] |= (uint64_t)columns[y] >> (64 - first % 64);
    }
    return sites;
}

static __attribute__((noinline)) void send_to_many(struct tf_worker *worker, struct tf_noc_request *request)
{
    struct tf_multicast *multicast = tf_arena_take(worker->outbox.arena, sizeof *multicast);
    if (multicast == NULL) {
        worker->sink.out_of_memory = true;
        return;
    }
    *multicast = (struct tf_multicast){.request = request, .sites = reach_of(worker->chip->fabric, request)};
    worker->found.what |= TF_FOUND_MULTICASTS;
    *worker->outbox.multicasts_end = multicast;
    worker->outbox.multicasts_end = &multicast->next;
    tf_sites_join(&worker->found.sent_to, &multicast->sites);
}

/* Is a request bulk? */
static inline bool is_bulk(const struct tf_noc_request *request, uint32_t payload_bytes)
{
    return request->kind == TF_NOC_WRITE ? payload_bytes == 0
                                         : request->kind == TF_NOC_READ && request->length > TF_NOC_CARRY_BYTES;
}

/* Shorter data are better kept beside their request, which the host fetches ahead: row `copy1-256-awaited`. */
#define COPIED_BYTES_LEAST 1024u

/* May the data of a short write take the memory of data that have just landed? That memory is in the host's nearest
   cache. It stays valid during this epoch, and the write acts within the epoch. Row `reader-writer` pays for it. */
static inline bool takes_copied(const struct tf_outbox *outbox, uint32_t payload_bytes)
{
    return payload_bytes >= COPIED_BYTES_LEAST && outbox->copied != NULL && payload_bytes <= outbox->copied->length;
}

/* Capture the source of a short write. It is a tail call out of line, so that issue_simple() needs no stack frame.
   Bench rows: atomic-*. */
static __attribute__((noinline)) enum tf_access carry(struct tf_outbox *outbox, struct tf_noc_request *request,
                                                      uint32_t payload_bytes, bool simple)
{
    uint8_t *to = request->carried;
    if (simple && takes_copied(outbox, payload_bytes)) {
        to = (uint8_t *)(uintptr_t)outbox->copied->data;
        outbox->copied = NULL;
    }
    request->data = memcpy(to, request->data, payload_bytes);
    return TF_ACCESS_OK;
}

static tf_noc_issue issue_simple;

static __attribute__((noinline)) enum tf_access issue_in_room(struct tf_noc_sink *sink,
                                                              const struct tf_noc_request *request,
                                                              uint32_t payload_bytes, unsigned core, uint32_t pc,
                                                              uint64_t cycle, bool simple)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    if (tf_arena_make_room(worker->outbox.arena, sizeof *request + payload_bytes))
        return (simple ? sink->issue_simple : sink->issue)(sink, request, payload_bytes, core, pc, cycle);
    return tf_noc_unissued(worker->chip->fabric, request, core, pc, cycle);
}

/* End a chain. Returns its first entry. */
static inline struct tf_noc_entry *close_chain(struct tf_chains *chains, unsigned owner)
{
    struct tf_chain *chain = &chains->to[owner];
    *chain->end = NULL;
    return chain->first;
}

/* A request that cannot be chained ends the worker's chains: their entries become mail. */
static __attribute__((noinline)) void break_chains(struct tf_worker *worker)
{
    struct tf_chains *chains = &worker->outbox.chains;
    worker->sink.issue_simple = issue_simple;
    chains->open = false;
    for (unsigned owner = 0; owner < worker->chip->workers.count; owner++)
        for (struct tf_noc_entry *entry = close_chain(chains, owner), *next; entry != NULL; entry = next) {
            next = entry->next;
            send(worker, entry);
        }
}

/* single_worker: worker 0 runs all tiles, and lets all requests act. Returns false if no worker owns the target. */
static inline bool join_chain(struct tf_chains *chains, struct tf_noc_entry *entry, bool single_worker)
{
    unsigned owner = single_worker ? 0 : chains->owner[entry->node];
    if (__builtin_expect(owner == TF_NO_OWNER, 0))
        return false;
    struct tf_chain *chain = &chains->to[owner];
    *chain->end = entry;
    chain->end = &entry->next;
    return true;
}

static __attribute__((noinline)) void send_unchained(struct tf_worker *worker, struct tf_noc_entry *entry)
{
    break_chains(worker);
    send(worker, entry);
}

/* Issue a request (tf_noc_issue). simple: it has one target and no long data. chained: it joins a chain, and
   single_worker tells whose. logged: on_noc sees it. checked: the race checker sees it. */
static inline __attribute__((always_inline)) enum tf_access issue_as(struct tf_noc_sink *sink,
                                                                     const struct tf_noc_request *request,
                                                                     uint32_t payload_bytes, unsigned core, uint32_t pc,
                                                                     uint64_t cycle, bool simple, bool chained,
                                                                     bool single_worker, bool logged, bool checked)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    if (!simple && worker->outbox.chains.open)
        break_chains(worker);
    uint32_t room = simple && takes_copied(&worker->outbox, payload_bytes) ? 0 : payload_bytes;
    struct tf_noc_request *own = tf_arena_take_line(worker->outbox.arena, sizeof *own + room);
    if (own == NULL)
        return issue_in_room(sink, request, payload_bytes, core, pc, cycle, simple);
    tf_noc_request_copy(own, request, core, pc, cycle);
    own->entry.key = next_key(worker);
    if (!simple && is_bulk(request, payload_bytes))
        note_bulk(worker, own);
    if (!simple && request->multicast) {
        send_to_many(worker, own);
    } else {
        own->entry.node = request->target;
        append_kept(worker, own);
        if (!chained)
            send(worker, &own->entry);
        else if (!join_chain(&worker->outbox.chains, &own->entry, single_worker))
            send_unchained(worker, &own->entry);
    }
    if (logged)
        tf_noc_log_issued(worker, request, own);
    if (checked)
        tf_observed_issue(worker, request, own, worker->chip->epochs.number);
    return payload_bytes == 0 ? TF_ACCESS_OK : carry(&worker->outbox, own, payload_bytes, simple);
}

/* clang-format off */
#define ISSUE(name_, simple_, chained_, single_, logged_, checked_)                                                  \
    static enum tf_access name_(struct tf_noc_sink *sink, const struct tf_noc_request *request,                      \
                                uint32_t payload_bytes, unsigned core, uint32_t pc, uint64_t cycle)                  \
    {                                                                                                                \
        return issue_as(sink, request, payload_bytes, core, pc, cycle, simple_, chained_, single_, logged_,          \
                        checked_);                                                                                   \
    }
/* clang-format on */

ISSUE(issue, false, false, false, false, false)
ISSUE(issue_simple, true, false, false, false, false)   /* bench rows: atomic-* and copy-256 */
ISSUE(issue_chained, true, true, false, false, false)   /* bench row: atomic1-inc-spread, two threads */
ISSUE(issue_in_chain_0, true, true, true, false, false) /* bench row: atomic1-inc-spread, one thread */
ISSUE(issue_logged, false, false, false, true, false)
ISSUE(issue_checked, false, false, false, false, true)
ISSUE(issue_logged_and_checked, false, false, false, true, true)

static void respond(struct tf_noc_sink *sink, struct tf_noc_response *response)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    unsigned site = tf_site_of(worker->chip->fabric, response->node);
    tf_mail_put(&worker->outbox.answers[site], &response->entry);
    tf_sites_add(&worker->found.landing, site);
    worker->found.what |= TF_FOUND_MAILED;
    if (response->kind == TF_NOC_READ_DATA && response->length > TF_NOC_CARRY_BYTES && !response->landed)
        tf_find_more(worker, TF_FOUND_STAGED_READS, &worker->more.staged_reads, site);
}

static void respond_logged(struct tf_noc_sink *sink, struct tf_noc_response *response)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    worker->refused |= response->kind == TF_NOC_FAULT;
    respond(sink, response);
}

void tf_deliver_sink(struct tf_worker *worker)
{
    bool logged = TF_HOOK(worker->chip->observers.noc_log) != NULL;
    tf_noc_issue *reported = TF_HOOK(worker->chip->observers.races) == NULL ? logged ? issue_logged : NULL
                             : logged                                       ? issue_logged_and_checked
                                                                            : issue_checked;
    worker->sink = (struct tf_noc_sink){.issue = reported != NULL ? reported : issue,
                                        .issue_simple = reported != NULL ? reported : issue_simple,
                                        .response = take_response,
                                        .respond = logged ? respond_logged : respond,
                                        .keeps_answers = !worker->chip->serial};
    worker->outbox.chains.may_open = reported == NULL && worker->sink.keeps_answers;
}

static void set_chains(struct tf_worker *worker, bool open)
{
    struct tf_chains *chains = &worker->outbox.chains;
    if (open) {
        chains->owner = worker->chip->epochs.owner;
        chains->disordered = false;
        for (unsigned owner = 0; owner < worker->chip->workers.count; owner++)
            chains->to[owner].end = &chains->to[owner].first;
        chains->requests = worker->figures.requests;
        worker->outbox.next_key = 0;
        worker->sink.issue_simple = chains->owner == worker_0 ? issue_in_chain_0 : issue_chained;
    } else if (chains->open) {
        worker->sink.issue_simple = issue_simple;
    }
    chains->open = open;
}

/* Worker 0 calls this before tf_deliver_run() decides on chains. */
void tf_deliver_begin(struct tf_worker *worker)
{
    worker->outbox.arena = &worker->arena[worker->chip->epochs.number & 1];
    worker->outbox.answers = worker->outbox.mail[tf_responses_of(worker->chip->epochs.number)];
    tf_arena_reset(worker->outbox.arena);
    worker->outbox.multicasts = NULL;
    worker->outbox.multicasts_end = &worker->outbox.multicasts;
    set_chains(worker, worker->number != 0 && worker->chip->epochs.chains);
}

void tf_deliver_run(struct tf_epochs *epochs, const struct tf_workers *workers, uint32_t slice_ticks,
                    const uint16_t *owner)
{
    struct tf_worker *worker = &workers->worker[0];
    owner = owner != NULL ? owner : worker_0;
    bool chains = epochs->unchained == 0 && worker->outbox.chains.may_open &&
                  epochs->run_end - epochs->tick <= slice_ticks &&
                  epochs->hold <= epochs->tick; /* else the epoch's end depends on who gets requests */
    epochs->unchained -= epochs->unchained != 0;
    if (epochs->chains != chains || epochs->owner != owner) {
        epochs->chains = chains;
        epochs->owner = owner;
    }
    set_chains(worker, chains);
}

static inline bool is_chainer(const struct tf_epochs *epochs, unsigned worker)
{
    return epochs->chainers[worker / 64] >> worker % 64 & 1;
}

uint64_t tf_deliver_chained(struct tf_epochs *epochs, const struct tf_workers *workers)
{
    uint64_t chainers[TF_WORKERS_MAX / 64] = {0};
    bool all = true;
    uint64_t requests = 0;
    if (!epochs->chains)
        return 0;
    for (unsigned i = 0; i < workers->count; i++) {
        if (!tf_took_part(&workers->worker[i], epochs->number + 1))
            continue;
        all &= workers->worker[i].outbox.chains.open;
        requests += workers->worker[i].figures.requests - workers->worker[i].outbox.chains.requests;
        chainers[i / 64] |= 1ull << i % 64;
    }
    if (memcmp(epochs->chainers, chainers, sizeof chainers) != 0)
        memcpy(epochs->chainers, chainers, sizeof chainers);
    if (all)
        return requests;
    for (unsigned i = 0; i < workers->count; i++)
        if (workers->worker[i].outbox.chains.open && is_chainer(epochs, i))
            break_chains(&workers->worker[i]);
    epochs->unchained = requests > FEW_REQUESTS ? UNCHAINED_EPOCHS : 0;
    return 0;
}

void tf_deliver_gather(struct tf_epochs *epochs, const struct tf_workers *workers)
{
    epochs->multicasters = 0;
    for (unsigned i = 0; i < workers->count; i++)
        if (tf_took_part(&workers->worker[i], epochs->number + 1) &&
            tf_has_found(&workers->worker[i], TF_FOUND_MULTICASTS))
            epochs->multicasts[epochs->multicasters++] = workers->worker[i].outbox.multicasts;
}

/* Make a site's copies of the multicasts that reach it. The copies of each worker come out in delivery order. */
static void copy_multicasts(struct tf_worker *worker, unsigned site, struct tf_mail *copies)
{
    const struct tf_chip *chip = worker->chip;
    for (unsigned i = 0; i < chip->epochs.multicasters; i++)
        for (const struct tf_multicast *one = chip->epochs.multicasts[i]; one != NULL; one = one->next) {
            if (!tf_sites_has(&one->sites, site))
                continue;
            struct tf_noc_copy *copy = tf_arena_take(worker->outbox.arena, sizeof *copy);
            if (copy == NULL) {
                worker->sink.out_of_memory = true;
                return;
            }
            copy->entry = (struct tf_noc_entry){.key = one->request->entry.key, .node = (uint16_t)site, .copy = true};
            copy->request = one->request;
            tf_mail_put(copies, &copy->entry);
        }
}

/* Requests or responses for a site, as several lists. Each list is in delivery order. */
struct lists {
    unsigned count;
    struct tf_noc_entry *first[TF_WORKERS_MAX + 1];
};

static inline void add_list(struct lists *lists, struct tf_noc_entry *first)
{
    if (first != NULL)
        lists->first[lists->count++] = first;
}

/* Take the lists for a site from all workers, and its copies of multicasts. */
static inline void take_lists(struct tf_worker *worker, unsigned site, enum tf_mail_kind kind, struct lists *lists)
{
    struct tf_chip *chip = worker->chip;
    lists->count = 0;
    for (unsigned i = 0; i < chip->workers.count; i++)
        add_list(lists, tf_mail_take(&chip->workers.worker[i].outbox.mail[kind][site]));
    if (kind != TF_MAIL_REQUESTS || chip->epochs.multicasters == 0)
        return;
    struct tf_mail copies = {0};
    copy_multicasts(worker, site, &copies);
    add_list(lists, tf_mail_take(&copies));
}

static __attribute__((noinline)) struct tf_noc_entry *merged(const struct lists *lists)
{
    struct tf_mail_bins bins = {{0}};
    for (unsigned i = 0; i < lists->count; i++)
        tf_mail_add(&bins, lists->first[i]);
    return tf_mail_merge(&bins);
}

/* Take the lists for a site, merged into one. */
static inline struct tf_noc_entry *take(struct tf_worker *worker, unsigned site, enum tf_mail_kind kind)
{
    struct lists lists;
    take_lists(worker, site, kind, &lists);
    return lists.count == 0 ? NULL : lists.count == 1 ? lists.first[0] : merged(&lists);
}

/* Peek at the lists for a site, merged into one. The merged list becomes mail of worker 0. */
static struct tf_noc_entry *look(struct tf_workers *workers, unsigned site, enum tf_mail_kind kind)
{
    struct tf_noc_entry *oldest = take(&workers->worker[0], site, kind), *newest = oldest;
    while (newest != NULL && newest->next != NULL)
        newest = newest->next;
    workers->worker[0].outbox.mail[kind][site] = (struct tf_mail){.oldest = oldest, .newest = newest};
    return oldest;
}

struct tf_due tf_responses_due(struct tf_worker *worker, unsigned site)
{
    struct tf_chip *chip = worker->chip;
    return (struct tf_due){.kept = chip->site[site].kept,
                           .mailed = look(&chip->workers, site, tf_responses_of(chip->epochs.number - 1))};
}

const struct tf_noc_response *tf_due_next(struct tf_due *due, struct tf_noc_response *made)
{
    while (due->kept != NULL && !due->kept->entry.settled)
        due->kept = due->kept->next_kept;
    struct tf_noc_entry *mailed = due->mailed;
    if (due->kept != NULL && (mailed == NULL || tf_mail_precedes(&due->kept->entry, mailed))) {
        tf_noc_response_of(due->kept, made);
        due->kept = due->kept->next_kept;
        return made;
    }
    if (mailed != NULL)
        due->mailed = mailed->next;
    return (struct tf_noc_response *)mailed;
}

struct tf_noc_entry *tf_answers_due(struct tf_worker *worker, unsigned site)
{
    return look(&worker->chip->workers, site, tf_responses_of(worker->chip->epochs.number));
}

static void land(struct tf_worker *worker, unsigned site, const struct tf_noc_response *response)
{
    tf_observed_land(worker, site, response, worker->chip->epochs.number - 1);
}

void tf_land_merged(struct tf_worker *worker, unsigned number)
{
    struct tf_chip *chip = worker->chip;
    struct tf_site *site = &chip->site[number];
    struct tf_due due = {.kept = site->kept, .mailed = take(worker, number, tf_responses_of(chip->epochs.number - 1))};
    struct tf_noc_response made;
    const struct tf_noc_response *response;
    site->kept = NULL;
    while ((response = tf_due_next(&due, &made)) != NULL)
        land(worker, number, response);
}

void tf_inbox_fill(struct tf_worker *worker, unsigned site)
{
    struct tf_inbox *inbox = &worker->chip->site[site].inbox;
    if (inbox->gathered)
        return;
    inbox->oldest = take(worker, site, TF_MAIL_REQUESTS);
    inbox->gathered = inbox->oldest != NULL;
}

/* Find the list with the least key. *end_key: the least key of the other lists. No two lists share a key. */
static unsigned least_list(const struct lists *lists, uint64_t *end_key)
{
    unsigned least = 0;
    *end_key = UINT64_MAX;
    for (unsigned i = 1; i < lists->count; i++) {
        uint64_t key = lists->first[i]->key, least_key = lists->first[least]->key;
        if (key < least_key) {
            least = i;
            key = least_key;
        }
        *end_key = tf_min(*end_key, key);
    }
    return least;
}

static void act_observed(struct tf_worker *worker, struct tf_noc_request *request, uint16_t node)
{
    tf_observed_act(worker, request, node, worker->chip->epochs.number);
}

/* tf_noc_act_until(), seen by the log and the race checker. */
static unsigned act_all_observed(struct tf_worker *worker, struct tf_noc_entry **first, uint64_t end_key)
{
    unsigned count = 0;
    for (; *first != NULL && (*first)->key < end_key; count++) {
        struct tf_noc_entry *entry = *first;
        *first = entry->next;
        act_observed(worker, tf_request_of(entry), entry->node);
    }
    return count;
}

/* Let the requests of a sorted list with keys below end_key act. Returns their number. */
static inline unsigned act_all(struct tf_worker *worker, struct tf_noc_entry **first, uint64_t end_key)
{
    struct tf_chip *chip = worker->chip;
    if (__builtin_expect(tf_hear_requests(&chip->observers), 0))
        return act_all_observed(worker, first, end_key);
    return tf_noc_act_until(chip->fabric, first, end_key, &worker->sink);
}

/* What a visit of the node's site would do before a chained request acts there, and after it has acted. forked: the
   site may have to be copied to a fork, or from one. current: is_current() is true. */
static inline __attribute__((always_inline)) void arrive(struct tf_worker *worker, struct tf_node *node, bool forked,
                                                         bool current)
{
    struct tf_chip *chip = worker->chip;
    unsigned site = node->site;
    if (!current)
        tf_find_faults(worker, worker->outbox.chains.acted_at);
    worker->outbox.chains.acted_at = node;
    if (forked)
        tf_forks_visit(&chip->forks, chip->fabric, site);
    tf_bring_node(chip, node, &chip->site[site], current);
    tf_sites_add(&worker->found.sent_to, site);
}

/* Is the target node a tile that is up to date, and has the previous target no faults? */
static inline bool is_current(const struct tf_worker *worker, const struct tf_node *node, bool l1_only)
{
    const struct tf_chip *chip = worker->chip;
    const struct tf_tile *last = worker->outbox.chains.acted_at->tile;
    return tf_node_is_current(chip, node, &chip->site[node->site], l1_only) && last != NULL && last->faults.count == 0;
}

static __attribute__((noinline)) void arrive_anywhere(struct tf_worker *worker, struct tf_node *node)
{
    arrive(worker, node, false, false);
}

/* The common path makes no call and saves no register: row `atomic1-inc-spread`. */
static void arrive_chained(struct tf_noc_sink *sink, struct tf_node *node, bool l1_only)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    if (is_current(worker, node, l1_only))
        arrive(worker, node, false, true);
    else
        arrive_anywhere(worker, node);
}

static void arrive_chained_forked(struct tf_noc_sink *sink, struct tf_node *node, bool l1_only)
{
    (void)l1_only;
    arrive((struct tf_worker *)sink, node, true, false);
}

/* act_all() for requests with several target sites, which no phase visits. */
static inline unsigned act_chained(struct tf_worker *worker, struct tf_noc_entry **first, uint64_t end_key)
{
    struct tf_chip *chip = worker->chip;
    tf_noc_arrive *arrives = tf_forks_open(&chip->forks) ? arrive_chained_forked : arrive_chained;
    worker->outbox.chains.acted_at = &chip->fabric->node[(*first)->node];
    unsigned count = tf_noc_act_chained(chip->fabric, first, end_key, &worker->sink, arrives);
    tf_find_faults(worker, worker->outbox.chains.acted_at);
    return count;
}

/* Let the requests of sorted lists act in delivery order. The lists are not merged, so each entry is fetched once from
   another worker's cache. act: act_all() or act_chained(). Bench rows: `cb` and atomic-*, on several threads. */
static inline __attribute__((always_inline)) unsigned act_interleaved(struct tf_worker *worker, struct lists *lists,
                                                                      unsigned (*act)(struct tf_worker *worker,
                                                                                      struct tf_noc_entry **first,
                                                                                      uint64_t end_key))
{
    unsigned acted = 0;
    while (lists->count > 1) {
        uint64_t end_key;
        unsigned least = least_list(lists, &end_key);
        acted += act(worker, &lists->first[least], end_key);
        if (lists->first[least] == NULL)
            lists->first[least] = lists->first[--lists->count];
    }
    return lists->count == 0 ? acted : acted + act(worker, &lists->first[0], UINT64_MAX);
}

void tf_execute_site(struct tf_worker *worker, unsigned site)
{
    struct tf_inbox *inbox = &worker->chip->site[site].inbox;
    struct lists lists; /* too large to zero */
    tf_bring_up_to_date(worker, site);
    if (__builtin_expect(inbox->gathered, 0)) {
        lists.count = 1;
        lists.first[0] = inbox->oldest;
        inbox->gathered = false;
    } else {
        take_lists(worker, site, TF_MAIL_REQUESTS, &lists);
    }
    worker->figures.deliveries += act_interleaved(worker, &lists, act_all);
    tf_find_faults(worker, &worker->chip->fabric->node[site]);
}

/* The chain for an owner; NULL if it is empty. */
static inline struct tf_noc_entry *chain_of(struct tf_chains *chains, unsigned owner)
{
    if (chains->to[owner].end == &chains->to[owner].first)
        return NULL;
    struct tf_noc_entry *first = close_chain(chains, owner);
    return chains->disordered ? tf_mail_sort(first) : first;
}

struct tf_sites tf_chain_sites(const struct tf_sharing *sharing)
{
    struct tf_sites sites = {{0}};
    for (unsigned owner = 0; owner < sharing->team->count; owner++)
        if (sharing->owned[owner] != TF_NO_OWNER)
            tf_sites_add(&sites, sharing->owned[owner]);
    return sites;
}

void tf_execute_chains(struct tf_worker *worker, unsigned site)
{
    struct tf_chip *chip = worker->chip;
    unsigned owner = chip->epochs.owner[site];
    struct lists lists; /* too large to zero */
    lists.count = 0;
    for (unsigned i = 0; i < chip->workers.count; i++) {
        if (is_chainer(&chip->epochs, i))
            add_list(&lists, chain_of(&chip->workers.worker[i].outbox.chains, owner));
    }
    worker->figures.deliveries += act_interleaved(worker, &lists, act_chained);
}

/* Take the lists of all workers and sites, merged into one. */
static struct tf_noc_entry *take_all(struct tf_workers *workers, unsigned sites, enum tf_mail_kind kind)
{
    struct tf_mail_bins bins = {{0}};
    for (unsigned site = 0; site < sites && kind == TF_MAIL_REQUESTS; site++) {
        struct tf_mail copies = {0};
        copy_multicasts(&workers->worker[0], site, &copies);
        tf_mail_add(&bins, tf_mail_take(&copies));
    }
    for (unsigned i = 0; i < workers->count; i++)
        for (unsigned site = 0; site < sites; site++)
            tf_mail_add(&bins, tf_mail_take(&workers->worker[i].outbox.mail[kind][site]));
    return tf_mail_merge(&bins);
}

void tf_execute_serial(struct tf_worker *worker, const struct tf_sites *sources)
{
    struct tf_chip *chip = worker->chip;
    for (unsigned site = 0; site < chip->fabric->nodes; site++)
        if (tf_sites_has(sources, site))
            tf_stage_long_writes(worker, site);
    for (struct tf_noc_entry *entry = take_all(&chip->workers, chip->fabric->nodes, TF_MAIL_REQUESTS); entry != NULL;
         entry = entry->next) {
        tf_bring_up_to_date(worker, tf_site_of(chip->fabric, entry->node));
        act_observed(worker, tf_request_of(entry), entry->node);
        tf_find_faults(worker, &chip->fabric->node[entry->node]);
        worker->figures.deliveries++;
    }
}

void tf_land_serial(struct tf_worker *worker)
{
    struct tf_chip *chip = worker->chip;
    struct tf_noc_entry *entry = take_all(&chip->workers, chip->fabric->nodes,
                                          tf_responses_of(chip->epochs.number - 1));
    for (; entry != NULL; entry = entry->next) {
        const struct tf_noc_response *response = (const struct tf_noc_response *)entry;
        tf_bring_up_to_date(worker, tf_site_of(chip->fabric, response->node));
        land(worker, tf_site_of(chip->fabric, response->node), response);
    }
    chip->epochs.landing = (struct tf_sites){{0}};
}
