/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that wait: they load the same word again and again, store nothing, and end when it has a value. */
#include <string.h>

#include "races/state/insn.h"
#include "races/state/rounds.h"
#include "races/state/spin.h"
#include "races/state/state.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"

#define LOOP_MAX 16u /* instructions */

static uint16_t flags_of(const struct tf_rv_insn *insn)
{
    return tf_rv_info(insn->id)->flags;
}

/* Does the instruction write a register? Not 0. */
static bool writes(const struct tf_rv_insn *insn, unsigned to)
{
    return to != 0 && (flags_of(insn) & (TF_RV_F_STORE | TF_RV_F_BRANCH | TF_RV_F_FENCE)) == 0 && insn->rd == to;
}

/* May the instruction move the base of the load from one round to the next? set: the base is the same constant in each
   round. A pointer that is loaded may be a constant. */
static bool moves(const struct tf_rv_insn *insn, unsigned base, bool set)
{
    return writes(insn, base) && (flags_of(insn) & TF_RV_F_LOAD) == 0 && insn->id != TF_RV_LUI &&
           insn->id != TF_RV_AUIPC && !(set && insn->id == TF_RV_ADDI && insn->rs1 == base);
}

/* Does the instruction give the base a value that is the same in each round? */
static bool sets(const struct tf_rv_insn *insn, unsigned base)
{
    return (insn->id == TF_RV_LUI || insn->id == TF_RV_AUIPC) && insn->rd == base;
}

/* Is a round of a loop from first to last, branches included, without an effect? */
static bool only_waits(const struct tf_tile *tile, uint32_t first, uint32_t last, unsigned base)
{
    const uint16_t effect = TF_RV_F_STORE | TF_RV_F_SYSTEM;
    struct tf_rv_insn insn;
    bool set = false;
    for (uint32_t pc = first; pc <= last; pc += 4) {
        if (!insn_at(tile, pc, &insn) || !tf_rv_is_listed(&insn) || insn.id == TF_RV_JALR ||
            (flags_of(&insn) & effect) != 0 || moves(&insn, base, set))
            return false;
        set |= sets(&insn, base);
    }
    return true;
}

/* Does a loaded value decide whether the loop from first to last goes on? *values: registers that hold loaded values,
   or what was computed from them, one bit for each. The value may decide in the next round. */
static bool loads_decide(const struct tf_tile *tile, uint32_t first, uint32_t last, uint32_t *values)
{
    struct tf_rv_insn insn;
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t pc = first; pc <= last && insn_at(tile, pc, &insn); pc += 4) {
            const uint32_t to = pc + (uint32_t)insn.imm;
            const bool reads = ((*values >> insn.rs1 | *values >> insn.rs2) & 1) != 0;
            const bool loads = (flags_of(&insn) & (TF_RV_F_LOAD | TF_RV_F_AMO)) != 0;
            if ((flags_of(&insn) & TF_RV_F_BRANCH) != 0) {
                if (reads && (pc == last || to < first || to > last))
                    return true;
            } else if (writes(&insn, insn.rd)) {
                *values &= ~(1u << insn.rd);
                *values |= (uint32_t)(reads || loads) << insn.rd;
            }
        }
    return false;
}

/* Does the loop from first to last wait? A loop over data may store nothing and load the same words each time, too, but
   something else ends it. */
static bool waits(const struct tf_tile *tile, uint32_t first, uint32_t last, unsigned base)
{
    uint32_t values = 0;
    return only_waits(tile, first, last, base) && loads_decide(tile, first, last, &values);
}

/*
 * Compilers may move a rare part of a loop out of the way. A branch at `last` leads to that part, which jumps back to
 * the load at pc, or to a place before it. Is the code from `detour` on such a part, and does a round have no effect?
 */
