/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Relaxed mode: no epochs. Workers visit tiles that have something to do, for a few slices at a time; whoever visits a
 * tile owns it until the visit ends. A request acts at its target at once, on the worker that issues it, with host
 * atomics; what touches more than L1 and NIU counters there (registers, decoded code) is handed to the owner.
 *
 * Visits are as long as epochs are in deterministic mode: a slice while any tile sends, so that what talks is answered
 * soon and what polls for it costs little; twice as long from one round of a worker's tiles to the next while none
 * does, up to the longest epoch, so that a tile's state is worth fetching. All workers heed the first request of any of
 * them at the end of the slice that they are in.
 *
 * Waking: whoever acts on a unit sets its woken flag and then looks for idle workers; a worker counts itself idle
 * and then looks for woken units. Both are sequentially consistent, so one of the two sees the other. Who has only
 * written to L1 looks first whether the tile heeds that. A tile that becomes quiet says what it heeds, and then looks
 * once more; both have a sequentially consistent fence between what they store and what they load, so again one sees
 * the other. A tile that is not quiet heeds nothing: it is visited anyway.
 *
 * Code: an owner says which pages it has decoded, and decodes them then; who stores to L1 of another's tile looks for
 * that before, to hand the request over, and once more afterwards, with what the tile heeds. Both have the fence in
 * between, so that what the owner has missed is seen here: it is told to decode the page again, which it does before
 * its next slice, and the answer goes by way of it, as if the request had. Until then nobody may rely on the store.
 * Nor does an owner land what it reads on decoded code while it may be executing that: it hands it to itself.
 *
 * Order: a request that acted at once could overtake one of the same tile's that was handed over, as a signal that code
 * is there could overtake the code. While an owner has yet to do what a tile has handed over, or to drop code where the
 * tile has stored, all that this tile asks of the same unit is handed over; of any, when it waits for several owners.
 *
 * Counters of another tile's NIU may lag behind what they count, until its worker turns to another tile or goes the
 * general way, or its visit ends. Who waits for a counter heeds all, and is woken when it has been added to.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "farm/chip.h"
#include "tile/heed.h"
#include "tile/shared.h"

#define IDLE_SPINS 1000u

