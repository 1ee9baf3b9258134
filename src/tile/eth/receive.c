/* SPDX-License-Identifier: Apache-2.0 */
/* The RX queues of an Ethernet tile: EthernetTxRx.md, "RX Queue Memory Map", of both families. */
#include "tile/eth/receive.h"

#include <stdlib.h>
#include <string.h>

#include "host/extremes.h"
#include "tile/check.h"
#include "tile/fault.h"
#include "tile/eth/classify.h"
#include "tile/eth/frame.h"
#include "tile/eth/late.h"
#include "tile/eth/packets.h"
#include "tile/eth/resend.h"
#include "tile/eth/store.h"
#include "tile/eth/trail.h"
#include "tile/eth/word.h"
#include "tile/riscv/code/code.h"

/* Words of a queue. BYTES, STRIP and STARTED are Blackhole's. */
enum { CONTROL = 0x00 / 4, BYTES = 0x04 / 4, POINTER = 0x08 / 4, START = 0x0C / 4, SIZE = 0x10 / 4, LINES = 0x14 / 4 };
enum { STRIP = 0x18 / 4, STARTED = 0x24 / 4, ENDED = 0x28 / 4 };
enum { LOCAL_SEQUENCE = 0x40 / 4, REMOTE_SEQUENCE = 0x44 / 4 };
enum { TILE_HEADER = 0x48 / 4, DROPPED = 0x4C / 4, OUTSTANDING = 0x50 / 4 };

enum { PACKET_MODE = 1 << 1, WRAP = 1 << 2, BACK_PRESSURE = 1 << 3 };

/* So many packets wait for a queue that forces back-pressure; the others are dropped. The page has no number. */
#define HELD_MAX 1024u

static uint32_t *queue_of(const struct tf_tile *tile, unsigned queue)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    return tf_eth_word(tile, arch->rx_first + queue * arch->tx.stride);
}

/* Returns false if the data were beyond L1. */
static bool write_l1(struct tf_tile *tile, uint64_t to, const uint8_t *data, uint32_t bytes)
{
    if (!tf_in_l1(tile->arch, to, bytes)) {
        tf_eth_packet_fault(tile, TF_FAULT_UNDEFINED, (uint32_t)to, "its data would be written beyond L1");
        return false;
    }
    tf_eth_store_l1(tile, (uint32_t)to, data, bytes);
    return true;
}

/* ---- Raw mode ---- */

/* Where a frame is appended. */
struct buffer {
    struct tf_tile *tile;
    uint32_t *queue;
    uint32_t strip; /* bytes that are still to be stripped */
    bool full;      /* something was dropped */
};

static void append(struct buffer *buffer, const uint8_t *data, uint32_t bytes)
{
    uint32_t *queue = buffer->queue;
    const uint32_t stripped = tf_min(bytes, buffer->strip);
    const uint64_t start = (uint64_t)queue[START] << 4, size = (uint64_t)queue[SIZE] << 4;
    const bool wraps = queue[CONTROL] & WRAP && size != 0;
    buffer->strip -= stripped;
    data += stripped;
    bytes -= stripped;
    while (bytes != 0 && !buffer->full) {
        if (queue[POINTER] >= size && wraps)
            queue[POINTER] = 0;
        const uint32_t room = queue[POINTER] < size ? (uint32_t)(size - queue[POINTER]) : 0, part = tf_min(room, bytes);
        buffer->full = part == 0 || !write_l1(buffer->tile, start + queue[POINTER], data, part);
        if (buffer->full)
            return;
        queue[POINTER] = queue[POINTER] + part == size && wraps ? 0 : queue[POINTER] + part;
        if (tf_eth_arch_of(buffer->tile)->tx.headers != 0)
            queue[BYTES] += part;
        data += part;
        bytes -= part;
    }
}

