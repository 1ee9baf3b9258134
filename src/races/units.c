/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The coprocessor. A unit works for a thread, while the thread continues. STALLWAIT, or a core that sees the thread
 * idle, waits for it. Sources: BlackholeA0/TensixTile/TensixCoprocessor/{STALLWAIT,SyncUnit,ManualTTSync}.md.
 */
#include "races/tensix/dst.h"
#include "races/tensix/adcs.h"
#include "races/tensix/config.h"
#include "races/cores.h"
#include "races/tensix/registers.h"
#include "races/syncs.h"
#include "races/tensix/tdma.h"
#include "races/units.h"
#include "races/state/waits.h"
#include "races/state/words.h"
#include "races/state/state.h"
#include "races/state/written.h"
#include "tilefarm_address.h"
#include "tile/explore/state.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/frontend/gate.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tile/run/tile.h"

#define MUTEX_KEY(i) (0xFFFF0000u + (i)*4) /* no register has this address */
#define BANK_KEY(side, bank, to_matrix) (0xFFFF1000u + ((side)*4 + (bank)*2 + (to_matrix)) * 4)
#define SEMAPHORE_KEY(i) (TF_SEMAPHORE_BASE + (i)*4)

static struct site *site_of(struct tf_check *check)
{
    return (struct site *)check;
}

static uint32_t time_of(const struct site *site)
{
    return time_at(site, site->tile->cycle);
}

/* The clock of a thread. It includes that the thread's instructions up to now have passed the gate. */
static struct tf_release thread_release(struct site *site, unsigned thread)
{
    return (struct tf_release){
        .clock = tf_clock_hold(site->thread[thread].view.clock),
        .count = 1,
        .more = {{TF_ACTOR(site->number, SLOT_OF_PUSHED(thread)), time_of(site)}},
    };
}

/* Do instructions execute now that have passed the gate before? Then later ones of their thread have passed, too. */
static bool is_late(const struct site *site)
{
    return site->tile->explore != NULL && site->tile->explore->lags;
}

/* A thread learns what a core knows. Mostly it knows that already (rows check-matmul and check-softmax of bench). */
static void learn_core(struct site *site, struct race_thread *thread, unsigned core, struct core_known *known)
{
    const struct race_core *of = &site->core[core];
    const struct core_known now = {tf_view_sum(&of->view), core_time(site, core), of->arrived};
    if (now.sum == known->sum && now.time == known->time && now.arrived == known->arrived)
        return;
    struct tf_release made = core_release(site, core, now.time, false);
    if (tf_view_acquire(&thread->view, &made))
        *known = now;
    tf_release_drop(&made);
}

/* A pushed instruction knows what its core knew at the push, and what its thread has waited for. */
void thread_sync(struct site *site, unsigned t)
{
    struct race_thread *thread = &site->thread[t];
    learn_core(site, thread, TF_CORE_T0 + t, &thread->of_own);
    if (thread->from_b)
        learn_core(site, thread, TF_CORE_B, &thread->of_b);
    if (thread->block != 0 && !is_late(site))
        thread_waited(site, t, site->tile->tensix->thread[t].gate.word);
}

/* An atomic of the scalar unit changes a word, or awaits a value of it. */
static void scalar_atomic(struct site *site, unsigned t, const struct who *who, uint32_t word)
{
    read_first(site, who, word);
    if (who->write)
        note_written(site, word, TF_WORD_BYTES);
    struct tf_shadow_words *words = tf_shadow_words(&site->shadow, word);
    if (words == NULL)
        return;
    uint8_t *mark = &words->synchronizes[tf_shadow_word(word)];
    struct tf_cell *cell = &words->cell[tf_shadow_word(word)];
    if (!*mark)
        mark_sync(site, word, mark, cell->write);
    acquire_sync(site, &site->thread[t].view, word);
    if (!who->write)
        return;
    *cell = (struct tf_cell){.write = tf_trace_of_bytes(who->trace, TF_WORD_BYTES)};
    *mark = MARK_SYNC | MARK_ATOMIC;
    struct tf_release made = thread_release(site, t);
    release_sync(site, &made, word, true);
    tf_release_drop(&made);
}

