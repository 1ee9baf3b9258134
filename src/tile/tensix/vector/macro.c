/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SFPLOADMACRO and its schedule (BlackholeA0 TensixCoprocessor/SFPLOADMACRO.md). While the schedule is not empty, the
 * vector unit runs cycle by cycle. Instructions read the registers as they were at the start of their cycle. Results
 * are visible from the next cycle on, those of two-cycle instructions one cycle later.
 */
#include "tile/tensix/vector/macro.h"

#include <stdlib.h>
#include <string.h>

#include "tile/tensix/data/rwc.h"
#include "tile/tensix/data/dst.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/data/report.h"
#include "tile/tensix/frontend/dispatch.h"
#include "tile/tensix/frontend/gate_fault.h"
#include "tile/tensix/isa/family.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/frontend/state.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/flags.h"
#include "tile/tensix/vector/place.h"
#include "tile/tensix/vector/single.h"
#include "tile/tensix/vector/schedule.h"
#include "tile/tensix/vector/clash.h"
#include "host/vectors.h"
#include "tile/hash.h"
#include "tile/tensix/vector/set.h"

/* Registers */

/* Registers that an instruction may write in some lane. SFPCONFIG writes others, too, but immediately. */
static uint32_t rows_written(const struct tf_scheduled *what)
{
    return tf_sfpu_uses(what->word, what->vd, what->vb, what->vc).may_write & TF_LREGS_WRITABLE;
}

/* The enabled lanes in which an instruction writes a register. */
static uint32_t lanes_written(const struct tf_vector *vector, const struct tf_scheduled *what, unsigned row,
                              uint32_t lanes)
{
    uint32_t written = 0;
    if (!tf_sfpu_is_indirect(what->word, what->vd))
        return lanes;
    for (unsigned lane = 0; lane < TF_LANES; lane++)
        if ((vector->lreg[TF_LREG_INDEX][lane] & 15) == row)
            written |= lanes & 1u << lane;
    return written;
}

static void take(const struct tf_vector *vector, uint32_t rows, uint32_t to[TF_LREGS][TF_LANES])
{
    for (; rows != 0; rows &= rows - 1) {
        unsigned row = (unsigned)__builtin_ctz(rows);
        memcpy(to[row], vector->lreg[row], sizeof vector->lreg[row]);
    }
}

static void merge_row(uint32_t *row, const uint32_t *value, uint32_t lanes)
{
    if (lanes == TF_ALL_LANES) {
        memcpy(row, value, TF_LANES * sizeof *row);
        return;
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        row[lane] = value[lane];
    }
}

static void deliver(struct tf_tile *tile, struct tf_vector *vector, struct tf_macro_results *results)
{
    tf_macro_tell_results(tile, results->rows);
    for (uint32_t rows = results->rows; rows != 0; rows &= rows - 1) {
        unsigned row = (unsigned)__builtin_ctz(rows);
        merge_row(vector->lreg[row], results->value[row], results->lanes[row]);
        results->lanes[row] = 0;
    }
    results->rows = 0;
}

/* Moves the values written to `rows` into *results, and restores the registers. */
static void keep_result(struct tf_vector *vector, const struct tf_scheduled *what, uint32_t rows, uint32_t lanes,
                        uint32_t before[TF_LREGS][TF_LANES], struct tf_macro_results *results)
{
    results->rows |= rows;
    for (; rows != 0; rows &= rows - 1) {
        unsigned row = (unsigned)__builtin_ctz(rows);
        uint32_t written = lanes_written(vector, what, row, lanes);
        results->lanes[row] |= written;
        merge_row(results->value[row], vector->lreg[row], written);
        memcpy(vector->lreg[row], before[row], sizeof vector->lreg[row]);
    }
}

/* Execution */

static void run_kernel(struct tf_tile *tile, struct tf_vector *vector, const struct tf_scheduled *what,
                       struct tf_macro_results *results)
{
    uint32_t before[TF_LREGS][TF_LANES], rows = rows_written(what);
    uint32_t lanes = what->word >> 24 == TF_OP_SFPMOV && (what->word & 15) == 2 ? vector->acting
                                                                                : tf_lanes_enabled(vector);
    if (tf_sfpu_refuses(tile, what->thread, vector, what->word, what->vd))
        return;
    take(vector, rows, before);
    vector->kernels->kernel[tf_sfpu_op(what->word)->kernel](vector, what->word, what->vd, what->vb, what->vc);
    keep_result(vector, what, rows, lanes, before, results);
}

