/* SPDX-License-Identifier: Apache-2.0 */
/* The saved state of links, and of packets on them. What a line does is configuration. */
#include "tile/eth/link_saved.h"

#include <stdlib.h>

#include "host/extremes.h"
#include "host/saved.h"
#include "tile/eth/frame.h"
#include "tile/eth/packets.h"
#include "tile/eth/parts.h"

/* No system runs for so long. Sums of such cycles do not wrap. */
#define CYCLES_MOST (1ull << 60)

/* Of one kind, on one tile. */
#define ITEMS_MOST (1u << 20)

static bool is_time(uint64_t cycle)
{
    return cycle <= CYCLES_MOST;
}

static bool is_time_or_never(uint64_t cycle)
{
    return is_time(cycle) || cycle == UINT64_MAX;
}

/* ---- Packets ---- */

static bool packet_fits(const struct tf_eth_packet *packet, uint32_t l1_bytes)
{
    const uint32_t payload = packet->kind == TF_ETH_REGISTER ? TF_ETH_REGISTER_BYTES : packet->bytes;
    const uint32_t head = TF_ETH_HEADER_BYTES + (packet->kind != TF_ETH_RAW ? TF_ETH_TT_LINK_BYTES : 0);
    return is_time(packet->arrives) && is_time(packet->sequence) && is_time(packet->expected) &&
           packet->kind <= TF_ETH_REGISTER && packet->queue < TF_ETH_QUEUES_MAX && packet->bytes != 0 &&
           packet->bytes <= l1_bytes && packet->head >= head &&
           packet->head <= TF_ETH_HEADS_MAX + TF_ETH_TT_LINK_BYTES && packet->frame_bytes == packet->head + payload &&
           (packet->kind != TF_ETH_REGISTER || (packet->bytes == 4 && packet->to % 4 == 0));
}

void tf_eth_packet_state(struct tf_saved *saved, struct tf_eth_packet **packet, uint32_t l1_bytes)
{
    const uint64_t most = (uint64_t)l1_bytes + TF_ETH_HEADS_MAX + TF_ETH_TT_LINK_BYTES;
    const uint64_t bytes = tf_saved_count(saved, saved->reads ? 0 : (*packet)->frame_bytes, most);
    if (saved->reads)
        *packet = saved->why == NULL ? calloc(1, sizeof **packet + bytes) : NULL;
    if (*packet == NULL) {
        tf_saved_fail(saved, tf_saved_no_memory);
        return;
    }
    (*packet)->frame_bytes = (uint32_t)bytes;
    TF_SAVED(saved, (*packet)->sequence);
    TF_SAVED(saved, (*packet)->expected);
    TF_SAVED(saved, (*packet)->arrives);
    TF_SAVED(saved, (*packet)->to);
    TF_SAVED(saved, (*packet)->bytes);
    TF_SAVED(saved, (*packet)->head);
    TF_SAVED(saved, (*packet)->kind);
    TF_SAVED(saved, (*packet)->queue);
    tf_saved_bytes(saved, (*packet)->frame, (size_t)bytes);
    tf_saved_demand(saved, packet_fits(*packet, l1_bytes), "it is damaged: a packet is invalid");
    if (saved->reads && saved->why != NULL) {
        free(*packet);
        *packet = NULL;
    }
}

void tf_eth_update_state(struct tf_saved *saved, struct tf_eth_update *update)
{
    uint8_t dropped = update->dropped;
    TF_SAVED(saved, update->arrives);
    TF_SAVED(saved, update->expected);
    TF_SAVED(saved, update->queue);
    TF_SAVED(saved, dropped);
    tf_saved_demand(saved,
                    is_time(update->arrives) && is_time(update->expected) && update->queue < TF_ETH_QUEUES_MAX &&
                        dropped <= 1,
                    "it is damaged: an acknowledgement is invalid");
    update->dropped = dropped == 1;
}

static void list_state(struct tf_saved *saved, struct tf_eth_list *list, uint32_t *count, uint32_t l1_bytes)
{
    *count = (uint32_t)tf_saved_count(saved, *count, ITEMS_MOST);
    struct tf_eth_packet *packet = list->first;
    for (uint32_t i = 0; i < *count && saved->why == NULL; i++) {
        tf_eth_packet_state(saved, &packet, l1_bytes);
        if (packet == NULL)
            return;
        if (saved->reads)
            tf_eth_list_add(list, packet);
        packet = saved->reads ? NULL : packet->next;
    }
}

/* ---- TX queues ---- */

TF_SAVED_WHOLE(struct tf_eth_unacknowledged, 64);