static void unit(struct tf_check *check, unsigned t, enum tf_check_unit unit, uint32_t address, uint32_t bytes,
                 enum tf_check_use use)
{
    struct site *site = site_of(check);
    struct race_thread *thread = &site->thread[t];
    unsigned slot = SLOT_OF_UNIT(t, unit);
    struct who who = {
        .view = &thread->view,
        .own = {(int)slot, (int)slot},
        .trace = tf_trace_make(slot, 0, site->tile->tensix->thread[t].gate.pc, time_of(site)),
        .write = use != TF_CHECK_READS && use != TF_CHECK_AWAITS,
        .unpacks = unit <= TF_CHECK_UNPACKER_1,
    };
    thread_sync(site, t);
    thread->last[unit] = who.trace;
    config_read(site, t, unit);
    /* Zeros replace all data, whatever L1 holds (UNPACR_Regular.md, AllDatumsAreZero). */
    if (who.unpacks && TF_FIELD(site->tile->tensix->thread[t].gate.word, UNPACR, zero_write2))
        return;
    if (who.unpacks && !thread->filled[unit]) {
        thread->filled[unit] = is_written(site, address, bytes);
        thread->blank[unit] = thread->blank[unit] != 0 ? thread->blank[unit] : address + 1;
    }
    if (unit == TF_CHECK_SCALAR && (use == TF_CHECK_CHANGES || use == TF_CHECK_AWAITS))
        scalar_atomic(site, t, &who, address);
    else
        touch(site, &who, address, bytes);
}

static void unit_register(struct tf_check *check, unsigned thread, uint32_t address, bool store)
{
    struct site *site = site_of(check);
    uint32_t key = sync_key(site, TF_FROM_NOC, address, store);
    if (key == 0)
        return;
    thread_sync(site, thread);
    if (store) {
        struct tf_release made = thread_release(site, thread);
        release_sync(site, &made, key, true);
        tf_release_drop(&made);
    } else {
        acquire_sync(site, &site->thread[thread].view, key);
    }
}

/* The instruction has waited until the matrix unit owned a bank. */
static void take_bank(struct site *site, unsigned t, unsigned side)
{
    unsigned bank = site->tile->tensix->src->matrix_bank[side];
    if ((site->thread[t].released >> side & 1) != 0 || (site->given[side][bank] >> t & 1) == 0)
        return;
    site->given[side][bank] &= (uint8_t) ~(1u << t);
    acquire_sync(site, &site->thread[t].view, BANK_KEY(side, bank, true));
}

/* A wait has ended: the thread knows what these units did for it. */
static void stalled(struct site *site, unsigned t, uint32_t conditions)
{
    static const struct {
        uint16_t condition;
        uint8_t unit;
    } waits[] = {
        {TF_CONDITION_SCALAR, TF_CHECK_SCALAR},       {TF_CONDITION_UNPACK_0, TF_CHECK_UNPACKER_0},
        {TF_CONDITION_UNPACK_1, TF_CHECK_UNPACKER_1}, {TF_CONDITION_PACK, TF_CHECK_PACKER},
        {TF_CONDITION_MOVER, TF_CHECK_MOVER},         {TF_CONDITION_MATRIX, UNIT_MATRIX},
        {TF_CONDITION_VECTOR, UNIT_VECTOR},
    };
    struct race_core *of = &site->core[TF_CORE_T0 + t];
    if ((conditions & TF_CONDITION_RISCV) != 0) {
        of->gprs = 0;
        config_awaited(site, t);
        tdma_arrived(of);
    }
    for (unsigned side = 0; side < 2; side++)
        if ((conditions & (uint32_t)TF_CONDITION_SRCA_MATRIX << side) != 0)
            take_bank(site, t, side);
    /* The conditions of packers 1 to 3 of Wormhole. The checker takes its four packers as one unit. */
    if ((conditions & TF_CONDITION_OTHER_PACKERS) != 0 && site->tile->tensix->busy_packers != NULL)
        conditions |= TF_CONDITION_PACK;
    for (unsigned i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        /* The mover may be idle only because the core's command has not come yet. */
        bool not_commanded = waits[i].unit == TF_CHECK_MOVER && of->tdma != 0;
        if ((conditions & waits[i].condition) != 0 && !not_commanded)
            tf_view_learn(&site->thread[t].view, TF_ACTOR(site->number, SLOT_OF_UNIT(t, waits[i].unit)),
                          tf_trace_time(site->thread[t].last[waits[i].unit]));
    }
}

