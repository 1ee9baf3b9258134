/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources, in WormholeB0/NoC/Overlay: README.md (the state machine, what each stream can do), ReceiveFromSoftware.md,
 * TransmitToSoftware.md, TransmitToNowhere.md, LoadConfigurationFromL1.md. During an access, a stream does all that it
 * can do.
 */
#include "tile/mmio/phase.h"

#include <stdlib.h>
#include <string.h>

#include "host/saved.h"
#include "tile/mmio/phase_parts.h"
#include "tile/mmio/polled_pic.h"
#include "tile/mmio/streams.h"
#include "tile/riscv/hart/access_fault.h"
#include "tile/word.h"
#include "tilefarm_address.h"

#define PHASES_MAX 0x1000u /* if one store begins so many phases, they are taken for an endless circle */
#define MSG_INFO_WORDS 96u /* 16 entries */
#define IRQ_BLOB_DONE 16u  /* PIC.md */
enum { PHASE_START = 1, PHASE_END = 2 };

enum tf_access tf_stream_phase_undefined(const struct acting *a, const char *why)
{
    return tf_mmio_fault(a->tile, a->from, TF_FAULT_UNDEFINED, a->address, why);
}

/* Capabilities of streams: README.md, "Stream Capabilities". */
static bool has_headers(const struct tf_tile *tile, unsigned number)
{
    return !tile->arch->eth_streams && (number == 4 || number == 5);
}

/* The messages of the metadata FIFO. */
static unsigned capacity(const struct tf_tile *tile, unsigned number)
{
    if (tile->arch->eth_streams)
        return number < 4 || (number >= 8 && number < 12) ? 32 : 2;
    return number < 6 || (number >= 8 && number < 12) ? 8 : 2;
}

/* The entries of the L1 read complete FIFO. */
static unsigned reads_capacity(const struct tf_tile *tile, unsigned number)
{
    unsigned messages = capacity(tile, number);
    return messages == ENTRIES ? READS : messages;
}

static unsigned group_size(const struct tf_tile *tile, unsigned number)
{
    return has_headers(tile, number) ? 4 : 2;
}

uint32_t tf_stream_phase_remaining(const struct acting *a)
{
    return tf_stream_phase_get(a, PHASE_AUTO_CFG_HEADER) >> 12 & 0xFFF;
}

static void raise_phase(const struct acting *a, uint32_t event)
{
    unsigned n = a->number;
    if (n < 4 || (n >= 8 && n < 12))
        tf_polled_pic_phase(a->tile, n < 4 ? n : n - 4, event);
}

/* ---- What happens in a phase ---- */

bool tf_stream_phase_advance(const struct acting *a, unsigned pointer, uint32_t lines)
{
    uint32_t size = tf_stream_phase_get(a, BUF_SIZE), at = tf_stream_phase_get(a, pointer) + lines;
    if (lines > size)
        return false;
    tf_stream_keep(a->stream, pointer, at >= size ? at - size : at);
    return true;
}

static enum tf_access append(const struct acting *a, const struct message *message)
{
    struct tf_stream_phase *phase = a->phase;
    uint32_t size = tf_stream_phase_get(a, BUF_SIZE), config = tf_stream_phase_get(a, MISC_CFG);
    bool passes_by = (config & FROM_STREAM) != 0 && (config & TO_STREAM) != 0;
    if (message->lines == 0 || size == 0 || (message->lines > size && !passes_by))
        return tf_stream_phase_undefined(a, "a message has at least 16 bytes, and no more than the receive buffer");
    if (phase->unreceived == 0)
        return tf_stream_phase_undefined(a, "the phase expects no more messages");
    phase->unreceived--;
    phase->message[phase->messages++] = *message;
    phase->next = (phase->next + message->lines) % size;
    return TF_ACCESS_OK;
}

/* The length that a header holds, or 0. */
static uint32_t length_in(const struct acting *a, const uint32_t header[HEADER_WORDS])
{
    uint32_t format = tf_stream_kept(&a->tile->mmio.stream[0], MSG_HEADER_FORMAT);
    unsigned first = format & 0x78, bits = format >> 7 & 0x7F;
    uint64_t pair = header[first / 32] | (uint64_t)(first < 96 ? header[first / 32 + 1] : 0) << 32;
    return (uint32_t)(pair >> first % 32) & (bits >= 15 ? 0x7FFF : (1u << bits) - 1);
}

