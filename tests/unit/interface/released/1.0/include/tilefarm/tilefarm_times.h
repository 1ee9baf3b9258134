/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_times.h
 * Where cycles went, of chips that run in timing mode: tf_config.timing (docs/timing.md).
 *
 * Thread: the chip's, between runs.
 */
#ifndef TILEFARM_TIMES_H
#define TILEFARM_TIMES_H

#include "tilefarm/tilefarm_chip.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the cycles of a core were for, in timing mode. */
enum tf_spent {
    TF_SPENT_ISSUED,  /**< Instructions. */
    TF_SPENT_RESULT,  /**< Awaiting a result of arithmetic, or its unit. */
    TF_SPENT_LOAD_L1, /**< Awaiting a load from L1. */
    TF_SPENT_LOAD,    /**< Awaiting any other load, or a place for a load. */
    TF_SPENT_STORE,   /**< Awaiting room in the store queue. */
    TF_SPENT_BRANCH,  /**< A jump or branch that was not as predicted. */
    TF_SPENT_FETCH,   /**< Awaiting instructions. */
    TF_SPENT_FIFO,    /**< Awaiting room in the FIFO of a thread of the coprocessor: its unit is busy, or it waits. */
    TF_SPENT_SYNC,    /**< Awaiting a mailbox, a semaphore of the coprocessor, or its end. */
    TF_SPENT_NOC,     /**< Polling a register of a NIU: an answer, or room for a command. */
    TF_SPENT_MEMORY,  /**< Polling L1: data or a semaphore of another core or tile. */
    TF_SPENT_OTHER,   /**< Polling any other register. */
    TF_SPENTS
};

/** The cycles of a core in timing mode, from its first start on. */
struct tf_core_times {
    uint64_t cycles;           /**< The sum of spent[]. */
    uint64_t spent[TF_SPENTS]; /**< By enum tf_spent. */
    uint64_t uncertain;        /**< Of these, those that rest on durations which are derived, or without a source. */
    uint64_t reserved[8];      /**< 0: room for later versions. */
};

/** Get where the cycles of a core went. Between runs only. @return TF_OK; TF_ENODEV; TF_EINVAL (NULL, or the chip does
 * not run in timing mode). */
TF_API int tf_core_times(struct tf_chip *chip, unsigned tile, enum tf_core core, struct tf_core_times *times);

/** Cycles in which units were busy, in timing mode. */
struct tf_tile_times {
    uint64_t matrix, vector, unpack, pack, scalar, config, mover; /**< Units of the coprocessor. */
    uint64_t noc_out[2], noc_in[2];                               /**< The links from and to the NIU of each NOC. */
    uint64_t mvmul;                                               /**< MVMULs; the unit takes at most one a cycle. */
    uint64_t reserved[7];                                         /**< 0: room for later versions. */
};

/** Get for how long units of a Tensix tile were busy. Between runs only. @return as tf_core_times(). */
TF_API int tf_tile_times(struct tf_chip *chip, unsigned tile, struct tf_tile_times *times);

/** Get for how many cycles a DRAM channel was busy, in timing mode. On Wormhole two GDDR channels share a number, and
 * their cycles add up. Between runs only. @return as tf_core_times(). */
TF_API int tf_dram_times(struct tf_chip *chip, unsigned channel, uint64_t *busy);

#ifdef __cplusplus
}
#endif

#endif
