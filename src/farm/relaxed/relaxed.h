/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relaxed mode has no epochs. A worker visits a site that has work, runs its tile for some slices, and leaves it. A
 * request acts when it is issued, on the worker that runs its tile, by atomic operations of the host.
 *
 * wake.c: sites that have work, and idle workers. hand.c: requests that only the owner of a site may perform.
 * sink.c: how requests act. link.c: links between chips. visit.c: a visit. run.c: a worker, and a run. state.h: the
 * data.
 *
 * The worker that visits a site owns it until the visit ends. docs/design.md ("Relaxed mode") states the memory model
 * as invariants R1 to R10. R1 rests on noc/atomic.h and the host atomics in tile/, R2 on tf_relaxed_site.held. A test
 * that names an invariant fails when the code breaks that invariant.
 */
#ifndef FARM_RELAXED_RELAXED_H
#define FARM_RELAXED_RELAXED_H

#include "farm/chip/chip.h"
#include "host/mutant.h"
#include "host/shared.h"
#include "tile/run/awaited.h"

/* --- wake.c --- */

/* Mark a site as woken, and wake an idle worker for it. Any thread that takes part in the run may call this. */
void tf_relaxed_wake(struct tf_relaxed *relaxed, struct tf_site *site);

/* End the run, unless it has ended already. Any worker. */
void tf_relaxed_end(struct tf_relaxed *relaxed, enum tf_end end);

/* Has the run ended? Any worker. */
static inline bool tf_relaxed_ended(const struct tf_relaxed *relaxed)
{
    return atomic_load_explicit(&relaxed->end, memory_order_relaxed) >= 0;
}

/* Does a site have work? Any worker; the answer may be out of date when it returns. */
bool tf_relaxed_runnable(const struct tf_site *site, const struct tf_node *node);

/* Call when a worker has found no work: end the run if no site has work (R9), else sleep until a site is woken. */
void tf_relaxed_idle(struct tf_relaxed *relaxed, unsigned number);

/* Does this worker call on_progress, and look at the time? Only the calling thread does, even while it is idle. */
static inline bool tf_relaxed_reports(const struct tf_relaxed *relaxed, unsigned number)
{
    return number == 0 && relaxed->reports;
}

/* The pages of L1 that a site awaits (tf_awaited_pages()). For R5, after a store and a fence. Any worker. */
static inline uint64_t tf_relaxed_awaited(struct tf_site *site)
{
#if defined(TF_TSAN)
    return atomic_fetch_or(&site->relaxed.awaited, 0);
#else
    return atomic_load_explicit(&site->relaxed.awaited, memory_order_relaxed);
#endif
}

/* Publish the pages that a tile awaits when it becomes quiet. By the owner. Returns false if one of them has changed
   meanwhile (R5). */
bool tf_relaxed_await(struct tf_site *site, struct tf_tile *tile);

/* Wake a site if it awaits one of these pages. After the store and a fence. Any worker. */
static inline void tf_relaxed_stored(struct tf_relaxed *relaxed, struct tf_site *site, uint64_t pages)
{
    if ((tf_relaxed_awaited(site) & pages) != 0)
        tf_relaxed_wake(relaxed, site);
}

/* --- hand.c --- */

/* Let the owner of a site perform something, which is no request of a tile. Any worker. */
void tf_relaxed_hand(struct tf_relaxed *relaxed, struct tf_inbound *inbound, struct tf_site *site);

/* Hand a copy of a request and its data to the owner of a node. Sets sink.out_of_memory if the host has no memory. */
void tf_relaxed_hand_request(struct tf_worker *worker, const struct tf_noc_request *request, unsigned node);

/* Hand a response to the owner of a site, which lands it or hands it on. Until then later requests of the node `source`
   to the site wait; TF_NO_NODE: none wait. */
void tf_relaxed_hand_response(struct tf_worker *worker, const struct tf_noc_response *response, unsigned site,
                              uint16_t source);

