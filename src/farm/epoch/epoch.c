/* SPDX-License-Identifier: Apache-2.0 */
/* One epoch of deterministic mode: run the active sites, then deliver the requests that they sent. */
#include "farm/epoch/ahead.h"

#include "farm/chip/chip.h"
#include "farm/chip/figures.h"
#include "farm/chip/found.h"
#include "farm/share/take_part.h"
#include "farm/explore/drawn.h"
#include "farm/order/bulk.h"
#include "farm/order/deliver.h"
#include "farm/order/reach.h"
#include "farm/share/phase.h"
#include "farm/transit/arrive.h"
#include "farm/transit/depart.h"
#include "farm/transit/transit.h"
#include "host/extremes.h"
#include "noc/requests/land.h"
#include "noc/requests/visit.h"
#include "tile/eth/eth.h"
#include "tile/riscv/exec/hosted.h"
#include "tile/riscv/hart/observed.h"
#include "tile/tensix/matrix/scratch.h"

/* Note the long requests of a tile. A tile with long writes is visited in the next epoch too: their counters move at
   this epoch's end, and a hart may poll them. */
static void note_bulk(struct tf_worker *worker, struct tf_site *site, struct tf_node *node)
{
    if (site->long_reads != NULL)
        tf_find_more(worker, TF_FOUND_LONG_READS, &worker->more.long_reads, node->site);
    if (site->long_writes == NULL)
        return;
    site->uncaptured = site->long_writes;
    tf_sites_add(&worker->found.busy, node->site);
    tf_find_more(worker, TF_FOUND_BULK, &worker->more.bulk, node->site);
}

/* Called before a worker runs the tile of a site. */
static inline void open_outbox(struct tf_outbox *outbox, struct tf_site *site, unsigned number, struct tf_tile *tile,
                               unsigned sites)
{
    uint64_t order = number >= outbox->first ? number - outbox->first : number + sites - outbox->first;
    site->long_writes = site->long_reads = NULL;
    outbox->site = site;
    outbox->tile = tile;
    tile->place = 0; /* a NIU may issue a waiting command before the first slice */
    outbox->kept_end = &site->kept;
    uint64_t key = tf_key_of_site(order);
    outbox->chains.disordered |= key < outbox->next_key;
    outbox->next_key = key;
}

/* Called after a worker has run the tile of a site. */
static inline void close_outbox(struct tf_worker *worker, unsigned number, struct tf_site *site, struct tf_node *node)
{
    *worker->outbox.kept_end = NULL;
    if (site->kept != NULL)
        tf_sites_add(&worker->found.landing, number);
    if (__builtin_expect(site->long_reads != NULL || site->long_writes != NULL, 0))
        note_bulk(worker, site, node);
}

/* Run the tile of a site in timing mode. Packets arrive in their cycles. */
static __attribute__((noinline)) bool run_timed(struct tf_worker *worker, unsigned number, struct tf_tile *tile)
{
    struct tf_chip *chip = worker->chip;
    const uint64_t end = tf_tick_end(&chip->schedule, chip->epochs.run_end - 1);
    for (struct tf_flight *flight; (flight = tf_transit_next(chip->transit, number, end)) != NULL;) {
        tf_tile_run_to(tile, flight->due);
        tf_transit_arrive(worker, flight);
    }
    tf_ahead_may(tile->timing, tf_ahead_most(chip, number));
    return tf_tile_run(tile, &chip->schedule, chip->epochs.run_end);
}

/* How a tile runs: it may doze, or its time passes up to where it has run; or in timing mode. */
enum how { VISIT, RUN, TIMED };

static inline bool run_as(struct tf_worker *worker, unsigned number, struct tf_tile *tile, const enum how how,
                          uint64_t *next)
{
    const struct tf_chip *chip = worker->chip;
    if (how == VISIT)
        return tf_tile_visit(tile, &chip->schedule, chip->epochs.tick, chip->epochs.run_end, next);
    const bool quiet = how == TIMED ? run_timed(worker, number, tile)
                                    : tf_tile_run(tile, &chip->schedule, chip->epochs.run_end);
    *next = tile->slice.tick;
    return quiet;
}

