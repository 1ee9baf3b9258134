/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_explore.h
 * Runs under other orders than the usual one: every order is one that the documents of the chip allow.
 *
 * At a place a run may go more than one way; a decision says which. The value 0 is the way of other runs. A run with a
 * seed draws each decision from the seed and the place. A run with a schedule has the decisions of the schedule, and 0
 * everywhere else. Both give the same outcome on any number of threads.
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
    TF_FREE_STORE,    /**< A core's store is processed late. Actor: core. Value: slices. */
    TF_FREE_STALE,    /**< A load hits an L0 line that differs from L1. Actor: core. Value: such hits until the lines
                           are flushed; from 4096 on they are never flushed, as with cfg0.DisLowCachePeriodicFlush. */
    TF_FREE_CORE,     /**< A core is slow. Actor: core. Value: slices. */
    TF_FREE_RESET,    /**< A core leaves reset late. Actor: core. Value: slices. */
    TF_FREE_THREAD,   /**< An instruction waits in the FIFO of a coprocessor thread. Actor: thread. Value: slices. */
    TF_FREE_PACK,     /**< The packer's lines reach L1 late. Actor: thread. Value: slices. */
    TF_FREE_REQUEST,  /**< A packet takes long. Actor: NOC, and twice the recipient's number. Value: epochs. */
    TF_FREE_CAPTURE,  /**< A write reads its source late. Actor: as REQUEST. Value: epochs, of those that the write
                          takes. */
    TF_FREE_PARTS,    /**< Some granules of a write (16 bytes) land before the others. Actor: as REQUEST. Value modulo
                           1000: half of it, rounded up, is the epochs between them; odd: the odd granules come first.
                           The value divided by 1000: 0: all of these; n from 1 to 7: n eighths of them; from 8 to 15:
                           the other granules too, and n - 8 eighths of these. */
    TF_FREE_RESPONSE, /**< A response takes long. Actor: as REQUEST. Value: epochs. */
    TF_FREE_LOAD,     /**< Later instructions overtake a load. Actor: core. (Value - 1) / 7: slices - 1; the remainder:
                           instructions of seven that do not overtake it. */
    TF_FREE_UNPACK,   /**< An unpacker reads L1 late, and hands its bank over late. Actor: thread. Value: slices. */
    TF_FREE_MOVE,     /**< The mover moves its data late. Actor: core; of XMOV, that of its thread. Value: slices. */
    TF_FREE_SCALAR,   /**< A memory request of the scalar unit acts late. Actor: thread. Value: slices. */
    TF_FREE_NIU,      /**< A NIU takes a command late: NOC_CMD_CTRL stays 1. Actor: NOC. Value: slices. */
    TF_FREEDOMS
};

/** A decision. */
struct tf_decision {
    uint8_t freedom;  /**< enum tf_freedom */
    uint16_t tile;    /**< By index. */
    uint16_t actor;   /**< Of the tile; see enum tf_freedom. */
    uint32_t ordinal; /**< Which of the actor's places of this kind, from 0 on. */
    uint32_t value;   /**< 0: the way of other runs. */
    /* Set for a decision that was made; without meaning in a schedule: */
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
 * Decide by another plan from now on. Earlier decisions stay, and the count of places continues. Between runs only.
 * @param explore  must live as long as the chip, or until the next call
 * @return TF_OK; TF_EINVAL (NULL, or a chip that was not created to explore); TF_ENOMEM: the chip keeps its plan.
 */
TF_API int tf_chip_explore(struct tf_chip *chip, const struct tf_explore *explore);

/** The decisions of a chip so far that are not 0, or with `notes` all, in the order of freedom, tile, actor, ordinal.
 * @param room  entries that `decision` has room for; may be NULL when it is 0
 * @return how many decisions there are, which may be more than `room`
 */
TF_API size_t tf_chip_decisions(struct tf_chip *chip, struct tf_decision *decision, size_t room);

#define TF_DECISION_TEXT_BYTES 800u

struct tf_symbols;

/**
 * Say in a line what a decision is: "tile 0, B, cycle 93, 0x20000, send+16 (send.c:9): its store arrives 64 cycles
 * late". Only decisions that tf_chip_decisions() has given can be told. Thread: that of the symbols.
 * @param symbols  names of functions (tilefarm_debug.h); NULL: none.
 * @param[out] text  at most bytes - 1 characters and a NUL are written; TF_DECISION_TEXT_BYTES are enough.
 */
TF_API void tf_decision_text(const struct tf_decision *decision, struct tf_symbols *symbols, char *text, size_t bytes);

/** How many places of a freedom the chip has come to so far, over all tiles and actors. 0: the chip does not
    explore. */
TF_API uint64_t tf_chip_places(struct tf_chip *chip, unsigned freedom);

/**
 * The places of a run in the usual order. The seeds of pct and delay-one choose among them. Any thread may call these
 * functions, one at a time.
 */
struct tf_places;

struct tf_places_count {
    size_t places;   /**< Among which pct chooses. */
    size_t all;      /**< Before tf_places_keep_conflicts(). */
    size_t packets;  /**< delay-one has twice as many seeds that differ, from 1 on. */
    uint32_t actors; /**< Cores and threads with such a place. */
};

/**
 * Copy the places of a run.
 * @param decision  what tf_chip_decisions() gave of a chip with `notes` and an empty schedule
 * @return NULL: the host has too little memory. tf_places_destroy() frees it.
 */
TF_API struct tf_places *tf_places_create(const struct tf_decision *decision, size_t decisions);

/** Free places; NULL: nothing. */
TF_API void tf_places_destroy(struct tf_places *places);

/** How many there are. */
TF_API void tf_places_count(const struct tf_places *places, struct tf_places_count *count);

/**
 * Keep only places of conflicting accesses, places of their cores just before these, and the starts of these cores.
 * Nothing changes where there is no conflict.
 * @param chip  of the run, repeated with `check`
 */
TF_API void tf_places_keep_conflicts(struct tf_places *places, struct tf_chip *chip);

/**
 * Choose a core or thread that is late from the start, and `depth` - 1 places that are put off (docs/explore.md).
 * @param[out] decision  has room for `depth`, at least 1
 * @return how many decisions there are, at most `depth`
 */
TF_API size_t tf_places_pct(const struct tf_places *places, uint64_t seed, unsigned depth,
                            struct tf_decision *decision);

/**
 * Choose a packet, or a response, that comes when all others are done.
 * @param seed  from 1 on
 * @param[out] decision  has room for one
 * @return 1; 0: there is no packet
 */
TF_API size_t tf_places_delay_one(const struct tf_places *places, uint64_t seed, struct tf_decision *decision);

#ifdef __cplusplus
}
#endif

#endif