/* A wait ends before the first instruction that its block mask names (STALLWAIT.md, "Block mask"). Others pass it. */
void thread_waited(struct site *site, unsigned t, uint32_t word)
{
    struct race_thread *thread = &site->thread[t];
    if (!tf_gate_catches(&tf_tensix_ops[word >> 24], thread->block))
        return;
    thread->block = 0;
    if (thread->semaphores == 0)
        stalled(site, t, thread->conditions);
    for (unsigned i = 0; thread->semaphores >> i != 0; i++)
        if ((thread->semaphores >> i & 1) != 0)
            acquire_sync(site, &thread->view, SEMAPHORE_KEY(i));
}

/* A wait begins. conditions: of units, if `semaphores` is 0; 0: the default ones. */
static void wait_begins(struct race_thread *thread, uint32_t block, uint32_t conditions, uint32_t semaphores)
{
    thread->block = (uint16_t)(block != 0 ? block : TF_BLOCK_B6);
    thread->conditions = (uint16_t)(conditions != 0 ? conditions : TF_CONDITION_DEFAULT);
    thread->semaphores = (uint8_t)semaphores;
}

/* SrcASrcB.md: the matrix unit waits until the unpackers have given it a bank. The unpackers wait until they have it
   back. SETDVALID gives a bank even if the unpacker is busy. */
static void handed(struct tf_check *check, unsigned t, unsigned side, unsigned bank, bool to_matrix)
{
    struct site *site = site_of(check);
    struct race_thread *thread = &site->thread[t];
    bool unpacks = site->tile->tensix->thread[t].gate.word >> 24 != TF_OP_SETDVALID;
    thread_sync(site, t);
    acquire_sync(site, &thread->view, BANK_KEY(side, bank, !to_matrix));
    struct tf_release made = thread_release(site, t);
    if (to_matrix && unpacks)
        made.more[made.count++] = (struct tf_stamp){TF_ACTOR(site->number, SLOT_OF_UNIT(t, side)),
                                                    tf_trace_time(thread->last[side])};
    release_sync(site, &made, BANK_KEY(side, bank, to_matrix), false);
    tf_release_drop(&made);
    if (to_matrix) {
        bank_given(site, t, side, bank);
        site->given[side][bank] = (1u << THREADS) - 1;
    } else if (!is_late(site)) {
        bank_returned(site, t, side, bank);
        thread->released |= (uint8_t)(1u << side);
    }
}

/* The mover works for a command of a core. Its caller drops the release. */
static struct who command_who(struct site *site, unsigned core, struct tf_release *made, bool write)
{
    unsigned slot = core < TF_CORE_T0 ? SLOT_OF_COMMANDS : SLOT_OF_UNIT(core - TF_CORE_T0, TF_CHECK_MOVER);
    *made = core_release(site, core, core_time(site, core), false);
    const struct who who = {
        .release = made,
        .own = {(int)slot, (int)slot},
        .trace = tf_trace_make(slot, 0, site->tile->hart[core].pc, time_of(site)),
        .write = write,
    };
    *(core < TF_CORE_T0 ? &site->commanded : &site->thread[core - TF_CORE_T0].last[TF_CHECK_MOVER]) = who.trace;
    return who;
}

static void moved(struct tf_check *check, unsigned core, bool pushed, uint32_t address, uint32_t bytes, bool write)
{
    struct site *site = site_of(check);
    struct tf_release made;
    if (pushed) {
        unit(check, core - TF_CORE_T0, TF_CHECK_MOVER, address, bytes, write ? TF_CHECK_WRITES : TF_CHECK_READS);
        return;
    }
    if (core >= TF_TILE_CORES)
        return;
    const struct who who = command_who(site, core, &made, write);
    touch(site, &who, address, bytes);
    tf_release_drop(&made);
}

