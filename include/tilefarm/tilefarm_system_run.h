/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_system_run.h
 * A system: it is made, runs, is saved, and tells what its links carry. tilefarm_system.h includes it.
 */
#ifndef TILEFARM_SYSTEM_RUN_H
#define TILEFARM_SYSTEM_RUN_H

#include "tilefarm/tilefarm_chip.h"
#include "tilefarm/tilefarm_cluster.h"
#include "tilefarm/tilefarm_links.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tf_system;
struct tf_system_config;

/**
 * Make a system. Cores are in reset, memory is 0, and links are up.
 * @param[out] system  untouched on error.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK, TF_EINVAL, TF_ENOMEM, TF_ESYS.
 */
TF_API int tf_system_create(const struct tf_system_config *config, struct tf_system **system,
                            struct tf_message *message);

/** Destroy a system with its chips. NULL is allowed. */
TF_API void tf_system_destroy(struct tf_system *system);

/** What the system was made of. */
TF_API const struct tf_cluster *tf_system_cluster(const struct tf_system *system);

/** A chip of the system, by its number in the cluster. It lives as long as the system. NULL: there is none. Of a system
 *  that other processes run, too, the call brings the chip's state here (tilefarm_lead.h); NULL: one has failed. */
TF_API struct tf_chip *tf_system_chip(struct tf_system *system, unsigned chip);

/** The options of a run. */
struct tf_system_run_options {
    /** As in tf_run(), for the clock of the system. A pause comes between two windows. */
    struct tf_run_options run;
    unsigned until_chip; /**< The chip of run.until_node. */
};

/**
 * Run all chips until one of the reasons in enum tf_end applies: quiet when all chips are and no packet is under way.
 * A fault of a chip stops it, and the system when all chips can have heard of it: a window for each hop between the two
 * chips that are farthest apart. Afterwards all chips that did not stop are at the same time.
 * @param options  NULL: run until quiet.
 * @param[out] end  the reason; may be NULL.
 * @return TF_OK, TF_EINVAL, TF_ENODEV, TF_ENOMEM; TF_EIO: another process that runs chips has failed (tf_lead_why()).
 */
TF_API int tf_system_run(struct tf_system *system, const struct tf_system_run_options *options, enum tf_end *end);

/** End the run in progress soon. Any thread, and signal handlers. */
TF_API void tf_system_stop(struct tf_system *system);

/** A hash of the state of all chips, and of what is on the links. Between runs only. */
TF_API uint64_t tf_system_hash(struct tf_system *system);

/**
 * Save a system. The file of the path gets what is on the links, and the names of the files of the chips. The file
 * of each chip lies beside it: PATH.SAVE.chipNUMBER, where SAVE counts the saves of this path. The function writes
 * the file of the path last: until then that file leads to the chips of the save before. Then the function removes
 * the files of that older save. Between runs only.
 * @return TF_OK, TF_EINVAL, TF_EIO, TF_ENOMEM: then an older save of that path stays whole.
 */
TF_API int tf_system_save(struct tf_system *system, const char *path, struct tf_message *message);

/**
 * Give a system the state of a saved one, which had an equal cluster and an equal configuration but for `threads` and
 * callbacks: tf_saved_system_config() reads them. After an error it is as before.
 * @return TF_OK, TF_EINVAL (another system), TF_EFORMAT, TF_EIO, TF_ENOMEM.
 */
TF_API int tf_system_restore(struct tf_system *system, const char *path, struct tf_message *message);

/**
 * Read the configuration of a saved system, to create one that tf_system_restore() accepts. Any thread.
 * @param config  set up by tf_system_config_init(). Of `chip`, the fields that change results and `parking` become
 *                those of the saved system, as do the latency, rate and faults of links. `cluster` and `link_fault`
 *                then point to the next two parameters. Untouched on error.
 * @param[out] cluster  of the saved system.
 * @param[out] fault  room for TF_LINK_FAULTS_MAX; config->link_faults is their number.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (NULL, or a family or board that this library does not know); TF_EIO, TF_EFORMAT, TF_ENOMEM.
 */
TF_API int tf_saved_system_config(const char *path, struct tf_system_config *config, struct tf_cluster *cluster,
                                  struct tf_link_fault *fault, struct tf_message *message);

