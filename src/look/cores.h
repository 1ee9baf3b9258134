/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counters of a chip's cores (tile/riscv/interp/count.h): they follow calls and returns, and pass to a profile and
 * a timeline what these need. A core belongs to the worker of its tile while the chip runs.
 */
#ifndef LOOK_CORES_H
#define LOOK_CORES_H

#include "farm/chip/chip.h"
#include "look/paths.h"
#include "tile/riscv/interp/count.h"

/* What a core waits for, where it last stopped. */
struct tf_wait_of {
    uint8_t state; /* enum tf_core_state */
    bool store;
    bool idle;        /* it waits for nothing: it has ended, or is kept from running */
    uint32_t address; /* 0: none */
};

struct tf_cores;

struct tf_core_of {
    struct tf_paths paths;
    struct tf_wait_of wait;
};

/* Functions that follow a core's execution; each may be NULL. Called by the worker of the tile. */
struct tf_follower {
    void *user;
    /* From `begin` to `end` the core has waited, at paths->pc. */
    void (*waited)(void *user, unsigned tile, unsigned core, const struct tf_core_of *of, uint64_t begin, uint64_t end);
    /* The core entered another path: by a call, or by a return from `ended` calls. */
    void (*called)(void *user, unsigned tile, unsigned core, const struct tf_core_of *of, uint64_t cycle);
    void (*returned)(void *user, unsigned tile, unsigned core, unsigned ended, uint64_t cycle);
};

/* One tile. */
struct tf_cores_tile {
    struct tf_counter counter;
    struct tf_cores *all;
    unsigned tile;
    uint8_t counts, follows; /* cores, as bits */
    struct tf_core_of core[TF_TILE_CORES];
};

struct tf_cores {
    struct tf_chip *chip;
    struct tf_follower follower;
    unsigned tiles; /* all of the chip: the code of each is decoded for counting */
    struct tf_cores_tile tile[];
};

/*
 * Before the chip runs. Cores as bits by Tensix tile; NULL: none. counts: cores whose stretches are counted by path.
 * follows: cores that the follower hears of. Returns NULL without memory.
 */
struct tf_cores *tf_cores_attach(struct tf_chip *chip, const uint8_t *counts, const uint8_t *follows,
                                 const struct tf_follower *follower);

/* The chip does not run: what cores have waited up to its present cycle. */
void tf_cores_settle(struct tf_cores *cores);

/* Did the host lack memory? */
bool tf_cores_lost(const struct tf_cores *cores);

/* After the chip is destroyed. */
void tf_cores_free(struct tf_cores *cores);

#endif
