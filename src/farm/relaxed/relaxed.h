/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relaxed mode. There are no epochs: a worker visits a site that has something to do, runs its tile for some slices,
 * and leaves it. A request acts when it is issued, on the worker that runs its tile, with atomic operations of the
 * host.
 *
 * wake.c: sites that have work, and workers that have none. hand.c: requests that only the owner of a site may perform.
 * sink.c: what happens to a request. visit.c: a visit. run.c: a worker, and a run.
 *
 * Whoever visits a site owns it until the visit ends. The memory model is that of the chip, as far as these invariants
 * say; a test that names an invariant fails when the code breaks it.
 *
 *  R1  An atomic is one step on its line of 16 bytes, against every other access of any worker: atomics of the NOC, of
 *      cores and of coprocessors, loads and stores. Source: noc/atomic.h, host atomics in tile/.
 *  R2  Requests of one tile to one site through one NOC act in the order in which they are issued. A request that
 *      has been handed to the owner (R6) holds back all later ones of its tile to that site; if requests of a tile wait
 *      at several owners, all its later requests are handed over. (tf_site.ahead)
 *  R3  What a core has stored before it issues a request is visible to whoever sees what the request did. What a
 *      request has stored is visible before anything that its tile loads or asks for later.
 *  R4  The data of an answer are visible before the counter that reports the answer.
 *  R5  No wake is lost. Whoever acts on a site stores, fences, and loads what the site heeds; a tile that becomes quiet
 *      stores what it heeds, fences, and looks once more. One of the two sees the other. The same holds for the flag
 *      `woken` and the count of idle workers, by sequentially consistent operations. A tile that is not quiet heeds
 *      nothing: it is visited anyway.
 *  R6  Registers, decoded code and header stores over code are touched by the owner alone: other workers hand such a
 *      request over.
 *  R7  No core executes an instruction that was overwritten before it was told so. An owner marks a page before
 *      it decodes it; whoever stores to L1 looks at the mark before (R6) and again after the store and a fence. In the
 *      second case the owner is told to drop the page, which it does before its next slice; the answer and all that
 *      comes behind it (R2) wait for that. Nor does an owner land data on decoded code in the middle of a slice.
 *  R8  When a worker ends a visit, all counters say what happened in it. Until then the counters of another tile's NIU
 *      may lag behind. A core that waits for a counter heeds everything, and is woken when the counter has moved.
 *  R9  A run ends as quiet only when every tile is quiet, no site is woken, and no worker is on a visit.
 */
#ifndef FARM_RELAXED_RELAXED_H
#define FARM_RELAXED_RELAXED_H

#include "farm/chip/chip.h"
#include "host/mutant.h"
#include "host/shared.h"
#include "tile/heed.h"

/* --- wake.c --- */

/* Mark a site as one to visit, and wake a worker for it. Any worker. */
void tf_relaxed_wake(struct tf_chip *chip, unsigned site);

/* End the run, unless it has ended already. Any worker. */
void tf_relaxed_end(struct tf_chip *chip, enum tf_end end);

static inline bool tf_relaxed_ended(const struct tf_chip *chip)
{
    return atomic_load_explicit(&chip->relaxed.end, memory_order_relaxed) >= 0;
}

/* Is a site to be visited? */
bool tf_relaxed_runnable(const struct tf_chip *chip, unsigned site);

/* A worker has found nothing to do: end the run if nobody has anything to do, else sleep until a site is woken. */
void tf_relaxed_idle(struct tf_worker *worker);

/* Does this worker call on_progress? That is the calling thread, also while it has nothing to do. */
static inline bool tf_relaxed_reports(const struct tf_worker *worker)
{
    return worker->number == 0 && worker->chip->config.on_progress != NULL;
}

/* What a site heeds: pages of its L1 (tf_heed_pages()). For R5, after a store and a fence. */
static inline uint64_t tf_relaxed_heeds(struct tf_site *site)
{
#if defined(TF_TSAN)
    return atomic_fetch_or(&site->relaxed.heeds, 0);
#else
    return atomic_load_explicit(&site->relaxed.heeds, memory_order_relaxed);
#endif
}

/* Say what the tile of an owned site waits for, as it becomes quiet. False: that has happened meanwhile (R5). */
bool tf_relaxed_heed(struct tf_site *site, struct tf_tile *tile);

/* Wake the owner of a site if its tile waits for one of these pages. After the store and a fence. */
static inline void tf_relaxed_stored(struct tf_chip *chip, unsigned site, uint64_t pages)
{
    if ((tf_relaxed_heeds(&chip->site[site]) & pages) != 0)
        tf_relaxed_wake(chip, site);
}

/* --- hand.c --- */

/* Hand a request to the owner of a node. Its data are copied. Sets sink.out_of_memory when there is no memory. */
void tf_relaxed_hand_request(struct tf_worker *worker, const struct tf_noc_request *request, unsigned node);

/* Hand a response to the owner of a site, which lands it or passes it on. source: the node whose later requests to the
   site wait for that, or TF_NO_NODE. */
void tf_relaxed_hand_response(struct tf_worker *worker, const struct tf_noc_response *response, unsigned site,
                              uint16_t source);

/* Let later requests of a tile to a site wait until the site's owner has dropped code (R7). */
void tf_relaxed_hand_barrier(struct tf_worker *worker, const struct tf_noc_request *request, unsigned site);

/* Must a request to a site be handed over because an earlier one was (R2)? By the worker of its source. */
static inline bool tf_relaxed_held_back(const struct tf_chip *chip, const struct tf_noc_request *request, unsigned site)
{
    const struct tf_site *source = &chip->site[request->source];
    if (TF_MUTANT(OVERTAKING) || TF_MUTANT(LATE_WRITE))
        return false;
    return atomic_load_explicit(&source->relaxed.ahead, memory_order_acquire) != 0 &&
           (source->relaxed.ahead_at == site || source->relaxed.ahead_at == TF_NO_NODE);
}

/* Do what has been handed to the site that the worker owns, oldest first. */
void tf_relaxed_take_handed(struct tf_worker *worker, struct tf_site *site);

/* --- sink.c --- */

/* Perform a request at one node, or hand it over. By the worker of its source, or by the owner of the node. */
void tf_relaxed_perform(struct tf_worker *worker, struct tf_noc_request *request, unsigned node);

/* Land a response, or hand it to the owner of the site where it lands. */
void tf_relaxed_land(struct tf_worker *worker, const struct tf_noc_response *response);

/* Move the counters of another tile's NIU by what the worker has gathered for it (R8). */
void tf_relaxed_count_gathered(struct tf_worker *worker);

/* --- visit.c --- */

/* Visit all sites of the worker that have something to do; if none has, one site of another worker. Returns whether
   there was anything to do. */
bool tf_relaxed_visit_round(struct tf_worker *worker);

/* --- run.c --- */

/* Between visits: tell progress, and end the run if its caller wants that. */
void tf_relaxed_look_up(struct tf_worker *worker);

#endif
