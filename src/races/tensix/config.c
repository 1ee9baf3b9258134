/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of the backend configuration that cores store, and instructions that read them. A pushed instruction may
 * overtake its core's store. A store may also change a word that an instruction under way still reads
 * (BackendConfiguration.md, "Danger one" and "Danger two").
 */
#include <stdlib.h>
#include <string.h>

#include "races/tensix/config.h"
#include "races/state/words.h"
#include "races/state/state.h"
#include "tilefarm_address.h"
#include "tile/tensix/configure/config.h"
#include "tile/tensix/config/family.h"
#include "tile/tensix/config/state.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tile/run/tile.h"

/* Find the readers of the word at an address that is stored to. Blackhole has a third bank, which stands for both and
   may change either. No word lies beyond the banks. */
static uint32_t readers_at(const struct site *site, uint32_t address, uint32_t value)
{
    const struct tf_config_arch *arch = tf_config_arch(site->tile);
    const uint32_t at = (address - TF_CFG_BASE) / 4, bank = at / arch->words, word = at % arch->words;
    const struct tf_tensix *tensix = site->tile->tensix;
    if (bank >= (arch->place == NULL ? 3u : 2u))
        return 0;
    return config_readers(arch, word,
                          tensix == NULL || bank >= 2 ? UINT32_MAX : tf_config_word(tensix, bank, word) ^ value);
}

/* The context of an UNPACR that is at its thread's gate. */
static unsigned context_of(const struct tf_tensix *tensix, unsigned t, unsigned side, uint32_t word)
{
    const struct tf_backend_config *config = tensix->config;
    if (!TF_FIELD(word, UNPACR, ovrd_thread_id))
        return 0;
    unsigned context = TF_FIELD(word, UNPACR, auto_inc_context_id) ? config->unpack_context[t][side]
                                                                   : TF_FIELD(word, UNPACR, cfg_context_id);
    context += side ? TF_THREAD_CFG(config, t, UNPACK_MISC_CFG_CfgContextOffset_1)
                    : TF_THREAD_CFG(config, t, UNPACK_MISC_CFG_CfgContextOffset_0);
    return context % CONTEXTS;
}

/* "RISCV code needs to ensure that the pushed Tensix instruction has started (or ideally finished)": an instruction
   that has passed the gate has started. */
void config_read(struct site *site, unsigned t, enum tf_check_unit unit)
{
    struct race_thread *thread = &site->thread[t];
    const struct tf_tensix *tensix = site->tile->tensix;
    const tf_trace trace = tf_trace_make(SLOT_OF_PUSHED(t), TF_WORD_BYTES, tensix->thread[t].gate.pc,
                                         time_at(site, site->tile->cycle));
    if (unit == TF_CHECK_PACKER)
        thread->reads[PACKS] = trace;
    if (unit > TF_CHECK_UNPACKER_1)
        return;
    unsigned context = context_of(tensix, t, unit, tensix->thread[t].gate.word);
    thread->reads[UNPACKS(unit)] = thread->reads[UNPACKS(unit) + 1 + context] = trace;
    thread->unpacks = BIT(UNPACKS(unit)) | BIT(UNPACKS(unit) + 1 + context);
}

bool stores_synchronized(const struct site *site, unsigned core, uint32_t track)
{
    const uint32_t all = TF_TRISC_SYNC_TRACK_INSTRUCTIONS | track;
    return core >= TF_CORE_T0 && site->tile->tensix != NULL &&
           (site->tile->tensix->config->thread[core - TF_CORE_T0][TF_THREAD_CFG_TRISC_SYNC] & all) == all;
}

/* The record of a word in a bank, for RDCFG, if a store to the address changes it there. NULL: it does not, or the host
   has no memory. */
static struct config_word *word_record(struct site *site, unsigned bank, uint32_t address)
{
    const struct tf_config_arch *arch = tf_config_arch(site->tile);
    const uint32_t at = (address - TF_CFG_BASE) / 4, word = at % arch->words;
    if (bank != at / arch->words && word < arch->global && at / arch->words < 2)
        return NULL;
    if (site->config_words == NULL)
        site->config_words = calloc(2 * (size_t)arch->words, sizeof *site->config_words);
    if (site->config_words == NULL)
        site->lost = true;
    return site->config_words == NULL ? NULL : &site->config_words[bank * arch->words + word];
}

