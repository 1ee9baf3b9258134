/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Delivery in deterministic mode. Its meaning: once all harts have stopped, long writes take their source; the epoch's
 * requests act one after another by key (slice, tile rotated by the epoch's number, issue number); then the data of long
 * reads land in that order, and after them all other responses, and are seen from the next epoch on.
 * tf_execute_serially(), tf_land_long_reads() and tf_land_serially() do just that.
 * The other functions do it unit by unit, which is the same because what acts at different units commutes.
 */
#include <string.h>

#include "farm/chip.h"

static unsigned parity(const struct tf_chip *chip)
{
    return (unsigned)(chip->epoch & 1);
}

static struct tf_noc_request *take_request(struct tf_noc_sink *sink, uint32_t payload_bytes)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    struct tf_noc_request *request =
        tf_arena_take(&worker->arena[parity(worker->chip)], sizeof *request + payload_bytes);
    if (request != NULL)
        memset(request, 0, sizeof *request);
    return request;
}

static struct tf_noc_response *take_response(struct tf_noc_sink *sink, uint32_t payload_bytes)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    struct tf_noc_response *response =
        tf_arena_take(&worker->arena[parity(worker->chip)], sizeof *response + payload_bytes);
    if (response != NULL)
        memset(response, 0, sizeof *response);
    return response;
}

/* Slices of an epoch are fewer than 2^20, units fewer than 2^12. */
static uint64_t next_key(struct tf_worker *worker)
{
    uint64_t slice = worker->tile->slice - worker->chip->slice;
    return slice << 44 | worker->order << 32 | worker->issued++;
}

static void send_to(struct tf_worker *worker, struct tf_noc_request *request, unsigned node)
{
    struct tf_chip *chip = worker->chip;
    struct tf_inbound *inbound = tf_arena_take(&worker->arena[parity(chip)], sizeof *inbound);
    if (inbound == NULL) {
        worker->out_of_memory = true;
        return;
    }
    unsigned unit = tf_unit_of(chip, node);
    inbound->request = request;
    inbound->node = (uint16_t)node;
    tf_queue_put_alone(&chip->unit[unit].requests[worker->number], &inbound->entry);
    tf_units_add(&worker->sent_to, unit);
}

static void remember(struct tf_worker *worker, struct tf_noc_request *request, struct tf_bulk **list)
{
    struct tf_bulk *bulk = tf_arena_take(&worker->arena[parity(worker->chip)], sizeof *bulk);
    if (bulk == NULL) {
        worker->out_of_memory = true;
        return;
    }
    bulk->request = request;
    bulk->next = *list;
    *list = bulk;
}

static void remember_bulk(struct tf_worker *worker, struct tf_noc_request *request)
{
    if (request->kind == TF_NOC_WRITE && request->data != request->carried)
        remember(worker, request, &worker->unit->long_writes);
    if (request->kind != TF_NOC_READ || request->length <= TF_NOC_CARRY_BYTES)
        return;
    if (request->answer == request->source)
        remember(worker, request, &worker->unit->long_reads);
    else
        worker->reads_for_others = true;
}

static void submit(struct tf_noc_sink *sink, struct tf_noc_request *request)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    request->key = next_key(worker);
    remember_bulk(worker, request);
    if (!request->multicast) {
        send_to(worker, request, request->target);
        return;
    }
    uint16_t recipient[TF_NODES_MAX];
    unsigned count = tf_noc_recipients(worker->chip->fabric, request, recipient);
    for (unsigned i = 0; i < count; i++)
        send_to(worker, request, recipient[i]);
}

static void respond(struct tf_noc_sink *sink, struct tf_noc_response *response)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    struct tf_chip *chip = worker->chip;
    unsigned unit = tf_unit_of(chip, response->node);
    tf_queue_put_alone(&chip->unit[unit].responses[parity(chip)][worker->number],
                       (struct ck_stack_entry *)response);
    tf_units_add(&worker->landing, unit);
    if (response->kind == TF_NOC_READ_DATA && response->length > TF_NOC_CARRY_BYTES && !response->landed)
        tf_units_add(&worker->late, unit);
}