/* SFPSWAP's first cycle only compares. Its second cycle swaps the registers' values of that cycle. */
static void finish_swap(struct tf_vector *vector, const struct tf_macro_swap *swap, struct tf_macro_results *results)
{
    uint32_t before[TF_LREGS][TF_LANES];
    struct tf_scheduled what = swap->what;
    what.word &= ~15u;
    uint32_t rows = (1u << what.vd | 1u << what.vc) & 0xFF;
    if (vector->mask.dest_index != 0)
        rows |= 0x10u << (what.vd & 3) | 0x10u << (what.vc & 3);
    uint32_t use = vector->lane.use;
    vector->lane.use = 0;
    vector->acting = swap->lanes;
    take(vector, rows, before);
    vector->kernels->kernel[TF_KERNEL_SFPSWAP](vector, what.word, what.vd, what.vb, what.vc);
    keep_result(vector, &what, rows, swap->lanes, before, results);
    vector->acting = TF_ALL_LANES;
    vector->lane.use = use;
}

static void execute_one(struct tf_tile *tile, struct tf_vector *vector, const struct tf_scheduled *what, bool scheduled)
{
    struct tf_macro_schedule *schedule = vector->schedule;
    unsigned unit = tf_sfpu_op(what->word)->unit;
    tf_macro_tell(tile, what, scheduled);
    vector->acting = tf_column_lanes(what->columns);
    if (what->word >> 24 == TF_OP_SFPSTORE) {
        struct tf_sfpu_place place = {what->address, tf_sfpu_format(tile, what->thread, what->mod0)};
        tf_sfpu_store(tile, what->thread, vector, place, what->vd);
    } else if (what->word >> 24 == TF_OP_SFPSWAP) {
        uint32_t lanes = vector->kernels->lanes_to_swap(vector, what->word, what->vc, what->vb);
        if (lanes != 0)
            schedule->swap[schedule->swaps++] = (struct tf_macro_swap){*what, lanes};
    } else if (what->word >> 24 != TF_OP_SFPNOP) {
        run_kernel(tile, vector, what, &schedule->present[unit]);
    }
    vector->acting = TF_ALL_LANES;
}

static void execute_due(struct tf_tile *tile, struct tf_vector *vector, unsigned unit)
{
    struct tf_macro_schedule *schedule = vector->schedule;
    struct tf_macro_slot *due = tf_macro_slot(schedule, unit, 0);
    if (tf_macro_due(schedule, unit) == 0)
        return;
    for (unsigned i = 0; i < due->entries; i++)
        if (due->entry[i].columns != 0)
            execute_one(tile, vector, &due->entry[i], true);
    due->entries = 0;
    schedule->used[unit] &= ~0xFFull;
    schedule->counted[unit] &= ~0xFFull;
}

static bool any_counted(const struct tf_macro_schedule *schedule)
{
    return (schedule->counted[0] | schedule->counted[1] | schedule->counted[2] | schedule->counted[3]) != 0;
}

static void count_down(struct tf_macro_schedule *schedule)
{
    for (unsigned unit = 0; unit < TF_MACRO_UNITS; unit++) {
        schedule->used[unit] >>= 8;
        schedule->counted[unit] >>= 8;
    }
    schedule->base = (schedule->base + 1) % TF_MACRO_DELAYS;
}

/* The instruction that a thread issues in this cycle. */
struct issued {
    uint32_t word;
    unsigned thread;
    bool macro; /* it is an SFPLOADMACRO */
    struct tf_sfpu_place place;
};

static struct tf_scheduled description_of(const struct tf_tile *tile, const struct issued *issued)
{
    const struct tf_sfpu_op *op = tf_sfpu_op(issued->word);
    return (struct tf_scheduled){
        .word = issued->word,
        .pc = tile->tensix->thread[issued->thread].gate.pc,
        .vd = (uint8_t)tf_sfpu_vd(op->registers, issued->word),
        .vb = (uint8_t)tf_sfpu_vb(op->registers, issued->word),
        .vc = (uint8_t)tf_sfpu_vc(op->registers, issued->word),
        .columns = 0xFF,
        .thread = (uint8_t)issued->thread,
    };
}

/* A load, or an SFPLOADMACRO, is about to read Dst at a place; SFPLOADI has no place. */
static void tell_load(struct tf_tile *tile, const struct issued *issued, unsigned vd, const struct tf_sfpu_place *place)
{
    if (__builtin_expect(!tf_reports_all(tile), 1))
        return;
    struct tf_scheduled what = description_of(tile, issued);
    what.address = place == NULL ? 0 : (uint16_t)place->address;
    tf_macro_tell_early(tile, &what, 0, vd < 8 ? 1u << vd : 0, place != NULL);
}