/* Takes headers out of the array in L1 while there is room. Headers of a stream's next phase wait for that phase. */
static enum tf_access fetch(const struct acting *a)
{
    struct tf_stream_phase *phase = a->phase;
    enum tf_access access = TF_ACCESS_OK;
    if (phase->listens && phase->unreceived == 0)
        return access;
    while (access == TF_ACCESS_OK && phase->messages < capacity(a->tile, a->number)) {
        uint32_t at = tf_stream_phase_get(a, MSG_INFO_PTR);
        struct message message = {.address = (tf_stream_phase_get(a, BUF_START) + phase->next) & WORDS_MASK,
                                  .from = a->number};
        if (at == tf_stream_phase_get(a, MSG_INFO_WR_PTR))
            break;
        if (at >= a->tile->arch->l1_bytes / 16)
            return tf_stream_phase_undefined(a, "the message header array is beyond L1");
        for (unsigned i = 0; i < HEADER_WORDS; i++)
            message.header[i] = tf_tile_word(a->tile, at * 16 + 4 * i);
        message.lines = length_in(a, message.header);
        tf_stream_keep(a->stream, MSG_INFO_PTR, (at + 1) & WORDS_MASK);
        access = append(a, &message);
        if (phase->listens && phase->unreceived == 0)
            break;
    }
    return access;
}

void tf_stream_phase_take_message(const struct acting *a)
{
    struct tf_stream_phase *phase = a->phase;
    memmove(phase->message, phase->message + 1, --phase->messages * sizeof phase->message[0]);
    tf_stream_keep(a->stream, PHASE_AUTO_CFG_HEADER, tf_stream_phase_get(a, PHASE_AUTO_CFG_HEADER) - (1u << 12));
}

static void add_read(struct tf_stream_phase *phase, uint32_t lines, unsigned from)
{
    struct read *before = phase->parts != 0 ? &phase->read[phase->parts - 1] : NULL;
    if (before != NULL && !before->last && before->from == from)
        before->lines += lines;
    else
        phase->read[phase->parts++] = (struct read){lines, (uint16_t)from, 0};
}

/* Moves messages to the L1 read complete FIFO, as one entry. */
static void pop_messages(const struct acting *a, uint32_t count)
{
    struct tf_stream_phase *phase = a->phase;
    if (count == 0)
        add_read(phase, 0, a->number);
    for (; count != 0; count--) {
        if (phase->listens && phase->message[0].from == a->number)
            phase->arrived -= phase->message[0].lines;
        add_read(phase, phase->message[0].lines, phase->message[0].from);
        tf_stream_phase_take_message(a);
    }
    phase->read[phase->parts - 1].last = 1;
    phase->reads++;
}

static enum tf_access pop_read(const struct acting *a)
{
    struct tf_stream_phase *phase = a->phase;
    enum tf_access access = TF_ACCESS_OK;
    for (bool last = false; !last && access == TF_ACCESS_OK;) {
        struct read read = phase->read[0];
        last = read.last;
        memmove(phase->read, phase->read + 1, --phase->parts * sizeof phase->read[0]);
        phase->reads -= last;
        access = tf_stream_phase_freed(a, read.lines, read.from);
    }
    return access;
}

enum tf_access tf_stream_phase_freed(const struct acting *a, uint32_t lines, unsigned from)
{
    struct acting owner = *a;
    if (from != a->number && !tf_stream_phase_act(&owner, a->tile, a->from, a->address, from))
        return TF_ACCESS_FAULT;
    tf_stream_phase_advance(&owner, RD_PTR, lines);
    tf_peer_free(&owner, lines);
    if (from == a->number)
        return TF_ACCESS_OK;
    owner.phase->lent -= lines;
    tf_stream_phase_flushed(&owner);
    return tf_stream_phase_run(&owner);
}

