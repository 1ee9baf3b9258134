/* SPDX-License-Identifier: Apache-2.0 */
/* What a core does after an access: the instructions in a row behind it, up to a store. */
#include <string.h>

#include "races/ahead.h"
#include "races/state/insn.h"
#include "races/state/state.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"
#include "tile/run/tile.h"

#define AHEAD_MOST 16u /* instructions */

/* The registers as far as they are known. Bit i of `known` is for x[i]. */
struct ahead {
    uint32_t x[32], known;
};

static void set(struct ahead *ahead, unsigned rd, uint32_t value, bool known)
{
    if (rd == 0)
        return;
    ahead->x[rd] = value;
    ahead->known = (ahead->known & ~(1u << rd)) | (uint32_t)known << rd;
}

static bool knows(const struct ahead *ahead, unsigned reg)
{
    return (ahead->known >> reg & 1) != 0;
}

/* Perform an instruction that computes an address. Returns false for others. */
static bool step(struct ahead *ahead, const struct tf_rv_insn *insn, uint32_t pc)
{
    const uint32_t a = ahead->x[insn->rs1], b = ahead->x[insn->rs2], imm = (uint32_t)insn->imm;
    const bool known_a = knows(ahead, insn->rs1);
    switch (insn->id) {
    case TF_RV_LUI: set(ahead, insn->rd, imm, true); return true;
    case TF_RV_AUIPC: set(ahead, insn->rd, pc + imm, true); return true;
    case TF_RV_ADDI: set(ahead, insn->rd, a + imm, known_a); return true;
    case TF_RV_SLLI: set(ahead, insn->rd, a << (imm & 31), known_a); return true;
    case TF_RV_ADD: set(ahead, insn->rd, a + b, known_a && knows(ahead, insn->rs2)); return true;
    default: return false;
    }
}

static struct ahead begin(const struct site *site, unsigned core)
{
    struct ahead ahead = {.known = UINT32_MAX};
    memcpy(ahead.x, site->tile->hart[core].x, sizeof ahead.x);
    return ahead;
}

/* Does a load or a store reach the core's local RAM alone? */
static bool is_local(const struct site *site, unsigned core, const struct ahead *ahead, const struct tf_rv_insn *insn)
{
    return knows(ahead, insn->rs1) &&
           ahead->x[insn->rs1] + (uint32_t)insn->imm - TF_LOCAL_BASE < site->tile->arch->local_bytes[core];
}

/* A load from the core's local RAM, where nothing is stored in between. */
static void load_local(const struct site *site, unsigned core, struct ahead *ahead, const struct tf_rv_insn *insn)
{
    const struct tf_hart *hart = &site->tile->hart[core];
    const uint32_t offset = ahead->x[insn->rs1] + (uint32_t)insn->imm - TF_LOCAL_BASE;
    uint32_t value = 0;
    const bool known = hart->local != NULL && offset <= hart->local_bytes - sizeof value;
    if (known)
        memcpy(&value, hart->local + offset, sizeof value);
    set(ahead, insn->rd, value, known);
}

bool clears_next(const struct site *site, unsigned core, uint32_t pc, uint32_t address)
{
    struct ahead ahead = begin(site, core);
    struct tf_rv_insn insn;
    for (unsigned i = 1; i <= AHEAD_MOST && insn_at(site->tile, pc + 4 * i, &insn); i++) {
        const bool local = is_local(site, core, &ahead, &insn);
        if (insn.id == TF_RV_SW && !local)
            return knows(&ahead, insn.rs1) && ahead.x[insn.rs1] + (uint32_t)insn.imm == address &&
                   knows(&ahead, insn.rs2) && ahead.x[insn.rs2] == 0;
        if (insn.id == TF_RV_LW && local)
            set(&ahead, insn.rd, 0, false);
        else if (insn.id != TF_RV_SW && !step(&ahead, &insn, pc + 4 * i))
            return false;
    }
    return false;
}

bool copies_to_local(const struct site *site, unsigned core, uint32_t pc)
{
    struct ahead ahead = begin(site, core);
    struct tf_rv_insn load, insn;
    if (!insn_at(site->tile, pc, &load) || load.id != TF_RV_LW || load.rd == 0)
        return false;
    set(&ahead, load.rd, 0, false);
    bool stored = false;
    for (unsigned i = 1; i <= AHEAD_MOST && insn_at(site->tile, pc + 4 * i, &insn); i++) {
        if (insn.id == TF_RV_SW && insn.rs2 == load.rd && insn.rs1 != load.rd)
            return is_local(site, core, &ahead, &insn);
        if (!tf_rv_is_listed(&insn) || (tf_rv_x_read(&insn) >> load.rd & 1) != 0)
            return false;
        stored |= insn.id == TF_RV_SW;
        if (insn.id == TF_RV_LW && insn.rd != load.rd && !stored && is_local(site, core, &ahead, &insn))
            load_local(site, core, &ahead, &insn);
        else if (insn.id == TF_RV_LW && insn.rd != load.rd)
            set(&ahead, insn.rd, 0, false);
        else if (insn.id != TF_RV_SW && (insn.rd == load.rd || !step(&ahead, &insn, pc + 4 * i)))
            return false;
    }
    return false;
}

