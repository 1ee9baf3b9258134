/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/eth/resend.h"

#include <stdlib.h>

#include "host/extremes.h"
#include "tile/fault.h"
#include "tile/eth/late.h"
#include "tile/eth/wire.h"
#include "tile/eth/word.h"
#include "tile/path/path.h"

/* Words of a TX queue. */
enum { CONTROL = 0x00 / 4, REMOTE_TIMEOUT = 0x48 / 4, LOCAL_TIMEOUT = 0x4C / 4 };
enum { KEEPALIVE = 1 << 0, NO_NOTIFICATIONS = 1 << 3 };

static const uint32_t *queue_of(const struct tf_tile *tile, unsigned queue)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    return tf_eth_word(tile, arch->tx.first + queue * arch->tx.stride);
}

static struct tf_eth_unacknowledged *item_at(const struct tf_eth_window *window, unsigned i)
{
    return &window->item[(window->first + i) % window->room];
}

static bool make_room(struct tf_eth_window *window)
{
    if (window->count < window->room)
        return true;
    const unsigned room = window->room != 0 ? 2 * window->room : 16;
    struct tf_eth_unacknowledged *more = malloc(room * sizeof *more);
    if (more == NULL)
        return false;
    for (unsigned i = 0; i < window->count; i++)
        more[i] = *item_at(window, i);
    free(window->item);
    window->item = more;
    window->first = 0;
    window->room = room;
    return true;
}

/* Forget packets whose acknowledgement has arrived. */
static void forget(struct tf_eth_window *window, uint64_t cycle)
{
    while (window->count != 0 && item_at(window, 0)->acknowledged <= cycle) {
        tf_path_unref(item_at(window, 0)->load.path);
        window->first = (window->first + 1) % window->room;
        window->count--;
    }
}

void tf_eth_resend_end(struct tf_eth_link *link)
{
    for (unsigned i = 0; i < TF_ETH_QUEUES_MAX; i++) {
        forget(&link->window[i], UINT64_MAX);
        free(link->window[i].item);
    }
}

bool tf_eth_resend_begin(struct tf_tile *tile, struct tf_eth_load *load)
{
    struct tf_eth_link *link = tile->mmio.eth->link;
    struct tf_eth_window *window = &link->window[load->queue];
    uint64_t ended = UINT64_MAX;
    forget(window, tile->cycle);
    if (!make_room(window))
        return false;
    load->sequence = window->next;
    if (!link->down && (ended = tf_eth_wire_send(tile, load)) == 0)
        return false;
    window->next++;
    window->last = link->down ? window->last : ended;
    *item_at(window, window->count++) =
        (struct tf_eth_unacknowledged){.load = *load, .ended = ended, .acknowledged = UINT64_MAX};
    tf_path_ref(load->path);
    return true;
}

/* Acknowledgements come in order: those that have arrived are a beginning of the list. */
static unsigned acknowledged_items(const struct tf_eth_window *window, uint64_t cycle)
{
    unsigned i = 0;
    while (i < window->count && item_at(window, i)->acknowledged <= cycle)
        i++;
    return i;
}

unsigned tf_eth_unacknowledged(const struct tf_eth_link *link, unsigned queue, uint64_t cycle)
{
    const struct tf_eth_window *window = &link->window[queue];
    return window->count - acknowledged_items(window, cycle);
}

uint64_t tf_eth_acknowledged(const struct tf_eth_link *link, unsigned queue, uint64_t cycle)
{
    return link->window[queue].next - tf_eth_unacknowledged(link, queue, cycle);
}

void tf_eth_update(struct tf_tile *tile, const struct tf_eth_update *update)
{
    struct tf_eth_window *window = &tile->mmio.eth->link->window[update->queue];
    for (unsigned i = 0; i < window->count; i++) {
        struct tf_eth_unacknowledged *item = item_at(window, i);
        if (item->load.sequence >= update->expected)
            break;
        item->acknowledged = tf_min(item->acknowledged, update->arrives);
    }
    if (update->dropped && !(queue_of(tile, update->queue)[CONTROL] & NO_NOTIFICATIONS))
        window->notified = tf_min(window->notified, update->arrives);
}

/* A time-out below the latency would end before any answer can be there. */
static uint64_t timeout_of(const struct tf_tile *tile, unsigned queue)
{
    return tf_max(queue_of(tile, queue)[REMOTE_TIMEOUT], tile->mmio.eth->link->line.latency_cycles);
}

/* The cycle at which a queue sends again. */
static uint64_t due_of(const struct tf_tile *tile, unsigned queue)
{
    const struct tf_eth_window *window = &tile->mmio.eth->link->window[queue];
    for (unsigned i = 0; i < window->count; i++) {
        const struct tf_eth_unacknowledged *item = item_at(window, i);
        if (item->ended == UINT64_MAX)
            return UINT64_MAX; /* the link is down */
        const uint64_t due = tf_min(item->ended + timeout_of(tile, queue), window->notified);
        if (item->acknowledged > due)
            return due;
    }
    return UINT64_MAX;
}

uint64_t tf_eth_resend_due(const struct tf_tile *tile)
{
    uint64_t due = UINT64_MAX;
    for (unsigned i = 0; i < tf_eth_arch_of(tile)->tx.queues; i++)
        due = tf_min(due, due_of(tile, i));
    return due;
}