static uint64_t ticks(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void wake_unit(struct tf_chip *chip, unsigned unit)
{
    if (atomic_exchange(&chip->unit[unit].woken, true))
        return;
    if (atomic_load(&chip->relaxed.idle) == 0)
        return;
    atomic_fetch_add(&chip->relaxed.bell, 1);
    tf_wake(&chip->relaxed.bell, &chip->relaxed.sleepers);
}

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

/* What a tile asks of a unit next comes behind what it hands over now. By the tile's worker. */
static void put_ahead(struct tf_unit *source, unsigned unit)
{
    if (atomic_fetch_add_explicit(&source->ahead, 1, memory_order_acquire) == 0)
        source->ahead_at = (uint16_t)unit;
    else if (source->ahead_at != unit)
        source->ahead_at = TF_NO_NODE;
}

static inline bool comes_behind(const struct tf_chip *chip, const struct tf_noc_request *request, unsigned unit)
{
    const struct tf_unit *source = &chip->unit[request->source];
    return atomic_load_explicit(&source->ahead, memory_order_acquire) != 0 &&
           (source->ahead_at == unit || source->ahead_at == TF_NO_NODE);
}

static void hand(struct tf_worker *worker, struct tf_inbound *inbound, unsigned unit)
{
    if (inbound->source != TF_NO_NODE)
        put_ahead(&worker->chip->unit[inbound->source], unit);
    tf_queue_put(&worker->chip->unit[unit].handed, &inbound->entry);
    wake_unit(worker->chip, unit);
}

static void hand_request(struct tf_worker *worker, const struct tf_noc_request *request, unsigned node)
{
    bool carries = request->kind != TF_NOC_ATOMIC && request->data != NULL;
    size_t payload = carries ? request->length : 0;
    struct tf_inbound *inbound = malloc(sizeof *inbound + sizeof *request + payload);
    if (inbound == NULL) {
        worker->sink.out_of_memory = true;
        return;
    }
    struct tf_noc_request *copy = (struct tf_noc_request *)(inbound + 1);
    *copy = *request;
    if (carries) {
        tf_shared_get(copy->carried, request->data, payload);
        copy->data = copy->carried;
    }
    *inbound = (struct tf_inbound){.request = copy, .node = (uint16_t)node, .source = request->source};
    hand(worker, inbound, tf_unit_of(worker->chip, node));
}

/* To the unit where it lands, or on its way there. source: as that of tf_inbound. */
static void hand_response(struct tf_worker *worker, const struct tf_noc_response *response, unsigned unit,
                          uint16_t source)
{
    struct tf_inbound *inbound =
        malloc(sizeof *inbound + sizeof *response->request + sizeof *response + response->length);
    if (inbound == NULL) {
        worker->sink.out_of_memory = true;
        return;
    }
    struct tf_noc_request *request = (struct tf_noc_request *)(inbound + 1);
    struct tf_noc_response *copy = (struct tf_noc_response *)(request + 1);
    *request = *response->request;
    *copy = *response;
    copy->request = request;
    if (response->length != 0)
        copy->data = memcpy(copy->carried, response->data, response->length);
    *inbound = (struct tf_inbound){.response = copy, .node = response->node, .source = source};
    hand(worker, inbound, unit);
}

/* A request has stored at code of a unit, whose owner has been told to drop it: what follows waits until it looks. */
static void hand_nothing(struct tf_worker *worker, const struct tf_noc_request *request, unsigned unit)
{
    struct tf_inbound *inbound = malloc(sizeof *inbound);
    if (inbound == NULL) {
        worker->sink.out_of_memory = true;
        wake_unit(worker->chip, unit);
        return;
    }
    *inbound = (struct tf_inbound){.source = request->source};
    hand(worker, inbound, unit);
}

/* Pages of L1 where what a tile waits for may have changed when a request has acted there. */
static uint64_t touched(const struct tf_noc_request *request)
{
    bool stores = request->kind == TF_NOC_WRITE || request->kind == TF_NOC_WRITE_INLINE ||
                  (request->kind == TF_NOC_ATOMIC && request->op.kind != TF_NOC_AT_STORE_IND);
    if (!stores || request->header_store)
        return TF_HEED_ALL;
    uint32_t bytes = request->kind == TF_NOC_ATOMIC || request->length < 16 ? 16 : request->length;
    return tf_heed_pages(request->address & ~15ull, request->address % 16 + bytes);
}

static void act_and_tell(struct tf_worker *worker, struct tf_noc_request *request, unsigned node)
{
    struct tf_chip *chip = worker->chip;
    struct tf_atomic_event event = {.begin = ticks()};
    worker->event = &event;
    tf_noc_act(chip->fabric, request, (uint16_t)node, &worker->sink);
    event.end = ticks();
    worker->event = NULL;
    event.initiator = chip->fabric->node[request->source].coord;
    event.target = chip->fabric->node[node].coord;
    event.core = request->core;
    event.at_len_be = (uint16_t)request->at_len_be;
    event.at_data = request->at_data;
    event.address = request->address;
    event.answered = request->answered;
    chip->config.on_atomic(chip->config.user, &event);
}

/* What a unit heeds, after something has been stored there, and a fence: a load, as others have the line too. */
static inline uint64_t heeds_now(struct tf_unit *unit)
{
#if defined(TF_TSAN)
    return atomic_fetch_or(&unit->heeds, 0);
#else
    return atomic_load_explicit(&unit->heeds, memory_order_relaxed);
#endif
}

/* A request has acted at another unit. */
static inline void tell(struct tf_worker *worker, const struct tf_noc_request *request, unsigned node, uint64_t pages)
{
    struct tf_chip *chip = worker->chip;
    unsigned unit = tf_unit_of(chip, node);
    tf_store_load_fence();
    if (tf_noc_met_code(chip->fabric, request, (uint16_t)node))
        hand_nothing(worker, request, unit);
    else if ((heeds_now(&chip->unit[unit]) & pages) != 0)
        wake_unit(chip, unit);
}

/* Count what has been gathered at another unit. */
static void count_gathered(struct tf_worker *worker)
{
    struct tf_chip *chip = worker->chip;
    unsigned unit = tf_unit_of(chip, worker->gathered.target);
    if (!worker->gathered.any)
        return;
    tf_noc_count_gathered(chip->fabric, &worker->gathered);
    tf_store_load_fence();
    if (heeds_now(&chip->unit[unit]) == TF_HEED_ALL)
        wake_unit(chip, unit);
}

static void perform(struct tf_worker *worker, struct tf_noc_request *request, unsigned node, uint64_t pages)
{
    struct tf_chip *chip = worker->chip;
    unsigned unit = tf_unit_of(chip, node);
    if (unit != worker->owned &&
        (comes_behind(chip, request, unit) || tf_noc_needs_owner(chip->fabric, request, (uint16_t)node))) {
        hand_request(worker, request, node);
        return;
    }
    if (request->kind == TF_NOC_ATOMIC && chip->config.on_atomic != NULL)
        act_and_tell(worker, request, node);
    else
        tf_noc_act(chip->fabric, request, (uint16_t)node, &worker->sink);
    if (unit != worker->owned)
        tell(worker, request, node, pages);
}

/* A request is done, at code that its target's owner has decoded at the same time. */
static __attribute__((noinline)) void done_at_code(struct tf_worker *worker, const struct tf_noc_request *request)
{
    struct tf_chip *chip = worker->chip;
    struct tf_noc_request settled = *request;
    struct tf_noc_response response;
    tf_noc_met_code(chip->fabric, request, request->target);
    if (!request->answered) {
        hand_nothing(worker, request, request->target);
        return;
    }
    settled.entry.node = request->target;
    settled.entry.result = worker->gathered.result;
    tf_noc_response_of(&settled, &response);
    hand_response(worker, &response, request->target, request->source);
}

static bool at_once(struct tf_noc_sink *sink, const struct tf_noc_request *request)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    struct tf_chip *chip = worker->chip;
    if (request->multicast)
        return false;
    unsigned unit = tf_unit_of(chip, request->target);
    if (comes_behind(chip, request, unit))
        return false;
    if (tf_noc_gathered_elsewhere(&worker->gathered, request))
        count_gathered(worker);
    enum tf_noc_done done = tf_noc_at_once(chip->fabric, request, &worker->gathered);
    if (done == TF_NOC_NOT_DONE)
        return false;
    if (unit == worker->owned || request->kind == TF_NOC_READ)
        return true;
    if (done == TF_NOC_DONE_AT_CODE)
        done_at_code(worker, request);
    uint64_t heeds = heeds_now(&chip->unit[unit]);
    if (heeds != 0 && (heeds & touched(request)) != 0)
        wake_unit(chip, unit);
    return true;
}

