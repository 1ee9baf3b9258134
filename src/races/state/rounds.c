/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that wait, and do something else: store to the stack, count their rounds, or work between two looks. What a
 * value depends on is a set of bits: the registers and the variables on the stack at the start of a round, and whether
 * something was loaded.
 */
#include <string.h>

#include "races/state/insn.h"
#include "races/state/rounds.h"
#include "races/state/state.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"

#define ROUND_MOST 48u  /* instructions of a loop */
#define AROUND_MOST 96u /* and of one that reads over the NOC */
#define CALLED_MOST 24u /* and of a function that it calls */
#define SLOTS_MOST 16u  /* variables on the stack */
#define COUNTS_MOST 4u  /* words that it loads */
#define NESTED_MOST 4u  /* conditions that an instruction is under */
#define LOADED (UINT64_C(1) << 62)
#define OWN (UINT64_C(1) << 63)   /* by the load that is asked for */
#define OTHER (UINT64_C(1) << 61) /* by another load, or made by a function */
#define SLOT_BIT(i) (UINT64_C(1) << (32 + (i)))
#define START (OTHER - 1) /* of the start of the round */

enum { RA = 1, SP = 2, FP = 8, RESULT = 10 };

/* An address: a constant, or what it depends on and an offset. */
struct place {
    uint64_t from;
    uint32_t offset;
    bool known;
};

/* The instructions up to `until` are executed or not, by what a branch has compared. */
struct condition {
    uint32_t until;
    uint64_t from;
};

struct round {
    const struct tf_tile *tile;
    uint32_t first, last, load; /* pc; load: of the load or the call whose value the loop may wait for */
    uint64_t from[32], slot[SLOTS_MOST];
    uint32_t slot_at[SLOTS_MOST]; /* base and offset; 0: none */
    uint32_t value[32], known;    /* constants; bit i of `known` is for x[i] */
    struct place loaded[COUNTS_MOST], own;
    unsigned loads;
    uint64_t written; /* registers and variables */
    uint64_t decides; /* what the end of the loop depends on */
    uint64_t same;    /* what has the same value in each round, as far as it is known */
    struct condition condition[NESTED_MOST];
    unsigned conditions;
    bool counts;
    bool works;   /* it may store anything */
    bool ends;    /* the branch that ends the loop depends only on the load and on what no round changes */
    bool looked;  /* the load has been reached */
    bool changes; /* it stores to the word behind it */
};

static uint16_t flags_of(const struct tf_rv_insn *insn)
{
    return tf_rv_info(insn->id)->flags;
}

/* Does a load or a store reach a variable on the stack? A frame pointer has negative offsets. */
static bool is_in_frame(const struct tf_rv_insn *insn)
{
    return insn->rs1 == SP || (insn->rs1 == FP && insn->imm < 0);
}

/* The variable on the stack of a load or a store; SLOTS_MOST: there are too many. */
static unsigned slot_of(struct round *round, const struct tf_rv_insn *insn)
{
    const uint32_t at = (uint32_t)insn->imm << 8 | insn->rs1;
    unsigned i = 0;
    while (i < SLOTS_MOST && round->slot_at[i] != 0 && round->slot_at[i] != at)
        i++;
    if (i < SLOTS_MOST && round->slot_at[i] == 0) {
        round->slot_at[i] = at;
        round->slot[i] = SLOT_BIT(i);
    }
    return i;
}

static struct place place_of(const struct round *round, const struct tf_rv_insn *insn)
{
    const bool known = (round->known >> insn->rs1 & 1) != 0;
    return (struct place){
        .from = known ? 0 : round->from[insn->rs1],
        .offset = (uint32_t)insn->imm + (known ? round->value[insn->rs1] : 0),
        .known = known,
    };
}

static bool same_place(struct place a, struct place b)
{
    return a.known == b.known && a.from == b.from && a.offset == b.offset;
}

/* What decides whether the instruction is executed. */
static uint64_t condition_of(const struct round *round)
{
    uint64_t from = 0;
    for (unsigned i = 0; i < round->conditions; i++)
        from |= round->condition[i].from;
    return from;
}

/* A value that may stay the old one depends on both, and on what decides. */
static uint64_t merged(const struct round *round, uint64_t before, uint64_t from)
{
    return round->conditions == 0 ? from : before | from | condition_of(round);
}

static void set(struct round *round, unsigned rd, uint64_t from)
{
    if (rd == 0)
        return;
    round->from[rd] = merged(round, round->from[rd], from);
    round->known &= ~(1u << rd);
    round->written |= UINT64_C(1) << rd;
}

