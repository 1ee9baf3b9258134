/* SPDX-License-Identifier: Apache-2.0 */
/* Finds stacks of cores from the prologues of their functions, and the most likely causes of faults. */
#include <stdio.h>
#include <string.h>

#include "debug/stack.h"
#include "debug/symbols.h"
#include "farm/chip/chip.h"
#include "tile/riscv/control/view.h"
#include "tilefarm_address.h"
#include "tile/riscv/isa/decode.h"
#include "tile/riscv/isa/ids.h"

enum { RA = 1, SP = 2 };

#define NO_INSTRUCTION 0xFFFFFFFFu

/* The effects of a function's prologue up to a pc. CFA is sp at the function's entry. */
struct prologue {
    uint32_t size; /* CFA - sp */
    bool saved;    /* ra is in memory */
    uint32_t at;   /* at address CFA - at */
};

/* Read a word that the core sees, without an effect. Returns false if it is not in memory. */
static bool peek(struct tf_tile *tile, unsigned core, uint32_t address, uint32_t *value)
{
    const struct tf_hart *hart = &tile->hart[core];
    if (address % 4 != 0)
        return false;
    if (address <= tile->arch->l1_bytes - 4)
        memcpy(value, tile->l1 + address, sizeof *value);
    else if (address - TF_LOCAL_BASE < hart->local_bytes)
        memcpy(value, hart->local + (address - TF_LOCAL_BASE), sizeof *value);
    else
        return false;
    return true;
}

/*
 * Follow a function from its start to pc. Code after a return or a jump is reached from a place before the epilogue, so
 * the state there is that of the prologue.
 */
static struct prologue follow(struct tf_tile *tile, unsigned core, uint32_t start, uint32_t pc)
{
    struct prologue frame = {0}, body = {0};
    bool left = false; /* an epilogue has begun */
    for (uint32_t at = start, word; at < pc && peek(tile, core, at, &word); at += 4) {
        struct tf_rv_insn insn;
        tf_rv_decode(word, &insn);
        if (insn.id == TF_RV_ADDI && insn.rd == SP && insn.rs1 == SP) {
            if (insn.imm > 0 && !left)
                body = frame;
            left |= insn.imm > 0;
            frame.size -= (uint32_t)insn.imm;
        } else if (insn.id == TF_RV_SW && insn.rs1 == SP && insn.rs2 == RA) {
            frame.saved = true;
            frame.at = frame.size - (uint32_t)insn.imm;
        } else if (insn.id == TF_RV_LW && insn.rs1 == SP && insn.rd == RA && !left) {
            body = frame;
            left = true;
            frame.saved = false;
        } else if ((insn.id == TF_RV_JALR || insn.id == TF_RV_JAL) && insn.rd == 0 && left) {
            frame = body;
            left = false;
        }
    }
    return frame;
}

/* Does a pc belong to that word of a start file that a core reaches only if it starts without a reset
   (kernels/crt0.S)? */
static bool restarts_program(struct tf_tile *tile, unsigned number, const struct tf_symbols *symbols, unsigned core,
                             uint32_t pc)
{
    uint32_t start, word;
    const char *name = tf_symbols_function(symbols, number, core, pc, &start);
    return name != NULL && strcmp(name, "_start") == 0 && pc != start && peek(tile, core, pc, &word) &&
           word == NO_INSTRUCTION;
}

unsigned tf_stack_of(struct tf_chip *chip, const struct tf_symbols *symbols, unsigned number, unsigned core,
                     struct tf_frame *frames)
{
    struct tf_core_view view;
    tf_forks_settle_all(&chip->forks, chip->fabric);
    struct tf_tile *tile = tf_symbols_tile_of(chip, number);
    if (tile == NULL || core >= tile->arch->cores)
        return 0;
    tf_hart_look(tile, &tile->hart[core], &view);
    uint32_t ra = view.x[RA], start;
    unsigned count = 0;
    for (struct tf_frame at = {view.pc, view.x[SP]}; count < TF_FRAMES_MAX;) {
        uint32_t within = count == 0 ? at.pc : at.pc - 4; /* the address of the call */
        frames[count++] = at;
        bool lost = tf_symbols_not_code(symbols, number, core, at.pc) ||
                    restarts_program(tile, number, symbols, core, at.pc);
        if (count == 1 && lost && tf_symbols_function(symbols, number, core, ra - 4, &start) != NULL) {
            at.pc = ra;
            continue;
        }
        const char *name = tf_symbols_function(symbols, number, core, within, &start);
        if (name == NULL || strcmp(name, "_start") == 0)
            break;
        struct prologue prologue = follow(tile, core, start, at.pc);
        uint32_t cfa = at.sp + prologue.size;
        if (prologue.saved && !peek(tile, core, cfa - prologue.at, &ra))
            break;
        if ((!prologue.saved && count > 1) || cfa < at.sp || ra == 0 || (ra == at.pc && cfa == at.sp))
            break;
        at = (struct tf_frame){ra, cfa};
    }
    return count;
}