static void moved_config(struct tf_check *check, unsigned core, bool pushed, uint32_t offset, const uint8_t *from,
                         uint32_t bytes)
{
    struct site *site = site_of(check);
    if (!pushed && core >= TF_TILE_CORES)
        return;
    if (!pushed) {
        struct tf_release made;
        const struct who who = command_who(site, core, &made, true);
        config_moved(site, &who, offset, from, bytes);
        tf_release_drop(&made);
        return;
    }
    const unsigned t = core - TF_CORE_T0, slot = SLOT_OF_UNIT(t, TF_CHECK_MOVER);
    const struct who who = {
        .view = &site->thread[t].view,
        .own = {(int)slot, (int)SLOT_OF_PUSHED(t)},
        .trace = tf_trace_make(slot, 0, site->tile->tensix->thread[t].gate.pc, time_of(site)),
        .write = true,
    };
    thread_sync(site, t);
    site->thread[t].last[TF_CHECK_MOVER] = who.trace;
    config_moved(site, &who, offset, from, bytes);
}

void mover_idle(struct site *site, unsigned core)
{
    struct tf_view *view = &site->core[core].view;
    const unsigned uncertain = site->core[core].tdma != 0 ? core
                                                          : TF_TILE_CORES; /* the core's own command may be missing */
    if (uncertain >= TF_CORE_T0)
        tf_view_learn(view, TF_ACTOR(site->number, SLOT_OF_COMMANDS), tf_trace_time(site->commanded));
    for (unsigned t = 0; t < THREADS; t++)
        if (uncertain != TF_CORE_T0 + t)
            tf_view_learn(view, TF_ACTOR(site->number, SLOT_OF_UNIT(t, TF_CHECK_MOVER)),
                          tf_trace_time(site->thread[t].last[TF_CHECK_MOVER]));
}

static void semaphores(struct site *site, unsigned t, uint32_t mask)
{
    thread_sync(site, t);
    struct tf_release made = thread_release(site, t);
    for (; mask != 0; mask &= mask - 1)
        release_sync(site, &made, SEMAPHORE_KEY((unsigned)__builtin_ctz(mask)), true);
    tf_release_drop(&made);
}

static void mutex(struct site *site, unsigned t, uint32_t index, bool get)
{
    thread_sync(site, t);
    if (get) {
        acquire_sync(site, &site->thread[t].view, MUTEX_KEY(index));
        return;
    }
    struct tf_release made = thread_release(site, t);
    release_sync(site, &made, MUTEX_KEY(index), true);
    tf_release_drop(&made);
}

/* Has an UNPACR read L1 where no word was ever written? */
static void unpacked(struct site *site, unsigned t, uint32_t pc)
{
    struct race_thread *thread = &site->thread[t];
    for (unsigned side = 0; side < 2; side++) {
        unsigned slot = SLOT_OF_UNIT(t, side);
        const struct who who = {
            .view = &thread->view,
            .own = {(int)slot, (int)slot},
            .trace = tf_trace_make(slot, 15, pc, time_of(site)),
        };
        if (thread->blank[side] != 0 && !thread->filled[side])
            found(site, TF_RACE_UNWRITTEN, thread->blank[side] - 1, 0, &who);
        thread->blank[side] = 0;
        thread->filled[side] = false;
    }
}

/* An instruction has used banks. An UNPACR has waited until the unpackers owned its bank. */
static void use_banks(struct site *site, unsigned t, uint32_t word, uint32_t pc)
{
    for (unsigned i = 0; i < 4 && site->clears_banks && word >> 24 == TF_OP_UNPACR; i++)
        if ((site->thread[t].banks >> i & 1) != 0 && site->bank[i / 2][i % 2].cleared != 0)
            acquire_sync(site, &site->thread[t].view, BANK_KEY(i / 2, i % 2, false));
    if (is_late(site))
        site->thread[t].banks = 0;
    else
        banks_used(site, t, word, pc);
}

