/* SPDX-License-Identifier: Apache-2.0 */
/* Acts on a request on the worker that issues it, or hands it to the owner of its target (R2, R3, R6, R7, R8). */
#include "farm/relaxed/sink.h"

#include "farm/relaxed/hand.h"
#include "farm/relaxed/wake.h"
#include "host/clock.h"
#include "noc/requests/act.h"
#include "noc/coords.h"
#include "noc/requests/initiator.h"
#include "noc/requests/land.h"
#include "noc/relaxed/owner.h"
#include "noc/relaxed/transact.h"

#include <string.h>

static struct tf_noc_request *take_request(struct tf_worker *worker, uint32_t payload_bytes)
{
    tf_arena_reset(&worker->arena[0]);
    return tf_arena_take(&worker->arena[0], sizeof(struct tf_noc_request) + payload_bytes);
}

static struct tf_noc_response *take_response(struct tf_noc_sink *sink, uint32_t payload_bytes)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    return tf_arena_take(&worker->arena[0], sizeof(struct tf_noc_response) + payload_bytes);
}

/* Find the pages of L1 that a request may change at its target. Two kinds are left to the owner (R6): a request that
   notifies a stream, and one whose address only the target knows. */
static inline uint64_t touched(const struct tf_noc_request *request)
{
    const struct tf_noc_changes changes = tf_noc_changes(request);
    if (changes.data.bytes == 0 || changes.header.bytes != 0)
        return TF_AWAITED_ALL;
    return tf_awaited_pages(changes.data.address, changes.data.bytes);
}

/* Call on_atomic. The caller has filled in event: begin, end and result. */
static void report_atomic(const struct tf_chip *chip, const struct tf_noc_request *request, unsigned core,
                          unsigned node, struct tf_atomic_event *event)
{
    event->initiator = chip->fabric->node[request->source].coord;
    event->target = chip->fabric->node[node].coord;
    event->core = (uint8_t)core;
    event->noc = request->noc;
    event->at_len_be = (uint16_t)request->at_len_be;
    event->at_data = request->at_data;
    event->address = request->address;
    event->answered = request->answered;
    chip->call.on_atomic(chip->call.user, event);
}

/* Let an atomic act, and call on_atomic. respond() stores the result in worker->relaxed.event. */
static void act_and_report(struct tf_worker *worker, struct tf_noc_request *request, unsigned node)
{
    struct tf_chip *chip = worker->chip;
    struct tf_atomic_event event = {.begin = tf_nanoseconds()};
    worker->relaxed.event = &event;
    tf_noc_act(chip->fabric, request, (uint16_t)node, &worker->sink);
    event.end = tf_nanoseconds();
    worker->relaxed.event = NULL;
    report_atomic(chip, request, request->core, node, &event);
}

/* Called after a request has acted at a site that another worker may own (R5, R7). */
static void tell_owner(struct tf_worker *worker, const struct tf_noc_request *request, unsigned node)
{
    struct tf_chip *chip = worker->chip;
    unsigned site = tf_site_of(chip->fabric, node);
    tf_store_load_fence();
    if (!TF_MUTANT(STALE_CODE) && tf_noc_met_code(chip->fabric, request, (uint16_t)node))
        tf_relaxed_hand_barrier(worker, request, site);
    else
        tf_relaxed_stored(chip->relaxed, &chip->site[site], touched(request));
}

void tf_relaxed_count_gathered(struct tf_worker *worker)
{
    struct tf_chip *chip = worker->chip;
    unsigned site = tf_site_of(chip->fabric, worker->relaxed.gathered.target);
    if (!worker->relaxed.gathered.any)
        return;
    tf_noc_count_gathered(chip->fabric, &worker->relaxed.gathered);
    tf_store_load_fence();
    if (tf_relaxed_awaited(&chip->site[site]) == TF_AWAITED_ALL)
        tf_relaxed_wake(chip->relaxed, &chip->site[site]);
}

/* May only the owner perform this (R6)? */
static bool needs_owner(const struct tf_fabric *fabric, const struct tf_noc_request *request, unsigned node)
{
    if (TF_MUTANT(UNOWNED) || (TF_MUTANT(TORN_STREAM) && request->kind == TF_NOC_WRITE_INLINE))
        return false;
    return (TF_MUTANT(DEFERRED_WRITE) && request->kind == TF_NOC_WRITE) ||
           tf_noc_needs_owner(fabric, request, (uint16_t)node);
}

