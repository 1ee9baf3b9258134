/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of the coprocessor that are read before anything has written them: GPRs, LRegs, rows of Dst, SrcA and SrcB.
 * A row with other data than zeros has been written. An instruction reads many rows. One written row suffices, except
 * where the result is made from each of them.
 */
#include <string.h>

#include "host/extremes.h"
#include "races/tensix/dst.h"
#include "races/tensix/gprs.h"
#include "races/tensix/registers.h"
#include "races/tensix/semaphores.h"
#include "races/tensix/vector.h"
#include "races/state/state.h"
#include "tilefarm_address.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/src.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/state.h"
#include "tile/run/tile.h"

#define GPRS 64u
static const char *const what_reads[2][FILE_LREG + 1] = {
    {"instruction that reads this row of Dst", "instruction that reads this row of SrcA",
     "instruction that reads this row of SrcB", "instruction that reads this GPR", "instruction that reads this LReg"},
    {"load of this row of Dst", NULL, NULL, "load of this GPR", NULL},
};

/* Report a read of a register that nothing has written. by: a thread or a core, as in tf_check.rows(). */
static void blank_register(struct site *site, unsigned by, unsigned file, unsigned number, uint32_t pc, uint64_t cycle)
{
    bool core = by >= THREADS;
    unsigned slot = core ? SLOT_CORE + by - TF_CHECK_BY(0) : SLOT_OF_PUSHED(by);
    const struct who who = {
        .own = {(int)slot, (int)slot},
        .trace = tf_trace_make(slot, 15, pc, time_at(site, cycle)),
        .what = what_reads[core][file],
    };
    found(site, TF_RACE_REGISTER, number, 0, &who);
}

/* Does a value show that something has written it? */
static bool has_value(const struct site *site, const void *data, size_t bytes)
{
    const uint8_t *byte = data;
    return !site->all->strict && (byte[0] != 0 || memcmp(byte, byte + 1, bytes - 1) != 0);
}

/* A row of 32-bit data has its low halves in another row. */
static bool dst_row_written(const struct site *site, unsigned row)
{
    const struct tf_dst *dst = site->tile->tensix->dst;
    unsigned low = row ^ TF_DST_LOW_ROWS;
    return ((site->dst_written[row / 64] >> row % 64 | site->dst_written[low / 64] >> low % 64) & 1) != 0 ||
           tf_dst_is_undefined(dst, row) || has_value(site, dst->bits[row], sizeof dst->bits[row]) ||
           has_value(site, dst->bits[low], sizeof dst->bits[low]);
}

static bool src_row_written(const struct site *site, unsigned side, unsigned row)
{
    const uint32_t *datum = site->tile->tensix->src_data->datum[side][row / TF_SRC_ROWS][row % TF_SRC_ROWS];
    return (site->src_written[side][row / 64] >> row % 64 & 1) != 0 ||
           has_value(site, datum, TF_SRC_COLUMNS * sizeof *datum);
}

static bool row_written(const struct site *site, enum tf_check_file file, unsigned row)
{
    return file == TF_CHECK_DST ? dst_row_written(site, row) : src_row_written(site, file - TF_CHECK_SRCA, row);
}

/* Note the first of these rows that nothing has written, and whether something has written one. */
static __attribute__((noinline)) void find_blank(const struct site *site, struct read_rows *read,
                                                 enum tf_check_file file, unsigned first, unsigned count,
                                                 enum tf_check_use use)
{
    uint16_t *blank = use == TF_CHECK_NEEDS ? &read->needed : &read->blank;
    for (unsigned row = first; row < first + count; row++) {
        if (!row_written(site, file, row))
            *blank = *blank == 0 ? (uint16_t)(row + 1) : *blank;
        else if (use == TF_CHECK_READS)
            read->filled = true;
    }
}

/* Rows that lie in one word of the masks. */
static inline void use_rows(struct site *site, struct read_rows *read, enum tf_check_file file, unsigned first,
                            unsigned count, enum tf_check_use use)
{
    uint64_t *written = (file == TF_CHECK_DST ? site->dst_written : site->src_written[file - TF_CHECK_SRCA]) +
                        first / 64;
    const uint64_t mask = (count == 64 ? ~0ull : (1ull << count) - 1) << first % 64;
    if (use == TF_CHECK_WRITES)
        *written |= mask;
    else if (use == TF_CHECK_READS)
        read->filled |= (*written & mask) != 0;
    if (use != TF_CHECK_WRITES && (use == TF_CHECK_READS ? !read->filled : (*written & mask) != mask))
        find_blank(site, read, file, first, count, use);
}

