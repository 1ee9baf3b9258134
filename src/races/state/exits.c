/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a core does after a load, executed with a value that the word does not have, or with any value. Registers, local
 * RAM and L1 are as they are now, and nothing is changed. What another load gives from a register is unknown.
 */
#include "races/state/exits.h"

#include <string.h>

#include "races/state/insn.h"
#include "races/state/spin.h"
#include "tile/riscv/isa/alu.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/run/tile.h"

#define ROUND_MOST 48u  /* instructions of a loop */
#define STEPS_MOST 160u /* that a round executes, with the functions that it calls */
#define STORED_MOST 8u  /* words on the stack that a round stores */
#define USES_MOST 256u  /* instructions that are looked at behind the loop */
#define WAYS_MOST 64u   /* ways there, from branches on */
#define CALLS_MOST 3u   /* functions that call each other there */

enum { RA = 1, RESULT = 10 };

#define CALLED_CHANGES 0xF003FCE2u /* registers that a function may change, as bits: ra, t0 to t6, a0 to a7 */
#define RETURNED (3u << RESULT)    /* a0 and a1 */
#define KEPT (~CALLED_CHANGES)     /* that the caller of a function finds unchanged */

struct trial {
    const struct tf_tile *tile;
    const struct tf_hart *hart;
    uint32_t x[32], known, made; /* known, made: bit i is for x[i]; made: from the value */
    uint32_t pc, address;
    uint32_t first, last;  /* of the loop */
    int32_t offset;        /* of the load's instruction */
    uint32_t exit, behind; /* pc behind the loop, and `made` there; 0: it has not ended yet */
    unsigned calls;        /* functions of the loop that have not returned */
    uint32_t stored[STORED_MOST], stored_value[STORED_MOST];
    unsigned stores;
    bool kept; /* the value, or what was made from it, is in memory */
};

static uint16_t flags_of(const struct tf_rv_insn *insn)
{
    return tf_rv_info(insn->id)->flags;
}

static void set(struct trial *trial, unsigned rd, uint32_t value, bool known, bool made)
{
    if (rd == 0)
        return;
    trial->x[rd] = value;
    trial->known = (trial->known & ~(1u << rd)) | (uint32_t)known << rd;
    trial->made = (trial->made & ~(1u << rd)) | (uint32_t)made << rd;
}

/* Find the loop around a load: the next branch or jump back to it, or to a place before it. The first round may stand
   before the loop; then the loop has the same load. */
static bool find_loop(struct trial *trial)
{
    struct tf_rv_insn insn;
    uint32_t load = trial->pc;
    for (uint32_t at = load + 4; at < trial->pc + 4 * ROUND_MOST && insn_at(trial->tile, at, &insn); at += 4) {
        const uint32_t to = at + (uint32_t)insn.imm;
        const bool goes = (flags_of(&insn) & TF_RV_F_BRANCH) != 0 || (insn.id == TF_RV_JAL && insn.rd == 0);
        if (insn.id == TF_RV_LW && insn.imm == trial->offset)
            load = at;
        if (!goes || insn.imm >= 0 || to > load || load - to >= 4 * ROUND_MOST)
            continue;
        trial->first = to < trial->pc ? to : trial->pc;
        trial->last = at;
        return true;
    }
    return false;
}

/* known: the load gives this value; else no value is known. */
static bool begin(struct trial *trial, const struct tf_tile *tile, unsigned core, uint32_t pc, uint32_t address,
                  uint32_t value, bool known)
{
    struct tf_rv_insn insn;
    *trial = (struct trial){.tile = tile, .hart = &tile->hart[core], .known = UINT32_MAX, .pc = pc};
    if (!insn_at(tile, pc, &insn) || insn.id != TF_RV_LW || insn.rd == 0 || address % 4 != 0)
        return false;
    memcpy(trial->x, trial->hart->x, sizeof trial->x);
    trial->offset = insn.imm;
    trial->address = address;
    set(trial, insn.rd, value, known, true);
    return true;
}

/* Load a word of local RAM, as the round has left it, or of L1. */
static bool load_word(const struct trial *trial, uint32_t address, uint32_t *value)
{
    const struct tf_hart *hart = trial->hart;
    const uint32_t offset = address - TF_LOCAL_BASE;
    for (unsigned i = trial->stores; i-- != 0;)
        if (trial->stored[i] == address) {
            *value = trial->stored_value[i];
            return true;
        }
    if (hart->local != NULL && offset <= hart->local_bytes - sizeof *value)
        memcpy(value, hart->local + offset, sizeof *value);
    else if (address != trial->address && address <= trial->tile->arch->l1_bytes - sizeof *value)
        memcpy(value, trial->tile->l1 + address, sizeof *value);
    else
        return false;
    return address % 4 == 0;
}

static bool knows(const struct trial *trial, unsigned reg)
{
    return (trial->known >> reg & 1) != 0;
}

