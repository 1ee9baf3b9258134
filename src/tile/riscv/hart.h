/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A baby RISC-V core. Time: hart->cycle is the cycle of the next instruction; an instruction takes one cycle. A turn
 * runs until the first control transfer (branch or jump, taken or not) at or past the deadline. A hart that blocks,
 * or is stopped, lets time pass: its cycle is set to the deadline.
 */
#ifndef TILE_RISCV_HART_H
#define TILE_RISCV_HART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/hash.h"
#include "tile/riscv/csr.h"
#include "tile/riscv/decode.h"
#include "tilefarm/tilefarm.h"

struct tf_tile;

/* What a parked hart re-tests: a value in memory, a register, or a CSR (then `address` is the place in the period). */
struct tf_watch {
    const uint32_t *at; /* the word that holds it, if it is memory, or a register that is a plain word; else NULL */
    uint32_t address;
    uint32_t value;
    uint32_t mask;      /* its bits in the word, once that is shifted right */
    uint8_t shift;
    uint8_t size;       /* 0 for a CSR */
};

#define TF_PARK_WATCHES 32u
#define TF_PARK_PERIOD 256u
#define TF_PARK_LOOPS 4u
#define TF_LOOP_STEPS 16u
#define TF_LOOP_WATCHES 4u
#define TF_PARK_PATHS 8u
#define TF_PATH_STEPS 12u
#define TF_LOOP_HERE 1u /* instructions have even addresses */

/* What an instruction of a loop does there; what does nothing to registers is left out. */
struct tf_loop_step {
    uint8_t id;       /* enum tf_rv_id; TF_RV_LUI for all constants */
    uint8_t rd;       /* 32 for x0 */
    uint8_t rs1, rs2; /* for jalr rs2 is its place in the period */
    uint32_t imm;     /* for a branch: it is taken */
};

enum tf_poll_test {
    TF_POLL_NONE,
    TF_POLL_EQUAL,
    TF_POLL_LESS,
    TF_POLL_BELOW, /* less, unsigned */
};

/* A loop that loads one word, perhaps masks it, adds to it or subtracts from it, and branches: most waits are one. */
struct tf_poll {
    struct tf_watch watch; /* the word that it has been found to load last; `at` NULL: none */
    uint32_t offset;       /* from x[base] */
    uint32_t mask;         /* of what the word has in common with it, plus addend, less x[less], the result is made */
    uint32_t addend;
    uint8_t base, rd;      /* of the load */
    uint8_t result, less;  /* registers; `result` is rd when there is no arithmetic */
    uint8_t test;          /* enum tf_poll_test, of rs1 and rs2; NONE when the loop is none */
    uint8_t rs1, rs2;
    bool waits;            /* when the test says so */
};

/*
 * A short loop of loads and arithmetic in which the hart has waited before. Where it comes back to it, one round shows
 * whether it waits again, without a probe.
 */
struct tf_loop {
    struct tf_poll poll;
    uint32_t generation; /* code_generation for which its code is known to be as noted */
    uint32_t written;    /* registers that a round writes, as bits */
    uint32_t kept;       /* those of them that it reads before */
    uint16_t period;
    uint8_t transfers, steps;
};

_Static_assert(TF_LOOP_STEPS <= UINT8_MAX, "steps are counted in a byte");
_Static_assert(sizeof(struct tf_loop) <= 64, "what a poll needs is in one line of the host's cache");

/* What a loop does. */
struct tf_loop_code {
    struct tf_loop_step step[TF_LOOP_STEPS];
    uint16_t transfer[TF_LOOP_STEPS];
    uint32_t pc[TF_LOOP_STEPS + 1]; /* behind the last that of the first again */
    struct tf_rv_insn insn[TF_LOOP_STEPS];
};

/*
 * A short way from where a probe began to the store that ended it. Where the next probe begins there, one round shows
 * whether it would end likewise.
 */
struct tf_path {
    uint32_t generation; /* as of a loop */
    uint32_t written;
    uint8_t count;       /* instructions before the store */
    uint8_t steps;       /* those of them that do something */
    struct tf_rv_insn store;
    struct tf_loop_step step[TF_PATH_STEPS];
    uint32_t pc[TF_PATH_STEPS + 1]; /* the store's behind the others' */
};

/* What probes note: large and of no use to a hart that never waits, so it lies elsewhere. */
struct tf_park_notes {
    struct tf_watch watch[TF_PARK_WATCHES];
    uint32_t x[32], f[32], fcsr; /* at the anchor */
    uint16_t transfer[TF_PARK_PERIOD];
    uint32_t pc[TF_PARK_PERIOD];
    struct tf_loop_code loop[TF_PARK_LOOPS]; /* of those in struct tf_park */
    struct tf_path path[TF_PARK_PATHS];
    struct tf_rv_insn insn[TF_PARK_PERIOD]; /* when parked, or about to; last, as periods are short */
};

/*
 * Detection of waiting (DESIGN.md, "Quiet costs nothing, exactly"). From time to time a running hart is probed: its
 * next instructions are executed one by one and noted. When they come back to where they started, with equal
 * registers and no effect, the hart parks: it repeats that period until a watch or the period's code changes. All of
 * this follows from simulated state alone, whether harts are skipped or not.
 */
