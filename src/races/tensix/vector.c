/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LRegs that the vector unit reads before anything has written them, and what must not meet in its sub-units while
 * SFPLOADMACRO's schedule is at work. Source: BlackholeA0/TensixTile/TensixCoprocessor/{LReg,SFPLOADMACRO}.md.
 */
#include "races/tensix/vector.h"
#include "races/state/state.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/isa/isa.h"
#include "tile/tensix/isa/sfpu.h"
#include "tile/tensix/state.h"
#include "tile/run/tile.h"

#define LREGS_CONSTANT 0x8700u /* software writes the other registers */

/*
 * What an instruction uses, as sfpu.def has it. A read of a register that it may not read, or only moves, is not
 * reported. SFPTRANSP fills the four registers that it transposes if any has been written.
 */
static struct uses lregs_of(uint32_t word, struct tf_sfpu_uses of, uint64_t written)
{
    enum { LOW_FOUR = 0xF, HIGH_FOUR = 0xF0 };
    struct uses uses = {of.reads, of.may_write};
    if (word >> 24 == TF_OP_SFPTRANSP)
        uses.writes = ((written & LOW_FOUR) != 0 ? LOW_FOUR : 0) | ((written & HIGH_FOUR) != 0 ? HIGH_FOUR : 0);
    return uses;
}

/* Does the instruction become a template of SFPLOADMACRO, and do nothing else (SFPCONFIG.md, "backdoor")? */
static bool is_template(const struct site *site, uint32_t word)
{
    const unsigned vd = tf_sfpu_vd((enum tf_sfpu_registers)tf_sfpu_op(word)->registers, word);
    const struct tf_vector *vector = site->tile->tensix->vector;
    return tf_sfpu_is_backdoor(word, vd) && vector != NULL && vector->mask.no_backdoor == 0;
}

/* The instruction right after one whose results take two cycles reads them. Hardware stalls it on Blackhole alone
   (SFPMAD.md and others, "Instruction scheduling"). */
static void keep_distance(struct site *site, unsigned t, const struct uses *uses, uint32_t word, uint32_t pc,
                          uint64_t cycle)
{
    struct race_thread *thread = &site->thread[t];
    const unsigned slot = SLOT_OF_PUSHED(t);
    const struct who who = {
        .own = {(int)slot, (int)slot},
        .trace = tf_trace_make(slot, 15, pc, time_at(site, cycle)),
        .what = "instruction of the vector unit",
        .before = "instruction of the vector unit",
        .fix = "the results of multiplications, additions and some shifts take two cycles: put an SFPNOP, or another "
               "instruction, before the one that reads them",
    };
    if (thread->late.trace != 0 && (uses->reads & thread->late.lregs) != 0)
        found(site, TF_RACE_SCHEDULE, (unsigned)__builtin_ctzll(uses->reads & thread->late.lregs), thread->late.trace,
              &who);
    thread->late.trace = 0;
    if (tf_sfpu_takes_two_cycles(word)) {
        thread->late.trace = who.trace;
        thread->late.lregs = (uint32_t)uses->writes;
    }
}

/*
 * The place of an instruction word among those that need no look any more: all that they read and write has been
 * written, and registers stay written. That of SFPTRANSP depends on others. For row check-softmax of bench.
 */
static uint32_t *settled_place(struct site *site, uint32_t word)
{
    return &site->settled[word * 0x9E3779B1u >> (32 - SETTLED_BITS)];
}

void lregs_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc, uint64_t cycle)
{
    const bool seen = (site->vector_seen >> t & 1) != 0, near = site->tile->arch->units.no_vector_stalls;
    uint32_t *settled = settled_place(site, word);
    site->vector_seen &= (uint8_t) ~(1u << t);
    if (seen || (*settled == word && !near))
        return;
    const struct uses uses = lregs_of(word, tf_sfpu_own_uses(word), site->lregs_written);
    if (is_template(site, word))
        return;
    if (((uses.reads | uses.writes) & ~site->lregs_written) == 0 && word >> 24 != TF_OP_SFPTRANSP)
        *settled = word;
    use_registers(site, t, FILE_LREG, uses, &site->lregs_written, pc, cycle);
    if (near)
        keep_distance(site, t, &uses, word, pc, cycle);
}

/* --- while SFPLOADMACRO's schedule is at work --- */

static struct who vector_who(const struct site *site, const struct tf_check_vector *what)
{
    unsigned slot = SLOT_OF_PUSHED(what->thread);
    return (struct who){
        .own = {(int)slot, (int)slot},
        .trace = tf_trace_make(slot, 15, what->pc, time_at(site, what->cycle)),
        .what = what->scheduled ? "instruction that SFPLOADMACRO has scheduled" : "instruction of the vector unit",
    };
}

/* Its results enter the registers later: see lregs(). */
static void vector(struct tf_check *check, const struct tf_check_vector *what)
{
    struct site *site = (struct site *)check;
    struct tf_sfpu_uses of = tf_sfpu_uses(what->word, what->vd, what->vb, what->vc);
    struct uses uses = {.reads = of.reads};
    if (!what->scheduled)
        site->vector_seen |= (uint8_t)(1u << what->thread);
    use_registers(site, what->thread, FILE_LREG, uses, &site->lregs_written, what->pc, what->cycle);
    struct who who = vector_who(site, what);
    if ((uses.reads & what->unready) != 0) {
        who.fix = "results of multiplications, additions and SFPSHFT2 take two cycles: leave one cycle before the "
                  "instruction that reads them";
        found(site, TF_RACE_SCHEDULE, (unsigned)__builtin_ctzll(uses.reads & what->unready), 0, &who);
    }
}

static void lregs(struct tf_check *check, uint32_t written)
{
    ((struct site *)check)->lregs_written |= written;
}

static void clash(struct tf_check *check, enum tf_check_clash clash, const struct tf_check_vector *first,
                  const struct tf_check_vector *second)
{
    static const char *const fix[] = {
        [TF_CLASH_DISCARDED] = "an instruction issued to a sub-unit in the cycle of a scheduled one is discarded: "
                               "issue it in another cycle",
        [TF_CLASH_RESULTS] = "if a simple and a round instruction share a cycle, exactly one must write LReg[16]",
        [TF_CLASH_SWAP_BEGINS] = "a scheduled SFPSWAP needs a scheduled SFPNOP in the MAD sub-unit in its cycle",
        [TF_CLASH_SWAP_ENDS] = "in the second cycle of an SFPSWAP, the simple and the round sub-unit must be idle or "
                               "have SFPNOP",
        [TF_CLASH_STALE_ROW] = "an SFPSTORE that SFPLOADMACRO has scheduled has not written the row of Dst yet: leave "
                               "as many cycles as its delay before the load",
        [TF_CLASH_GAP] = "the result depends on whether there is a gap before this instruction, because delays count "
                         "cycles: let the macro count instructions (WaitForElapsedInstructions), or leave the register "
                         "alone until the scheduled instruction has acted",
        [TF_CLASH_SHIFTS] = "this form of SFPSHFT2 takes two cycles: leave the round sub-unit idle in the second one",
    };
    struct site *site = (struct site *)check;
    struct who who = vector_who(site, second);
    who.fix = fix[clash];
    found(site, TF_RACE_SCHEDULE, tf_sfpu_op(second->word)->unit, first == NULL ? 0 : vector_who(site, first).trace,
          &who);
}

void vector_attach(struct site *site)
{
    site->check.vector = vector;
    site->check.lregs = lregs;
    site->check.clash = clash;
    site->lregs_written = LREGS_CONSTANT;
}
