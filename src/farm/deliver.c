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

static enum tf_mail_kind responses_of(uint64_t epoch)
{
    return epoch & 1 ? TF_MAIL_RESPONSES_1 : TF_MAIL_RESPONSES;
}

static struct tf_noc_request *take_request(struct tf_noc_sink *sink, uint32_t payload_bytes)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    return tf_arena_take(worker->now, sizeof(struct tf_noc_request) + payload_bytes);
}

static struct tf_noc_response *take_response(struct tf_noc_sink *sink, uint32_t payload_bytes)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    return tf_arena_take(worker->now, sizeof(struct tf_noc_response) + payload_bytes);
}

/* Slices of an epoch are fewer than 2^20, units fewer than 2^12. */
static uint64_t next_key(struct tf_worker *worker)
{
    uint64_t slice = worker->tile->slice - worker->chip->slice;
    return slice << 44 | worker->order << 32 | worker->issued++;
}

static inline __attribute__((always_inline)) void send(struct tf_worker *worker, struct tf_noc_entry *entry)
{
    unsigned unit = tf_unit_of(worker->chip, entry->node);
    tf_mail_put(&worker->mail[TF_MAIL_REQUESTS][unit], entry);
    tf_units_add(&worker->sent_to, unit);
}

static __attribute__((noinline)) void send_copy(struct tf_worker *worker, struct tf_noc_request *request, uint16_t node)
{
    struct tf_noc_copy *copy = tf_arena_take(worker->now, sizeof *copy);
    if (copy == NULL) {
        worker->out_of_memory = true;
        return;
    }
    copy->entry = (struct tf_noc_entry){.key = request->entry.key, .node = node, .copy = true};
    copy->request = request;
    send(worker, &copy->entry);
}

static __attribute__((noinline)) void remember(struct tf_worker *worker, struct tf_noc_request *request,
                                               struct tf_bulk **list)
{
    struct tf_bulk *bulk = tf_arena_take(worker->now, sizeof *bulk);
    if (bulk == NULL) {
        worker->out_of_memory = true;
        return;
    }
    bulk->request = request;
    bulk->next = *list;
    *list = bulk;
}

/* Is it for remember_bulk()? */
static inline bool is_bulk(const struct tf_noc_request *request)
{
    return request->kind == TF_NOC_WRITE ? request->data != request->carried
                                         : request->kind == TF_NOC_READ && request->length > TF_NOC_CARRY_BYTES;
}

static void remember_bulk(struct tf_worker *worker, struct tf_noc_request *request)
{
    if (request->kind == TF_NOC_WRITE)
        remember(worker, request, &worker->unit->long_writes);
    else if (request->answer == request->source)
        remember(worker, request, &worker->unit->long_reads);
    else
        worker->reads_for_others = true;
}

static __attribute__((noinline)) void send_copies(struct tf_worker *worker, struct tf_noc_request *request)
{
    uint16_t recipient[TF_NODES_MAX];
    unsigned count = tf_noc_recipients(worker->chip->fabric, request, recipient);
    for (unsigned i = 0; i < count; i++)
        send_copy(worker, request, recipient[i]);
}

static void submit(struct tf_noc_sink *sink, struct tf_noc_request *request)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    request->entry.key = next_key(worker);
    if (is_bulk(request))
        remember_bulk(worker, request);
    if (request->multicast) {
        send_copies(worker, request);
        return;
    }
    request->entry.node = request->target;
    send(worker, &request->entry);
}

static enum tf_access again(struct tf_noc_sink *sink, const struct tf_noc_request *request, uint32_t payload_bytes,
                            unsigned core, uint32_t pc)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    struct tf_noc_request *another = take_request(sink, payload_bytes);
    if (another == NULL) {
        worker->out_of_memory = true;
        return TF_ACCESS_OK;
    }
    *another = *request;
    another->entry.key = next_key(worker);
    another->entry.node = request->target;
    another->core = (uint8_t)core;
    another->pc = pc;
    another->cycle = worker->tile->now;
    send(worker, &another->entry);
    if (payload_bytes != 0) {
        another->data = another->carried;
        memcpy(another->carried, worker->tile->l1 + request->source_address, payload_bytes);
    }
    return TF_ACCESS_OK;
}

static void respond(struct tf_noc_sink *sink, struct tf_noc_response *response)
{
    struct tf_worker *worker = (struct tf_worker *)sink;
    unsigned unit = tf_unit_of(worker->chip, response->node);
    tf_mail_put(&worker->answers[unit], &response->entry);
    tf_units_add(&worker->landing, unit);
    if (response->kind == TF_NOC_READ_DATA && response->length > TF_NOC_CARRY_BYTES && !response->landed)
        tf_units_add(&worker->late, unit);
}

void tf_deliver_sink(struct tf_worker *worker)
{
    worker->sink = (struct tf_noc_sink){
        .request = take_request, .submit = submit, .response = take_response, .respond = respond, .again = again};
}

