/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is too long to be copied twice, once all harts have stopped: a long write's data stay in its source's L1 until
 * it acts, and a long read's data go straight to where they land, unless something else of the epoch touches the same
 * bytes there. Then the data take the detour through a copy, and mean the same.
 */
#include <string.h>

#include "farm/chip.h"

struct range {
    uint64_t address, bytes;
};

static bool overlap(struct range a, uint64_t address, uint64_t bytes)
{
    return a.address < address + bytes && address < a.address + a.bytes;
}

/* May this request change bytes of a range of a target's L1? */
static bool may_write(const struct tf_node *node, const struct tf_noc_request *request, struct range range)
{
    if (request->header_store && overlap(range, (uint64_t)request->at_data << 4, 16))
        return true;
    switch (request->kind) {
    case TF_NOC_READ:
        return false;
    case TF_NOC_WRITE:
    case TF_NOC_WRITE_INLINE:
        if (request->address >= node->l1_bytes) /* registers write to L1 too: timestamps, pushed instructions */
            return true;
        return overlap(range, request->address, request->length);
    case TF_NOC_WRITE_BE:
        return overlap(range, request->address & ~15ull, 64);
    default:
        /* STORE_IND of the emulator specification writes where the target points. */
        return (request->at_len_be >> 12 & 15) == 6 || overlap(range, request->address & ~15ull, 16);
    }
}

static void stage(struct tf_worker *worker, struct tf_noc_request *request)
{
    uint8_t *copy = tf_arena_take(worker->now, request->length);
    if (copy == NULL) {
        worker->sink.out_of_memory = true;
        return;
    }
    memcpy(copy, request->data, request->length);
    request->data = copy;
}

void tf_stage_long_writes(struct tf_worker *worker, unsigned unit)
{
    for (struct tf_bulk *write = worker->chip->unit[unit].long_writes; write != NULL; write = write->next)
        stage(worker, write->request);
}

/*
 * A tile that is quiet stops before its epoch ends. Up to that end the sources of its long writes are not captured: a
 * hart that polls the counters must not see them move, whether it is parked or executed.
 */
void tf_capture_long_writes(struct tf_chip *chip, unsigned unit)
{
    struct tf_niu *niu = chip->fabric->node[unit].niu;
    for (struct tf_bulk *write = chip->unit[unit].uncaptured; write != NULL; write = write->next)
        tf_niu_captured(&niu[write->request->noc], write->request);
    chip->unit[unit].uncaptured = NULL;
}

static struct range source_of(const struct tf_noc_request *write)
{
    return (struct range){.address = write->source_address, .bytes = write->length};
}

static struct range landing_of(const struct tf_noc_request *read)
{
    return (struct range){.address = read->return_address, .bytes = read->length};
}

/* All ranges of a list, and what is between: mostly one look at what comes in is enough for all. */
static struct range hull_of(const struct tf_bulk *list, struct range (*range_of)(const struct tf_noc_request *))
{
    struct range hull = range_of(list->request);
    for (const struct tf_bulk *bulk = list->next; bulk != NULL; bulk = bulk->next) {
        struct range range = range_of(bulk->request);
        uint64_t end = hull.address + hull.bytes, other_end = range.address + range.bytes;
        if (range.address < hull.address)
            hull.address = range.address;
        hull.bytes = (other_end > end ? other_end : end) - hull.address;
    }
    return hull;
}

static bool anything_writes(const struct tf_unit *at, const struct tf_node *node, struct range range)
{
    for (struct tf_noc_entry *entry = at->inbox.oldest; entry != NULL; entry = entry->next)
        if (may_write(node, tf_request_of(entry), range))
            return true;
    return false;
}

static void prepare_writes(struct tf_worker *worker, unsigned unit)
{
    const struct tf_unit *at = &worker->chip->unit[unit];
    const struct tf_node *node = &worker->chip->fabric->node[unit];
    if (at->long_writes == NULL || !anything_writes(at, node, hull_of(at->long_writes, source_of)))
        return;
    for (struct tf_bulk *write = at->long_writes; write != NULL; write = write->next)
        if (anything_writes(at, node, source_of(write->request)))
            stage(worker, write->request);
}

static bool may_touch(const struct tf_node *node, const struct tf_noc_request *request, struct range range)
{
    if (request->kind == TF_NOC_READ)
        return overlap(range, request->address, request->length);
    return may_write(node, request, range);
}

