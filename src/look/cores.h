/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counters of a chip's cores (tile/riscv/interp/count.h). They follow calls and returns, and report them to a
 * profile and a timeline. While the chip runs, only the worker that visits a tile may use the counters of its cores.
 */
#ifndef LOOK_CORES_H
#define LOOK_CORES_H

#include "farm/chip/chip.h"
#include "farm/chip/dram_tiles.h"
#include "look/paths.h"
#include "tile/riscv/interp/count.h"

/* Why a core stands still, where it last stopped. */
struct tf_wait_of {
    uint8_t state;    /* enum tf_core_state */
    bool store;       /* it waits in a store, not in a load */
    bool idle;        /* it waits for nothing: it has ended, or is in reset or paused */
    uint32_t address; /* of the access that it waits in; 0: none */
};

struct tf_cores;

/* The counters of one core. */
struct tf_core_of {
    struct tf_paths paths;
    struct tf_wait_of wait;
};

/* Callbacks that follow a core's execution. Each may be NULL. They run on the worker that visits the tile. */
struct tf_follower {
    void *user;
    /* The core has waited from cycle `begin` to cycle `end`, at of->paths.pc. */
    void (*waited)(void *user, unsigned tile, unsigned core, const struct tf_core_of *of, uint64_t begin, uint64_t end);
    /* The core's call path has changed: by a call, or by a return that ended `ended` calls. */
    void (*called)(void *user, unsigned tile, unsigned core, const struct tf_core_of *of, uint64_t cycle);
    void (*returned)(void *user, unsigned tile, unsigned core, unsigned ended, uint64_t cycle);
    /* The core has executed the instructions from `first` to `end`, the first one in `cycle`. */
    void (*ran)(void *user, unsigned tile, unsigned core, const struct tf_core_of *of, uint32_t first, uint32_t end,
                uint64_t cycle);
};

/* The counters of one tile. */
struct tf_cores_tile {
    struct tf_counter counter;
    struct tf_cores *all;
    unsigned tile;
    uint8_t counts, follows; /* cores that are counted, and cores that are reported to the follower, as bits */
    struct tf_core_of core[TF_TILE_CORES];
};

/* The counters of a chip. */
struct tf_cores {
    struct tf_chip *chip;
    struct tf_follower follower;
    struct tf_dram_watch dram_tiles;
    unsigned tiles; /* tf_chip_tiles(); the code of all of them is decoded for counting */
    struct tf_cores_tile tile[];
};

/*
 * Attach counters to a chip, before it runs. counts: count stretches of these cores by call path. follows: report these
 * to the follower. Both have them by tile, as bits; NULL: none. Returns NULL if the host has no memory.
 */
struct tf_cores *tf_cores_attach(struct tf_chip *chip, const uint8_t *counts, const uint8_t *follows,
                                 const struct tf_follower *follower);

/* Between runs: count the waits of all cores up to the chip's current cycle. */
void tf_cores_settle(struct tf_cores *cores);

/* What settled counters have counted: write it, or read it into the counters of the same chip in another process, which
   have counted nothing (host/saved.h). */
void tf_cores_state(struct tf_saved *saved, struct tf_cores *cores);

/* Is some of it lost, because the host had no memory? */
bool tf_cores_lost(const struct tf_cores *cores);

/* Free the counters, after the chip is destroyed. */
void tf_cores_free(struct tf_cores *cores);

#endif
