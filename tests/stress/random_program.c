/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers: x2 local RAM, x3 HOT, x8 rounds, x9 turns of a loop, x10..x25 data, x26..x29 scratch, x30 and x31 those of
 * an interrupt handler.
 */
#include "random_program.h"

#include "noc_request.h"
#include "addresses.h"
#include "blackhole/tilefarm_family.h"

#define LOCAL (TF_LOCAL_BASE + 0x400)
#define PIC PIC_AT(BRISC_SW_INT_EN)
#define HANDLER_WORDS 32u /* at the end of a program's room */

enum { X_LOCAL = 2, X_HOT = 3, X_ROUNDS = 8, X_TURNS = 9, X_DATA = 10, X_T0 = 26, X_T1 = 27, X_T2 = 28, X_T3 = 29 };

struct writer {
    struct dice *dice;
    const struct plan *plan;
    struct code *code;
    unsigned tile, core;
};

uint32_t code_of(unsigned core)
{
    static const uint32_t at[TF_TILE_CORES] = {
        [TF_CORE_B] = 0, [TF_CORE_NC] = 0x12000, [TF_CORE_T0] = 0x6000, [TF_CORE_T1] = 0xA000, [TF_CORE_T2] = 0xE000};
    return at[core];
}

static unsigned data_register(struct dice *dice)
{
    return X_DATA + pick(dice, 16);
}

/* Integer arithmetic, from the list of instructions. */
static bool is_alu(uint32_t match, const char *format)
{
    unsigned opcode = match & 0x7F;
    return (opcode == 0x13 || opcode == 0x33) && format[0] != 'F';
}

static void alu(struct writer *to)
{
    static const struct {
        uint32_t match;
        const char *format;
    } rows[] = {
#define RV(id, mnemonic, mask, match, format, extension, flags) {match, #format},
#include "tile/riscv/isa/rv.def"
#undef RV
    };
    struct dice *dice = to->dice;
    unsigned row;
    do
        row = pick(dice, sizeof rows / sizeof rows[0]);
    while (!is_alu(rows[row].match, rows[row].format));
    const char *format = rows[row].format;
    uint32_t word = rows[row].match | data_register(dice) << 7 | data_register(dice) << 15;
    if (format[0] == 'I')
        word |= roll(dice) << 20;
    else if (format[0] == 'S')
        word |= pick(dice, 32) << 20;
    else if (format[1] != '1')
        word |= data_register(dice) << 20;
    put(to->code, word);
}

static void memory(struct writer *to)
{
    static const struct {
        uint32_t match;
        uint8_t size;
        bool store;
    } kinds[] = {{LB, 1, false}, {LBU, 1, false}, {LH, 2, false}, {LHU, 2, false}, {LW, 4, false},
                 {SB, 1, true},  {SH, 2, true},   {SW, 4, true},  {SW, 4, true},   {LW, 4, false}};
    unsigned k = pick(to->dice, sizeof kinds / sizeof kinds[0]);
    unsigned base = one_in(to->dice, 2) ? X_LOCAL : X_HOT;
    uint32_t offset = pick(to->dice, HOT_BYTES / 4) & ~(kinds[k].size - 1u);
    unsigned reg = data_register(to->dice);
    put(to->code, kinds[k].store ? rv_s(kinds[k].match, reg, base, offset) : rv_i(kinds[k].match, reg, base, offset));
}

static void far_memory(struct writer *to)
{
    uint32_t base = one_in(to->dice, 2) ? NEAR + pick(to->dice, NEAR_BYTES) : BULK + pick(to->dice, BULK_BYTES);
    li(to->code, X_T0, base & ~63u);
    for (unsigned i = pick_between(to->dice, 1, 6); i > 0; i--) {
        uint32_t offset = pick(to->dice, 16) * 4;
        put(to->code, one_in(to->dice, 2) ? rv_s(SW, data_register(to->dice), X_T0, offset)
                                          : rv_i(LW, data_register(to->dice), X_T0, offset));
    }
}