void tf_deliver_begin(struct tf_worker *worker)
{
    worker->now = &worker->arena[worker->chip->epoch & 1];
    worker->answers = worker->mail[responses_of(worker->chip->epoch)];
    tf_arena_reset(worker->now);
}

/* What all workers have for a unit, in order; nothing is left with them. */
static struct tf_noc_entry *take(struct tf_chip *chip, unsigned unit, enum tf_mail_kind kind)
{
    struct tf_mail *only = NULL;
    unsigned lists = 0;
    for (unsigned i = 0; i < chip->workers.count; i++) {
        struct tf_mail *mail = &chip->worker[i].mail[kind][unit];
        if (mail->oldest != NULL) {
            only = mail;
            lists++;
        }
    }
    if (lists == 0)
        return NULL;
    if (lists == 1 && !only->disordered) {
        struct tf_noc_entry *oldest = only->oldest;
        *only = (struct tf_mail){0};
        return oldest;
    }
    struct tf_mail_bins bins = {{0}};
    for (unsigned i = 0; i < chip->workers.count; i++)
        tf_mail_collect(&bins, &chip->worker[i].mail[kind][unit]);
    return tf_mail_merge(&bins);
}

/* The same; all of it stays, with the first worker. */
static struct tf_noc_entry *look(struct tf_chip *chip, unsigned unit, enum tf_mail_kind kind)
{
    struct tf_noc_entry *oldest = take(chip, unit, kind), *newest = oldest;
    while (newest != NULL && newest->next != NULL)
        newest = newest->next;
    chip->worker[0].mail[kind][unit] = (struct tf_mail){.oldest = oldest, .newest = newest};
    return oldest;
}

struct tf_noc_entry *tf_responses_due(struct tf_chip *chip, unsigned unit)
{
    return look(chip, unit, responses_of(chip->epoch - 1));
}

struct tf_noc_entry *tf_answers_due(struct tf_chip *chip, unsigned unit)
{
    return look(chip, unit, responses_of(chip->epoch));
}

void tf_land_unit(struct tf_worker *worker, unsigned unit)
{
    struct tf_chip *chip = worker->chip;
    struct tf_noc_entry *entry = take(chip, unit, responses_of(chip->epoch - 1));
    for (; entry != NULL; entry = entry->next)
        tf_noc_land(chip->fabric, (struct tf_noc_response *)entry);
}

void tf_inbox_fill(struct tf_chip *chip, unsigned unit)
{
    struct tf_inbox *inbox = &chip->unit[unit].inbox;
    if (!inbox->gathered)
        inbox->oldest = take(chip, unit, TF_MAIL_REQUESTS);
    inbox->gathered = inbox->oldest != NULL;
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
    struct tf_chip *chip = worker->chip;
    struct tf_inbox *inbox = &chip->unit[unit].inbox;
    tf_bring_up_to_date(worker, unit);
    tf_inbox_fill(chip, unit);
    for (struct tf_noc_entry *entry = inbox->oldest; entry != NULL; entry = entry->next) {
        tf_noc_act(chip->fabric, tf_request_of(entry), entry->node, &worker->sink);
        worker->deliveries++;
    }
    *inbox = (struct tf_inbox){.gathered = false};
    note_fault(worker, unit);
}

/* Of all units. */
static struct tf_noc_entry *take_all(struct tf_chip *chip, enum tf_mail_kind kind)
{
    struct tf_mail_bins bins = {{0}};
    for (unsigned i = 0; i < chip->workers.count; i++)
        for (unsigned unit = 0; unit < chip->units; unit++)
            tf_mail_collect(&bins, &chip->worker[i].mail[kind][unit]);
    return tf_mail_merge(&bins);
}

void tf_execute_serially(struct tf_chip *chip, const struct tf_units *sources)
{
    struct tf_worker *worker = &chip->worker[0];
    for (unsigned unit = 0; unit < chip->units; unit++)
        if (tf_units_has(sources, unit))
            tf_stage_long_writes(worker, unit);
    for (struct tf_noc_entry *entry = take_all(chip, TF_MAIL_REQUESTS); entry != NULL; entry = entry->next) {
        tf_bring_up_to_date(worker, tf_unit_of(chip, entry->node));
        tf_noc_act(chip->fabric, tf_request_of(entry), entry->node, &worker->sink);
        note_fault(worker, entry->node);
        worker->deliveries++;
    }
}

void tf_land_serially(struct tf_chip *chip)
{
    struct tf_worker *worker = &chip->worker[0];
    struct tf_noc_entry *entry = take_all(chip, responses_of(chip->epoch - 1));
    for (; entry != NULL; entry = entry->next) {
        const struct tf_noc_response *response = (const struct tf_noc_response *)entry;
        tf_bring_up_to_date(worker, tf_unit_of(chip, response->node));
        tf_noc_land(chip->fabric, response);
    }
    chip->landing = (struct tf_units){{0}};
}