/* TransmitToSoftware.md: pops by REMOTE_DEST_MSG_INFO_WR_PTR. *done becomes true if something was done. */
static enum tf_access count(const struct acting *a, bool *done)
{
    struct tf_stream_phase *phase = a->phase;
    uint32_t counter = tf_stream_phase_get(a, REMOTE_DEST_MSG_INFO_WR_PTR);
    enum tf_access access = TF_ACCESS_OK;
    *done = counter != 0 &&
            ((counter & 1) != 0 ? phase->reads != 0
                                : phase->messages != 0 && phase->reads != reads_capacity(a->tile, a->number));
    if (!*done)
        return access;
    if ((counter & 1) != 0)
        access = pop_read(a);
    else
        pop_messages(a, 1);
    tf_stream_keep(a->stream, REMOTE_DEST_MSG_INFO_WR_PTR, (counter + 1) & WORDS_MASK);
    return access;
}

/* Transmits to software that counts, or to nowhere. A neighbouring stream and a NIU take messages themselves. */
static enum tf_access transmit(const struct acting *a, bool *done)
{
    uint32_t config = tf_stream_phase_get(a, MISC_CFG);
    enum tf_access access = TF_ACCESS_OK;
    if ((config & TO_SOFTWARE) != 0)
        return count(a, done);
    *done = a->phase->messages != 0 && (config & (TO_STREAM | TO_GATHER)) == 0;
    if (!*done)
        return access;
    pop_messages(a, 1);
    while (a->phase->reads != 0 && access == TF_ACCESS_OK)
        access = pop_read(a);
    return access;
}

/* ---- From phase to phase ---- */

static enum tf_access check_ends(const struct acting *a)
{
    uint32_t config = tf_stream_phase_get(a, MISC_CFG);
    uint32_t source = config & (FROM_GATHER | FROM_SOFTWARE | FROM_STREAM);
    uint32_t destination = config & (TO_SOFTWARE | TO_GATHER | TO_STREAM);
    if (source == 0 || (source & (source - 1)) != 0 || (destination & (destination - 1)) != 0)
        return tf_stream_phase_undefined(a, "a phase has one source, and at most one destination (Overlay/README.md)");
    if (source == FROM_GATHER && destination == TO_GATHER)
        return tf_stream_phase_undefined(a,
                                         "a stream that gathers cannot transmit to another one that does (Gather.md)");
    if (source == FROM_GATHER && !tf_stream_can(a->tile, a->number, GATHER_STREAMS))
        return tf_stream_phase_undefined(a, "this stream of Wormhole cannot gather (Overlay/README.md)");
    const char *why = tf_stream_phase_remaining(a) != 0 ? tf_peer_why_not(a) : NULL;
    return why == NULL ? TF_ACCESS_OK : tf_stream_phase_undefined(a, why);
}

static enum tf_access load(const struct acting *a)
{
    uint32_t at = a->stream->auto_cfg_ptr, words = (tf_stream_phase_get(a, PHASE_AUTO_CFG_HEADER) >> 24) + 1;
    uint32_t registers = TF_STREAM_BASE + a->number * TF_STREAM_BYTES;
    if (at % 4 != 0 || at + 4 * words > a->tile->arch->l1_bytes)
        return tf_stream_phase_undefined(a, "a stream's configuration in L1 is not aligned, or ends beyond L1");
    a->phase->state = LOADS;
    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = tf_tile_word(a->tile, at + 4 * i);
        uint32_t index = i == 0 ? tf_overlay_number(a->tile->arch->stream_place, TF_OVERLAY_PHASE_AUTO_CFG_HEADER)
                                : word >> 24;
        if (tf_stream_store(a->tile, a->from, registers + 4 * index, i == 0 ? word : word & 0xFFFFFF) != TF_ACCESS_OK)
            return TF_ACCESS_FAULT;
    }
    a->phase->state = LOADED;
    return TF_ACCESS_OK;
}

static void blob_done(const struct acting *a)
{
    struct tf_mmio *mmio = &a->tile->mmio;
    if (mmio->blobs_done == 0)
        tf_polled_pic_raise(a->tile, IRQ_BLOB_DONE);
    mmio->blobs_done |= 1ull << a->number;
}

