/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of Dst that units use for several threads, and banks of SrcA and SrcB that instructions write, clear or give
 * away without a wait (SrcASrcB.md).
 *
 * An instruction passes the gate, and is then in the pipeline of its unit for some cycles. STALLWAIT waits for that:
 * "the current thread has an instruction in any stage of the pipeline" (BlackholeA0/.../STALLWAIT.md, C1 to C4, C11).
 * A unit serves its instructions in order, so two of them need no wait, but the second must know that the first has
 * passed the gate. Instructions of one thread are not checked against each other, but for SFPLOADs.
 */
#include "races/tensix/dst.h"

#include <stdlib.h>

#include "host/extremes.h"
#include "races/state/state.h"
#include "races/state/unanswered.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/srcbanks.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tile/run/tile.h"

#define THREAD_OF(slot) (((slot)-SLOT_UNIT) / UNITS)
#define UNIT_OF(slot) (((slot)-SLOT_UNIT) % UNITS)

static const char unit_busy[] = "the unit may still be at work: before it tells the other thread, the first thread "
                                "executes a STALLWAIT on the unit, which blocks the instruction that tells";
static const char nothing_told[] =
    "order the two threads by a semaphore of the coprocessor: SEMPOST or SEMGET after the "
    "first access, SEMWAIT before the second";

/* The unit of an instruction that uses Dst; UNITS: it does not. */
static unsigned unit_of(uint32_t word)
{
    switch (tf_tensix_ops[word >> 24].unit) {
    case TF_UNIT_MATRIX: return UNIT_MATRIX;
    case TF_UNIT_VECTOR: return UNIT_VECTOR;
    case TF_UNIT_PACK: return TF_CHECK_PACKER;
    case TF_UNIT_UNPACK: return TF_CHECK_UNPACKER_0;
    default: return UNITS;
    }
}

/* Does a thread know that another one's access has passed the gate? */
static bool knows_passed(const struct site *site, unsigned t, tf_trace before)
{
    const unsigned other = THREAD_OF(tf_trace_slot(before));
    return tf_view_knows(&site->thread[t].view, TF_ACTOR(site->number, SLOT_OF_PUSHED(other)), tf_trace_time(before));
}

/* Does a thread know that the unit has finished another one's access? The clock is asked once for many accesses. */
static bool knows_done(struct site *site, unsigned t, tf_trace before)
{
    const unsigned slot = tf_trace_slot(before);
    uint32_t *done = &site->thread[t].done[slot - SLOT_UNIT];
    *done = tf_view_time(&site->thread[t].view, TF_ACTOR(site->number, slot));
    return *done >= tf_trace_time(before);
}

static const char core_early[] = "the unit may still be at work: a core uses Dst after it has waited until the thread "
                                 "is idle (tf_tt_wait_idle()), or for a semaphore that follows a STALLWAIT on the unit";
static const char core_late[] = "the core may be later than the instruction: it pushes the instruction, or tells its "
                                "thread, after it has used Dst";

/* How the report names an access of a unit. */
static const char *name_of(unsigned unit, bool write)
{
    static const char *const name[UNITS][2] = {
        [TF_CHECK_UNPACKER_0] = {NULL, "unpacker 0, write of Dst"},
        [TF_CHECK_PACKER] = {"packer, read of Dst", NULL},
        [UNIT_MATRIX] = {"matrix unit, read of Dst", "matrix unit, write of Dst"},
        [UNIT_VECTOR] = {"vector unit, read of Dst", "vector unit, write of Dst"},
    };
    return unit == UNITS ? NULL : name[unit][write];
}

/* An earlier access of another thread's instruction. */
static void meet(struct site *site, unsigned t, struct who *who, unsigned row, tf_trace before, bool wrote)
{
    const unsigned slot = tf_trace_slot(before), own = tf_trace_slot(who->trace);
    if (knows_done(site, t, before))
        return;
    const bool passed = knows_passed(site, t, before);
    if (passed && UNIT_OF(slot) == UNIT_OF(own))
        return;
    who->before = name_of(UNIT_OF(slot), wrote);
    who->fix = passed ? unit_busy : nothing_told;
    found(site, TF_RACE_DATA, row, before, who);
}

/* Is it an access for another thread, and must this thread still learn that it has finished? Most are not. */
static inline bool is_open(const struct site *site, unsigned t, tf_trace before)
{
    const unsigned slot = tf_trace_slot(before);
    return before != 0 && slot - SLOT_OF_UNIT(t, 0) >= UNITS &&
           site->thread[t].done[slot - SLOT_UNIT] < tf_trace_time(before);
}