void tf_relaxed_perform(struct tf_worker *worker, struct tf_noc_request *request, unsigned node)
{
    struct tf_chip *chip = worker->chip;
    unsigned site = tf_site_of(chip->fabric, node);
    if (site != worker->relaxed.owned &&
        (tf_relaxed_is_held(&chip->site[request->source], site) || needs_owner(chip->fabric, request, node))) {
        tf_relaxed_hand_request(worker, request, node);
        return;
    }
    TF_MUTANT_PAUSE(STALE_CODE)
    if (request->kind == TF_NOC_ATOMIC && TF_HOOK(chip->call.on_atomic) != NULL)
        act_and_report(worker, request, node);
    else
        tf_noc_act(chip->fabric, request, (uint16_t)node, &worker->sink);
    if (site != worker->relaxed.owned)
        tell_owner(worker, request, node);
}

static void submit(struct tf_worker *worker, struct tf_noc_request *request)
{
    struct tf_chip *chip = worker->chip;
    uint16_t recipient[TF_NODES_MAX];
    unsigned count = tf_noc_recipients(chip->fabric, request, recipient);
    tf_relaxed_count_gathered(worker);
    for (unsigned i = 0; i < count; i++) {
        if (i + 1 < count) { /* see tf_noc_fetch(); row `multicast` in relaxed mode */
            tf_noc_fetch(chip->fabric, request, recipient[i + 1]);
            __builtin_prefetch(&chip->site[recipient[i + 1]].relaxed.awaited);
        }
        tf_relaxed_perform(worker, request, recipient[i]);
    }
    if (request->kind == TF_NOC_WRITE && request->data != request->carried)
        tf_niu_captured(&chip->fabric->node[request->source].niu[request->noc], request);
}

static enum tf_access issue(struct tf_noc_sink *sink, const struct tf_noc_request *request, uint32_t payload_bytes,
                            unsigned core, uint32_t pc, uint64_t cycle)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    struct tf_noc_request *own = take_request(worker, payload_bytes);
    if (own == NULL)
        return tf_noc_unissued(worker->chip->fabric, request, core, pc, cycle);
    tf_noc_request_copy(own, request, core, pc, cycle);
    if (payload_bytes != 0) {
        tf_shared_get(own->carried, request->data, payload_bytes);
        own->data = own->carried;
    }
    submit(worker, own);
    return TF_ACCESS_OK;
}

/* A request has acted at a page that the owner has decoded in the meantime. The answer goes through the owner (R7). */
static __attribute__((noinline)) void transacted_at_code(struct tf_worker *worker, const struct tf_noc_request *request)
{
    struct tf_chip *chip = worker->chip;
    struct tf_noc_request settled = *request;
    struct tf_noc_response response;
    tf_noc_met_code(chip->fabric, request, request->target);
    if (!request->answered) {
        tf_relaxed_hand_barrier(worker, request, request->target);
        return;
    }
    settled.entry.node = request->target;
    settled.entry.result = worker->relaxed.gathered.result;
    tf_noc_response_of(&settled, &response);
    tf_relaxed_hand_response(worker, &response, request->target, request->source);
}

