/* SPDX-License-Identifier: Apache-2.0 */
#include "tile_steps.h"
#include "tilefarm_address.h"

#define REPLAYED 32u /* entries of the replay buffer */

/* The debug bus pushes for T2 alone, which pushes nothing itself: a push into a full FIFO is a fault. */
#define KEEP_T2 0x04u
#define PUSH_T2 0x44u

uint32_t set_gpr(uint32_t gpr, uint32_t half, uint32_t value)
{
    return 0x45000000 | value << 8 | gpr * 2 | half;
}

uint32_t storereg(uint32_t gpr, uint32_t address)
{
    return 0x67000000 | gpr << 18 | (address - TF_LOCAL_BASE) >> 2;
}

/* Words of the coprocessor that wait for nothing that may never come. The fields follow tensix.def. */
static uint32_t tensix_word(struct dice *dice)
{
    uint32_t a = pick(dice, GPRS), b = pick(dice, 64), c = pick(dice, GPRS);
    switch (pick(dice, 17)) {
    case 0: return set_gpr(pick(dice, GPRS), pick(dice, 2), pick(dice, 0x4000));         /* SETDMAREG */
    case 1: return 0x58000000 | c << 12 | b << 6 | a;                                    /* ADDDMAREG */
    case 2: return 0x5A000000 | c << 12 | b << 6 | a;                                    /* MULDMAREG */
    case 3: return 0xA4000000 | pick(dice, 256) << 2;                                    /* SEMPOST */
    case 4: return 0xA5000000 | pick(dice, 256) << 2;                                    /* SEMGET */
    case 5: return 0xA3000000 | 15u << 20 | pick(dice, 16) << 16 | pick(dice, 256) << 2; /* SEMINIT */
    case 6: return 0xB3000000 | pick(dice, 256) << 16 | pick(dice, 256) << 8 | 0x90;     /* RMWCIB0 */
    case 7: return 0xB0000000 | a << 16 | (0xA0 + pick(dice, 4));                        /* WRCFG */
    case 8: return 0xB1000000 | a << 16 | (0xA0 + pick(dice, 4));                        /* RDCFG */
    case 9: return 0x71000000 | pick(dice, 4) << 20 | pick(dice, 65536);                 /* SFPLOADI */
    case 10: return 0xA2000000 | 0x1FFu << 15 | 0x1F;                                    /* STALLWAIT for units */
    case 11: return 0x57000000 | 1u << pick(dice, 2);                                    /* SETDVALID */
    case 12: return 0x36000000 | 1u << (22 + pick(dice, 2));                             /* CLEARDVALID */
    case 13: return storereg(a, STREAM(pick(dice, 4)));                                  /* STOREREG */
    case 14: return 0x58800000 | pick(dice, 8) << 12 | 1 << 6 | pick(dice, 8);           /* ADDDMAREG of 1 */
    case 15: return 0xB2000000 | TRISC_SYNC << 16 | pick(dice, 32);                      /* SETC16: Auto TTSync */
    default: return 0x02000000;                                                          /* NOP */
    }
}

/* A REPLAY of what start_recording() has recorded. */
static uint32_t replay_word(struct dice *dice)
{
    return 0x04000000 | pick(dice, REPLAYED) << 14 | pick_between(dice, 1, REPLAYED) << 4;
}

/* Instructions that only a T core may push: its own replay buffer holds something, and its MOP is complete. */
static uint32_t expanded_word(struct dice *dice)
{
    switch (pick(dice, 12)) {
    case 0: return 0x01800000; /* MOP */
    case 1: return replay_word(dice);
    default: return tensix_word(dice);
    }
}

void store_to(struct code *code, uint32_t address, uint32_t value)
{
    li(code, X_ADDRESS, address);
    li(code, X_VALUE, value);
    put(code, rv_s(SW, X_VALUE, X_ADDRESS, 0));
}

void load_from(struct code *code, uint32_t address)
{
    li(code, X_ADDRESS, address);
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    put(code, rv_s(SW, X_VALUE, X_DATA, 0));
    put(code, rv_i(ADDI, X_DATA, X_DATA, 4));
}

void keep_time(struct code *code)
{
    put(code, rv_i(CSRRS, X_TIME, 0, CSR_CYCLE));
    put(code, rv_s(SW, X_TIME, X_DATA, 0));
    put(code, rv_i(ADDI, X_DATA, X_DATA, 4));
}