static void append_frame(struct tf_tile *tile, uint32_t *queue, const struct tf_eth_packet *packet,
                         const struct tf_eth_arrival *arrival)
{
    const uint32_t type_at = 2 * TF_ETH_MAC_BYTES + arrival->tags, rest_at = type_at + 2 + arrival->headers;
    struct buffer buffer = {.tile = tile, .queue = queue, .strip = TF_ETH_HEADER_BYTES};
    if (tf_eth_arch_of(tile)->tx.headers != 0)
        buffer.strip = queue[STRIP];
    append(&buffer, arrival->prefix, arrival->prefix_bytes);
    append(&buffer, packet->frame, 2 * TF_ETH_MAC_BYTES);
    append(&buffer, packet->frame + type_at, 2);
    append(&buffer, packet->frame + rest_at, packet->frame_bytes - rest_at);
    queue[DROPPED] += buffer.full;
}

/* ---- TT-link mode ---- */

static bool is_within(const struct tf_tile *tile, const struct tf_eth_packet *packet)
{
    return packet->kind == TF_ETH_REGISTER || tf_in_l1(tile->arch, packet->to, packet->bytes);
}

static void tell(struct tf_tile *tile, unsigned number, const struct tf_eth_packet *packet)
{
    const struct tf_check_packet told = {
        .number = packet->sequence,
        .count = 1,
        .cycle = packet->arrives,
        .address = packet->to,
        .bytes = packet->kind == TF_ETH_L1 ? packet->bytes : 0,
        .core = TF_FROM_NOC,
        .queue = (uint8_t)number,
    };
    if (is_within(tile, packet))
        tile->check->received(tile->check, &told);
}

static void act(struct tf_tile *tile, uint32_t *queue, unsigned number, const struct tf_eth_packet *packet)
{
    if (TF_HOOK(tile->check) != NULL && tile->check->received != NULL)
        tell(tile, number, packet);
    const bool late = tile->mmio.eth->link->late != NULL && is_within(tile, packet);
    if (late)
        tf_eth_late_write(tile, number, packet);
    else if (packet->kind == TF_ETH_REGISTER)
        tf_eth_store_register(tile, packet->to, packet->frame + packet->head);
    if (packet->kind == TF_ETH_L1 &&
        (late || write_l1(tile, packet->to, packet->frame + packet->head, packet->bytes)) &&
        tf_eth_arch_of(tile)->tx.headers != 0)
        queue[BYTES] += packet->bytes;
}

/* The packet's acknowledgement is for the TX queue of the same number. */
static void accept(struct tf_tile *tile, uint32_t *queue, unsigned number, const struct tf_eth_packet *packet)
{
    struct tf_eth_link *link = tile->mmio.eth->link;
    const bool is_next = packet->sequence == link->expected[number];
    tf_eth_update(tile, &(struct tf_eth_update){.arrives = packet->arrives,
                                                .expected = packet->expected,
                                                .queue = (uint8_t)number});
    link->expected[number] += is_next;
    queue[DROPPED] += !is_next;
    if (!tf_eth_acknowledge(tile, number, packet->arrives, packet->sequence > link->expected[number]))
        tf_eth_packet_fault(tile, TF_FAULT_HOST, packet->to, "the host has no memory for its acknowledgement");
    if (is_next)
        act(tile, queue, number, packet);
}

/* Is it a TT-link packet, where the queue looks for one, and of a kind that the queue takes? */
static bool is_for_tt_link(const struct tf_tile *tile, const struct tf_eth_packet *packet,
                           const struct tf_eth_arrival *arrival)
{
    const uint32_t head = packet->head - arrival->tags - arrival->headers;
    return packet->kind != TF_ETH_RAW && arrival->prefix_bytes == 0 &&
           head == TF_ETH_HEADER_BYTES + TF_ETH_TT_LINK_BYTES &&
           (packet->kind != TF_ETH_REGISTER || arrival->queue < tf_eth_arch_of(tile)->tx.register_queues);
}