static void rows(struct tf_check *check, unsigned by, enum tf_check_file file, unsigned first, unsigned count,
                 enum tf_check_use use)
{
    struct site *site = (struct site *)check;
    if (file == TF_CHECK_DST && by < THREADS)
        dst_used(site, by, first, count, use == TF_CHECK_WRITES || use == TF_CHECK_CHANGES);
    else if (file == TF_CHECK_DST)
        dst_used_by_core(site, by - TF_CHECK_BY(0), first, use == TF_CHECK_WRITES);
    else if (by < THREADS)
        site->thread[by].banks |= (uint8_t)(1u << (2 * (file - TF_CHECK_SRCA) + first / TF_SRC_ROWS));
    if (use != TF_CHECK_WRITES)
        site->read_some |= (uint8_t)(1u << by);
    for (unsigned some; count != 0; first += some, count -= some) {
        some = tf_min(count, 64 - first % 64);
        if (use == TF_CHECK_CHANGES)
            use_rows(site, &site->read_rows[by][file], file, first, some, TF_CHECK_READS);
        use_rows(site, &site->read_rows[by][file], file, first, some, use == TF_CHECK_CHANGES ? TF_CHECK_WRITES : use);
    }
}

static void report_rows(struct site *site, unsigned by, uint32_t pc, uint64_t cycle)
{
    if ((site->read_some >> by & 1) == 0)
        return;
    site->read_some &= (uint8_t) ~(1u << by);
    for (unsigned file = 0; file < TF_CHECK_FILES; file++) {
        struct read_rows *read = &site->read_rows[by][file];
        unsigned blank = read->needed != 0 ? read->needed : read->filled ? 0 : read->blank;
        if (blank != 0)
            blank_register(site, by, file, blank - 1, pc, cycle);
        *read = (struct read_rows){.blank = 0};
    }
}

static uint64_t bit(unsigned number)
{
    return 1ull << (number % GPRS);
}

void use_registers(struct site *site, unsigned t, unsigned file, struct uses uses, uint64_t *written, uint32_t pc,
                   uint64_t cycle)
{
    for (uint64_t blank = uses.reads & ~*written; blank != 0; blank &= blank - 1)
        blank_register(site, t, file, (unsigned)__builtin_ctzll(blank), pc, cycle);
    *written |= uses.writes;
}

/* An instruction reads GPRs, and may have overtaken its core's stores to them (MemoryOrdering.md). */
static void overtake_stores(struct site *site, unsigned t, uint64_t reads, uint32_t pc, uint64_t cycle)
{
    const struct race_core *of = &site->core[TF_CORE_T0 + t];
    const unsigned slot = SLOT_OF_PUSHED(t);
    if ((reads & of->gprs) == 0)
        return;
    const struct who who = {
        .view = &site->thread[t].view,
        .own = {(int)slot, (int)slot},
        .trace = tf_trace_make(slot, 15, pc, time_at(site, cycle)),
    };
    for (uint64_t answered = reads & of->gprs; answered != 0; answered &= answered - 1) {
        const unsigned gpr = (unsigned)__builtin_ctzll(answered), core = TF_CORE_T0 + t;
        const uint32_t address = TF_GPR_BASE + gpr * 4;
        const tf_trace store = tf_trace_make(SLOT_STORES + core, TF_WORD_BYTES, of->gpr_pc[gpr], of->gpr_time[gpr]);
        /* Was the instruction pushed before the store, and has it not started when the core stores? */
        const struct who second = {
            .view = &of->view,
            .own = {(int)(SLOT_CORE + core), (int)(SLOT_STORES + core)},
            .trace = store,
            .write = true,
        };
        if (tf_trace_time(who.trace) < of->gpr_time[gpr])
            found(site, TF_RACE_DATA, address, who.trace, &second);
        else
            found(site, TF_RACE_OVERTAKEN, address, store, &who);
    }
}

void registers_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc, uint64_t cycle)
{
    const struct tf_tensix *tensix = site->tile->tensix;
    unsigned opcode = word >> 24;
    report_rows(site, t, pc, cycle);
    if (opcode == TF_OP_ZEROACC && tensix->dst != NULL)
        for (unsigned i = 0; i < TF_DST_ROWS / 64; i++)
            site->dst_written[i] |= tensix->dst->undefined[i];
    if (opcode >= TF_OP_SFPLOAD && opcode < TF_OP_SFPLOAD + TF_SFPU_OPCODES) {
        lregs_passed(site, t, word, pc, cycle);
    } else {
        site->thread[t].late.trace = 0;
        /* As for rows, one written GPR suffices for an operand of several GPRs. */
        const struct tf_gpr_uses uses = tf_gpr_uses(word);
        if ((uses.reads | uses.writes) == 0)
            return;
        use_registers(site, t, FILE_GPR, (struct uses){uses.reads, uses.writes}, &site->gprs_written[t], pc, cycle);
        overtake_stores(site, t, uses.reads | uses.others, pc, cycle);
        gprs_passed(site, t, &uses, pc, cycle);
    }
}

