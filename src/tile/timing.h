/* SPDX-License-Identifier: Apache-2.0 */
/* The state of timing mode; riscv/timed/timed.h and tensix/issue/timed.h say what it is. */
#ifndef TILE_TIMING_H
#define TILE_TIMING_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/arch.h"
#include "tile/times.h"
#include "tile/times_known.h"
#include "tilefarm/tilefarm_times.h"

#define TF_TIMED_FLIGHTS 8u  /* limit of RV_LOADS */
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
    uint64_t load[TF_TIMED_FLIGHTS]; /* when a load in flight leaves its place */
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
#define TF_TIMED_BLOCKS 128u /* of eight rows of Dst */

/* The timing state of a thread of the coprocessor. */
struct tf_thread_timing {
    uint64_t free;         /* from when on the thread may pass an instruction */
    uint64_t passed;       /* the cycle after its last one */
    uint32_t play_left;    /* of the replay expander, after that one */
    uint16_t of_mop;       /* it came from a MOP */
    uint16_t mop_replayed; /* and that MOP has had a REPLAY */
};

/* The timing state of a tile. */
struct tf_timing {
    uint64_t unit[TF_TIMED_UNITS];      /* by enum tf_tensix_unit: from when on it takes the next instruction */
    uint64_t wanted[TF_TIMED_UNITS][3]; /* by thread: since when it waits for the unit, and 1 more */
    uint64_t busy[TF_TIMED_UNITS];      /* cycles in which instructions occupied it */
    uint64_t mvmuls;                    /* so many have passed */
    struct tf_thread_timing thread[3];
    uint64_t dst[TF_TIMED_BLOCKS]; /* from when on an instruction may read the block */
    uint64_t moved;                /* from when on one may read Dst after MOVA2D or MOVB2D */
    uint64_t matrix_alone;         /* before it the matrix unit takes only what may follow MOVD2A, or MOVD2B */
    uint64_t vector_alone;         /* before it the vector unit takes only SFPNOP */
    uint64_t result;               /* when LRegs in `results` are known, as a mask */
    uint32_t results;
    uint32_t matrix_last; /* opcode of the last instruction of the matrix unit */
    uint64_t unpacker[2]; /* when it will have fetched the bytes of its instructions */
    uint64_t unpacked;    /* the later one: cycles before it are in busy[] */
    uint64_t valid[2][2]; /* [SrcA, SrcB][bank]: from when on it has its data */
    uint64_t packer[4];   /* from when on it takes the next instruction */
    uint64_t packed;      /* the latest one */
    struct tf_core_timing core[TF_TILE_CORES];
};

struct tf_path;
struct tf_timed_private;

/* What tile->timing points into. Only the first part is state. */
struct tf_timed_tile {
    struct tf_timing timing;
    struct tf_path *path; /* NULL: the critical path is not recorded; tile/path/path.h */
    bool coarse;          /* cores do not wait for each other before accesses to L1 and local RAM: order/order.c */
    /* Of the host, and no part of the outcome: run/ahead.h. */
    struct tf_timed_private *private; /* notes of its private slices; NULL: none yet */
    uint64_t last;                    /* the tick before which it may run ahead */
    uint64_t ahead;                   /* that before which it has run ahead; 0: it has not */
    uint8_t rests, patience; /* so many slices until the next private one, and after the next one that is undone */
    uint8_t reach;           /* it runs ahead for 1 << reach ticks */
};

static inline struct tf_timed_tile *tf_timed_whole(struct tf_timing *timing)
{
    return (struct tf_timed_tile *)timing;
}

/* The record of a tile in timing mode, or NULL. */
static inline struct tf_path *tf_path_of(const struct tf_timing *timing)
{
    return ((const struct tf_timed_tile *)timing)->path;
}

/* Does a tile run in coarse timing mode? timing: of the tile; NULL: not in timing mode. */
static inline bool tf_timed_is_coarse(const struct tf_timing *timing)
{
    return timing != NULL && ((const struct tf_timed_tile *)timing)->coarse;
}

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