bool stores_loaded(const struct site *site, uint32_t loaded, uint32_t stored)
{
    struct tf_rv_insn insn;
    if (stored <= loaded || stored - loaded > 4 * AHEAD_MOST || !insn_at(site->tile, loaded, &insn) || insn.rd == 0)
        return false;
    uint32_t made = 1u << insn.rd; /* the registers that come from the value, as bits */
    for (uint32_t pc = loaded + 4; pc < stored; pc += 4) {
        if (!insn_at(site->tile, pc, &insn) || !tf_rv_is_listed(&insn))
            return false;
        const uint16_t flags = tf_rv_info(insn.id)->flags;
        if ((flags & (TF_RV_F_STORE | TF_RV_F_BRANCH | TF_RV_F_FENCE)) != 0 || insn.rd == 0)
            continue;
        const bool from = (flags & TF_RV_F_LOAD) == 0 && (tf_rv_x_read(&insn) & made) != 0;
        made = (made & ~(1u << insn.rd)) | (uint32_t)from << insn.rd;
    }
    return insn_at(site->tile, stored, &insn) && (made >> insn.rs2 & 1) != 0;
}

#define LOOP_MOST 64u /* instructions, one for each bit of a mask */

/* Does the code from one pc on go on to another? Code in a row does, unless a function returns in between. */
static bool goes_on_to(const struct tf_tile *tile, uint32_t from, uint32_t pc)
{
    struct tf_rv_insn insn;
    for (; from < pc; from += 4)
        if (!insn_at(tile, from, &insn) || ((insn.id == TF_RV_JAL || insn.id == TF_RV_JALR) && insn.rd == 0))
            return false;
    return true;
}

/* Follow the code from pc on, forwards. Code behind a jump counts only if another jump leads there: compilers put rare
   ways of a function behind its end, and those jump back into it. */
bool is_in_loop(const struct tf_tile *tile, uint32_t pc)
{
    uint64_t reached = 1; /* bit i: the code from pc leads to the instruction at pc + 4 i */
    for (uint32_t i = 0; i < LOOP_MOST; i++) {
        struct tf_rv_insn insn;
        const uint32_t at = pc + 4 * i;
        if ((reached >> i & 1) == 0)
            continue;
        if (!insn_at(tile, at, &insn))
            return false;
        const bool jumps = insn.id == TF_RV_JAL && insn.rd == 0;
        const bool leaves = jumps || (insn.id == TF_RV_JALR && insn.rd == 0);
        const uint32_t to = at + (uint32_t)insn.imm;
        if (jumps || (tf_rv_info(insn.id)->flags & TF_RV_F_BRANCH) != 0) {
            if (insn.imm < 0 && to <= pc && pc - to < 4 * LOOP_MOST && goes_on_to(tile, to, pc))
                return true;
            if (insn.imm > 0 && to - pc < 4 * LOOP_MOST)
                reached |= UINT64_C(1) << (to - pc) / 4;
        }
        if (!leaves && i + 1 < LOOP_MOST)
            reached |= UINT64_C(1) << (i + 1);
    }
    return false;
}

#define WIDE_MOST 1024u /* instructions before and behind a place */

/* The instructions around a place that the code from there leads to. */
struct reach {
    const struct tf_tile *tile;
    uint32_t first;   /* pc of the first one that is looked at */
    unsigned waiting; /* that were reached, and not looked at yet */
    uint16_t wait[2 * WIDE_MOST];
    bool reached[2 * WIDE_MOST];
};

static void reach(struct reach *reach, uint32_t at)
{
    const uint32_t index = (at - reach->first) / 4;
    if (at < reach->first || index >= 2 * WIDE_MOST || reach->reached[index])
        return;
    reach->reached[index] = true;
    reach->wait[reach->waiting++] = (uint16_t)index;
}

static void reach_from(struct reach *from, uint32_t at)
{
    struct tf_rv_insn insn;
    if (!insn_at(from->tile, at, &insn))
        return;
    const bool jumps = insn.id == TF_RV_JAL && insn.rd == 0;
    if (jumps || (tf_rv_info(insn.id)->flags & TF_RV_F_BRANCH) != 0)
        reach(from, at + (uint32_t)insn.imm);
    if (!jumps && (insn.id != TF_RV_JALR || insn.rd != 0))
        reach(from, at + 4);
}

bool comes_back(const struct tf_tile *tile, uint32_t pc)
{
    struct reach from = {.tile = tile};
    from.first = pc > 4 * WIDE_MOST ? pc - 4 * WIDE_MOST : pc % 4;
    const uint32_t place = (pc - from.first) / 4;
    for (reach_from(&from, pc); from.waiting != 0 && !from.reached[place];)
        reach_from(&from, from.first + 4u * from.wait[--from.waiting]);
    return from.reached[place];
}
