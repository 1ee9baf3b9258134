/* SPDX-License-Identifier: Apache-2.0 */
/* Races that were found, and their list. */
#include <stdlib.h>
#include <string.h>

#include "races/state/copy.h"
#include "races/races.h"
#include "races/found.h"
#include "races/state/records.h"
#include "races/state/waits.h"
#include "races/state/words.h"
#include "races/state/state.h"
#include "tile/run/tile.h"

static const char *const what_record_does[][CLASSES] = {
    [TF_NOC_READ] = {[CLASS_READ] = "NOC read", [CLASS_POSTED] = "NOC read"},
    [TF_NOC_WRITE] =
        {[CLASS_WRITE] = "NOC write", [CLASS_SOURCE] = "NOC write, its source", [CLASS_POSTED] = "posted NOC write"},
    [TF_NOC_WRITE_BE] = {[CLASS_WRITE] = "masked NOC write",
                         [CLASS_SOURCE] = "masked NOC write, its source",
                         [CLASS_POSTED] = "posted masked NOC write"},
    [TF_NOC_WRITE_INLINE] = {[CLASS_WRITE] = "inline NOC write", [CLASS_POSTED] = "posted inline NOC write"},
    [TF_NOC_ATOMIC] = {[CLASS_ATOMIC] = "NOC atomic", [CLASS_POSTED] = "posted NOC atomic"},
};

static void waited(const struct site *site, const struct wait *wait, struct tf_race_side *side)
{
    side->waited = wait->what;
    side->waited_address = wait->address;
    side->waited_pc = wait->pc;
    side->waited_cycle = wait->what == NULL ? 0 : cycle_at(site, wait->last);
}

static void of_record(const struct site *site, const struct record *record, struct tf_race_side *side)
{
    side->tile = site->all->fabric->node[record->source].coord;
    side->core = record->core < TF_TILE_CORES ? (enum tf_core)record->core : TF_CORE_NONE;
    side->pc = record->pc;
    side->caller = record->caller;
    side->cycle = record->cycle;
    side->noc = (int8_t)record->noc;
    side->tid = record->tid;
    side->what = record->kind != RECORD_PACKET  ? what_record_does[record->kind][record->sort]
                 : record->sort == CLASS_SOURCE ? "packet of the link, its source"
                                                : "packet of the link, write";
    waited(site, &record->waited, side);
}

static const char *const what_unit_does[UNITS][2] = {
    [TF_CHECK_UNPACKER_0] = {"unpacker 0, read", "unpacker 0, read"},
    [TF_CHECK_UNPACKER_1] = {"unpacker 1, read", "unpacker 1, read"},
    [TF_CHECK_PACKER] = {"packer, read", "packer, write"},
    [TF_CHECK_SCALAR] = {"scalar unit, read", "scalar unit, write"},
    [TF_CHECK_MOVER] = {"mover, read", "mover, write"},
};

static const char *const what_host_does[] = {"read by the host", "write by the host"};

static void of_host(const struct site *site, tf_trace trace, bool write, struct tf_race_side *side)
{
    side->tile = site->all->fabric->node[site->number].coord;
    side->core = TF_CORE_NONE;
    side->noc = -1;
    side->cycle = host_cycle(site->all, trace);
    side->what = what_host_does[write];
}

/* Is the actor a core or a unit of the site itself? */
static void of_slot(const struct site *site, tf_trace trace, bool write, struct tf_race_side *side)
{
    unsigned slot = tf_trace_slot(trace), unit = (slot - SLOT_UNIT) % UNITS;
    bool of_core = slot < SLOT_UNIT, pushed = slot >= SLOT_OF_PUSHED(0) && slot < SLOT_OF_PUSHED(THREADS);
    side->tile = site->tile->coord;
    side->core = (enum tf_core)(of_core                    ? slot % SLOT_STORES
                                : pushed                   ? TF_CORE_T0 + slot - SLOT_OF_PUSHED(0)
                                : slot == SLOT_OF_COMMANDS ? TF_CORE_B
                                                           : TF_CORE_T0 + (slot - SLOT_UNIT) / UNITS);
    side->pc = tf_trace_pc(trace);
    side->cycle = cycle_at(site, tf_trace_time(trace));
    side->noc = -1;
    const struct wait wait = last_wait(of_core || slot == SLOT_OF_COMMANDS
                                           ? &site->core[side->core].waits
                                           : &site->thread[side->core - TF_CORE_T0].waits,
                                       tf_trace_time(trace));
    waited(site, &wait, side);
    side->what = pushed                ? "pushed instruction"
                 : !of_core            ? what_unit_does[unit][write]
                 : slot >= SLOT_STORES ? "store"
                                       : "load";
}

