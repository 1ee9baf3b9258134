/* SPDX-License-Identifier: Apache-2.0 */
/*
 * LRegs that the vector unit reads before anything has written them, and what must not meet in its sub-units while
 * SFPLOADMACRO's schedule is at work. Source: BlackholeA0/TensixTile/TensixCoprocessor/{LReg,SFPLOADMACRO}.md.
 */
#include "races/state.h"
#include "tile/tensix/data/lreg.h"
#include "tile/tensix/frontend/isa.h"
#include "tile/tensix/state.h"
#include "tile/tensix/vector/issue.h"
#include "tile/tile.h"

#define LREGS_CONSTANT 0x8700u /* software writes the others */

/* Numbers of LRegs: those of the instruction's word, or those that SFPLOADMACRO has put in their place. */
struct fields {
    unsigned vd, vb, vc;
};

static uint64_t bit(unsigned number)
{
    return 1ull << number;
}

/* Operands of instructions of the vector unit, by opcode: VB, VC, VD and VA are read; VD is written. */
enum { B = 1, C = 2, D = 4, A = 8, W = 16, ODD_IMMEDIATE = 32 /* VB is not read if Mod1 is odd */ };

static const uint8_t operands[TF_SFPU_OPCODES] = {
#define AT(name) [TF_OP_##name - TF_OP_SFPLOAD]
    AT(SFPLOAD) = W,
    AT(SFPLOADI) = W,
    AT(SFPSTORE) = D,
    AT(SFPLUT) = W,
    AT(SFPMULI) = C | W,
    AT(SFPADDI) = C | W,
    AT(SFPDIVP2) = C | W,
    AT(SFPEXEXP) = C | W,
    AT(SFPEXMAN) = C | W,
    AT(SFPMOV) = C | W,
    AT(SFPABS) = C | W,
    AT(SFPAND) = B | C | W,
    AT(SFPOR) = B | C | W,
    AT(SFPXOR) = B | C | W,
    AT(SFPNOT) = C | W,
    AT(SFPLZ) = C | W,
    AT(SFPMAD) = A | B | C | W,
    AT(SFPADD) = A | B | C | W,
    AT(SFPMUL) = A | B | C | W,
    AT(SFPMUL24) = A | B | C | W,
    AT(SFPCAST) = C | W,
    AT(SFPSWAP) = B | C | W,
    AT(SFPLE) = B | C,
    AT(SFPGT) = B | C,
    AT(SFPLUTFP32) = W,
    AT(SFPARECIP) = C | W,
    AT(SFP_STOCH_RND) = C | W,
    AT(SFPSHFT2) = W,
    AT(SFPSETCC) = C,
    AT(SFPIADD) = B | C | W | ODD_IMMEDIATE,
    AT(SFPSETEXP) = B | C | W | ODD_IMMEDIATE,
    AT(SFPSETMAN) = B | C | W | ODD_IMMEDIATE,
    AT(SFPSETSGN) = B | C | W | ODD_IMMEDIATE,
#undef AT
};

/* Instructions whose operands depend on their modes. */
static struct uses special_lregs_of(uint32_t word, struct uses uses, struct fields of, uint64_t written)
{
    enum { INDIRECT = 12, LOW_FOUR = 0xF, HIGH_FOUR = 0xF0, LUT_INPUT = 8 };
    unsigned mod1 = word & 15;
    switch (word >> 24) {
    case TF_OP_SFPMOV: uses.reads = mod1 & 8 ? 0 : uses.reads; break;
    case TF_OP_SFPXOR: uses.reads = of.vb == of.vc ? 0 : uses.reads; break;
    case TF_OP_SFPSETCC: uses.reads = mod1 & 9 ? 0 : uses.reads; break;
    case TF_OP_SFPLE:
    case TF_OP_SFPGT: uses.writes = mod1 & 8 ? bit(of.vd) : 0; break;
    case TF_OP_SFPSWAP: uses.writes |= bit(of.vc); break;
    case TF_OP_SFPSHFT:
        uses.writes = bit(of.vd);
        uses.reads = (mod1 & 5) == 5 ? bit(of.vc) : mod1 & 1 ? bit(of.vb) : bit(of.vb) | bit(of.vc);
        break;
    case TF_OP_SFPMAD:
    case TF_OP_SFPADD:
    case TF_OP_SFPMUL:
    case TF_OP_SFPMUL24:
        if ((mod1 & INDIRECT) != 0)
            uses = (struct uses){bit(of.vb) | bit(of.vc), 0xFF};
        break;
    case TF_OP_SFPLUT:
    case TF_OP_SFPLUTFP32: uses.reads = LUT_INPUT; break;
    case TF_OP_SFPTRANSP:
        uses.writes = ((written & LOW_FOUR) != 0 ? LOW_FOUR : 0) | ((written & HIGH_FOUR) != 0 ? HIGH_FOUR : 0);
        break;
    case TF_OP_SFPSHFT2: uses.writes |= LOW_FOUR; break;
    case TF_OP_SFPCONFIG:
        uses.reads = mod1 & 1 ? 0 : 1;
        uses.writes = bit(of.vd);
        break;
    case TF_OP_SFPLOADMACRO: uses.writes = bit(tf_sfpu_macro_vd(word)); break;
    default: break;
    }
    return uses;
}

static struct uses lregs_of(uint32_t word, struct fields of, uint64_t written)
{
    unsigned has = operands[(word >> 24) - TF_OP_SFPLOAD];
    struct uses uses = {0, has & W ? bit(of.vd) : 0};
    if ((has & B) != 0 && !((has & ODD_IMMEDIATE) != 0 && (word & 1) != 0))
        uses.reads |= bit(of.vb);
    uses.reads |= (has & C ? bit(of.vc) : 0) | (has & D ? bit(of.vd) : 0) | (has & A ? bit(word >> 16 & 15) : 0);
    return special_lregs_of(word, uses, of, written);
}

static struct fields fields_of(uint32_t word)
{
    const struct tf_sfpu_op *op = tf_sfpu_op(word);
    bool moves = op->kernel == TF_SFPU_KERNEL_COUNT;
    enum tf_sfpu_registers in = moves ? TF_REGISTERS_HIGH : (enum tf_sfpu_registers)op->registers;
    return (struct fields){tf_sfpu_vd(in, word), tf_sfpu_vb(in, word), tf_sfpu_vc(in, word)};
}

/* Does the instruction become a template of SFPLOADMACRO, and do nothing else (SFPCONFIG.md, "backdoor")? */
static bool is_template(const struct site *site, uint32_t word, unsigned vd)
{
    const struct tf_vector *vector = site->tile->tensix->vector;
    return vd >= 12 && vector != NULL && vector->mask.no_backdoor == 0 && word >> 24 != TF_OP_SFPCONFIG &&
           word >> 24 != TF_OP_SFPLOADMACRO;
}

void lregs_passed(struct site *site, unsigned t, uint32_t word, uint32_t pc, uint64_t cycle)
{
    bool seen = (site->vector_seen >> t & 1) != 0;
    const struct fields of = fields_of(word);
    site->vector_seen &= (uint8_t) ~(1u << t);
    if (!seen && !is_template(site, word, of.vd))
        use_registers(site, t, FILE_LREG, lregs_of(word, of, site->lregs_written), &site->lregs_written, pc, cycle);
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

/* Its results enter the registers later: lregs(). */
static void vector(struct tf_check *check, const struct tf_check_vector *what)
{
    struct site *site = (struct site *)check;
    struct uses uses = lregs_of(what->word, (struct fields){what->vd, what->vb, what->vc}, site->lregs_written);
    uses.writes = 0;
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