static void amo(struct writer *to)
{
    static const uint8_t funct5[] = {0, 1, 4, 8, 12, 16, 20, 24, 28};
    put(to->code, rv_i(ADDI, X_T0, X_HOT, pick(to->dice, 16) * 4));
    put(to->code, rv_r((uint32_t)funct5[pick(to->dice, sizeof funct5)] << 27 | 0x202F,
                       one_in(to->dice, 4) ? 0 : data_register(to->dice), X_T0, data_register(to->dice)));
}

/* x27 is loaded until a branch on it falls through. */
static void poll_l1(struct writer *to, uint32_t address, uint32_t leave_when)
{
    li(to->code, X_T0, address);
    unsigned loop = to->code->count;
    put(to->code, rv_i(LW, X_T1, X_T0, 0));
    if (one_in(to->dice, 3))
        put(to->code, FENCE);
    if (one_in(to->dice, 3))
        put(to->code, rv_r(ADD, X_T2, X_T1, 0));
    branch_to(to->code, leave_when, X_T1, 0, loop);
}

/* With a delay loop inside. */
static void poll_with_pauses(struct writer *to, uint32_t address, uint32_t leave_when)
{
    li(to->code, X_T0, address);
    unsigned loop = to->code->count;
    put(to->code, rv_i(ADDI, X_TURNS, 0, pick_between(to->dice, 1, 40)));
    unsigned inner = to->code->count;
    put(to->code, rv_i(ADDI, X_TURNS, X_TURNS, -1u));
    branch_to(to->code, BNE, X_TURNS, 0, inner);
    put(to->code, rv_i(LW, X_T1, X_T0, 0));
    branch_to(to->code, leave_when, X_T1, 0, loop);
}

/* Through a function that keeps its return address in memory. */
static void poll_by_calls(struct writer *to, uint32_t address, uint32_t leave_when)
{
    unsigned base = one_in(to->dice, 3) ? X_HOT : X_LOCAL;
    uint32_t slot = HOT_BYTES / 2 + to->core * 16;
    li(to->code, X_T0, address);
    unsigned over = to->code->count;
    put(to->code, 0);
    unsigned function = to->code->count;
    put(to->code, rv_s(SW, 1, base, slot));
    put(to->code, rv_i(LW, X_T1, X_T0, 0));
    put(to->code, rv_i(LW, 1, base, slot));
    put(to->code, RET);
    if (over < to->code->capacity)
        to->code->word[over] = rv_j(0, (int32_t)(to->code->count - over) * 4);
    unsigned loop = to->code->count;
    jump_to(to->code, 1, function);
    branch_to(to->code, leave_when, X_T1, 0, loop);
}

/* Poll a word of the core's choice a bounded number of times. */
static void poll_bounded(struct writer *to)
{
    static const uint32_t registers[] = {
        TF_MAILBOX_BASE + 0x4, TF_MAILBOX_OF(1) + 0x4, TF_MAILBOX_OF(2) + 0x4, STREAM_AT(0, TF_STREAM_SPACE_AVAILABLE),
        STREAM_AT(3, TF_STREAM_SPACE_AVAILABLE), TF_PC_SNAPSHOT_BASE, TF_PC_SNAPSHOT_BASE + 4 * 4,
        DEBUG_AT(SOFT_RESET_0), DEBUG_AT(CLOCK_L), DEBUG_AT(CLOCK_H), PIC_AT(HW_INT), NIU_COUNTER(0, 10),
        NIU_COUNTER(1, 16), NIU_AT(0, NODE_ID), DEBUG_AT(PUSH_STATUS), NIU_COUNTER(0, 8), NIU_COUNTER(0, 11),
        NIU_COUNTER(1, 9), NIU_COUNTER(0, 32), NIU_COUNTER(1, 33),
        /* the last two: what long writes move when they are captured */
        (TF_GPR_BASE + 4 * 4), TF_GPR_BASE + 4 * 8, TF_SEMAPHORE_BASE + 4 * 1,
        TF_SEMAPHORE_BASE + 4 * 2, /* GPRs, semaphores or, for B, PCBuf 0 */
    };
    uint32_t address = HOT + pick(to->dice, 32) * 4;
    if (one_in(to->dice, 2) && to->core != TF_CORE_NC)
        address = registers[pick(to->dice, sizeof registers / sizeof registers[0] - (to->core == TF_CORE_B ? 2 : 0))];
    li(to->code, X_T0, address);
    li(to->code, X_TURNS, one_in(to->dice, 4) ? pick(to->dice, 3000) : pick(to->dice, 100));
    unsigned loop = to->code->count;
    put(to->code, rv_i(LW, X_T1, X_T0, 0));
    put(to->code, rv_i(ADDI, X_TURNS, X_TURNS, -1u));
    unsigned out = to->code->count;
    put(to->code, 0);
    branch_to(to->code, one_in(to->dice, 2) ? BNE : BGEU, X_T1, data_register(to->dice), loop);
    land_branch(to->code, out, BGE, 0, X_TURNS);
    put(to->code, rv_r(ADD, data_register(to->dice), X_T1, 0));
}

