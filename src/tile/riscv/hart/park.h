/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parking: a hart that polls is skipped until a value that it polls changes. Three parts:
 *
 * probe.c  detects waiting. From time to time it executes a running hart one instruction at a time and notes what it
 *          does. The hart may come back to an earlier instruction with equal registers and without an effect. Then it
 *          would repeat that period for ever, and parks.
 * keep.c, memo.c remember how probes ended, so that one round decides the next probe of the same loop.
 * skip.c   re-tests the inputs of a parked hart at each turn. While they are equal, it advances the hart's time by
 *          arithmetic. When the hart wakes, it restores the registers.
 *
 * Detection depends on simulated state alone. With tile->mode.parking off, harts park at the same cycles, but their
 * periods are executed; all state hashes are equal.
 *
 * This header holds the state of all three, as part of struct tf_hart.
 */
#ifndef TILE_RISCV_HART_PARK_H
#define TILE_RISCV_HART_PARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TF_PARK_PERIOD 256u   /* limit of a period, in instructions */
#define TF_PARK_INPUTS 32u    /* limit of inputs of a period */
#define TF_BEAT_COUNTERS 2u   /* limit of registers that a waiting loop counts in */
#define TF_BEAT_STORES 2u     /* limit of stores of such a loop */
#define TF_MEMO_ROUNDS 4u     /* waiting loops that are remembered */
#define TF_MEMO_WAYS 8u       /* ways to a store or to a round that are remembered */
#define TF_MEMO_STEPS 16u     /* limit of a remembered round, in instructions */
#define TF_MEMO_WAY_STEPS 15u /* limit of a remembered way, without the store */
#define TF_MEMO_INPUTS 4u     /* limit of inputs of a remembered round */
#define TF_MEMO_USED 1u       /* flag in memo_at[]: instruction addresses are even */

/* A value that a parked hart re-tests: in a word of memory, in a register, or in a CSR. */
struct tf_input {
    const uint32_t *at; /* the word of memory, or the fast word, that holds it; NULL: call its handler */
    uint32_t address;   /* for a CSR: index in the period of the instruction that reads it */
    uint32_t value;     /* when the hart parked */
    uint32_t mask;      /* value == (*at >> shift & mask) */
    uint8_t shift;
    uint8_t size; /* in bytes; 0 for a CSR */
};

/* The effect of one instruction of a memo. Instructions that change no register have no step. */
struct tf_memo_step {
    uint8_t id;       /* enum tf_rv_id; TF_RV_LUI represents every constant */
    uint8_t rd;       /* TF_OP_SINK for x0 */
    uint8_t rs1, rs2; /* rs2 of jalr is the instruction's index in the memo */
    uint32_t imm;     /* for a branch: whether it was taken */
};

/* How the branch of a word test compares rs1 and rs2. */
enum tf_comparison {
    TF_COMPARE_NONE, /* the memo is no word test */
    TF_COMPARE_EQUAL,
    TF_COMPARE_LESS,
    TF_COMPARE_BELOW, /* less, unsigned */
};

/*
 * The steps of most waiting loops. A round loads one word, may mask it, add to it or subtract from it, and branches.
 * x[result] = (word & mask) + addend - x[less]. A round may do that twice; then each branch finds equal registers.
 */
struct tf_word_test {
    struct tf_input input; /* the word that the last round found; `at` NULL: none yet */
    union {
        uint32_t offset; /* of the load, from x[base] */
        uint32_t end; /* of a way, which is no word test: the pc of its store or round. It lies in the way's first line
                         of the host's cache: row `copy-8k` of Wormhole pays for that */
    };
    uint32_t mask;
    uint32_t addend;
    uint8_t base, rd; /* of the load */
    uint8_t result;   /* rd if there is no arithmetic */
    uint8_t less;
    uint8_t rs1, rs2;
    uint8_t comparison; /* enum tf_comparison */
    bool waits;         /* result of the test with which the loop goes on */
};

/*
 * The way of a probe from an instruction after a control transfer. It is a round of a waiting loop, back to that
 * instruction. Or it leads to a store with an effect, or to the start of a remembered round. It has only loads and
 * arithmetic.
 */
struct tf_memo {
    _Alignas(64) struct tf_word_test word_test; /* of a round; also in step[] */
    uint32_t generation; /* tile->code_generation at which the code was last compared with its words */
    uint32_t written;    /* x registers that the way writes, as bits */
    uint32_t kept;       /* those that it reads first: if they are equal after a round, the next round is equal */
    uint8_t count;       /* instructions, without the store */
    uint8_t steps;
    uint8_t transfers;  /* of a round. Of a way to a round: cycles in it until a probe parks; 0: many */
    bool registers : 1; /* of a round: some inputs are registers */
    bool to_round : 1;  /* of a way: it ends where a remembered round begins */
    struct tf_memo_step step[TF_MEMO_STEPS]; /* step[steps] is a way's store, with its size in bytes as rd */
};

