/* SPDX-License-Identifier: Apache-2.0 */
/* The TX queues of an Ethernet tile: EthernetTxRx.md, "TX Queue Memory Map" and ETH_TXQ_CMD, of both families. */
#include <stdlib.h>
#include <string.h>

#include "host/extremes.h"
#include "host/saved.h"
#include "tile/mmio/eth_parts.h"

/* Words of a queue. */
enum { COMMAND = 0x04 / 4, STATUS = 0x08 / 4, MAX_PACKET = 0x0C / 4, FROM = 0x14 / 4, BYTES = 0x18 / 4, TO = 0x1C / 4 };
enum { TRANSFERS = 0x30 / 4, STARTED = 0x34 / 4, ENDED = 0x3C / 4, LINES = 0x40 / 4, REGISTER_DATA = 0x44 / 4 };
enum { SEND_RAW = 1, SEND_L1 = 2, SEND_REGISTER = 4 };

#define STATUS_ONGOING (1u << 16)

/* Bytes on the wire beside those of a packet: preamble 8, addresses and type 14, checksum 4, gap 12 (IEEE 802.3), and
   for a TT-link packet its header of 18. */
#define FRAME_BYTES 38u
#define TT_LINK_BYTES 18u
#define REGISTER_BYTES 16u /* the payload of a TT-link packet is a multiple of 16 bytes */

bool tf_eth_is_command(const struct tf_eth_arch *arch, uint32_t address)
{
    uint32_t offset = address - arch->tx.first;
    return offset < arch->tx.queues * arch->tx.stride && offset % arch->tx.stride == 4 * COMMAND;
}

static unsigned queue_of(const struct tf_eth_arch *arch, uint32_t address)
{
    return (address - arch->tx.first) / arch->tx.stride;
}

/* The reason why a command is wrong, or NULL. */
static const char *why_not_send(const struct tf_tile *tile, const uint32_t *queue, unsigned number, uint32_t command)
{
    uint32_t from = queue[FROM], bytes = queue[BYTES], l1 = tile->arch->l1_bytes;
    if (command == SEND_REGISTER)
        return number >= tf_eth_arch_of(tile)->tx.register_queues ? "this TX queue sends no MMIO write packets"
               : queue[TO] % 4 != 0 ? "ETH_TXQ_DEST_ADDR of an MMIO write is not a multiple of 4"
                                    : NULL;
    if (command != SEND_RAW && command != SEND_L1)
        return "ETH_TXQ_CMD takes 1, 2 or 4";
    if (from > l1 || bytes > l1 - from)
        return "an Ethernet packet's data are beyond L1";
    return command == SEND_L1 && (from | bytes | queue[TO]) % 16 != 0
               ? "addresses and length of a TT-link L1 write are not multiples of 16"
               : NULL;
}

/* Has the queue taken its last command? */
static bool is_ready(const struct tf_tile *tile, unsigned queue)
{
    const struct tf_eth_link *link = tile->mmio.eth->link;
    return link == NULL || tile->cycle >= link->accepted[queue];
}

static struct tf_eth_packet *make_packet(unsigned queue, uint8_t kind, uint32_t to, uint32_t bytes)
{
    struct tf_eth_packet *packet = malloc(sizeof *packet + bytes);
    if (packet != NULL)
        *packet = (struct tf_eth_packet){.to = to, .bytes = bytes, .kind = kind, .queue = (uint8_t)queue};
    return packet;
}

/* Put a packet on the wire, behind those that are there. payload: bytes on the wire. */
static void put_on_wire(struct tf_eth_link *link, struct tf_eth_packet *packet, uint32_t payload, uint64_t cycle)
{
    uint64_t bytes = payload + FRAME_BYTES + (packet->kind != TF_ETH_RAW ? TT_LINK_BYTES : 0);
    uint64_t began = tf_max(link->free, cycle);
    link->free = began + (bytes * link->timing.byte_cycles_q20 >> 20);
    packet->arrives = link->free + link->timing.latency_cycles;
    *link->end = packet;
    link->end = &packet->next;
}