static void of_trace(const struct site *site, tf_trace trace, bool write, struct tf_race_side *side)
{
    if (tf_trace_slot(trace) == TF_SLOT_REQUEST)
        of_record(site, record_of(site, trace), side);
    else if (tf_trace_slot(trace) == TF_SLOT_HOST)
        of_host(site, trace, write, side);
    else
        of_slot(site, trace, write, side);
}

static const struct record *open_request(const struct site *site, tf_trace before, const struct who *who)
{
    if (tf_trace_slot(before) == TF_SLOT_REQUEST)
        return record_of(site, before);
    return who->record;
}

/* Is the access ordered once a load before it is answered? */
static bool is_before_answer(const struct site *site, tf_trace before, const struct who *who)
{
    struct who answered = *who;
    answered.view = who->answered;
    return who->answered != NULL && who->answered != who->view && is_ordered(site, &answered, before);
}

/* Say how to fix it. */
static const char *advice(const struct site *site, enum tf_race_kind kind, tf_trace before, const struct who *who)
{
    static const char *const of_class[CLASSES] = {
        [CLASS_READ] = "data of a read may land until its response is counted: before using them, poll NOC_CMD_CTRL "
                       "until it is 0, and then wait for NIU_MST_REQS_OUTSTANDING or NIU_MST_RD_RESP_RECEIVED",
        [CLASS_WRITE] = "wait for the acknowledgement of the write (NIU_MST_REQS_OUTSTANDING or "
                        "NIU_MST_WR_ACK_RECEIVED) before telling others",
        [CLASS_ATOMIC] = "wait for the response of the atomic (NIU_MST_REQS_OUTSTANDING or "
                         "NIU_MST_ATOMIC_RESP_RECEIVED) before telling others",
        [CLASS_SOURCE] = "before changing the source of a write, wait until NIU_MST_WRITE_REQS_OUTGOING is 0, or "
                         "until the write is acknowledged",
        [CLASS_POSTED] = "a posted request is never acknowledged: send it non-posted and wait for the response, or "
                         "tell others by a later request on the same path and virtual channel",
    };
    if (kind == TF_RACE_STALE_LINE)
        return "the L0 data cache may still hold the old line: put a fence between the write and the load";
    if (kind == TF_RACE_OVERTAKEN && tf_trace_slot(who->trace) < SLOT_UNIT)
        return "a load waits for a queued store only if both begin at the same byte: load that byte first, or load "
               "after three more stores";
    if (kind == TF_RACE_OVERTAKEN)
        return "before the push, load the register back and use the value, or push a STALLWAIT on C10";
    if (kind == TF_RACE_UNWRITTEN)
        return "write the memory before it is read: its content when the chip starts is undefined";
    if (kind == TF_RACE_REGISTER)
        return "write the register before it is read: its content when the chip starts is undefined";
    if (kind == TF_RACE_NULL)
        return "initialise the pointer: address 0 is L1, where core B's program begins, and accesses there do not "
               "fault";
    if (kind == TF_RACE_COUNTER)
        return "wait for pages before popping them: the program pops more than was pushed";
    if (kind == TF_RACE_WRAPPED)
        return "the counter has 8 bits, and the core sent 256 or more requests since its last wait: wait more often, "
               "or use more transaction ids";
    if (kind == TF_RACE_UNFINISHED)
        return "before the core ends, wait until NIU_MST_REQS_OUTSTANDING of the transaction id is 0, or wait for the "
               "counter of responses";
    if (is_before_answer(site, before, who))
        return "later loads and stores may overtake the load of the register that shows it: use its value first, or "
               "put a fence after it";
    if (tf_trace_slot(before) == TF_SLOT_HOST)
        return "the host may write after the access: let it write the data first and then a flag, and wait for the "
               "flag before the access";
    const struct record *record = open_request(site, before, who);
    unsigned slot = tf_trace_slot(before);
    if (record != NULL && tf_trace_slot(before) != TF_SLOT_REQUEST && record->sort == CLASS_SOURCE)
        return "the request may read its source before the store arrives: load the word back before the request";
    if (record != NULL && record->kind == RECORD_PACKET && record->sort == CLASS_WRITE && slot != TF_SLOT_REQUEST)
        return "the packet may act before the access: let the sender wait for a message that comes after it";
    if (record != NULL && record->kind == RECORD_PACKET)
        return record->sort == CLASS_SOURCE
                   ? "a TX queue may read its source again until the packet is acknowledged: before changing it, wait "
                     "for a later answer of the peer"
                   : "the packets of a queue act in order, but nothing orders the two streams that write a packet, nor "
                     "L1 and registers: poll a word that each stream writes (tf_link_signal()), or a later packet's";
    if (record != NULL)
        return of_class[record->sort];
    if (slot >= SLOT_OF_PUSHED(0) && slot < SLOT_OF_PUSHED(THREADS))
        return "the instruction may not have started: wait until its thread is idle, or for a semaphore that the "
               "thread posts after it";
    if (slot >= SLOT_UNIT && slot < SLOT_CLASS)
        return "the unit may still be busy: first execute a STALLWAIT on it, or wait until its thread is idle";
    if (slot >= SLOT_STORES && who_knows(who, TF_ACTOR(site->number, slot - SLOT_STORES), tf_trace_time(before)))
        return "the store may arrive after the message that announces it: load the word back, and use the value, "
               "before the message";
    return "order the two by a semaphore, a mailbox, a flag or a counter";
}