static void load(struct trial *trial, const struct tf_rv_insn *insn)
{
    uint32_t value = 0;
    const bool known = insn->id == TF_RV_LW && knows(trial, insn->rs1) &&
                       load_word(trial, trial->x[insn->rs1] + (uint32_t)insn->imm, &value);
    set(trial, insn->rd, value, known, false);
}

/* A word on the stack. Returns false for other stores. */
static bool store(struct trial *trial, const struct tf_rv_insn *insn)
{
    const uint32_t address = trial->x[insn->rs1] + (uint32_t)insn->imm;
    if (insn->id != TF_RV_SW || !knows(trial, insn->rs1) || !knows(trial, insn->rs2) || address % 4 != 0 ||
        address - TF_LOCAL_BASE >= trial->hart->local_bytes || trial->stores == STORED_MOST)
        return false;
    trial->kept |= (trial->made >> insn->rs2 & 1) != 0;
    trial->stored[trial->stores] = address;
    trial->stored_value[trial->stores++] = trial->x[insn->rs2];
    return true;
}

/* The result of an instruction that only computes. Returns false for others. */
static bool compute(const struct tf_rv_insn *insn, uint32_t pc, uint32_t a, uint32_t b, uint32_t *result)
{
    const uint32_t imm = (uint32_t)insn->imm;
    switch (insn->id) {
    case TF_RV_LUI: *result = imm; return true;
    case TF_RV_AUIPC: *result = pc + imm; return true;
#define X(id, ...) \
    case TF_RV_##id: *result = tf_alu_##id(a, b); return true;
        TF_ALU_BINARY(X)
        TF_ALU_UNARY(X)
#undef X
#define X(id, ...) \
    case TF_RV_##id: *result = tf_alu_##id(a, imm); return true;
        TF_ALU_IMMEDIATE(X)
#undef X
    default: return false;
    }
}

static bool is_taken(const struct tf_rv_insn *insn, uint32_t a, uint32_t b)
{
    switch (insn->id) {
#define X(id, ...) \
    case TF_RV_##id: return tf_alu_##id(a, b) != 0;
        TF_BRANCHES(X)
#undef X
    default: return false;
    }
}

/* Execute an instruction at *pc, and go on. Returns false if the trial ends there. */
static bool step(struct trial *trial, uint32_t *pc)
{
    struct tf_rv_insn insn;
    if (!insn_at(trial->tile, *pc, &insn) || !tf_rv_is_listed(&insn))
        return false;
    const uint16_t flags = flags_of(&insn);
    const uint32_t reads = tf_rv_x_read(&insn), at = *pc, a = trial->x[insn.rs1], b = trial->x[insn.rs2];
    const bool known = (reads & ~trial->known) == 0;
    uint32_t result;
    *pc = at + 4;
    if ((flags & TF_RV_F_BRANCH) != 0) {
        if (is_taken(&insn, a, b))
            *pc = at + (uint32_t)insn.imm;
        return known;
    }
    if ((flags & TF_RV_F_JUMP) != 0) {
        *pc = insn.id == TF_RV_JAL ? at + (uint32_t)insn.imm : (a + (uint32_t)insn.imm) & ~1u;
        trial->calls += insn.rd == RA;
        trial->calls -= insn.id == TF_RV_JALR && insn.rd == 0 && trial->calls != 0;
        set(trial, insn.rd, at + 4, true, false);
        return known && (insn.rd == 0 || insn.rd == RA);
    }
    if ((flags & TF_RV_F_LOAD) != 0)
        load(trial, &insn);
    else if ((flags & TF_RV_F_STORE) != 0)
        return store(trial, &insn);
    else if (compute(&insn, at, a, b, &result))
        set(trial, insn.rd, result, known, (reads & trial->made) != 0);
    else
        return (flags & TF_RV_F_FENCE) != 0;
    return true;
}

/* Is the instruction at pc another load of the word? */
static bool is_load_of_word(const struct trial *trial, uint32_t pc)
{
    struct tf_rv_insn insn;
    return insn_at(trial->tile, pc, &insn) && insn.id == TF_RV_LW && knows(trial, insn.rs1) &&
           trial->x[insn.rs1] + (uint32_t)insn.imm == trial->address;
}

/* Execute the round behind the load. *end: what becomes of the loop. */
static void execute(struct trial *trial, enum wait_end *end)
{
    uint32_t pc = trial->pc + 4;
    *end = WAIT_UNSURE;
    for (unsigned i = 0; i < STEPS_MOST; i++) {
        if (pc == trial->pc || is_load_of_word(trial, pc)) {
            *end = WAIT_GOES_ON;
            return;
        }
        if (trial->exit == 0 && trial->calls == 0 && (pc < trial->first || pc > trial->last)) {
            trial->exit = pc;
            trial->behind = trial->made;
            *end = WAIT_ENDS;
            /* What follows may still be a part of the loop that the compiler has moved out of the way. */
            i = STEPS_MOST - ROUND_MOST;
        }
        if (!step(trial, &pc))
            return;
    }
}