static inline __attribute__((always_inline)) void run_tile(struct tf_worker *worker, unsigned number,
                                                           struct tf_site *site, struct tf_node *node,
                                                           const enum how how)
{
    struct tf_chip *chip = worker->chip;
    struct tf_tile *tile = node->tile;
    open_outbox(&worker->outbox, site, number, tile, chip->fabric->nodes);
    tf_tally_begin(&worker->figures, tile, chip->epochs.tick, worker->outbox.next_key);
    tf_node_epoch(node, &worker->sink);
    tf_scratch_lend(worker->scratch, tile);
    uint64_t next;
    bool quiet = run_as(worker, number, tile, how, &next);
    tf_scratch_reclaim(tile);
    tf_node_epoch(node, NULL);
    tf_tally_end(&worker->figures, tile, next, worker->outbox.next_key);
    close_outbox(worker, number, site, node);
    if (!quiet)
        worker->found.what |= TF_FOUND_RUNNING;
    if (!quiet || tf_node_pending(node))
        tf_sites_add(&worker->found.busy, node->site);
    worker->found.tick_max = tf_max(worker->found.tick_max, next);
    if (__builtin_expect(tile->faults.count != 0, 0))
        tf_find_faults(worker, node);
    if (__builtin_expect(tile->said != NULL && (tile->said->entries != 0 || tile->said->lost), 0))
        worker->found.what |= TF_FOUND_SAID;
}

/* Land the last epoch's responses. */
static inline void land(struct tf_worker *worker, unsigned number, struct tf_site *site, struct tf_node *node)
{
    if (__builtin_expect(worker->chip->epochs.merges, 0)) {
        worker->outbox.copied = NULL;
        if (tf_sites_has(&worker->chip->epochs.landing, number))
            tf_land_merged(worker, number);
        return;
    }
    const struct tf_noc_request *kept = site->kept;
    site->kept = NULL;
    worker->outbox.copied = tf_noc_land_kept(node, kept);
}

/* Run the cores of a DRAM channel's other ports. Their NIUs' requests and answers belong to the channel's site. */
static __attribute__((noinline)) void run_ports(struct tf_worker *worker, unsigned site)
{
    struct tf_chip *chip = worker->chip;
    for (unsigned i = site + 1; i < chip->fabric->nodes; i++)
        if (tf_site_of(chip->fabric, i) == site && chip->fabric->node[i].tile != NULL)
            run_tile(worker, i, &chip->site[i], &chip->fabric->node[i], RUN);
}

/* Out of line, so that the compiler keeps the two addresses instead of their parts: row `atomic1-inc-spread`. */
static __attribute__((noinline)) void run_node(struct tf_worker *worker, unsigned number, struct tf_site *site,
                                               struct tf_node *node)
{
    /* The answers that a request keeps land in L1. */
    const bool dozes = node->tile != NULL && tf_tile_dozes(node->tile);
    tf_bring_node(worker->chip, node, site,
                  dozes && tf_node_is_current(worker->chip, node, site, !worker->chip->epochs.merges));
    land(worker, number, site, node);
    if (node->tile != NULL)
        run_tile(worker, number, site, node, VISIT);
}

/* A message to an Ethernet tile's firmware that came in the visit is answered in the next one. So the tile is not
   quiet. */
static void note_message(struct tf_worker *worker, const struct tf_node *node)
{
    if (node->kind != TF_NODE_ETH || node->tile == NULL || !tf_eth_has_message(node->tile))
        return;
    worker->found.what |= TF_FOUND_RUNNING;
    tf_sites_add(&worker->found.busy, node->site);
}