/* Continue a phase that has begun. It is over if it has no messages. */
static void begin(const struct acting *a)
{
    struct tf_stream_phase *phase = a->phase;
    phase->unreceived = tf_stream_phase_remaining(a);
    phase->next = tf_stream_phase_get(a, WR_PTR);
    if (phase->arrived != 0) /* data for this phase came early; they follow those of the last phase */
        phase->next = (phase->next + tf_stream_phase_get(a, BUF_SIZE) - phase->arrived) %
                      tf_stream_phase_get(a, BUF_SIZE);
    phase->state = RUNS;
    raise_phase(a, PHASE_START);
    tf_gather_begin(a);
    if (phase->unreceived == 0)
        return;
    tf_peer_receive_begin(a);
    tf_peer_transmit_begin(a);
}

/* Must the phase wait for reads of the last phase, or until the transmitter has received them? */
static bool must_flush(const struct acting *a)
{
    const struct tf_stream_phase *phase = a->phase;
    uint32_t config = tf_stream_phase_get(a, MISC_CFG);
    if ((config & FROM_STREAM) != 0 && phase->same_source)
        return false;
    return phase->credits != 0 || ((phase->reads | phase->lent) != 0 && (config & NO_FLUSH) == 0);
}

static enum tf_access enter(const struct acting *a)
{
    enum tf_access access = check_ends(a);
    if (access == TF_ACCESS_OK && must_flush(a))
        a->phase->state = FLUSHES;
    else if (access == TF_ACCESS_OK)
        begin(a);
    return access;
}

void tf_stream_phase_flushed(const struct acting *a)
{
    if (a->phase->state == FLUSHES && !must_flush(a))
        begin(a);
}

static enum tf_access end(const struct acting *a)
{
    raise_phase(a, PHASE_END);
    a->phase->state = IDLE;
    tf_peer_end(a);
    if ((tf_stream_phase_get(a, MISC_CFG) & AUTO_CONFIG) == 0) {
        blob_done(a);
        return TF_ACCESS_OK;
    }
    return load(a);
}

static enum tf_access fetch_and_transmit(const struct acting *a)
{
    bool done;
    enum tf_access access;
    do {
        access = fetch(a);
        done = false;
        if (access == TF_ACCESS_OK)
            access = transmit(a, &done);
    } while (access == TF_ACCESS_OK && done);
    return access;
}

/* Begin and end phases until one awaits messages, software, or L1 reads. */
static enum tf_access run(const struct acting *a)
{
    struct tf_stream_phase *phase = a->phase;
    for (unsigned phases = 0; phase->state == RUNS; phases++) {
        enum tf_access access = fetch_and_transmit(a);
        if (access != TF_ACCESS_OK || tf_stream_phase_remaining(a) != 0 || !tf_peer_ended(a))
            return access;
        if (phases == PHASES_MAX)
            return tf_stream_phase_undefined(a, "a stream's phases follow one another without end");
        access = end(a);
        if (access == TF_ACCESS_OK && phase->state == LOADED && (tf_stream_phase_get(a, MISC_CFG) & AUTO_ADVANCE) != 0)
            access = enter(a);
        if (access != TF_ACCESS_OK)
            return access;
    }
    return TF_ACCESS_OK;
}

enum tf_access tf_stream_phase_run(const struct acting *a)
{
    enum tf_access access = run(a);
    tf_peer_note(a);
    return access;
}

enum tf_access tf_stream_phase_go_on(const struct acting *a)
{
    enum tf_access access = tf_stream_phase_run(a);
    return access == TF_ACCESS_OK ? tf_gather_go_on(a) : access;
}

/* ---- Stores ---- */

static enum tf_access push_message(const struct acting *a, uint32_t value)
{
    struct tf_stream_phase *phase = a->phase;
    uint32_t at = tf_stream_phase_get(a, MSG_INFO_PTR);
    struct message message = {.address = value & WORDS_MASK, .lines = value >> 17, .from = a->number};
    if (phase->messages == capacity(a->tile, a->number) || at != tf_stream_phase_get(a, MSG_INFO_WR_PTR))
        return tf_stream_phase_undefined(a, "a message is pushed while STREAM_MSG_INFO_CAN_PUSH_NEW_MSG is 0");
    if (!tf_stream_phase_advance(a, WR_PTR, message.lines))
        return tf_stream_phase_undefined(a, "a message is longer than the receive buffer");
    memcpy(message.header, phase->header, sizeof message.header);
    tf_stream_keep(a->stream, MSG_INFO_PTR, (at + 1) & WORDS_MASK);
    tf_stream_keep(a->stream, MSG_INFO_WR_PTR, (at + 1) & WORDS_MASK);
    return append(a, &message);
}

