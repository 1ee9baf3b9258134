/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of accesses to L1, of a tile that explores. They have one of two uses. For a report they list the accesses to
 * a few words, in the order in which these took effect. A late store takes effect when it is processed, a packet when
 * it acts. To find the cycle at which orders begin to matter, they hold the first access to each word. They are no part
 * of the state.
 */
#ifndef TILE_EXPLORE_NOTED_H
#define TILE_EXPLORE_NOTED_H

#include "host/extremes.h"
#include "tile/check.h"

struct tf_tile;

#define TF_NOTED_WORDS 4u

enum tf_noted_kind {
    TF_NOTED_LOAD,
    TF_NOTED_STORE,
    TF_NOTED_AMO,
    TF_NOTED_NOC_WRITE,
    TF_NOTED_NOC_READ,
    TF_NOTED_NOC_ATOMIC,
    TF_NOTED_NOC_SOURCE, /* a write reads its source */
    TF_NOTED_NOC_DATA,   /* data of a read, or the result of an atomic */
    TF_NOTED_UNPACK,
    TF_NOTED_PACK,
    TF_NOTED_SCALAR,
    TF_NOTED_MOVER,
    TF_NOTED_MOVER_READ,
    TF_NOTED_PACKET, /* of a link */
};

struct tf_noted_access {
    uint64_t cycle; /* of the tile, when it took effect */
    uint32_t address, pc;
    uint32_t value; /* of the word: a load's result; else its present value */
    uint16_t tile;  /* of the core, by index */
    uint8_t core;   /* enum tf_core; of a thread of the coprocessor, its core */
    uint8_t kind;   /* enum tf_noted_kind */
    uint32_t count; /* of equal ones that came one after another */
};

/* The first access to a word of L1. */
struct tf_first_noted {
    uint32_t cycle; /* 1 more; 0: none */
    uint8_t actor;
    bool written; /* by any access so far */
};

struct tf_noted_accesses {
    struct tf_check check; /* must come first: units of the coprocessor report to it */
    struct tf_tile *tile;
    uint32_t word[TF_NOTED_WORDS];
    unsigned words;
    struct tf_noted_access *list;
    unsigned count, room;
    struct tf_first_noted *first; /* for each word of L1; NULL if not asked for */
    struct tf_first_noted niu[2];
    uint64_t matters; /* the cycle of tf_noted_order_matters(); UINT64_MAX: none so far */
};

/* Record the accesses to a word; not beside a race checker. Returns false if the host has no memory, or if there are
   TF_NOTED_WORDS. */
bool tf_noted_record(struct tf_tile *tile, uint32_t address);
void tf_noted_free(struct tf_tile *tile);

/*
 * Look for the first cycle at which another order may matter. Two actors access a word or a NIU, now or later, and one
 * of them writes. Or it is a request, or an instruction of the coprocessor. Or it is an access to a register, or a read
 * of a CSR, that others or time may change. Returns false if the host has no memory.
 */
bool tf_noted_seek(struct tf_tile *tile);

/* From this cycle on the order of the tile matters. */
static inline void tf_noted_order_matters(struct tf_noted_accesses *noted, uint64_t cycle)
{
    noted->matters = tf_min(noted->matters, cycle);
}

/* Tell the tile's checker that an instruction of the coprocessor has passed the gate. If a search runs beside the
   checker, tell that, too. */
void tf_noted_passed(const struct tf_tile *tile, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle);

/* A core accesses a register of one of the NIUs of its tile. No other actor sees that before the request, unless
   another core uses the NIU, too. The NIU counts the arrivals of requests and answers. */
void tf_noted_niu(struct tf_noted_accesses *noted, uint64_t cycle, unsigned core, uint32_t address, bool store);

/* An access took effect: record it if the tile records a word of it. This function finds value and count, except for
   loads. */
void tf_noted_add(struct tf_tile *tile, const struct tf_noted_access *access, uint32_t bytes);

#endif
