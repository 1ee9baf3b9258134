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
struct tf_worker;
struct tf_flight;
struct tf_flying_response;

struct tf_exploring {
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

/* Let a chip explore, if its configuration asks for it. Before its workers are made. TF_OK, TF_ENOMEM. */
int tf_exploring_begin(struct tf_chip *chip);
void tf_exploring_end(struct tf_chip *chip);

/* The sink of a worker of such a chip. */
void tf_exploring_sink(struct tf_worker *worker);

/* Land the responses that are due. At the begin of an epoch. */
void tf_exploring_land(struct tf_chip *chip);

/* Let the packets that are due act. At the end of an epoch. */
void tf_exploring_deliver(struct tf_chip *chip);

/* Add the sites to visit in the next epoch. */
void tf_exploring_activate(struct tf_chip *chip, struct tf_sites *active);

/* Record the accesses to a word of L1 of a tile, by index, before the chip runs. False: no such word, no memory, or too
   many. */
bool tf_exploring_record(struct tf_chip *chip, unsigned tile, uint64_t address);

/* Look for the first cycle at which another order may matter (tf_sights_seek()), or for one before `down_to`. Before
   the chip runs. False: no memory. */
bool tf_exploring_seek(struct tf_chip *chip, uint64_t down_to);

/* That cycle; UINT64_MAX: there is none so far. */
uint64_t tf_exploring_matters(const struct tf_chip *chip);

/* The records of a tile; NULL: there are none. */
const struct tf_sights *tf_exploring_sights(const struct tf_chip *chip, unsigned tile);

#endif