_Static_assert(offsetof(struct tf_memo, step) <= 64, "a word test reads one line of the host's cache");

/* The code of a memo. */
struct tf_memo_code {
    uint16_t transfer[TF_MEMO_STEPS];
    uint32_t pc[TF_MEMO_STEPS + 1];   /* the last is that of the store or the round, or pc[0] again */
    uint32_t word[TF_MEMO_STEPS + 1]; /* the instructions at these places */
};

_Static_assert(TF_MEMO_WAY_STEPS < TF_MEMO_STEPS, "both kinds fit a memo");

/* A period that also counts and stores (beat.h). */
struct tf_beat {
    uint64_t since;                    /* cycle at which the hart parked, at the start of its period */
    uint32_t stored[TF_BEAT_STORES];   /* addresses in L1 */
    uint32_t step[TF_BEAT_COUNTERS];   /* what a period adds to each counter */
    uint8_t counter[TF_BEAT_COUNTERS]; /* x registers */
    uint8_t counters, stores;
};

/*
 * The large part of a hart's parking state. It is apart from the hart, since a hart that never waits does not touch it.
 * The host pages up to `word` are touched at the first probe.
 */
struct tf_park_notes {
    struct tf_input input[TF_PARK_INPUTS];
    uint32_t x[32], f[32], fcsr; /* at the anchor */
    uint16_t transfer[TF_PARK_PERIOD];
    uint32_t pc[TF_PARK_PERIOD];
    struct tf_memo memo_way[TF_MEMO_WAYS];
    struct tf_memo_code code[TF_MEMO_ROUNDS + TF_MEMO_WAYS]; /* of memos, rounds first */
    uint32_t word[TF_PARK_PERIOD];
    struct tf_beat beat; /* valid while park.beats */
};

/* The small part of the parking state. The turn of a hart that stays parked reads its first 64 bytes. */
struct tf_park {
    _Alignas(64) uint64_t probe_at; /* cycle from which the next control transfer starts a probe */
    uint32_t interval;              /* cycles between probes; grows as they fail */
    uint32_t generation;            /* tile->code_generation at which the period's code was last compared */
    uint16_t period;                /* instructions since the anchor; of the whole period when parked */
    uint16_t transfers;             /* control transfers among them */
    uint16_t position;              /* position in the period, in instructions, when parked */
    uint16_t window;                /* while probing: instructions until the anchor moves */
    uint8_t inputs;
    uint8_t mismatches; /* returns to the anchor with other registers */
    bool probing, anchored;
    bool words_only;  /* every input has `at` */
    bool held;        /* parked and skipped: x, f and fcsr have their values at the period's start */
    bool floats : 1;  /* notes->f and fcsr are valid */
    bool at_loop : 1; /* the anchor is the start of a loop, or the probe seeks no loop any more */
    bool beats;       /* parked: the period also counts and stores, as notes->beat says */
    struct tf_park_notes *notes;
    /* The period: in the notes, or in a memo. transfer[] counts the instructions up to and with each control
       transfer; the last of them is the period itself. */
    const struct tf_input *input;
    const uint16_t *transfer;
    const uint32_t *pc;
    const uint32_t *word;
    uint32_t memo_at[TF_MEMO_ROUNDS + TF_MEMO_WAYS]; /* start of memo i, rounds first | TF_MEMO_USED; 0: free */
    uint8_t oldest_round;                            /* the memo that the next new round replaces */
    /* Rounds, and inputs of the last one, with one spare. They lie in the hart, since notes of all harts have equal
       offsets in pages, and displace each other in the host's cache. Rows `barrier-700` and `atomic-inc-spread` pay for
       that. */
    struct tf_input memo_input[TF_MEMO_INPUTS + 1];
    struct tf_memo memo_round[TF_MEMO_ROUNDS];
};

/* Does a parked hart wait by a word test? After each branch of the period its registers are those at the period's
   start. False in a copy of a hart. */
static inline bool tf_park_tests_word(const struct tf_park *park)
{
    return (uintptr_t)park->input - (uintptr_t)park->memo_round < sizeof park->memo_round;
}

_Static_assert(offsetof(struct tf_park, word) <= 64, "a parked hart's turn reads one line of the host's cache");

struct tf_saved;
struct tf_tile;
struct tf_hart;

#endif