/* A word gets a value. Tell its readers. of: the table of cores and the mover, or that of instructions. */
static void note_value(struct site *site, struct config_store of[2][CONFIG_READERS], tf_trace trace, uint32_t address,
                       uint32_t readers)
{
    const struct tf_config_arch *arch = tf_config_arch(site->tile);
    const uint32_t word = (address - TF_CFG_BASE) / 4;
    const struct config_store store = {trace, address};
    for (unsigned bank = 0; bank < 2; bank++) {
        struct config_word *record = word_record(site, bank, address);
        if (record != NULL)
            *(of == site->pushed ? &record->pushed : &record->stored) = trace;
    }
    for (; readers != 0; readers &= readers - 1)
        for (unsigned bank = 0; bank < 2; bank++)
            if (bank == word / arch->words || word % arch->words >= arch->global || word / arch->words >= 2)
                of[bank][__builtin_ctz(readers)] = store;
}

static void note_store(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t readers)
{
    const uint32_t time = core_time(site, core);
    site->core[core].configured = time;
    if (stores_synchronized(site, core, TF_TRISC_SYNC_TRACK_GLOBAL_CFG))
        tf_view_learn(&site->core[core].view, TF_ACTOR(site->number, SLOT_CONFIG + core), time);
    note_value(site, site->config, tf_trace_make(SLOT_STORES + core, 15, pc, time), address, readers);
}

/* Instructions of a thread that read the word may not have started yet. */
static void meet_readers(struct site *site, unsigned t, const struct who *who, uint32_t address, uint32_t readers)
{
    for (; readers != 0; readers &= readers - 1) {
        tf_trace last = site->thread[t].reads[__builtin_ctz(readers)];
        if (last == 0 || is_ordered(site, who, last))
            continue;
        found(site, TF_RACE_DATA, address, last, who);
        return;
    }
    for (unsigned bank = 0; bank < 2 && site->thread[t].reads_words; bank++) {
        const struct config_word *record = word_record(site, bank, address);
        if (record == NULL || record->read[t] == 0 || is_ordered(site, who, record->read[t]))
            continue;
        found(site, TF_RACE_DATA, address, record->read[t], who);
        return;
    }
}

void config_moved(struct site *site, const struct who *who, uint32_t offset, const uint8_t *from, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 4) {
        uint32_t value = 0;
        if (from != NULL)
            memcpy(&value, from + i, sizeof value);
        const uint32_t address = TF_CFG_BASE + offset + i, readers = readers_at(site, address, value);
        for (unsigned t = 0; t < THREADS; t++)
            meet_readers(site, t, who, address, readers);
        note_value(site, site->config, who->trace, address, readers);
    }
}

static struct who storing(const struct site *site, unsigned core, tf_trace trace)
{
    return (struct who){
        .view = &site->core[core].view,
        .own = {(int)(SLOT_CORE + core), (int)(SLOT_STORES + core)},
        .trace = trace,
        .write = true,
    };
}

/* Does a core's store wait until the instructions that it has pushed have passed the gate? */
static bool store_waits(const struct site *site, unsigned core, unsigned t)
{
    return core == TF_CORE_T0 + t && stores_synchronized(site, core, TF_TRISC_SYNC_TRACK_GLOBAL_CFG);
}

/* Another core has stored to the word, and this core does not know that its store has arrived. A word has many fields:
   the core may have loaded it before, and put the old ones back. */
static void meet_other_store(struct site *site, unsigned core, const struct who *who, uint32_t address, uint32_t value)
{
    const struct tf_config_arch *arch = tf_config_arch(site->tile);
    for (unsigned bank = 0; bank < 2 && site->config_words != NULL; bank++) {
        const struct config_word *record = word_record(site, bank, address);
        if (record == NULL || tf_trace_slot(record->stored) >= SLOT_CONFIG || record->stored == 0)
            continue;
        const unsigned other = tf_trace_slot(record->stored) - SLOT_STORES;
        if (other == core ||
            tf_config_word(site->tile->tensix, bank, (address - TF_CFG_BASE) / 4 % arch->words) == value ||
            tf_view_knows(who->view, TF_ACTOR(site->number, SLOT_CONFIG + other), tf_trace_time(record->stored)))
            continue;
        found(site, TF_RACE_DATA, address, record->stored, who);
        return;
    }
}

void store_config(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t value)
{
    const uint32_t readers = readers_at(site, address, value);
    const struct who who = storing(site, core, tf_trace_make(SLOT_STORES + core, 15, pc, core_time(site, core)));
    for (unsigned t = 0; t < THREADS && site->tile->tensix != NULL; t++)
        if (!store_waits(site, core, t))
            meet_readers(site, t, &who, address, readers);
    if (site->tile->tensix == NULL)
        return;
    struct who writer = who;
    writer.fix =
        "the fields that one of the two changes may be lost: change them by RMWCIB, or under a mutex, and load the "
        "word back before the mutex is released";
    meet_other_store(site, core, &writer, address, value);
    note_store(site, core, pc, address, readers);
}