static enum tf_access push_headers(const struct acting *a, uint32_t value)
{
    tf_stream_keep(a->stream, MSG_INFO_WR_PTR,
                   (tf_stream_phase_get(a, MSG_INFO_WR_PTR) + (value & 0xFFF)) & WORDS_MASK);
    return tf_stream_phase_advance(a, WR_PTR, value >> 12)
               ? TF_ACCESS_OK
               : tf_stream_phase_undefined(a, "messages are longer than the receive buffer");
}

static enum tf_access clear_messages(const struct acting *a, uint32_t count)
{
    if ((tf_stream_phase_get(a, MISC_CFG) & TO_SOFTWARE) == 0)
        return tf_stream_phase_undefined(a, "the stream does not transmit to software");
    if (count > 2 && count != group_size(a->tile, a->number))
        return tf_stream_phase_undefined(a, "STREAM_MSG_INFO_CLEAR takes 0, 1, 2 or the stream's group size");
    if (count > a->phase->messages || a->phase->reads == reads_capacity(a->tile, a->number))
        return tf_stream_phase_undefined(a, "the stream has fewer messages, or its L1 read complete FIFO is full");
    pop_messages(a, count);
    return TF_ACCESS_OK;
}

static enum tf_access clear_data(const struct acting *a)
{
    if (a->phase->reads == 0)
        return tf_stream_phase_undefined(a, "the stream's L1 read complete FIFO is empty");
    enum tf_access access = pop_read(a);
    tf_stream_phase_flushed(a);
    return access;
}

static enum tf_access store(const struct acting *a, unsigned index, uint32_t value)
{
    bool needs_phase = index == SOURCE_ENDPOINT_NEW_MSG_INFO || index == NUM_MSGS_RECEIVED_INC ||
                       index == MSG_INFO_CLEAR;
    if (needs_phase && a->phase->state != RUNS)
        return tf_stream_phase_undefined(a, "the stream is in no phase: MSG_FWD_ONGOING is 0");
    switch (index) {
    case SOURCE_ENDPOINT_NEW_MSG_INFO: return push_message(a, value);
    case NUM_MSGS_RECEIVED_INC: return push_headers(a, value);
    case MSG_INFO_CLEAR: return clear_messages(a, value);
    case MSG_DATA_CLEAR: return clear_data(a);
    case PHASE_ADVANCE: return a->phase->state == IDLE || a->phase->state == LOADED ? enter(a) : TF_ACCESS_OK;
    case DEST_PHASE_READY_UPDATE: return tf_peer_answered(a, value);
    case SRC_READY_UPDATE: return tf_peer_requested(a);
    default: return TF_ACCESS_OK; /* RELOAD_PHASE_BLOB and MULTI_MSG_CLEAR, which families with phases lack */
    }
}

bool tf_stream_phase_act(struct acting *a, struct tf_tile *tile, unsigned from, uint32_t address, unsigned number)
{
    struct tf_stream *stream = &tile->mmio.stream[number];
    if (stream->phase == NULL)
        stream->phase = calloc(1, sizeof *stream->phase);
    *a = (struct acting){tile, stream, stream->phase, number, from, address};
    if (stream->phase != NULL && tf_stream_keeps(stream))
        return true;
    tf_mmio_fault(tile, from, TF_FAULT_HOST, address, "the host has no memory for a stream's phases");
    return false;
}

enum tf_access tf_stream_phase_store(struct tf_tile *tile, unsigned from, uint32_t address, unsigned number,
                                     unsigned index, uint32_t value)
{
    struct acting a;
    if (index == BLOB_AUTO_CFG_DONE || index == BLOB_AUTO_CFG_DONE + 1) {
        if (number == 0)
            tile->mmio.blobs_done &= ~((uint64_t)value << 32 * (index - BLOB_AUTO_CFG_DONE));
        return TF_ACCESS_OK;
    }
    if (!tf_stream_phase_act(&a, tile, from, address, number))
        return TF_ACCESS_FAULT;
    if (index - SET_MSG_HEADER < HEADER_WORDS) {
        if (has_headers(tile, number))
            a.phase->header[index - SET_MSG_HEADER] = value;
        return TF_ACCESS_OK;
    }
    enum tf_access access = store(&a, index, value);
    return access == TF_ACCESS_OK ? tf_stream_phase_go_on(&a) : access;
}