/* Wait until the wall clock, or mcycle, has advanced. */
static void wait_for_time(struct writer *to)
{
    bool csr = one_in(to->dice, 2);
    uint32_t read = csr ? rv_i(CSRRS, X_T1, 0, CSR_CYCLE) : rv_i(LW, X_T1, X_T0, 0);
    li(to->code, X_T0, DEBUG_AT(CLOCK_L));
    put(to->code, read);
    put(to->code, rv_r(ADD, X_T2, X_T1, 0));
    li(to->code, X_T3, pick(to->dice, 4000));
    unsigned loop = to->code->count;
    put(to->code, read);
    put(to->code, rv_r(SUB, X_T1, X_T1, X_T2));
    branch_to(to->code, BLTU, X_T1, X_T3, loop);
}

static void time_stamp(struct writer *to)
{
    put(to->code, rv_i(CSRRS, data_register(to->dice), 0, one_in(to->dice, 2) ? CSR_CYCLE : CSR_INSTRET));
}

/* Wait until the core's own requests have been answered, or the sources of its own writes captured. Now and then wait
   for a word that another core might write. */
static void poll(struct writer *to)
{
    static void (*const shapes[])(struct writer *, uint32_t, uint32_t) = {poll_l1, poll_with_pauses, poll_by_calls};
    unsigned noc = pick(to->dice, 2);
    uint32_t address = (one_in(to->dice, 2) ? NIU_COUNTER(0, 16) : NIU_COUNTER(0, 32)) + noc * 0x10000u + to->core * 4;
    uint32_t leave_when = BNE;
    if (one_in(to->dice, 80)) {
        address = HOT + pick(to->dice, 64) * 4;
        leave_when = one_in(to->dice, 2) ? BNE : BEQ;
    }
    shapes[pick(to->dice, 3)](to, address, leave_when);
}

/* Write a word of the program anew, which is executed soon after. */
static void change_code(struct writer *to)
{
    struct code *code = to->code;
    uint32_t at = code_of(to->core) + (code->count + 6 + pick(to->dice, 3)) * 4;
    li(code, X_T0, at);
    li(code, X_T1, rv_i(ADDI, data_register(to->dice), data_register(to->dice), roll(to->dice)));
    put(code, rv_s(SW, X_T1, X_T0, 0));
    for (unsigned i = 0; i < 4; i++)
        put(code, rv_i(ADDI, data_register(to->dice), data_register(to->dice), 1));
}

static unsigned mailbox_place(unsigned core)
{
    return core == TF_CORE_B ? 0 : core - TF_CORE_T0 + 1;
}

static void mailbox(struct writer *to)
{
    if (to->core == TF_CORE_NC)
        return;
    uint32_t other;
    do
        other = pick(to->dice, 4);
    while (other == mailbox_place(to->core) && !one_in(to->dice, 4));
    li(to->code, X_T0, TF_MAILBOX_BASE + other * 0x1000u);
    if (one_in(to->dice, 3)) {
        put(to->code, rv_s(SW, data_register(to->dice), X_T0, 0));
        return;
    }
    unsigned skip = 0;
    bool cautious = !one_in(to->dice, 20);
    if (cautious) {
        put(to->code, rv_i(LW, X_T1, X_T0, 4));
        skip = to->code->count;
        put(to->code, 0);
    }
    put(to->code, rv_i(LW, data_register(to->dice), X_T0, 0));
    if (cautious)
        land_branch(to->code, skip, BEQ, X_T1, 0);
}