/* Send a part of a command's data. Returns false if the host has no memory. A queue whose link is down takes a packet
   and sends it once, and nothing arrives. */
static bool send_part(struct tf_tile *tile, unsigned number, uint32_t command, uint32_t done, uint32_t bytes)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    uint32_t *queue = tf_eth_word(tile, arch->tx.first + number * arch->tx.stride);
    struct tf_eth_link *link = tile->mmio.eth->link;
    queue[STARTED]++;
    queue[ENDED]++;
    queue[LINES] += (bytes + arch->tx.line_bytes - 1) / arch->tx.line_bytes;
    if (link == NULL || bytes == 0)
        return true;
    uint8_t kind = command == SEND_REGISTER ? TF_ETH_REGISTER : command == SEND_L1 ? TF_ETH_L1 : TF_ETH_RAW;
    struct tf_eth_packet *packet = make_packet(number, kind, kind != TF_ETH_RAW ? queue[TO] + done : 0, bytes);
    if (packet == NULL)
        return false;
    const void *data = kind == TF_ETH_REGISTER ? (const void *)&queue[REGISTER_DATA] : tile->l1 + queue[FROM] + done;
    memcpy(packet->data, data, bytes);
    put_on_wire(link, packet, kind == TF_ETH_REGISTER ? REGISTER_BYTES : bytes, tile->cycle);
    return true;
}

enum tf_access tf_eth_send(struct tf_tile *tile, unsigned from, uint32_t address, uint32_t command)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    const unsigned number = queue_of(arch, address);
    uint32_t *queue = tf_eth_word(tile, arch->tx.first + number * arch->tx.stride);
    struct tf_eth_link *link = tile->mmio.eth->link;
    if (link == NULL && !arch->tx.sends)
        return tf_mmio_fault(tile, from, TF_FAULT_UNSUPPORTED, address,
                             "nothing can be sent: the link of the Ethernet tile is down");
    const char *why = why_not_send(tile, queue, number, command);
    if (why == NULL && !is_ready(tile, number))
        why = "ETH_TXQ_CMD is written before the TX queue has taken the last command";
    if (why != NULL)
        return tf_mmio_fault(tile, from, TF_FAULT_UNDEFINED, address, why);
    uint32_t bytes = command == SEND_REGISTER ? 4 : queue[BYTES], limit = queue[MAX_PACKET], done = 0;
    if (link != NULL)
        link->accepted[number] = tf_max(link->free, tile->cycle + 1);
    queue[TRANSFERS]++;
    do {
        uint32_t part = limit != 0 && bytes - done > limit ? limit : bytes - done;
        if (!send_part(tile, number, command, done, part))
            return tf_mmio_fault(tile, from, TF_FAULT_HOST, address, "the host has no memory for an Ethernet packet");
        done += part;
    } while (done != bytes);
    return TF_ACCESS_OK;
}

bool tf_eth_load_sending(const struct tf_tile *tile, uint32_t address, uint32_t *value, bool *pure)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    uint32_t offset = address - arch->tx.first;
    if (offset >= arch->tx.queues * arch->tx.stride || tile->mmio.eth->link == NULL)
        return false;
    const bool ready = is_ready(tile, queue_of(arch, address));
    switch (offset % arch->tx.stride / 4) {
    case COMMAND: *value = !arch->tx.has_status && !ready; break;
    case STATUS:
        if (!arch->tx.has_status)
            return false;
        *value = ready ? 0 : STATUS_ONGOING;
        break;
    case TRANSFERS: *value = *tf_eth_word(tile, address) - !ready; break;
    default: return false;
    }
    *pure = *pure && ready;
    return true;
}

