/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sources, in WormholeB0/NoC/Overlay: README.md (the state machine, what each stream can do), ReceiveFromSoftware.md,
 * TransmitToSoftware.md, TransmitToNowhere.md, LoadConfigurationFromL1.md. During an access, a stream does all that it
 * can do.
 */
#include "tile/mmio/streams/phase_run.h"

#include <string.h>

#include "tile/mmio/streams/handshake.h"
#include "tile/mmio/polled_pic.h"
#include "tile/word.h"
#include "tilefarm_address.h"

#define PHASES_MAX 0x1000u /* if one store begins so many phases, they are taken for an endless circle */
#define IRQ_BLOB_DONE 16u  /* PIC.md */
enum { PHASE_START = 1, PHASE_END = 2 };

static void raise_phase(const struct acting *a, uint32_t event)
{
    unsigned n = a->number;
    if (n < 4 || (n >= 8 && n < 12))
        tf_polled_pic_phase(a->tile, n < 4 ? n : n - 4, event);
}

/* ---- What happens in a phase ---- */

enum tf_access tf_stream_phase_append(const struct acting *a, const struct message *message)
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
    while (access == TF_ACCESS_OK && phase->messages < tf_stream_messages(a->tile, a->number)) {
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
        access = tf_stream_phase_append(a, &message);
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

void tf_stream_phase_pop(const struct acting *a, uint32_t count)
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

enum tf_access tf_stream_phase_pop_read(const struct acting *a)
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
    if (from != a->number) {
        owner = tf_stream_phase_other(a, from);
        if (!tf_stream_phase_act(&owner))
            return TF_ACCESS_FAULT;
    }
    tf_stream_phase_advance(&owner, RD_PTR, lines);
    tf_handshake_free(&owner, lines);
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
                                : phase->messages != 0 && phase->reads != tf_stream_reads(a->tile, a->number));
    if (!*done)
        return access;
    if ((counter & 1) != 0)
        access = tf_stream_phase_pop_read(a);
    else
        tf_stream_phase_pop(a, 1);
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
    tf_stream_phase_pop(a, 1);
    while (a->phase->reads != 0 && access == TF_ACCESS_OK)
        access = tf_stream_phase_pop_read(a);
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
    const char *why = tf_stream_phase_remaining(a) != 0 ? tf_handshake_why_not(a) : NULL;
    return why == NULL ? TF_ACCESS_OK : tf_stream_phase_undefined(a, why);
}

enum tf_access tf_stream_phase_load_configuration(const struct acting *a)
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
        if (a->store(a->tile, a->from, registers + 4 * index, i == 0 ? word : word & 0xFFFFFF) != TF_ACCESS_OK)
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
    a->phase->gathers = a->phase->selected = false;
    a->phase->group = a->phase->step = 0;
    if (phase->unreceived == 0)
        return;
    tf_handshake_receive(a);
    tf_handshake_transmit(a);
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

enum tf_access tf_stream_phase_enter(const struct acting *a)
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
    tf_handshake_end(a);
    if ((tf_stream_phase_get(a, MISC_CFG) & AUTO_CONFIG) == 0) {
        blob_done(a);
        return TF_ACCESS_OK;
    }
    return tf_stream_phase_load_configuration(a);
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
        if (access != TF_ACCESS_OK || tf_stream_phase_remaining(a) != 0 || !tf_handshake_ended(a))
            return access;
        if (phases == PHASES_MAX)
            return tf_stream_phase_undefined(a, "a stream's phases follow one another without end");
        access = end(a);
        if (access == TF_ACCESS_OK && phase->state == LOADED && (tf_stream_phase_get(a, MISC_CFG) & AUTO_ADVANCE) != 0)
            access = tf_stream_phase_enter(a);
        if (access != TF_ACCESS_OK)
            return access;
    }
    return TF_ACCESS_OK;
}

enum tf_access tf_stream_phase_run(const struct acting *a)
{
    enum tf_access access = run(a);
    tf_handshake_note(a);
    return access;
}