const char *const lost_update = "another core may load and store the word at the same time, and one of the two updates "
                                "is lost: use an atomic, or a lock";
const char *const taken_twice = "another core may see the word free at the same time, and both go on: take it by an "
                                "atomic, such as a swap, or by a lock";

const char *const lost_increment =
    "an increment that comes before the store is lost: store to the semaphore before the "
    "message that lets others increment it";

static bool same_place(const struct tf_race_side *a, const struct tf_race_side *b)
{
    return a->core == b->core && a->pc == b->pc && a->what == b->what;
}

static bool same(const struct tf_race *a, const struct tf_race *b)
{
    return a->kind == b->kind && same_place(&a->side[0], &b->side[0]) && same_place(&a->side[1], &b->side[1]);
}

bool is_in_race(const struct tf_races *races, const struct record *record)
{
    for (unsigned i = 0; i < races->sites; i++)
        for (uint32_t j = 0; j < 2 * races->site[i].founds; j++) {
            const struct tf_race_side *side = &races->site[i].found[j / 2].side[j % 2];
            if (side->noc >= 0 && side->pc == record->pc && (unsigned)side->core == record->core)
                return true;
        }
    return false;
}

/* Take a race out of the list. */
static void remove_found(struct site *site, uint32_t i)
{
    memmove(&site->found[i], &site->found[i + 1], (--site->founds - i) * sizeof *site->found);
}

/* Is the side a plain load or store of one of these cores? */
static bool is_core_of(const struct tf_race_side *side, unsigned cores)
{
    return side->noc < 0 && side->what != NULL &&
           (strcmp(side->what, "load") == 0 || strcmp(side->what, "store") == 0) && (cores >> side->core & 1) != 0;
}

void withdraw(struct site *site, uint64_t word, unsigned cores)
{
    for (uint32_t i = site->founds; i-- != 0;) {
        const struct tf_race *race = &site->found[i];
        if (race->kind == TF_RACE_DATA && race->advice != lost_update && race->advice != taken_twice &&
            (race->address & ~3ull) == word && is_core_of(&race->side[0], cores) && is_core_of(&race->side[1], cores))
            remove_found(site, i);
    }
}

void withdraw_glance(struct site *site, uint64_t word)
{
    for (uint32_t i = site->founds; i-- != 0;)
        if (site->found[i].side[1].what == what_host_does[0] && (site->found[i].address & ~3ull) == word)
            remove_found(site, i);
}

void withdraw_read(struct site *site, uint64_t word, const struct record *record)
{
    const struct tf_coord tile = site->all->fabric->node[record->source].coord;
    for (uint32_t i = site->founds; i-- != 0;) {
        const struct tf_race *race = &site->found[i];
        bool reads = false;
        for (unsigned j = 0; j < 2; j++) {
            const struct tf_race_side *side = &race->side[j];
            reads |= side->noc >= 0 && side->pc == record->pc && (unsigned)side->core == record->core &&
                     side->tile.x == tile.x && side->tile.y == tile.y;
        }
        if (reads && race->kind == TF_RACE_DATA && (race->address & ~3ull) == word)
            remove_found(site, i);
    }
}

