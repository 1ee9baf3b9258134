/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of a tile; state.h has its state. */
#ifndef TILE_RUN_TILE_H
#define TILE_RUN_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/fetch.h"
#include "tile/riscv/code/code.h"
#include "tile/run/slice.h"
#include "tile/state.h"

/* What the tiles of a chip have in common. */
struct tf_tile_rules {
    bool shared; /* relaxed mode: tf_tile_mode has these three */
    bool as_silicon;
    bool parking;
    bool ordered; /* accesses of cores to memory are ordered by cycle: tf_config.ordered_memory, or timing mode */
    bool timed;   /* timing mode */
    bool timed_coarse;
    uint32_t late_cycles; /* of the coprocessor's units */
};

/* The memory of a tile beside its struct. Zeros. The caller keeps them, so that one mapping can serve all tiles of a
   chip. */
struct tf_tile_memory {
    uint8_t *head;  /* what creation writes; aligned to 64 */
    uint8_t *cores; /* local RAMs and notes of harts, which stay untouched until a core runs; in whole pages */
    uint8_t *body;  /* vector registers, and the rest of the coprocessor; in whole pages */
};

/* The size of each. */
struct tf_tile_room {
    size_t head, cores, body;
};
struct tf_tile_room tf_tile_room(const struct tf_tile_arch *arch);

/* All three in one piece of memory, which is aligned to a page; and its size. */
struct tf_tile_memory tf_tile_memory_in(const struct tf_tile_arch *arch, void *memory);
size_t tf_tile_memory_bytes(const struct tf_tile_arch *arch);

/* Initialise a zeroed tile. code: the chip's cache of decoded code. Returns false if the host has no memory. */
bool tf_tile_init(struct tf_tile *tile, const struct tf_tile_arch *arch, struct tf_coord coord, uint16_t index,
                  uint8_t *l1, struct tf_tile_memory memory, struct tf_code_cache *code,
                  const struct tf_tile_rules *rules);
void tf_tile_fini(struct tf_tile *tile);

/*
 * Run the ticks from tile->slice.tick to tick_end - 1, or fewer: it stops after the first slice at whose end the tile
 * is quiet. Then all harts and coprocessor threads are stopped, or wait for an event from outside the tile. Call
 * tf_tile_catch_up() first for ticks that were skipped because the tile was quiet. Returns true if the tile is quiet;
 * tile->slice.tick is the next tick to run.
 */
bool tf_tile_run(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick_end);

/* tile->turn of a tile that dozes: all its harts that are not stopped doze (tf_hart_turn_dozing()), and so does its
   coprocessor. Their time passes later, together with that of the ticks in which nobody visits the tile. Rows
   `atomic-inc-*`, `barrier-700` and `ping-pong` pay for that. */
#define TF_TILE_DOZES (TF_TILE_CORES + 1u)

static inline bool tf_tile_dozes(const struct tf_tile *tile)
{
    return tile->turn == TF_TILE_DOZES;
}

/* tf_tile_visit() of a tile that dozes, has observers, or has one core that moves; and of one that does not doze. */
bool tf_tile_visit_dozing(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick, uint64_t tick_end,
                          uint64_t *next);
bool tf_tile_visit_awake(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick_end, uint64_t *next);

/*
 * tf_tile_run() from `tick` on, up to *next. The tile may doze before and after it; if not before it, its time has
 * passed up to `tick`. Before anything but its L1 and the counters of its NIUs is touched, time must pass for a tile
 * that dozes: tf_tile_catch_up().
 */
static inline bool tf_tile_visit(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick,
                                 uint64_t tick_end, uint64_t *next)
{
    if (tf_tile_dozes(tile)) {
        if ((tile->moving & (tile->moving - 1)) == 0 || TF_HOOK(tile->observer) != NULL)
            return tf_tile_visit_dozing(tile, schedule, tick, tick_end, next);
        tile->turn = TF_TILE_CORES;
        tile->slice.tick = tick;
        tile->slice.deadline = tf_tick_begin_now(schedule, tick);
    }
    return tf_tile_visit_awake(tile, schedule, tick_end, next);
}

/* Timing mode: run within the next tick, up to a cycle, in which a packet arrives. */
void tf_tile_run_to(struct tf_tile *tile, uint64_t cycle);

/* Account for the ticks from tile->slice.tick to tick - 1 of a quiet tile as if they had been run. */
void tf_tile_catch_up(struct tf_tile *tile, const struct tf_schedule *schedule, uint64_t tick);

/* Let time pass for the harts of a tile that dozes, up to the end of its last slice. Then it does not doze. */
void tf_tile_rouse(struct tf_tile *tile);

/* Lets the host fetch what a visit of the tile begins with, up to the first core's turn. Rows `atomic1-inc-spread` and
   `copy1-256-awaited` pay for it. */
static inline void tf_tile_fetch(const struct tf_tile *tile)
{
    const struct tf_hart *hart = &tile->hart[tile->moving != 0 ? __builtin_ctz(tile->moving) : 0];
    tf_fetch_to_write(tile);
    __builtin_prefetch(&tile->port);
    tf_fetch_to_write(hart->x);
    tf_fetch_to_write(&hart->x[16]);
    tf_fetch_to_write(&hart->cycle);
    tf_fetch_to_write(&hart->park);
    tf_fetch_to_write(&hart->park.memo_round[0].word_test);
}

/* tf_tile_fetch() for all cores of a tile in timing mode. Row `timing-mixed` pays for it. */
void tf_tile_fetch_timed(const struct tf_tile *tile);

/* Returns true while nothing can happen in the tile until something is delivered. Changes nothing but tile->cycle. */
bool tf_tile_quiet(struct tf_tile *tile);

/* Feed the whole state of the tile (not the NIUs) to a hash. */
void tf_tile_hash(struct tf_tile *tile, struct tf_hash *hash);

struct tf_saved;

#endif
