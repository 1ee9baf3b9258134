/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One tile with cores, by its kind (arch.h): harts, their registers, L1; of a Tensix tile the coprocessor. A tile is
 * run by one thread at a time and knows nothing of other tiles: it pushes NOC requests into a port, and the port
 * changes its memory and counters.
 */
#ifndef TILE_TILE_H
#define TILE_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "tile/access.h"
#include "tile/arch.h"
#include "tile/fault.h"
#include "tile/hash.h"
#include "tile/mmio/mmio.h"
#include "tile/port.h"
#include "tile/riscv/code.h"
#include "tile/riscv/hart.h"
#include "tilefarm/tilefarm.h"

struct tf_tensix;

struct tf_tile {
    uint8_t *l1; /* arch->l1_bytes bytes, in a 2 MiB slot */
    const struct tf_tile_arch *arch;
    struct tf_coord coord;
    uint16_t index;               /* 0..139, Ethernet tiles 140..153 */
    bool shared;                  /* relaxed mode: others act on l1 at any moment */
    bool as_silicon;              /* undefined behaviour of known outcome is a hazard with that outcome, not a fault */
    bool parking;                 /* skip waiting harts; else execute them, with the same outcome */
    uint64_t now;                 /* cycle of the instruction that is accessing a register */
    uint64_t horizon;             /* the running hart is the earliest before this cycle; 0: unknown; see order.c */
    uint64_t deadline;            /* end of the slice that is being run, or was run last */
    uint64_t begin;               /* end of the slice before that one */
    uint64_t slice;               /* slice being run, or next to run */
    uint32_t code_generation;     /* bumped when decoded code of the tile changes */
    uint32_t irq_lines;           /* level inputs of the PIC; bit n is HW interrupt n (PIC.md); 1: NIU 0, 2: NIU 1 */
    struct tf_tensix *tensix;     /* NULL where there is no coprocessor */
    struct tf_observer *observer; /* NULL: nobody looks; riscv/observe.h */
    struct tf_noc_port port;
    struct tf_fast fast;                /* registers that need no handler: those of the port */
    void *hart_memory;                  /* local RAMs of harts, and what they note of waits */
    uint64_t executed;                  /* instructions really executed (host figure) */
    uint64_t pages_decoded;             /* of code, that no tile had before (host figure) */
    struct tf_mmio mmio;                /* what a new tile writes lies close together: this costs page faults */
    struct tf_hart hart[TF_TILE_CORES]; /* arch->cores of them */
    struct tf_code_map code;            /* decoded code of L1 */
    uint32_t stale;                     /* relaxed mode: not 0 when stale_page has entries */
    uint8_t stale_page[TF_CODE_PAGES];  /* relaxed mode: pages that others wrote to, for the owner to drop */
    struct tf_fault_log faults;
};

/* When slices end, the same for every tile. */
struct tf_schedule {
    uint32_t slice_cycles;
};

/* Slices of every length that divides this number of cycles end at its multiples. */
#define TF_SLICE_COMMON 65536u

/*
 * First cycle after slice `slice`. Lengths vary by up to an eighth, by a fixed generator over the slice number:
 * equal turns let spinning harts starve each other in step.
 */
static inline uint64_t tf_slice_end(const struct tf_schedule *schedule, uint64_t slice)
{
    uint64_t end = (slice + 1) * schedule->slice_cycles;
    if (end % TF_SLICE_COMMON == 0)
        return end;
    uint32_t quarter = schedule->slice_cycles / 4;
    uint64_t mixed = (slice + 1) * 0x9E3779B97F4A7C15ull;
    return end + (uint32_t)((mixed >> 32) * quarter >> 32) - quarter / 2;
}

/* Put a zeroed tile together; code is the chip's cache of decoded code. False: no memory. */
bool tf_tile_init(struct tf_tile *tile, const struct tf_tile_arch *arch, struct tf_coord coord, uint16_t index,
                  uint8_t *l1, struct tf_code_cache *code, const struct tf_config *config);
void tf_tile_fini(struct tf_tile *tile);

/*
 * Run slices tile->slice .. slice_end - 1, or fewer: stops after the first slice at whose end the tile is quiet
 * (all harts and coprocessor threads wait for what the tile itself will not provide, or are stopped).
 * Slices that earlier calls left out, because the tile was quiet, must have been made up for by tf_tile_catch_up().
 * Returns true when the tile is quiet; tile->slice is the next slice to run.
 */
bool tf_tile_run(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t slice_end);

/* Account for the slices tile->slice .. slice - 1 of a quiet tile as if they had been run. */
void tf_tile_catch_up(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t slice);

/* True while nothing can happen in the tile until something is delivered. Changes nothing but tile->now. */
bool tf_tile_quiet(struct tf_tile *tile);

/* Tell the tile that bytes of its L1 were written from outside: decoded code is dropped; in relaxed mode, where any
   worker may say so, by the owner before its next slice. */
void tf_tile_l1_written(struct tf_tile *tile, uint32_t address, uint32_t bytes);

/* Feed the whole state of the tile (not the NIUs) to a hash. */
void tf_tile_hash(struct tf_tile *tile, struct tf_hash *hash);

#endif