void delay(struct code *code, uint32_t rounds)
{
    li(code, X_COUNT, rounds);
    unsigned loop = code->count;
    put(code, rv_i(ADDI, X_COUNT, X_COUNT, 0xFFF));
    branch_to(code, BNE, X_COUNT, 0, loop);
}

void push(struct code *code, struct dice *dice, unsigned core)
{
    unsigned count = one_in(dice, 4) ? pick(dice, 60) : pick(dice, 6);
    bool from_b = core == TF_CORE_B;
    li(code, X_ADDRESS, TF_INSTRN_BUF_BASE + (from_b ? pick(dice, 3) << 16 : 0));
    if (from_b && count > 6)
        count = 6;
    while (count-- != 0) {
        uint32_t word = from_b ? tensix_word(dice) : expanded_word(dice);
        if (!from_b && one_in(dice, 2)) {
            put(code, word << 2 | word >> 30); /* .ttinsn */
            continue;
        }
        li(code, X_VALUE, word);
        put(code, rv_s(SW, X_VALUE, X_ADDRESS, 0));
    }
}

void configure_mop(struct code *code, struct dice *dice)
{
    li(code, X_ADDRESS, TF_MOP_DONE_CHECK); /* MOPExpanderDoneCheck */
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    store_to(code, TF_MOP_CFG_BASE, pick_between(dice, 1, 8));
    store_to(code, TF_MOP_CFG_BASE + 4 * 1, pick_between(dice, 1, 40));
    bool replays = one_in(dice, 3);
    for (unsigned word = 2; word < 9; word++)
        store_to(code, TF_MOP_CFG_BASE + 4 * word,
                 word < 5                     ? 0x02000000
                 : replays && one_in(dice, 2) ? replay_word(dice)
                                              : tensix_word(dice));
}

static void run_mop(struct code *code, struct dice *dice)
{
    configure_mop(code, dice);
    store_to(code, TF_INSTRN_BUF_BASE, 0x01800000);
}

/* Fill the replay buffer, so that every REPLAY plays words that wait for nothing. */
static void record_replays(struct code *code, struct dice *dice)
{
    put(code, (0x04000000u | REPLAYED << 4 | 1) << 2); /* .ttinsn REPLAY, load_mode */
    for (unsigned i = 0; i < REPLAYED; i++) {
        uint32_t word = tensix_word(dice);
        put(code, word << 2 | word >> 30);
    }
}

static void put_instruction(struct code *code, uint32_t word)
{
    put(code, word << 2 | word >> 30); /* .ttinsn */
}

static void put_gpr(struct code *code, unsigned gpr, uint32_t value)
{
    put_instruction(code, set_gpr(gpr, 0, value & 0xFFFF));
    put_instruction(code, set_gpr(gpr, 1, value >> 16));
}

void thread_stores(struct code *code, uint32_t address, uint32_t value)
{
    put_gpr(code, GPRS - 1, value);
    put_instruction(code, storereg(GPRS - 1, address));
}

void thread_stores_at(struct code *code, uint32_t address, uint32_t value)
{
    put_gpr(code, GPRS - 1, value);
    put_gpr(code, GPRS - 2, address);
    put_gpr(code, GPRS - 3, 0); /* its low half is the offset */
    put_instruction(code, 0x66400000 | (GPRS - 3) << 15 | (GPRS - 1) << 6 | (GPRS - 2));
}

/* A push by stores to debug registers, which may end any wait. Or they take FIFOs of T0 and T1, or give them back. The
   coprocessor does both, too, by STOREREG. */
static void push_by_debug(struct code *code, struct dice *dice, unsigned core)
{
    if (one_in(dice, 2)) {
        store_to(code, PUSH_CTRL0, KEEP_T2 | pick(dice, 4));
        return;
    }
    if (core >= TF_CORE_T0 && one_in(dice, 3)) {
        thread_stores(code, PUSH_CTRL0, KEEP_T2 | pick(dice, 4));
        return;
    }
    if (core >= TF_CORE_T0 && one_in(dice, 2)) {
        thread_stores(code, PUSH_CTRL1, tensix_word(dice));
        thread_stores(code, PUSH_CTRL0, PUSH_T2);
        thread_stores(code, PUSH_CTRL0, KEEP_T2);
        return;
    }
    store_to(code, PUSH_CTRL1, tensix_word(dice));
    store_to(code, PUSH_CTRL0, PUSH_T2);
    store_to(code, PUSH_CTRL0, KEEP_T2);
}

