/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses to memory, word by word. */
#include "races/state.h"

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
        /* Results that nobody waits for may land on one word in any order. */
        if (who->record != NULL && who->record->actor == actor && who->record->sort == CLASS_ATOMIC)
            return true;
    } else if ((int)slot == who->own[0] || (int)slot == who->own[1]) {
        return true;
    }
    return who->view != NULL ? tf_view_knows(who->view, actor, time) : tf_release_knows(who->release, actor, time);
}

uint8_t *synchronizes(struct site *site, uint64_t address)
{
    struct tf_shadow_page *page = tf_shadow_page(&site->shadow, address);
    return page == NULL ? NULL : &page->synchronizes[address % TF_SHADOW_PAGE_BYTES / 4];
}

/* Is the trace that of a load which waits for the word? */
static bool is_poll(const struct site *site, tf_trace trace)
{
    return tf_trace_slot(trace) < SLOT_STORES && site->tile != NULL && spins(site->tile, tf_trace_pc(trace));
}

/* A range is mostly touched by others as a whole: what was found out last holds for the next word too. */
struct known {
    tf_trace trace;
    bool ordered;
};

static bool ordered(const struct site *site, const struct who *who, tf_trace trace, struct known *known)
{
    trace &= ~(15ull << 52);
    if (known->trace != trace)
        *known = (struct known){.trace = trace, .ordered = is_ordered(site, who, trace)};
    return known->ordered;
}

static void touch_word(struct site *site, const struct who *who, struct tf_shadow_page *page, uint64_t address,
                       unsigned bytes, struct known *known)
{
    unsigned index = address % TF_SHADOW_PAGE_BYTES / 4;
    struct tf_cell *cell = &page->cell[index];
    uint8_t *mark = &page->synchronizes[index];
    tf_trace own = who->trace | (uint64_t)bytes << 52;
    /* Writes of a word that synchronizes meet in any order, and so does a read over the NOC that polls it. */
    bool meets = *mark && (who->write || tf_trace_slot(cell->write) != TF_SLOT_REQUEST);
    if ((tf_trace_bytes(cell->write) & bytes) != 0 && !meets && !ordered(site, who, cell->write, &known[0]))
        found(site, TF_RACE_DATA, address, cell->write, who);
    if (!who->write) {
        bool first = cell->read[0] == 0 || tf_trace_slot(cell->read[0]) == tf_trace_slot(own) ||
                     ordered(site, who, cell->read[0], &known[1]);
        cell->read[!first] = own;
        return;
    }
    for (unsigned i = 0; i < 2; i++) {
        tf_trace read = cell->read[i];
        if ((tf_trace_bytes(read) & bytes) == 0 || *mark || ordered(site, who, read, &known[1 + i]))
            continue;
        if (is_poll(site, read))
            *mark = 1;
        else
            found(site, TF_RACE_DATA, address, read, who);
    }
    cell->write = own;
    cell->read[0] = cell->read[1] = 0;
}

void touch(struct site *site, const struct who *who, uint64_t address, uint64_t bytes)
{
    struct known known[3] = {{.trace = 0}};
    struct tf_shadow_page *page = NULL;
    for (uint64_t at = address & ~3ull, end = address + bytes; at < end; at += 4) {
        if (page == NULL || at % TF_SHADOW_PAGE_BYTES == 0)
            page = tf_shadow_page(&site->shadow, at);
        unsigned mask = 15;
        if (at < address)
            mask &= 15u << (address - at);
        if (end - at < 4)
            mask &= 15u >> (4 - (end - at));
        if (page != NULL)
            touch_word(site, who, page, at, mask, known);
    }
}
