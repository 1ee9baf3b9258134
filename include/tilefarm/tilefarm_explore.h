/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_explore.h
 * Runs under other orders than the usual one: every order is one that the documents of the chip allow.
 *
 * A decision is a place where a run may go another way, and the way that it goes. The value 0 is the usual way. A run
 * with a seed draws each decision from the seed and the place; a run with a schedule has the decisions of the schedule,
 * and 0 everywhere else. Both give the same outcome on any number of threads.
 *
 * Sources: BlackholeA0/TensixTile/BabyRISCV/MemoryOrdering.md and WormholeB0/NoC/Ordering.md.
 */
#ifndef TILEFARM_EXPLORE_H
#define TILEFARM_EXPLORE_H

#include "tilefarm/tilefarm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the documents leave open. */
enum tf_freedom {
    TF_FREE_STORE,    /**< A core's store is processed late. Unit: core. Value: slices. */
    TF_FREE_STALE,    /**< A load hits an L0 line that L1 no longer equals. Unit: core. Value: such hits until the
                           lines are flushed; from 4096 on they are not, as with cfg0.DisLowCachePeriodicFlush. */
    TF_FREE_CORE,     /**< A core is slow. Unit: core. Value: slices. */
    TF_FREE_RESET,    /**< A core leaves reset late. Unit: core. Value: slices. */
    TF_FREE_THREAD,   /**< An instruction waits in the FIFO of a coprocessor thread. Unit: thread. Value: slices. */
    TF_FREE_PACK,     /**< The packer's lines reach L1 late. Unit: thread. Value: slices. */
    TF_FREE_REQUEST,  /**< A packet takes long. Unit: NOC, and twice the recipient's number. Value: epochs. */
    TF_FREE_CAPTURE,  /**< A write reads its source late. Unit: as REQUEST. Value: epochs of those that it takes. */
    TF_FREE_PARTS,    /**< Some 16-byte units of a write land before the others. Unit: as REQUEST. Value: half of it,
                           rounded up, is the epochs between them; odd: the odd units come first. */
    TF_FREE_RESPONSE, /**< A response takes long. Unit: as REQUEST. Value: epochs. */
    TF_FREEDOMS
};

/** A decision. */
struct tf_decision {
    uint8_t freedom;  /**< enum tf_freedom */
    uint16_t tile;    /**< By index. */
    uint16_t unit;    /**< Of the tile; see enum tf_freedom. */
    uint32_t ordinal; /**< Which of the unit's places of this kind, from 0 on. */
    uint32_t value;   /**< 0: the usual way. */
    /* Told of a decision that was made, and of no meaning in a schedule: */
    uint32_t pc;      /**< Of the core's instruction, or of the store that issued the request; 0: none. */
    uint64_t cycle;   /**< Of the tile. */
    uint64_t address; /**< That is accessed; 0: none. */
};

/** How decisions are made. It must live as long as the chip. */
struct tf_explore {
    bool scheduled; /**< By `decision`; else by `seed`. */
    uint64_t seed;
    uint16_t rate[TF_FREEDOMS];         /**< By seed: decisions in 65536 places that are not 0. */
    uint16_t longest[TF_FREEDOMS];      /**< By seed: the largest value. */
    bool starves;                       /**< By seed: one core of eight stands still often. */
    bool notes;                         /**< tf_chip_decisions() has places of value 0 too, the first 2^20 of a tile. */
    const struct tf_decision *decision; /**< By schedule; no place appears twice. */
    size_t decisions;
};

/** Length of a slice and of an epoch of runs that explore: units of delays. */
#define TF_EXPLORE_CYCLES 64u

/** A name for a freedom, as in schedules: "store". Never NULL. */
TF_API const char *tf_freedom_name(unsigned freedom);

/**
 * Choose rates for a seed. Few freedoms are used at once, some often and some seldom.
 * @param explore  gets seed, rates and lengths; the rest stays
 */
TF_API void tf_explore_random(struct tf_explore *explore, uint64_t seed);

/** Choose rates for a seed: decisions are rare and long, and some cores starve. */
TF_API void tf_explore_chaos(struct tf_explore *explore, uint64_t seed);

/** A value for a place, by a seed: each octave up to the freedom's largest of tf_explore_random() is as likely. */
TF_API uint32_t tf_explore_length(unsigned freedom, uint64_t seed);

/**
 * Decide by another plan from now on. Decisions so far stay, and places go on being counted. Between runs only.
 * @param explore  must live as long as the chip, or until the next call
 * @return TF_OK; TF_EINVAL (NULL, or a chip that was not created to explore); TF_ENOMEM: the chip keeps its plan.
 */
TF_API int tf_chip_explore(struct tf_chip *chip, const struct tf_explore *explore);

/** The decisions of a chip so far that are not 0, or with `notes` all, in the order of freedom, tile, unit, ordinal.
 * @param room  entries that `decision` has room for; may be NULL when it is 0
 * @return how many decisions there are, which may be more than `room`
 */
TF_API size_t tf_chip_decisions(struct tf_chip *chip, struct tf_decision *decision, size_t room);

#define TF_DECISION_TEXT_BYTES 640u

struct tf_symbols;

/**
 * Say in a line what a decision is: "tile 0, B, cycle 93, 0x20000, send+16 (send.c:9): its store arrives 64 cycles
 * late". Only decisions that tf_chip_decisions() has given can be told. Thread: that of the symbols.
 * @param symbols  names of functions (tilefarm_debug.h); NULL: none.
 * @param[out] text  at most bytes - 1 characters and a NUL are written; TF_DECISION_TEXT_BYTES are enough.
 */
TF_API void tf_decision_text(const struct tf_decision *decision, struct tf_symbols *symbols, char *text, size_t bytes);

/** How many places of a freedom the chip has come to so far, over all tiles and units. 0: the chip does not explore. */
TF_API uint64_t tf_chip_places(struct tf_chip *chip, unsigned freedom);

#ifdef __cplusplus
}
#endif

#endif
