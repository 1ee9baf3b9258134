/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of streams that hold data: one core stores to a register, and another one loads it. A store and a load of
 * one register that nothing orders are a race, as in memory. A load in a loop that waits for the value is none, nor is
 * an access to a counter of pages (buffers.c). Streams are a region of their own (MemoryOrdering.md): their stores may
 * arrive after a flag in L1.
 */
#include <stdlib.h>

#include "races/state/spin.h"
#include "races/streams.h"
#include "races/state/state.h"
#include "races/syncs.h"
#include "tile/run/tile.h"

#define STREAM_WORDS (TF_STREAM_BYTES / 4)

/* The accesses of cores to the registers of a stream; 0: none. */
struct stream_words {
    tf_trace write[STREAM_WORDS], read[STREAM_WORDS];
    uint64_t polled[STREAM_WORDS / 64]; /* registers that a core waits for, as bits */
};

static unsigned word_of(uint32_t address)
{
    return address % TF_STREAM_BYTES / 4;
}

static struct stream_words **words_at(struct site *site, uint32_t address)
{
    return &site->stream[(address - TF_STREAM_BASE) / TF_STREAM_BYTES];
}

/* Returns NULL for a counter of pages, or if the host has no memory. */
static struct stream_words *words_of(struct site *site, uint32_t address)
{
    struct stream_words **words = words_at(site, address);
    unsigned number;
    if (counts_pages(site, address, &number))
        return NULL;
    if (*words == NULL)
        *words = calloc(1, sizeof **words);
    site->lost |= *words == NULL;
    return *words;
}

static bool is_polled(const struct stream_words *words, unsigned word)
{
    return (words->polled[word / 64] >> word % 64 & 1) != 0;
}

static struct who accessor_of(const struct site *site, unsigned core, uint32_t pc, bool write)
{
    return (struct who){
        .view = &site->core[core].view,
        .own = {(int)(SLOT_CORE + core), (int)(SLOT_STORES + core)},
        .trace = tf_trace_make((write ? SLOT_STORES : SLOT_CORE) + core, TF_WORD_BYTES, pc, core_time(site, core)),
        .write = write,
    };
}

/* Report an earlier access of another core that this one does not know. slot: that of its actor. */
static void meet(struct site *site, const struct who *who, uint32_t address, tf_trace before, unsigned slot)
{
    if (before != 0 && tf_trace_slot(before) % SLOT_STORES != (unsigned)who->own[0] &&
        !tf_view_knows(who->view, TF_ACTOR(site->number, slot), tf_trace_time(before)))
        found(site, TF_RACE_DATA, address, before, who);
}

void stream_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address)
{
    struct stream_words *words = words_of(site, address);
    const unsigned word = word_of(address);
    const struct who who = accessor_of(site, core, pc, true);
    site->core[core].streamed = core_time(site, core);
    if (words == NULL)
        return;
    if (!is_polled(words, word))
        meet(site, &who, address, words->read[word], tf_trace_slot(words->read[word]));
    words->write[word] = who.trace;
    words->read[word] = 0;
}

void stream_loaded(struct site *site, unsigned core, uint32_t pc, uint32_t address)
{
    struct stream_words *words = words_of(site, address);
    struct race_core *of = &site->core[core];
    const unsigned word = word_of(address);
    const struct who who = accessor_of(site, core, pc, false);
    if (of->streamed != 0)
        tf_view_learn(&of->view, TF_ACTOR(site->number, SLOT_STREAMS + core), of->emitted);
    if (of->streamed <= of->emitted)
        of->streamed = 0;
    if (words == NULL)
        return;
    if (!is_polled(words, word) && spins(site->tile, pc))
        words->polled[word / 64] |= 1ull << word % 64;
    if (!is_polled(words, word))
        meet(site, &who, address, words->write[word], SLOT_STREAMS + tf_trace_slot(words->write[word]) % SLOT_STORES);
    words->read[word] = who.trace;
}

void stream_forget(struct site *site, uint32_t address)
{
    struct stream_words *words = *words_at(site, address);
    if (words != NULL)
        words->write[word_of(address)] = words->read[word_of(address)] = 0;
}

void streams_free(struct site *site)
{
    for (unsigned i = 0; i < BUFFERS; i++) {
        free(site->stream[i]);
        site->stream[i] = NULL;
    }
}