/* The place of a plain load is computed twice, because computing it may move a stack pointer (INT32_ALL). */
static void tell_plain_load(struct tf_tile *tile, const struct issued *issued, unsigned vd)
{
    if (__builtin_expect(!tf_reports_all(tile), 1))
        return;
    const uint16_t pointer = tile->tensix->vector->stack_pointer[issued->thread];
    const bool places = issued->word >> 24 == TF_OP_SFPLOAD;
    const struct tf_sfpu_place place = places ? tf_sfpu_place(tile, issued->thread, issued->word, true)
                                              : (struct tf_sfpu_place){0, 0};
    tile->tensix->vector->stack_pointer[issued->thread] = pointer;
    tell_load(tile, issued, vd, places ? &place : NULL);
}

/* A load reads Dst before a store of the same cycle writes it. The loaded data are results of the cycle. */
static void issue_load(struct tf_tile *tile, struct tf_vector *vector, struct issued *issued)
{
    struct tf_macro_results *results = &vector->schedule->present[TF_MACRO_UNITS];
    uint32_t before[TF_LREGS][TF_LANES];
    const struct tf_scheduled what = {.word = issued->word};
    unsigned vd = issued->macro ? tf_sfpu_macro_vd(issued->word) : issued->word >> 20 & 15;
    uint32_t lanes = tf_lanes_enabled(vector), indexed = vector->mask.dest_index & vector->mask.capture_index;
    if (issued->word >> 24 == TF_OP_SFPNOP)
        return;
    if (issued->word >> 24 == TF_OP_SFPLOADI)
        indexed = 0;
    else if (tf_sfpu_format(tile, issued->thread, issued->word >> 16 & 15) == TF_FMT_INT32_ALL)
        lanes = TF_ALL_LANES;
    uint32_t row = vd < 8 ? 1u << vd : 0, index_row = vd < 4 && indexed != 0 ? 0x10u << vd : 0;
    take(vector, row | index_row, before);
    if (issued->macro) {
        issued->place = tf_sfpu_place(tile, issued->thread, issued->word, true);
        tell_load(tile, issued, vd, &issued->place);
        tf_sfpu_load(tile, issued->thread, vector, issued->place, vd);
        tf_rwc_modify(tile, issued->thread, issued->word >> 13 & 7, false);
    } else {
        tell_plain_load(tile, issued, vd);
        tf_sfpu_execute(tile, issued->thread, vector, issued->word);
    }
    keep_result(vector, &what, row, lanes, before, results);
    keep_result(vector, &what, index_row, lanes & indexed, before, results);
}

/* An issued instruction does not act in columns where its sub-unit has a scheduled instruction (SFPLOADMACRO.md,
   "Functional model"). */
static void issue_other(struct tf_tile *tile, struct tf_vector *vector, const struct issued *issued, uint32_t busy)
{
    const struct tf_sfpu_op *op = tf_sfpu_op(issued->word);
    struct tf_scheduled what = description_of(tile, issued);
    unsigned vd = what.vd;
    uint32_t columns = 0xFF & ~busy;
    if (tf_sfpu_is_backdoor(issued->word, vd)) {
        tf_sfpu_backdoor(vector, vd - TF_SFPU_BACKDOOR, issued->word);
        columns &= vector->mask.no_backdoor;
    }
    if (columns == 0)
        return;
    what.columns = (uint8_t)columns;
    if (op->unit == TF_SUB_STORE) {
        struct tf_sfpu_place place = tf_sfpu_place(tile, issued->thread, issued->word, false);
        what.address = (uint16_t)place.address;
        what.mod0 = (uint8_t)place.mod0;
        tf_rwc_modify(tile, issued->thread, issued->word >> 13 & 7, false);
    }
    execute_one(tile, vector, &what, false);
    struct tf_macro_schedule *schedule = vector->schedule;
    bool stalls = !tile->arch->units.no_vector_stalls;
    if (stalls && op->unit == TF_SUB_MAD)
        schedule->stalling_rows = rows_written(&what);
    schedule->exclusive = issued->word >> 24 == TF_OP_SFPSWAP ||
                          (stalls && op->unit == TF_SUB_ROUND && tf_sfpu_takes_two_cycles(issued->word));
}