enum tf_access tf_stream_phase_counted(struct tf_tile *tile, unsigned from, uint32_t address, unsigned number)
{
    struct acting a;
    return tf_stream_phase_act(&a, tile, from, address, number) ? tf_stream_phase_go_on(&a) : TF_ACCESS_FAULT;
}

void tf_stream_phase_placed(struct tf_stream *stream)
{
    if (stream->phase != NULL)
        stream->phase->beyond = 0;
}

enum tf_access tf_stream_phase_configured(struct tf_tile *tile, unsigned from, uint32_t address, unsigned number)
{
    struct acting a;
    if (!tf_stream_phase_act(&a, tile, from, address, number))
        return TF_ACCESS_FAULT;
    if (a.phase->state != IDLE || (tf_stream_phase_get(&a, MISC_CFG) & AUTO_CONFIG) == 0)
        return TF_ACCESS_OK;
    tile->mmio.blobs_done &= ~(1ull << number);
    enum tf_access access = load(&a);
    if (access == TF_ACCESS_OK && (tf_stream_phase_get(&a, MISC_CFG) & AUTO_ADVANCE) != 0)
        access = enter(&a);
    return access == TF_ACCESS_OK ? tf_stream_phase_go_on(&a) : access;
}

/* ---- Loads ---- */

/* Word i of the message metadata FIFO as software sees it. */
static uint32_t info(const struct tf_tile *tile, unsigned number, unsigned i)
{
    const struct tf_stream_phase *phase = tile->mmio.stream[number].phase;
    unsigned words = has_headers(tile, number) ? 2 + HEADER_WORDS : 2, word = i % words;
    if (phase == NULL || i / words >= phase->messages)
        return 0;
    const struct message *message = &phase->message[i / words];
    return word == 0 ? message->address : word == 1 ? message->lines : message->header[word - 2];
}

static uint32_t of_group(const struct tf_tile *tile, unsigned number, unsigned index)
{
    uint32_t mask = UINT32_MAX, bits = 0;
    if (!has_headers(tile, number))
        return 0;
    for (unsigned i = 0; i < 4; i++) {
        mask &= info(tile, number, i * 6 + 4);
        bits |= (info(tile, number, i * 6 + 3) >> 20 & 1) << i;
    }
    return index == ZERO_MASK_AND ? mask : bits;
}

/* Takes a finished stream out of the set. Streams take turns. */
static uint32_t next_done(struct tf_mmio *mmio)
{
    uint32_t at = mmio->next_blob;
    if (mmio->blobs_done == 0)
        return 0;
    while ((mmio->blobs_done >> at & 1) == 0)
        at = (at + 1) % TF_STREAMS;
    mmio->blobs_done &= ~(1ull << at);
    mmio->next_blob = (at + 1) % TF_STREAMS;
    return 0x10000 | at;
}

/* A register that all streams share. Stream 0 has it. */
static bool load_shared(struct tf_tile *tile, unsigned number, unsigned index, uint32_t *value, bool *pure)
{
    struct tf_mmio *mmio = &tile->mmio;
    *pure = number != 0 || index != BLOB_NEXT_AUTO_CFG_DONE || mmio->blobs_done == 0;
    *value = number != 0                        ? 0
             : index == BLOB_NEXT_AUTO_CFG_DONE ? next_done(mmio)
                                                : (uint32_t)(mmio->blobs_done >> 32 * (index - BLOB_AUTO_CFG_DONE));
    return true;
}

static uint32_t status(const struct tf_stream_phase *phase)
{
    uint32_t state = phase != NULL ? phase->state : IDLE;
    return state << 3 | (state == RUNS ? 4 : state == FLUSHES ? 2 : state == LOADS ? 0 : 1);
}

