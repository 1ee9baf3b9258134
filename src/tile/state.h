/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One tile with cores, by its kind (arch.h): harts, their registers, L1; of a Tensix tile the coprocessor. One thread
 * at a time runs a tile. The tile knows no other tile: it pushes NOC requests into a port, and the port changes its
 * memory and counters.
 */
#ifndef TILE_STATE_H
#define TILE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/hook.h"
#include "tile/access.h"
#include "tile/arch.h"
#include "tile/fault.h"
#include "tile/hash.h"
#include "tile/mmio/mmio.h"
#include "tile/port.h"
#include "tile/riscv/code/map.h"
#include "tile/riscv/hart/state.h"
#include "tile/search/search.h"
#include "tilefarm/tilefarm_base.h"

struct tf_check;
struct tf_scratch;
struct tf_tensix;
struct tf_explorer;
struct tf_timing;

/* How a tile runs, by the configuration of its chip. */
struct tf_tile_mode {
    bool shared : 1;     /* relaxed mode: other workers access l1 at any moment */
    bool as_silicon : 1; /* undefined behaviour with a known outcome is a hazard, not a fault */
    bool parking : 1;    /* skip waiting harts; else execute them, with the same outcome */
};

/* The slice that is being run, or is next to run; the harts' turns in it are in order.c. */
struct tf_tile_slice {
    uint64_t horizon;  /* the running hart is the earliest before this cycle; 0: unknown */
    uint64_t deadline; /* end of the slice that is being run, or was run last */
    uint64_t begin;    /* end of the slice before that one */
    uint64_t tick;     /* first one of the slice being run, or next to run */
};

/* Figures of the host. */
struct tf_tile_figures {
    uint64_t executed;      /* instructions really executed */
    uint64_t pages_decoded; /* pages of code decoded here first */
};

#define TF_AWAKE UINT64_MAX

struct tf_tile {
    uint8_t *l1; /* arch->l1_bytes bytes, in a 2 MiB slot */
    const struct tf_tile_arch *arch;
    struct tf_coord coord;
    uint16_t index; /* number among the chip's tiles; Tensix tiles come first */
    struct tf_tile_mode mode;
    uint8_t slice_log2; /* the first slice after a wake has 1 << slice_log2 ticks */
    bool computes;      /* the tile was not quiet when its last run ended: it runs long slices */
    bool pollers;       /* a parked hart may poll registers; see order.c */
    uint64_t cycle;     /* cycle of the instruction that is accessing a register */
    struct tf_tile_slice slice;
    uint32_t code_generation;     /* bumped when decoded code of the tile changes */
    uint32_t stale;               /* relaxed mode: not 0 when stale_page has entries */
    uint8_t wakes;                /* since slice_log2 changed, that one slice was enough for */
    uint8_t patience;             /* wakes after which a shorter first slice is tried */
    uint8_t moving;               /* cores that are not known to be stopped, as bits; riscv/hart/settle.h */
    uint8_t turn;                 /* in a slice: the core whose turn it is; after the last turn: above all cores */
    uint8_t interruptible;        /* cores with an enabled interrupt, as bits; from mmio.pic */
    bool streams_send;            /* a stream has something to send; from mmio.stream_sends */
    uint8_t clock_loops;          /* cores that have stopped before a load of the clock, as bits; run/clock_loop.h */
    struct tf_tensix *tensix;     /* NULL where there is no coprocessor */
    struct tf_observer *observer; /* NULL: none, and no explorer, counter or checker; observe.h */
    uint64_t asleep_until;        /* value of the coprocessor's clocks while it has no work; else TF_AWAKE */
    struct tf_tile_figures figures;
    struct tf_fault_log faults;
    _Alignas(64) struct tf_noc_port port;
    uint32_t place;                     /* in an epoch: longest slices before the present one */
    struct tf_explorer *explore;        /* NULL: the usual order; explore/state.h */
    struct tf_said *said;               /* NULL: not recorded; riscv/exec/hosted.h */
    struct tf_counter *counter;         /* NULL: none; riscv/interp/count.h */
    struct tf_check *check;             /* NULL: no race checker; check.h */
    struct tf_timing *timing;           /* NULL: no timing mode; riscv/timed/timed.h */
    uint64_t limit;                     /* claims in this cycle or later wait for the next slice; UINT64_MAX: none do */
    void *memory;                       /* tf_tile_init() */
    struct tf_scratch *scratch;         /* of the worker that runs the tile; NULL: none; scratch.h */
    struct tf_fast fast;                /* registers that need no handler: those of the port */
    struct tf_mmio mmio;                /* words that a new tile writes are adjacent, which saves page faults */
    struct tf_hart hart[TF_TILE_CORES]; /* arch->cores of them */
    struct tf_code_map code;            /* decoded code of L1 */
    uint8_t stale_page[TF_CODE_PAGES];  /* relaxed mode: pages written by others; the owner drops their code */
    uint32_t search[TF_SEARCH_WORDS];   /* latched configuration of the tag search accelerator */
    uint32_t irq_lines; /* level inputs of the PIC; bit n is HW interrupt n (PIC.md); 1: NIU 0, 2: NIU 1 */
    bool ordered;       /* accesses to memory are claimed, too: tf_order_claim_memory(). Has an
                                           observer, of no core at least: it marks the tile as observed */
    bool beats;         /* a parked hart may store a beat as time passes; riscv/hart/beat.h */
    bool tries;         /* a load is a trial, which a hart may repeat: it records no fault */
};

/* A visit of a tile that waits touches its first two lines (row `atomic1-inc-spread`). */
_Static_assert(offsetof(struct tf_tile, code_generation) == 64 && offsetof(struct tf_tile, faults.count) < 128,
               "lines");

#endif
