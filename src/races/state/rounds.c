/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loops that wait, and store: to the stack, or the number of their rounds. What a value depends on is a set of bits:
 * the registers and the variables on the stack at the start of a round, and whether something was loaded.
 */
#include <string.h>

#include "races/state/insn.h"
#include "races/state/rounds.h"
#include "races/state/state.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"

#define ROUND_MOST 48u  /* instructions of a loop */
#define CALLED_MOST 24u /* and of a function that it calls */
#define SLOTS_MOST 16u  /* variables on the stack */
#define COUNTS_MOST 4u  /* words that it loads */
#define LOADED (UINT64_C(1) << 62)
#define OWN (UINT64_C(1) << 63) /* by the load that is asked for */
#define SLOT_BIT(i) (UINT64_C(1) << (32 + (i)))
#define START (LOADED - 1) /* of the start of the round */

enum { RA = 1, SP = 2, FP = 8 };

/* An address: a constant, or what it depends on and an offset. */
struct place {
    uint64_t from;
    uint32_t offset;
    bool known;
};

struct round {
    const struct tf_tile *tile;
    uint32_t first, last, load; /* pc */
    uint64_t from[32], slot[SLOTS_MOST];
    uint32_t slot_at[SLOTS_MOST]; /* base and offset; 0: none */
    uint32_t value[32], known;    /* constants; bit i of `known` is for x[i] */
    struct place loaded[COUNTS_MOST], own;
    unsigned loads;
    uint64_t written; /* registers and variables */
    uint64_t decides; /* what the end of the loop depends on */
    bool frame, counts;
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

static void set(struct round *round, unsigned rd, uint64_t from)
{
    if (rd == 0)
        return;
    round->from[rd] = from;
    round->known &= ~(1u << rd);
    round->written |= UINT64_C(1) << rd;
}

static void constant(struct round *round, unsigned rd, uint32_t value)
{
    set(round, rd, 0);
    round->value[rd] = value;
    round->known |= rd == 0 ? 0 : 1u << rd;
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
    if (pc == round->load)
        round->own = place;
    else if (round->loads < COUNTS_MOST)
        round->loaded[round->loads++] = place;
    set(round, insn->rd, LOADED | (pc == round->load ? OWN : 0));
    return true;
}

/* A store may change a variable on the stack, or count rounds in a word that the loop has loaded. */
static bool store(struct round *round, const struct tf_rv_insn *insn)
{
    if (is_in_frame(insn)) {
        const unsigned slot = slot_of(round, insn);
        if (slot == SLOTS_MOST)
            return false;
        round->slot[slot] = round->from[insn->rs2];
        round->written |= SLOT_BIT(slot);
        round->frame = true;
        return true;
    }
    const struct place place = place_of(round, insn);
    for (unsigned i = 0; i < round->loads; i++)
        if (same_place(place, round->loaded[i]) && (round->from[insn->rs2] & LOADED) != 0) {
            round->counts = true;
            return true;
        }
    return false;
}

/* A function that the loop calls: does it only compute, load, and use its frame? It may have any result. */
static bool call(struct round *round, uint32_t pc)
{
    uint64_t from = 0;
    for (unsigned i = 0; i < CALLED_MOST; i++, pc += 4) {
        struct tf_rv_insn insn;
        if (!insn_at(round->tile, pc, &insn) || !tf_rv_is_listed(&insn) || (flags_of(&insn) & TF_RV_F_SYSTEM) != 0)
            return false;
        if (insn.id == TF_RV_JALR && insn.rd == 0 && insn.rs1 == RA) {
            for (unsigned arg = 10; arg < 18; arg++)
                from |= round->from[arg];
            for (unsigned rd = 5; rd < 32; rd = rd == 7 ? 10 : rd == 17 ? 28 : rd + 1)
                set(round, rd, from);
            set(round, RA, 0);
            round->frame = true;
            return true;
        }
        if ((flags_of(&insn) & TF_RV_F_JUMP) != 0 || ((flags_of(&insn) & TF_RV_F_BRANCH) != 0 && insn.imm < 0) ||
            ((flags_of(&insn) & TF_RV_F_STORE) != 0 && !is_in_frame(&insn)))
            return false;
        if ((flags_of(&insn) & (TF_RV_F_LOAD | TF_RV_F_AMO)) != 0 && !is_in_frame(&insn))
            from |= LOADED;
    }
    return false;
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

/* One instruction of the round. Returns false if it has an effect that a loop that waits has not. */
static bool step(struct round *round, const struct tf_rv_insn *insn, uint32_t pc)
{
    const uint16_t flags = flags_of(insn);
    const uint32_t to = pc + (uint32_t)insn->imm;
    if (!tf_rv_is_listed(insn) || (flags & TF_RV_F_SYSTEM) != 0 || insn->id == TF_RV_JALR)
        return false;
    if ((flags & TF_RV_F_LOAD) != 0)
        return load(round, insn, pc);
    if ((flags & TF_RV_F_STORE) != 0)
        return store(round, insn);
    if (insn->id == TF_RV_JAL && insn->rd != 0)
        return insn->rd == RA && call(round, to);
    if ((flags & TF_RV_F_BRANCH) != 0) {
        if (pc == round->last || to < round->first || to > round->last)
            round->decides |= round->from[insn->rs1] | round->from[insn->rs2];
        return true;
    }
    if (insn->id != TF_RV_JAL && (flags & TF_RV_F_FENCE) == 0)
        compute(round, insn, pc);
    return true;
}

static bool pass(struct round *round)
{
    struct tf_rv_insn insn;
    for (uint32_t pc = round->first; pc <= round->last; pc += 4)
        if (!insn_at(round->tile, pc, &insn) || !step(round, &insn, pc))
            return false;
    return true;
}

/* What has the same value in each round: what is not written, and what follows from that. */
static uint64_t constants_of(const struct round *round)
{
    uint64_t same = START & ~round->written, before = 0;
    while (same != before) {
        before = same;
        for (unsigned i = 0; i < 32 + SLOTS_MOST; i++)
            if (((i < 32 ? round->from[i] : round->slot[i - 32]) & START & ~same) == 0)
                same |= UINT64_C(1) << i;
    }
    return same;
}

/* Does the loop from first to last wait for the word that it loads at pc? */
static bool waits(const struct tf_tile *tile, uint32_t first, uint32_t last, uint32_t pc)
{
    struct round round = {.tile = tile, .first = first, .last = last, .load = pc};
    for (unsigned reg = 1; reg < 32; reg++)
        round.from[reg] = UINT64_C(1) << reg;
    if (!pass(&round) || (!round.frame && !round.counts))
        return false;
    const struct place own = round.own;
    const uint64_t same = constants_of(&round);
    round.loads = 0;
    /* The value may decide in the next round. */
    if ((round.decides & LOADED) == 0 && !pass(&round))
        return false;
    for (unsigned i = 0; i < round.loads && round.counts; i++)
        if (same_place(own, round.loaded[i]))
            return false;
    return (round.decides & (round.counts ? OWN : LOADED)) != 0 && (own.from & START & ~same) == 0;
}

bool waits_in_frame(const struct tf_tile *tile, uint32_t pc)
{
    struct tf_rv_insn insn;
    if (!insn_at(tile, pc, &insn) || (flags_of(&insn) & TF_RV_F_LOAD) == 0 || is_in_frame(&insn))
        return false;
    for (uint32_t at = pc + 4; at < pc + 4 * ROUND_MOST && insn_at(tile, at, &insn); at += 4) {
        const uint32_t to = at + (uint32_t)insn.imm;
        if (!tf_rv_is_listed(&insn) || insn.id == TF_RV_JALR)
            return false;
        if (((flags_of(&insn) & TF_RV_F_BRANCH) != 0 || (insn.id == TF_RV_JAL && insn.rd == 0)) && insn.imm < 0 &&
            to <= pc && pc - to < 4 * ROUND_MOST && waits(tile, to, at, pc))
            return true;
    }
    return false;
}