/**
 * Make a system with the state of another one, with what is on its links. Both continue independently, each as the
 * system alone would, to the bit, on any number of threads. Tiles and DRAM channels of the chips are copied as for
 * tf_chip_fork(); Ethernet tiles that have a link are copied at once.
 *
 * The two may be destroyed in any order, and used on different threads. If the host has too little memory for a copy,
 * tf_system_run() of the fork returns TF_ENOMEM, and the fork can only be destroyed.
 *
 * Between runs only, so not from a callback. Thread: the system's.
 * @param config  of the fork. Its cluster, the latency, rate and faults of links, and what tf_chip_fork() demands of
 *                each chip must equal those of the system. NULL: the configuration of the system. Each chip keeps its
 *                callbacks for memory of the host. Other callbacks and `check` are left out.
 * @param[out] fork  the new system; untouched on error.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK; TF_EINVAL (NULL, relaxed mode, another order, `check`, or another configuration); TF_ENOMEM, TF_ESYS.
 *         Of a system over several processes TF_EIO, if one has failed. Its fork runs in this process alone.
 */
TF_API int tf_system_fork(struct tf_system *system, const struct tf_system_config *config, struct tf_system **fork,
                          struct tf_message *message);

/** The traffic of one direction of a link. */
struct tf_link_stats {
    struct tf_cluster_end from;
    struct tf_cluster_end to;
    uint64_t packets, bytes; /**< That have been sent and not lost; of data, without headers. */
    uint64_t waiting;        /**< Packets of these that have not arrived. */
    uint64_t lost;           /**< Other packets: faults of the link lost them. */
    uint64_t reserved[4];    /**< 0: room for later versions. */
};

/** The traffic of the direction number `index`, twice as many as links: first that from end[0] of a link.
 *  @return TF_OK, TF_ERANGE; of a system that other processes run, too, TF_EIO. */
TF_API int tf_link_stats(const struct tf_system *system, unsigned index, struct tf_link_stats *stats);

/** A port whose cores wait, and what its link has to do with it. */
struct tf_link_wait {
    struct tf_cluster_end from; /**< The port. */
    struct tf_cluster_end to;   /**< The other end of its link; `from` again if it has none. */
    bool linked;                /**< It has a link. Without one, the fields below are 0. */
    bool down;                  /**< The link is down at this end. */
    uint32_t unacknowledged;    /**< TT-link packets of the port that the other end has not acknowledged. */
    uint32_t held;              /**< Packets of the port for RX queues at the other end that force back-pressure. */
    uint64_t lost;              /**< Packets of the port that were lost: the link was down, or had a fault. */
    uint64_t reserved[4];       /**< 0: room for later versions. */
};

/**
 * Get the ports of all chips whose cores wait (tf_waits()), in the order of chips and ports. Between runs; changes no
 * state.
 * @param[out] waits  an array with room for `room` ports; may be NULL if `room` is 0.
 * @return the number of ports, also if it is above `room`; 0 as well if the host has no memory.
 */
TF_API size_t tf_link_waits(struct tf_system *system, struct tf_link_wait *waits, size_t room);

/**
 * Write a line about one of tf_link_waits(), without a newline, as reports have it: where the link leads, its state,
 * and what the cores at its other end wait for. A record that is of another system has no such cores.
 * @return the length of the whole text; at most bytes - 1 characters and a NUL are written.
 */
TF_API size_t tf_link_wait_text(struct tf_system *system, const struct tf_link_wait *wait, char *text, size_t bytes);

/**
 * Say who waits in a system, and for what: the lines of tf_describe_waits() for each chip, then those of
 * tf_link_wait_text() for its ports. Each line begins with the number of its chip, "chip 1: ". Between runs; changes no
 * state.
 * @return the length of the whole text; at most bytes - 1 characters and a NUL are written.
 */
TF_API size_t tf_system_describe_waits(struct tf_system *system, char *text, size_t bytes);

/** The latency of its links in cycles; 0 in relaxed mode, where links take no time. */
TF_API uint32_t tf_system_latency(const struct tf_system *system);
/** The rate of each direction of its links in Gb/s; 0 in relaxed mode. */
TF_API uint32_t tf_system_gbps(const struct tf_system *system);

/** Workers of the last run; before it, as many as it would ask for. */
TF_API unsigned tf_system_workers(const struct tf_system *system);

/** The system's time in cycles. */
TF_API uint64_t tf_system_cycles(const struct tf_system *system);

#ifdef __cplusplus
}
#endif

#endif
