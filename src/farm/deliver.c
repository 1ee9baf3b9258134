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

static enum tf_mail responses_of(unsigned epoch_parity)
{
    return epoch_parity ? TF_MAIL_RESPONSES_1 : TF_MAIL_RESPONSES;
}

static struct tf_noc_request *take_request(struct tf_noc_sink *sink, uint32_t payload_bytes)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    return tf_arena_take(&worker->arena[parity(worker->chip)], sizeof(struct tf_noc_request) + payload_bytes);
}

static struct tf_noc_response *take_response(struct tf_noc_sink *sink, uint32_t payload_bytes)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    return tf_arena_take(&worker->arena[parity(worker->chip)], sizeof(struct tf_noc_response) + payload_bytes);
}

/* Slices of an epoch are fewer than 2^20, units fewer than 2^12. */
static uint64_t next_key(struct tf_worker *worker)
{
    uint64_t slice = worker->tile->slice - worker->chip->slice;
    return slice << 44 | worker->order << 32 | worker->issued++;
}

static void send_copy(struct tf_worker *worker, struct tf_noc_request *request, unsigned node)
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
    tf_list_put(&worker->mail[unit][TF_MAIL_COPIES], &inbound->entry);
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
        unsigned unit = tf_unit_of(worker->chip, request->target);
        tf_list_put(&worker->mail[unit][TF_MAIL_REQUESTS], (struct ck_stack_entry *)request);
        tf_units_add(&worker->sent_to, unit);
        return;
    }
    uint16_t recipient[TF_NODES_MAX];
    unsigned count = tf_noc_recipients(worker->chip->fabric, request, recipient);
    for (unsigned i = 0; i < count; i++)
        send_copy(worker, request, recipient[i]);
}

static void respond(struct tf_noc_sink *sink, struct tf_noc_response *response)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    struct tf_chip *chip = worker->chip;
    unsigned unit = tf_unit_of(chip, response->node);
    tf_list_put(&worker->mail[unit][responses_of(parity(chip))], (struct ck_stack_entry *)response);
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

/* Sort items, of which there is at least one, by merging the runs that are there: what one tile sent is in order. */
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

/* Mail of kinds first .. last for a unit, of all workers together. */
static uint32_t count_mail(const struct tf_chip *chip, unsigned unit, enum tf_mail first, enum tf_mail last)
{
    uint32_t count = 0;
    for (unsigned i = 0; i < chip->workers.count; i++)
        for (unsigned mail = first; mail <= last; mail++)
            count += chip->worker[i].mail[unit][mail].count;
    return count;
}

/* For want of memory: it must not outlive the arenas that it lies in. */
static void drop_mail(struct tf_chip *chip, unsigned unit, enum tf_mail first, enum tf_mail last)
{
    for (unsigned i = 0; i < chip->workers.count; i++)
        for (unsigned mail = first; mail <= last; mail++)
            chip->worker[i].mail[unit][mail] = (struct tf_list){0};
}

static struct tf_item to_item(struct ck_stack_entry *entry, enum tf_mail mail)
{
    if (mail == TF_MAIL_REQUESTS) {
        struct tf_noc_request *request = (struct tf_noc_request *)entry;
        return (struct tf_item){.key = request->key, .what = request, .node = request->target};
    }
    if (mail == TF_MAIL_COPIES) {
        const struct tf_inbound *inbound = (const struct tf_inbound *)entry;
        return (struct tf_item){.key = inbound->request->key, .what = inbound->request, .node = inbound->node};
    }
    struct tf_noc_response *response = (struct tf_noc_response *)entry;
    return (struct tf_item){.key = response->key, .what = response, .node = response->recipient};
}

/* Mail in order. Lists give the newest first, so that each is filled in from its end. */
static struct tf_item *gather(struct tf_worker *worker, unsigned unit, enum tf_mail first, enum tf_mail last, bool take,
                              uint32_t *count)
{
    struct tf_chip *chip = worker->chip;
    uint32_t total = count_mail(chip, unit, first, last), at = 0;
    *count = 0;
    if (total == 0)
        return NULL;
    struct tf_item *item = tf_arena_take(&worker->arena[parity(chip)], 2 * (size_t)total * sizeof *item);
    if (item == NULL) {
        worker->out_of_memory = true;
        if (take)
            drop_mail(chip, unit, first, last);
        return NULL;
    }
    for (unsigned i = 0; i < chip->workers.count; i++)
        for (unsigned mail = first; mail <= last; mail++) {
            struct tf_list *list = &chip->worker[i].mail[unit][mail];
            struct ck_stack_entry *entry = list->newest;
            at += list->count;
            for (uint32_t k = 1; k <= list->count; k++, entry = entry->next)
                item[at - k] = to_item(entry, mail);
            if (take && list->count != 0)
                *list = (struct tf_list){0};
        }
    sort(item, total, item + total);
    *count = total;
    return item;
}

static struct tf_item *gather_requests(struct tf_worker *worker, unsigned unit, uint32_t *count)
{
    return gather(worker, unit, TF_MAIL_REQUESTS, TF_MAIL_COPIES, true, count);
}

struct tf_item *tf_responses_gather(struct tf_worker *worker, unsigned unit, bool take, uint32_t *count)
{
    enum tf_mail mail = responses_of(parity(worker->chip) ^ 1);
    return gather(worker, unit, mail, mail, take, count);
}

struct tf_item *tf_answers_gather(struct tf_worker *worker, unsigned unit, uint32_t *count)
{
    enum tf_mail mail = responses_of(parity(worker->chip));
    return gather(worker, unit, mail, mail, false, count);
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
        at->inbox.item = gather_requests(worker, unit, &at->inbox.count);
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
    worker->deliveries += inbox->count;
    for (uint32_t i = 0; i < inbox->count; i++)
        tf_noc_act(worker->chip->fabric, inbox->item[i].what, (uint16_t)inbox->item[i].node, &worker->sink);
    *inbox = (struct tf_inbox){.gathered = false};
    note_fault(worker, unit);
}

static struct tf_item *gather_all(struct tf_worker *worker, const struct tf_units *units, bool responses,
                                  uint32_t *count)
{
    struct tf_chip *chip = worker->chip;
    enum tf_mail first = responses ? responses_of(parity(chip) ^ 1) : TF_MAIL_REQUESTS;
    enum tf_mail last = responses ? first : TF_MAIL_COPIES;
    uint32_t total = 0, some;
    for (unsigned unit = 0; unit < chip->units; unit++)
        if (tf_units_has(units, unit))
            total += count_mail(chip, unit, first, last);
    *count = 0;
    if (total == 0)
        return NULL;
    struct tf_item *all = tf_arena_take(&worker->arena[parity(chip)], 2 * (size_t)total * sizeof *all);
    worker->out_of_memory |= all == NULL;
    for (unsigned unit = 0; unit < chip->units; unit++) {
        if (!tf_units_has(units, unit))
            continue;
        if (all == NULL) {
            drop_mail(chip, unit, first, last);
            continue;
        }
        const struct tf_item *item = gather(worker, unit, first, last, true, &some);
        if (some != 0)
            memcpy(all + *count, item, some * sizeof *item);
        *count += some;
    }
    if (*count != 0)
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
    worker->deliveries += count;
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