static void constant(struct round *round, unsigned rd, uint32_t value)
{
    set(round, rd, 0);
    round->value[rd] = value;
    round->known |= rd == 0 || round->conditions != 0 ? 0 : 1u << rd;
}

static bool load(struct round *round, const struct tf_rv_insn *insn, uint32_t pc)
{
    if (is_in_frame(insn)) {
        const unsigned slot = slot_of(round, insn);
        if (slot == SLOTS_MOST)
            return false;
        set(round, insn->rd, round->slot[slot]);
        return true;
    }
    const struct place place = place_of(round, insn);
    if (pc == round->load) {
        round->own = place;
        round->looked = true;
    } else if (round->loads < COUNTS_MOST) {
        round->loaded[round->loads++] = place;
    }
    set(round, insn->rd, LOADED | (pc == round->load ? OWN : OTHER));
    return true;
}

/* A store may change a variable on the stack, or count rounds in a word that the loop has loaded. Others are work. */
static bool store(struct round *round, const struct tf_rv_insn *insn)
{
    if (is_in_frame(insn)) {
        const unsigned slot = slot_of(round, insn);
        if (slot == SLOTS_MOST)
            return false;
        round->slot[slot] = merged(round, round->slot[slot], round->from[insn->rs2]);
        round->written |= SLOT_BIT(slot);
        return true;
    }
    const struct place place = place_of(round, insn);
    for (unsigned i = 0; i < round->loads; i++)
        if (same_place(place, round->loaded[i]) && (round->from[insn->rs2] & LOADED) != 0) {
            round->counts = true;
            return true;
        }
    round->changes |= round->looked && same_place(place, round->own);
    round->works = true;
    return true;
}

/* A function that the loop calls has returned. */
static void returned(struct round *round, uint64_t from)
{
    for (unsigned rd = 5; rd < 32; rd = rd == 7 ? 10 : rd == 17 ? 28 : rd + 1)
        set(round, rd, from);
    set(round, RA, 0);
}

/* A function that the loop calls: does it only compute, load, and use its frame? It may have any result. */
static bool only_computes(struct round *round, uint32_t pc)
{
    uint64_t from = 0;
    bool skips = false;
    uint32_t used = 0, written = 0; /* registers: those that it reads before it writes them */
    for (unsigned i = 0; i < CALLED_MOST; i++, pc += 4) {
        struct tf_rv_insn insn;
        if (!insn_at(round->tile, pc, &insn) || !tf_rv_is_listed(&insn) || (flags_of(&insn) & TF_RV_F_SYSTEM) != 0)
            return false;
        if (insn.id == TF_RV_JALR && insn.rd == 0 && insn.rs1 == RA) {
            for (unsigned arg = 10; arg < 18; arg++)
                from |= (used >> arg & 1) != 0 ? round->from[arg] : 0;
            returned(round, from);
            return true;
        }
        if ((flags_of(&insn) & TF_RV_F_JUMP) != 0 || ((flags_of(&insn) & TF_RV_F_BRANCH) != 0 && insn.imm < 0) ||
            ((flags_of(&insn) & TF_RV_F_STORE) != 0 && !is_in_frame(&insn)))
            return false;
        if ((flags_of(&insn) & (TF_RV_F_LOAD | TF_RV_F_AMO)) != 0 && !is_in_frame(&insn))
            from |= LOADED | OTHER;
        used |= tf_rv_x_read(&insn) & ~written;
        skips |= (flags_of(&insn) & TF_RV_F_BRANCH) != 0;
        written |= skips ? 0 : tf_rv_x_written(&insn);
    }
    return false;
}

/* A branch inside the loop: some instructions are under a condition. */
static void skip(struct round *round, const struct tf_rv_insn *insn, uint32_t pc, uint32_t to)
{
    const uint64_t from = round->from[insn->rs1] | round->from[insn->rs2];
    if (to <= pc)
        return;
    if (round->conditions == NESTED_MOST) { /* it joins the last one */
        struct condition *last = &round->condition[NESTED_MOST - 1];
        last->until = last->until < to ? to : last->until;
        last->from |= from;
    } else {
        round->condition[round->conditions++] = (struct condition){.until = to, .from = from};
    }
}

