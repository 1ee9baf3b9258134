/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NOC requests of a chip that explores other orders. Each packet, and each copy of a multicast, is in flight on its
 * own. It reads its source, acts at its target, and its response lands. Each of these comes at the end of an epoch,
 * which a decision may put off. All of that happens on the calling thread, in the order of issue among what is due.
 */
#ifndef FARM_EXPLORE_H
#define FARM_EXPLORE_H

#include "farm/share/sites.h"
#include "noc/noc.h"
#include "tile/explore/decide.h"
#include "tile/explore/sights.h"

struct tf_chip;
struct tf_epochs;
struct tf_observers;
struct tf_tiles;
struct tf_worker;
struct tf_workers;
struct tf_flight;
struct tf_flying_response;

struct tf_exploring {
    /* Constant. */
    struct tf_fabric *fabric;
    struct tf_tiles *tiles;
    struct tf_workers *workers;
    const struct tf_epochs *epochs;
    const struct tf_observers *observers;
    struct tf_plan plan;
    struct tf_flight *first, **end;       /* packets that have not acted, in order of issue */
    struct tf_flying_response *responses; /* in the order of their actions */
    struct tf_flying_response **responses_end;
    struct tf_flight *acting;
    struct tf_sites touched;        /* sites that have changed since the epoch's run */
    uint32_t link[TF_NODES_MAX][2]; /* number of the linked transaction that a NIU is in; 0: none */
    uint32_t links;
    uint64_t seeks_down_to; /* a cycle that matters before it is as good as any; 0: nothing is sought */
    uint64_t matters;       /* such a cycle; UINT64_MAX: none so far */
};

/* Let a new chip explore, as its configuration asks. The caller fills in the other parts. NULL: no memory. */
struct tf_exploring *tf_exploring_begin(const struct tf_config *config, struct tf_fabric *fabric,
                                        struct tf_tiles *tiles);
void tf_exploring_end(struct tf_exploring *exploring); /* or NULL */

/* The sink of a worker of such a chip. */
void tf_exploring_sink(struct tf_worker *worker);

/* Land the responses that are due. At the begin of an epoch. */
void tf_exploring_land(struct tf_exploring *exploring);

/* Let the packets that are due act. At the end of an epoch. */
void tf_exploring_deliver(struct tf_exploring *exploring);

/* Add the sites to visit in the next epoch. */
void tf_exploring_activate(struct tf_exploring *exploring, struct tf_sites *active);

/* Record the accesses to a word of L1 of a tile, by index, before the chip runs. NULL: the chip does not explore, also
   below. False: no such word, no memory, or too
   many. */
bool tf_exploring_record(struct tf_exploring *exploring, unsigned tile, uint64_t address);

/* Look for the first cycle at which another order may matter (tf_sights_seek()), or for one before `down_to`. Before
   the chip runs. False: no memory. */
bool tf_exploring_seek(struct tf_exploring *exploring, uint64_t down_to);

/* That cycle; UINT64_MAX: there is none so far. */
uint64_t tf_exploring_matters(const struct tf_exploring *exploring);

/* The records of a tile; NULL: there are none. */
const struct tf_sights *tf_exploring_sights(const struct tf_exploring *exploring, unsigned tile);

#endif
