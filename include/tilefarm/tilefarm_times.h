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

/** The cycles of a core in timing mode, from its first start on, until it ended. */
struct tf_core_times {
    uint64_t cycles;           /**< The sum of spent[]. */
    uint64_t spent[TF_SPENTS]; /**< By enum tf_spent. */
    uint64_t uncertain;        /**< Of these, those that rest on durations which are derived, or without a source. */
    /* Since 1.1. */
    uint64_t ended;       /**< Cycles since the core ended: its program has returned, and the core jumps to itself. */
    uint64_t reserved[7]; /**< 0: room for later versions. */
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

/**
 * What cycles of the critical path were for. The first TF_SPENTS numbers are those of enum tf_spent: cycles of a core.
 * A core that polls, or is blocked, is on the path only from the change that ends its wait until it sees the change.
 */
enum tf_path_kind {
    TF_PATH_PASSED = TF_SPENTS, /**< A thread of the coprocessor passes an instruction. */
    TF_PATH_FEED,               /**< From the push of an instruction until the thread has it. */
    TF_PATH_UNIT,               /**< The unit is busy. */
    TF_PATH_OPERAND,            /**< A bank, rows of Dst or an LReg have no data yet. */
    TF_PATH_GATE,               /**< STALLWAIT, SEMWAIT and their like, after the change that they awaited. */
    TF_PATH_NIU,                /**< A NIU issues a packet, after those before it. */
    TF_PATH_WAY,                /**< A packet is on its way: hops and flits. */
    TF_PATH_LINK,               /**< It waits for a link that other packets use. */
    TF_PATH_SERVE,              /**< The target of a request answers. */
    TF_PATH_DRAM,               /**< Latency of DRAM. */
    TF_PATH_CHANNEL,            /**< A channel of DRAM serves others. */
    TF_PATH_START,              /**< From the start of the record, or of a core by another one, to an instruction. */
    TF_PATH_END,                /**< From the last event to the end of the run's last tick. */
    TF_PATH_KINDS,              /**< Kinds of a single chip. Those of packets on links follow. */
    /* Since 1.1. */
    TF_PATH_TURN = TF_PATH_KINDS, /**< A packet for a link waits until those before it are sent. */
    TF_PATH_AGAIN,                /**< From its command until it is sent again: it was lost, or late. */
    TF_PATH_WIRE,                 /**< Its frame is on the wire of the link. */
    TF_PATH_LATENCY,              /**< From its last byte sent until the other end takes it. */
    TF_PATH_KINDS_OF_SYSTEM
};

/** Whose cycles a part of the critical path are. */
enum tf_path_actor {
    TF_PATH_AT_HOST,   /**< Nobody's. */
    TF_PATH_AT_CORE,   /**< A core's. */
    TF_PATH_AT_THREAD, /**< A thread's of the coprocessor. */
    TF_PATH_AT_PACKET, /**< A request's or an answer's. */
    /* Since 1.1. */
    TF_PATH_AT_LINK, /**< A packet's on a link between two chips. */
};

/** A part of the critical path: cycles of one kind, at one instruction, in one step of the path. */
struct tf_path_part {
    uint64_t step;            /**< Steps are in order. A step stays with one actor; its parts are mixed in time. */
    uint64_t begin, end;      /**< The cycles of the step. One begins where the last one ended. */
    uint64_t cycles;          /**< Of this part. Those of all parts add up to the cycles of the record. */
    enum tf_path_kind kind;   /**< Or an enum tf_spent. */
    enum tf_path_actor actor; /**< Whose cycles. */
    struct tf_coord at, to;   /**< The node of the core or thread; of a packet, where it left and where it goes. */
    unsigned number;          /**< The core, the thread, the NOC, or the TX queue of a packet on a link. */
    uint32_t pc;              /**< The instruction; of a thread or a packet, the one that pushed or sent it. */
    struct tf_coord code;     /**< The node of the core that executed it, */
    unsigned core;            /**< and the core. */
    struct tf_coord link;     /**< TF_PATH_LINK: the router before the link for which it waited longest. */
    uint8_t way;              /**< And its direction: 'x', 'y', or 'i' to the NIU. Else 0. */
    const char *unit;         /**< TF_PATH_PASSED, _UNIT, _OPERAND: the unit. Else NULL. */
    bool uncertain;           /**< It rests on a duration that is derived, or has no source. */
};

/** Record the critical path of a chip in timing mode from now on. Between runs only. @return TF_OK; TF_EINVAL (NULL,
 * not in timing mode or in the coarse one, or it records already); TF_ENOMEM. */
TF_API int tf_path_record(struct tf_chip *chip);

/**
 * Get the critical path: which waits, in order, made the run as long as it is, from the start of the record to the
 * chip's present cycle. It is walked back from the last event. Between runs only. parts: gets the first `room` parts,
 * in order; may be NULL if room is 0. *count: of all parts. @return TF_OK; TF_EINVAL (NULL, or nothing is recorded);
 * TF_ENOMEM (also for the record).
 */
TF_API int tf_path_read(struct tf_chip *chip, struct tf_path_part *parts, size_t room, size_t *count);

struct tf_system;

/** A part of the critical path of a system. */
struct tf_system_path_part {
    struct tf_path_part part;
    unsigned chip, to_chip; /**< The chips of `at` and `code`, and of `to`. */
    uint64_t reserved[2];   /**< 0: room for later versions. */
};

/** tf_path_record() for all chips of a system: the path then goes over its links, too. Between runs only. @return
 * TF_OK; TF_EINVAL (NULL, not in timing mode or in the coarse one, a chip records already, or other processes run some
 * of the chips); TF_ENOMEM. */
TF_API int tf_system_path_record(struct tf_system *system);

/** tf_path_read() of such a record. The cycles of all parts add up to those of the system. Of a chip in the record,
 * tf_path_read() returns TF_EINVAL. */
TF_API int tf_system_path_read(struct tf_system *system, struct tf_system_path_part *parts, size_t room, size_t *count);

/** The name of a kind or of an enum tf_spent, such as "issued" or "link". @return NULL: there is no such kind. */
TF_API const char *tf_path_kind_name(unsigned kind);

#ifdef __cplusplus
}
#endif

#endif
