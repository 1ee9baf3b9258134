/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One tile with cores, by its kind (arch.h): harts, their registers, L1; of a Tensix tile the coprocessor. One thread
 * at a time runs a tile. The tile knows no other tile: it pushes NOC requests into a port, and the port changes its
 * memory and counters.
 */
#ifndef TILE_TILE_H
#define TILE_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tile/access.h"
#include "tile/arch.h"
#include "tile/fault.h"
#include "tile/hash.h"
#include "tile/mmio/mmio.h"
#include "tile/port.h"
#include "tile/riscv/code.h"
#include "tile/riscv/hart.h"
#include "tile/search.h"
#include "tilefarm/tilefarm.h"

struct tf_check;
struct tf_tensix;
struct tf_explorer;

struct tf_tile {
    uint8_t *l1; /* arch->l1_bytes bytes, in a 2 MiB slot */
    const struct tf_tile_arch *arch;
    struct tf_coord coord;
    uint16_t index;               /* number among the chip's tiles; Tensix tiles come first */
    bool shared;                  /* relaxed mode: other workers access l1 at any moment */
    bool as_silicon;              /* undefined behaviour with a known outcome has it, as a hazard, not a fault */
    bool parking;                 /* skip waiting harts; else execute them, with the same outcome */
    bool pollers;                 /* a parked hart may poll registers; see order.c */
    uint64_t now;                 /* cycle of the instruction that is accessing a register */
    uint64_t horizon;             /* the running hart is the earliest before this cycle; 0: unknown; see order.c */
    uint64_t deadline;            /* end of the slice that is being run, or was run last */
    uint64_t begin;               /* end of the slice before that one */
    uint64_t slice;               /* slice being run, or next to run */
    uint32_t code_generation;     /* bumped when decoded code of the tile changes */
    uint32_t irq_lines;           /* level inputs of the PIC; bit n is HW interrupt n (PIC.md); 1: NIU 0, 2: NIU 1 */
    struct tf_tensix *tensix;     /* NULL where there is no coprocessor */
    struct tf_observer *observer; /* NULL: nobody looks; riscv/observe.h */
    struct tf_counter *counter;   /* NULL: nobody counts; riscv/count.h */
    struct tf_explorer *explore;  /* NULL: the usual order; explore/explore.h */
    struct tf_check *check;       /* NULL: no race checker; check.h */
    struct tf_said *said;         /* NULL: nobody listens; riscv/hosted.h */
    struct tf_noc_port port;
    struct tf_fast fast;                /* registers that need no handler: those of the port */
    void *memory;                       /* tf_tile_init() */
    uint64_t executed;                  /* instructions really executed (host figure) */
    uint64_t pages_decoded;             /* pages of code decoded here first (host figure) */
    struct tf_mmio mmio;                /* words that a new tile writes are adjacent, which saves page faults */
    struct tf_hart hart[TF_TILE_CORES]; /* arch->cores of them */
    struct tf_code_map code;            /* decoded code of L1 */
    uint32_t stale;                     /* relaxed mode: not 0 when stale_page has entries */
    uint8_t stale_page[TF_CODE_PAGES];  /* relaxed mode: pages written by others; the owner drops their code */
    uint32_t search[TF_SEARCH_WORDS];   /* latched configuration of the tag search accelerator */
    struct tf_fault_log faults;
};

/* The ends of slices, equal for all tiles. */
struct tf_schedule {
    uint32_t slice_cycles;
};

/* Slices of every length that divides this number of cycles end at its multiples. */
#define TF_SLICE_COMMON 65536u

/*
 * First cycle after slice `slice`. Ends vary by up to an eighth of a slice, by a fixed function of the slice number.
 * With equal lengths, spinning harts starve each other in step.
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

/* Memory of a tile beside its struct, in whole pages: local RAMs, notes and vector registers of harts, the coprocessor.
   Most of them stay untouched. */
size_t tf_tile_memory_bytes(const struct tf_tile_arch *arch);

/*
 * Initialise a zeroed tile. memory: tf_tile_memory_bytes() zeros, aligned to a page, that stay the caller's; so one
 * mapping can serve all tiles of a chip. code: the chip's cache of decoded code. False: no memory.
 */
bool tf_tile_init(struct tf_tile *tile, const struct tf_tile_arch *arch, struct tf_coord coord, uint16_t index,
                  uint8_t *l1, void *memory, struct tf_code_cache *code, const struct tf_config *config);
void tf_tile_fini(struct tf_tile *tile);

/*
 * Run slices tile->slice .. slice_end - 1, or fewer: stops after the first slice at whose end the tile is quiet (all
 * harts and coprocessor threads are stopped, or wait for an event from outside the tile). Call tf_tile_catch_up() first
 * for slices that were skipped because the tile was quiet. Returns true when the tile is quiet; tile->slice is the next
 * slice to run.
 */
bool tf_tile_run(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t slice_end);

/* Account for slices tile->slice .. slice - 1 of a quiet tile as if they had been run. */
void tf_tile_catch_up(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t slice);

/* True while nothing can happen in the tile until something is delivered. Changes nothing but tile->now. */
bool tf_tile_quiet(struct tf_tile *tile);

/* Bytes of L1 were written from outside: drop decoded code there. In relaxed mode any worker may call this, and the
   owner drops the code before its next slice. */
void tf_tile_l1_written(struct tf_tile *tile, uint32_t address, uint32_t bytes);

/* Feed the whole state of the tile (not the NIUs) to a hash. */
void tf_tile_hash(struct tf_tile *tile, struct tf_hash *hash);

struct tf_saved;

/* The saved state (host/saved.h) of the tile, without its NIUs. The tile must be connected to them. */
void tf_tile_state(struct tf_saved *saved, struct tf_tile *tile);

/*
 * Record a fault of `core` (enum tf_core, or TF_CORE_NONE) and stop that hart at its present instruction. pc,
 * cycle and tile are filled in from the hart and the tile. Called on the worker that owns the tile.
 */
void tf_tile_fault(struct tf_tile *tile, unsigned core, enum tf_fault_category category, uint32_t instruction,
                   uint64_t address, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The same for an event at another pc and cycle than the hart's present ones. */
void tf_tile_fault_at(struct tf_tile *tile, unsigned core, uint32_t pc, uint64_t cycle, enum tf_fault_category category,
                      uint32_t instruction, uint64_t address, const char *format, ...)
    __attribute__((format(printf, 8, 9)));

#endif