static void resend(struct tf_tile *tile, unsigned queue)
{
    struct tf_eth_link *link = tile->mmio.eth->link;
    struct tf_eth_window *window = &link->window[queue];
    forget(window, tile->cycle);
    window->notified = UINT64_MAX;
    for (unsigned i = 0; i < window->count; i++) {
        struct tf_eth_unacknowledged *item = item_at(window, i);
        window->resent += item->ended != UINT64_MAX;
        item->load.again = true;
        item->ended = tf_eth_wire_send(tile, &item->load);
        window->last = item->ended;
        if (item->ended == 0)
            tf_tile_fault_record(tile, TF_CORE_NONE, 0, tile->cycle, TF_FAULT_HOST, 0, item->load.to,
                                 "the host has no memory for an Ethernet packet");
    }
}

void tf_eth_resend_all(struct tf_tile *tile)
{
    for (unsigned i = 0; i < tf_eth_arch_of(tile)->tx.queues; i++)
        resend(tile, i);
}

void tf_eth_resend_act(struct tf_tile *tile)
{
    for (unsigned i = 0; i < tf_eth_arch_of(tile)->tx.queues; i++)
        if (due_of(tile, i) <= tile->cycle)
            resend(tile, i);
}

/* ---- Acknowledgements ---- */

/* The first cycle from which a sequence update crosses the link, of those that the queue sends every `period` cycles.
   UINT64_MAX: none does. Updates are not lost one by one: the next one says the same. */
static uint64_t first_that_crosses(const struct tf_eth_line *line, uint64_t cycle, uint64_t period)
{
    for (unsigned i = 0; i < line->outages; i++) {
        const struct tf_eth_outage *outage = &line->outage[i];
        if (outage->from > cycle + line->latency_cycles || cycle >= outage->until)
            continue;
        if (outage->until == UINT64_MAX)
            return UINT64_MAX;
        cycle += (outage->until - cycle + period - 1) / period * period;
    }
    return cycle;
}

/* The cycle at which the queue sends the next sequence update: ETH_TXQ_CTRL_KEEPALIVE, and a period after the last
   TT-link packet. UINT64_MAX: never. */
static uint64_t next_update(const struct tf_tile *tile, unsigned queue, uint64_t cycle)
{
    const struct tf_eth_link *link = tile->mmio.eth->link;
    const uint64_t period = tf_max(queue_of(tile, queue)[LOCAL_TIMEOUT], 1), last = link->window[queue].last;
    if (!(queue_of(tile, queue)[CONTROL] & KEEPALIVE))
        return UINT64_MAX;
    const uint64_t periods = cycle > last ? (cycle - last + period - 1) / period : 1;
    return first_that_crosses(&link->line, last + tf_max(periods, (uint64_t)1) * period, period);
}

static bool add_update(struct tf_eth_link *link, const struct tf_eth_update *update)
{
    for (unsigned i = 0; i < link->updates; i++)
        if (link->update[i].queue == update->queue && link->update[i].arrives == update->arrives &&
            link->update[i].dropped == update->dropped) {
            link->update[i].expected = update->expected;
            return true;
        }
    if (link->updates == link->updates_room) {
        const unsigned room = link->updates_room != 0 ? 2 * link->updates_room : 16;
        struct tf_eth_update *more = realloc(link->update, room * sizeof *more);
        if (more == NULL)
            return false;
        link->update = more;
        link->updates_room = room;
    }
    link->update[link->updates++] = *update;
    return true;
}

bool tf_eth_acknowledge(struct tf_tile *tile, unsigned queue, uint64_t cycle, bool dropped)
{
    struct tf_eth_link *link = tile->mmio.eth->link;
    const uint64_t expected = link->expected[queue];
    if (dropped && link->named[queue] == expected + 1)
        return true;
    const uint64_t sent = dropped ? first_that_crosses(&link->line, cycle, 1) : next_update(tile, queue, cycle);
    if (sent == UINT64_MAX)
        return true;
    if (dropped)
        link->named[queue] = expected + 1;
    return add_update(link,
                      &(struct tf_eth_update){.arrives = tf_eth_late_answer(link, sent + link->line.latency_cycles),
                                              .expected = expected,
                                              .queue = (uint8_t)queue,
                                              .dropped = dropped});
}

const struct tf_eth_update *tf_eth_take_updates(struct tf_tile *tile, unsigned *count)
{
    struct tf_eth_link *link = tile->mmio.eth->link;
    *count = link->updates;
    link->updates = 0;
    return link->update;
}

static void hash_window(const struct tf_eth_window *window, struct tf_hash *hash)
{
    tf_hash_u64(hash, window->next);
    tf_hash_u64(hash, window->notified);
    tf_hash_u64(hash, window->last);
    tf_hash_u64(hash, window->resent);
    for (unsigned i = 0; i < window->count; i++) {
        const struct tf_eth_unacknowledged *item = item_at(window, i);
        tf_hash_u64(hash, item->load.sequence);
        tf_hash_u64(hash, item->ended);
        tf_hash_u64(hash, item->acknowledged);
        tf_hash_u32(hash, item->load.from);
        tf_hash_u32(hash, item->load.to);
        tf_hash_u32(hash, item->load.bytes);
        tf_hash_u32(hash, item->load.value);
        tf_hash_u32(hash, item->load.kind | (uint32_t)item->load.row << 8);
    }
}

void tf_eth_resend_hash(const struct tf_eth_link *link, struct tf_hash *hash)
{
    for (unsigned i = 0; i < TF_ETH_QUEUES_MAX; i++) {
        hash_window(&link->window[i], hash);
        tf_hash_u64(hash, link->expected[i]);
        tf_hash_u64(hash, link->named[i]);
    }
    for (unsigned i = 0; i < link->updates; i++) {
        tf_hash_u64(hash, link->update[i].arrives);
        tf_hash_u64(hash, link->update[i].expected);
        tf_hash_u32(hash, link->update[i].queue | (uint32_t)link->update[i].dropped << 8);
    }
}