/* Instructions that change lane flags come last. An issued instruction of their sub-unit acts in other columns. */
static void execute_cycle(struct tf_tile *tile, struct tf_vector *vector, struct issued *issued)
{
    struct tf_macro_schedule *schedule = vector->schedule;
    unsigned issued_unit = issued != NULL ? tf_sfpu_op(issued->word)->unit : TF_MACRO_UNITS + 1;
    uint32_t busy = issued_unit < TF_MACRO_UNITS ? tf_macro_due(schedule, issued_unit) : 0;
    schedule->stalling_rows = 0;
    schedule->exclusive = false;
    if (issued_unit == TF_SUB_LOAD)
        issue_load(tile, vector, issued);
    execute_due(tile, vector, TF_SUB_STORE);
    execute_due(tile, vector, TF_SUB_ROUND);
    execute_due(tile, vector, TF_SUB_MAD);
    if (issued_unit < TF_MACRO_UNITS && issued_unit != TF_SUB_SIMPLE)
        issue_other(tile, vector, issued, busy);
    for (; schedule->swaps != 0; schedule->swaps--)
        finish_swap(vector, &schedule->swap[schedule->swaps - 1], &schedule->present[TF_SUB_SIMPLE]);
    execute_due(tile, vector, TF_SUB_SIMPLE);
    if (issued_unit == TF_SUB_SIMPLE)
        issue_other(tile, vector, issued, busy);
}

static void deliver_cycle(struct tf_tile *tile, struct tf_vector *vector)
{
    struct tf_macro_schedule *schedule = vector->schedule;
    for (unsigned unit = 0; unit < TF_MACRO_UNITS; unit++)
        deliver(tile, vector, &schedule->second_cycle[unit]);
    deliver(tile, vector, &schedule->present[TF_MACRO_UNITS]);
    deliver(tile, vector, &schedule->present[TF_SUB_SIMPLE]);
}

static bool rounds_for_two_cycles(struct tf_macro_schedule *schedule, const struct issued *issued)
{
    const struct tf_macro_slot *due = tf_macro_slot(schedule, TF_SUB_ROUND, 0);
    bool two_cycles = issued != NULL && tf_sfpu_op(issued->word)->unit == TF_SUB_ROUND &&
                      tf_sfpu_takes_two_cycles(issued->word);
    for (unsigned i = 0; i < due->entries && tf_macro_due(schedule, TF_SUB_ROUND) != 0; i++)
        two_cycles |= due->entry[i].columns != 0 && tf_sfpu_takes_two_cycles(due->entry[i].word);
    return two_cycles;
}

static void postpone(struct tf_macro_schedule *schedule, unsigned unit)
{
    if (schedule->present[unit].rows == 0)
        return;
    schedule->second_cycle[unit] = schedule->present[unit];
    schedule->present[unit].rows = 0;
    memset(schedule->present[unit].lanes, 0, sizeof schedule->present[unit].lanes);
}

static void tell_clashes(struct tf_tile *tile, const struct issued *issued)
{
    if (__builtin_expect(!tf_reports_all(tile), 1))
        return;
    struct tf_scheduled what;
    bool to_unit = issued != NULL && tf_sfpu_op(issued->word)->unit != TF_SUB_LOAD;
    if (to_unit)
        what = description_of(tile, issued);
    tf_macro_tell_clashes(tile, to_unit ? &what : NULL);
    if (!to_unit || issued->word >> 24 == TF_OP_SFPNOP)
        return;
    const struct tf_sfpu_uses uses = tf_sfpu_own_uses(issued->word);
    tf_macro_tell_early(tile, &what, uses.reads, uses.may_write & TF_LREGS_WRITABLE, false);
}

/* Runs one cycle, in which a thread may issue an instruction. */
static void do_cycle(struct tf_tile *tile, struct tf_vector *vector, struct issued *issued)
{
    struct tf_macro_schedule *schedule = vector->schedule;
    bool slow_round = rounds_for_two_cycles(schedule, issued);
    tell_clashes(tile, issued);
    execute_cycle(tile, vector, issued);
    deliver_cycle(tile, vector);
    if (!slow_round)
        deliver(tile, vector, &schedule->present[TF_SUB_ROUND]);
    postpone(schedule, TF_SUB_ROUND);
    postpone(schedule, TF_SUB_MAD);
    if (issued != NULL || !any_counted(schedule))
        count_down(schedule);
    schedule->cycle++;
    if (issued != NULL && issued->macro)
        tf_macro_schedule(tile, issued->thread, vector, issued->word, issued->place);
    vector->scheduled = !tf_macro_is_empty(schedule);
}

