/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A private slice: the cores of a tile have their turns one after another, each up to the end of the slice, as if each
 * had a memory of its own. What a core loads and stores in L1 is noted as two spans. If a core touches what another one
 * stores, or does more than compute, load and store, the slice is undone, and cores have their turns in order
 * (order/order.h). So the outcome is that of turns in order, without a stop before each access. Row `timing-mixed` pays
 * for it. Only for the files here, and for run/ahead.c.
 */
#ifndef TILE_RISCV_TIMED_PRIVATE_H
#define TILE_RISCV_TIMED_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tile/state.h"
#include "tile/timing.h"

/* The most changes of memory, instruction caches and predictions in such a slice; and the most of one instruction. */
#define TF_TIMED_PRIVATE_CHANGES 4096u
#define TF_TIMED_PRIVATE_AT_ONCE 2u

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
    X(store, cached)              \
    X(l0, place)

/* A core before its turn. */
struct tf_timed_kept {
    uint64_t cycle, instret;
    uint64_t issued, mispredicted; /* of spent[] */
    uint32_t x[33], pc;
    bool yielded;
    uint64_t spent[TF_TIME_TX_ISSUE]; /* those of cores, which come first; only if the core has waited */
#define X(first, behind) \
    uint8_t first[offsetof(struct tf_core_timing, behind) - offsetof(struct tf_core_timing, first)];
    TF_TIMED_KEPT(X)
#undef X
};

/* The tile's time before a slice, and that of its parked cores. */
struct tf_timed_before {
    struct tf_tile_slice slice;
    uint64_t asleep_until, limit;
    uint64_t cycle[TF_TILE_CORES], instret[TF_TILE_CORES];
    unsigned held; /* as bits */
    bool computes;
    uint8_t turn;
};

struct tf_timed_private {
    struct tf_timed_before before;
    unsigned parked; /* cores that stay parked unless another one stores what is in their loads[], as bits */
    unsigned left;   /* cores whose turn has not ended */
    unsigned ran;    /* those whose turn has begun */
    unsigned lost;   /* those that have waited, so that kept[].spent is defined */
    bool failed;     /* it was undone */
    unsigned changes;
    uint64_t executed; /* of the tile, before the slice */
    struct tf_timed_span loads[TF_TILE_CORES], stores[TF_TILE_CORES];
    struct tf_timed_span all_loads, all_stores; /* of the cores whose turns have ended */
    struct tf_timed_kept kept[TF_TILE_CORES];
    struct tf_timed_change change[TF_TIMED_PRIVATE_CHANGES];
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

/* Is there room for the notes of an instruction? */
static inline bool tf_timed_has_room(const struct tf_timed_private *private)
{
    return private->changes <= TF_TIMED_PRIVATE_CHANGES - TF_TIMED_PRIVATE_AT_ONCE;
}

/* No core of the next slice is parked. Then add one. It polls what is in the span. */
static inline void tf_timed_private_none(struct tf_timed_private *private)
{
    private->parked = 0;
}
void tf_timed_private_add(struct tf_timed_private *private, unsigned core, const struct tf_timed_span *polls);

/* Begin a private slice, in which these cores, as bits, have a turn. */
void tf_timed_private_open(const struct tf_tile *tile, unsigned cores, struct tf_timed_private *private);

/* The next core is about to have its turn. Returns it. */
struct tf_hart *tf_timed_private_begin(struct tf_tile *tile, struct tf_timed_private *private);

/* It is about to wait, for any row but RV_MISPREDICT. */
void tf_timed_private_lose(const struct tf_tile *tile, struct tf_timed_private *private, unsigned core);

/* Its turn has ended. Returns false if it touched what another one did. */
bool tf_timed_private_end(struct tf_timed_private *private, unsigned core, const struct tf_timed_span *loads,
                          const struct tf_timed_span *stores);

/* Let the tile be as before the slice. */
void tf_timed_private_undo(struct tf_tile *tile, struct tf_timed_private *private);

#endif
