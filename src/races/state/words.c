/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to memory, word by word. */
#include <string.h>

#include "host/extremes.h"
#include "races/state/records.h"
#include "races/state/spin.h"
#include "races/state/words.h"
#include "races/state/state.h"
#include "races/state/written.h"

bool who_knows(const struct who *who, uint32_t actor, uint32_t time)
{
    return who->view != NULL ? tf_view_knows(who->view, actor, time) : tf_release_knows(who->release, actor, time);
}

bool is_ordered(const struct site *site, const struct who *who, tf_trace trace)
{
    unsigned slot = tf_trace_slot(trace);
    uint32_t actor = TF_ACTOR(site->number, slot), time = tf_trace_time(trace);
    if (slot == TF_SLOT_REQUEST) {
        const struct record *record = record_of(site, trace);
        if (record == NULL ||
            (who->record != NULL && who->record->actor == record->actor && who->record->time == record->time))
            return true;
        actor = record->actor;
        time = record->time;
        /* Results that no core waits for may land on one word in any order. */
        if (who->record != NULL && who->record->actor == actor && who->record->sort == CLASS_ATOMIC)
            return true;
        return who_knows(who, actor, time) ||
               (record->on_path.time != 0 && who_knows(who, record->on_path.actor, record->on_path.time));
    }
    if (slot == TF_SLOT_HOST)
        actor = ACTOR_OF_HOST;
    return (int)slot == who->own[0] || (int)slot == who->own[1] || who_knows(who, actor, time);
}

/* Does the trace belong to a load that waits for the word? */
static bool is_poll(const struct site *site, tf_trace trace, uint64_t address)
{
    return tf_trace_slot(trace) < SLOT_STORES && site->tile != NULL &&
           polls_word(site->tile, tf_trace_pc(trace), (uint32_t)address);
}

/* Adjacent words mostly have equal traces, so the last answer is kept. */
struct known {
    tf_trace trace;
    bool ordered;
};

static bool ordered(const struct site *site, const struct who *who, tf_trace trace, struct known *known)
{
    trace = tf_trace_of_bytes(trace, 0);
    if (trace == 0)
        return true;
    if (known->trace != trace)
        *known = (struct known){.trace = trace, .ordered = is_ordered(site, who, trace)};
    return known->ordered;
}

/* Is there nothing to report? */
static bool touches_ordered(const struct site *site, const struct who *who, const struct tf_cell *cell,
                            struct known *known)
{
    return ordered(site, who, cell->write, &known[0]) &&
           (!who->write ||
            (ordered(site, who, cell->read[0], &known[1]) && ordered(site, who, cell->read[1], &known[2])));
}

/*
 * May a write of a word that synchronizes come before the last write, which is no atomic? It may not if an actor has
 * read that last write.
 */
static bool overtakes(const struct site *site, const struct who *who, const struct tf_cell *cell)
{
    for (unsigned i = 0; i < 2; i++)
        if (cell->read[i] != 0 && is_ordered(site, who, cell->read[i]))
            return false;
    return cell->write != 0 && !is_ordered(site, who, cell->write);
}

void note_read(const struct site *site, const struct who *who, struct tf_cell *cell, bool synchronizes, unsigned bytes)
{
    tf_trace own = tf_trace_of_bytes(who->trace, bytes);
    if (synchronizes && cell->read[0] != 0)
        return;
    bool first = cell->read[0] == 0 || tf_trace_slot(cell->read[0]) == tf_trace_slot(own) ||
                 is_ordered(site, who, tf_trace_of_bytes(cell->read[0], 0));
    cell->read[!first] = own;
}

static void touch_word(struct site *site, const struct who *who, struct tf_cell *cell, uint8_t *mark, uint64_t address,
                       unsigned bytes, struct known *known)
{
    tf_trace own = tf_trace_of_bytes(who->trace, bytes);
    /* A NOC read that polls a word may come before or after the word's writes, without a race. So may a write after an
       atomic. */
    bool meets = *mark && (who->write ? (*mark & MARK_ATOMIC) != 0 || !overtakes(site, who, cell)
                                      : tf_trace_slot(cell->write) != TF_SLOT_REQUEST);
    if ((tf_trace_bytes(cell->write) & bytes) != 0 && !meets && !ordered(site, who, cell->write, &known[0]))
        found(site, TF_RACE_DATA, address, cell->write, who);
    if (!who->write) {
        note_read(site, who, cell, *mark, bytes);
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        tf_trace read = cell->read[i];
        if ((tf_trace_bytes(read) & bytes) == 0 || *mark || ordered(site, who, read, &known[1 + i]))
            continue;
        const bool loaded = tf_trace_slot(read) < SLOT_STORES;
        if (is_poll(site, read, address) || (loaded && signals_loop(site, who->record, tf_trace_pc(read))))
            *mark = MARK_SYNC;
        else
            found(site, TF_RACE_DATA, address, read, who);
    }
    *mark &= MARK_SYNC;
    cell->write = own;
    cell->read[0] = cell->read[1] = 0;
}

/* Words of one block. */
static void touch_words(struct site *site, const struct who *who, uint64_t address, uint64_t end, struct known *known)
{
    struct tf_shadow_words *words = tf_shadow_words(&site->shadow, address);
    for (uint64_t at = address & ~3ull; at < end && words != NULL; at += 4) {
        unsigned mask = 15, index = tf_shadow_word(at);
        if (at < address)
            mask &= 15u << (address - at);
        if (end - at < 4)
            mask &= 15u >> (4 - (end - at));
        touch_word(site, who, &words->cell[index], &words->synchronizes[index], at, mask, known);
    }
}

/* A whole block. */
static void touch_block(struct site *site, const struct who *who, uint64_t address, struct known *known)
{
    static const uint8_t none[TF_SHADOW_WORDS];
    struct tf_shadow_page *page = tf_shadow_page(&site->shadow, address);
    if (page == NULL)
        return;
    unsigned block = tf_shadow_block(address);
    uint8_t mark = 0;
    if (page->words[block] == NULL && touches_ordered(site, who, &page->whole[block], known)) {
        touch_word(site, who, &page->whole[block], &mark, address, 15, known);
        return;
    }
    touch_words(site, who, address, address + TF_SHADOW_BLOCK_BYTES, known);
    if (who->write && page->words[block] != NULL && memcmp(page->words[block]->synchronizes, none, sizeof none) == 0)
        tf_shadow_unite(&site->shadow, page, block);
}

void touch(struct site *site, const struct who *who, uint64_t address, uint64_t bytes)
{
    struct known known[3] = {{.trace = 0}};
    if (who->write)
        note_written(site, address, bytes);
    else if (!who->unpacks)
        read_written(site, who, address, bytes);
    for (uint64_t at = address, end = address + bytes, next; at < end; at = next) {
        next = (at | (TF_SHADOW_BLOCK_BYTES - 1)) + 1;
        next = tf_min(next, end);
        if (next - at == TF_SHADOW_BLOCK_BYTES)
            touch_block(site, who, at, known);
        else
            touch_words(site, who, at, next, known);
    }
}
