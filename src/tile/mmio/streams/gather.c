/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream that gathers messages from others of its tile. Source: WormholeB0/NoC/Overlay/Gather.md. The place of
 * MSG_SRC_IN_ORDER_FWD follows noc_overlay_parameters.h: the page's bit 12 is beyond the register's four bits
 * (AsGeneralUse.md).
 */
#include "tile/mmio/streams/gather.h"
#include "tile/mmio/streams/phase_run.h"

#define IN_ORDER 8u
#define EACH_STREAM (1u << 16) /* MSG_GROUP_STREAM_CLEAR_TYPE */
#define MASK_BITS 24u          /* bits of each word of LOCAL_SRC_MASK */

static uint64_t sources(const struct acting *a)
{
    return (uint64_t)tf_stream_phase_get(a, LOCAL_SRC_MASK) |
           (uint64_t)tf_stream_phase_get(a, LOCAL_SRC_MASK + 1) << MASK_BITS |
           (uint64_t)tf_stream_phase_get(a, LOCAL_SRC_MASK + 2) << 2 * MASK_BITS;
}

static unsigned group_size(const struct acting *a)
{
    return tf_stream_phase_get(a, GATHER) & 7;
}

/* Find another stream of the tile, on behalf of the same access. Returns false if it has no phase. */
static bool beside(const struct acting *a, unsigned number, struct acting *other)
{
    if (number >= a->tile->arch->streams || a->tile->mmio.stream[number].phase == NULL)
        return false;
    *other = tf_stream_phase_other(a, number);
    return tf_stream_phase_act(other);
}

/* Is the stream in a phase whose messages this one gathers? */
static bool offers(const struct acting *source, unsigned gatherer)
{
    return source->phase->state == RUNS && (tf_stream_phase_get(source, MISC_CFG) & TO_GATHER) != 0 &&
           (tf_stream_phase_get(source, REMOTE_DEST) >> 12 & 0x3F) == gatherer;
}

/* Count the messages that have been received: those in the FIFO, and those whose headers wait in L1. */
static uint32_t received(const struct acting *source)
{
    return source->phase->messages +
           ((tf_stream_phase_get(source, MSG_INFO_WR_PTR) - tf_stream_phase_get(source, MSG_INFO_PTR)) & WORDS_MASK);
}

static bool is_ready(const struct acting *a, unsigned group)
{
    struct acting source;
    for (unsigned i = group; i < group + group_size(a); i++)
        if (!beside(a, i, &source) || !offers(&source, a->number) ||
            received(&source) < (tf_stream_phase_get(&source, REMOTE_DEST) & 0xFFF))
            return false;
    return true;
}

static bool all_have_begun(const struct acting *a)
{
    struct acting source;
    for (uint64_t mask = sources(a); mask != 0; mask &= mask - 1)
        if (!beside(a, (unsigned)__builtin_ctzll(mask), &source) || !offers(&source, a->number))
            return false;
    return true;
}

/* The next group in order, or the next group that is ready. Returns false if there is none. */
static bool select_group(const struct acting *a)
{
    struct tf_stream_phase *phase = a->phase;
    uint64_t mask = sources(a);
    unsigned size = group_size(a), groups = TF_STREAMS / size;
    for (unsigned i = 0; i < groups; i++) {
        unsigned group = (phase->group + i * size) % TF_STREAMS;
        if ((mask >> group & 1) == 0)
            continue;
        if (is_ready(a, group)) {
            phase->selected = true;
            phase->group = group;
            phase->step = 0;
            return true;
        }
        if ((tf_stream_phase_get(a, GATHER) & IN_ORDER) != 0)
            return false;
    }
    return false;
}

/* The stream that the next message comes from. */
static unsigned source_of_step(const struct acting *a)
{
    uint32_t clear = tf_stream_phase_get(a, GATHER_CLEAR), each = clear & 0xFFFF, step = a->phase->step;
    return a->phase->group + ((clear & EACH_STREAM) != 0 ? step / each : step % group_size(a));
}

/* Moves one message. *source: the stream that it comes from. Returns false if none can be moved now. */
static bool take(const struct acting *a, struct acting *source)
{
    struct tf_stream_phase *phase = a->phase;
    if (phase->messages == GATHER_MESSAGES || phase->unreceived == 0 || (!phase->selected && !select_group(a)))
        return false;
    if (!beside(a, source_of_step(a), source) || !offers(source, a->number) || source->phase->messages == 0)
        return false;
    phase->message[phase->messages++] = source->phase->message[0];
    phase->unreceived--;
    source->phase->lent += source->phase->message[0].lines;
    tf_stream_phase_take_message(source);
    if (++phase->step == group_size(a) * (tf_stream_phase_get(a, GATHER_CLEAR) & 0xFFFF)) {
        phase->selected = false;
        phase->group = (phase->group + group_size(a)) % TF_STREAMS;
    }
    return true;
}

static enum tf_access gather(const struct acting *a)
{
    unsigned size = group_size(a);
    if (a->phase->state != RUNS || (tf_stream_phase_get(a, MISC_CFG) & FROM_GATHER) == 0)
        return TF_ACCESS_OK;
    if (size != 1 && size != 2 && size != 4)
        return tf_stream_phase_undefined(a, "a gather's group has 1, 2 or 4 streams");
    if ((tf_stream_phase_get(a, GATHER_CLEAR) & 0xFFFF) == 0)
        return tf_stream_phase_undefined(
            a, "MSG_LOCAL_STREAM_CLEAR_NUM is 0: a gather would take no message from a stream");
    a->phase->gathers = a->phase->gathers || all_have_begun(a);
    enum tf_access access = TF_ACCESS_OK;
    struct acting source;
    while (access == TF_ACCESS_OK && a->phase->gathers && a->phase->state == RUNS && take(a, &source)) {
        access = tf_stream_phase_run(&source);
        if (access == TF_ACCESS_OK)
            access = tf_stream_phase_run(a);
    }
    return access;
}

/* A stream that gathers, or one that it gathers from, may go on. */
static enum tf_access go_on(const struct acting *a)
{
    uint32_t config = tf_stream_phase_get(a, MISC_CFG);
    struct acting gatherer;
    if ((config & TO_GATHER) != 0 && beside(a, tf_stream_phase_get(a, REMOTE_DEST) >> 12 & 0x3F, &gatherer))
        return gather(&gatherer);
    return (config & FROM_GATHER) != 0 ? gather(a) : TF_ACCESS_OK;
}

enum tf_access tf_gather_run(const struct acting *a)
{
    enum tf_access access = tf_stream_phase_run(a);
    return access == TF_ACCESS_OK ? go_on(a) : access;
}
