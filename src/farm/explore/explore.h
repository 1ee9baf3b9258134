/* SPDX-License-Identifier: Apache-2.0 */
/* A chip that explores other orders. Thread: the calling one, between phases. */
#ifndef FARM_EXPLORE_H
#define FARM_EXPLORE_H

#include "pool/sites.h"
#include "noc/requests/order.h"
#include "tile/explore/decide.h"
#include "tile/explore/noted.h"

struct tf_chip;
struct tf_epochs;
struct tf_observers;
struct tf_tiles;
struct tf_workers;
struct tf_flight;

/* The state of a chip that explores other orders. */
struct tf_exploring {
    /* Constant. */
    struct tf_fabric *fabric;
    struct tf_tiles *tiles;
    struct tf_workers *workers;
    const struct tf_epochs *epochs;
    const struct tf_observers *observers;
    struct tf_plan plan;
    struct tf_flight *first, **end;           /* requests that have not acted, in the order of issue */
    struct tf_flight *answers, **answers_end; /* answers that have not landed, in the order in which requests acted */
    struct tf_sites touched;                  /* sites that have changed since the run phase of this epoch */
    struct tf_noc_transaction transaction[TF_NODES_MAX][2]; /* by node and NOC: the one under way */
    uint64_t seeks_down_to; /* tf_exploring_seek(): the search ends with a cycle below this; 0: no search */
    uint64_t matters;       /* the first cycle found at which another order may matter; UINT64_MAX: none */
};

/* Make the state of a new chip whose configuration asks to explore. The caller fills in the other parts. Returns NULL
   if the host has no memory. */
struct tf_exploring *tf_exploring_begin(const struct tf_config *config, struct tf_fabric *fabric,
                                        struct tf_tiles *tiles);

/* Free it. NULL is allowed. */
void tf_exploring_end(struct tf_exploring *exploring);

/* Before the chip runs: it has this number in a system, and its decisions, too. exploring: may be NULL. */
void tf_exploring_number(struct tf_exploring *exploring, unsigned chip);

/* Before the chip runs: record all accesses to a word of L1. tile: an index. exploring: NULL for a chip that does not
   explore, also below. Returns false if there is no such word, if the host has no memory, or if TF_NOTED_WORDS words of
   the tile are recorded already. */
bool tf_exploring_record(struct tf_exploring *exploring, unsigned tile, uint64_t address);

/* Before the chip runs: let it search for the first cycle at which another order may matter (tf_noted_seek()). A cycle
   below `down_to` ends the search. Returns false if the host has no memory. */
bool tf_exploring_seek(struct tf_exploring *exploring, uint64_t down_to);

/* Stop looking at tiles once that cycle is found: looking takes as long as the rest of the run. */
void tf_exploring_end_seeking(struct tf_exploring *exploring);

/* Returns the cycle that the search has found; UINT64_MAX: none so far. */
uint64_t tf_exploring_matters(const struct tf_exploring *exploring);

/* Returns the recorded accesses of a tile; NULL: there are none. */
const struct tf_noted_accesses *tf_exploring_noted(const struct tf_exploring *exploring, unsigned tile);

#endif
