/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker's visits, and their length. While any tile sends requests, a visit lasts one slice: a core that waits for an
 * answer then polls little. Otherwise the length doubles with each round of a worker's sites, up to the longest epoch,
 * because loading a tile into the cache takes time. The first request of any tile ends all visits with their present
 * slice. Bench rows (relaxed): alu-5x140 for long visits, barrier-700 for short ones.
 */
#include "farm/chip/found.h"
#include "farm/order/trace.h"
#include "farm/relaxed/end.h"
#include "farm/relaxed/link.h"
#include "farm/relaxed/sink.h"
#include "farm/relaxed/taken.h"
#include "farm/relaxed/visit.h"
#include "farm/relaxed/wake.h"

#include "host/assert.h"
#include "host/extremes.h"
#include "noc/requests/visit.h"
#include "tile/eth/eth.h"
#include "tile/eth/link.h"
#include "tile/eth/connect.h"
#include "tile/tensix/matrix/scratch.h"

static bool any_talker(const struct tf_relaxed *relaxed)
{
    return atomic_load_explicit(&relaxed->talkers, memory_order_relaxed) != 0;
}

/* Add the worker to the talkers, or remove it. talks: one of its tiles sent a request in this round or the last one. */
static void set_talking(struct tf_worker *worker, bool talks)
{
    if (worker->relaxed.talks == talks)
        return;
    worker->relaxed.talks = talks;
    if (talks)
        atomic_fetch_add_explicit(&worker->chip->relaxed->talkers, 1, memory_order_relaxed);
    else
        atomic_fetch_sub_explicit(&worker->chip->relaxed->talkers, 1, memory_order_relaxed);
}

/* Choose the length of the visits of the next round. */
static void end_round(struct tf_worker *worker)
{
    const struct tf_rules *rules = &worker->chip->rules;
    uint32_t longest = rules->epoch_cycles_max / rules->slice_cycles;
    uint32_t doubled = worker->relaxed.visit_slices * 2;
    set_talking(worker, worker->relaxed.sent);
    worker->relaxed.sent = false;
    if (any_talker(worker->chip->relaxed))
        worker->relaxed.visit_slices = 1;
    else
        worker->relaxed.visit_slices = tf_min(doubled, longest);
}

/* Has a tile sent anything by its link, or requests? requests: the count of its NIUs before. */
static bool has_sent(const struct tf_node *node, uint64_t requests, const struct tf_relaxed_port *port)
{
    return tf_node_requests(node) != requests || (port != NULL && tf_eth_has_sent(node->tile));
}

/* Run a tile until the visit ends. requests: the count of its NIUs before this visit. Returns whether the tile is
   quiet. */
static bool run_slices(struct tf_worker *worker, const struct tf_node *node, uint64_t requests,
                       const struct tf_relaxed_port *port)
{
    struct tf_chip *chip = worker->chip;
    struct tf_tile *tile = node->tile;
    unsigned faults = tile->faults.count;
    for (uint32_t slices = 1;; slices++) {
        bool quiet = tf_tile_run(tile, &chip->schedule, tile->slice.tick + 1);
        if (has_sent(node, requests, port)) {
            worker->relaxed.sent = true;
            set_talking(worker, true);
            return quiet;
        }
        if (quiet || slices >= worker->relaxed.visit_slices || tile->slice.tick >= chip->relaxed->limit ||
            tile->faults.count != faults || any_talker(chip->relaxed) || tf_relaxed_ended(chip->relaxed) ||
            atomic_load_explicit(chip->relaxed->stop, memory_order_relaxed))
            return quiet;
    }
}

/* Publish a tile's progress for the worker that reports progress. */
static void publish_progress(struct tf_site *site, const struct tf_tile *tile)
{
    atomic_store_explicit(&site->relaxed.visited_slice, tile->slice.tick, memory_order_relaxed);
    atomic_store_explicit(&site->relaxed.visited_instructions, tf_tile_instructions(tile), memory_order_relaxed);
}

static void run_tile(struct tf_worker *worker, struct tf_site *site, struct tf_node *node)
{
    struct tf_chip *chip = worker->chip;
    struct tf_tile *tile = node->tile;
    const struct tf_relaxed_port *port = site->relaxed.port;
    if (tile->slice.tick >= chip->relaxed->limit) {
        atomic_store_explicit(&site->relaxed.quiet, true, memory_order_relaxed);
        return;
    }
    uint64_t requests = tf_node_requests(node);
    tf_tally_begin(&worker->figures, tile, tile->slice.tick, requests);
    tf_node_epoch(node, &worker->sink);
    tf_scratch_lend(worker->scratch, tile);
    bool quiet = run_slices(worker, node, requests, port);
    tf_scratch_reclaim(tile);
    tf_node_epoch(node, NULL);
    TF_PAUSE(GATHERED)
    if (!TF_MUTANT(MISSING_COUNT))
        tf_relaxed_count_gathered(worker);
    tf_tally_end(&worker->figures, tile, tile->slice.tick, tf_node_requests(node));
    if (node->kind == TF_NODE_ETH && tf_eth_has_message(tile))
        quiet = false; /* the next visit answers it */
    if (port != NULL && tile->slice.tick < port->until)
        quiet = false;
    quiet = quiet && !tf_node_pending(node) && tf_relaxed_await(site, tile);
    if (!quiet && atomic_load_explicit(&site->relaxed.awaited, memory_order_relaxed) != 0)
        atomic_store(&site->relaxed.awaited, 0);
    atomic_store_explicit(&site->relaxed.quiet, quiet, memory_order_relaxed);
    if (chip->relaxed->call->on_progress != NULL)
        publish_progress(site, tile);
}