static void submit(struct tf_worker *worker, struct tf_noc_request *request)
{
    struct tf_chip *chip = worker->chip;
    uint16_t recipient[TF_NODES_MAX];
    unsigned count = tf_noc_recipients(chip->fabric, request, recipient);
    uint64_t pages = touched(request);
    count_gathered(worker);
    for (unsigned i = 0; i < count; i++) {
        if (i + 1 < count) {
            tf_noc_fetch(chip->fabric, request, recipient[i + 1]);
            __builtin_prefetch(&chip->unit[recipient[i + 1]].heeds);
        }
        perform(worker, request, recipient[i], pages);
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

/* Data for a tile are its owner's to land, as they may be for a register, or at code; so is a fault. */
static bool lands_at_owner(const struct tf_chip *chip, const struct tf_noc_response *response)
{
    return response->kind == TF_NOC_FAULT ||
           (response->length != 0 && chip->fabric->node[response->node].tile != NULL);
}

static void land(struct tf_worker *worker, const struct tf_noc_response *response)
{
    struct tf_chip *chip = worker->chip;
    unsigned unit = tf_unit_of(chip, response->node);
    if (unit != worker->owned && lands_at_owner(chip, response)) {
        hand_response(worker, response, unit, TF_NO_NODE);
        return;
    }
    tf_noc_land(chip->fabric, response);
    if (unit != worker->owned)
        wake_unit(chip, unit);
}

/* Has the request that is answered stored where another owner has decoded code meanwhile? */
static bool stored_at_code(struct tf_worker *worker, const struct tf_noc_response *response)
{
    const struct tf_noc_request *request = response->request;
    if (request->kind == TF_NOC_READ || tf_unit_of(worker->chip, response->entry.node) == worker->owned)
        return false;
    tf_store_load_fence();
    return tf_noc_met_code(worker->chip->fabric, request, response->entry.node);
}

/* Has the worker's own tile decoded code where data that it has read are to land? */
static bool lands_at_own_code(const struct tf_worker *worker, const struct tf_noc_response *response)
{
    return response->kind == TF_NOC_READ_DATA && response->node == worker->owned &&
           tf_node_has_code(&worker->chip->fabric->node[response->node], response->address, response->length);
}

static void respond(struct tf_noc_sink *sink, struct tf_noc_response *response)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    if (worker->event != NULL && response->kind == TF_NOC_ATOMIC_RESULT && response->length >= 4)
        memcpy(&worker->event->result, response->data, 4);
    if (stored_at_code(worker, response))
        hand_response(worker, response, tf_unit_of(worker->chip, response->entry.node), response->request->source);
    else if (lands_at_own_code(worker, response))
        hand_response(worker, response, worker->owned, TF_NO_NODE);
    else
        land(worker, response);
}

void tf_relaxed_sink(struct tf_worker *worker)
{
    worker->sink = (struct tf_noc_sink){
        .issue = issue, .response = take_response, .respond = respond};
    if (worker->chip->config.on_atomic == NULL)
        worker->sink.at_once = at_once;
}

static struct ck_stack_entry *oldest_first(struct ck_stack_entry *entry)
{
    struct ck_stack_entry *reversed = NULL;
    while (entry != NULL) {
        struct ck_stack_entry *next = entry->next;
        entry->next = reversed;
        reversed = entry;
        entry = next;
    }
    return reversed;
}

static void take_handed(struct tf_worker *worker, struct tf_unit *unit)
{
    struct ck_stack_entry *entry = oldest_first(tf_queue_take(&unit->handed));
    while (entry != NULL) {
        struct tf_inbound *inbound = (struct tf_inbound *)entry;
        entry = entry->next;
        tf_arena_reset(&worker->arena[0]);
        if (inbound->request != NULL)
            perform(worker, inbound->request, inbound->node, touched(inbound->request));
        else if (inbound->response != NULL)
            land(worker, inbound->response);
        if (inbound->source != TF_NO_NODE)
            atomic_fetch_sub_explicit(&worker->chip->unit[inbound->source].ahead, 1, memory_order_release);
        free(inbound);
    }
}

void tf_relaxed_drop(struct tf_unit *unit)
{
    struct ck_stack_entry *entry = tf_queue_take(&unit->handed);
    while (entry != NULL) {
        struct ck_stack_entry *next = entry->next;
        free(entry);
        entry = next;
    }
}

static bool runnable(const struct tf_chip *chip, unsigned number)
{
    const struct tf_unit *unit = &chip->unit[number];
    const struct tf_tile *tile = chip->fabric->node[number].tile;
    if (atomic_load(&unit->woken))
        return true;
    return tile != NULL && !atomic_load_explicit(&unit->quiet, memory_order_relaxed);
}

static void note_visit(struct tf_unit *unit, const struct tf_tile *tile)
{
    atomic_store_explicit(&unit->visited_slice, tile->slice, memory_order_relaxed);
    atomic_store_explicit(&unit->visited_instructions, tf_tile_instructions(tile), memory_order_relaxed);
}

/* False: what a quiet tile waits for has happened before it had said so. */
static bool says_what_it_heeds(struct tf_unit *unit, struct tf_tile *tile)
{
    uint64_t heeds = tf_tile_heeds(tile);
    if (atomic_exchange(&unit->heeds, heeds) == heeds)
        return true;
    tf_store_load_fence();
    return tf_tile_quiet(tile);
}

static bool ended(const struct tf_chip *chip)
{
    return atomic_load_explicit(&chip->relaxed.end, memory_order_relaxed) >= 0;
}

static void end_run(struct tf_chip *chip, enum tf_end end)
{
    int running = -1;
    if (!atomic_compare_exchange_strong(&chip->relaxed.end, &running, (int)end))
        return;
    atomic_fetch_add(&chip->relaxed.bell, 1);
    tf_wake(&chip->relaxed.bell, &chip->relaxed.sleepers);
}

static bool somebody_talks(const struct tf_chip *chip)
{
    return atomic_load_explicit(&chip->relaxed.talkers, memory_order_relaxed) != 0;
}

/* A tile of the worker's has sent something, or of this round none has. */
static void set_talking(struct tf_worker *worker, bool talks)
{
    if (worker->talks == talks)
        return;
    worker->talks = talks;
    if (talks)
        atomic_fetch_add_explicit(&worker->chip->relaxed.talkers, 1, memory_order_relaxed);
    else
        atomic_fetch_sub_explicit(&worker->chip->relaxed.talkers, 1, memory_order_relaxed);
}

static void round_ends(struct tf_worker *worker)
{
    const struct tf_config *config = &worker->chip->config;
    uint32_t longest = config->epoch_cycles_max / config->slice_cycles;
    set_talking(worker, worker->sent);
    worker->sent = false;
    if (somebody_talks(worker->chip))
        worker->visit_slices = 1;
    else
        worker->visit_slices = worker->visit_slices * 2 < longest ? worker->visit_slices * 2 : longest;
}

/* requests: of the tile's NIUs, before they sent what had waited there. Returns true when the tile is quiet. */
static bool run_slices(struct tf_worker *worker, const struct tf_node *node, uint64_t requests)
{
    struct tf_chip *chip = worker->chip;
    struct tf_tile *tile = node->tile;
    unsigned faults = tile->faults.count;
    for (uint32_t slices = 1;; slices++) {
        bool quiet = tf_tile_run(tile, &chip->schedule, tile->slice + 1);
        if (node->niu[0].requests + node->niu[1].requests != requests) {
            worker->sent = true;
            set_talking(worker, true);
            return quiet;
        }
        if (quiet || slices >= worker->visit_slices || tile->slice >= chip->relaxed.limit ||
            tile->faults.count != faults || somebody_talks(chip) || ended(chip) ||
            atomic_load_explicit(&chip->stop, memory_order_relaxed))
            return quiet;
    }
}

static void run_tile(struct tf_worker *worker, struct tf_unit *unit, struct tf_node *node)
{
    struct tf_chip *chip = worker->chip;
    struct tf_tile *tile = node->tile;
    if (tile->slice >= chip->relaxed.limit) {
        atomic_store_explicit(&unit->quiet, true, memory_order_relaxed);
        return;
    }
    struct tf_tally before = tf_tally(node);
    tf_niu_epoch(&node->niu[0], &worker->sink);
    tf_niu_epoch(&node->niu[1], &worker->sink);
    bool quiet = run_slices(worker, node, before.requests);
    tf_niu_epoch(&node->niu[0], NULL);
    tf_niu_epoch(&node->niu[1], NULL);
    count_gathered(worker);
    tf_tally_add(worker, node, before);
    quiet = quiet && !tf_niu_pending(&node->niu[0]) && !tf_niu_pending(&node->niu[1]) && says_what_it_heeds(unit, tile);
    if (!quiet && atomic_load_explicit(&unit->heeds, memory_order_relaxed) != 0)
        atomic_store(&unit->heeds, 0); /* it looks for itself */
    atomic_store_explicit(&unit->quiet, quiet, memory_order_relaxed);
    if (chip->config.on_progress != NULL)
        note_visit(unit, tile);
}

/* True when there was something to do. */
static bool visit(struct tf_worker *worker, unsigned number)
{
    struct tf_chip *chip = worker->chip;
    struct tf_unit *unit = &chip->unit[number];
    if (worker->number != 0 && tf_units_has(&chip->own, number))
        return false;
    if (!runnable(chip, number) || atomic_exchange_explicit(&unit->claimed, true, memory_order_acquire))
        return false;
    worker->owned = number;
    worker->steals += chip->home[number] % chip->relaxed.workers != worker->number;
    struct tf_node *node = &chip->fabric->node[number];
    if (node->tile != NULL)
        node->tile->now = node->tile->slice == 0 ? 0 : tf_slice_end(&chip->schedule, node->tile->slice - 1);
    atomic_exchange(&unit->woken, false);
    take_handed(worker, unit);
    if (node->tile != NULL) {
        run_tile(worker, unit, node);
        tf_trace_tell(worker, node->tile);
        if (node->tile->faults.count != 0) {
            tf_find_more(worker, TF_FOUND_FAULTED, &worker->more.faulted, number);
            bool stopping = false;
            for (unsigned i = 0; i < node->tile->faults.count; i++)
                stopping |= !node->tile->faults.entry[i].hazard;
            if (stopping && !chip->config.go_on_after_fault)
                end_run(chip, TF_END_FAULT);
        }
    }
    if (worker->sink.out_of_memory && !chip->config.go_on_after_fault)
        end_run(chip, TF_END_FAULT);
    worker->owned = TF_NODES_MAX;
    atomic_store_explicit(&unit->claimed, false, memory_order_release);
    return true;
}

/* Is there something to do? *free: with a unit that nobody visits. */
static bool anything_runnable(const struct tf_chip *chip, bool *free)
{
    bool any = false;
    *free = false;
    for (unsigned i = 0; i < chip->units && !*free; i++)
        if (runnable(chip, i)) {
            any = true;
            *free = !atomic_load(&chip->unit[i].claimed);
        }
    return any;
}

static bool over_limit(const struct tf_chip *chip)
{
    for (unsigned i = 0; i < chip->tiles; i++)
        if (chip->tile[i].slice >= chip->relaxed.limit)
            return true;
    return false;
}

/* Progress is told on the calling thread, which is worker 0, also while that one has nothing to do. */
static bool reports(const struct tf_worker *worker)
{
    return worker->number == 0 && worker->chip->config.on_progress != NULL;
}

static void report_progress(struct tf_chip *chip)
{
    uint64_t slice = 0, instructions = 0;
    if (!tf_progress_due(chip))
        return;
    for (unsigned i = 0; i < chip->tiles; i++) {
        struct tf_unit *unit = &chip->unit[tf_node_number(chip, chip->tile[i].coord)];
        uint64_t at = atomic_load_explicit(&unit->visited_slice, memory_order_relaxed);
        slice = at > slice ? at : slice;
        instructions += atomic_load_explicit(&unit->visited_instructions, memory_order_relaxed);
    }
    uint64_t cycle = slice == 0 ? 0 : tf_slice_end(&chip->schedule, slice - 1);
    chip->config.on_progress(chip->config.user, cycle, instructions);
}

static void idle(struct tf_worker *worker)
{
    static const struct timespec until_report = {.tv_nsec = (long)(TF_PROGRESS_S * 1e9)};
    struct tf_chip *chip = worker->chip;
    unsigned idlers = atomic_fetch_add(&chip->relaxed.idle, 1) + 1;
    unsigned bell = atomic_load(&chip->relaxed.bell);
    bool free, any = anything_runnable(chip, &free);
    /* Who visits a unit looks after it, and after what it wakes, before it is idle. The end has its own ring, which
       this reading of the bell may have come after. */
    if (!free && atomic_load(&chip->relaxed.end) < 0) {
        if (!any && idlers == chip->relaxed.workers)
            end_run(chip, over_limit(chip) ? TF_END_CYCLES : TF_END_QUIET);
        else
            tf_wait_while(&chip->relaxed.bell, bell, chip->workers.spin ? IDLE_SPINS : 0,
                          reports(worker) ? &until_report : NULL, &chip->relaxed.sleepers, &worker->idle_spins,
                          &worker->idle_sleeps);
    }
    atomic_fetch_sub(&chip->relaxed.idle, 1);
}

/* What may end the run from outside, and progress: between visits, as a round of long ones takes its time. */
static void look_up(struct tf_worker *worker)
{
    struct tf_chip *chip = worker->chip;
    if (reports(worker))
        report_progress(chip);
    if (tf_has_value(chip, chip->relaxed.options))
        end_run(chip, TF_END_VALUE);
    else if (atomic_load_explicit(&chip->stop, memory_order_relaxed) &&
             atomic_exchange_explicit(&chip->stop, false, memory_order_relaxed))
        end_run(chip, TF_END_STOPPED);
}

static bool visit_and_look_up(struct tf_worker *worker, unsigned number)
{
    if (!visit(worker, number))
        return false;
    look_up(worker);
    return true;
}

/* Units of one's own first; when there is nothing to do there, one of somebody else's. */
static bool visit_round(struct tf_worker *worker)
{
    struct tf_chip *chip = worker->chip;
    bool any = false;
    for (unsigned i = 0; i < worker->share_count && !ended(chip); i++)
        any |= visit_and_look_up(worker, worker->share[i]);
    for (unsigned i = 0; i < chip->units && !any && !ended(chip); i++)
        any = visit_and_look_up(worker, i);
    round_ends(worker);
    return any;
}

static void deal(struct tf_chip *chip)
{
    for (unsigned i = 0; i < chip->relaxed.workers; i++)
        chip->worker[i].share_count = 0;
    for (unsigned i = 0; i < chip->units; i++) {
        struct tf_worker *home = &chip->worker[chip->home[i] % chip->relaxed.workers];
        home->share[home->share_count++] = (uint16_t)i;
    }
}

static struct tf_part relaxed_worker(void *context, unsigned number, double began_s)
{
    struct tf_chip *chip = context;
    struct tf_worker *worker = &chip->worker[number];
    worker->owned = TF_NODES_MAX;
    worker->visit_slices = 1;
    worker->talks = worker->sent = false;
    while (!ended(chip)) {
        if (visit_round(worker))
            continue;
        idle(worker);
        look_up(worker);
    }
    double ended_s = tf_seconds();
    worker->run_s += ended_s - began_s;
    return (struct tf_part){.ended_s = ended_s};
}

/* What the host touched since the last run, and what the limit of the last run held back. */
static void begin(struct tf_chip *chip)
{
    for (unsigned i = 0; i < chip->units; i++) {
        if (!tf_units_has(&chip->active, i))
            continue;
        atomic_store(&chip->unit[i].woken, true);
        chip->unit[i].quiet = false;
    }
    for (unsigned i = 0; i < chip->tiles; i++) {
        struct tf_unit *unit = &chip->unit[tf_node_number(chip, chip->tile[i].coord)];
        atomic_store(&unit->heeds, TF_HEED_ALL);
        if (!tf_tile_quiet(&chip->tile[i]))
            unit->quiet = false;
    }
    chip->active = (struct tf_units){{0}};
}

/*
 * The chip's time is that of the tile that is furthest. The host starts cores then, so that a tile that waits is
 * brought there now: it would have to get there slice by slice. Without parking that is to execute as many.
 */
static void finish(struct tf_chip *chip)
{
    for (unsigned i = 0; i < chip->tiles; i++)
        if (chip->tile[i].slice > chip->slice)
            chip->slice = chip->tile[i].slice;
    for (unsigned i = 0; i < chip->tiles && chip->config.parking; i++)
        if (tf_tile_quiet(&chip->tile[i]))
            tf_tile_catch_up(&chip->tile[i], &chip->schedule, chip->slice);
}

enum tf_end tf_run_relaxed(struct tf_chip *chip, const struct tf_run_options *options)
{
    chip->relaxed.options = options;
    chip->relaxed.limit = tf_limit_slice(chip, options->cycles_max);
    atomic_store(&chip->relaxed.end, -1);
    atomic_store(&chip->relaxed.idle, 0);
    atomic_store(&chip->relaxed.talkers, 0);
    begin(chip);
    bool shared = chip->workers.count > 1 && tf_workers_start(&chip->workers) == TF_OK;
    chip->relaxed.workers = shared ? chip->workers.present : 1;
    deal(chip);
    const struct tf_step step = {.run = relaxed_worker, .context = chip};
    if (shared)
        tf_workers_share(&chip->workers, &step, NULL);
    else
        relaxed_worker(chip, 0, tf_seconds());
    finish(chip);
    chip->epoch++;
    enum tf_end end = (enum tf_end)atomic_load(&chip->relaxed.end);
    if (tf_faults_collect(chip) && end == TF_END_QUIET && !chip->config.go_on_after_fault)
        end = TF_END_FAULT;
    return end;
}