static bool anything_comes(const struct tf_unit *at, const struct tf_node *node, struct range range)
{
    for (struct tf_noc_entry *entry = at->inbox.oldest; entry != NULL; entry = entry->next)
        if (may_touch(node, tf_request_of(entry), range))
            return true;
    return false;
}

static bool overlap_where_they_land(const struct tf_noc_request *a, const struct tf_noc_request *b)
{
    return overlap(landing_of(a), b->return_address, b->length);
}

static bool from_several_units(const struct tf_chip *chip, const struct tf_bulk *reads)
{
    unsigned unit = tf_unit_of(chip, reads->request->target);
    for (const struct tf_bulk *read = reads->next; read != NULL; read = read->next)
        if (tf_unit_of(chip, read->request->target) != unit)
            return true;
    return false;
}

/* Reads that one worker performs come in their order; others must not land in the same place. */
static bool meets_others(const struct tf_chip *chip, const struct tf_unit *at, const struct tf_noc_request *read)
{
    unsigned unit = tf_unit_of(chip, read->target);
    for (const struct tf_bulk *other = at->long_reads; other != NULL; other = other->next)
        if (tf_unit_of(chip, other->request->target) != unit && overlap_where_they_land(other->request, read))
            return true;
    return false;
}

static bool feeds_a_write(const struct tf_unit *at, struct range range)
{
    for (const struct tf_bulk *write = at->long_writes; write != NULL; write = write->next)
        if (overlap(range, write->request->source_address, write->request->length))
            return true;
    return false;
}

static bool lands_in_plain_l1(const struct tf_node *node, struct range range)
{
    return node->l1 != NULL && range.bytes <= tf_node_room(node, range.address) &&
           tf_node_place(node, range.address) == TF_PLACE_L1 && !tf_node_has_code(node, range.address, range.bytes);
}

/* Copied data land last: what they meet must take the same detour. */
static bool keep_order(const struct tf_unit *at)
{
    bool changed = false;
    for (struct tf_bulk *read = at->long_reads; read != NULL; read = read->next)
        for (struct tf_bulk *other = at->long_reads; other != NULL && read->request->to != NULL; other = other->next)
            if (other->request->to == NULL && overlap_where_they_land(read->request, other->request)) {
                read->request->to = NULL;
                changed = true;
            }
    return changed;
}

static void prepare_reads(struct tf_worker *worker, unsigned unit)
{
    const struct tf_chip *chip = worker->chip;
    const struct tf_unit *at = &chip->unit[unit];
    const struct tf_node *node = &chip->fabric->node[unit];
    if (at->long_reads == NULL || chip->reads_for_others)
        return;
    bool crossed = anything_comes(at, node, hull_of(at->long_reads, landing_of)), all = true;
    bool several = from_several_units(chip, at->long_reads);
    for (struct tf_bulk *read = at->long_reads; read != NULL; read = read->next) {
        struct tf_noc_request *request = read->request;
        struct range range = landing_of(request);
        if (lands_in_plain_l1(node, range) && !(crossed && anything_comes(at, node, range)) &&
            !feeds_a_write(at, range) && !(several && meets_others(chip, at, request)))
            request->to = node->l1 + range.address;
        else
            all = false;
    }
    while (!all && keep_order(at))
        continue;
    for (struct tf_bulk *read = at->long_reads; read != NULL; read = read->next)
        read->request->entry.settled = read->request->to != NULL && read->request->keeps_answer;
}

void tf_prepare_unit(struct tf_worker *worker, unsigned unit)
{
    tf_inbox_fill(worker, unit);
    /* Before others write to its L1: a parked hart may have to be moved on by what it watches there. */
    tf_bring_up_to_date(worker, unit);
    prepare_writes(worker, unit);
    prepare_reads(worker, unit);
}

void tf_land_long_reads(struct tf_worker *worker, unsigned unit)
{
    struct tf_noc_entry *first = tf_answers_due(worker->chip, unit);
    tf_bring_up_to_date(worker, unit);
    for (struct tf_noc_entry *entry = first; entry != NULL; entry = entry->next)
        tf_noc_land_long_read(worker->chip->fabric, (struct tf_noc_response *)entry);
}