bool tf_eth_connect(struct tf_tile *tile, const struct tf_eth_timing *timing)
{
    struct tf_eth *eth = tile->mmio.eth;
    if (eth->link == NULL) {
        eth->link = calloc(1, sizeof *eth->link);
        if (eth->link == NULL)
            return false;
        eth->link->end = &eth->link->first;
    }
    eth->link->timing = *timing;
    return true;
}

static void free_packets(struct tf_eth_packet *packet)
{
    while (packet != NULL) {
        struct tf_eth_packet *next = packet->next;
        free(packet);
        packet = next;
    }
}

void tf_eth_disconnect(struct tf_tile *tile)
{
    struct tf_eth *eth = tile->mmio.eth;
    if (eth->link == NULL)
        return;
    free_packets(tf_eth_take_sent(tile));
    free(eth->link);
    eth->link = NULL;
}

struct tf_eth_packet *tf_eth_take_sent(struct tf_tile *tile)
{
    struct tf_eth_link *link = tile->mmio.eth->link;
    struct tf_eth_packet *first = link->first;
    link->first = NULL;
    link->end = &link->first;
    return first;
}

void tf_eth_packets_hash(const struct tf_eth_packet *packet, struct tf_hash *hash)
{
    for (; packet != NULL; packet = packet->next) {
        tf_hash_u64(hash, packet->arrives);
        tf_hash_u32(hash, packet->to);
        tf_hash_u32(hash, packet->kind | (uint32_t)packet->queue << 8);
        tf_hash_bytes(hash, packet->data, packet->bytes);
    }
}

void tf_eth_link_hash(const struct tf_eth_link *link, struct tf_hash *hash)
{
    tf_hash_u64(hash, link->free);
    for (unsigned i = 0; i < TF_ETH_QUEUES_MAX; i++)
        tf_hash_u64(hash, link->accepted[i]);
    tf_eth_packets_hash(link->first, hash);
}

TF_SAVED_WHOLE(struct tf_eth_link, 56);

/* No system runs for so long. Sums of such cycles do not wrap. */
#define CYCLES_MOST (1ull << 60)

void tf_eth_link_state(struct tf_saved *saved, struct tf_eth_link *link)
{
    TF_SAVED(saved, link->free);
    TF_SAVED(saved, link->accepted);
    bool fits = link->free <= CYCLES_MOST;
    for (unsigned i = 0; i < TF_ETH_QUEUES_MAX; i++)
        fits = fits && link->accepted[i] <= CYCLES_MOST;
    tf_saved_demand(saved, fits, "it is damaged: a link is busy for ever");
}

static bool packet_fits(const struct tf_eth_packet *packet)
{
    return packet->arrives <= CYCLES_MOST && packet->kind <= TF_ETH_REGISTER && packet->queue < TF_ETH_QUEUES_MAX &&
           (packet->kind != TF_ETH_REGISTER || (packet->bytes == 4 && packet->to % 4 == 0));
}

void tf_eth_packet_state(struct tf_saved *saved, struct tf_eth_packet **packet, uint32_t l1_bytes)
{
    const uint64_t bytes = tf_saved_count(saved, saved->reads ? 0 : (*packet)->bytes, l1_bytes);
    if (saved->reads)
        *packet = saved->why == NULL && bytes != 0 ? make_packet(0, TF_ETH_RAW, 0, (uint32_t)bytes) : NULL;
    tf_saved_demand(saved, bytes != 0 || saved->why != NULL, "it is damaged: a packet is empty");
    if (*packet == NULL) {
        tf_saved_fail(saved, tf_saved_no_memory);
        return;
    }
    TF_SAVED(saved, (*packet)->arrives);
    TF_SAVED(saved, (*packet)->to);
    TF_SAVED(saved, (*packet)->kind);
    TF_SAVED(saved, (*packet)->queue);
    tf_saved_bytes(saved, (*packet)->data, (size_t)bytes);
    tf_saved_demand(saved, packet_fits(*packet), "it is damaged: a packet is invalid");
    if (saved->reads && saved->why != NULL) {
        free(*packet);
        *packet = NULL;
    }
}
