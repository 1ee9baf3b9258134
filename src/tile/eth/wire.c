/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/eth/wire.h"

#include <stdlib.h>

#include "host/extremes.h"
#include "host/hook.h"
#include "host/mix.h"
#include "tile/eth/frame.h"
#include "tile/eth/late.h"
#include "tile/eth/packets.h"
#include "tile/eth/trail.h"
#include "tile/eth/word.h"

/* Bytes on the wire beside those of a frame: preamble 8, checksum 4, gap 12; and the least that a frame has (IEEE
   802.3). */
#define WIRE_BYTES 24u
#define FRAME_BYTES_MIN 60u

/* Words of a TX queue. */
enum { STARTED = 0x34 / 4, ENDED = 0x3C / 4, LINES = 0x40 / 4 };

static bool is_listed(const struct tf_eth_line *line, uint64_t number)
{
    unsigned low = 0, high = line->losses;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (line->lost[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < line->losses && line->lost[low] == number;
}

static bool is_cut(const struct tf_eth_line *line, uint64_t began, uint64_t arrives)
{
    for (unsigned i = 0; i < line->outages; i++)
        if (line->outage[i].from <= arrives && began < line->outage[i].until)
            return true;
    return false;
}

static bool is_lost(const struct tf_eth_line *line, uint64_t number, uint64_t began, uint64_t arrives)
{
    return is_listed(line, number) || is_cut(line, began, arrives) ||
           (line->loss_q32 != 0 && tf_mix_split(tf_mix_pair(line->seed, number)) >> 32 < line->loss_q32);
}

/* Remember when a frame is on the wire. Frames that are sent as a whole are forgotten. */
static bool take_slot(struct tf_eth_link *link, uint64_t cycle, const struct tf_eth_slot *slot)
{
    while (link->slots != 0 && link->slot[link->slots_first].ended <= cycle) {
        link->slots_first = (link->slots_first + 1) % link->slots_room;
        link->slots--;
    }
    if (link->slots == link->slots_room) {
        const unsigned room = link->slots_room != 0 ? 2 * link->slots_room : 16;
        struct tf_eth_slot *more = malloc(room * sizeof *more);
        if (more == NULL)
            return false;
        for (unsigned i = 0; i < link->slots; i++)
            more[i] = link->slot[(link->slots_first + i) % link->slots_room];
        free(link->slot);
        link->slot = more;
        link->slots_first = 0;
        link->slots_room = room;
    }
    link->slot[(link->slots_first + link->slots++) % link->slots_room] = *slot;
    return true;
}

void tf_eth_wire_count(const struct tf_tile *tile, unsigned queue, uint32_t bytes)
{
    const struct tf_eth_arch *arch = tf_eth_arch_of(tile);
    uint32_t *word = tf_eth_word(tile, arch->tx.first + queue * arch->tx.stride);
    word[STARTED]++;
    word[ENDED]++;
    word[LINES] += (bytes + arch->tx.line_bytes - 1) / arch->tx.line_bytes;
}

static struct tf_eth_packet *make(const struct tf_tile *tile, const struct tf_eth_load *load)
{
    const struct tf_eth_link *link = tile->mmio.eth->link;
    const void *data = load->kind == TF_ETH_REGISTER ? (const void *)&load->value : tile->l1 + load->from;
    const struct tf_eth_content content = {
        .kind = load->kind,
        .queue = load->queue,
        .row = load->row,
        .sequence = (uint8_t)load->sequence,
        .acknowledged = (uint8_t)link->expected[load->queue],
        .to = load->to,
        .data = data,
        .bytes = load->bytes,
    };
    struct tf_eth_packet *packet = tf_eth_frame_make(tile, &content);
    if (packet != NULL) {
        packet->sequence = load->sequence;
        packet->expected = link->expected[load->queue];
    }
    return packet;
}

uint32_t tf_eth_frame_cycles(const struct tf_eth_line *line, uint32_t frame_bytes)
{
    const uint64_t bytes = tf_max(frame_bytes, FRAME_BYTES_MIN) + (uint64_t)WIRE_BYTES;
    return (uint32_t)tf_max(bytes * line->byte_cycles_q20 >> 20, (uint64_t)1);
}

uint64_t tf_eth_wire_send(struct tf_tile *tile, const struct tf_eth_load *load)
{
    struct tf_eth_link *link = tile->mmio.eth->link;
    const uint32_t line_bytes = tf_eth_arch_of(tile)->tx.line_bytes;
    struct tf_eth_packet *packet = make(tile, load);
    if (packet == NULL)
        return 0;
    const uint64_t began = tf_max(link->free, tile->cycle);
    const uint64_t ended = began + tf_eth_frame_cycles(&link->line, packet->frame_bytes);
    const struct tf_eth_slot slot = {began, ended, (load->bytes + line_bytes - 1) / line_bytes, load->queue};
    if (!take_slot(link, tile->cycle, &slot)) {
        tf_eth_packet_free(packet);
        return 0;
    }
    tf_eth_wire_count(tile, load->queue, load->bytes);
    link->free = ended;
    link->bytes += packet->frame_bytes;
    bool lost = false;
    packet->arrives = ended + link->line.latency_cycles;
    if (TF_HOOK(link->late) != NULL)
        packet->arrives = tf_eth_late_frame(tile, load, link->frames, packet->arrives, &lost);
    if (is_lost(&link->line, link->frames++, began, packet->arrives) || lost) {
        link->lost++;
        tf_eth_packet_free(packet);
    } else {
        tf_eth_trail_sent(tile, load, packet, began, ended);
        tf_eth_list_add(&link->sent, packet);
    }
    return ended;
}

uint64_t tf_eth_lost(const struct tf_tile *tile)
{
    return tile->mmio.eth->link->lost;
}

struct tf_eth_early tf_eth_wire_early(const struct tf_eth_link *link, unsigned queue, uint64_t cycle)
{
    struct tf_eth_early early = {0, 0, 0};
    for (unsigned i = 0; i < link->slots; i++) {
        const struct tf_eth_slot *slot = &link->slot[(link->slots_first + i) % link->slots_room];
        if (slot->queue != queue || slot->ended <= cycle)
            continue;
        early.ended++;
        early.started += slot->began > cycle;
        early.lines += slot->lines;
        if (slot->began < cycle)
            early.lines -= (uint32_t)(slot->lines * (cycle - slot->began) / (slot->ended - slot->began));
    }
    return early;
}

void tf_eth_wire_hash(const struct tf_eth_link *link, struct tf_hash *hash)
{
    tf_hash_u64(hash, link->free);
    tf_hash_u64(hash, link->frames);
    tf_hash_u64(hash, link->lost);
    tf_hash_u64(hash, link->bytes);
    for (unsigned i = 0; i < link->slots; i++) {
        const struct tf_eth_slot *slot = &link->slot[(link->slots_first + i) % link->slots_room];
        tf_hash_u64(hash, slot->began);
        tf_hash_u64(hash, slot->ended);
        tf_hash_u32(hash, slot->lines);
        tf_hash_u32(hash, slot->queue);
    }
}
