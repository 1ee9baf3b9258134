/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_explore.h
 * Runs under other orders than the usual one. The documents of the chip allow each of these orders.
 *
 * At some places a run may continue in more than one way, and a decision selects one of them. Value 0 selects the way
 * of usual runs. A run with a seed draws each decision from the seed and the place. A run with a schedule takes its
 * decisions from the schedule, and 0 at all other places. Both have the same outcome on any number of threads.
 *
 * Sources: BlackholeA0/TensixTile/BabyRISCV/MemoryOrdering.md and WormholeB0/NoC/Ordering.md.
 */
#ifndef TILEFARM_EXPLORE_H
#define TILEFARM_EXPLORE_H

#include "tilefarm/tilefarm_chip.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kinds of choices that the documents leave open. */
enum tf_freedom {
    TF_FREE_STORE,    /**< A core's store is processed late. Actor: core. Value: slices. */
    TF_FREE_STALE,    /**< A load hits an L0 line that differs from L1. Actor: core. Value: the number of the hit at
                           which all lines are flushed; hits before it are stale. From 4096 on lines are never
                           flushed, as with cfg0.DisLowCachePeriodicFlush. */
    TF_FREE_CORE,     /**< A core is slow. Actor: core. Value: slices that it stands still now. 1000 n + m: it pauses
                           before the n-th of its next accesses to L1 or a register, for the rest of the slice and m
                           slices. */
    TF_FREE_RESET,    /**< A core leaves reset late. Actor: core. Value: slices. */
    TF_FREE_THREAD,   /**< An instruction waits in the FIFO of a coprocessor thread. Actor: thread. Value: slices. */
    TF_FREE_PACK,     /**< The packer's lines reach L1 late. Actor: thread. Value: slices. */
    TF_FREE_REQUEST,  /**< A packet takes long. Actor: the NOC, plus twice the recipient's place in a multicast. Value:
                           epochs. */
    TF_FREE_CAPTURE,  /**< A write reads its source late. Actor: as REQUEST. Value: epochs, at most as many as the write
                           takes. */
    TF_FREE_PARTS,    /**< Some granules of a write (16 bytes) land early, the rest (m + 1) / 2 epochs later. Actor: as
                           REQUEST. Value: 1000 n + m. Stream A has the granules with odd numbers if m is odd, else
                           those with even numbers. Stream B has the others. What lands early: all of A if n is 0; the
                           first n eighths of A if n is 1 to 7; all of B, and the first n - 8 eighths of A, if n is 8
                           to 15. */
    TF_FREE_RESPONSE, /**< A response takes long. Actor: as REQUEST. Value: epochs. */
    TF_FREE_LOAD,     /**< Later instructions overtake a load. Actor: core. A value v stands for (v - 1) / 7 + 1 slices
                           and 7 - (v - 1) % 7 instructions. */
    TF_FREE_UNPACK,   /**< An unpacker reads L1 late, and hands its bank over late. Actor: thread. Value: slices. */
    TF_FREE_MOVE,     /**< The mover moves its data late. Actor: core; of XMOV, its thread's core. Value: slices. */
    TF_FREE_SCALAR,   /**< A memory request of the scalar unit acts late. Actor: thread. Value: slices. */
    TF_FREE_NIU,      /**< A NIU takes a command late: NOC_CMD_CTRL stays 1. Actor: NOC. Value: slices. */
    TF_FREE_UNIT,     /**< A unit executes an instruction late that has passed the gate. Actor: thread, plus 0 for the
                           matrix unit, 3 for the vector unit, 6 for the packer. Value: slices. */
    TF_FREE_LINK,     /**< A frame of an Ethernet link takes long, and so do later ones of that direction. Tile: that of
                           the sender. Actor: 0. Ordinal: the number of the frame. Value: epochs. */
    TF_FREE_LOSS,     /**< A TT-link packet is lost, and sent again after a time-out. As LINK. Value: 1. */
    TF_FREE_STREAM,   /**< An RX queue writes a part of a TT-link packet late, and later ones of that part after it.
                           Actor: 3 times the queue, plus the stream of writes to L1, or 2 for registers. Value:
                           slices. */
    TF_FREEDOMS
};

/** A decision. */
struct tf_decision {
    uint8_t freedom;  /**< enum tf_freedom */
    uint8_t chip;     /**< Of a system; 0 for a chip alone. */
    uint16_t tile;    /**< By index. */
    uint16_t actor;   /**< Of the tile; see enum tf_freedom. */
    uint32_t ordinal; /**< Number of the place among the actor's places of this kind, from 0 on. */
    uint32_t value;   /**< 0: the way of usual runs. */
    /* For decisions that a run has made; not used in a schedule: */
    uint32_t pc;      /**< Of the core's instruction, or of the store that issued the request; 0: none. */
    uint64_t cycle;   /**< Of the tile. */
    uint64_t address; /**< Of the access; 0: none. */
};

/** The source of decisions. It must live as long as the chip. */
struct tf_explore {
    bool scheduled; /**< Decisions come from `decision`. False: from `seed`. */
    uint64_t seed;
    uint16_t rate[TF_FREEDOMS];         /**< With a seed: how many of 65536 places have a value other than 0. */
    uint16_t longest[TF_FREEDOMS];      /**< With a seed: the largest value. */
    bool starves;                       /**< With a seed: one core in eight often stands still. */
    bool notes;                         /**< tf_chip_decisions() also returns those of value 0, up to 2^20 of a tile. */
    const struct tf_decision *decision; /**< With a schedule: the decisions, at most one for a place. */
    size_t decisions;
};