static void item_state(struct tf_saved *saved, struct tf_eth_unacknowledged *item, unsigned queue, uint32_t l1_bytes)
{
    struct tf_eth_load *load = &item->load;
    TF_SAVED(saved, load->sequence);
    TF_SAVED(saved, load->from);
    TF_SAVED(saved, load->to);
    TF_SAVED(saved, load->bytes);
    TF_SAVED(saved, load->value);
    TF_SAVED(saved, load->kind);
    TF_SAVED(saved, load->row);
    TF_SAVED(saved, item->ended);
    TF_SAVED(saved, item->acknowledged);
    load->queue = (uint8_t)queue;
    const bool reads_l1 = load->kind == TF_ETH_L1;
    tf_saved_demand(saved,
                    (reads_l1 || (load->kind == TF_ETH_REGISTER && load->bytes == 4)) && load->bytes != 0 &&
                        (!reads_l1 || (load->from <= l1_bytes && load->bytes <= l1_bytes - load->from)) &&
                        load->row < 10 && is_time_or_never(item->ended) && is_time_or_never(item->acknowledged),
                    "it is damaged: a packet that may be sent again is invalid");
}

TF_SAVED_WHOLE(struct tf_eth_window, 56);

static void window_state(struct tf_saved *saved, struct tf_eth_window *window, unsigned queue, uint32_t l1_bytes)
{
    TF_SAVED(saved, window->next);
    TF_SAVED(saved, window->notified);
    TF_SAVED(saved, window->last);
    TF_SAVED(saved, window->resent);
    const unsigned count = (unsigned)tf_saved_count(saved, window->count, ITEMS_MOST);
    tf_saved_demand(saved, is_time(window->next) && is_time_or_never(window->notified) && is_time(window->last),
                    "it is damaged: a TX queue is invalid");
    if (saved->reads && count != 0 && saved->why == NULL) {
        window->item = calloc(count, sizeof *window->item);
        window->room = window->item != NULL ? count : 0;
        if (window->item == NULL)
            tf_saved_fail(saved, tf_saved_no_memory);
    }
    for (unsigned i = 0; i < count && saved->why == NULL; i++) {
        struct tf_eth_unacknowledged *item = &window->item[(window->first + i) % window->room];
        item_state(saved, item, queue, l1_bytes);
        tf_saved_demand(saved, item->load.sequence == window->next - count + i, "it is damaged: a packet is missing");
        window->count = saved->reads ? i + 1 : window->count;
    }
}

/* ---- The link ---- */

TF_SAVED_WHOLE(struct tf_eth_slot, 24);

static void slots_state(struct tf_saved *saved, struct tf_eth_link *link)
{
    const unsigned count = (unsigned)tf_saved_count(saved, link->slots, ITEMS_MOST);
    if (saved->reads && count != 0 && saved->why == NULL) {
        link->slot = calloc(count, sizeof *link->slot);
        link->slots_room = link->slot != NULL ? count : 0;
        if (link->slot == NULL)
            tf_saved_fail(saved, tf_saved_no_memory);
    }
    for (unsigned i = 0; i < count && saved->why == NULL; i++) {
        struct tf_eth_slot *slot = &link->slot[(link->slots_first + i) % link->slots_room];
        TF_SAVED(saved, slot->began);
        TF_SAVED(saved, slot->ended);
        TF_SAVED(saved, slot->lines);
        TF_SAVED(saved, slot->queue);
        tf_saved_demand(saved, slot->began < slot->ended && is_time(slot->ended) && slot->queue < TF_ETH_QUEUES_MAX,
                        "it is damaged: a frame on the wire is invalid");
        link->slots = saved->reads ? i + 1 : link->slots;
    }
}

TF_SAVED_WHOLE(struct tf_eth_link, 440);

void tf_eth_link_state(struct tf_saved *saved, struct tf_eth_link *link, uint32_t l1_bytes)
{
    TF_SAVED(saved, link->free);
    TF_SAVED(saved, link->frames);
    TF_SAVED(saved, link->bytes);
    TF_SAVED(saved, link->lost);
    TF_SAVED(saved, link->accepted);
    TF_SAVED(saved, link->expected);
    TF_SAVED(saved, link->named);
    TF_SAVED(saved, link->arrived);
    TF_SAVED(saved, link->arrived_bytes);
    TF_SAVED(saved, link->refused);
    link->outage = (unsigned)tf_saved_count(saved, link->outage, link->line.outages);
    link->down = tf_saved_count(saved, link->down, 1) != 0;
    bool fits = is_time(link->free) && (!link->down || link->outage < link->line.outages);
    for (unsigned i = 0; i < TF_ETH_QUEUES_MAX; i++)
        fits = fits && is_time(link->accepted[i]) && is_time(link->expected[i]);
    tf_saved_demand(saved, fits, "it is damaged: a link is busy for ever");
    slots_state(saved, link);
    for (unsigned i = 0; i < TF_ETH_QUEUES_MAX; i++)
        window_state(saved, &link->window[i], i, l1_bytes);
    list_state(saved, &link->held, &link->held_count, l1_bytes);
}