/* The code at pc is reached: which conditions end? A jump before it may lead over what else is done. */
static void join(struct round *round, uint32_t pc)
{
    struct tf_rv_insn before;
    const bool jumps = pc > round->first && insn_at(round->tile, pc - 4, &before) && before.id == TF_RV_JAL &&
                       before.rd == 0 && before.imm > 0 && pc - 4 + (uint32_t)before.imm <= round->last;
    unsigned left = 0;
    for (unsigned i = 0; i < round->conditions; i++) {
        struct condition condition = round->condition[i];
        if (condition.until <= pc && jumps)
            condition.until = pc - 4 + (uint32_t)before.imm;
        if (condition.until > pc)
            round->condition[left++] = condition;
    }
    round->conditions = left;
}

/* The loop may end here, by what a branch compares. */
static void leave(struct round *round, uint64_t from)
{
    round->decides |= from | condition_of(round);
    round->ends |= (from & OWN) != 0 && (from & (OTHER | (START & ~round->same))) == 0;
}

/* The loop ends here, if the instruction is under a condition. */
static bool leave_always(struct round *round)
{
    if (round->conditions == 0)
        return false;
    leave(round, round->condition[round->conditions - 1].from);
    return true;
}

static void compute(struct round *round, const struct tf_rv_insn *insn, uint32_t pc)
{
    const uint32_t imm = (uint32_t)insn->imm, reads = tf_rv_x_read(insn);
    const bool known = (round->known >> insn->rs1 & 1) != 0;
    uint64_t from = 0;
    if (insn->id == TF_RV_LUI || insn->id == TF_RV_AUIPC) {
        constant(round, insn->rd, imm + (insn->id == TF_RV_AUIPC ? pc : 0));
        return;
    }
    if (insn->id == TF_RV_ADDI && (known || insn->rs1 == 0)) {
        constant(round, insn->rd, imm + (insn->rs1 == 0 ? 0 : round->value[insn->rs1]));
        return;
    }
    for (unsigned reg = 1; reg < 32; reg++)
        if ((reads >> reg & 1) != 0)
            from |= round->from[reg];
    set(round, insn->rd, from);
}

/* The loop calls a function, or executes an instruction whose effect is unknown. */
static void work(struct round *round, const struct tf_rv_insn *insn, uint32_t pc)
{
    if (insn->id == TF_RV_JAL && pc != round->load && only_computes(round, pc + (uint32_t)insn->imm))
        return;
    round->works = true;
    if (insn->id == TF_RV_JAL || insn->id == TF_RV_JALR) {
        returned(round, LOADED | OTHER);
        if (pc == round->load)
            set(round, RESULT, LOADED | OWN);
    } else
        set(round, insn->rd, LOADED | OTHER);
}

/* One instruction of the round. Returns false if the loop ends there, or nothing is known of it. */
static bool step(struct round *round, const struct tf_rv_insn *insn, uint32_t pc)
{
    const uint16_t flags = flags_of(insn);
    const uint32_t to = pc + (uint32_t)insn->imm;
    const bool jumps = insn->id == TF_RV_JAL || insn->id == TF_RV_JALR, leaves = to < round->first || to > round->last;
    if (!tf_rv_is_listed(insn) || (jumps && insn->rd != 0 && insn->rd != RA))
        return false;
    if ((flags & (TF_RV_F_SYSTEM | TF_RV_F_AMO)) != 0 || (jumps && insn->rd == RA))
        work(round, insn, pc);
    else if (insn->id == TF_RV_JALR || (jumps && leaves))
        return leave_always(round);
    else if ((flags & TF_RV_F_LOAD) != 0)
        return load(round, insn, pc);
    else if ((flags & TF_RV_F_STORE) != 0)
        return store(round, insn);
    else if ((flags & TF_RV_F_BRANCH) != 0 && (pc == round->last || leaves))
        leave(round, round->from[insn->rs1] | round->from[insn->rs2]);
    else if ((flags & TF_RV_F_BRANCH) != 0)
        skip(round, insn, pc, to);
    else if (!jumps && (flags & TF_RV_F_FENCE) == 0)
        compute(round, insn, pc);
    return true;
}

static bool pass(struct round *round)
{
    struct tf_rv_insn insn;
    round->conditions = 0;
    round->loads = 0;
    for (uint32_t pc = round->first; pc <= round->last; pc += 4) {
        join(round, pc);
        if (!insn_at(round->tile, pc, &insn) || !step(round, &insn, pc))
            return false;
    }
    return true;
}

/* What has the same value in each round: what is not written, and what follows from that. */
static uint64_t constants_of(const struct round *round)
{
    uint64_t same = START & ~round->written, before = 0;
    while (same != before) {
        before = same;
        for (unsigned i = 0; i < 32 + SLOTS_MOST; i++)
            if (((i < 32 ? round->from[i] : round->slot[i - 32]) & (OWN | START) & ~same) == 0)
                same |= UINT64_C(1) << i;
    }
    return same;
}