enum wait_end wait_ends(const struct tf_tile *tile, unsigned core, uint32_t pc, uint32_t address, uint32_t value)
{
    struct trial trial;
    enum wait_end end;
    if (!begin(&trial, tile, core, pc, address, value, true) || !find_loop(&trial))
        return WAIT_UNSURE;
    execute(&trial, &end);
    return end;
}

/* A way behind the loop: the registers that hold the value, or what was made from it, and where functions return to. */
struct way {
    uint32_t pc, made;
    uint32_t back[CALLS_MOST];
    unsigned calls;
};

struct behind {
    const struct tf_tile *tile;
    struct way begun[WAYS_MOST]; /* each way that was followed */
    unsigned ways, seen;         /* seen: instructions */
};

/* Has a way been followed with all registers that hold the value on this one? */
static bool is_begun(const struct behind *behind, const struct way *way)
{
    for (unsigned i = 0; i < behind->ways; i++) {
        const struct way *begun = &behind->begun[i];
        if (begun->pc == way->pc && begun->calls == way->calls && (way->made & ~begun->made) == 0 &&
            memcmp(begun->back, way->back, sizeof way->back) == 0)
            return true;
    }
    return false;
}

/* Follow a jump. Returns false if nothing is known of what it leads to. */
static bool jump(struct way *way, const struct tf_rv_insn *insn)
{
    const bool calls = insn->rd == RA, returns = insn->id == TF_RV_JALR && insn->rd == 0 && insn->rs1 == RA;
    if (returns && way->calls == 0) {
        const bool lost = (way->made & (KEPT | RETURNED)) != 0; /* the caller may use it */
        way->made = 0;
        return !lost;
    }
    if (returns) {
        way->pc = way->back[--way->calls];
        way->back[way->calls] = 0;
        way->made &= KEPT | RETURNED;
        return true;
    }
    if (insn->id == TF_RV_JALR || (insn->rd != 0 && !calls) || (calls && way->calls == CALLS_MOST))
        return false;
    if (calls)
        way->back[way->calls++] = way->pc + 4;
    way->pc += (uint32_t)insn->imm;
    return true;
}

static bool is_used(struct behind *behind, struct way way)
{
    struct tf_rv_insn insn;
    if (is_begun(behind, &way))
        return false;
    if (behind->ways == WAYS_MOST)
        return true;
    behind->begun[behind->ways++] = way;
    while (way.made != 0) {
        if (++behind->seen > USES_MOST || !insn_at(behind->tile, way.pc, &insn) || !tf_rv_is_listed(&insn))
            return true;
        const uint16_t flags = flags_of(&insn);
        const bool returns = insn.id == TF_RV_JALR && insn.rd == 0;
        if (!returns && (tf_rv_x_read(&insn) & way.made) != 0)
            return true;
        way.made &= ~tf_rv_x_written(&insn);
        if ((flags & TF_RV_F_JUMP) != 0) {
            if (!jump(&way, &insn))
                return true;
            continue;
        }
        if ((flags & TF_RV_F_BRANCH) != 0) {
            struct way taken = way;
            taken.pc += (uint32_t)insn.imm;
            way.pc += 4;
            return is_used(behind, taken) || is_used(behind, way);
        }
        way.pc += 4;
    }
    return false;
}

bool value_is_used(const struct tf_tile *tile, unsigned core, uint32_t pc, uint32_t address, uint32_t value)
{
    struct trial trial;
    enum wait_end end;
    struct behind behind = {.tile = tile};
    if (!begin(&trial, tile, core, pc, address, value, true) || !find_loop(&trial))
        return true;
    execute(&trial, &end);
    return end != WAIT_ENDS || trial.kept || is_used(&behind, (struct way){.pc = trial.exit, .made = trial.behind});
}

/* Does a loop that waits for the word follow on one way behind a branch? */
static bool leads_to_wait(struct trial trial, uint32_t pc)
{
    for (unsigned i = 0; i < ROUND_MOST; i++) {
        if (is_load_of_word(&trial, pc) && spins(trial.tile, pc))
            return true;
        if (!step(&trial, &pc))
            return false;
    }
    return false;
}

bool polls(const struct tf_tile *tile, unsigned core, uint32_t pc, uint32_t address)
{
    struct trial trial;
    struct tf_rv_insn insn;
    uint32_t at = pc + 4;
    if (polls_word(tile, pc, address))
        return true;
    if (!begin(&trial, tile, core, pc, address, 0, false))
        return false;
    for (unsigned i = 0; i < ROUND_MOST && insn_at(tile, at, &insn); i++) {
        if ((flags_of(&insn) & TF_RV_F_BRANCH) != 0 && (tf_rv_x_read(&insn) & trial.made) != 0)
            return leads_to_wait(trial, at + 4) || leads_to_wait(trial, at + (uint32_t)insn.imm);
        if (!step(&trial, &at))
            return false;
    }
    return false;
}
