/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams that transmit to streams of other tiles and to DRAM, and that receive from streams. Sources, in
 * WormholeB0/NoC/Overlay: TransferBetweenTiles.md, TransmitToDRAMBuffer.md; the fields of STREAM_SRC_READY_UPDATE are
 * in Wormhole's noc_overlay_parameters.h. All packets are posted writes of a NIU.
 */
#include "tile/mmio/streams/peer.h"

#include "tile/mmio/streams/gather.h"
#include "tile/mmio/streams/handshake.h"
#include "tile/mmio/streams/packet.h"
#include "tile/mmio/streams/phase_run.h"
#include "tile/mmio/streams/stream.h"
#include "tile/riscv/hart/access_fault.h"
#include "tilefarm_address.h"

#define CTRL_WRITE 2u
#define CTRL_INLINE (1u << 3)
#define CTRL_MULTICAST (1u << 5)
#define CTRL_STATIC (1u << 7)
#define CTRL_PATH_RESERVE (1u << 8)
#define CTRL_CLASS_MULTICAST (2u << 14)
#define CTRL_MAJOR_Y (1u << 16)
#define CTRL_VC 13u

/* Fields of MISC_CFG. */
#define UNICAST_VC(config) ((config) >> 18 & 7)
#define UPDATE_VC(config) ((config) >> 21 & 7)

/* Fields of MCAST_DEST. */
#define MCAST_EN (1u << 12)
#define MCAST_VC(mcast) ((mcast) >> 14 & 1)
#define MCAST_NO_PATH_RES (1u << 15)
#define MCAST_XY (1u << 16)

#define ANSWER_MULTICAST (1u << 26)
#define ANSWER_TO_REQUEST (1u << 27)
#define LOW_BITS 17u /* low bits of an address or place; a _HI register has the others */

static void to_register(const struct acting *a, struct tf_stream_packet *packet, unsigned stream, unsigned index,
                        uint32_t word)
{
    packet->address = tf_overlay_address(a->tile->arch->stream_place, stream, index);
    packet->ctrl |= CTRL_INLINE;
    packet->word = word;
}

static void make_to_source(const struct acting *a, struct tf_stream_packet *packet)
{
    const struct tf_stream_phase *phase = a->phase;
    uint32_t remote = phase->source.remote, config = phase->source.config, receiver = remote >> 18 & 0x3F;
    unsigned stream = remote >> 12 & 0x3F;
    packet->hi = remote & 0xFFF;
    packet->ctrl = CTRL_WRITE | CTRL_STATIC | UPDATE_VC(config) << CTRL_VC;
    if (phase->answers) {
        to_register(a, packet, stream, DEST_PHASE_READY_UPDATE,
                    receiver | tf_stream_phase_get(a, REMOTE_SRC_PHASE) << 6 |
                        ((config & SOURCE_MULTICASTS) != 0 ? ANSWER_MULTICAST : 0) |
                        (phase->asked ? ANSWER_TO_REQUEST : 0));
        return;
    }
    to_register(a, packet, stream, SPACE_AVAILABLE_UPDATE, receiver | phase->credits << 6);
}

/* Send to a receiver, or to all of them. */
static void address_receivers(const struct acting *a, struct tf_stream_packet *packet)
{
    uint32_t mcast = tf_stream_can(a->tile, a->number, MULTICAST) ? tf_stream_phase_get(a, MCAST_DEST) : 0,
             first = tf_stream_phase_get(a, REMOTE_DEST) & 0xFFF;
    packet->ctrl = CTRL_WRITE | CTRL_STATIC;
    if ((mcast & MCAST_EN) == 0) {
        packet->hi = first;
        packet->ctrl |= UNICAST_VC(tf_stream_phase_get(a, MISC_CFG)) << CTRL_VC;
        return;
    }
    packet->hi = (mcast & 0xFFF) | first << 12;
    packet->ctrl |= CTRL_MULTICAST | CTRL_CLASS_MULTICAST | MCAST_VC(mcast) << CTRL_VC |
                    ((mcast & MCAST_NO_PATH_RES) != 0 ? 0 : CTRL_PATH_RESERVE) |
                    ((mcast & MCAST_XY) != 0 ? CTRL_MAJOR_Y : 0);
}

static void make_to_destination(const struct acting *a, struct tf_stream_packet *packet)
{
    const struct tf_stream_phase *phase = a->phase;
    unsigned stream = tf_stream_phase_get(a, REMOTE_DEST) >> 12 & 0x3F;
    address_receivers(a, packet);
    if (phase->asks) {
        to_register(a, packet, stream, SRC_READY_UPDATE, a->number << 12);
        packet->says_who = true;
        return;
    }
    uint32_t lines = tf_handshake_sendable(a), rest;
    uint64_t to = (uint64_t)tf_stream_phase_get(a, REMOTE_DEST_BUF_START_HI) << LOW_BITS | a->stream->dest_buf_start;
    packet->bytes = 16 * lines;
    packet->data = 16 * tf_handshake_rest(a, &rest);
    packet->address = 16 * (to + phase->beyond + tf_stream_phase_get(a, REMOTE_DEST_WR_PTR));
    if (phase->sent == 0) {
        packet->tag |= TF_TAG_FIRST | TF_TAG_HEADER_STORE;
        packet->header = tf_stream_phase_get(a, REMOTE_DEST_MSG_INFO_WR_PTR_HI) << LOW_BITS |
                         tf_stream_phase_get(a, REMOTE_DEST_MSG_INFO_WR_PTR);
    }
    if (phase->sent + lines == phase->message[0].lines)
        packet->tag |= TF_TAG_LAST;
    if (!tf_handshake_is_dram(a))
        packet->tag |= TF_TAG_TO_OVERLAY | stream;
}

