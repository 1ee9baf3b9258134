/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a tile of a chip that explores: its decisions, and the accesses that they delay. A core's stores wait in
 * its queue or on the way to their region. Lines of its L0 data cache grow stale. Lines of the packer are on their way
 * to L1. These accesses take effect when slices begin, or when an access of the core forces them.
 *
 * A region keeps the order of its own accesses: L1, or one register window. Cores have an instance of the interpreter
 * of their own (riscv/interp/explored.c), which leaves such accesses to tf_exec().
 * Source: BlackholeA0/TensixTile/BabyRISCV/MemoryOrdering.md.
 */
#ifndef TILE_EXPLORE_STATE_H
#define TILE_EXPLORE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/explore/decide.h"
#include "tile/observe.h"
#include "tile/tensix/mover_job.h"
#include "tile/tensix/scalar_request.h"
#include "tile/tensix/unpack_job.h"
#include "tilefarm/tilefarm_base.h"

struct tf_lag;
struct tf_noted_accesses;

#define TF_L0_LINES 4u
#define TF_L0_BYTES 16u
#define TF_PENDING_STORES 16u /* four in the queue, and those that have left it */

/* A store that has retired and has not been processed. */
struct tf_pending_store {
    uint64_t due; /* the slice at whose begin it is processed */
    uint32_t address, value, pc;
    uint8_t size;
    uint8_t region; /* enum tf_window_id; TF_AT_NOTHING: L1 */
    uint8_t others; /* stores since */
    bool followed;  /* by the store to `prompt_address` */
    bool emitted;   /* it has left the queue; later accesses to its region follow it */
};

/* A line of L0. */
struct tf_l0_line {
    bool valid;
    uint32_t address;
    uint32_t stale_hits; /* hits that it stays stale for */
    uint8_t bytes[TF_L0_BYTES];
};

/* A load that later instructions overtake, while hart->overtaken is set. */
struct tf_overtaken {
    uint32_t pc, resume; /* of the load; where the core goes on after it */
    uint64_t instret;    /* of the load */
    uint32_t slices;     /* that it comes late */
    uint8_t most;        /* instructions that overtake it */
    uint8_t region;
    uint8_t rd, rs1;
    uint32_t base;  /* rs1 at the load; while the load executes: rs1 as overtaking instructions left it */
    bool caught_up; /* none overtakes it any more: it comes next */
};

/* A core is about to pause between two instructions: before one of its next accesses. */
struct tf_core_pause {
    uint32_t accesses; /* it pauses before the last of so many; 0: none is to come */
    uint32_t slices;   /* that it stands still, with the rest of the present one */
    uint64_t counted;  /* 1 more than instret of the access counted last: one that stops early is tried again */
    size_t decision;   /* 1 more than its index in decider.made; 0: that has no entry */
};

struct tf_explored_core {
    struct tf_pending_store pending[TF_PENDING_STORES]; /* in program order */
    unsigned pending_count;
    uint32_t prompt_address; /* of the last store that was not late; 0: none */
    struct tf_l0_line line[TF_L0_LINES];
    unsigned next_line; /* to be replaced */
    struct tf_overtaken overtaken;
    uint64_t asked; /* 1 more than instret of the load that has decided last */
    struct tf_core_pause pause;
};

/* Lines of the packer on their way to L1. */
struct tf_packed_lines {
    struct tf_packed_lines *next;
    uint64_t due;
    uint32_t address, bytes, pc;
    uint8_t core; /* that drives the packer's thread */
    uint8_t data[];
};

/* An UNPACR that has passed the gate and has not moved its data yet. */
struct tf_pending_unpack {
    bool valid;
    uint64_t due;
    struct tf_unpack_job job;
    uint32_t word, pc;
};

/* A transfer of the mover that has moved nothing yet. */
struct tf_pending_move {
    bool valid;
    uint64_t due;
    struct tf_mover_job job;
};

/* A memory request that the scalar unit has sent. */
struct tf_pending_request {
    uint64_t due;
    struct tf_scalar_request request;
    uint32_t pc;
};

#define TF_PENDING_REQUESTS 8u

struct tf_explorer {
    struct tf_decider decider;
    /* tf_explored_reset(): a core leaves reset, late by so many cycles. */
    uint64_t (*leaves_reset)(struct tf_tile *tile, unsigned core);
    struct tf_observer observer; /* of no core: it marks the tile as observed */
    struct tf_explored_core core[TF_TILE_CORES];
    struct tf_packed_lines *packed, **packed_end;
    uint64_t pack_due; /* slice at which lines of the PACR that executes are due; 0: at once */
    uint32_t pack_pc;  /* of that PACR, and its core */
    uint8_t pack_core;
    uint64_t pack_until;                /* cycle up to which lines may be under way */
    uint64_t unpack_due;                /* slice at which the UNPACR that executes moves its data; 0: at once */
    struct tf_pending_unpack unpack[2]; /* by unpacker */
    uint64_t move_due;                  /* slice at which the transfer that begins moves its data; 0: at once */
    struct tf_pending_move move;
    uint64_t request_due; /* slice at which the request that is sent acts; 0: at once */
    struct tf_pending_request request[TF_PENDING_REQUESTS]; /* in the order of the unit's memory port */
    unsigned request_count;
    uint64_t niu_held[2]; /* slice up to which a NIU issues no command, and NOC_CMD_CTRL stays 1 */
    struct tf_lag *lag;   /* units that lag; NULL: none has (lag.c) */
    bool lag_passed;      /* the instruction that has just passed is late */
    bool lags;            /* such instructions execute now; later instructions of their thread have passed */
    uint8_t released;     /* cores that the host released between runs, as bits; they decide when a slice begins */
    uint8_t thread_asked; /* threads that have decided about the instruction at their gate, as bits */
    struct tf_noted_accesses *noted; /* NULL: not recorded */
    uint32_t slice_cycles;
};

/* The last cycle in which an action may be under way if it is late by `slices` from cycle `cycle` on. A late action
   comes at the start of a slice, and a slice may be an eighth longer than its nominal length. */
static inline uint64_t tf_explored_until(const struct tf_explorer *explorer, uint64_t cycle, uint64_t slices)
{
    return cycle + (slices + 1) * explorer->slice_cycles * 5 / 4;
}

#endif
