/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources, in WormholeB0/NoC/Overlay: README.md (the state machine, what each stream can do), ReceiveFromSoftware.md,
 * TransmitToSoftware.md, TransmitToNowhere.md, LoadConfigurationFromL1.md. During an access, a stream does all that it
 * can do.
 */
#include "tile/mmio/streams/phase.h"

#include <stdlib.h>
#include <string.h>

#include "host/saved.h"
#include "tile/mmio/streams/gather.h"
#include "tile/mmio/streams/handshake.h"
#include "tile/mmio/streams/phase_run.h"

#define MSG_INFO_WORDS 96u /* 16 entries */

/* ---- Stores ---- */

static enum tf_access push_message(const struct acting *a, uint32_t value)
{
    struct tf_stream_phase *phase = a->phase;
    uint32_t at = tf_stream_phase_get(a, MSG_INFO_PTR);
    struct message message = {.address = value & WORDS_MASK, .lines = value >> 17, .from = a->number};
    if (phase->messages == tf_stream_messages(a->tile, a->number) || at != tf_stream_phase_get(a, MSG_INFO_WR_PTR))
        return tf_stream_phase_undefined(a, "a message is pushed while STREAM_MSG_INFO_CAN_PUSH_NEW_MSG is 0");
    if (!tf_stream_phase_advance(a, WR_PTR, message.lines))
        return tf_stream_phase_undefined(a, "a message is longer than the receive buffer");
    memcpy(message.header, phase->header, sizeof message.header);
    tf_stream_keep(a->stream, MSG_INFO_PTR, (at + 1) & WORDS_MASK);
    tf_stream_keep(a->stream, MSG_INFO_WR_PTR, (at + 1) & WORDS_MASK);
    return tf_stream_phase_append(a, &message);
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
    if (count > 2 && count != tf_stream_group(a->tile, a->number))
        return tf_stream_phase_undefined(a, "STREAM_MSG_INFO_CLEAR takes 0, 1, 2 or the stream's group size");
    if (count > a->phase->messages || a->phase->reads == tf_stream_reads(a->tile, a->number))
        return tf_stream_phase_undefined(a, "the stream has fewer messages, or its L1 read complete FIFO is full");
    tf_stream_phase_pop(a, count);
    return TF_ACCESS_OK;
}

static enum tf_access clear_data(const struct acting *a)
{
    if (a->phase->reads == 0)
        return tf_stream_phase_undefined(a, "the stream's L1 read complete FIFO is empty");
    enum tf_access access = tf_stream_phase_pop_read(a);
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
    case PHASE_ADVANCE:
        return a->phase->state == IDLE || a->phase->state == LOADED ? tf_stream_phase_enter(a) : TF_ACCESS_OK;
    case DEST_PHASE_READY_UPDATE: return tf_handshake_answered(a, value);
    case SRC_READY_UPDATE: return tf_handshake_requested(a);
    default: return TF_ACCESS_OK; /* RELOAD_PHASE_BLOB and MULTI_MSG_CLEAR, which families with phases lack */
    }
}

enum tf_access tf_stream_phase_store(struct acting a, unsigned index, uint32_t value)
{
    if (index == BLOB_AUTO_CFG_DONE || index == BLOB_AUTO_CFG_DONE + 1) {
        if (a.number == 0)
            a.tile->mmio.blobs_done &= ~((uint64_t)value << 32 * (index - BLOB_AUTO_CFG_DONE));
        return TF_ACCESS_OK;
    }
    if (!tf_stream_phase_act(&a))
        return TF_ACCESS_FAULT;
    if (index - SET_MSG_HEADER < HEADER_WORDS) {
        if (tf_stream_has_headers(a.tile, a.number))
            a.phase->header[index - SET_MSG_HEADER] = value;
        return TF_ACCESS_OK;
    }
    enum tf_access access = store(&a, index, value);
    return access == TF_ACCESS_OK ? tf_gather_run(&a) : access;
}

enum tf_access tf_stream_phase_counted(struct acting a)
{
    return tf_stream_phase_act(&a) ? tf_gather_run(&a) : TF_ACCESS_FAULT;
}

void tf_stream_phase_placed(struct tf_stream *stream)
{
    if (stream->phase != NULL)
        stream->phase->beyond = 0;
}

enum tf_access tf_stream_phase_configured(struct acting a)
{
    if (!tf_stream_phase_act(&a))
        return TF_ACCESS_FAULT;
    if (a.phase->state != IDLE || (tf_stream_phase_get(&a, MISC_CFG) & AUTO_CONFIG) == 0)
        return TF_ACCESS_OK;
    a.tile->mmio.blobs_done &= ~(1ull << a.number);
    enum tf_access access = tf_stream_phase_load_configuration(&a);
    if (access == TF_ACCESS_OK && (tf_stream_phase_get(&a, MISC_CFG) & AUTO_ADVANCE) != 0)
        access = tf_stream_phase_enter(&a);
    return access == TF_ACCESS_OK ? tf_gather_run(&a) : access;
}

/* ---- Loads ---- */

/* Word i of the message metadata FIFO as software sees it. */
static uint32_t info(const struct tf_tile *tile, unsigned number, unsigned i)
{
    const struct tf_stream_phase *phase = tile->mmio.stream[number].phase;
    unsigned words = tf_stream_has_headers(tile, number) ? 2 + HEADER_WORDS : 2, word = i % words;
    if (phase == NULL || i / words >= phase->messages)
        return 0;
    const struct message *message = &phase->message[i / words];
    return word == 0 ? message->address : word == 1 ? message->lines : message->header[word - 2];
}

static uint32_t of_group(const struct tf_tile *tile, unsigned number, unsigned index)
{
    uint32_t mask = UINT32_MAX, bits = 0;
    if (!tf_stream_has_headers(tile, number))
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
    case MSG_INFO_CAN_PUSH_NEW_MSG: *value = 0; return messages == tf_stream_messages(tile, number);
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
    return phase != NULL && phase->reads == tf_stream_reads(tile, number);
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