/** Cycles of a slice, and of an epoch, in runs that explore. Delays are multiples of them. */
#define TF_EXPLORE_CYCLES 64u

/** Values of TF_FREE_CORE from here on are pauses: TF_EXPLORE_PAUSE n + m. */
#define TF_EXPLORE_PAUSE 1000u

/** The name of a freedom in schedules: "store". Never NULL. */
TF_API const char *tf_freedom_name(unsigned freedom);

/**
 * Choose rates for a seed. A seed uses a few freedoms, some of them often and some seldom.
 * @param explore  its seed, rates and lengths are set; the other fields stay
 */
TF_API void tf_explore_random(struct tf_explore *explore, uint64_t seed);

/** Choose rates for a seed: decisions are rare and long, and some cores starve. */
TF_API void tf_explore_chaos(struct tf_explore *explore, uint64_t seed);

/** Draw a value for a place, from 1 to the largest that tf_explore_random() sets for seed 1. Each octave of that range
 *  is equally likely. For TF_FREE_CORE it is a pause, whose access and length are drawn in this way. */
TF_API uint32_t tf_explore_length(unsigned freedom, uint64_t seed);

/**
 * Give a chip another source of decisions. Earlier decisions stay, and the numbers of places continue. Between runs
 * only. All chips of a system (tf_system_chip()) should have the same one.
 * @param explore  must live as long as the chip, or until the next call
 * @return TF_OK; TF_EINVAL (NULL, or a chip that was not created to explore); TF_ENOMEM: the chip keeps its plan.
 */
TF_API int tf_chip_explore(struct tf_chip *chip, const struct tf_explore *explore);

/** Get the decisions of a chip so far: those that are not 0, or all with `notes`. Their order is that of freedom, tile,
 * actor, ordinal. Each chip of a system (tf_system_chip()) has its own.
 * @param decision  an array of `room` decisions; may be NULL if `room` is 0
 * @return the number of decisions, which may be above `room`
 */
TF_API size_t tf_chip_decisions(struct tf_chip *chip, struct tf_decision *decision, size_t room);

#define TF_DECISION_TEXT_BYTES 800u

struct tf_symbols;

/**
 * Describe a decision: "tile 0 (1,2), B, cycle 93, 0x20000, send+16 (send.c:9): its store arrives 64 cycles late".
 * The decision must come from tf_chip_decisions(). Thread: that of the symbols.
 * @param arch  tf_chip_arch() of the chip
 * @param symbols  names of functions (tilefarm_debug.h); NULL: none.
 * @param[out] text  at most bytes - 1 characters and a NUL are written; TF_DECISION_TEXT_BYTES are enough.
 */
TF_API void tf_decision_text(const struct tf_arch *arch, const struct tf_decision *decision, struct tf_symbols *symbols,
                             char *text, size_t bytes);

/** The number of places of a freedom so far, over all tiles and actors. 0: the chip does not explore. */
TF_API uint64_t tf_chip_places(struct tf_chip *chip, unsigned freedom);

/**
 * The places of a run in the usual order. The seeds of pct and delay-one choose among them. Any thread may call these
 * functions, one at a time.
 */
struct tf_places;

struct tf_places_count {
    size_t places;   /**< Places from which pct chooses. */
    size_t all;      /**< The same before tf_places_keep_conflicts(). */
    size_t packets;  /**< Packets. delay-one has twice as many different seeds, from 1 on. */
    uint32_t actors; /**< Cores and threads that have such a place. */
};

/**
 * Copy the places of a run.
 * @param decision  from tf_chip_decisions(), of a chip with `notes` and an empty schedule
 * @return NULL: the host has too little memory. tf_places_destroy() frees it.
 */
TF_API struct tf_places *tf_places_create(const struct tf_decision *decision, size_t decisions);

/** Free places. NULL is allowed. */
TF_API void tf_places_destroy(struct tf_places *places);

/** Count places. @param[out] count  not NULL. */
TF_API void tf_places_count(const struct tf_places *places, struct tf_places_count *count);

/**
 * Keep only the places of conflicting accesses, the places of the same cores just before them, and the starts of these
 * cores. If no accesses conflict, all places stay.
 * @param chip  a chip that has repeated the run with `check`
 */
TF_API void tf_places_keep_conflicts(struct tf_places *places, struct tf_chip *chip);

/**
 * Choose a core or thread that is late from the start, and `depth` - 1 places to delay (docs/explore.md).
 * @param[out] decision  has room for `depth`, at least 1
 * @return the number of decisions, at most `depth`
 */
TF_API size_t tf_places_pct(const struct tf_places *places, uint64_t seed, unsigned depth,
                            struct tf_decision *decision);

/**
 * Choose a packet, or a response, that comes after all others; or a packet of a link that is lost.
 * @param seed  from 1 on
 * @param[out] decision  has room for one
 * @return 1; 0: there is no packet
 */
TF_API size_t tf_places_delay_one(const struct tf_places *places, uint64_t seed, struct tf_decision *decision);

#ifdef __cplusplus
}
#endif

#endif
