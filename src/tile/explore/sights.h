/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accesses to a few words of L1 of a tile that explores, in the order in which they took effect: a late store when it
 * is processed, a packet when it acts. Or of all words the first access, for the cycle at which orders begin to matter.
 * Nothing of it shows in the state.
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
    uint32_t value; /* of the word: what a load got; else what it is now */
    uint16_t tile;  /* of the core, by index */
    uint8_t core;   /* enum tf_core; of a thread of the coprocessor, that of its core */
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
    struct tf_check check; /* first: it hears of units of the coprocessor */
    struct tf_tile *tile;
    uint32_t word[TF_SIGHT_WORDS];
    unsigned words;
    struct tf_sight *list;
    unsigned count, room;
    struct tf_first_sight *first; /* of each word of L1; NULL: not asked for */
    struct tf_first_sight niu[2];
    uint64_t matters; /* the cycle of tf_sights_matter(); UINT64_MAX: none so far */
};

/* Watch a word; not beside a race checker. False: no memory, or there are TF_SIGHT_WORDS. */
bool tf_sights_watch(struct tf_tile *tile, uint32_t address);
void tf_sights_free(struct tf_tile *tile);

/*
 * Look for the first cycle at which another order may matter: an access to a word, or to a NIU, that another actor
 * accesses too, now or later, one of them a write; a request, an instruction of the coprocessor, an access to a
 * register that others or time may change, or a read of such a CSR. False: no memory.
 */
bool tf_sights_seek(struct tf_tile *tile);

/* From this cycle on the order of the tile matters. */
static inline void tf_sights_matter(struct tf_sights *sights, uint64_t cycle)
{
    sights->matters = tf_min(sights->matters, cycle);
}

/* A core accesses a register of one of the NIUs of its tile. Nobody else sees that before the request, unless another
   core uses the NIU too. What has come to the NIU is counted there. */
void tf_sights_niu(struct tf_sights *sights, uint64_t cycle, unsigned core, uint32_t address, bool store);

/* An access took effect, if the tile watches a word of it. Value and count are found here, but for loads. */
void tf_sights_note(struct tf_tile *tile, const struct tf_sight *sight, uint32_t bytes);

#endif
