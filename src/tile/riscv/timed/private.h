/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A private slice: the cores of a tile have their turns one after another, each up to the end of the slice, as if each
 * had a memory of its own. What a core loads and stores in L1 is noted as two spans. If a core touches what another one
 * stores, or does more than compute, load and store, the slice is undone, and cores have their turns in order
 * (order/order.h). So the outcome is that of turns in order, without a stop before each access. Row `timing-mixed` pays
 * for it. Only for the files here.
 */
#ifndef TILE_RISCV_TIMED_PRIVATE_H
#define TILE_RISCV_TIMED_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tile/state.h"
#include "tile/timing.h"

/* The most cycles of a core in such a slice. */
#define TF_TIMED_PRIVATE_CYCLES 64u
/* The most changes of memory and instruction caches. */
#define TF_TIMED_PRIVATE_CHANGES 512u
/* Those of branches: three for each, and for the one that ends the slice. A line of code has two more. */
#define TF_TIMED_PRIVATE_BRANCHES (3u * (TF_TIMED_PRIVATE_CYCLES + 1u) * TF_TILE_CORES + TF_TIMED_WAYS)

/* Addresses from `first` to first + extent. */
struct tf_timed_span {
    uint32_t first, extent;
};

/* No address of L1, and each one. */
#define TF_TIMED_NOWHERE ((struct tf_timed_span){.first = UINT32_MAX})
#define TF_TIMED_EVERYWHERE ((struct tf_timed_span){.extent = UINT32_MAX})

/* Eight bytes of the host at an aligned address, before they changed. */
struct tf_timed_change {
    void *at;
    uint64_t before;
};

/* The parts of struct tf_core_timing that a slice may change, beside what is noted and spent[]: X(first field, field
   behind). Registers of floating point are none of them. */
#define TF_TIMED_KEPT(X)          \
    X(counted, ready[33])         \
    X(because, because[40])       \
    X(load, load[TF_TIMED_LOADS]) \
    X(stored, cached)             \
    X(l0, place)

/* A core before its turn. */
struct tf_timed_kept {
    uint64_t cycle, instret;
    uint64_t issued;
    uint32_t x[33], pc;
    bool yielded;
    uint64_t spent[TF_TIME_TX_ISSUE]; /* those of cores, which come first; only if the core has waited */
#define X(first, behind) \
    uint8_t first[offsetof(struct tf_core_timing, behind) - offsetof(struct tf_core_timing, first)];
    TF_TIMED_KEPT(X)
#undef X
};

struct tf_timed_private {
    unsigned left; /* cores whose turn has not ended, as bits */
    unsigned ran;  /* those whose turn has begun */
    unsigned lost; /* those that have waited, so that kept[].spent is defined */
    bool failed;
    unsigned changes;
    uint64_t executed; /* of the tile, before the slice */
    struct tf_timed_span loads[TF_TILE_CORES], stores[TF_TILE_CORES];
    struct tf_timed_span all_loads, all_stores; /* of the cores whose turns have ended */
    struct tf_timed_kept kept[TF_TILE_CORES];
    struct tf_timed_change change[TF_TIMED_PRIVATE_CHANGES + TF_TIMED_PRIVATE_BRANCHES];
};

static inline bool tf_timed_covers(const struct tf_timed_span *span, uint32_t address)
{
    return address - span->first <= span->extent;
}

/* Let a span cover an address, and what lies between. */
void tf_timed_widen(struct tf_timed_span *span, uint32_t address);

/* Note the eight bytes around `at`, which are about to change. */
static inline void tf_timed_note(struct tf_timed_private *private, const void *at)
{
    struct tf_timed_change *change = &private->change[private->changes++];
    change->at = (void *)((uintptr_t)at & ~(uintptr_t)7);
    memcpy(&change->before, change->at, sizeof change->before);
}

/* Is there room for notes of memory and instruction caches? */
static inline bool tf_timed_has_room(const struct tf_timed_private *private)
{
    return private->changes < TF_TIMED_PRIVATE_CHANGES;
}

/* Is the next slice of a tile to be tried as a private one? After one that was undone, some are not. */
bool tf_timed_private_tries(struct tf_timing *timing);

/* Begin a private slice, in which these cores, as bits, have a turn. */
void tf_timed_private_open(const struct tf_tile *tile, unsigned cores, struct tf_timed_private *private);

/* The next core is about to have its turn. Returns it. */
struct tf_hart *tf_timed_private_begin(struct tf_tile *tile, struct tf_timed_private *private);

/* It is about to wait, for any row but RV_MISPREDICT. */
void tf_timed_private_lose(const struct tf_tile *tile, struct tf_timed_private *private, unsigned core);

/* Its turn has ended. Returns false if it touched what another one did. */
bool tf_timed_private_end(struct tf_timed_private *private, unsigned core, const struct tf_timed_span *loads,
                          const struct tf_timed_span *stores);

/* All turns have ended, or one cannot. Returns whether the slice is as if it had been in order; else it is undone. */
bool tf_timed_private_settle(struct tf_tile *tile, struct tf_timed_private *private);

#endif