static bool is_full(const struct tf_stream *stream)
{
    const struct tf_stream_phase *phase = stream->phase;
    return phase != NULL && phase->messages + phase->reads + phase->arrived + phase->lent != 0 &&
           tf_stream_kept(stream, RD_PTR) == tf_stream_kept(stream, WR_PTR);
}

bool tf_stream_phase_load(struct tf_tile *tile, unsigned number, unsigned index, uint32_t *value, bool *pure)
{
    const struct tf_stream *stream = &tile->mmio.stream[number];
    const struct tf_stream_phase *phase = stream->phase;
    uint32_t messages = phase != NULL ? phase->messages : 0;
    switch (index) {
    case WAIT_STATUS: *value = status(phase); return true;
    case NUM_MSGS_RECEIVED: *value = messages; return true;
    case BUF_SPACE_AVAILABLE: *value = 0; return is_full(stream);
    case NEXT_RECEIVED_MSG_ADDR: *value = info(tile, number, 0); return messages != 0;
    case NEXT_SIZE: *value = info(tile, number, 1); return true;
    case ZERO_MASK_AND:
    case COMPRESS: *value = of_group(tile, number, index); return true;
    case MSG_INFO_CAN_PUSH_NEW_MSG: *value = 0; return messages == capacity(tile, number);
    case BLOB_AUTO_CFG_DONE:
    case BLOB_AUTO_CFG_DONE + 1:
    case BLOB_NEXT_AUTO_CFG_DONE: return load_shared(tile, number, index, value, pure);
    case MSG_INFO ... MSG_INFO + MSG_INFO_WORDS - 1: *value = info(tile, number, index - MSG_INFO); return true;
    default: return false;
    }
}

bool tf_stream_phase_reads_full(const struct tf_tile *tile, unsigned number)
{
    const struct tf_stream_phase *phase = tile->mmio.stream[number].phase;
    return phase != NULL && phase->reads == reads_capacity(tile, number);
}

/* ---- State ---- */

void tf_stream_phase_hash(const struct tf_stream *stream, unsigned number, struct tf_hash *hash)
{
    static const struct tf_stream_phase none;
    if (stream->phase == NULL || memcmp(stream->phase, &none, sizeof none) == 0)
        return;
    tf_hash_u32(hash, number);
    tf_hash_bytes(hash, stream->phase, sizeof *stream->phase);
}

/* Are the numbers valid that index arrays or count their entries? The file may be damaged. */
static bool fits(const struct tf_stream_phase *phase)
{
    const bool *const flags[] = {&phase->same_source, &phase->listens,          &phase->awaits_source, &phase->answers,
                                 &phase->asked,       &phase->same_destination, &phase->ready,         &phase->asks};
    uint32_t reads = 0;
    bool fits = phase->state <= RUNS && phase->messages <= ENTRIES && phase->parts <= READS * READ_PARTS &&
                phase->group < TF_STREAMS;
    for (unsigned i = 0; fits && i < phase->parts; i++)
        reads += phase->read[i].last;
    fits = fits && reads == phase->reads && (phase->parts == 0 || phase->read[phase->parts - 1].last == 1);
    for (unsigned i = 0; i < sizeof flags / sizeof flags[0]; i++)
        fits = fits && tf_saved_is_flag(flags[i]);
    for (unsigned i = 0; i < ENTRIES; i++)
        fits = fits && phase->message[i].from < TF_STREAMS;
    for (unsigned i = 0; i < READS * READ_PARTS; i++)
        fits = fits && phase->read[i].from < TF_STREAMS && phase->read[i].last <= 1;
    return fits;
}

void tf_stream_phase_state(struct tf_saved *saved, struct tf_stream *stream)
{
    bool phase = tf_saved_count(saved, stream->phase != NULL, 1);
    if (phase && stream->phase == NULL)
        stream->phase = calloc(1, sizeof *stream->phase);
    if (phase && stream->phase == NULL)
        tf_saved_fail(saved, tf_saved_no_memory);
    else if (phase)
        tf_saved_bytes(saved, stream->phase, sizeof *stream->phase);
    if (phase && stream->phase != NULL)
        tf_saved_demand(saved, fits(stream->phase), "it is damaged: a phase of a stream is invalid");
}