void config_loaded(struct site *site, unsigned core)
{
    struct race_core *of = &site->core[core];
    if (of->configured != 0)
        tf_view_learn(&of->view, TF_ACTOR(site->number, SLOT_CONFIG + core), of->emitted);
    if (of->configured <= of->emitted)
        of->configured = 0;
}

void config_awaited(struct site *site, unsigned t)
{
    tf_view_learn(&site->thread[t].view, TF_ACTOR(site->number, SLOT_CONFIG + TF_CORE_T0 + t),
                  core_time(site, TF_CORE_T0 + t));
}

/* The configuration that an instruction reads, as bits of readers. */
static uint32_t reads_of(const struct race_thread *thread, uint32_t word)
{
    switch (word >> 24) {
    case TF_OP_UNPACR: return thread->unpacks;
    case TF_OP_PACR: return BIT(PACKS);
    case TF_OP_XMOV: return BIT(MOVES);
    case TF_OP_SFPLOAD:
    case TF_OP_SFPSTORE:
    case TF_OP_SFPLOADMACRO: return BIT(COMPUTES);
    case TF_OP_SETRWC:
    case TF_OP_INCRWC:
    case TF_OP_CLEARDVALID:
    case TF_OP_GATESRCRST:
    case TF_OP_ZEROSRC:
    case TF_OP_TRNSPSRCB: return 0;
    default: return tf_tensix_ops[word >> 24].unit == TF_UNIT_MATRIX ? BIT(COMPUTES) : 0;
    }
}

/* The instruction may have overtaken the store. Or it was pushed before the store, and has not started when the core
   stores. */
static void report(struct site *site, unsigned t, const struct config_store *store, unsigned core, uint32_t pc)
{
    const unsigned slot = SLOT_OF_PUSHED(t);
    const tf_trace trace = tf_trace_make(slot, 15, pc, time_at(site, site->tile->cycle));
    /* Cycles of other cores do not tell the order, because these cores may be ahead in a slice. */
    if (core == TF_CORE_T0 + t && tf_trace_time(trace) < tf_trace_time(store->trace)) {
        const struct who second = storing(site, core, store->trace);
        if (!store_waits(site, core, t))
            found(site, TF_RACE_DATA, store->address, trace, &second);
        return;
    }
    const struct who who = {
        .view = &site->thread[t].view,
        .own = {(int)slot, (int)slot},
        .trace = trace,
        .fix = core == TF_CORE_T0 + t || tf_trace_slot(store->trace) >= SLOT_UNIT
                   ? NULL
                   : "the store may arrive after the message that announces it: load the register back, and use the "
                     "value, before the message",
    };
    found(site, core == TF_CORE_T0 + t ? TF_RACE_OVERTAKEN : TF_RACE_DATA, store->address, store->trace, &who);
}

/* Does the instruction know of the last store of a core or of the mover? */
static void meet_store(struct site *site, unsigned t, unsigned reader, const struct config_store *store, uint32_t pc)
{
    struct race_thread *thread = &site->thread[t];
    if (store->trace == 0 || store->trace == thread->known[0][reader])
        return;
    thread->known[0][reader] = store->trace;
    const unsigned slot = tf_trace_slot(store->trace), core = slot - SLOT_STORES;
    const unsigned actor = slot < SLOT_UNIT ? SLOT_CONFIG + core : slot;
    thread_sync(site, t);
    if (!tf_view_knows(&thread->view, TF_ACTOR(site->number, actor), tf_trace_time(store->trace)))
        report(site, t, store, core, pc);
}

/*
 * Does it know of the last instruction that has written the word? One of its own thread is before it. But "software
 * must ensure that the instruction immediately after WRCFG is not trying to consume the configuration" (WRCFG.md).
 */
static void meet_write(struct site *site, unsigned t, unsigned reader, const struct config_store *store, uint32_t pc)
{
    struct race_thread *thread = &site->thread[t];
    const unsigned slot = SLOT_OF_PUSHED(t), writer = tf_trace_slot(store->trace);
    if (store->trace == 0 || store->trace == thread->known[1][reader])
        return;
    thread->known[1][reader] = store->trace;
    struct who who = {
        .view = &thread->view,
        .own = {(int)slot, (int)slot},
        .trace = tf_trace_make(slot, 15, pc, time_at(site, site->tile->cycle)),
    };
    if (store->trace == thread->just_written)
        who.fix = "the instruction right after a WRCFG may read the old value: put a NOP between the two";
    else if (writer == slot)
        return;
    thread_sync(site, t);
    if (who.fix != NULL || !tf_view_knows(who.view, TF_ACTOR(site->number, writer), tf_trace_time(store->trace)))
        found(site, TF_RACE_DATA, store->address, store->trace, &who);
}