static void answer_messages(struct tf_worker *worker, struct tf_site *site, struct tf_node *node)
{
    if (node->kind != TF_NODE_ETH || node->tile == NULL || !tf_eth_has_message(node->tile))
        return;
    tf_bring_node_up_to_date(worker->chip, node, site);
    tf_eth_answer_messages(node->tile);
}

/* run_node() for nodes that are no Tensix tiles. */
static __attribute__((noinline)) void run_other(struct tf_worker *worker, unsigned number, struct tf_site *site,
                                                struct tf_node *node)
{
    answer_messages(worker, site, node);
    run_node(worker, number, site, node);
    note_message(worker, node);
    if (node->ports_run)
        run_ports(worker, number);
}

static void run_site(struct tf_worker *worker, unsigned number)
{
    if (worker->next_site != TF_NO_SITE)
        tf_node_fetch(&worker->chip->fabric->node[worker->next_site], worker->chip->site[worker->next_site].kept);
    struct tf_site *site = &worker->chip->site[number];
    struct tf_node *node = &worker->chip->fabric->node[number];
    if (__builtin_expect(node->kind != TF_NODE_TENSIX, 0))
        run_other(worker, number, site, node);
    else
        run_node(worker, number, site, node);
}

/* run_site() in timing mode. */
static void run_site_timed(struct tf_worker *worker, unsigned number)
{
    struct tf_chip *chip = worker->chip;
    struct tf_node *node = &chip->fabric->node[number];
    struct tf_site *site = &chip->site[number];
    const struct tf_node *next = worker->next_site != TF_NO_SITE ? &chip->fabric->node[worker->next_site] : NULL;
    if (next != NULL && next->tile != NULL)
        tf_tile_fetch_timed(next->tile);
    if (node->tile != NULL && tf_ahead_of(node->tile->timing) != 0 && tf_ahead_passes(worker, number))
        return;
    tf_bring_node_up_to_date(chip, node, site);
    if (node->tile != NULL) {
        answer_messages(worker, site, node);
        run_tile(worker, number, site, node, TIMED);
        note_message(worker, node);
        if (tf_sites_has(&worker->found.busy, number))
            worker->found.ahead = tf_min(worker->found.ahead, tf_ahead_of(node->tile->timing));
        return;
    }
    const uint64_t end = tf_tick_end(&chip->schedule, chip->epochs.run_end - 1);
    for (struct tf_flight *flight; (flight = tf_transit_next(chip->transit, number, end)) != NULL;)
        tf_transit_arrive(worker, flight);
}

/* What all workers have found. */
struct sum {
    struct tf_found found;
    struct tf_found_more more;
};

static void join_more(struct sum *sum, const struct tf_worker *worker)
{
    if (tf_has_found(worker, TF_FOUND_BULK))
        tf_sites_join(&sum->more.bulk, &worker->more.bulk);
    if (tf_has_found(worker, TF_FOUND_LONG_READS))
        tf_sites_join(&sum->more.long_reads, &worker->more.long_reads);
    if (tf_has_found(worker, TF_FOUND_STAGED_READS))
        tf_sites_join(&sum->more.staged_reads, &worker->more.staged_reads);
}

static void collect(const struct tf_workers *workers, uint64_t epoch, struct sum *sum)
{
    *sum = (struct sum){.found.ahead = UINT64_MAX};
    for (unsigned i = 0; i < workers->count; i++) {
        const struct tf_worker *worker = &workers->worker[i];
        if (!tf_took_part(worker, epoch))
            continue;
        sum->found.what |= worker->found.what;
        sum->found.ahead = tf_min(sum->found.ahead, worker->found.ahead);
        sum->found.tick_max = tf_max(sum->found.tick_max, worker->found.tick_max);
        tf_sites_join(&sum->found.landing, &worker->found.landing);
        tf_sites_join(&sum->found.busy, &worker->found.busy);
        tf_sites_join(&sum->found.sent_to, &worker->found.sent_to);
        join_more(sum, worker);
    }
}