uint32_t semaphore(struct dice *dice)
{
    return TF_SEMAPHORE_BASE + 4 * pick(dice, 8);
}

/* Poll a semaphore until it changes, or for so many rounds. */
static void poll(struct code *code, struct dice *dice)
{
    li(code, X_ADDRESS, semaphore(dice));
    li(code, X_COUNT, pick_between(dice, 1, 2000));
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    put(code, rv_b(BNE, X_VALUE, 0, 12));
    put(code, rv_i(ADDI, X_COUNT, X_COUNT, 0xFFF));
    branch_to(code, BNE, X_COUNT, 0, loop);
}

void wait_for_stream(struct code *code, struct dice *dice)
{
    li(code, X_ADDRESS, STREAM(pick(dice, 4)));
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    branch_to(code, BEQ, X_VALUE, 0, loop);
}

void wait_for_mailbox(struct code *code, struct dice *dice)
{
    li(code, X_ADDRESS, TF_MAILBOX_BASE + 0x4 + 0x1000 * pick(dice, 4));
    unsigned loop = code->count;
    put(code, rv_i(LW, X_VALUE, X_ADDRESS, 0));
    branch_to(code, BEQ, X_VALUE, 0, loop);
}

static void step_of_t(struct code *code, struct dice *dice, unsigned core)
{
    switch (pick(dice, 12)) {
    case 0: store_to(code, semaphore(dice), pick(dice, 2)); break;
    case 1: load_from(code, semaphore(dice)); break;
    case 2: store_to(code, TF_GPR_BASE + 4 * pick(dice, 64), roll(dice)); break;
    case 3: load_from(code, TF_GPR_BASE + 4 * pick(dice, 64)); break;
    case 4: load_from(code, TF_DONE_CHECK); break; /* CoprocessorDoneCheck */
    case 5: run_mop(code, dice); break;
    case 6: poll(code, dice); break;
    case 7:
        put(code, rv_i(CSRRS, X_VALUE, 0, 0xBC0));
        keep_time(code);
        break; /* tt_cfg_qstatus */
    default: push(code, dice, core); break;
    }
}

static void step_of_any(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    switch (pick(dice, 8)) {
    case 0: load_from(code, TF_CFG_BASE + 4 * (0x90 + pick(dice, 20))); break;
    case 1: store_to(code, TF_CFG_BASE + 4 * (0xA0 + pick(dice, 4)), roll(dice)); break;
    case 2: store_to(code, TF_MAILBOX_BASE + 0x1000 * pick(dice, 4), roll(dice)); break; /* mailboxes may fill up */
    case 3: load_from(code, TF_MAILBOX_BASE + 0x4 + 0x1000 * pick(dice, 4)); break;
    case 4: delay(code, pick_between(dice, 1, 600)); break;
    case 5: load_from(code, STREAM(pick(dice, 4))); break;
    case 6:
        if (one_in(dice, 4))
            store_to(code, STREAM(pick(dice, 4)), pick(dice, 3));
        else if (core == TF_CORE_B)
            push(code, dice, core);
        else if (debugged)
            push_by_debug(code, dice, core);
        break;
    default: keep_time(code); break;
    }
}

void random_steps(struct code *code, struct dice *dice, unsigned core, bool debugged, unsigned steps)
{
    for (unsigned step = 0; step < steps && code->count + 200 < code->capacity; step++) {
        if (core != TF_CORE_B && !(debugged && core == TF_CORE_T2) && one_in(dice, 2))
            step_of_t(code, dice, core);
        else
            step_of_any(code, dice, core, debugged);
    }
}

void begin_program(struct code *code, struct dice *dice, unsigned core, bool debugged)
{
    li(code, X_DATA, DATA_AT(core));
    if (core < TF_CORE_T0 || core == SENDS || (debugged && core == TF_CORE_T2))
        return;
    configure_mop(code, dice);
    record_replays(code, dice);
}
