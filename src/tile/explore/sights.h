/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of accesses to L1, of a tile that explores. They have one of two uses. For a report they list the accesses to
 * a few words, in the order in which these took effect. A late store takes effect when it is processed, a packet when
 * it acts. To find the cycle at which orders begin to matter, they hold the first access to each word. They are no part
 * of the state.
 */
#ifndef TILE_EXPLORE_SIGHTS_H
#define TILE_EXPLORE_SIGHTS_H

#include "host/extremes.h"
#include "tile/check.h"

struct tf_tile;

#define TF_SIGHT_WORDS 4u

enum tf_sight_kind {
    TF_SIGHT_LOAD,
    TF_SIGHT_STORE,
    TF_SIGHT_AMO,
    TF_SIGHT_NOC_WRITE,
    TF_SIGHT_NOC_READ,
    TF_SIGHT_NOC_ATOMIC,
    TF_SIGHT_NOC_SOURCE, /* a write reads its source */
    TF_SIGHT_NOC_DATA,   /* data of a read, or the result of an atomic */
    TF_SIGHT_UNPACK,
    TF_SIGHT_PACK,
    TF_SIGHT_SCALAR,
    TF_SIGHT_MOVER,
    TF_SIGHT_MOVER_READ,
};

struct tf_sight {
    uint64_t cycle; /* of the tile, when it took effect */
    uint32_t address, pc;
    uint32_t value; /* of the word: a load's result; else its present value */
    uint16_t tile;  /* of the core, by index */
    uint8_t core;   /* enum tf_core; of a thread of the coprocessor, its core */
    uint8_t kind;   /* enum tf_sight_kind */
    uint32_t count; /* of equal ones that came one after another */
};

/* The first access to a word of L1. */
struct tf_first_sight {
    uint32_t cycle; /* 1 more; 0: none */
    uint8_t actor;
    bool written; /* by any access so far */
};

struct tf_sights {
    struct tf_check check; /* must come first: units of the coprocessor report to it */
    struct tf_tile *tile;
    uint32_t word[TF_SIGHT_WORDS];
    unsigned words;
    struct tf_sight *list;
    unsigned count, room;
    struct tf_first_sight *first; /* for each word of L1; NULL if not asked for */
    struct tf_first_sight niu[2];
    uint64_t matters; /* the cycle of tf_sights_matter(); UINT64_MAX: none so far */
};

/* Record the accesses to a word; not beside a race checker. Returns false if the host has no memory, or if there are
   TF_SIGHT_WORDS. */
bool tf_sights_record(struct tf_tile *tile, uint32_t address);
void tf_sights_free(struct tf_tile *tile);

/*
 * Look for the first cycle at which another order may matter. Two actors access a word or a NIU, now or later, and one
 * of them writes. Or it is a request, or an instruction of the coprocessor. Or it is an access to a register, or a read
 * of a CSR, that others or time may change. Returns false if the host has no memory.
 */
bool tf_sights_seek(struct tf_tile *tile);

/* From this cycle on the order of the tile matters. */
static inline void tf_sights_matter(struct tf_sights *sights, uint64_t cycle)
{
    sights->matters = tf_min(sights->matters, cycle);
}

/* A core accesses a register of one of the NIUs of its tile. No other actor sees that before the request, unless
   another core uses the NIU, too. The NIU counts the arrivals of requests and answers. */
void tf_sights_niu(struct tf_sights *sights, uint64_t cycle, unsigned core, uint32_t address, bool store);

/* An access took effect: record it if the tile records a word of it. This function finds value and count, except for
   loads. */
void tf_sights_note(struct tf_tile *tile, const struct tf_sight *sight, uint32_t bytes);

#endif
