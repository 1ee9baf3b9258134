/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams that transmit to streams of other tiles and to DRAM, and that receive from streams. Sources, in
 * WormholeB0/NoC/Overlay: TransferBetweenTiles.md, TransmitToDRAMBuffer.md; the fields of STREAM_SRC_READY_UPDATE are
 * in Wormhole's noc_overlay_parameters.h. All packets are posted writes of a NIU.
 */
#include "tile/mmio/peer.h"

#include "tile/mmio/packet.h"
#include "tile/mmio/phase_parts.h"
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

#define ETHERNET_PEER 0xFFFu /* coordinates of the overlay at the other end of an Ethernet link */
#define ANSWERED (1u << 20)  /* in the handshake cache, above the phase */
#define ANSWER_MULTICAST (1u << 26)
#define ANSWER_TO_REQUEST (1u << 27)
#define DRAM_COMMAND 4u /* NCRISC_CMD_ID in SCRATCH + 0, with one of the bits below it */
#define LOW_BITS 17u    /* low bits of an address or place; a _HI register has the others */

static bool can(const struct acting *a, uint64_t streams)
{
    return tf_stream_can(a->tile, a->number, streams);
}

static uint32_t phase_number(const struct acting *a)
{
    return tf_stream_phase_get(a, CURR_PHASE);
}

/* Does the stream transmit to memory? */
static bool is_dram(const struct acting *a)
{
    uint32_t scratch = tf_stream_phase_get(a, SCRATCH);
    return can(a, DRAM) && (scratch & DRAM_COMMAND) != 0 && (scratch & (DRAM_COMMAND - 1)) != 0;
}

/* The receivers of the stream. */
static unsigned receivers(const struct acting *a)
{
    return can(a, MULTICAST) ? tf_stream_phase_get(a, MCAST_DEST_NUM) : 1;
}

/* Is the remote stream at the other end of an Ethernet link? All links are down: no message gets through, in either
   direction. */
static bool over_ethernet(const struct acting *a, uint32_t remote)
{
    return a->tile->arch->eth_streams && (remote & 0xFFF) == ETHERNET_PEER && (a->number < 4 || can(a, DRAM));
}

/* ---- Phases ---- */

void tf_peer_receive_begin(const struct acting *a)
{
    struct tf_stream_phase *phase = a->phase;
    phase->listens = (tf_stream_phase_get(a, MISC_CFG) & FROM_STREAM) != 0;
    if (!phase->listens)
        phase->arrived = 0;
    if (!phase->listens || phase->same_source)
        return;
    phase->source = (struct source){tf_stream_phase_get(a, REMOTE_SRC), tf_stream_phase_get(a, MISC_CFG)};
    phase->arrived = phase->next = 0;
    tf_stream_keep(a->stream, RD_PTR, 0);
    tf_stream_keep(a->stream, WR_PTR, 0);
    phase->answers = phase->awaits_source = true;
    phase->asked = false;
}

/* Have all receivers answered for this phase? */
static bool all_answered(const struct acting *a)
{
    unsigned count = receivers(a);
    for (unsigned i = 0; i < count; i++)
        if (a->phase->peer[i] != (ANSWERED | phase_number(a)))
            return false;
    for (unsigned i = 0; i < count; i++)
        a->phase->peer[i] = 0;
    return true;
}

const char *tf_peer_why_not(const struct acting *a)
{
    if ((tf_stream_phase_get(a, MISC_CFG) & TO_STREAM) == 0)
        return NULL;
    if (receivers(a) == 0 || receivers(a) > PEERS)
        return "a stream that can multicast has 1 to 32 receivers (STREAM_MCAST_DEST_NUM)";
    if (is_dram(a) && (tf_stream_phase_get(a, MISC_CFG) & DEST_NO_FLOW_CTRL) == 0)
        return "a stream that transmits to DRAM has no flow control (DEST_DATA_BUF_NO_FLOW_CTRL)";
    return NULL;
}

void tf_peer_transmit_begin(const struct acting *a)
{
    struct tf_stream_phase *phase = a->phase;
    phase->sent = 0;
    phase->ready = phase->same_destination;
    if ((tf_stream_phase_get(a, MISC_CFG) & TO_STREAM) == 0 || phase->ready)
        return;
    tf_stream_keep(a->stream, REMOTE_DEST_WR_PTR, 0);
    phase->beyond = 0;
    phase->ready = all_answered(a);
    phase->asks = !phase->ready && !is_dram(a);
}