static void pcbuf(struct writer *to)
{
    if (to->core == TF_CORE_NC || !one_in(to->dice, to->core == TF_CORE_B ? 3 : 12))
        return;
    uint32_t window = to->core == TF_CORE_B ? pick(to->dice, 3) : 0;
    li(to->code, X_T0, TF_PC_BUF_BASE + window * 0x10000u);
    bool store = to->core == TF_CORE_B && !one_in(to->dice, 8);
    put(to->code, store ? rv_s(SW, data_register(to->dice), X_T0, 0) : rv_i(LW, data_register(to->dice), X_T0, 0));
}

static void stream(struct writer *to)
{
    static const uint16_t registers[] = {270, 270, 270, 8, 10, 31, 297, 11, 17, 28, 29, 30};
    uint32_t number = pick(to->dice, 6), reg = registers[pick(to->dice, sizeof registers / sizeof registers[0])];
    li(to->code, X_T0, TF_STREAM_BASE + number * 0x1000u + reg * 4);
    if (one_in(to->dice, 3)) {
        put(to->code, rv_i(LW, data_register(to->dice), X_T0, 0));
        return;
    }
    li(to->code, X_T1, reg == 270 ? roll(to->dice) & ~63u : roll(to->dice));
    put(to->code, rv_s(SW, X_T1, X_T0, 0));
}

/* Instructions that may wait for ever. */
static uint32_t tensix_wait(struct dice *dice)
{
    switch (pick(dice, 4)) {
    case 0: return 0xA6000000u | 0x1FFu << 15 | 4u << pick(dice, 8) | pick_between(dice, 1, 2); /* SEMWAIT */
    case 1:                                                                                     /* ATCAS */
        return 0x64000000u | pick(dice, 16) << 18 | pick(dice, 4) << 14 | pick(dice, 4) << 12 | 5u << 6 | 1;
    case 2: return 0x62000000u | 1u << 18 | 5u << 14 | pick(dice, 2) << 12 | 6u << 6 | 1; /* ATINCGETPTR */
    default: return (one_in(dice, 2) ? 0xA0000000u : 0xA1000000u) | (2 + pick(dice, 3));  /* ATGETM, ATRELM */
    }
}

/* To the coprocessor: semaphores, GPRs, atomics of the scalar unit. */
static uint32_t tensix_word(struct dice *dice)
{
    uint32_t gpr = pick_between(dice, 4, 11);
    if (one_in(dice, 50))
        return tensix_wait(dice);
    switch (pick(dice, 12)) {
    case 0: return 0xA3000000u | pick(dice, 16) << 20 | pick(dice, 16) << 16 | 4u << pick(dice, 8); /* SEMINIT */
    case 1: return 0xA4000000u | 4u << pick(dice, 8);                                               /* SEMPOST */
    case 2: return 0xA5000000u | 4u << pick(dice, 8);                                               /* SEMGET */
    case 3: return 0x45000000u | pick(dice, 0x4000) << 8 | gpr * 2;                                 /* SETDMAREG */
    case 4: return 0x45000000u | (HOT >> 4 | pick(dice, 4)) << 8 | 1 * 2; /* GPR 1: a line of HOT, low half */
    case 5: return 0x58800000u | gpr << 12 | pick(dice, 64) << 6 | pick_between(dice, 4, 11); /* ADDDMAREG */
    case 6:
    case 7: return 0x61000000u | pick(dice, 32) << 14 | pick(dice, 4) << 12 | gpr << 6 | 1; /* ATINCGET */
    case 8: return 0x63000000u | pick(dice, 256) << 14 | 4u << 6 | 1;                       /* ATSWAP */
    case 9: return 0x60000000u;                                                             /* DMANOP */
    case 10: return 0xA2000000u | 0x1FFu << 15 | 1;                                         /* STALLWAIT */
    default: return 0x02000000u;                                                            /* NOP */
    }
}

static void tensix(struct writer *to)
{
    if (to->core == TF_CORE_NC)
        return;
    uint32_t window = to->core == TF_CORE_B ? pick(to->dice, 3) : 0;
    li(to->code, X_T0, TF_INSTRN_BUF_BASE + window * 0x10000u);
    for (unsigned i = pick_between(to->dice, 1, 8); i > 0; i--) {
        uint32_t word = tensix_word(to->dice);
        if (to->core != TF_CORE_B && one_in(to->dice, 2)) {
            put(to->code, word << 2 | word >> 30); /* .ttinsn */
            continue;
        }
        li(to->code, X_T1, word);
        put(to->code, rv_s(SW, X_T1, X_T0, 0));
    }
}

