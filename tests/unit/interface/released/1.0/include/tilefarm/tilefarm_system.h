/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Systems: several chips, whose Ethernet tiles are joined by links. All chips share one clock. A packet takes the time
 * of its link, so chips run side by side for as long, and what one chip computes does not depend on how far another
 * one has run on the host. Results are equal for any number of threads.
 *
 * The chips of a system are chips of tilefarm.h with all its functions, except that the system runs them: tf_run() on
 * one of them is TF_EINVAL. Callbacks of all chips come from the thread in tf_system_run(), in a fixed order.
 */
#ifndef TILEFARM_SYSTEM_H
#define TILEFARM_SYSTEM_H

#include "tilefarm/tilefarm.h"
#include "tilefarm/tilefarm_cluster.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tf_system;

/** What goes wrong on a link. */
enum tf_link_fault_kind {
    TF_LINK_DOWN, /**< The link is down from the start, until TF_LINK_UP. */
    TF_LINK_CUT,  /**< From cycle `value` on it is down, until TF_LINK_UP. */
    TF_LINK_UP,   /**< At cycle `value` it is trained, which takes TF_LINK_TRAINING_CYCLES. */
    TF_LINK_LOSE, /**< Packet number `value`, from 0 on, of one direction is lost. */
    TF_LINK_RATE, /**< Of a million packets of one direction, `value` are lost: 1..999999, chosen by `seed`. */
    TF_LINK_SLOW, /**< A direction takes `value` times as long for each byte: 2..1000. */
};

#define TF_LINK_TRAINING_CYCLES 10000u
#define TF_LINK_FAULTS_MAX 4096u

/**
 * A link fault. All that follows from it is simulated: equal faults give equal results. While a link is down, what is
 * on it is lost in both directions. TT-link packets are sent again; raw packets are not.
 */
struct tf_link_fault {
    enum tf_link_fault_kind kind;
    unsigned link;      /**< Its number in the cluster. */
    unsigned direction; /**< Of TF_LINK_LOSE, TF_LINK_RATE, TF_LINK_SLOW: the end of the link that sends, 0 or 1. */
    uint64_t value;
    uint64_t seed;
};

/** What a packet carries (EthernetTxRx.md of both families). */
enum tf_packet_kind {
    TF_PACKET_RAW,      /**< Bytes for the receiver's buffer. */
    TF_PACKET_L1,       /**< A write to the receiver's L1. */
    TF_PACKET_REGISTER, /**< A write of a word to a register of the receiver. */
};

/** A packet that a link has taken. */
struct tf_packet_event {
    struct tf_cluster_end from, to;
    uint64_t number;  /**< Of the packets in this direction of the link, from 0 on; those that it loses have none. */
    uint64_t sent;    /**< The cycle in which its last byte is sent. */
    uint64_t arrives; /**< The cycle in which its last byte is received. */
    uint64_t address; /**< At the receiver; TF_PACKET_RAW: 0. */
    uint32_t bytes;   /**< Of data. */
    uint32_t cycles;  /**< That the link needs for its frame. */
    enum tf_packet_kind kind;
};

/** The configuration of a system. */
struct tf_system_config {
    size_t struct_bytes;              /**< As in struct tf_config, set by tf_system_config_init(). */
    const struct tf_cluster *cluster; /**< Which chips there are; read by tf_system_create() alone. Not NULL. */
    /** Time of a packet from the last byte sent to the last byte received, in cycles: epoch_cycles_min..65536. Default
     *  0: 1024. Silicon: 660 ns on Blackhole (tt-metal pull request 36074), 891 cycles at 1.35 GHz. */
    uint32_t link_latency_cycles;
    /** Of each direction of a link, in Gb/s: 1..1000. Default 0: the family's, 100 on Wormhole, 400 on Blackhole
     *  (EthernetTile/README.md). */
    uint32_t link_gbps;
    const struct tf_link_fault *link_fault; /**< Faults of links; read by tf_system_create() alone. */
    unsigned link_faults;                   /**< Their number, 0..TF_LINK_FAULTS_MAX. */
    /** Called before each chip is made, so that its callbacks can get another `user`. May be NULL. */
    void (*on_chip)(void *user, unsigned chip, struct tf_config *config);
    void *user; /**< For on_chip and on_packet. */
    /** Called for each packet that a link has taken, after the window in which it was sent: by sending chip, by port,
     *  and in the order of sending. It must not call functions of the system. May be NULL. */
    void (*on_packet)(void *user, const struct tf_packet_event *event);
    uint64_t reserved[7]; /**< 0, else TF_EINVAL: room for later versions. */
    /** Of each chip. `arch` and `board` come from the cluster. `threads` is the number of workers for all chips
     *  together. Relaxed mode and `explore` are TF_EINVAL. */
    struct tf_config chip;
};

