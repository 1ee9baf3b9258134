/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Circular buffers whose pages the registers of a stream count. Four rules: a core pops no more pages than were
 * pushed; a core that clears the counters clears the one of pages taken out first; of two requests that write one
 * counter, something orders the two; and a core that changes a counter knows of another core's last change. Firmware
 * clears both between programs, in either order. That is harmless if no other core reads them meanwhile: the readers
 * before are known to have ended, and the readers after know of it.
 */
#include "races/ahead.h"
#include "races/buffers.h"
#include "races/state/state.h"
#include "races/state/words.h"
#include "races/syncs.h"
#include "tilefarm_address.h"
#include "tile/overlay.h"
#include "tile/run/tile.h"

static const struct tf_stream *stream_at(const struct site *site, uint32_t address, unsigned *number)
{
    if (!counts_pages(site, address, number))
        return NULL;
    return &site->tile->mmio.stream[(address - TF_STREAM_BASE) / TF_STREAM_BYTES];
}

/* The address of the counter of pages taken out, in the stream of an address. */
static uint32_t taken_at(const struct site *site, uint32_t address)
{
    const uint32_t first = address & ~(TF_STREAM_BYTES - 1);
    unsigned number;
    for (uint32_t at = first; at < first + TF_STREAM_BYTES; at += 4)
        if (stream_at(site, at, &number) != NULL && number == TF_OVERLAY_PAGES_TAKEN)
            return at;
    return 0;
}

static struct who clearing(const struct site *site, unsigned core, tf_trace trace)
{
    return (struct who){
        .view = &site->core[core].view,
        .own = {(int)(SLOT_CORE + core), (int)(SLOT_STORES + core)},
        .trace = trace,
        .write = true,
    };
}

/* Have all other cores ended their reads of the counters, as far as this core knows? */
static bool readers_known(const struct site *site, const struct buffer_clock *buffer, unsigned core)
{
    for (unsigned other = 0; other < TF_TILE_CORES; other++)
        if (other != core && buffer->read[other] != 0 &&
            !tf_view_knows(&site->core[core].view, TF_ACTOR(site->number, SLOT_CORE + other), buffer->read[other]))
            return false;
    return true;
}

static struct buffer_clock *buffer_at(struct site *site, uint32_t address)
{
    return &site->buffer[(address - TF_STREAM_BASE) / TF_STREAM_BYTES];
}

void buffer_sent(struct site *site, const struct who *who, uint32_t address, unsigned number)
{
    tf_trace *last = &buffer_at(site, address)->sent[number == TF_OVERLAY_PAGES_PUT];
    if (*last != 0 && !is_ordered(site, who, *last))
        found(site, TF_RACE_DATA, address, *last, who);
    *last = who->trace;
    buffer_at(site, address)->counted[number == TF_OVERLAY_PAGES_PUT] = 0;
}

/* A core changes a counter, or clears it. Has it learned of another core's last store only by loading the counter? Then
   the two may load it at the same time, and one change is lost. */
static void count(struct site *site, unsigned core, uint32_t pc, uint32_t address, unsigned number, bool clears)
{
    const unsigned put = number == TF_OVERLAY_PAGES_PUT;
    struct buffer_clock *buffer = buffer_at(site, address);
    struct who who = clearing(site, core, tf_trace_make(SLOT_STORES + core, TF_WORD_BYTES, pc, core_time(site, core)));
    who.fix = lost_update;
    if ((buffer->blind[put] >> core & 1) != 0 && !clears)
        found(site, TF_RACE_DATA, address, buffer->counted[put], &who);
    buffer->counted[put] = who.trace;
    buffer->blind[put] = 0;
}

void buffer_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t value)
{
    unsigned number;
    const struct tf_stream *stream = stream_at(site, address, &number);
    if (stream == NULL)
        return;
    count(site, core, pc, address, number, value == 0);
    buffer_at(site, address)->sent[number == TF_OVERLAY_PAGES_PUT] = 0;
    uint32_t received = number == TF_OVERLAY_PAGES_PUT ? value : stream->dest_buf_size;
    uint32_t acked = number == TF_OVERLAY_PAGES_TAKEN ? value : stream->dest_buf_start;
    if (((received - acked) & 0xFFFF) <= 0x8000)
        return;
    struct buffer_clock *buffer = buffer_at(site, address);
    const struct who who = clearing(site, core,
                                    tf_trace_make(SLOT_STORES + core, TF_WORD_BYTES, pc, core_time(site, core)));
    if (number == TF_OVERLAY_PAGES_PUT && value == 0 && readers_known(site, buffer, core) &&
        clears_next(site, core, pc, taken_at(site, address)))
        buffer->cleared = who.trace;
    else
        found(site, TF_RACE_COUNTER, address, 0, &who);
}

void buffer_loaded(struct site *site, unsigned core, uint32_t address)
{
    unsigned number;
    if (stream_at(site, address, &number) == NULL)
        return;
    struct buffer_clock *buffer = buffer_at(site, address);
    const tf_trace counted = buffer->counted[number == TF_OVERLAY_PAGES_PUT];
    buffer->read[core] = core_time(site, core);
    if (counted != 0 && tf_trace_slot(counted) != SLOT_STORES + core &&
        !tf_view_knows(&site->core[core].view, TF_ACTOR(site->number, SLOT_CORE + tf_trace_slot(counted) - SLOT_STORES),
                       tf_trace_time(counted)))
        buffer->blind[number == TF_OVERLAY_PAGES_PUT] |= (uint8_t)(1u << core);
    if (buffer->cleared == 0)
        return;
    const unsigned by = tf_trace_slot(buffer->cleared) - SLOT_STORES;
    if (by == core ||
        tf_view_knows(&site->core[core].view, TF_ACTOR(site->number, SLOT_CORE + by), tf_trace_time(buffer->cleared)))
        return;
    const struct who who = clearing(site, by, buffer->cleared);
    found(site, TF_RACE_COUNTER, address, 0, &who);
    buffer->cleared = 0;
}