void tf_deliver_sink(struct tf_worker *worker)
{
    worker->sink = (struct tf_noc_sink){
        .request = take_request, .submit = submit, .response = take_response, .respond = respond};
}

static bool precedes(const struct tf_item *a, const struct tf_item *b)
{
    return a->key != b->key ? a->key < b->key : a->node < b->node;
}

static void merge(const struct tf_item *from, uint32_t left, uint32_t middle, uint32_t right, struct tf_item *to)
{
    uint32_t a = left, b = middle;
    for (uint32_t i = left; i < right; i++)
        to[i] = a < middle && (b >= right || !precedes(&from[b], &from[a])) ? from[a++] : from[b++];
}

/* Sort by merging the runs that are there: what one tile sent is in order already. */
static void sort(struct tf_item *item, uint32_t count, struct tf_item *spare)
{
    struct tf_item *from = item, *to = spare;
    for (;;) {
        for (uint32_t left = 0; left < count;) {
            uint32_t middle = left + 1;
            while (middle < count && !precedes(&from[middle], &from[middle - 1]))
                middle++;
            uint32_t right = middle < count ? middle + 1 : middle;
            while (right < count && !precedes(&from[right], &from[right - 1]))
                right++;
            if (left == 0 && middle == count) {
                if (from != item)
                    memcpy(item, from, count * sizeof *item);
                return;
            }
            merge(from, left, middle, right, to);
            left = right;
        }
        struct tf_item *swap = from;
        from = to;
        to = swap;
    }
}

static uint32_t length_of(const struct ck_stack_entry *entry)
{
    uint32_t length = 0;
    for (; entry != NULL; entry = entry->next)
        length++;
    return length;
}

static uint32_t count_entries(const struct tf_queue *queues, unsigned workers)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < workers; i++)
        count += length_of(queues[i].stack.head);
    return count;
}

typedef void to_item(struct ck_stack_entry *entry, struct tf_item *item);

static void request_item(struct ck_stack_entry *entry, struct tf_item *item)
{
    const struct tf_inbound *inbound = (const struct tf_inbound *)entry;
    *item = (struct tf_item){.key = inbound->request->key, .what = inbound->request, .node = inbound->node};
}

static void response_item(struct ck_stack_entry *entry, struct tf_item *item)
{
    struct tf_noc_response *response = (struct tf_noc_response *)entry;
    *item = (struct tf_item){.key = response->key, .what = response, .node = response->recipient};
}

/* Items of all workers' queues in order. Queues give the newest first, so each is filled in from its end. */
static struct tf_item *gather(struct tf_worker *worker, struct tf_queue *queues, to_item *convert, bool take,
                              uint32_t *count)
{
    unsigned workers = worker->chip->workers.count;
    uint32_t total = count_entries(queues, workers);
    *count = 0;
    if (total == 0)
        return NULL;
    struct tf_item *item = tf_arena_take(&worker->arena[parity(worker->chip)], 2 * (size_t)total * sizeof *item);
    if (item == NULL) {
        worker->out_of_memory = true;
        return NULL;
    }
    uint32_t at = 0;
    for (unsigned i = 0; i < workers; i++) {
        struct ck_stack_entry *entry = queues[i].stack.head;
        uint32_t length = length_of(entry);
        for (uint32_t k = length; k-- > 0; entry = entry->next)
            convert(entry, &item[at + k]);
        at += length;
        if (take)
            queues[i].stack.head = NULL;
    }
    sort(item, total, item + total);
    *count = total;
    return item;
}

struct tf_item *tf_responses_gather(struct tf_worker *worker, unsigned unit, bool take, uint32_t *count)
{
    struct tf_chip *chip = worker->chip;
    return gather(worker, chip->unit[unit].responses[parity(chip) ^ 1], response_item, take, count);
}

struct tf_item *tf_answers_gather(struct tf_worker *worker, unsigned unit, uint32_t *count)
{
    struct tf_chip *chip = worker->chip;
    return gather(worker, chip->unit[unit].responses[parity(chip)], response_item, false, count);
}

