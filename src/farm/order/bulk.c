/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bulk: data move from source L1 to target L1 with one copy. The data of a long write stay in the source's L1 until the
 * write acts. The data of a long read are copied to their destination when the read acts. If another request of the
 * epoch touches these bytes, the data are staged instead, so that the result is that of the delivery order.
 * Bench rows: copy-16k and allreduce-66k.
 */
#include <string.h>

#include "farm/chip/chip.h"
#include "farm/order/bulk.h"
#include "farm/order/deliver.h"
#include "farm/order/reach.h"
#include "farm/order/long.h"
#include "farm/order/noc_log.h"
#include "host/extremes.h"
#include "noc/requests/land.h"
#include "noc/relaxed/owner.h"
#include "tile/riscv/hart/observed.h"

static bool overlap(struct tf_noc_range a, struct tf_noc_range b)
{
    return a.address < b.address + b.bytes && b.address < a.address + a.bytes;
}

/* May a request change bytes in a range of its target's L1? */
static bool may_write(const struct tf_node *node, const struct tf_noc_request *request, struct tf_noc_range range)
{
    if (tf_noc_is_write(request->kind) && request->address >= node->l1_bytes)
        return true; /* registers can change L1: timestamps, pushed instructions */
    const struct tf_noc_changes changes = tf_noc_changes(request);
    return changes.indirect || overlap(range, changes.data) || overlap(range, changes.header);
}

static struct tf_noc_range source_of(const struct tf_noc_request *write)
{
    return (struct tf_noc_range){.address = write->source_address, .bytes = write->length};
}

static struct tf_noc_range landing_of(const struct tf_noc_request *read)
{
    return (struct tf_noc_range){.address = read->return_address, .bytes = read->length};
}

/* The smallest range that covers a list. One pass over the inbox with this range usually shows that nothing
   overlaps. */
static struct tf_noc_range hull_of(const struct tf_bulk *list,
                                   struct tf_noc_range (*range_of)(const struct tf_noc_request *))
{
    struct tf_noc_range hull = range_of(list->request);
    for (const struct tf_bulk *bulk = list->next; bulk != NULL; bulk = bulk->next) {
        struct tf_noc_range range = range_of(bulk->request);
        uint64_t end = hull.address + hull.bytes, other_end = range.address + range.bytes;
        hull.address = tf_min(hull.address, range.address);
        hull.bytes = tf_max(other_end, end) - hull.address;
    }
    return hull;
}

static bool inbox_writes(const struct tf_site *at, const struct tf_node *node, struct tf_noc_range range)
{
    for (struct tf_noc_entry *entry = at->inbox.oldest; entry != NULL; entry = entry->next)
        if (may_write(node, tf_request_of(entry), range))
            return true;
    return false;
}

static void prepare_writes(struct tf_worker *worker, unsigned site)
{
    const struct tf_site *at = &worker->chip->site[site];
    const struct tf_node *node = &worker->chip->fabric->node[site];
    if (at->long_writes == NULL || !inbox_writes(at, node, hull_of(at->long_writes, source_of)))
        return;
    for (struct tf_bulk *write = at->long_writes; write != NULL; write = write->next)
        if (inbox_writes(at, node, source_of(write->request)))
            tf_stage_long_write(worker, write->request);
}

static bool may_touch(const struct tf_node *node, const struct tf_noc_request *request, struct tf_noc_range range)
{
    if (request->kind == TF_NOC_READ)
        return overlap(range, (struct tf_noc_range){request->address, request->length});
    return may_write(node, request, range);
}

static bool inbox_touches(const struct tf_site *at, const struct tf_node *node, struct tf_noc_range range)
{
    for (struct tf_noc_entry *entry = at->inbox.oldest; entry != NULL; entry = entry->next)
        if (may_touch(node, tf_request_of(entry), range))
            return true;
    return false;
}

static bool landings_overlap(const struct tf_noc_request *a, const struct tf_noc_request *b)
{
    return overlap(landing_of(a), landing_of(b));
}