/* A post or a get changes none of these semaphores, perhaps. */
static void unchanged(struct site *site, uint32_t mask, bool post, struct who who)
{
    who.what = post ? "post of a semaphore that may be at 15" : "get of a semaphore that may be at 0";
    who.fix = post ? "at 15 a post changes nothing, and is lost: wait before it until the semaphore is lower, by a "
                     "SEMWAIT on its maximum or by a loop"
                   : "at 0 a get changes nothing, and the semaphore stays too high: wait before it until the semaphore "
                     "is not 0, by a SEMWAIT or by a loop";
    for (; mask != 0; mask &= mask - 1)
        found(site, TF_RACE_SEMAPHORE, (unsigned)__builtin_ctz(mask), 0, &who);
}

/* No page says what a semaphore holds before SEMINIT (SyncUnit.md). One SEMINIT mends all uses, so the first one is
   reported. */
static void unset(struct site *site, uint32_t mask, struct who who)
{
    who.fix = "execute SEMINIT before the semaphore is used: its value and its maximum are undefined when the chip "
              "starts";
    for (uint32_t blank = mask & ~(uint32_t)site->semaphores_set; blank != 0; blank &= blank - 1)
        found(site, TF_RACE_REGISTER, (unsigned)__builtin_ctz(blank), 0, &who);
    site->semaphores_set |= (uint8_t)mask;
}

void semaphores_set(struct site *site, uint32_t mask, uint32_t value)
{
    site->semaphores_set |= (uint8_t)mask;
    semaphores_begin(site, mask, (int32_t)value);
}

void semaphores_used(struct site *site, unsigned t, uint32_t mask, enum semaphore_use use, uint32_t pc, uint64_t cycle)
{
    const unsigned slot = SLOT_OF_PUSHED(t);
    const struct who who = {.own = {(int)slot, (int)slot},
                            .trace = tf_trace_make(slot, TF_WORD_BYTES, pc, time_at(site, cycle)),
                            .what = "instruction that uses this semaphore of the coprocessor"};
    const struct semaphore_user user = {&site->thread[t].view, slot, time_at(site, site->tile->cycle)};
    unset(site, mask, who);
    if (use != SEMAPHORE_WAITS)
        unchanged(site, semaphores_change(site, &user, mask, use == SEMAPHORE_POSTS), use == SEMAPHORE_POSTS, who);
}

void semaphore_stored(struct site *site, unsigned core, uint32_t pc, uint32_t address, uint32_t value)
{
    const uint32_t mask = 1u << (address - TF_SEMAPHORE_BASE) / 4, time = core_time(site, core);
    const uint64_t store = site->tile->hart[core].instret + 1;
    const struct who who = {.own = {(int)core, (int)core},
                            .trace = tf_trace_make(SLOT_CORE + core, TF_WORD_BYTES, pc, time),
                            .what = "store to this semaphore of the coprocessor"};
    const struct semaphore_user user = {&site->core[core].view, SLOT_CORE + core, time};
    if (site->semaphore_store[core] == store) /* it has waited for the coprocessor, and comes again */
        return;
    site->semaphore_store[core] = store;
    unset(site, mask, who);
    unchanged(site, semaphores_change(site, &user, mask, (value & 1) == 0), (value & 1) == 0, who);
}

void gpr_written(struct site *site, unsigned core, uint32_t address)
{
    unsigned index = (address - TF_GPR_BASE) / 4, t = core == TF_CORE_B ? index / GPRS : core - TF_CORE_T0;
    if (t < THREADS)
        site->gprs_written[t] |= bit(index);
}

void register_loaded(struct site *site, unsigned core, uint32_t pc, uint32_t address)
{
    uint64_t cycle = site->tile->hart[core].cycle;
    if (core >= TF_CORE_T0 && address >= TF_GPR_BASE && address < TF_GPR_BASE + GPRS * 4) {
        unsigned index = (address - TF_GPR_BASE) / 4;
        if ((site->gprs_written[core - TF_CORE_T0] & bit(index)) == 0)
            blank_register(site, TF_CHECK_BY(core), FILE_GPR, index, pc, cycle);
    } else if (core >= TF_CORE_T0) {
        report_rows(site, TF_CHECK_BY(core), pc, cycle);
    }
}

void registers_attach(struct site *site)
{
    site->check.rows = rows;
    vector_attach(site);
}