/* Does the transmitter know that its receivers have read everything? */
static bool all_read(const struct acting *a)
{
    uint32_t config = tf_stream_phase_get(a, MISC_CFG);
    if ((config & TO_STREAM) == 0 || (config & DEST_CHANGE) == 0 || (config & DEST_NO_FLOW_CTRL) != 0)
        return true;
    for (unsigned i = 0; i < receivers(a); i++)
        if (tf_stream_space(a->stream, i) != a->stream->dest_buf_size)
            return false;
    return true;
}

bool tf_peer_ended(const struct acting *a)
{
    return all_read(a) && a->phase->credits == 0;
}

void tf_peer_end(const struct acting *a)
{
    uint32_t config = tf_stream_phase_get(a, MISC_CFG);
    a->phase->same_source = (config & SRC_CHANGE) == 0;
    a->phase->same_destination = (config & DEST_CHANGE) == 0;
}

void tf_peer_free(const struct acting *a, uint32_t lines)
{
    if (a->phase->listens && (a->phase->source.config & NO_FLOW_CTRL) == 0)
        a->phase->credits += lines;
}

enum tf_access tf_peer_answered(const struct acting *a, uint32_t value)
{
    struct tf_stream_phase *phase = a->phase;
    unsigned receiver = value & 0x3F;
    if (receiver >= PEERS)
        return tf_stream_phase_undefined(a, "a stream has at most 32 receivers");
    phase->peer[receiver] = ANSWERED | (value >> 6 & 0xFFFFF);
    if (phase->state == RUNS && (tf_stream_phase_get(a, MISC_CFG) & TO_STREAM) != 0 && !phase->ready &&
        all_answered(a)) {
        phase->ready = true;
        phase->asks = false;
    }
    return TF_ACCESS_OK;
}

enum tf_access tf_peer_requested(const struct acting *a)
{
    struct tf_stream_phase *phase = a->phase;
    if (phase->state == RUNS && phase->awaits_source) {
        phase->answers = phase->asked = true;
        phase->awaits_source = false;
    }
    return TF_ACCESS_OK;
}

/* ---- What a stream sends ---- */

/* Count the lines of its buffer that hold messages. */
static uint32_t held(const struct acting *a)
{
    uint32_t lines = a->phase->arrived + a->phase->lent;
    for (uint32_t i = 0; i < a->phase->parts; i++)
        lines += a->phase->read[i].from == a->number ? a->phase->read[i].lines : 0;
    return lines;
}

/* Must free lines be reported to the transmitter now? */
static bool owes_credits(const struct acting *a)
{
    const struct tf_stream_phase *phase = a->phase;
    uint32_t size = tf_stream_phase_get(a, BUF_SIZE), threshold = tf_stream_phase_get(a, ACK_THRESHOLD),
             part = threshold & 7;
    if (phase->credits == 0 || part == 0 || phase->state != RUNS || tf_stream_phase_remaining(a) == 0)
        return phase->credits != 0;
    return size - held(a) >= ((threshold & 8) != 0 ? size - (size >> part) : size >> part);
}

static uint32_t least(uint32_t lines, uint32_t limit)
{
    return lines < limit ? lines : limit;
}

/* Find the rest of the first message. *lines becomes the number of its lines up to the buffer's end. */
static uint32_t rest_of_first(const struct acting *a, uint32_t *lines)
{
    const struct tf_stream_phase *phase = a->phase;
    const struct message *message = &phase->message[0];
    const struct tf_stream *owner = &a->tile->mmio.stream[message->from];
    uint32_t start = tf_stream_kept(owner, BUF_START), size = tf_stream_kept(owner, BUF_SIZE);
    uint32_t place = message->address - start;
    *lines = message->lines - phase->sent;
    if (size == 0 || place >= size)
        return message->address + phase->sent; /* the rest lies outside the buffer */
    place = (place + phase->sent) % size;
    *lines = least(*lines, size - place);
    return start + place;
}

/* How many lines of the first message fit one packet? */
static uint32_t sendable(const struct acting *a)
{
    const struct tf_stream_phase *phase = a->phase;
    uint32_t lines;
    if (phase->state != RUNS || (tf_stream_phase_get(a, MISC_CFG) & TO_STREAM) == 0 || !phase->ready ||
        phase->messages == 0)
        return 0;
    rest_of_first(a, &lines);
    if (phase->listens && phase->message[0].from == a->number)
        lines = least(lines, phase->arrived);
    lines = least(lines, a->tile->arch->packet_lines);
    if (is_dram(a))
        return lines;
    for (unsigned i = 0; i < receivers(a); i++)
        lines = least(lines, tf_stream_space(a->stream, i));
    return least(lines, a->stream->dest_buf_size - tf_stream_phase_get(a, REMOTE_DEST_WR_PTR));
}