/* tf_tiles_promote() is called when the memory has this age in epochs, and each time that its age has doubled. Later it
   is called at multiples of PROMOTION_EPOCHS_MOST. */
#define PROMOTION_EPOCHS 0x400u
#define PROMOTION_EPOCHS_MOST 0x20000u

static void execute_chains(struct tf_pacing *pacing)
{
    const struct tf_sharing *sharing = pacing->sharing;
    struct tf_worker *worker = &pacing->workers->worker[0];
    if (pacing->spread) {
        struct tf_sites sites = tf_chain_sites(sharing);
        tf_visit_sites(pacing, &sites, tf_execute_chains, TF_PHASE_CHAINS);
        return;
    }
    bool timed = *sharing->plan.turn % TF_TIMED_EPOCHS == 0;
    double began_s = timed ? tf_seconds() : 0;
    tf_execute_chains(worker, 0);
    if (timed)
        worker->figures.deliver_s += (tf_seconds() - began_s) * TF_TIMED_EPOCHS;
}

/* Let requests of all kinds act, site by site. */
static void execute(struct tf_pacing *pacing, struct tf_epochs *epochs, const struct sum *sum)
{
    struct tf_sites bulk = sum->more.bulk;
    for (unsigned w = 0; w < TF_SET_WORDS; w++)
        bulk.word[w] &= sum->found.sent_to.word[w];
    tf_sites_join(&bulk, &sum->more.long_reads);
    bool for_others = sum->found.what & TF_FOUND_READS_FOR_OTHERS;
    if (epochs->reads_for_others != for_others)
        epochs->reads_for_others = for_others;
    tf_visit_sites(pacing, &bulk, tf_prepare_site, TF_PHASE_PREPARE);
    tf_visit_sites(pacing, &sum->found.sent_to, tf_execute_site, TF_PHASE_EXECUTE);
}

/* chained: all requests are in chains, and `sum` may lack the findings of the run phase. */
static void deliver(struct tf_pacing *pacing, struct tf_epochs *epochs, struct sum *sum, bool chained, bool serial)
{
    const struct tf_workers *workers = pacing->workers;
    if (epochs->multicasters != 0 || (!chained && sum->found.what & TF_FOUND_MULTICASTS))
        tf_deliver_gather(epochs, workers);
    if (chained)
        execute_chains(pacing);
    else if (serial)
        tf_execute_serial(&workers->worker[0], &sum->more.bulk);
    else
        execute(pacing, epochs, sum);
    collect(workers, epochs->number + 1, sum);
    if (serial)
        tf_visit_serial(pacing, &sum->more.staged_reads, tf_land_long_reads);
    else
        tf_visit_sites(pacing, &sum->more.staged_reads, tf_land_long_reads, TF_PHASE_PREPARE);
}

/* Does this epoch look for memory that may become huge pages? A search costs as much as a thousand short epochs, so
   searches become rarer: row `ping-pong-2`. */
static bool promotes(uint64_t age)
{
    return age % PROMOTION_EPOCHS_MOST == 0 || (age >= PROMOTION_EPOCHS && (age & (age - 1)) == 0);
}

/* Advance the time to the latest tick that a tile ran, or to a later one. */
static void pass(struct tf_chip *chip, uint64_t least)
{
    const struct tf_workers *workers = &chip->workers;
    uint64_t tick = tf_max(chip->epochs.tick + 1, least);
    unsigned what = 0;
    for (unsigned i = 0; i < workers->count; i++) {
        const struct tf_found *found = &workers->worker[i].found;
        if (!tf_took_part(&workers->worker[i], chip->epochs.number + 1))
            continue;
        what |= found->what;
        tick = tf_max(tick, found->tick_max);
    }
    tf_epochs_pass(&chip->epochs, &chip->schedule, what & TF_FOUND_RUNNING ? chip->epochs.run_end : tick);
}