/* An instruction writes bits of a word. Instructions of other threads that read it may not have started yet. */
static void write_word(struct site *site, unsigned t, unsigned word, uint32_t bits, uint32_t pc)
{
    const struct tf_config_arch *arch = tf_config_arch(site->tile);
    const unsigned slot = SLOT_OF_PUSHED(t), bank = tf_config_bank(site->tile->tensix->config, t);
    const struct who who = {
        .view = &site->thread[t].view,
        .own = {(int)slot, (int)slot},
        .trace = tf_trace_make(slot, 15, pc, time_at(site, site->tile->cycle)),
        .write = true,
    };
    if (word >= arch->words || bits == 0)
        return;
    const uint32_t readers = config_readers(arch, word, bits), address = TF_CFG_BASE + (bank * arch->words + word) * 4;
    thread_sync(site, t);
    for (unsigned other = 0; other < THREADS; other++)
        if (other != t)
            meet_readers(site, other, &who, address, readers);
    note_value(site, site->pushed, who.trace, address, readers);
}

/* Note what the instruction has written to the configuration. */
static void config_written(struct site *site, unsigned t, uint32_t word, uint32_t pc)
{
    const unsigned opcode = word >> 24, index = TF_FIELD(word, WRCFG, cfg_reg);
    site->thread[t].just_written = 0;
    if (opcode == TF_OP_WRCFG) {
        const bool wide = TF_FIELD(word, WRCFG, wr128b);
        for (unsigned i = 0; i < (wide ? 4 : 1); i++)
            write_word(site, t, wide ? (index & ~3u) + i : index, UINT32_MAX, pc);
        site->thread[t].just_written = tf_trace_make(SLOT_OF_PUSHED(t), 15, pc, time_at(site, site->tile->cycle));
    } else if (opcode == TF_OP_REG2FLOP && (TF_FIELD(word, REG2FLOP, target_sel) & 2) == 0) {
        const unsigned thcon = tf_config_arch(site->tile)->thcon, place = TF_FIELD(word, REG2FLOP, flop_index);
        const bool wide = TF_FIELD(word, REG2FLOP, size_sel) == 0;
        for (unsigned i = 0; i < (wide ? 4 : 1); i++) /* the thread waits, so its next instruction may read the word */
            write_word(site, t, thcon + (wide ? (place & ~3u) + i : place), UINT32_MAX, pc);
    } else if (opcode >= TF_OP_RMWCIB0 && opcode <= TF_OP_RMWCIB3) {
        write_word(site, t, TF_FIELD(word, RMWCIB0, cfg_reg_addr),
                   TF_FIELD(word, RMWCIB0, mask) << (opcode - TF_OP_RMWCIB0) * 8, pc);
    }
}

/* RDCFG reads a word of its thread's bank. */
static void read_word(struct site *site, unsigned t, uint32_t word, uint32_t pc)
{
    const struct tf_config_arch *arch = tf_config_arch(site->tile);
    const unsigned bank = tf_config_bank(site->tile->tensix->config, t), index = TF_FIELD(word, RDCFG, cfg_reg);
    const uint32_t address = TF_CFG_BASE + (bank * arch->words + index) * 4;
    struct config_word *record = index < arch->words ? word_record(site, bank, address) : NULL;
    if (record == NULL)
        return;
    const struct config_store stored = {record->stored, address}, pushed = {record->pushed, address};
    meet_store(site, t, RDCFGS, &stored, pc);
    meet_write(site, t, RDCFGS, &pushed, pc);
    site->thread[t].reads_words = true;
    record->read[t] = tf_trace_make(SLOT_OF_PUSHED(t), TF_WORD_BYTES, pc, time_at(site, site->tile->cycle));
}

void config_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc)
{
    struct race_thread *thread = &site->thread[t];
    const unsigned bank = tf_config_bank(site->tile->tensix->config, t);
    uint32_t reads = reads_of(thread, word);
    for (thread->unpacks = 0; reads != 0; reads &= reads - 1) {
        const unsigned reader = (unsigned)__builtin_ctz(reads);
        meet_store(site, t, reader, &site->config[bank][reader], pc);
        meet_write(site, t, reader, &site->pushed[bank][reader], pc);
    }
    if (word >> 24 == TF_OP_RDCFG)
        read_word(site, t, word, pc);
    config_written(site, t, word, pc);
}