/* Note that a tile has logged faults. End the run if one of them is no hazard. */
static void check_faults(struct tf_worker *worker, const struct tf_node *node)
{
    const struct tf_tile *tile = node->tile;
    bool stopping = false;
    tf_find_faults(worker, node);
    for (unsigned i = 0; i < tile->faults.count; i++)
        stopping |= !tile->faults.entry[i].hazard;
    if (stopping && !worker->chip->rules.go_on_after_fault)
        tf_relaxed_end(worker->chip->relaxed, TF_END_FAULT);
}

/* Visit the tile of a site. */
static void visit_tile(struct tf_worker *worker, struct tf_site *site, struct tf_node *node, bool answered)
{
    struct tf_relaxed_port *port = site->relaxed.port;
    struct tf_tile *tile = node->tile;
    if (node->kind == TF_NODE_ETH && tf_eth_has_message(tile))
        tf_eth_answer_messages(tile);
    if (port != NULL)
        tf_relaxed_resend(port, tile, answered);
    if (port != NULL && tf_relaxed_is_full(port))
        atomic_store_explicit(&site->relaxed.quiet, false, memory_order_relaxed);
    else
        run_tile(worker, site, node);
    if (port != NULL)
        tf_relaxed_hand_over(worker, port, tile);
    tf_trace_report(worker, tile);
    check_faults(worker, node);
}

/* Become the owner of a site (R6). Returns false if another worker is. */
static bool claim(struct tf_site *site)
{
    TF_PAUSE(CLAIM)
    if (TF_MUTANT(OPEN_CLAIM)) {
        bool taken = tf_claim_taken(&site->relaxed.claim);
        TF_MUTANT_PAUSE(OPEN_CLAIM)
        tf_claim_take(&site->relaxed.claim);
        return !taken;
    }
    return tf_claim_take(&site->relaxed.claim);
}

/* Visit a site of the worker's chip, if it has work and no other worker visits it. home: of the site. Returns whether
   it did. */
static bool visit(struct tf_worker *worker, unsigned number, unsigned home)
{
    struct tf_chip *chip = worker->chip;
    struct tf_site *site = &chip->site[number];
    if (worker->number != 0 && tf_sites_has(&chip->sharing.plan.callers, number))
        return false;
    if (!tf_relaxed_runnable(site, &chip->fabric->node[number]) || !claim(site))
        return false;
    worker->relaxed.owned = number;
    worker->figures.steals += home != worker->number;
    struct tf_node *node = &chip->fabric->node[number];
    if (node->tile != NULL)
        node->tile->cycle = tf_tick_begin(&chip->schedule, node->tile->slice.tick);
    atomic_exchange(&site->relaxed.woken, false);
    TF_PAUSE(VISIT)
    const bool answered = site->relaxed.port != NULL && tf_relaxed_is_answered(site->relaxed.port);
    tf_relaxed_take_handed(worker, site);
    if (node->tile != NULL)
        visit_tile(worker, site, node, answered);
    if (worker->sink.out_of_memory && !chip->rules.go_on_after_fault)
        tf_relaxed_end(chip->relaxed, TF_END_FAULT);
    TF_ASSERT(!worker->relaxed.gathered.any || TF_MUTANT(MISSING_COUNT)); /* R8 */
    TF_ASSERT(worker->relaxed.owned == number && tf_claim_taken(&site->relaxed.claim));
    worker->relaxed.owned = TF_NO_NODE;
    TF_PAUSE(LEAVE)
    tf_claim_leave(&site->relaxed.claim);
    return true;
}

static bool visit_and_check_end(struct tf_worker *worker, unsigned number, unsigned home)
{
    if (!visit(worker, number, home))
        return false;
    tf_relaxed_check_end(worker->chip->relaxed, worker->number);
    return true;
}

/* Visit a site of any worker. */
static bool steal(const struct tf_relaxed *relaxed, unsigned number)
{
    for (unsigned chip = 0; chip < relaxed->chips; chip++)
        for (unsigned i = 0; i < relaxed->chip[chip]->fabric->nodes && !tf_relaxed_ended(relaxed); i++)
            if (visit_and_check_end(&relaxed->chip[chip]->workers.worker[number], i, tf_relaxed_home(relaxed, chip, i)))
                return true;
    return false;
}

/* Where there are as many chips as workers, a worker is at home in whole chips: tiles of a chip share more than chips
   do. */
unsigned tf_relaxed_home(const struct tf_relaxed *relaxed, unsigned chip, unsigned site)
{
    const struct tf_share_plan *plan = &relaxed->chip[chip]->sharing.plan;
    if (tf_sites_has(&plan->callers, site))
        return 0;
    return (relaxed->chips >= relaxed->workers && relaxed->chips > 1 ? chip : plan->home[site]) % relaxed->workers;
}

bool tf_relaxed_visit_round(struct tf_relaxed *relaxed, unsigned number)
{
    bool any = false;
    for (unsigned chip = 0; chip < relaxed->chips; chip++) {
        struct tf_worker *worker = &relaxed->chip[chip]->workers.worker[number];
        for (unsigned i = 0; i < worker->relaxed.share_count && !tf_relaxed_ended(relaxed); i++)
            any |= visit_and_check_end(worker, worker->relaxed.share[i], number);
    }
    any = any || steal(relaxed, number);
    for (unsigned chip = 0; chip < relaxed->chips; chip++)
        end_round(&relaxed->chip[chip]->workers.worker[number]);
    return any;
}