bool tf_epoch(struct tf_chip *chip, uint64_t tick_limit)
{
    const uint64_t left = tick_limit - chip->epochs.tick, hold = tf_min(chip->epochs.hold, tick_limit);
    const uint32_t united = TF_HOOK(chip->transit) != NULL ? tf_transit_unites(chip->transit) : 0;
    const bool stirs = tf_sites_meet(&chip->epochs.active, &chip->epochs.links), held = hold > chip->epochs.tick;
    chip->epochs.run_end = chip->epochs.tick + (held ? left : tf_min(chip->epochs.ticks + united, left));
    tf_take_part(&chip->workers.worker[0]);
    if (TF_HOOK(chip->exploring) != NULL)
        tf_exploring_land(chip->exploring);
    else if (chip->serial)
        tf_land_serial(&chip->workers.worker[0]);
    struct tf_phase_plan plan;
    tf_phase_plan(&chip->pacing, &chip->epochs.active, TF_PHASE_RUN, &plan);
    tf_owners_follow(&chip->sharing);
    tf_deliver_run(&chip->epochs, &chip->workers, chip->schedule.slice_ticks, plan.shared ? chip->sharing.owner : NULL);
    tf_visit *const run = TF_HOOK(chip->transit) != NULL ? run_site_timed : run_site;
    if (TF_HOOK(chip->first) != 0)
        tf_phase_first(&chip->pacing, &plan, chip->first - 1, run);
    tf_phase_begin(&chip->pacing, &plan, run);

    struct sum sum;
    const struct tf_found *found = &sum.found;
    chip->pacing.chained = tf_deliver_chained(&chip->epochs, &chip->workers);
    bool chained = chip->pacing.chained != 0;
    if (!chained) /* chained epochs collect later: helpers' findings come from other caches (row atomic1-inc-spread) */
        collect(&chip->workers, chip->epochs.number + 1, &sum);
    pass(chip, held && tf_sites_meet(&found->sent_to, &chip->epochs.links) ? hold : 0);

    bool sent = chained || !tf_sites_none(&found->sent_to);
    if (TF_HOOK(chip->exploring) != NULL)
        tf_exploring_deliver(chip->exploring);
    else if (TF_HOOK(chip->transit) != NULL)
        tf_transit_depart(chip->transit);
    else if (sent)
        deliver(&chip->pacing, &chip->epochs, &sum, chained, chip->serial);
    const uint32_t ticks = chip->epochs.ticks;
    chip->epochs.ticks = sent ? chip->epoch_ticks_min : tf_min(chip->epochs.ticks * 2, chip->epoch_ticks_max);
    chip->epochs.landing = found->landing;
    bool merges = found->what & TF_FOUND_MAILED || tf_hear_requests(&chip->observers);
    if (chip->epochs.merges != merges)
        chip->epochs.merges = merges;
    chip->epochs.uncaptured = sum.more.bulk;
    chip->epochs.active = found->busy;
    tf_sites_join(&chip->epochs.active, &found->sent_to);
    tf_sites_join(&chip->epochs.active, &found->landing);
    if (TF_HOOK(chip->exploring) != NULL)
        tf_exploring_activate(chip->exploring, &chip->epochs.active);
    if (TF_HOOK(chip->transit) != NULL) {
        const bool none = tf_transit_activate(chip->transit, &chip->epochs.active, tick_limit);
        chip->epochs.ticks = none ? tf_min(ticks * 2, chip->schedule.slice_ticks) : 1;
    }
    if (held && hold > chip->epochs.tick && tf_sites_meet(&chip->epochs.active, &chip->epochs.links))
        tf_epochs_pass(&chip->epochs, &chip->schedule, hold); /* an answer lands there */
    if (sent || stirs)
        chip->epochs.stirred = chip->epochs.tick;
    chip->epochs.number++;
    if (TF_HOOK(chip->transit) != NULL)
        tf_ahead_follow(chip, found, tick_limit);
    if (promotes(++chip->epochs.age))
        tf_tiles_promote(&chip->tiles);
    return !tf_sites_none(&chip->epochs.active);
}