static void arrive(struct tf_tile *tile, struct tf_eth_packet *packet)
{
    const uint32_t line = tf_eth_arch_of(tile)->tx.line_bytes;
    struct tf_eth_arrival arrival;
    tf_eth_trail_taken(tile, packet);
    tf_eth_classify(tile, packet, &arrival);
    tile->mmio.eth->link->arrived++;
    tile->mmio.eth->link->arrived_bytes += packet->frame_bytes;
    if (arrival.queue < 0) {
        tile->mmio.eth->link->refused++;
        return;
    }
    uint32_t *queue = queue_of(tile, (unsigned)arrival.queue);
    const uint32_t bytes = arrival.prefix_bytes + packet->frame_bytes - arrival.tags - arrival.headers;
    if (tf_eth_arch_of(tile)->tx.headers != 0)
        queue[STARTED]++;
    queue[ENDED]++;
    queue[LINES] += (bytes + line - 1) / line;
    if (!(queue[CONTROL] & PACKET_MODE))
        append_frame(tile, queue, packet, &arrival);
    else if (is_for_tt_link(tile, packet, &arrival))
        accept(tile, queue, (unsigned)arrival.queue, packet);
    else
        queue[DROPPED]++;
    tf_eth_trail_acted(tile, packet);
}

/* ---- Back-pressure ---- */

/* Wormhole: a queue tells the MAC that it wants no packets. The link has one order, so all packets wait. */
static bool is_held(const struct tf_tile *tile)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    for (unsigned i = 0; i < arch->tx.queues && !arch->classifier; i++)
        if (queue_of(tile, i)[CONTROL] & BACK_PRESSURE)
            return true;
    return false;
}

void tf_eth_receive(struct tf_tile *tile, struct tf_eth_packet *packet)
{
    struct tf_eth_link *link = tile->mmio.eth->link;
    if (is_held(tile) && link->held_count < HELD_MAX) {
        link->held_count++;
        tf_eth_list_add(&link->held, packet);
        return;
    }
    if (!is_held(tile))
        arrive(tile, packet);
    else
        link->refused++;
    tf_eth_packet_free(packet);
}

void tf_eth_stored_receiving(struct tf_tile *tile, uint32_t address)
{
    struct tf_eth_link *link = tile->mmio.eth->link;
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    if (link == NULL || address - arch->rx_first >= arch->tx.queues * arch->tx.stride)
        return;
    while (link->held.first != NULL && !is_held(tile)) {
        struct tf_eth_packet *packet = tf_eth_list_take(&link->held);
        link->held_count--;
        arrive(tile, packet);
        tf_eth_packet_free(packet);
    }
}

uint32_t tf_eth_receiving_bits(const struct tf_eth_arch *arch, uint32_t address)
{
    const uint32_t offset = address - arch->rx_first;
    if (offset >= arch->tx.queues * arch->tx.stride)
        return ~0u;
    switch (offset % arch->tx.stride / 4) {
    case CONTROL: return arch->classifier ? PACKET_MODE | WRAP : ~0u;
    case LOCAL_SEQUENCE:
    case REMOTE_SEQUENCE: return 0;
    case TILE_HEADER: return 0x3FFF;
    case DROPPED: return arch->classifier ? 0 : ~0u;
    case OUTSTANDING: return 0;
    default: return ~0u;
    }
}

bool tf_eth_load_receiving(const struct tf_tile *tile, uint32_t address, uint32_t *value, bool *pure)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    const struct tf_eth_link *link = tile->mmio.eth->link;
    const uint32_t offset = address - arch->rx_first;
    if (offset >= arch->tx.queues * arch->tx.stride || link == NULL)
        return false;
    const unsigned queue = offset / arch->tx.stride;
    switch (offset % arch->tx.stride / 4) {
    case LOCAL_SEQUENCE: *value = link->expected[queue] & 0xFF; break;
    case REMOTE_SEQUENCE:
        *value = tf_eth_acknowledged(link, queue, tile->cycle) & 0xFF;
        *pure = *pure && tf_eth_unacknowledged(link, queue, tile->cycle) == 0;
        break;
    case OUTSTANDING:
        *value = (tf_eth_late_bytes(link, queue) + arch->tx.line_bytes - 1) / arch->tx.line_bytes;
        *pure = *pure && *value == 0;
        break;
    default: return false;
    }
    return true;
}
