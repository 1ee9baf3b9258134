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
#include "tile/riscv/park/park.h"
#include "tilefarm/tilefarm.h"

struct tf_tile;

/* What a turn touches comes first, in few lines of the host's cache: the harts of a chip are more than fit near it. */
struct tf_hart {
    _Alignas(64) uint32_t x[33]; /* x[32] swallows writes to x0 */
    uint32_t f[32];        /* behind x: the interpreter numbers them 33..64 */
    uint32_t pc;
    uint8_t core;          /* enum tf_core */
    uint8_t state;         /* enum tf_core_state */
    bool watched;          /* the debug interface looks after each instruction (watched.h) */
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
    TF_TURN_ACTED = 2, /* the hart ran: what others wait for may have changed */
};

/* One turn. */
unsigned tf_hart_turn(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* True when the hart cannot do anything until something else changes: stopped, in reset, blocked on a condition that
   still holds, or parked with nothing that it watches changed, and no interrupt for it pending. Changes nothing but
   tile->now, as who looks at registers must. */
bool tf_hart_waiting(struct tf_tile *tile, const struct tf_hart *hart);

/* Let time pass for a waiting hart up to deadline, as if its turns had been taken. */
void tf_hart_catch_up(struct tf_tile *tile, struct tf_hart *hart, uint64_t deadline);

/* The exact architectural state of a hart, parked ones included, without disturbing it. */
void tf_hart_look(struct tf_tile *tile, const struct tf_hart *hart, struct tf_core_view *view);

/* Feed the exact architectural state to a hash (not how it is held: parked or running, detection counters). */
void tf_hart_hash(struct tf_tile *tile, const struct tf_hart *hart, struct tf_hash *hash);

/* One line of assembly for a word at pc, RV32 or Tensix (.ttinsn). Returns the length, as snprintf. */
int tf_riscv_disassemble(uint32_t word, uint32_t pc, char *text, unsigned bytes);

#endif