#define REPEATS_LEAST 4u /* calls that are equal in sequence do not get a line each */

void tf_stack_print(struct tf_chip *chip, struct tf_symbols *symbols, unsigned tile, unsigned core,
                    void (*say)(void *user, const char *line), void *user)
{
    struct tf_frame frames[TF_FRAMES_MAX];
    unsigned count = tf_stack_of(chip, symbols, tile, core, frames);
    for (unsigned i = 0, repeats = 1; i < count; i += repeats, repeats = 1) {
        char place[TF_PLACE_BYTES], line[TF_PLACE_BYTES + 64];
        bool known = tf_symbols_place(symbols, tile, core, i == 0 ? frames[i].pc : frames[i].pc - 4, place,
                                      sizeof place);
        if (!known && count == 1)
            break; /* the place adds nothing to the pc */
        snprintf(line, sizeof line, "  #%u 0x%08x%s%s", i, frames[i].pc, place[0] != '\0' ? " " : "", place);
        say(user, line);
        while (i + repeats < count && frames[i + repeats].pc == frames[i].pc)
            repeats++;
        if (repeats < REPEATS_LEAST) {
            repeats = 1;
            continue;
        }
        snprintf(line, sizeof line, "  #%u to #%u: the same call repeated%s", i + 1, i + repeats - 1,
                 i + repeats == TF_FRAMES_MAX ? ", and more" : "");
        say(user, line);
    }
}

#define NULL_BYTES 256u
#define ASSERT_INSTRUCTION 0xFFFFFFFBu /* of ASSERT() in kernels/metal/tilefarm_dprint.h */
#define BELOW_STACK_BYTES 0x1000u
#define BELOW_SP_BYTES 0x100000u /* of sp, which one large array moves far */

/* Did the core access the address of a fault itself? A store to NOC_CMD_CTRL is at another address than its request. */
static bool is_own_access(const struct tf_hart *hart, const struct tf_fault *fault)
{
    struct tf_rv_insn insn;
    tf_rv_decode(fault->instruction, &insn);
    unsigned flags = tf_rv_info(insn.id)->flags;
    uint32_t offset = flags & TF_RV_F_AMO ? 0 : (uint32_t)insn.imm;
    return flags & (TF_RV_F_LOAD | TF_RV_F_STORE | TF_RV_F_AMO) && hart->x[insn.rs1] + offset == fault->address;
}

void tf_stack_diagnose(struct tf_chip *chip, const struct tf_symbols *symbols, const struct tf_fault *fault, char *text)
{
    const struct tf_node *node = &chip->fabric->node[tf_node_number(chip->arch, fault->tile)];
    text[0] = '\0';
    tf_forks_settle_all(&chip->forks, chip->fabric);
    if (node->tile == NULL || fault->core >= node->tile->arch->cores || fault->hazard)
        return;
    const struct tf_hart *hart = &node->tile->hart[fault->core];
    const unsigned number = (unsigned)tf_symbols_tile(chip->arch, fault->tile);
    uint32_t sp = hart->x[SP];
    if (fault->instruction == ASSERT_INSTRUCTION)
        snprintf(text, TF_PLACE_BYTES, "an ASSERT() has failed: the program has printed its condition");
    else if (sp - (TF_LOCAL_BASE - BELOW_SP_BYTES) < BELOW_SP_BYTES ||
             (fault->address - (TF_LOCAL_BASE - BELOW_STACK_BYTES) < BELOW_STACK_BYTES &&
              sp >> 16 == TF_LOCAL_BASE >> 16))
        snprintf(text, TF_PLACE_BYTES, "stack overflow: sp is 0x%08x, local RAM begins at 0x%08x", sp, TF_LOCAL_BASE);
    else if (restarts_program(node->tile, number, symbols, fault->core, fault->pc) ||
             (fault->pc < NULL_BYTES && (tf_symbols_not_code(symbols, number, fault->core, fault->pc) ||
                                         tf_symbols_not_code(symbols, number, TF_CORE_B, fault->pc))))
        snprintf(text, TF_PLACE_BYTES, "the core called or jumped through a null pointer");
    else if (tf_symbols_not_code(symbols, number, fault->core, fault->pc))
        snprintf(text, TF_PLACE_BYTES, "the core jumped to 0x%08x, which is not code of its program", fault->pc);
    else if (fault->address != 0 && fault->address < NULL_BYTES && is_own_access(hart, fault))
        snprintf(text, TF_PLACE_BYTES, "probably a null pointer: the address is 0x%llx",
                 (unsigned long long)fault->address);
}