/** Fill a configuration with defaults. Any thread.
 *  @param bytes  sizeof(struct tf_system_config) of the caller, as for tf_config_init_sized(). */
TF_API void tf_system_config_init_sized(struct tf_system_config *config, size_t bytes);

/** Fill a configuration with defaults. Any thread. @param config  not NULL. */
static inline void tf_system_config_init(struct tf_system_config *config)
{
    tf_system_config_init_sized(config, sizeof *config);
}

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

/**
 * Read link faults. They are separated by commas, and each begins with a port, CHIP:PORT. The link at the port is
 * meant; `lose` and `slow` are about what the port sends.
 *
 *     0:8 down, 0:8 up 50000, 1:0 cut 20000, 0:9 lose 3 4 17, 1:1 lose 0.5% 7, 0:9 slow 4
 *
 * Numbers are cycles, packets, a rate with a seed (default 0), and a factor. Any thread.
 * @param[out] fault  room for TF_LINK_FAULTS_MAX.
 * @param[out] count  their number.
 * @param[out] message  what is wrong, or NULL.
 * @return TF_OK, TF_EFORMAT.
 */
TF_API int tf_link_fault_parse(const struct tf_cluster *cluster, const char *text, struct tf_link_fault *fault,
                               unsigned *count, struct tf_message *message);

/** What the system was made of. */
TF_API const struct tf_cluster *tf_system_cluster(const struct tf_system *system);

/** A chip of the system, by its number in the cluster. It lives as long as the system. NULL: there is none. */
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
 * @return TF_OK, TF_EINVAL, TF_ENODEV, TF_ENOMEM.
 */
TF_API int tf_system_run(struct tf_system *system, const struct tf_system_run_options *options, enum tf_end *end);

/** End the run in progress soon. Any thread, and signal handlers. */
TF_API void tf_system_stop(struct tf_system *system);

/** A hash of the state of all chips, and of what is on the links. Between runs only. */
TF_API uint64_t tf_system_hash(struct tf_system *system);

/**
 * Save a system. The file of the path gets what is on the links. Each chip gets a file beside it, named
 * PATH.SAVE.chipNUMBER, where SAVE counts the saves of this path. The file of the path is written last: until then it
 * leads to the chips of the save before. Then the files of that older save are removed. Between runs only.
 * @return TF_OK, TF_EINVAL, TF_EIO, TF_ENOMEM: then an older save of that path stays whole.
 */
TF_API int tf_system_save(struct tf_system *system, const char *path, struct tf_message *message);

/**
 * Give a system the state of a saved one, which had an equal cluster and an equal configuration but for `threads` and
 * callbacks. After an error it is as before.
 * @return TF_OK, TF_EINVAL (another system), TF_EFORMAT, TF_EIO, TF_ENOMEM.
 */
TF_API int tf_system_restore(struct tf_system *system, const char *path, struct tf_message *message);

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
 *  @return TF_OK, TF_ERANGE. */
TF_API int tf_link_stats(const struct tf_system *system, unsigned index, struct tf_link_stats *stats);

/** The latency of its links in cycles, and the rate of each direction in Gb/s. */
TF_API uint32_t tf_system_latency(const struct tf_system *system);
TF_API uint32_t tf_system_gbps(const struct tf_system *system);

/** Workers of the last run; before it, as many as it would ask for. */
TF_API unsigned tf_system_workers(const struct tf_system *system);

/** The system's time in cycles. */
TF_API uint64_t tf_system_cycles(const struct tf_system *system);

#ifdef __cplusplus
}
#endif

#endif
