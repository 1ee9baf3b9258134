/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file tilefarm_system_config.h
 * The configuration of a system. tilefarm_system.h includes it.
 */
#ifndef TILEFARM_SYSTEM_CONFIG_H
#define TILEFARM_SYSTEM_CONFIG_H

#include "tilefarm/tilefarm_config.h"
#include "tilefarm/tilefarm_links.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The configuration of a system. */
struct tf_system_config {
    size_t struct_bytes;              /**< As in struct tf_config, set by tf_system_config_init(). */
    const struct tf_cluster *cluster; /**< Which chips there are; read by tf_system_create() alone. Not NULL. */
    /** Time of a packet from the last byte sent to the last byte received, in cycles: epoch_cycles_min to
     *  TF_LINK_LATENCY_CYCLES_MOST. Default 0: TF_LINK_LATENCY_CYCLES. Silicon: 660 ns on Blackhole (tt-metal pull
     *  request 36074), 891 cycles at 1.35 GHz. */
    uint32_t link_latency_cycles;
    /** Of each direction of a link, in Gb/s: 1..TF_LINK_GBPS_MOST. Default 0: the family's, 100 on Wormhole, 400 on
     *  Blackhole (EthernetTile/README.md). */
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
     *  together. In relaxed mode links hand over at once, in order: the latency, rate and faults of links, and
     *  on_packet, are TF_EINVAL then. */
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

#ifdef __cplusplus
}
#endif

#endif
