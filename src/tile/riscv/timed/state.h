/* SPDX-License-Identifier: Apache-2.0 */
/* The state of timing mode; timed.h and tensix/issue/timed.h say what it is. */
#ifndef TILE_RISCV_TIMED_STATE_H
#define TILE_RISCV_TIMED_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/arch.h"
#include "tile/times.h"
#include "tilefarm/tilefarm_times.h"

#define TF_TIMED_LOADS 8u    /* limit of RV_LOADS */
#define TF_TIMED_STORES 16u  /* limit of RV_STORE_QUEUE */
#define TF_TIMED_LINES 256u  /* limit of lines in an instruction cache */
#define TF_TIMED_PLACES 512u /* limit of RV_PREDICTED */
#define TF_TIMED_L0_LINES 4u /* 64 bytes: MemoryOrdering.md of BlackholeA0, L0 data cache */

/* The timing state of a core. Cycles are of hart->cycle. */
struct tf_core_timing {
    uint64_t spent[TF_TIMES];        /* cycles by the row that they are of */
    uint64_t waited[TF_SPENTS];      /* cycles parked or blocked, by enum tf_spent */
    uint64_t counted;                /* cycles before this one are in spent[] */
    uint64_t ready[65];              /* when the value of a register is known; by the numbers of struct tf_op */
    uint8_t because[65];             /* enum tf_time: the row that a reader of the register waits for */
    uint64_t load[TF_TIMED_LOADS];   /* when a load in flight leaves its place */
    uint64_t store[TF_TIMED_STORES]; /* when a store leaves the queue; a ring */
    uint64_t stored;                 /* when L1 has done the last store of the queue */
    uint64_t fetched;                /* hundredths of a cycle: when the last fetched line arrives */
    uint64_t entered;                /* the cycle in which the core came to its line */
    uint64_t anchor;                 /* of a probe for parking: when its period began */
    uint32_t round, look;            /* of a parked core: cycles of its period, and up to its first poll */
    uint32_t line;                   /* of the present instruction, by number, and 1 more; 0: none yet */
    uint32_t store_at;               /* address of the last store to L1, which later ones may join, and 1 more */
    uint8_t next_store;              /* place in the ring */
    uint32_t cached[TF_TIMED_LINES]; /* numbers of lines, and 1 more; in a set the last used one comes first */
    uint32_t l0[TF_TIMED_L0_LINES];  /* likewise */
    uint32_t place[TF_TIMED_PLACES]; /* address of a branch | 1: it jumped; 0: none */
    uint32_t target[TF_TIMED_PLACES];
};

#define TF_TIMED_UNITS 16u

/* The timing state of a tile. */
struct tf_timing {
    uint64_t unit[TF_TIMED_UNITS];      /* by enum tf_tensix_unit: from when on it takes the next instruction */
    uint64_t wanted[TF_TIMED_UNITS][3]; /* by thread: since when it waits for the unit, and 1 more */
    uint64_t busy[TF_TIMED_UNITS];      /* cycles in which instructions occupied it */
    struct tf_core_timing core[TF_TILE_CORES];
};

/* What tf_timed_retired() needs of the instruction before it executes. */
struct tf_timed {
    uint32_t pc, address;
    uint16_t divides; /* cycles of a division */
    bool jumps;       /* a taken branch, or a jump */
};

/* Let a core wait until a cycle, for the sake of a row. */
static inline void tf_timed_wait(struct tf_core_timing *timing, uint64_t *cycle, uint64_t until, enum tf_time row)
{
    if (until <= *cycle)
        return;
    timing->spent[row] += until - *cycle;
    *cycle = until;
}

#endif