/* An access meets earlier ones of other threads. Apart from dst_used(), for the rows check-matmul and check-softmax. */
static __attribute__((noinline)) void meet_others(struct site *site, unsigned t, unsigned unit, unsigned row,
                                                  tf_trace own, const struct tf_cell *cell, bool write)
{
    const int slot = (int)tf_trace_slot(own);
    struct who who = {
        .view = &site->thread[t].view, .own = {slot, slot}, .trace = own, .write = write, .what = name_of(unit, write)};
    const tf_trace met[3] = {cell->write, write ? cell->read[0] : 0, write ? cell->read[1] : 0};
    thread_sync(site, t);
    for (unsigned i = 0; i < 3; i++)
        if (is_open(site, t, met[i]))
            meet(site, t, &who, row, met[i], i == 0);
}

void dst_passed(struct race_thread *thread)
{
    thread->newest = (uint8_t)((thread->newest + 1) % FRESH);
    thread->fresh[thread->newest] = 0;
}

/* An SFPLOAD meets a write of the matrix unit for its own thread. */
static void load_fresh(struct site *site, unsigned t, unsigned row, tf_trace own, tf_trace written)
{
    const struct race_thread *thread = &site->thread[t];
    const int slot = (int)tf_trace_slot(own);
    const struct who who = {
        .own = {slot, slot},
        .trace = own,
        .what = name_of(UNIT_VECTOR, false),
        .before = name_of(UNIT_MATRIX, true),
        .fix = "the matrix unit may not have written the rows of Dst yet: put three other instructions before the "
               "SFPLOAD, or a STALLWAIT on the matrix unit, which blocks the vector unit",
    };
    bool fresh = false;
    for (unsigned i = 0; i < FRESH; i++)
        fresh = fresh || thread->fresh[i] == written;
    if (!fresh)
        return;
    thread_sync(site, t);
    if (!knows_done(site, t, written))
        found(site, TF_RACE_SCHEDULE, row, written, &who);
}

/* The accesses to a group of rows by cores; NULL: the host has no memory. */
static struct dst_by_cores *by_cores(struct site *site, unsigned row)
{
    if (site->dst_by_cores == NULL)
        site->dst_by_cores = calloc(TF_DST_ROWS / DST_GROUP, sizeof *site->dst_by_cores);
    site->lost |= site->dst_by_cores == NULL;
    return site->dst_by_cores == NULL ? NULL : &site->dst_by_cores[row / DST_GROUP];
}

static const char *core_name(bool write)
{
    return write ? "store to Dst" : "load of Dst";
}

void dst_used_by_core(struct site *site, unsigned core, unsigned row, bool write)
{
    const struct tf_hart *hart = &site->tile->hart[core];
    const struct tf_cell none = {.write = 0}, *cell = site->dst == NULL ? &none : &site->dst[row / DST_GROUP];
    const tf_trace met[3] = {cell->write, write ? cell->read[0] : 0, write ? cell->read[1] : 0};
    struct dst_by_cores *last = by_cores(site, row);
    struct who who = {
        .view = known_at(site, core, hart->pc),
        .answered = &site->core[core].view,
        .own = {(int)(SLOT_CORE + core), (int)(SLOT_STORES + core)},
        .trace = tf_trace_make((write ? SLOT_STORES : SLOT_CORE) + core, TF_WORD_BYTES, hart->pc,
                               time_at(site, hart->cycle)),
        .write = write,
        .what = core_name(write),
        .fix = core_early,
    };
    for (unsigned i = 0; i < 3; i++) {
        const unsigned slot = tf_trace_slot(met[i]);
        if (met[i] == 0 || tf_view_knows(who.view, TF_ACTOR(site->number, slot), tf_trace_time(met[i])))
            continue;
        who.before = name_of(UNIT_OF(slot), i == 0);
        found(site, TF_RACE_DATA, row, met[i], &who);
    }
    if (last != NULL)
        *(write ? &last->write : &last->read) = who.trace;
}

/* An access of a thread's unit meets earlier ones of cores. */
static void meet_cores(struct site *site, unsigned t, unsigned unit, unsigned row, tf_trace own, bool write)
{
    struct dst_by_cores *last = &site->dst_by_cores[row / DST_GROUP];
    const int slot = (int)tf_trace_slot(own);
    struct who who = {.view = &site->thread[t].view,
                      .own = {slot, slot},
                      .trace = own,
                      .write = write,
                      .what = name_of(unit, write),
                      .fix = core_late};
    const tf_trace met[2] = {last->write, write ? last->read : 0};
    for (unsigned i = 0; i < 2; i++) {
        const unsigned core = tf_trace_slot(met[i]) % SLOT_STORES;
        if (met[i] == 0)
            continue;
        thread_sync(site, t);
        if (tf_view_knows(who.view, TF_ACTOR(site->number, SLOT_CORE + core), tf_trace_time(met[i])))
            continue;
        who.before = core_name(i == 0);
        found(site, TF_RACE_DATA, row, met[i], &who);
    }
    if (write)
        *last = (struct dst_by_cores){.write = 0};
}