/* The sink's transact(). reporting: on_atomic sees atomics. */
static inline __attribute__((always_inline)) bool transact(struct tf_noc_sink *sink,
                                                           const struct tf_noc_request *request, unsigned core,
                                                           bool reporting)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    struct tf_chip *chip = worker->chip;
    struct tf_atomic_event event = {.begin = 0};
    if (request->multicast || (TF_MUTANT(DEFERRED_WRITE) && request->kind == TF_NOC_WRITE))
        return false;
    unsigned site = tf_site_of(chip->fabric, request->target);
    if (tf_relaxed_is_held(&chip->site[request->source], site))
        return false;
    if (tf_noc_gathered_for_other_niu(&worker->relaxed.gathered, request))
        tf_relaxed_count_gathered(worker);
    if (reporting)
        event.begin = tf_nanoseconds();
    enum tf_noc_done done = tf_noc_transact(chip->fabric, request, &worker->relaxed.gathered);
    if (done == TF_NOC_NOT_DONE)
        return false;
    if (reporting && request->kind == TF_NOC_ATOMIC) {
        event.end = tf_nanoseconds();
        event.result = request->answered ? worker->relaxed.gathered.result : 0;
        report_atomic(chip, request, core, request->target, &event);
    }
    if (site == worker->relaxed.owned || request->kind == TF_NOC_READ)
        return true;
    if (done == TF_NOC_DONE_AT_CODE)
        transacted_at_code(worker, request);
    uint64_t awaited = tf_relaxed_awaited(&chip->site[site]);
    if (awaited != 0 && (awaited & touched(request)) != 0)
        tf_relaxed_wake(chip->relaxed, &chip->site[site]);
    return true;
}

static bool transact_silent(struct tf_noc_sink *sink, const struct tf_noc_request *request, unsigned core)
{
    return transact(sink, request, core, false);
}

static bool transact_reporting(struct tf_noc_sink *sink, const struct tf_noc_request *request, unsigned core)
{
    return transact(sink, request, core, true);
}

/* Must the owner land a response (R6)? The data may be for a register or over code; a fault goes to the tile's log. */
static bool lands_at_owner(const struct tf_fabric *fabric, const struct tf_noc_response *response)
{
    return response->kind == TF_NOC_FAULT || (response->length != 0 && fabric->node[response->node].tile != NULL);
}

void tf_relaxed_land(struct tf_worker *worker, const struct tf_noc_response *response)
{
    struct tf_chip *chip = worker->chip;
    unsigned site = tf_site_of(chip->fabric, response->node);
    if (site != worker->relaxed.owned && lands_at_owner(chip->fabric, response)) {
        tf_relaxed_hand_response(worker, response, site, TF_NO_NODE);
        return;
    }
    tf_noc_land(chip->fabric, response);
    if (site != worker->relaxed.owned)
        tf_relaxed_wake(chip->relaxed, &chip->site[site]);
}

/* Has a request stored to a page that another owner has decoded since the first test (R7)? The response is that of the
   request. */
static bool stored_at_code(struct tf_worker *worker, const struct tf_noc_response *response)
{
    const struct tf_noc_request *request = response->request;
    unsigned site = tf_site_of(worker->chip->fabric, response->entry.node);
    if (TF_MUTANT(STALE_CODE) || request->kind == TF_NOC_READ || site == worker->relaxed.owned)
        return false;
    tf_store_load_fence();
    return tf_noc_met_code(worker->chip->fabric, request, response->entry.node);
}

/* Do data of a read land on decoded code of the worker's own tile (R7)? */
static bool lands_at_own_code(const struct tf_worker *worker, const struct tf_noc_response *response)
{
    return response->kind == TF_NOC_READ_DATA && response->node == worker->relaxed.owned &&
           tf_node_has_code(&worker->chip->fabric->node[response->node], response->address, response->length);
}

static void respond(struct tf_noc_sink *sink, struct tf_noc_response *response)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    if (TF_MUTANT(LOST_RESPONSE))
        return;
    if (TF_MUTANT(DOUBLED_RESPONSE))
        tf_relaxed_land(worker, response);
    if (worker->relaxed.event != NULL && response->kind == TF_NOC_ATOMIC_RESULT && response->length >= 4)
        memcpy(&worker->relaxed.event->result, response->data, 4);
    if (stored_at_code(worker, response))
        tf_relaxed_hand_response(worker, response, tf_site_of(worker->chip->fabric, response->entry.node),
                                 response->request->source);
    else if (lands_at_own_code(worker, response))
        tf_relaxed_hand_response(worker, response, worker->relaxed.owned, TF_NO_NODE);
    else
        tf_relaxed_land(worker, response);
}

void tf_relaxed_sink(struct tf_worker *worker)
{
    bool reporting = worker->chip->call.on_atomic != NULL;
    worker->sink = (struct tf_noc_sink){.issue = issue,
                                        .response = take_response,
                                        .respond = respond,
                                        .transact = reporting ? transact_reporting : transact_silent};
}