static void passed(struct tf_check *check, unsigned t, uint32_t word, uint32_t pc, uint64_t cycle)
{
    struct site *site = site_of(check);
    uint32_t conditions;
    const uint16_t flags = tf_tensix_ops[word >> 24].flags;
    const enum tf_tensix_unit by = tf_tensix_ops[word >> 24].unit;
    dst_passed(&site->thread[t]);
    if (site->thread[t].block != 0)
        thread_waited(site, t, word);
    registers_passed(site, t, word, pc, cycle);
    if (by != TF_UNIT_MATRIX && by != TF_UNIT_VECTOR) /* these set none: for rows check-matmul and check-softmax */
        adcs_passed(site, t, word, pc);
    if ((flags & TF_TENSIX_SRCA) != 0)
        take_bank(site, t, TF_SRC_A);
    if ((flags & TF_TENSIX_SRCB) != 0)
        take_bank(site, t, TF_SRC_B);
    site->thread[t].released = 0;
    config_passed(site, t, word, pc); /* after the banks: the instruction has waited for them at the gate */
    tdma_passed(site, t, word, pc, cycle);
    bank_passed(site, t, word, pc);
    if (site->thread[t].banks != 0)
        use_banks(site, t, word, pc);
    switch (word >> 24) {
    case TF_OP_UNPACR: unpacked(site, t, pc); break;
    case TF_OP_STALLWAIT:
        wait_begins(&site->thread[t], TF_FIELD(word, STALLWAIT, stall_res), TF_FIELD(word, STALLWAIT, wait_res), 0);
        note_wait(&site->thread[t].waits, "STALLWAIT", 0, pc, time_of(site));
        break;
    case TF_OP_FLUSHDMA:
        conditions = TF_FIELD(word, FLUSHDMA, flush_spec);
        stalled(site, t, conditions != 0 ? conditions : TF_CONDITION_DEFAULT);
        break;
    case TF_OP_SEMWAIT:
        /* Without a condition it acts as a STALLWAIT. */
        wait_begins(&site->thread[t], TF_FIELD(word, SEMWAIT, stall_res), 0,
                    TF_FIELD(word, SEMWAIT, wait_sem_cond) == 0 ? 0 : TF_FIELD(word, SEMWAIT, sem_sel));
        note_wait(&site->thread[t].waits, "SEMWAIT", 0, pc, time_of(site));
        if (TF_FIELD(word, SEMWAIT, wait_sem_cond) != 0)
            semaphores_used(site, t, TF_FIELD(word, SEMWAIT, sem_sel), SEMAPHORE_WAITS, pc, cycle);
        break;
    case TF_OP_SEMINIT:
        semaphores(site, t, TF_FIELD(word, SEMINIT, sem_sel));
        semaphores_set(site, TF_FIELD(word, SEMINIT, sem_sel), TF_FIELD(word, SEMINIT, init_value));
        break;
    case TF_OP_SEMPOST:
        semaphores(site, t, TF_FIELD(word, SEMPOST, sem_sel));
        semaphores_used(site, t, TF_FIELD(word, SEMPOST, sem_sel), SEMAPHORE_POSTS, pc, cycle);
        break;
    case TF_OP_SEMGET:
        semaphores(site, t, TF_FIELD(word, SEMGET, sem_sel));
        semaphores_used(site, t, TF_FIELD(word, SEMGET, sem_sel), SEMAPHORE_GETS, pc, cycle);
        break;
    case TF_OP_ATGETM:
        mutex(site, t, TF_FIELD(word, ATGETM, mutex_index), true);
        note_wait(&site->thread[t].waits, "ATGETM", 0, pc, time_of(site));
        break;
    case TF_OP_ATRELM: mutex(site, t, TF_FIELD(word, ATRELM, mutex_index), false); break;
    default: break;
    }
}

void thread_idle(struct site *site, unsigned core, unsigned t)
{
    struct tf_view *view = &site->core[core].view;
    if (site->tile->tensix == NULL)
        return;
    thread_sync(site, t);
    tf_view_join(view, site->thread[t].view.clock);
    tf_view_learn(view, TF_ACTOR(site->number, SLOT_OF_PUSHED(t)), time_of(site));
    for (unsigned u = 0; u < UNITS; u++)
        tf_view_learn(view, TF_ACTOR(site->number, SLOT_OF_UNIT(t, u)), tf_trace_time(site->thread[t].last[u]));
}

void units_attach(struct site *site)
{
    site->check.unit = unit;
    site->check.unit_register = unit_register;
    site->check.passed = passed;
    site->check.handed = handed;
    site->check.moved = moved;
    site->check.moved_config = moved_config;
}