struct tf_park {
    uint64_t probe_at;      /* cycle from which the next control transfer starts a probe */
    uint32_t interval;      /* between probes; grows as they fail */
    uint32_t generation;    /* code_generation for which the period's code is known to be as noted */
    uint16_t period;        /* instructions noted since the anchor; all of them when parked */
    uint16_t transfers;     /* control transfers among them */
    uint16_t position;      /* instructions into the period, when parked */
    uint16_t window;        /* instructions after which the anchor moves, while probing */
    uint8_t watches;
    uint8_t mismatches;     /* returns to the anchor with other registers */
    bool probing, anchored;
    bool plain;             /* all watches are plain words */
    bool held;              /* parked, and skipped: x, f and fcsr are those at the period's start */
    bool floats;            /* f and fcsr are noted, too */
    bool at_loop;           /* the anchor is the target of a backward branch or jump, or as good */
    uint32_t loop_at[TF_PARK_LOOPS]; /* TF_LOOP_HERE and where loop[i] begins; 0: there is none */
    struct tf_park_notes *notes;
    /* Of the period, in the notes or in a remembered loop: the instructions, and after how many a control transfer has
       retired, the last being the period itself. */
    const struct tf_watch *watch;
    const uint32_t *pc;
    const struct tf_rv_insn *insn;
    const uint16_t *transfer;
    _Alignas(64) struct tf_loop loop[TF_PARK_LOOPS];
    struct tf_watch seen[TF_LOOP_WATCHES + 1]; /* by the last round of a loop; one to spare */
    uint32_t path_at[TF_PARK_PATHS]; /* likewise notes->path[i], in the place that its address tells */
    uint8_t loop_oldest;             /* the place for the next one */
};

_Static_assert(offsetof(struct tf_park, pc) <= 64, "a parked hart's turn reads one line of the host's cache");

/* What a turn touches comes first, in few lines of the host's cache: the harts of a chip are more than fit near it. */
struct tf_hart {
    _Alignas(64) uint32_t x[33]; /* x[32] swallows writes to x0 */
    uint32_t f[32];        /* behind x: the interpreter numbers them 33..64 */
    uint32_t pc;
    uint8_t core;          /* enum tf_core */
    uint8_t state;         /* enum tf_core_state */
    bool watched;          /* the debug interface looks after each instruction (watched.h) */
    bool early;            /* stopped before an access that others of the tile are behind; see order.h */
    bool local_zero;       /* nobody has come near the local RAM since it was all zeros */
    uint32_t local_bytes;
    uint64_t cycle;        /* of the next instruction */
    uint64_t instret;
    uint8_t *local;        /* core-local RAM */
    uint32_t wait_address; /* of the access that blocks */
    bool wait_store;
    bool touched;          /* what lies apart, by tf_zeroed_touch() */
    struct tf_park park;
    struct tf_csrs csr;
};

/*
 * State at power-on: in reset. The hart, local and notes are all zeros; local has local_bytes bytes, behind which are
 * the notes, so that all of it is touched at once.
 */
void tf_hart_init(struct tf_hart *hart, unsigned core, uint8_t *local, uint32_t local_bytes,
                  struct tf_park_notes *notes);

/* Into reset (everything but time is forgotten), and out of it at pc, at cycle `now`. Called by the soft reset register
   and the host. */
void tf_hart_reset(struct tf_tile *tile, struct tf_hart *hart);
void tf_hart_release(struct tf_tile *tile, struct tf_hart *hart, uint32_t pc, uint64_t now);

/* Into a debug pause, and out of it. x, f and pc of a paused hart may be read and written. */
void tf_hart_pause(struct tf_tile *tile, struct tf_hart *hart);
void tf_hart_resume(struct tf_tile *tile, struct tf_hart *hart);

/* From its next turn on, the debug interface is to look after each instruction of the hart, or no more. */
void tf_hart_watch(struct tf_hart *hart, bool watched);

/* Stop for a fault; the state stays readable. */
void tf_hart_stop(struct tf_hart *hart);

/* What a turn says, as bits. */
enum tf_turn {
    TF_TURN_WAITS = 1, /* tf_hart_waiting(), until somebody else acts; without it, that is to be asked */
    TF_TURN_EARLY = 4, /* it has cycles left, and others of the tile must act before it does: tf_order_run() */
    TF_TURN_ACTED = 2, /* the hart ran: what others wait for may have changed */
};

/*
 * A blocked hart tries its access in cycle hart->cycle; all that happens in the tile before has happened. True: it runs
 * again, there or in an interrupt's handler.
 */
bool tf_hart_unblock(struct tf_tile *tile, struct tf_hart *hart);

/* A parked hart polls registers, which stay as they are up to `cycle`: it has polled up to there, and runs again. */
void tf_hart_wake_poller(struct tf_tile *tile, struct tf_hart *hart, uint64_t cycle);

/* The same up to the deadline, with what it polls compared first: it runs again, or stays parked. */
void tf_hart_rest(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* Do not look for a waiting loop before that cycle. */
void tf_hart_delay_probe(struct tf_hart *hart, uint64_t cycle);

/* One turn. */
unsigned tf_hart_turn(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* True when the hart cannot do anything until something else changes: stopped, in reset, blocked on a condition that
   still holds, or parked with nothing that it watches changed, and no interrupt for it pending. Changes nothing but
   tile->now, as who looks at registers must. */
bool tf_hart_waiting(struct tf_tile *tile, const struct tf_hart *hart);

/* Let time pass for a waiting hart up to deadline, as if its turns had been taken. */
void tf_hart_catch_up(struct tf_hart *hart, uint64_t deadline);

/* The exact architectural state of a hart, parked ones included, without disturbing it. */
void tf_hart_look(struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_view *view);

/* Feed the exact architectural state to a hash (not how it is held: parked or running, detection counters). */
void tf_hart_hash(struct tf_tile *tile, const struct tf_hart *hart, struct tf_hash *hash);

/* One line of assembly for a word at pc, RV32 or Tensix (.ttinsn). Returns the length, as snprintf. */
int tf_riscv_disassemble(uint32_t word, uint32_t pc, char *text, unsigned bytes);

#endif