/* Raise a software interrupt here, or on hardware lines by letting requests return. */
static void interrupt(struct writer *to)
{
    li(to->code, X_T0, PIC);
    put(to->code, rv_s(SW, data_register(to->dice), X_T0, 0x18 + pick(to->dice, 4) * 4));
}

/* Another core of the tile goes into reset, or comes out; the bits of T0..T2 and NC. */
static void reset(struct writer *to)
{
    static const uint32_t bits[TF_TILE_CORES] = {0, 1u << 18, 1u << 12, 1u << 13, 1u << 14};
    unsigned other = pick_between(to->dice, 1, 4);
    if (!one_in(to->dice, 12) || (other == to->core && !one_in(to->dice, 20)))
        return;
    li(to->code, X_T0, DEBUG_AT(SOFT_RESET_0));
    li(to->code, X_T1, bits[other]);
    put(to->code, rv_i(LW, X_T2, X_T0, 0));
    put(to->code, rv_r(0x00004033, X_T2, X_T2, X_T1)); /* xor */
    put(to->code, rv_s(SW, X_T2, X_T0, 0));
    put(to->code, rv_i(ADDI, X_T2, X_T2, 0));
    li(to->code, X_T3, 0xFFFFFFFFu);
    put(to->code, rv_r(0x00004033, X_T1, X_T1, X_T3));
    put(to->code, rv_r(0x00007033, X_T2, X_T2, X_T1)); /* and out again */
    put(to->code, rv_s(SW, X_T2, X_T0, 0));
}

static void misdeed(struct writer *to)
{
    static const uint32_t words[] = {0, 0xFFFFFFFFu, EBREAK, MRET, LW | 1u << 20 | X_HOT << 15, 0x30001073};
    if (to->plan->mischief != 0 && one_in(to->dice, to->plan->mischief))
        put(to->code, words[pick(to->dice, sizeof words / sizeof words[0])]);
}

static void request(struct writer *to)
{
    struct noc_request request;
    random_request(to->dice, to->plan, to->tile, to->core, &request);
    emit_request(to->code, &request);
    if (one_in(to->dice, 6)) { /* the same instruction a second time */
        unsigned loop = to->code->count;
        put(to->code, rv_i(LW, X_T1, X_T0, 0x40));
        branch_to(to->code, BNE, X_T1, 0, loop);
        put(to->code, rv_i(ADDI, X_T1, 0, 1));
        put(to->code, rv_s(SW, X_T1, X_T0, 0x40));
    }
    if (one_in(to->dice, 4))
        poll(to);
}

static void block(struct writer *to)
{
    static const struct {
        void (*write)(struct writer *);
        uint8_t weight, repeat;
    } kinds[] = {
        {alu, 6, 12},         {memory, 6, 8},        {far_memory, 3, 1}, {amo, 3, 3},         {poll, 3, 1},
        {poll_bounded, 3, 1}, {wait_for_time, 2, 1}, {time_stamp, 2, 1}, {change_code, 1, 1}, {mailbox, 3, 1},
        {pcbuf, 1, 1},        {stream, 3, 1},        {tensix, 3, 1},     {interrupt, 2, 1},   {reset, 1, 1},
        {misdeed, 1, 1},      {request, 14, 1},
    };
    unsigned total = 0, k = 0;
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        total += kinds[i].weight;
    for (unsigned at = pick(to->dice, total); at >= kinds[k].weight; k++)
        at -= kinds[k].weight;
    for (unsigned i = pick_between(to->dice, 1, kinds[k].repeat); i > 0; i--)
        kinds[k].write(to);
}

