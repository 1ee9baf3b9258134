/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links between chips of one run (R10). What a tile sends in a visit is handed to the owner of the peer when the visit
 * ends, in order. It takes no time: it arrives in the cycle in which the peer's tile is then. Queues keep their
 * sequence numbers, and send again what the peer has dropped.
 */
#include "farm/chip/chip.h"
#include "farm/epoch/time.h"
#include "farm/relaxed/hand.h"
#include "farm/relaxed/link.h"
#include "farm/relaxed/wake.h"

#include <stdlib.h>
#include <string.h>

#include "tile/eth/link.h"
#include "tile/eth/resend.h"
#include "tile/eth/receive.h"
#include "tile/eth/connect.h"
#include "tile/run/tile.h"

/* What a visit has sent. */
struct tf_relaxed_sent {
    struct tf_eth_packet *packet; /* a list */
    unsigned updates;
    struct tf_eth_update update[];
};

_Static_assert(sizeof(struct tf_inbound) % _Alignof(struct tf_relaxed_sent) == 0, "it follows a struct tf_inbound");

void tf_relaxed_join(struct tf_relaxed_port *one, struct tf_relaxed_port *other)
{
    one->peer = other;
    other->peer = one;
    one->chip->site[one->site].relaxed.port = one;
    other->chip->site[other->site].relaxed.port = other;
}

/* ---- Arrivals ---- */

void tf_relaxed_arrive(struct tf_relaxed_port *port, struct tf_tile *tile, struct tf_relaxed_sent *sent)
{
    for (unsigned i = 0; i < sent->updates; i++) {
        sent->update[i].arrives = tile->cycle;
        tf_eth_update(tile, &sent->update[i]);
    }
    while (sent->packet != NULL) {
        struct tf_eth_packet *packet = sent->packet;
        sent->packet = packet->next;
        packet->arrives = tile->cycle;
        tf_eth_receive(tile, packet);
        port->taken++;
    }
}

void tf_relaxed_drop_sent(struct tf_relaxed_sent *sent)
{
    while (sent->packet != NULL) {
        struct tf_eth_packet *packet = sent->packet;
        sent->packet = packet->next;
        free(packet);
    }
}

/* ---- Hand-over ---- */

/* Returns how many packets were sent. */
static uint32_t count(struct tf_relaxed_port *port, const struct tf_eth_packet *packet)
{
    uint32_t packets = 0;
    for (; packet != NULL; packet = packet->next) {
        packets++;
        port->bytes += packet->bytes;
    }
    port->packets += packets;
    return packets;
}

/* Take what the tile has sent. */
static struct tf_eth_packet *take(struct tf_tile *tile)
{
    struct tf_eth_packet *first = tf_eth_take_sent(tile);
    if (first == NULL || first->next == NULL || !TF_MUTANT(SWAPPED_PACKETS))
        return first;
    struct tf_eth_packet *second = first->next;
    first->next = second->next;
    second->next = first;
    return second;
}

static void hand_sent(struct tf_worker *worker, struct tf_relaxed_port *port, struct tf_tile *tile)
{
    unsigned updates;
    const struct tf_eth_update *update = tf_eth_take_updates(tile, &updates);
    struct tf_inbound *inbound = malloc(sizeof *inbound + sizeof *inbound->sent + updates * sizeof *update);
    if (inbound == NULL) { /* packets stay with the tile, and the next hand-over reports what the tile has received */
        worker->sink.out_of_memory = true;
        return;
    }
    *inbound = (struct tf_inbound){.sent = (struct tf_relaxed_sent *)(inbound + 1), .source = TF_NO_NODE};
    *inbound->sent = (struct tf_relaxed_sent){.packet = take(tile), .updates = updates};
    if (updates != 0)
        memcpy(inbound->sent->update, update, updates * sizeof *update);
    atomic_fetch_add_explicit(&port->under_way, count(port, inbound->sent->packet), memory_order_relaxed);
    tf_relaxed_hand(port->chip->relaxed, inbound, &port->peer->chip->site[port->peer->site]);
}

void tf_relaxed_hand_over(struct tf_worker *worker, struct tf_relaxed_port *port, struct tf_tile *tile)
{
    if (tf_eth_has_sent(tile))
        hand_sent(worker, port, tile);
    if (port->taken == 0)
        return;
    port->arrived += port->taken;
    atomic_fetch_sub_explicit(&port->peer->under_way, port->taken, memory_order_release);
    port->taken = 0;
}

/* ---- Time-outs ---- */

void tf_relaxed_resend(struct tf_relaxed_port *port, struct tf_tile *tile, bool answered)
{
    const struct tf_schedule *schedule = &port->chip->schedule;
    if (port->until > tile->slice.tick && tile->mode.parking && tf_tile_quiet(tile)) {
        tf_tile_catch_up(tile, schedule, port->until);
        tile->cycle = tf_tick_begin(schedule, tile->slice.tick);
    }
    if (answered && tf_eth_due(tile) <= tile->cycle)
        tf_eth_act(tile);
}

/* The tick at which the tile of a port has to send again. */
static uint64_t due_tick(const struct tf_relaxed_port *port)
{
    const uint64_t due = tf_eth_due(port->chip->fabric->node[port->site].tile);
    return due == UINT64_MAX ? UINT64_MAX : tf_tick_from(&port->chip->schedule, due);
}

bool tf_relaxed_pass_time(struct tf_relaxed *relaxed, bool *late)
{
    struct tf_relaxed_port *first = NULL;
    uint64_t least = UINT64_MAX;
    for (unsigned chip = 0; chip < relaxed->chips; chip++)
        for (unsigned i = 0; i < relaxed->chip[chip]->fabric->nodes; i++) {
            struct tf_relaxed_port *port = relaxed->chip[chip]->site[i].relaxed.port;
            const uint64_t due = port != NULL ? due_tick(port) : UINT64_MAX;
            if (due < least) {
                least = due;
                first = port;
            }
        }
    *late = first != NULL && least >= relaxed->limit;
    if (first == NULL || *late)
        return false;
    first->until = least;
    tf_relaxed_wake(relaxed, &first->chip->site[first->site]);
    return true;
}