/* Do both sides belong to cores of the tile that both wait for the word? */
static bool is_waited_for(const struct site *site, enum tf_race_kind kind, uint64_t address, tf_trace before,
                          const struct who *who)
{
    const unsigned one = tf_trace_slot(before), other = tf_trace_slot(who->trace);
    return kind == TF_RACE_DATA && before != 0 && who->record == NULL && who->fix == NULL && one < SLOT_CONFIG &&
           other < SLOT_CONFIG && both_poll(site, (uint32_t)address & ~3u, before, who->trace);
}

/*
 * The mover works for a core, whose message the host has read before it writes. The core's load of the status may have
 * overtaken its command by a few cycles. A host's read takes 671 ns at least (WormholeB0/PCIExpressTile/README.md).
 */
static bool outlasts(tf_trace before, const struct who *who)
{
    return before != 0 && tf_trace_slot(before) == SLOT_OF_COMMANDS && tf_trace_slot(who->trace) == TF_SLOT_HOST;
}

void found(struct site *site, enum tf_race_kind kind, uint64_t address, tf_trace before, const struct who *who)
{
    struct tf_race race = {.kind = kind, .address = address, .count = 1};
    struct tf_race_side *last = &race.side[before != 0];
    if (is_waited_for(site, kind, address, before, who) || outlasts(before, who))
        return;
    race.node = site->all->fabric->node[site->number].coord;
    race.side[1] = (struct tf_race_side){.core = TF_CORE_NONE, .noc = -1};
    if (before != 0)
        of_trace(site, before, !who->write || kind != TF_RACE_DATA || tf_trace_slot(before) == TF_SLOT_HOST,
                 &race.side[0]);
    if (who->before != NULL)
        race.side[0].what = who->before;
    if (who->record != NULL) {
        of_record(site, who->record, last);
    } else {
        of_trace(site, who->trace, who->write, last);
        last->what = who->what != NULL ? who->what : last->what;
        if (tf_trace_slot(who->trace) < SLOT_UNIT)
            last->caller = site->tile->hart[last->core].x[1];
    }
    for (uint32_t i = 0; i < site->founds; i++)
        if (same(&site->found[i], &race)) {
            site->found[i].count++;
            return;
        }
    if (site->found == NULL)
        site->found = calloc(FOUND_MAX, sizeof *site->found);
    if (site->found == NULL || site->founds == FOUND_MAX) {
        site->lost = true;
        return;
    }
    race.advice = who->fix != NULL ? who->fix : advice(site, kind, before, who);
    site->found[site->founds++] = race;
}

size_t tf_races_list(const struct tf_races *races, struct tf_race *race, size_t most)
{
    size_t count = 0;
    for (unsigned i = 0; i < races->sites; i++)
        for (uint32_t j = 0; j < races->site[i].founds; j++) {
            const struct tf_race *one = &races->site[i].found[j];
            size_t at = 0;
            while (at < count && at < most && !same(&race[at], one))
                at++;
            if (at < count && at < most)
                race[at].count += one->count;
            else if (count++ < most)
                race[count - 1] = *one;
        }
    return count;
}

bool tf_races_last_write(const struct tf_races *races, uint16_t node, uint64_t address, struct tf_race_side *side)
{
    if (is_copy(races))
        return copied_last_write(races->copy, node, address, side);
    const struct site *site = &races->site[races->fabric->node[node].site];
    uint64_t number = address / TF_SHADOW_PAGE_BYTES;
    const struct tf_shadow_page *page = site->shadow.bucket[number % TF_SHADOW_BUCKETS];
    while (page != NULL && page->number != number)
        page = page->next;
    if (page == NULL)
        return false;
    unsigned block = tf_shadow_block(address);
    const struct tf_shadow_words *words = page->words[block];
    tf_trace write = (words == NULL ? &page->whole[block] : &words->cell[tf_shadow_word(address)])->write;
    if (write == 0 || (tf_trace_slot(write) == TF_SLOT_REQUEST && record_of(site, write) == NULL))
        return false;
    *side = (struct tf_race_side){.tile = races->fabric->node[node].coord};
    of_trace(site, write, true, side);
    return true;
}