/* Four software interrupts, and the lines of both NIUs. */
static void enable_interrupts(struct writer *to)
{
    struct code *code = to->code;
    uint32_t enables = to->core == TF_CORE_B ? 0 : 12;
    uint32_t handler = code_of(to->core) + (CODE_WORDS - HANDLER_WORDS) * 4;
    li(code, X_T0, PIC);
    li(code, X_T1, handler);
    for (unsigned irq = 0; irq < 4; irq++)
        put(code, rv_s(SW, X_T1, X_T0, 0xA8 + irq * 4));
    for (unsigned irq = 32; irq < 36; irq++)
        put(code, rv_s(SW, X_T1, X_T0, 0xA8 + irq * 4));
    put(code, rv_i(ADDI, X_T1, 0, pick(to->dice, 16)));
    put(code, rv_s(SW, X_T1, X_T0, enables));
    put(code, rv_i(ADDI, X_T1, 0, one_in(to->dice, 2) ? 6 : 0));
    put(code, rv_s(SW, X_T1, X_T0, enables + 4));
    for (unsigned noc = 0; noc < 2; noc++) {
        li(code, X_T0, NIU_CONFIG(0, 30) + noc * 0x10000u);
        li(code, X_T1, pick(to->dice, 32));
        put(code, rv_s(SW, X_T1, X_T0, 0));
    }
}

/* Clears all that may have raised the interrupt, and counts. */
static void handler(struct writer *to)
{
    struct code *code = to->code;
    code->count = CODE_WORDS - HANDLER_WORDS;
    code->capacity = CODE_WORDS;
    li(code, 31, PIC);
    for (unsigned irq = 0; irq < 4; irq++)
        put(code, rv_i(LW, 30, 31, 0x18 + irq * 4));
    for (unsigned noc = 0; noc < 2; noc++) {
        li(code, 31, TF_NIU_BASE(0) + 0x378 + noc * 0x10000u);
        put(code, rv_i(LW, 30, 31, 0));
    }
    li(code, 31, HOT + 0x300);
    put(code, rv_i(LW, 30, 31, 0));
    put(code, rv_i(ADDI, 30, 30, 1));
    put(code, rv_s(SW, 30, 31, 0));
    put(code, rv_i(CSRRS, 30, 0, CSR_CYCLE));
    put(code, rv_s(SW, 30, 31, 4));
    put(code, MRET);
}

static void prologue(struct writer *to)
{
    li(to->code, X_LOCAL, LOCAL);
    li(to->code, X_HOT, HOT);
    for (unsigned i = 0; i < 16; i++)
        li(to->code, X_DATA + i, roll(to->dice));
    if (to->core <= TF_CORE_NC && one_in(to->dice, 2))
        enable_interrupts(to);
    put(to->code, rv_i(ADDI, X_ROUNDS, 0, pick_between(to->dice, 1, to->plan->rounds)));
}

static void epilogue(struct writer *to, unsigned loop)
{
    struct code *code = to->code;
    code->capacity = CODE_WORDS - HANDLER_WORDS;
    put(code, rv_i(ADDI, X_ROUNDS, X_ROUNDS, -1u));
    unsigned out = code->count;
    put(code, 0);
    jump_to(code, 0, loop);
    land_branch(code, out, BEQ, X_ROUNDS, 0);
    switch (pick(to->dice, 6)) {
    case 0: put(code, EBREAK); break;
    case 1: poll_by_calls(to, HOT + pick(to->dice, 64) * 4, BNE); break;
    case 2: poll_with_pauses(to, HOT + pick(to->dice, 64) * 4, BEQ); break;
    default: break;
    }
    put(code, rv_j(0, 0));
}

void random_program(struct dice *dice, const struct plan *plan, unsigned tile, unsigned core, struct code *code)
{
    struct writer to = {.dice = dice, .plan = plan, .code = code, .tile = tile, .core = core};
    code->count = 0;
    code->capacity = CODE_WORDS - HANDLER_WORDS - 32;
    prologue(&to);
    unsigned loop = code->count;
    unsigned blocks = pick(dice, plan->blocks) + 1;
    if (plan->quiet_cores && !one_in(dice, 4))
        blocks = pick(dice, 3);
    unsigned end = loop; /* of the last block that is whole */
    for (; blocks > 0 && code->count < code->capacity; blocks--) {
        end = code->count;
        block(&to);
    }
    if (code->count == code->capacity)
        code->count = end;
    epilogue(&to, loop);
    handler(&to);
}