/* Does the loop from first to last wait for the word that it loads at pc, or for the result of its call there? *word:
   where the word is. */
static bool waits(const struct tf_tile *tile, uint32_t first, uint32_t last, uint32_t pc, struct place *word)
{
    struct round round = {.tile = tile, .first = first, .last = last, .load = pc};
    for (unsigned reg = 1; reg < 32; reg++)
        round.from[reg] = UINT64_C(1) << reg;
    if (!pass(&round))
        return false;
    const struct place own = *word = round.own;
    const uint64_t same = constants_of(&round);
    round.same = same;
    round.ends = false;
    /* The value may decide in the next round, and the place may depend on another word. */
    if (!pass(&round))
        return false;
    if ((own.from & START & ~same) != 0 || (round.works && (round.changes || !round.ends)))
        return false;
    for (unsigned i = 0; i < round.loads && round.counts; i++)
        if (same_place(own, round.loaded[i]))
            return false;
    /* The data of a sequence lock are the same in each round, and another word ends it. */
    return (round.decides & (round.counts || (round.own.from & OTHER) != 0 ? OWN : LOADED)) != 0;
}

/* Is the instruction at pc in such a loop? */
static bool waits_around(const struct tf_tile *tile, uint32_t pc)
{
    struct tf_rv_insn insn;
    struct place word;
    for (uint32_t at = pc + 4; at < pc + 4 * ROUND_MOST && insn_at(tile, at, &insn); at += 4) {
        const uint32_t to = at + (uint32_t)insn.imm;
        if (!tf_rv_is_listed(&insn))
            return false;
        if (((flags_of(&insn) & TF_RV_F_BRANCH) != 0 || (insn.id == TF_RV_JAL && insn.rd == 0)) && insn.imm < 0 &&
            to <= pc && pc - to < 4 * ROUND_MOST && waits(tile, to, at, pc, &word))
            return true;
    }
    return false;
}

bool waits_and_works(const struct tf_tile *tile, uint32_t pc)
{
    struct tf_rv_insn insn;
    return insn_at(tile, pc, &insn) && (flags_of(&insn) & TF_RV_F_LOAD) != 0 && !is_in_frame(&insn) &&
           waits_around(tile, pc);
}

bool waits_for_call(const struct tf_tile *tile, uint32_t pc)
{
    struct tf_rv_insn insn;
    return insn_at(tile, pc, &insn) && (insn.id == TF_RV_JAL || insn.id == TF_RV_JALR) && insn.rd == RA &&
           waits_around(tile, pc);
}

/* May a word be among these bytes? It is not if its base is known, and elsewhere. x: the registers of the core. */
static bool may_be_in(struct place word, const uint32_t *x, uint32_t address, uint32_t bytes)
{
    unsigned base = 1;
    while (base < 32 && word.from != UINT64_C(1) << base)
        base++;
    if (!word.known && base == 32)
        return true;
    return word.offset + (word.known ? 0 : x[base]) - address < bytes;
}

/* Does the loop from first to last wait for one of the words that it loads, among these bytes? */
static bool waits_for_some(const struct tf_tile *tile, uint32_t first, uint32_t last, const uint32_t *x,
                           uint32_t address, uint32_t bytes)
{
    struct tf_rv_insn insn;
    struct place word;
    for (uint32_t pc = first; pc <= last && insn_at(tile, pc, &insn); pc += 4)
        if ((flags_of(&insn) & TF_RV_F_LOAD) != 0 && !is_in_frame(&insn) && waits(tile, first, last, pc, &word) &&
            may_be_in(word, x, address, bytes))
            return true;
    return false;
}

bool ends_by_load(const struct tf_tile *tile, uint32_t pc, const uint32_t *x, uint32_t address, uint32_t bytes)
{
    struct tf_rv_insn insn;
    for (uint32_t at = pc; at < pc + 4 * AROUND_MOST && insn_at(tile, at, &insn); at += 4) {
        const uint32_t to = at + (uint32_t)insn.imm;
        const bool jumps = (flags_of(&insn) & TF_RV_F_BRANCH) != 0 || (insn.id == TF_RV_JAL && insn.rd == 0);
        if (jumps && insn.imm < 0 && to <= pc && pc - to < 4 * AROUND_MOST &&
            waits_for_some(tile, to, at, x, address, bytes))
            return true;
    }
    return false;
}