/* Hold back later requests of a tile to a site until the site's owner has dropped its decoded code (R7). */
void tf_relaxed_hand_barrier(struct tf_worker *worker, const struct tf_noc_request *request, unsigned site);

/* Must a request to a site be handed over because an earlier one of its source was (R2)? By the owner of the source. */
static inline bool tf_relaxed_is_held(const struct tf_site *source, unsigned site)
{
    if (TF_MUTANT(OVERTAKING) || TF_MUTANT(DEFERRED_WRITE))
        return false;
    return atomic_load_explicit(&source->relaxed.held, memory_order_acquire) != 0 &&
           (source->relaxed.held_at == site || source->relaxed.held_at == TF_NO_NODE);
}

/* Perform what was handed to a site, oldest first. By the owner. */
void tf_relaxed_take_handed(struct tf_worker *worker, struct tf_site *site);

/* --- link.c --- */

/* So many packets may be on the way. Until the peer has taken them, the tile that sends is not run: raw packets have no
   window, and would fill the memory of the host. */
#ifdef TF_MUTANTS
#define TF_RELAXED_UNDER_WAY_MAX 2u
#else
#define TF_RELAXED_UNDER_WAY_MAX 1024u
#endif

/* Has the peer answered all that the tile has sent? Ask before what was handed over is taken: the answers are there. */
static inline bool tf_relaxed_is_answered(const struct tf_relaxed_port *port)
{
    return atomic_load_explicit(&port->under_way, memory_order_acquire) == 0;
}

static inline bool tf_relaxed_is_full(const struct tf_relaxed_port *port)
{
    return atomic_load_explicit(&port->under_way, memory_order_relaxed) >= TF_RELAXED_UNDER_WAY_MAX;
}

/* Before the tile of an end runs, and after it has taken what was handed over: send again what is due. answered: the
   peer has answered all. */
void tf_relaxed_resend(struct tf_relaxed_port *port, struct tf_tile *tile, bool answered);

/* What the peer of an end has sent arrives. By the owner. */
void tf_relaxed_arrive(struct tf_relaxed_port *port, struct tf_tile *tile, struct tf_relaxed_sent *sent);
void tf_relaxed_drop_sent(struct tf_relaxed_sent *sent);

/* A visit ends: hand over what the tile has sent, and count as answered what it has taken. */
void tf_relaxed_hand_over(struct tf_worker *worker, struct tf_relaxed_port *port, struct tf_tile *tile);

/* Nothing else happens. Let time pass for the tile that has to send again first. Returns false if there is none before
   the limit; *late: there is one behind it. While no worker visits a site. */
bool tf_relaxed_pass_time(struct tf_relaxed *relaxed, bool *late);

/* --- sink.c --- */

/* Let a request act at one node, or hand it over. By the owner of its source or of the node. */
void tf_relaxed_perform(struct tf_worker *worker, struct tf_noc_request *request, unsigned node);

/* Land a response, or hand it to the owner of the site where it lands. Any worker. */
void tf_relaxed_land(struct tf_worker *worker, const struct tf_noc_response *response);

/* Add the worker's gathered counts to the counters of another tile's NIU (R8). */
void tf_relaxed_count_gathered(struct tf_worker *worker);

/* --- visit.c --- */

/* Visit all sites of a worker that have work; if none has, steal one visit. Returns false if no site had work.
   number: of the worker of each chip. */
bool tf_relaxed_visit_round(struct tf_relaxed *relaxed, unsigned number);

/* The number of the worker that a site of the number-th chip is at home with. */
unsigned tf_relaxed_home(const struct tf_relaxed *relaxed, unsigned chip, unsigned site);

/* --- run.c --- */

/* Between visits: report progress, and end the run if its options or tf_stop() ask for that. */
void tf_relaxed_check_end(struct tf_relaxed *relaxed, unsigned number);

#endif