/* Will a cycle without an instruction change anything but the time? */
static bool moves_by_itself(const struct tf_macro_schedule *schedule)
{
    bool due = schedule->swaps != 0;
    for (unsigned unit = 0; unit < TF_MACRO_UNITS; unit++)
        due |= schedule->second_cycle[unit].rows != 0 || tf_macro_due(schedule, unit) != 0;
    return due || !any_counted(schedule);
}

static void let_pass(struct tf_tile *tile, struct tf_vector *vector, uint64_t cycle)
{
    struct tf_macro_schedule *schedule = vector->schedule;
    while (vector->scheduled && schedule->cycle + 1 < cycle && moves_by_itself(schedule))
        do_cycle(tile, vector, NULL);
    if (schedule->cycle + 1 < cycle)
        schedule->cycle = cycle - 1;
}

/* Has SFPLOADMACRO scheduled instructions that have not executed yet? */
static bool is_scheduled(const struct tf_tile *tile)
{
    return tile->tensix->vector != NULL && tile->tensix->vector->scheduled;
}

void tf_dst_settle(struct tf_tile *tile, uint64_t cycle)
{
    if (is_scheduled(tile))
        let_pass(tile, tile->tensix->vector, cycle);
}

void tf_sfpu_drain(struct tf_tile *tile)
{
    struct tf_vector *vector = tile->tensix->vector;
    while (is_scheduled(tile) && moves_by_itself(vector->schedule))
        do_cycle(tile, vector, NULL);
}

/*
 * The registers that automatic stalling assumes an instruction to read. Each case differs from what the instruction
 * does read: a defect that SFPMAD.md lists ("Instruction scheduling"), or a read that the stalling logic assumes.
 */
static uint32_t rows_taken_as_read(uint32_t word)
{
    const struct tf_sfpu_op *op = tf_sfpu_op(word);
    const struct tf_sfpu_uses uses = tf_sfpu_own_uses(word);
    unsigned mod1 = word & 15;
    uint32_t vc = 1u << tf_sfpu_vc(op->registers, word), vd = 1u << tf_sfpu_vd(op->registers, word);
    switch (word >> 24) {
    case TF_OP_SFPLOAD:
    case TF_OP_SFPLOADMACRO:
    case TF_OP_SFPCONFIG: return 0;
    case TF_OP_SFPLOADI: return vd;
    case TF_OP_SFPSWAP: return mod1 == 0 ? vc | vd : 0;
    case TF_OP_SFPSHFT2: return mod1 <= 1 ? 0xF : mod1 <= 4 ? 0 : vd | vc;
    case TF_OP_SFPLUT: return word >> 16 & 8 ? 0xFF : 0xF;
    case TF_OP_SFPLUTFP32: return word >> 16 & 8 ? 0xFF : 0x7F;
    case TF_OP_SFPAND: /* Mod1 has no effect */
    case TF_OP_SFPOR:
    case TF_OP_SFPXOR:
    case TF_OP_SFPSETEXP:
    case TF_OP_SFPSETMAN:
    case TF_OP_SFPSETSGN: return vc | vd;
    case TF_OP_SFPIADD: /* VD is ignored */
    case TF_OP_SFPSHFT: return vc;
    case TF_OP_SFPSETCC: /* for any Mod1 */
    case TF_OP_SFPMOV: return vc;
    case TF_OP_SFPARECIP:
    case TF_OP_SFP_STOCH_RND: return vc | 1u << (word >> 12 & 15);
    default: return uses.reads | uses.may_read;
    }
}

static bool must_stall(const struct tf_macro_schedule *schedule, uint32_t word)
{
    if (schedule->exclusive)
        return word >> 24 != TF_OP_SFPNOP;
    return (schedule->stalling_rows & rows_taken_as_read(word)) != 0;
}

void tf_macro_issue(struct tf_tile *tile, unsigned thread, uint32_t word)
{
    struct tf_vector *vector = tile->tensix->vector;
    let_pass(tile, vector, tile->cycle);
    if (vector->scheduled && must_stall(vector->schedule, word))
        do_cycle(tile, vector, NULL);
    if (!vector->scheduled) {
        tf_sfpu_execute(tile, thread, vector, word);
        return;
    }
    struct issued issued = {.word = word, .thread = thread, .macro = word >> 24 == TF_OP_SFPLOADMACRO};
    do_cycle(tile, vector, &issued);
}