void tf_land_unit(struct tf_worker *worker, unsigned unit)
{
    uint32_t count;
    struct tf_item *item = tf_responses_gather(worker, unit, true, &count);
    for (uint32_t i = 0; i < count; i++)
        tf_noc_land(worker->chip->fabric, item[i].what);
}

void tf_inbox_fill(struct tf_worker *worker, unsigned unit)
{
    struct tf_unit *at = &worker->chip->unit[unit];
    if (!at->inbox.gathered)
        at->inbox.item = gather(worker, at->requests, request_item, true, &at->inbox.count);
    at->inbox.gathered = at->inbox.count != 0;
}

static void note_fault(struct tf_worker *worker, unsigned node)
{
    const struct tf_tile *tile = worker->chip->fabric->node[node].tile;
    if (tile != NULL && tile->faults.count != 0)
        tf_units_add(&worker->faulted, node);
}

void tf_bring_up_to_date(struct tf_worker *worker, unsigned unit)
{
    struct tf_chip *chip = worker->chip;
    struct tf_tile *tile = chip->fabric->node[unit].tile;
    if (tile == NULL)
        return;
    tf_tile_catch_up(tile, &chip->schedule, chip->slice);
    tile->now = tf_chip_cycles(chip);
}

void tf_execute_unit(struct tf_worker *worker, unsigned unit)
{
    tf_bring_up_to_date(worker, unit);
    tf_inbox_fill(worker, unit);
    struct tf_inbox *inbox = &worker->chip->unit[unit].inbox;
    for (uint32_t i = 0; i < inbox->count; i++)
        tf_noc_act(worker->chip->fabric, inbox->item[i].what, (uint16_t)inbox->item[i].node, &worker->sink);
    *inbox = (struct tf_inbox){.gathered = false};
    note_fault(worker, unit);
}

static struct tf_item *gather_all(struct tf_worker *worker, const struct tf_units *units, bool responses,
                                  uint32_t *count)
{
    struct tf_chip *chip = worker->chip;
    uint32_t total = 0;
    for (unsigned unit = 0; unit < chip->units; unit++)
        if (tf_units_has(units, unit))
            total += count_entries(responses ? chip->unit[unit].responses[parity(chip) ^ 1] : chip->unit[unit].requests,
                                   chip->workers.count);
    *count = 0;
    if (total == 0)
        return NULL;
    struct tf_item *all = tf_arena_take(&worker->arena[parity(chip)], 2 * (size_t)total * sizeof *all);
    if (all == NULL) {
        worker->out_of_memory = true;
        return NULL;
    }
    for (unsigned unit = 0; unit < chip->units; unit++) {
        if (!tf_units_has(units, unit))
            continue;
        uint32_t some;
        struct tf_item *item =
            responses ? tf_responses_gather(worker, unit, true, &some)
                      : gather(worker, chip->unit[unit].requests, request_item, true, &some);
        if (some != 0)
            memcpy(all + *count, item, some * sizeof *item);
        *count += some;
    }
    sort(all, *count, all + total);
    return all;
}

void tf_execute_serially(struct tf_chip *chip, const struct tf_units *targets, const struct tf_units *sources)
{
    struct tf_worker *worker = &chip->worker[0];
    for (unsigned unit = 0; unit < chip->units; unit++) {
        if (!tf_units_has(sources, unit))
            continue;
        tf_stage_long_writes(worker, unit);
    }
    uint32_t count;
    struct tf_item *item = gather_all(worker, targets, false, &count);
    for (uint32_t i = 0; i < count; i++) {
        tf_bring_up_to_date(worker, tf_unit_of(chip, item[i].node));
        tf_noc_act(chip->fabric, item[i].what, (uint16_t)item[i].node, &worker->sink);
        note_fault(worker, item[i].node);
    }
}

void tf_land_serially(struct tf_chip *chip)
{
    struct tf_worker *worker = &chip->worker[0];
    uint32_t count;
    struct tf_item *item = gather_all(worker, &chip->landing, true, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct tf_noc_response *response = item[i].what;
        tf_bring_up_to_date(worker, tf_unit_of(chip, response->node));
        tf_noc_land(chip->fabric, response);
    }
    chip->landing = (struct tf_units){{0}};
}