static struct acting by_itself(struct tf_tile *tile, unsigned number)
{
    struct tf_stream *stream = &tile->mmio.stream[number];
    return (struct acting){.tile = tile,
                           .stream = stream,
                           .phase = stream->phase,
                           .number = number,
                           .from = TF_FROM_NOC,
                           .address = TF_STREAM_BASE + number * TF_STREAM_BYTES,
                           .store = tf_stream_store};
}

bool tf_stream_sends_fit(struct tf_tile *tile)
{
    for (unsigned noc = 0; noc < 2; noc++)
        for (uint64_t sends = tile->mmio.stream_sends[noc]; sends != 0; sends &= sends - 1) {
            struct acting a = by_itself(tile, (unsigned)__builtin_ctzll(sends));
            if (a.phase == NULL ||
                (tf_handshake_noc_to_source(&a) != noc && tf_handshake_noc_to_destination(&a) != noc))
                return false;
        }
    return true;
}

bool tf_stream_next_packet(struct tf_tile *tile, unsigned noc, unsigned first, struct tf_stream_packet *packet)
{
    uint64_t sends = first < TF_STREAMS ? tile->mmio.stream_sends[noc] >> first << first : 0;
    if (sends == 0)
        return false;
    struct acting a = by_itself(tile, (unsigned)__builtin_ctzll(sends));
    *packet = (struct tf_stream_packet){.stream = a.number};
    if (tf_handshake_noc_to_source(&a) == noc)
        make_to_source(&a, packet);
    else
        make_to_destination(&a, packet);
    return true;
}

/* Account for lines of the first message that have been sent, and read from L1. */
static enum tf_access sent_lines(const struct acting *a, uint32_t lines)
{
    struct tf_stream_phase *phase = a->phase;
    struct message message = phase->message[0];
    uint32_t at = tf_stream_phase_get(a, REMOTE_DEST_WR_PTR) + lines;
    if (tf_handshake_is_dram(a)) {
        phase->beyond += at & ~WORDS_MASK;
        tf_stream_keep(a->stream, REMOTE_DEST_WR_PTR, at & WORDS_MASK);
    } else {
        tf_stream_keep(a->stream, REMOTE_DEST_WR_PTR, at % a->stream->dest_buf_size);
        for (unsigned i = 0; i < tf_handshake_receivers(a); i++)
            tf_stream_add_space(a->stream, i, -lines);
    }
    if (phase->sent == 0) {
        uint32_t header = tf_stream_phase_get(a, REMOTE_DEST_MSG_INFO_WR_PTR) + 1;
        tf_stream_keep(a->stream, REMOTE_DEST_MSG_INFO_WR_PTR, header & WORDS_MASK);
    }
    phase->sent += lines;
    if (phase->listens && message.from == a->number)
        phase->arrived -= lines;
    if (phase->sent == message.lines) {
        phase->sent = 0;
        tf_stream_phase_take_message(a);
    }
    return tf_stream_phase_freed(a, lines, message.from);
}

bool tf_stream_sent(struct tf_tile *tile, const struct tf_stream_packet *packet)
{
    struct acting a = by_itself(tile, packet->stream);
    enum tf_access access = TF_ACCESS_OK;
    if (packet->bytes != 0)
        access = sent_lines(&a, packet->bytes / 16);
    else if (packet->says_who)
        a.phase->asks = false;
    else if (a.phase->answers)
        a.phase->answers = false;
    else
        a.phase->credits = 0;
    tf_stream_phase_flushed(&a);
    return access == TF_ACCESS_OK && tf_gather_run(&a) == TF_ACCESS_OK;
}

void tf_stream_stop(struct tf_tile *tile, const struct tf_stream_packet *packet)
{
    struct acting a = by_itself(tile, packet->stream);
    a.phase->state = IDLE;
    a.phase->answers = a.phase->asks = false;
    a.phase->credits = 0;
    tf_handshake_note(&a);
}

/* When is the header of a message in L1? If the stream forwards it, with the first packet of the message; otherwise
   with the last one. */
static void count_header(const struct acting *a, uint32_t tag)
{
    bool forwards = (tf_stream_phase_get(a, MISC_CFG) & TO_STREAM) != 0;
    if ((tag & (forwards ? TF_TAG_FIRST : TF_TAG_LAST)) != 0)
        tf_stream_keep(a->stream, MSG_INFO_WR_PTR, (tf_stream_phase_get(a, MSG_INFO_WR_PTR) + 1) & WORDS_MASK);
}

bool tf_stream_receive(struct tf_tile *tile, uint32_t tag, uint32_t bytes)
{
    unsigned number = tag & TF_TAG_STREAM;
    uint32_t lines = (bytes + 15) / 16;
    if (number >= tile->arch->streams || tile->mmio.stream[number].phase == NULL) {
        tf_mmio_fault(tile, TF_FROM_NOC, TF_FAULT_UNDEFINED, 0, "a packet arrives at a stream that does not receive");
        return false;
    }
    struct acting a = by_itself(tile, number);
    if (!a.phase->listens)
        return tf_stream_phase_undefined(&a, "a packet arrives at a stream that does not receive") == TF_ACCESS_OK;
    a.phase->answers = a.phase->awaits_source = false;
    if (!tf_stream_phase_advance(&a, WR_PTR, lines) || a.phase->arrived + lines > tf_stream_phase_get(&a, BUF_SIZE))
        return tf_stream_phase_undefined(&a, "a packet overruns the receive buffer of its stream") == TF_ACCESS_OK;
    a.phase->arrived += lines;
    count_header(&a, tag);
    return tf_gather_run(&a) == TF_ACCESS_OK;
}