void dst_used(struct site *site, unsigned t, unsigned first, unsigned count, bool write)
{
    const struct tf_gate *gate = &site->tile->tensix->thread[t].gate;
    const unsigned unit = unit_of(gate->word), slot = SLOT_OF_UNIT(t, unit);
    if (unit == UNITS)
        return;
    if (site->dst == NULL && (site->dst = calloc(TF_DST_ROWS / DST_GROUP, sizeof *site->dst)) == NULL) {
        site->lost = true;
        return;
    }
    const tf_trace own = tf_trace_make(slot, TF_WORD_BYTES, gate->pc, time_at(site, site->tile->cycle));
    site->thread[t].last[unit] = own;
    if (unit == UNIT_MATRIX && write && gate->word >> 24 != TF_OP_ZEROACC)
        site->thread[t].fresh[site->thread[t].newest] = own;
    for (unsigned row = first; row < first + count; row = (row / DST_GROUP + 1) * DST_GROUP) {
        struct tf_cell *cell = &site->dst[row / DST_GROUP];
        if (site->dst_by_cores != NULL)
            meet_cores(site, t, unit, row, own, write);
        if (is_open(site, t, cell->write) ||
            (write && (is_open(site, t, cell->read[0]) || is_open(site, t, cell->read[1]))))
            meet_others(site, t, unit, row, own, cell, write);
        if (unit == UNIT_VECTOR && !write && tf_trace_slot(cell->write) == SLOT_OF_UNIT(t, UNIT_MATRIX))
            load_fresh(site, t, row, own, cell->write);
        if (write)
            *cell = (struct tf_cell){.write = own};
        else
            cell->read[cell->read[0] != 0 && tf_trace_slot(cell->read[0]) != slot] = own;
    }
}

/*
 * MOVD2A and MOVD2B do "not automatically wait at the Wait Gate to ensure that" the matrix unit owns the bank
 * (WormholeB0/.../MOVD2B.md). So the thread must know that its giver has given it, by STALLWAIT or in another way.
 */
static const char bank_unknown[] = "the matrix unit may not own the bank yet: first execute a STALLWAIT on the bank "
                                   "(C7 for SrcA, C8 for SrcB; Wormhole: C10, C11), which blocks the matrix unit";

/* The side whose bank an instruction writes without a wait. */
static bool writes_unasked(uint32_t word, unsigned *side)
{
    *side = word >> 24 == TF_OP_MOVD2B ? TF_SRC_B : TF_SRC_A;
    return word >> 24 == TF_OP_MOVD2A || word >> 24 == TF_OP_MOVD2B;
}

static struct who bank_who(const struct site *site, unsigned t, tf_trace trace, const char *what, const char *fix)
{
    const unsigned slot = tf_trace_slot(trace);
    return (struct who){
        .view = &site->thread[t].view,
        .own = {(int)slot, (int)slot},
        .trace = trace,
        .write = true,
        .what = what,
        .fix = fix,
    };
}

static const char gives[] = "pushed instruction, gives a bank of SrcA or SrcB";

static bool is_ordered_bank(const struct site *site, unsigned t, tf_trace before)
{
    const unsigned slot = tf_trace_slot(before);
    return before == 0 || slot == SLOT_OF_PUSHED(t) ||
           tf_view_knows(&site->thread[t].view, TF_ACTOR(site->number, slot), tf_trace_time(before));
}

void bank_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc)
{
    unsigned side;
    if (!writes_unasked(word, &side))
        return;
    const unsigned bank = site->tile->tensix->src->matrix_bank[side];
    struct bank_use *use = &site->bank[side][bank];
    const tf_trace own = tf_trace_make(SLOT_OF_PUSHED(t), TF_WORD_BYTES, pc, time_at(site, site->tile->cycle));
    thread_sync(site, t);
    const struct who who = bank_who(site, t, own, "pushed instruction, writes a bank of SrcA or SrcB", bank_unknown);
    if (!is_ordered_bank(site, t, use->given))
        found(site, TF_RACE_DATA, bank * TF_SRC_ROWS, use->given, &who);
    use->given = 0; /* one report suffices */
    use->moved = own;
}

void bank_given(struct site *site, unsigned t, unsigned side, unsigned bank)
{
    struct bank_use *use = &site->bank[side][bank];
    const struct tf_gate *gate = &site->tile->tensix->thread[t].gate;
    use->given = tf_trace_make(SLOT_OF_PUSHED(t), TF_WORD_BYTES, gate->pc, time_at(site, site->tile->cycle));
    const struct who who = bank_who(site, t, use->given, gives, bank_unknown);
    if (!is_ordered_bank(site, t, use->moved))
        found(site, TF_RACE_DATA, bank * TF_SRC_ROWS, use->moved, &who);
    use->moved = 0;
}