static bool from_several_sites(const struct tf_fabric *fabric, const struct tf_bulk *reads)
{
    unsigned site = tf_site_of(fabric, reads->request->target);
    for (const struct tf_bulk *read = reads->next; read != NULL; read = read->next)
        if (tf_site_of(fabric, read->request->target) != site)
            return true;
    return false;
}

/* Does a read of another target land on the same bytes? Reads of two targets have no order. Reads of one target act in
   order of issue. */
static bool overlaps_other_target(const struct tf_fabric *fabric, const struct tf_site *at,
                                  const struct tf_noc_request *read)
{
    unsigned site = tf_site_of(fabric, read->target);
    for (const struct tf_bulk *other = at->long_reads; other != NULL; other = other->next)
        if (tf_site_of(fabric, other->request->target) != site && landings_overlap(other->request, read))
            return true;
    return false;
}

static bool feeds_a_write(const struct tf_site *at, struct tf_noc_range range)
{
    for (const struct tf_bulk *write = at->long_writes; write != NULL; write = write->next)
        if (overlap(range, source_of(write->request)))
            return true;
    return false;
}

static bool lands_in_l1_data(const struct tf_node *node, struct tf_noc_range range)
{
    return tf_node_in_l1(node, range.address, range.bytes) && !tf_node_has_code(node, range.address, range.bytes);
}

/* Stage the reads that overlap a staged read, because staged data land last. Returns true if this staged any. */
static bool stage_overlapping(const struct tf_site *at)
{
    bool changed = false;
    for (struct tf_bulk *read = at->long_reads; read != NULL; read = read->next)
        for (struct tf_bulk *other = at->long_reads; other != NULL && read->request->to != NULL; other = other->next)
            if (other->request->to == NULL && landings_overlap(read->request, other->request)) {
                read->request->to = NULL;
                changed = true;
            }
    return changed;
}

static void prepare_reads(struct tf_worker *worker, unsigned site)
{
    const struct tf_chip *chip = worker->chip;
    const struct tf_site *at = &chip->site[site];
    const struct tf_node *node = &chip->fabric->node[site];
    if (at->long_reads == NULL || chip->epochs.reads_for_others)
        return;
    bool crossed = inbox_touches(at, node, hull_of(at->long_reads, landing_of)), all = true;
    bool several = from_several_sites(chip->fabric, at->long_reads);
    for (struct tf_bulk *read = at->long_reads; read != NULL; read = read->next) {
        struct tf_noc_request *request = read->request;
        struct tf_noc_range range = landing_of(request);
        if (lands_in_l1_data(node, range) && !(crossed && inbox_touches(at, node, range)) &&
            !feeds_a_write(at, range) && !(several && overlaps_other_target(chip->fabric, at, request)))
            request->to = node->l1 + range.address;
        else
            all = false;
    }
    while (!all && stage_overlapping(at))
        continue;
    for (struct tf_bulk *read = at->long_reads; read != NULL; read = read->next)
        read->request->entry.settled = read->request->to != NULL && read->request->keeps_answer;
}

void tf_prepare_site(struct tf_worker *worker, unsigned site)
{
    tf_inbox_fill(worker, site);
    /* Other sites will write to this L1, where a parked hart may have inputs. Bring the tile up to date first. */
    tf_bring_up_to_date(worker, site);
    prepare_writes(worker, site);
    prepare_reads(worker, site);
}

void tf_land_long_reads(struct tf_worker *worker, unsigned site)
{
    struct tf_noc_entry *first = tf_answers_due(worker, site);
    tf_bring_up_to_date(worker, site);
    for (struct tf_noc_entry *entry = first; entry != NULL; entry = entry->next)
        if (TF_HOOK(worker->chip->observers.noc_log) != NULL)
            tf_noc_log_land_long_read(worker, (struct tf_noc_response *)entry);
        else
            tf_noc_land_long_read(worker->chip->fabric, (struct tf_noc_response *)entry);
}