static bool returns_to_load(const struct tf_tile *tile, uint32_t pc, uint32_t last, uint32_t detour, unsigned base)
{
    struct tf_rv_insn insn;
    uint32_t values = 0;
    for (uint32_t at = detour; at < detour + 4 * LOOP_MAX && insn_at(tile, at, &insn); at += 4) {
        uint32_t to = at + (uint32_t)insn.imm;
        if (insn.id == TF_RV_JAL)
            return to <= pc && pc - to < 4 * LOOP_MAX && only_waits(tile, to, last, base) &&
                   only_waits(tile, detour, at, base) &&
                   (loads_decide(tile, to, last, &values) || loads_decide(tile, detour, at, &values));
    }
    return false;
}

static bool loops(const struct tf_tile *tile, uint32_t pc)
{
    struct tf_rv_insn load, insn;
    bool moved = false;
    if (!insn_at(tile, pc, &load) || (flags_of(&load) & (TF_RV_F_LOAD | TF_RV_F_AMO)) == 0)
        return false;
    for (uint32_t at = pc + 4; at < pc + 4 * LOOP_MAX && insn_at(tile, at, &insn); at += 4) {
        bool transfers = (flags_of(&insn) & (TF_RV_F_BRANCH | TF_RV_F_JUMP)) != 0;
        uint32_t to = at + (uint32_t)insn.imm;
        if (!tf_rv_is_listed(&insn) || insn.id == TF_RV_JALR)
            return false;
        if (transfers && insn.imm < 0 && to <= pc && pc - to < 4 * LOOP_MAX && waits(tile, to, at, load.rs1))
            return true;
        if ((flags_of(&insn) & TF_RV_F_BRANCH) != 0 && insn.imm > 0 && returns_to_load(tile, pc, at, to, load.rs1))
            return true;
        /* Compilers may put the first round before the loop. */
        if (insn.word == load.word)
            return !moved && loops(tile, at);
        if (insn.id == TF_RV_JAL)
            return false;
        moved |= writes(&insn, load.rs1);
    }
    return false;
}

bool spins(const struct tf_tile *tile, uint32_t pc)
{
    return loops(tile, pc) || waits_and_works(tile, pc);
}

/* Registers of a core at a place in the code, as far as they are known from an earlier one. */
struct reached {
    uint32_t value[32], known; /* constants; bit i of `known` is for x[i] */
    bool based;                /* the load has the same base there */
};

#define CALLED_CHANGES 0xF003FCE2u /* registers that a function may change, as bits: ra, t0 to t6, a0 to a7 */

static void execute(struct reached *reached, const struct tf_rv_insn *insn, uint32_t pc, unsigned base)
{
    const bool calls = (insn->id == TF_RV_JAL || insn->id == TF_RV_JALR) && insn->rd == 1;
    const bool sums = insn->id == TF_RV_ADD && (reached->known >> insn->rs2 & 1) != 0;
    const bool adds = (insn->id == TF_RV_ADDI || sums) && (reached->known >> insn->rs1 & 1) != 0;
    const uint32_t from = adds ? reached->value[insn->rs1] : insn->id == TF_RV_AUIPC ? pc : 0;
    const uint32_t more = sums ? reached->value[insn->rs2] : (uint32_t)insn->imm;
    if (calls) {
        reached->known &= ~CALLED_CHANGES;
        reached->based &= (CALLED_CHANGES >> base & 1) == 0;
    }
    if (!writes(insn, insn->rd))
        return;
    reached->based &= insn->rd != base;
    reached->known &= ~(1u << insn->rd);
    if (!adds && insn->id != TF_RV_LUI && insn->id != TF_RV_AUIPC)
        return;
    reached->value[insn->rd] = from + more;
    reached->known |= 1u << insn->rd;
}

