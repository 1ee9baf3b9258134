/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream agrees with those of other tiles on phases and on the space in buffers. Sources, in
 * WormholeB0/NoC/Overlay: TransferBetweenTiles.md, TransmitToDRAMBuffer.md.
 */
#include "tile/mmio/streams/handshake.h"

#define ETHERNET_PEER 0xFFFu /* coordinates of the overlay at the other end of an Ethernet link */
#define ANSWERED (1u << 20)  /* in the handshake cache, above the phase */
#define DRAM_COMMAND 4u      /* NCRISC_CMD_ID in SCRATCH + 0, with one of the bits below it */

static bool can(const struct acting *a, uint64_t streams)
{
    return tf_stream_can(a->tile, a->number, streams);
}

static uint32_t phase_number(const struct acting *a)
{
    return tf_stream_phase_get(a, CURR_PHASE);
}

bool tf_handshake_is_dram(const struct acting *a)
{
    uint32_t scratch = tf_stream_phase_get(a, SCRATCH);
    return can(a, DRAM) && (scratch & DRAM_COMMAND) != 0 && (scratch & (DRAM_COMMAND - 1)) != 0;
}

unsigned tf_handshake_receivers(const struct acting *a)
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

void tf_handshake_receive(const struct acting *a)
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
    unsigned count = tf_handshake_receivers(a);
    for (unsigned i = 0; i < count; i++)
        if (a->phase->peer[i] != (ANSWERED | phase_number(a)))
            return false;
    for (unsigned i = 0; i < count; i++)
        a->phase->peer[i] = 0;
    return true;
}

const char *tf_handshake_why_not(const struct acting *a)
{
    if ((tf_stream_phase_get(a, MISC_CFG) & TO_STREAM) == 0)
        return NULL;
    if (tf_handshake_receivers(a) == 0 || tf_handshake_receivers(a) > PEERS)
        return "a stream that can multicast has 1 to 32 receivers (STREAM_MCAST_DEST_NUM)";
    if (tf_handshake_is_dram(a) && (tf_stream_phase_get(a, MISC_CFG) & DEST_NO_FLOW_CTRL) == 0)
        return "a stream that transmits to DRAM has no flow control (DEST_DATA_BUF_NO_FLOW_CTRL)";
    return NULL;
}

void tf_handshake_transmit(const struct acting *a)
{
    struct tf_stream_phase *phase = a->phase;
    phase->sent = 0;
    phase->ready = phase->same_destination;
    if ((tf_stream_phase_get(a, MISC_CFG) & TO_STREAM) == 0 || phase->ready)
        return;
    tf_stream_keep(a->stream, REMOTE_DEST_WR_PTR, 0);
    phase->beyond = 0;
    phase->ready = all_answered(a);
    phase->asks = !phase->ready && !tf_handshake_is_dram(a);
}

/* Does the transmitter know that its receivers have read everything? */
static bool all_read(const struct acting *a)
{
    uint32_t config = tf_stream_phase_get(a, MISC_CFG);
    if ((config & TO_STREAM) == 0 || (config & DEST_CHANGE) == 0 || (config & DEST_NO_FLOW_CTRL) != 0)
        return true;
    for (unsigned i = 0; i < tf_handshake_receivers(a); i++)
        if (tf_stream_space(a->stream, i) != a->stream->dest_buf_size)
            return false;
    return true;
}

bool tf_handshake_ended(const struct acting *a)
{
    return all_read(a) && a->phase->credits == 0;
}

void tf_handshake_end(const struct acting *a)
{
    uint32_t config = tf_stream_phase_get(a, MISC_CFG);
    a->phase->same_source = (config & SRC_CHANGE) == 0;
    a->phase->same_destination = (config & DEST_CHANGE) == 0;
}

void tf_handshake_free(const struct acting *a, uint32_t lines)
{
    if (a->phase->listens && (a->phase->source.config & NO_FLOW_CTRL) == 0)
        a->phase->credits += lines;
}

enum tf_access tf_handshake_answered(const struct acting *a, uint32_t value)
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

enum tf_access tf_handshake_requested(const struct acting *a)
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

uint32_t tf_handshake_rest(const struct acting *a, uint32_t *lines)
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

uint32_t tf_handshake_sendable(const struct acting *a)
{
    const struct tf_stream_phase *phase = a->phase;
    uint32_t lines;
    if (phase->state != RUNS || (tf_stream_phase_get(a, MISC_CFG) & TO_STREAM) == 0 || !phase->ready ||
        phase->messages == 0)
        return 0;
    tf_handshake_rest(a, &lines);
    if (phase->listens && phase->message[0].from == a->number)
        lines = least(lines, phase->arrived);
    lines = least(lines, a->tile->arch->packet_lines);
    if (tf_handshake_is_dram(a))
        return lines;
    for (unsigned i = 0; i < tf_handshake_receivers(a); i++)
        lines = least(lines, tf_stream_space(a->stream, i));
    return least(lines, a->stream->dest_buf_size - tf_stream_phase_get(a, REMOTE_DEST_WR_PTR));
}

unsigned tf_handshake_noc_to_source(const struct acting *a)
{
    if (!a->phase->answers && !owes_credits(a))
        return 2;
    return over_ethernet(a, a->phase->source.remote) ? 2 : a->phase->source.config >> 2 & 1;
}

unsigned tf_handshake_noc_to_destination(const struct acting *a)
{
    if (!a->phase->asks && tf_handshake_sendable(a) == 0)
        return 2;
    return over_ethernet(a, tf_stream_phase_get(a, REMOTE_DEST)) ? 2 : tf_stream_phase_get(a, MISC_CFG) >> 1 & 1;
}

void tf_handshake_note(const struct acting *a)
{
    unsigned to_source = tf_handshake_noc_to_source(a), to_destination = tf_handshake_noc_to_destination(a);
    uint64_t bit = 1ull << a->number;
    for (unsigned noc = 0; noc < 2; noc++) {
        uint64_t *sends = &a->tile->mmio.stream_sends[noc];
        *sends = to_source == noc || to_destination == noc ? *sends | bit : *sends & ~bit;
    }
    a->tile->streams_send = (a->tile->mmio.stream_sends[0] | a->tile->mmio.stream_sends[1]) != 0;
}