static const char uses[] = "pushed instruction, uses a bank of SrcA or SrcB";
static const char clears[] = "pushed instruction, clears a bank of SrcA or SrcB";
static const char bank_in_use[] =
    "another thread may use the bank before or after: order the two threads by a semaphore "
    "of the coprocessor, or first execute a STALLWAIT on the bank";

static void report_bank(struct site *site, unsigned t, tf_trace own, const char *what, tf_trace before,
                        const char *earlier)
{
    struct who who = bank_who(site, t, own, what, bank_in_use);
    who.before = earlier;
    found(site, TF_RACE_DATA, 0, before, &who);
}

/* Note a thread's last use of banks at each of them. */
static void note_use(struct site *site, unsigned t)
{
    struct race_thread *thread = &site->thread[t];
    for (unsigned banks = thread->last_use.banks; banks != 0; banks &= banks - 1) {
        const unsigned i = (unsigned)__builtin_ctz(banks);
        const unsigned slot = thread->last_use.unpacks ? SLOT_OF_UNIT(t, i / 2) : SLOT_OF_PUSHED(t);
        site->bank[i / 2][i % 2].used[t] = tf_trace_make(slot, TF_WORD_BYTES, thread->last_use.pc,
                                                         thread->last_use.time);
    }
    thread->last_use.banks = 0;
}

/* An instruction of a thread changes a bank for all: it meets the last uses by other threads. matrix_only: those that
   unpackers have made are in order. */
static void meet_uses(struct site *site, unsigned t, struct bank_use *use, tf_trace own, const char *what,
                      bool matrix_only)
{
    for (unsigned other = 0; other < THREADS; other++) {
        note_use(site, other);
        const bool unpacked = tf_trace_slot(use->used[other]) != SLOT_OF_PUSHED(other);
        if (other == t || use->used[other] == 0 || (unpacked && matrix_only))
            continue;
        if (!is_ordered_bank(site, t, use->used[other]))
            report_bank(site, t, own, what, use->used[other], uses);
        if (!matrix_only)
            use->used[other] = 0;
    }
}

/* A bank is cleared, or has been cleared by another thread. Apart from banks_used(), for the row check-matmul. */
static __attribute__((noinline)) void meet_clear(struct site *site, unsigned t, struct bank_use *use, tf_trace own,
                                                 bool clearing)
{
    const tf_trace cleared = use->cleared;
    thread_sync(site, t);
    if (clearing) {
        meet_uses(site, t, use, own, clears, false);
        use->cleared = tf_trace_make(SLOT_OF_PUSHED(t), TF_WORD_BYTES, tf_trace_pc(own), tf_trace_time(own));
    } else if (tf_trace_slot(cleared) != SLOT_OF_PUSHED(t)) {
        if (!is_ordered_bank(site, t, cleared))
            report_bank(site, t, own, uses, cleared, clears);
        use->cleared = 0;
    }
}

void banks_used(struct site *site, unsigned t, uint32_t word, uint32_t pc)
{
    struct race_thread *thread = &site->thread[t];
    const bool unpacks = tf_tensix_ops[word >> 24].unit == TF_UNIT_UNPACK;
    const bool clearing = word >> 24 == TF_OP_ZEROSRC || word >> 24 == TF_OP_UNPACR_NOP;
    if (thread->last_use.banks != thread->banks || thread->last_use.unpacks != unpacks)
        note_use(site, t);
    thread->last_use.banks = thread->banks;
    thread->last_use.unpacks = unpacks;
    thread->last_use.pc = pc;
    thread->last_use.time = time_at(site, site->tile->cycle);
    site->clears_banks |= clearing;
    for (unsigned banks = site->clears_banks ? thread->banks : 0; banks != 0; banks &= banks - 1) {
        const unsigned i = (unsigned)__builtin_ctz(banks);
        struct bank_use *use = &site->bank[i / 2][i % 2];
        if (clearing || use->cleared != 0)
            meet_clear(site, t, use,
                       tf_trace_make(unpacks ? SLOT_OF_UNIT(t, i / 2) : SLOT_OF_PUSHED(t), TF_WORD_BYTES, pc,
                                     thread->last_use.time),
                       clearing);
    }
    thread->banks = 0;
}

void bank_returned(struct site *site, unsigned t, unsigned side, unsigned bank)
{
    const uint32_t pc = site->tile->tensix->thread[t].gate.pc;
    meet_uses(site, t, &site->bank[side][bank],
              tf_trace_make(SLOT_OF_PUSHED(t), TF_WORD_BYTES, pc, time_at(site, site->tile->cycle)), gives, true);
}