/* The NOC on which a stream has something for its source, or for its destination; 2 if it has nothing. */
static unsigned noc_to_source(const struct acting *a)
{
    if (!a->phase->answers && !owes_credits(a))
        return 2;
    return over_ethernet(a, a->phase->source.remote) ? 2 : a->phase->source.config >> 2 & 1;
}

static unsigned noc_to_destination(const struct acting *a)
{
    if (!a->phase->asks && sendable(a) == 0)
        return 2;
    return over_ethernet(a, tf_stream_phase_get(a, REMOTE_DEST)) ? 2 : tf_stream_phase_get(a, MISC_CFG) >> 1 & 1;
}

void tf_peer_note(const struct acting *a)
{
    unsigned to_source = noc_to_source(a), to_destination = noc_to_destination(a);
    uint64_t bit = 1ull << a->number;
    for (unsigned noc = 0; noc < 2; noc++) {
        uint64_t *sends = &a->tile->mmio.stream_sends[noc];
        *sends = to_source == noc || to_destination == noc ? *sends | bit : *sends & ~bit;
    }
    a->tile->streams_send = (a->tile->mmio.stream_sends[0] | a->tile->mmio.stream_sends[1]) != 0;
}

/* ---- Packets ---- */

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
    uint32_t mcast = can(a, MULTICAST) ? tf_stream_phase_get(a, MCAST_DEST) : 0,
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
    uint32_t lines = sendable(a), rest;
    uint64_t to = (uint64_t)tf_stream_phase_get(a, REMOTE_DEST_BUF_START_HI) << LOW_BITS | a->stream->dest_buf_start;
    packet->bytes = 16 * lines;
    packet->data = 16 * rest_of_first(a, &rest);
    packet->address = 16 * (to + phase->beyond + tf_stream_phase_get(a, REMOTE_DEST_WR_PTR));
    if (phase->sent == 0) {
        packet->tag |= TF_TAG_FIRST | TF_TAG_HEADER_STORE;
        packet->header = tf_stream_phase_get(a, REMOTE_DEST_MSG_INFO_WR_PTR_HI) << LOW_BITS |
                         tf_stream_phase_get(a, REMOTE_DEST_MSG_INFO_WR_PTR);
    }
    if (phase->sent + lines == phase->message[0].lines)
        packet->tag |= TF_TAG_LAST;
    if (!is_dram(a))
        packet->tag |= TF_TAG_TO_OVERLAY | stream;
}

static struct acting by_itself(struct tf_tile *tile, unsigned number)
{
    struct tf_stream *stream = &tile->mmio.stream[number];
    return (struct acting){tile, stream, stream->phase, number, TF_FROM_NOC, TF_STREAM_BASE + number * TF_STREAM_BYTES};
}

bool tf_stream_sends_fit(struct tf_tile *tile)
{
    for (unsigned noc = 0; noc < 2; noc++)
        for (uint64_t sends = tile->mmio.stream_sends[noc]; sends != 0; sends &= sends - 1) {
            struct acting a = by_itself(tile, (unsigned)__builtin_ctzll(sends));
            if (a.phase == NULL || (noc_to_source(&a) != noc && noc_to_destination(&a) != noc))
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
    if (noc_to_source(&a) == noc)
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
    if (is_dram(a)) {
        phase->beyond += at & ~WORDS_MASK;
        tf_stream_keep(a->stream, REMOTE_DEST_WR_PTR, at & WORDS_MASK);
    } else {
        tf_stream_keep(a->stream, REMOTE_DEST_WR_PTR, at % a->stream->dest_buf_size);
        for (unsigned i = 0; i < receivers(a); i++)
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
    return access == TF_ACCESS_OK && tf_stream_phase_go_on(&a) == TF_ACCESS_OK;
}

void tf_stream_stop(struct tf_tile *tile, const struct tf_stream_packet *packet)
{
    struct acting a = by_itself(tile, packet->stream);
    a.phase->state = IDLE;
    a.phase->answers = a.phase->asks = false;
    a.phase->credits = 0;
    tf_peer_note(&a);
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
    return tf_stream_phase_go_on(&a) == TF_ACCESS_OK;
}