/* Does a loop that waits for the word of a load follow in the code from `at` on? */
static bool waits_from(const struct tf_tile *tile, uint32_t at, const struct tf_rv_insn *load, uint32_t address,
                       struct reached reached)
{
    struct tf_rv_insn insn;
    for (unsigned i = 0; i < 4 * LOOP_MAX && insn_at(tile, at, &insn) && tf_rv_is_listed(&insn); i++) {
        const bool same = reached.based && insn.rs1 == load->rs1 && insn.imm == load->imm;
        const bool equal = (reached.known >> insn.rs1 & 1) != 0 &&
                           ((reached.value[insn.rs1] + (uint32_t)insn.imm) ^ address) < 4;
        if ((flags_of(&insn) & TF_RV_F_LOAD) != 0 && (same || equal) && spins(tile, at))
            return true;
        execute(&reached, &insn, at, load->rs1);
        if (insn.id == TF_RV_JALR && insn.rd == 0)
            return false;
        if (insn.id == TF_RV_JAL && insn.rd == 0 && insn.imm < 0)
            return false;
        at += insn.id == TF_RV_JAL && insn.rd == 0 ? (uint32_t)insn.imm : 4;
    }
    return false;
}

bool polls_word(const struct tf_tile *tile, uint32_t pc, uint32_t address)
{
    struct reached reached = {.based = true};
    struct tf_rv_insn load, insn;
    if (spins(tile, pc))
        return true;
    if (!insn_at(tile, pc, &load) || load.rd == 0 || (flags_of(&load) & TF_RV_F_LOAD) == 0)
        return false;
    uint32_t values = 1u << load.rd;
    execute(&reached, &load, pc, load.rs1);
    for (uint32_t at = pc + 4; at < pc + 8 * LOOP_MAX && insn_at(tile, at, &insn); at += 4) {
        const bool reads = (tf_rv_x_read(&insn) & values) != 0;
        if ((flags_of(&insn) & TF_RV_F_BRANCH) != 0)
            return reads && (waits_from(tile, at + 4, &load, address, reached) ||
                             waits_from(tile, at + (uint32_t)insn.imm, &load, address, reached));
        if (!tf_rv_is_listed(&insn) || (flags_of(&insn) & TF_RV_F_JUMP) != 0)
            return false;
        execute(&reached, &insn, at, load.rs1);
        if (writes(&insn, insn.rd))
            values = (values & ~(1u << insn.rd)) | (uint32_t)reads << insn.rd;
    }
    return false;
}

/* Does the code from first to last wait for another word than `load` does, whose word is at `address`? NULL: a function
   loads that word. reached: registers at `first`. */
static bool waits_for_other(const struct tf_tile *tile, const struct tf_rv_insn *load, uint32_t address,
                            struct reached reached, uint32_t first, uint32_t last)
{
    struct tf_rv_insn insn;
    for (uint32_t at = first; at < last && at < first + 4 * LOOP_MAX && insn_at(tile, at, &insn); at += 4) {
        const uint32_t other = reached.value[insn.rs1] + (uint32_t)insn.imm;
        const bool same = (reached.known >> insn.rs1 & 1) != 0 ? (other ^ address) < 4
                                                               : load != NULL && insn.imm == load->imm;
        if ((flags_of(&insn) & TF_RV_F_LOAD) != 0 && !same && spins(tile, at))
            return true;
        execute(&reached, &insn, at, 0);
    }
    return false;
}

/* Follow a loaded value to the branch that ends the code in a row. It may be the result of a function that returns to
   `to`. Returns the registers that hold it there, as bits. */
static uint32_t follow_value(const struct tf_tile *tile, uint32_t *at, uint32_t to, struct tf_rv_insn *insn, bool *left)
{
    uint32_t holds = 1u << insn->rd;
    for (unsigned i = 0; i < LOOP_MAX; i++) {
        *at += 4;
        if (!insn_at(tile, *at, insn) || !tf_rv_is_listed(insn) || (flags_of(insn) & TF_RV_F_BRANCH) != 0)
            break;
        if (insn->id == TF_RV_JALR && insn->rd == 0 && insn->rs1 == 1 && !*left) {
            *left = true;
            *at = to - 4;
        } else if ((flags_of(insn) & TF_RV_F_JUMP) != 0) {
            break;
        } else if (writes(insn, insn->rd)) {
            const bool copies = insn->id == TF_RV_ADDI && insn->imm == 0 && (holds >> insn->rs1 & 1) != 0;
            holds = (holds & ~(1u << insn->rd)) | (uint32_t)copies << insn->rd;
        }
    }
    return holds & ~1u;
}

