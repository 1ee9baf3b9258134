/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reports of SFPLOADMACRO's schedule to a race checker. They name the registers that instructions use while it is at
 * work, and the clashes that SFPLOADMACRO.md, SFPSWAP.md and SFPSHFT2.md forbid.
 */
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/vector/clash.h"

#include "tile/tensix/data/report.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/schedule.h"

static struct tf_macro_schedule *schedule_of(const struct tf_tile *tile)
{
    return tile->tensix->vector->schedule;
}

static struct tf_check_vector access_of(const struct tf_tile *tile, const struct tf_scheduled *what, bool scheduled)
{
    const struct tf_macro_schedule *schedule = schedule_of(tile);
    return (struct tf_check_vector){
        .word = what->word,
        .pc = what->pc,
        .cycle = schedule->cycle + 1,
        .unready = schedule->second_cycle[TF_SUB_MAD].rows | schedule->second_cycle[TF_SUB_ROUND].rows,
        .thread = what->thread,
        .vd = what->vd,
        .vb = what->vb,
        .vc = what->vc,
        .scheduled = scheduled,
    };
}

void tf_macro_tell(struct tf_tile *tile, const struct tf_scheduled *what, bool scheduled)
{
    if (__builtin_expect(!tf_reports_all(tile), 1))
        return;
    const struct tf_check_vector vector = access_of(tile, what, scheduled);
    tile->check->vector(tile->check, &vector);
}

void tf_macro_tell_results(struct tf_tile *tile, uint32_t rows)
{
    if (__builtin_expect(tf_reports_all(tile), 0) && rows != 0)
        tile->check->lregs(tile->check, rows);
}

static bool is_nop(const struct tf_scheduled *what)
{
    return what->word >> 24 == TF_OP_SFPNOP;
}

/* The instruction of a sub-unit in the cycle that begins; NULL if there is none. Columns mostly agree, so the first
   columns count. */
static const struct tf_scheduled *due_at(const struct tf_tile *tile, unsigned unit)
{
    struct tf_macro_schedule *schedule = schedule_of(tile);
    const struct tf_macro_slot *slot = tf_macro_slot(schedule, unit, 0);
    for (unsigned i = 0; i < slot->entries && tf_macro_due(schedule, unit) != 0; i++)
        if (slot->entry[i].columns != 0)
            return &slot->entry[i];
    return NULL;
}

/* An instruction of a sub-unit in the cycle that begins. */
struct acts {
    const struct tf_scheduled *what; /* NULL: none */
    bool scheduled;
};

static struct acts acts_at(const struct tf_tile *tile, unsigned unit, const struct tf_scheduled *issued)
{
    const struct tf_scheduled *due = due_at(tile, unit);
    if (due != NULL)
        return (struct acts){due, true};
    return (struct acts){issued != NULL && tf_sfpu_op(issued->word)->unit == unit ? issued : NULL, false};
}

static void tell(struct tf_tile *tile, enum tf_check_clash clash, struct acts first, struct acts second)
{
    struct tf_check_vector vector[2];
    vector[1] = access_of(tile, second.what, second.scheduled);
    if (first.what != NULL)
        vector[0] = access_of(tile, first.what, first.scheduled);
    tile->check->clash(tile->check, clash, first.what != NULL ? &vector[0] : NULL, &vector[1]);
}

/* SFPSWAP takes two cycles, and uses parts of other sub-units. */
static void tell_of_swap(struct tf_tile *tile, struct acts simple, struct acts mad, struct acts round)
{
    const struct tf_macro_schedule *schedule = schedule_of(tile);
    const struct acts swap = {&schedule->swap[0].what, true};
    if (simple.what != NULL && simple.scheduled && simple.what->word >> 24 == TF_OP_SFPSWAP &&
        (mad.what == NULL || !is_nop(mad.what)))
        tell(tile, TF_CLASH_SWAP_BEGINS, mad, simple);
    if (schedule->swaps == 0)
        return;
    if (simple.what != NULL && !is_nop(simple.what))
        tell(tile, TF_CLASH_SWAP_ENDS, swap, simple);
    if (round.what != NULL && !is_nop(round.what))
        tell(tile, TF_CLASH_SWAP_ENDS, swap, round);
}

void tf_macro_tell_clashes(struct tf_tile *tile, const struct tf_scheduled *issued)
{
    const struct acts simple = acts_at(tile, TF_SUB_SIMPLE, issued), mad = acts_at(tile, TF_SUB_MAD, issued),
                      round = acts_at(tile, TF_SUB_ROUND, issued);
    if (issued != NULL) {
        const struct acts due = acts_at(tile, tf_sfpu_op(issued->word)->unit, NULL);
        if (due.what != NULL)
            tell(tile, TF_CLASH_DISCARDED, due, (struct acts){issued, false});
    }
    if (simple.what != NULL && round.what != NULL && !is_nop(simple.what) && !is_nop(round.what) &&
        (simple.what->vd == TF_LREG_MACRO) == (round.what->vd == TF_LREG_MACRO))
        tell(tile, TF_CLASH_RESULTS, simple, round);
    if (round.what != NULL && !is_nop(round.what) && schedule_of(tile)->second_cycle[TF_SUB_ROUND].rows != 0)
        tell(tile, TF_CLASH_SHIFTS, (struct acts){NULL, false}, round);
    tell_of_swap(tile, simple, mad, round);
}

static bool counts_instructions(const struct tf_macro_schedule *schedule)
{
    return (schedule->counted[0] | schedule->counted[1] | schedule->counted[2] | schedule->counted[3]) != 0;
}

/*
 * Would a gap before the issued instruction change a result? A gap lets a scheduled instruction whose delay counts
 * cycles act first: then it misses a value that the issued one writes, or overwrites one that this reads. One that acts
 * in the cycle of the issue reads old values either way.
 */
static bool needs_no_gap(const struct tf_scheduled *what, unsigned delay, uint32_t reads, uint32_t writes)
{
    const struct tf_sfpu_uses uses = tf_sfpu_uses(what->word, what->vd, what->vb, what->vc);
    return (delay != 0 && ((uses.reads | uses.may_write) & writes) != 0) || (uses.may_write & reads) != 0;
}

void tf_macro_tell_early(struct tf_tile *tile, const struct tf_scheduled *issued, uint32_t reads, uint32_t writes,
                         bool loads)
{
    struct tf_macro_schedule *schedule = schedule_of(tile);
    const bool counts = counts_instructions(schedule);
    for (unsigned unit = 0; unit < TF_MACRO_UNITS; unit++)
        for (unsigned delay = 0; delay < TF_MACRO_DELAYS; delay++) {
            const struct tf_macro_slot *slot = tf_macro_slot(schedule, unit, delay);
            if ((schedule->used[unit] >> delay * 8 & 0xFF) == 0 || slot->entries == 0 || slot->entry[0].columns == 0)
                continue;
            const struct acts pending = {&slot->entry[0], true}, second = {issued, false};
            if (loads && unit == TF_SUB_STORE && pending.what->address / 2 == issued->address / 2)
                tell(tile, TF_CLASH_STALE_ROW, pending, second);
            else if (!counts && needs_no_gap(pending.what, delay, reads, writes))
                tell(tile, TF_CLASH_GAP, pending, second);
        }
}