bool awaits_some(const struct tf_tile *tile, unsigned core, uint32_t pc, uint32_t address)
{
    const uint32_t *x = tile->hart[core].x, ra = x[1];
    struct tf_rv_insn load, insn, other;
    struct reached reached = {.known = 0};
    uint32_t at = pc;
    bool left = false; /* the load's function */
    if (!insn_at(tile, pc, &load))
        return false;
    insn = load;
    const uint32_t holds = follow_value(tile, &at, ra, &insn, &left), to = at + (uint32_t)insn.imm;
    if ((insn.rs1 != 0 && insn.rs2 != 0) || (holds >> (insn.rs1 + insn.rs2) & 1) == 0)
        return false;
    if (insn.id == TF_RV_BEQ && insn.imm < 0)
        return left ? waits_for_call(tile, ra - 4) : spins(tile, pc);
    if (!left) {
        reached.known = UINT32_MAX;
        memcpy(reached.value, x, sizeof reached.value);
        for (uint32_t i = pc; i < at && insn_at(tile, i, &other); i += 4)
            execute(&reached, &other, i, 0);
    }
    if (insn.id == TF_RV_BEQ)
        return waits_for_other(tile, left ? NULL : &load, address, reached, to, to + 4 * LOOP_MAX);
    return insn.id == TF_RV_BNE && insn.imm > 0 &&
           waits_for_other(tile, left ? NULL : &load, address, reached, at + 4, to);
}

static bool has_fence(const struct tf_tile *tile, uint32_t first, uint32_t last)
{
    struct tf_rv_insn insn;
    for (uint32_t pc = first; pc <= last && insn_at(tile, pc, &insn); pc += 4)
        if ((flags_of(&insn) & TF_RV_F_FENCE) != 0)
            return true;
    return false;
}

/* Has the core been parked in a loop with the load and a fence? The checker has seen nothing of the rounds since. */
static bool parked_anew(const struct tf_park *park, uint32_t pc)
{
    bool loads = false, fences = false;
    for (unsigned i = 0; i < park->period; i++) {
        struct tf_rv_insn insn;
        tf_rv_decode(park->word[i], &insn);
        loads |= park->pc[i] == pc;
        fences |= insn.id == TF_RV_FENCE;
    }
    return loads && fences;
}

static bool loops_with_fence(const struct tf_tile *tile, uint32_t pc)
{
    struct tf_rv_insn load, insn;
    if (!insn_at(tile, pc, &load) || !spins(tile, pc))
        return false;
    for (uint32_t at = pc + 4; at < pc + 4 * LOOP_MAX && insn_at(tile, at, &insn); at += 4) {
        const uint32_t to = at + (uint32_t)insn.imm;
        if ((flags_of(&insn) & (TF_RV_F_BRANCH | TF_RV_F_JUMP)) != 0 && insn.imm < 0 && to <= pc)
            return has_fence(tile, to, at);
        if (insn.word == load.word)
            return loops_with_fence(tile, at);
    }
    return false;
}

bool spins_anew(const struct tf_tile *tile, unsigned core, uint32_t pc)
{
    return loops_with_fence(tile, pc) || parked_anew(&tile->hart[core].park, pc);
}

bool waits_later(const struct tf_tile *tile, uint32_t pc)
{
    struct tf_rv_insn access, insn;
    if (!insn_at(tile, pc, &access))
        return false;
    for (uint32_t at = pc; at < pc + 4 * LOOP_MAX && insn_at(tile, at, &insn); at += 4) {
        if ((flags_of(&insn) & TF_RV_F_LOAD) != 0 && insn.rs1 == access.rs1 && insn.imm == access.imm &&
            spins(tile, at))
            return true;
        if (!tf_rv_is_listed(&insn) || insn.id == TF_RV_JALR || writes(&insn, access.rs1))
            return false;
    }
    return false;
}
